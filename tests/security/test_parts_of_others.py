"""Two people and one part: each sees what their own process shows, and nothing of the other's, over any route."""

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from pydantic import BaseModel

from softrail import Ask, Assign, Done, Process, Turn, ask, step
from softrail.core.outcomes import Outcome
from tests.integration.api_server import Served, served
from tests.integration.companion_server import headers
from tests.security.kit import new_id
from tests.security.routes import GIVEN, Route, routes

SECRET, ANSWER, VERDICT = "my-back-aches", "only-between-us", "granted-with-joy"


class Nothing(BaseModel):
    why: str = ""


class Leave(Process, name="leave"):
    """Keeps why to itself."""

    starts_on = ("a day off",)

    @step(asks="Why?", goes_to=("decided",))
    async def why(self, said: Turn, data: Nothing) -> Outcome:
        return Assign("approve", to="boss@example.org", then="decided", data=Nothing(why=said.message))

    @step(goes_to=("end",))
    async def decided(self, said: Turn, data: Nothing) -> Outcome:
        assert said.result is not None
        return Ask(f"Heard: {said.result.value}.", step="end")

    @step()
    async def end(self, said: Turn, data: Nothing) -> Outcome:
        return Done("Good.")


class Approve(Process, name="approve", confirm=False):
    """Keeps what was noted, and gives a verdict."""

    class Answers(BaseModel):
        note: str = ask("A note for yourself?")
        verdict: str = ask("Your verdict?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.", value=answers.verdict)


class Place(NamedTuple):
    """A server on which Sam asks and the boss has begun."""

    server: Served
    ids: dict[str, dict[str, str]]  #: by person: their session and their instance


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with served(processes=(Leave, Approve)) as server:
        hello = say(server, "boss", "hello")
        say(server, "sam", "a day off")
        sams = say(server, "sam", SECRET, session_id=None)
        [part] = until(server, "boss")
        assert part["session_id"] == hello["session_id"]
        say(server, "boss", "yes", session_id=hello["session_id"])
        say(server, "boss", ANSWER, session_id=hello["session_id"])
        ids = {
            "sam": {"session_id": sams["session_id"], "instance_id": sams["process"]["instance_id"]},
            "boss": {"session_id": hello["session_id"], "instance_id": part["instance_id"]},
        }
        yield Place(server, ids)


LAST: dict[str, str] = {}


def say(server: Served, who: str, message: str, session_id: str | None = "new") -> Any:
    """One turn; `None` goes on in the session of the turn before."""
    body = {"message": message}
    if session_id != "new":
        body["session_id"] = session_id or LAST[who]
    answer = server.client.post("/converse", json=body, headers=headers(who))
    assert answer.status_code == 200, answer.text
    LAST[who] = answer.json()["session_id"]
    return answer.json()


def until(server: Served, who: str) -> Any:
    """What somebody is asked for, once it has reached them."""
    limit = time.monotonic() + 20
    while not (found := server.client.get("/me/questions", headers=headers(who)).json()["items"]):
        assert time.monotonic() < limit, "nothing was asked"
    return found


def told(response: Any) -> tuple[int, bytes, tuple[tuple[str, str], ...]]:
    seen = {k: v for k, v in response.headers.items() if k not in ("date", "x-request-id")}
    return response.status_code, response.content, tuple(sorted(seen.items()))


def send(place: Place, route: Route, who: str, ids: dict[str, str]) -> Any:
    path = route.path
    for name in route.places:
        path = path.replace(f"{{{name}}}", {**GIVEN, **ids}.get(name, new_id()))
    return place.server.client.request(route.method, path, headers=headers(who), **route.body)


WITH_IDS = [route for route in routes() if {"session_id", "instance_id"} & set(route.places)]


def test_the_routes_of_sessions_and_of_instances_are_among_them() -> None:
    assert {"session_id", "instance_id"} == {p for r in WITH_IDS for p in r.places} & {
        "session_id",
        "instance_id",
    }


@pytest.mark.parametrize(
    ("who", "whose"), [("sam", "boss"), ("boss", "sam"), ("eve", "sam"), ("eve", "boss")]
)
@pytest.mark.parametrize("route", [pytest.param(route, id=str(route)) for route in WITH_IDS])
def test_what_is_the_others_answers_like_what_does_not_exist(
    place: Place, route: Route, who: str, whose: str
) -> None:
    before = everything(place, whose)

    theirs = send(place, route, who, place.ids[whose])
    nowhere = send(place, route, who, {"session_id": new_id(), "instance_id": new_id()})

    assert theirs.status_code == 404
    assert told(theirs) == told(nowhere)
    assert everything(place, whose) == before


@pytest.mark.parametrize(
    ("who", "whose"), [("sam", "boss"), ("boss", "sam"), ("eve", "sam"), ("eve", "boss")]
)
@pytest.mark.parametrize("path", ["/converse", "/converse/stream"])
def test_nobody_speaks_in_the_others_session(place: Place, path: str, who: str, whose: str) -> None:
    before = everything(place, whose)

    answers = [
        place.server.client.post(path, json={"message": "yes", "session_id": session}, headers=headers(who))
        for session in (place.ids[whose]["session_id"], new_id())
    ]

    assert answers[0].status_code == 404
    assert told(answers[0]) == told(answers[1])
    assert everything(place, whose) == before


def everything(place: Place, who: str) -> str:
    """All that a person can read of themselves."""
    session = place.ids[who]["session_id"]
    paths = ("/me/questions", "/me/export", "/sessions", f"/sessions/{session}", f"/sessions/{session}/turns")
    return "\n".join(place.server.client.get(path, headers=headers(who)).text for path in paths)


@pytest.mark.parametrize(
    ("who", "whose", "hidden"), [("sam", "boss", ANSWER), ("boss", "sam", SECRET)], ids=["caller", "called"]
)
def test_each_reads_only_what_their_own_process_shows(
    place: Place, who: str, whose: str, hidden: str
) -> None:
    seen = everything(place, who)

    assert hidden in everything(place, whose), "it is there"
    for theirs in (hidden, *place.ids[whose].values()):
        assert theirs not in seen


def test_nobody_else_is_asked_and_whoever_asks_cannot_answer(place: Place) -> None:
    for who in ("sam", "eve"):
        assert place.server.client.get("/me/questions", headers=headers(who)).json() == {"items": []}
    own = f"/instances/{place.ids['sam']['instance_id']}/signals"
    for name in ("approve", "result", "assignment_result"):
        body = {"name": name, "key": f"k-{name}", "data": {"value": VERDICT}}
        forged = place.server.client.post(own, json=body, headers=headers("sam"))
        assert forged.status_code == 422
        assert VERDICT not in everything(place, "sam")


def test_at_the_end_whoever_asked_gets_the_value_and_nothing_else(place: Place) -> None:
    say(place.server, "boss", VERDICT, session_id=place.ids["boss"]["session_id"])
    limit = time.monotonic() + 20
    while VERDICT not in (seen := everything(place, "sam")):
        assert time.monotonic() < limit, "nothing came back"

    assert ANSWER not in seen
    assert place.ids["boss"]["session_id"] not in seen
    assert place.ids["boss"]["instance_id"] not in seen
