"""The stream of a turn, and following a session."""

import asyncio
import contextlib
import json
from collections.abc import Iterator, Mapping

import httpx2
import pytest

from softrail.api import create_app
from softrail.api.parts import Parts
from softrail.api.routes.converse import Stream
from softrail.api.routes.live import Watch
from softrail.bootstrap import build
from softrail.core.clock import now
from softrail.core.people import Person
from softrail.core.turns import Request
from softrail.store import MemoryStore
from softrail.turns.running import RunningTurn, patience
from tests.integration.api_server import ADA, BOB, START, CheckIn, Served, events, served, settings


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served() as running:
        yield running


def stream(server: Served, body: Mapping[str, object], **headers: str) -> list[dict[str, str]]:
    response = server.client.post("/converse/stream", json=body, headers={**ADA, **headers})
    assert response.status_code == 200, response.text
    assert response.headers["content-type"].startswith("text/event-stream")
    return events(response.text)


def test_a_stream_begins_with_acceptance_and_ends_with_the_whole_reply(server: Served) -> None:
    told = stream(server, {"message": START, "turn_id": "s1"})

    assert told[0]["event"] == "turn.accepted"
    assert json.loads(told[0]["data"])["turn_id"] == "s1"
    assert "process.transition" in [event["event"] for event in told]
    assert told[-1]["event"] == "turn.committed"
    again = server.client.post("/converse", json={"message": START, "turn_id": "s1"}, headers=ADA)
    assert json.loads(told[-1]["data"]) == again.json()
    assert [int(event["id"]) for event in told] == list(range(1, len(told) + 1))


def test_without_a_turn_id_the_first_event_names_the_one_that_was_made(server: Served) -> None:
    told = stream(server, {"message": "hello"})

    made = json.loads(told[0]["data"])["turn_id"]
    assert json.loads(told[-1]["data"])["turn_id"] == made


def test_coming_back_gets_the_exact_rest_at_every_position(server: Served) -> None:
    body = {"message": START, "turn_id": "rest"}
    whole = stream(server, body)

    for position in range(1, len(whole) + 1):
        assert stream(server, body, **{"Last-Event-ID": str(position)}) == whole[position:]


def test_coming_back_on_another_worker_gets_the_committed_whole() -> None:
    store = MemoryStore()
    with served(store=store) as first:
        whole = stream(first, {"message": START, "turn_id": "moved"})
        with served(store=store) as second:
            told = stream(second, {"message": START, "turn_id": "moved"}, **{"Last-Event-ID": "2"})

            assert [event["event"] for event in told] == ["turn.committed"]
            assert told[0]["data"] == whole[-1]["data"]


def test_a_turn_answered_before_is_streamed_as_the_committed_whole(server: Served) -> None:
    reply = server.say("hello", turn_id="before")

    told = stream(server, {"message": "hello", "turn_id": "before"})

    assert told[-1]["event"] == "turn.committed"
    assert json.loads(told[-1]["data"]) == reply


def test_coming_back_without_naming_the_turn_is_refused(server: Served) -> None:
    response = server.client.post(
        "/converse/stream", json={"message": "hi"}, headers={**ADA, "Last-Event-ID": "3"}
    )

    assert response.status_code == 422
    assert "turn_id" in response.json()["error"]["message"]


def test_coming_back_with_another_body_gets_nothing_of_the_turn(server: Served) -> None:
    stream(server, {"message": START, "turn_id": "other"})

    response = server.client.post(
        "/converse/stream", json={"message": "x", "turn_id": "other"}, headers={**ADA, "Last-Event-ID": "1"}
    )

    assert response.status_code == 422
    assert response.json()["error"]["code"] == "turn_reused"


def test_coming_back_as_another_person_gets_nothing_of_the_turn(server: Served) -> None:
    reply = stream(server, {"message": START, "turn_id": "theirs"})[-1]
    session_id = json.loads(reply["data"])["session_id"]
    body = {"message": "next", "turn_id": "theirs2", "session_id": session_id}
    stream(server, body)

    response = server.client.post("/converse/stream", json=body, headers={**BOB, "Last-Event-ID": "1"})

    assert response.status_code == 404


