"""The inspector's routes: everybody's conversations for those who may look, and nothing at all for others."""

import logging
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Annotated, Any

import pytest
from fastapi import FastAPI, Header, HTTPException
from pydantic import BaseModel

from softrail.api import create_router
from softrail.bootstrap import build
from softrail.core.clock import now
from softrail.core.commits import AccessKey
from softrail.core.keys import Right, hash_key
from softrail.core.outcomes import Done
from softrail.core.turns import Reply, Request, Turn
from softrail.processes import Process, ask
from softrail.processes.builtin.standup import Standup
from softrail.store import MemoryStore
from softrail.testing import FrozenClock
from tests import on_record
from tests.integration.api_server import ADA, BOB, Served, here, served, settings

LOOKS = {"Authorization": "Bearer sr_looks"}
PLAIN = {"Authorization": "Bearer sr_plain"}
UNKNOWN = "/nothing/of/that/kind"


@pytest.fixture
def server() -> Iterator[Served]:
    with served(processes=(Standup,)) as running:
        yield running


class Quiet(Process, name="quiet", version=1):
    """Asks for what nobody is to see."""

    starts_on = ("keep a secret",)

    class Answers(BaseModel):
        """What is asked."""

        word: str = ask("Which word?", shown=False)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


def keyed(server: Served) -> str:
    """A session of Ada's; and two keys of Bob's, of which one may look."""
    portal, store = server.client.portal, server.dispatcher.store
    assert portal is not None

    async def made() -> str:
        ada = await store.ensure_person("ada@example.org", id="ada", at=now())
        bob = await store.ensure_person("bob@example.org", id="bob", at=now())
        rights: dict[str, tuple[Right, ...]] = {"looks": (Right.INSPECT,), "plain": ()}
        for name, given in rights.items():
            key = hash_key(f"sr_{name}")
            await store.add_key(
                AccessKey(id=name, person_id=bob.id, name=name, hash=key, created_at=now(), rights=given)
            )
        said = await server.dispatcher.converse(Request(message="start the standup"), ada)
        return Reply.model_validate_json(said).session_id

    return portal.call(made)


def paths(session: str) -> list[tuple[str, str]]:
    return [
        ("GET", "/inspect"),
        ("GET", f"/inspect/{session}"),
        ("GET", "/inspect/sessions"),
        ("GET", "/inspect/sessions?limit=none"),
        ("GET", f"/inspect/sessions/{session}"),
        ("GET", f"/inspect/sessions/{session}/talk"),
        ("PUT", "/inspect/sessions"),
        ("GET", "/inspect/"),
        ("POST", "/inspect/sandboxes"),
        ("POST", "/inspect/sandboxes/x/say"),
        ("POST", "/inspect/sandboxes/x/advance"),
        ("DELETE", "/inspect/sandboxes/x"),
    ]


def test_a_turn_is_told_with_everything_that_led_to_it(server: Served) -> None:
    first = server.client.post("/converse", json={"message": "start the standup"}, headers=ADA).json()
    session = first["session_id"]
    for said in ("fixed the login bug", "ship v2"):
        server.client.post("/converse", json={"message": said, "session_id": session}, headers=ADA)

    told = server.client.get(f"/inspect/sessions/{session}", headers=BOB).json()

    assert told["person"]["email"] == "ada@example.org"
    assert [turn["request"]["message"] for turn in told["turns"]] == [
        "start the standup",
        "fixed the login bug",
        "ship v2",
    ]
    second = told["turns"][1]
    assert second["decision"]["owner"] == "standup"
    assert all(gate["outcome"] and gate["ms"] is not None for gate in second["decision"]["gates"][1:])
    [data] = second["data"]
    assert data["before"] == {}
    assert data["after"]["answers"]["yesterday"] == ["fixed the login bug"]
    assert told["turns"][2]["data"][0]["before"] == data["after"]
    assert second["reply"]["process"]["step"] == "gathering_today"
    assert [move["trigger"] for move in told["processes"][0]["transitions"]] == ["start"]
    assert told["sandboxes"] is True
    page = server.client.get(f"/inspect/sessions/{session}?limit=1", headers=BOB).json()
    assert [turn["seq"] for turn in page["turns"]] == [5]
    page = server.client.get(f"/inspect/sessions/{session}?limit=1&before={page['next']}", headers=BOB).json()
    assert [turn["seq"] for turn in page["turns"]] == [3]