def test_coming_back_after_the_session_was_erased_gets_nothing_of_the_turn(server: Served) -> None:
    session_id = server.say("hello")["session_id"]
    body = {"message": START, "turn_id": "erased", "session_id": session_id}
    stream(server, body)

    server.client.delete(f"/sessions/{session_id}", headers=ADA)

    response = server.client.post("/converse/stream", json=body, headers={**ADA, "Last-Event-ID": "1"})
    assert response.status_code == 404


@pytest.mark.parametrize("position", range(51))
async def test_a_stream_of_fifty_events_goes_on_at_every_position(position: int) -> None:
    run = RunningTurn(
        Request(message="hi", turn_id="t"),
        Person(id="p", email="p@x"),
        turn_id="t",
        session_id="s",
        opens=True,
        at=now(),
        streaming=True,
        escapes=False,
        patience=patience(1),
    )
    for n in range(49):
        run.emit("text.delta", {"text": f"{n}\n"})
    run.emit("turn.committed", {"turn_id": "t", "seq": 1})
    run.finish('{"turn_id":"t","seq":1}')

    told = [event async for event in Stream(run, position).events()]

    assert [event.id for event in told] == [str(n) for n in range(position + 1, 51)]
    if told:
        assert json.loads(told[-1].data)["seq"] == 1


async def test_a_client_that_leaves_does_not_stop_the_turn() -> None:
    chosen = settings()
    dispatcher = build(chosen, store=MemoryStore(), processes=[CheckIn], discover=False)
    app = create_app(dispatcher, chosen)
    async with dispatcher:
        sent: list[dict[str, object]] = []
        gone = asyncio.Event()

        async def receive() -> dict[str, object]:
            if not sent:
                sent.append({})
                body = json.dumps({"message": START, "turn_id": "left"}).encode()
                return {"type": "http.request", "body": body, "more_body": False}
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, object]) -> None:
            if message["type"] == "http.response.body":
                gone.set()
                raise OSError("the client is gone")

        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "method": "POST",
            "path": "/converse/stream",
            "raw_path": b"/converse/stream",
            "root_path": "",
            "scheme": "http",
            "query_string": b"",
            "http_version": "1.1",
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 2),
            "headers": [
                (b"host", b"localhost"),
                (b"content-type", b"application/json"),
                (b"x-softrail-person", b"ada@example.org"),
            ],
        }
        with contextlib.suppress(OSError):  # the server's own, which it raised itself
            await app(scope, receive, send)  # type: ignore[arg-type]  # a scope by hand
        assert gone.is_set()
        transport = httpx2.ASGITransport(app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
            reply = await client.post("/converse", json={"message": START, "turn_id": "left"}, headers=ADA)

        assert reply.json()["process"]["name"] == "check_in"
        assert reply.json()["seq"] == 1


async def test_following_a_session_tells_items_and_moves_as_they_are_committed() -> None:
    dispatcher = build(settings(), store=MemoryStore(), processes=[CheckIn], discover=False)
    async with dispatcher:
        person = await dispatcher.store.ensure_person("ada@example.org", id="ada", at=now())
        first = json.loads(await dispatcher.converse(Request(message="hello"), person))
        session_id = first["session_id"]

        async def nobody() -> Person:
            return person

        parts = Parts(dispatcher=dispatcher, asking=nobody, body_limit=1000, forget=lambda _: None)
        session = await dispatcher.store.session(person.id, session_id)
        assert session is not None
        watch = Watch(parts, person, session, after=1)
        await watch.begin()
        told: list[tuple[str, str | None]] = []
        enough = asyncio.Event()

        async def follow() -> None:
            async for event in watch.events():
                told.append((event.name, event.id))
                if len(told) == 4:
                    enough.set()

        following = asyncio.create_task(follow())
        await dispatcher.converse(Request(message=START, session_id=session_id), person)
        async with asyncio.timeout(10):
            await enough.wait()
        assert told == [("item", "2"), ("process.transition", None), ("item", "3"), ("item", "4")]

        await dispatcher.store.delete_session(person.id, session_id)
        dispatcher.notifier.changed(session_id)
        async with asyncio.timeout(10):
            await following