def test_what_a_language_model_did_and_what_went_wrong_is_told_with_its_texts() -> None:
    with served(**on_record.parts()) as server:
        session = None
        for words in on_record.SAID:
            session = server.say(words, session)["session_id"]
        told = server.client.get(f"/inspect/sessions/{session}").json()
        fine = server.say("start the standup")["session_id"]
        [found] = server.client.get("/inspect/sessions?trouble=true").json()["items"]

    standup, left, rain, away, _, telling, broken = [turn["decision"] for turn in told["turns"]]
    assert (found["id"], found["trouble"]) == (session, True)
    assert session != fine
    likeliest, *others = standup["candidates"]
    assert (likeliest["intent"], likeliest["example"]) == ("start_standup", "let's do my standup")
    assert all(one["confidence"] < likeliest["confidence"] for one in others)
    assert left["heard"][0]["read"] == [{"act": "pause", "layer": "exact", "likely": 1.0, "needs": 0.0}]
    assert all(one["needs"] > 0 for one in telling["heard"][0]["read"])
    [answered], [failed] = rain["model_calls"], away["model_calls"]
    assert (answered["input_tokens"], answered["output_tokens"], answered["cost_usd"]) == (1234, 7, "0.0021")
    assert answered["milliseconds"] is not None
    assert (failed["ok"], failed["error"]) == (False, "The model is away.")
    [asked], [excused] = rain["prompts"], away["prompts"]
    assert asked.startswith("responder/respond@")
    assert told["texts"][asked].startswith("You are the assistant of this product.")
    assert told["texts"][excused] == told["turns"][3]["reply"]["companion_message"]
    assert telling["caught"] == ["engagement"]
    assert "the kettle is empty" in broken["trouble"]


def test_what_is_archived_is_told_like_everything_else(server: Served) -> None:
    session = server.client.post("/converse", json={"message": "start the standup"}, headers=ADA).json()[
        "session_id"
    ]
    server.client.post("/converse", json={"message": "fixed it", "session_id": session}, headers=ADA)
    before = server.client.get(f"/inspect/sessions/{session}").json()
    portal = server.client.portal
    assert portal is not None
    portal.call(server.dispatcher.store.archive, session, now() + timedelta(days=1))

    assert server.client.get(f"/inspect/sessions/{session}").json() == before


def test_sessions_are_found_by_person_process_state_and_words(server: Served) -> None:
    adas = server.client.post("/converse", json={"message": "start the standup"}, headers=ADA).json()[
        "session_id"
    ]
    bobs = server.client.post("/converse", json={"message": "50% off, is it?"}, headers=BOB).json()[
        "session_id"
    ]

    def found(query: str = "") -> list[str]:
        answer = server.client.get(f"/inspect/sessions?{query}")
        assert answer.status_code == 200, answer.text
        return [one["id"] for one in answer.json()["items"]]

    assert found() == [bobs, adas]
    assert found("person=ADA@") == [adas]
    assert found("process=standup&state=active") == [adas]
    assert found("state=suspended") == []
    assert found("text=50%25+off") == [bobs]
    assert found("text=5_%25") == []
    assert found("trouble=true") == []
    first = server.client.get("/inspect/sessions?limit=1").json()
    assert found(f"before={first['next']}") == [adas]
    assert server.client.get("/inspect/sessions?before=nobody").status_code == 422


def test_whoever_may_not_look_finds_nothing_there() -> None:
    with served(processes=(Standup,)) as server:
        session = keyed(server)
        for headers in (
            {},
            PLAIN,
            {"Authorization": "Bearer wrong"},
            {"Origin": "https://evil.example", **PLAIN},
        ):
            for method, path in paths(session):
                unknown = server.client.request(method, UNKNOWN, headers=headers)
                answer = server.client.request(method, path, headers=headers)
                assert (answer.status_code, answer.content) == (404, unknown.content), (method, path, headers)
                assert answer.headers == unknown.headers, (method, path, headers)


def test_a_key_with_the_right_looks_into_everything_but_opens_no_sandbox(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with served(processes=(Standup,)) as server:
        session = keyed(server)
        with caplog.at_level(logging.INFO, "softrail.api.inspect"):
            told = server.client.get(f"/inspect/sessions/{session}", headers=LOOKS)

        assert told.status_code == 200
        assert told.json()["sandboxes"] is False
        [line] = caplog.messages
        assert line == f"inspected session={session} of={told.json()['person']['id']} by=bob"
        assert server.client.get("/inspect", headers=LOOKS).status_code == 200
        assert server.client.get("/inspect/sessions/nobody", headers=LOOKS).status_code == 404
        for path in ("/inspect/sandboxes", "/inspect/sandboxes/x/say"):
            assert server.client.post(path, json={"session_id": session}, headers=LOOKS).status_code == 404
        assert (
            server.client.get("/sessions", headers=LOOKS).json()["items"] == []
        )  # what is theirs stays theirs


def test_every_route_of_the_inspector_is_among_those_that_are_asked_for(server: Served) -> None:
    asked = {(method, path.partition("?")[0]) for method, path in paths("{session_id}")}
    told = server.client.get("/openapi.json").json()["paths"]
    there = {
        (m.upper(), path)
        for path, ways in told.items()
        for m, way in ways.items()
        if way["tags"] == ["Inspector"]
    }

    assert there <= {(method, path.replace("/x", "/{sandbox_id}")) for method, path in asked}


def test_another_machine_finds_nothing_in_local_mode(server: Served) -> None:
    unknown = server.client.get(UNKNOWN)
    for header in ({"X-Forwarded-For": "10.0.0.9"}, {"Origin": "https://evil.example"}):
        answer = server.client.get("/inspect/sessions", headers=header)
        assert (answer.status_code, answer.content) == (404, unknown.content)


def test_a_page_of_another_origin_opens_nothing(server: Served) -> None:
    answer = server.client.post(
        "/inspect/sandboxes", json={"session_id": "x"}, headers={"Sec-Fetch-Site": "cross-site"}
    )

    assert answer.status_code == 403


@pytest.mark.parametrize("web", ["chat", "none"])
def test_the_page_can_be_switched_off_and_the_routes_stay(web: Any) -> None:
    with served(chosen=settings(web=web)) as server:
        unknown = server.client.get(UNKNOWN)
        for path in ("/inspect", "/inspect/x"):
            assert server.client.get(path).content == unknown.content
        assert server.client.get("/ui/x/inspect/inspect.js").status_code == 404
        assert server.client.get("/inspect/sessions").status_code == 200


def test_an_application_of_ones_own_says_who_may() -> None:
    async def identity() -> str:
        return "ada@example.org"

    async def boss(x_team: Annotated[str, Header()] = "") -> str | None:
        if x_team == "unsure":
            raise HTTPException(403)
        return "boss@example.org" if x_team == "support" else None

    app = FastAPI()
    dispatcher = build(settings(), store=MemoryStore(), processes=[Standup], discover=False)
    app.include_router(create_router(dispatcher, identity=identity, inspector=boss), prefix="/talk")
    with here(app) as client:
        session = client.post("/talk/converse", json={"message": "hello"}).json()["session_id"]
        may = {"X-Team": "support"}
        assert client.get("/talk/inspect", headers=may).status_code == 200
        assert client.get(f"/talk/inspect/sessions/{session}", headers=may).json()["sandboxes"] is False
        for headers in ({}, {"X-Team": "unsure"}):
            for method, path in paths(session):
                unknown = client.request(method, "/talk/nothing", headers=headers)
                answer = client.request(method, f"/talk{path}", headers=headers)
                assert (answer.status_code, answer.content) == (404, unknown.content), (method, path)
        assert (
            client.post("/talk/inspect/sandboxes", json={"session_id": session}, headers=may).status_code
            == 404
        )
    app = FastAPI()
    app.include_router(create_router(dispatcher, identity=identity))
    with here(app) as client:
        assert client.get("/inspect/sessions").json() == {"detail": "Not Found"}


def test_a_conversation_is_exported_tried_and_goes_on(server: Served) -> None:
    def said(words: str, session: str | None = None) -> Any:
        body = {"message": words, **({"session_id": session} if session else {})}
        return server.client.post("/converse", json=body, headers=ADA).json()

    with FrozenClock().installed() as clock:
        first = said("start the standup")
        session = first["session_id"]
        clock.advance(seconds=2)
        second = said("- fixed the login bug\n- read the mail", session)
        clock.advance(minutes=1)
        said("CANCEL", session)

        text = server.client.get(f"/inspect/sessions/{session}/talk")
        assert text.headers["content-type"] == "text/plain; charset=utf-8"
        assert (
            "\nwait: 2 seconds\n\nperson: - fixed the login bug\n| - read the mail\nus: Yesterday:"
            in text.text
        )

        opened = server.client.post(
            "/inspect/sandboxes", json={"session_id": session, "until": second["turn_id"]}
        )
        assert opened.status_code == 201, opened.text
        sandbox = opened.json()
        assert (sandbox["session_id"], sandbox["differences"], sandbox["lacks"]) == (session, [], [])
        assert sandbox["now"] == "2026-03-02T09:00:02Z"
        place = f"/inspect/sandboxes/{sandbox['id']}"
        tried = server.client.post(f"{place}/say", json={"message": "ship v2"}).json()
        assert tried["reply"]["process"]["step"] == "gathering_blockers"
        assert tried["decision"]["owner"] == "standup"
        passed = server.client.post(f"{place}/advance", json={"seconds": 31 * 60}).json()
        assert passed == {"now": "2026-03-02T09:31:02Z", "suspended": 1, "expired": 0, "defaulted": 0}
        assert server.client.post(f"{place}/advance", json={"seconds": -1}).status_code == 422
        assert server.client.delete(place).status_code == 204
        assert server.client.delete(place).status_code == 404

        after = server.client.get(f"/sessions/{session}", headers=ADA).json()
        assert after["suspended"][0]["step"] == "gathering_today"
        assert len(server.client.get(f"/sessions/{session}/turns", headers=ADA).json()["items"]) == 6
        unusable = server.client.post(
            "/inspect/sandboxes", json={"session_id": session, "until": "never said"}
        )
        assert unusable.json()["error"]["code"] == "bad_request"


def test_sandboxes_end_with_the_server() -> None:
    def beating() -> int:
        return sum(thread.name == "softrail-beat" for thread in threading.enumerate())

    before = beating()
    with served(processes=(Standup,), chosen=settings(accept_after=0.0)) as server:
        session = server.client.post("/converse", json={"message": "start the standup"}).json()["session_id"]
        assert server.client.post("/inspect/sandboxes", json={"session_id": session}).status_code == 201
        assert beating() > before

    assert beating() == before


def test_what_nobody_is_to_see_is_not_shown_to_inspectors_either() -> None:
    with served(processes=(Quiet,)) as server:
        session = server.say("keep a secret")["session_id"]
        server.say("swordfish", session)

        told = server.client.get(f"/inspect/sessions/{session}")
        text = server.client.get(f"/inspect/sessions/{session}/talk").text

    assert "swordfish" not in told.text
    assert told.json()["turns"][1]["hidden"] is True
    assert "swordfish" not in text
    assert "# What was said here is not shown." in text
