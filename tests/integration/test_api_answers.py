"""`answers` of `POST /converse`: which question a turn answers."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, field_validator, model_validator

from softrail import Done, Process, Turn, Wrong, ask, check
from softrail.core.turns import Request
from softrail.processes import NotUsable
from softrail.store import MemoryStore, open_store
from tests.integration.api_server import ADA, BOB, START, Served, served


def a_ticket(words: str) -> list[str]:
    """What is given comes as words to a reader of one's own."""
    found: list[str] = json.loads(words)
    if not all(one.startswith("T-") for one in found):
        raise ValueError("A ticket begins with T-.")
    return found


class Booking(Process, name="booking", version=1):
    """A table, with every way in which an answer may be refused."""

    starts_on = ("book a table",)
    confirm = False

    class Answers(BaseModel):
        """What is asked."""

        guests: int = ask("For how many?", ge=1, le=8)
        day: date = ask("When?")
        place: Literal["window", "wall"] = ask("Where?")
        tickets: list[str] = ask("Which tickets?", read=a_ticket, min_length=1)
        name: str = ask("In whose name?", max_length=20, pattern="^[A-Z]")

        @field_validator("name")
        @classmethod
        def no_joke(cls, name: str) -> str:
            if name == "Nobody":
                raise ValueError("Nobody cannot come.")
            return name

        @model_validator(mode="after")
        def rooms(self) -> "Booking.Answers":
            if self.place == "window" and self.name == "Eight":
                raise NotUsable("name", "The window is too small for them.")
            return self

    @check("guests")
    async def seats(self, answers: Answers, turn: Turn) -> Wrong | None:
        return Wrong("guests", "Seven is one too many.") if answers.guests == 7 else None

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"Booked for {answers.guests}.")


@pytest.fixture(params=["memory", "a file"])
def booking(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
    url = f"sqlite:///{tmp_path / 'bookings.db'}"
    store = MemoryStore() if request.param == "memory" else open_store(url, durability="normal")
    with served(store=store, processes=[Booking]) as running:
        yield running


def begun(server: Served, *values: Any) -> dict[str, Any]:
    """What every further turn of a booking has, after those values were taken."""
    said = server.say("book a table")
    for value in values:
        said = server.say("…", said["session_id"], answers=said["pending"]["id"], value=value)
    return {"session_id": said["session_id"], "answers": said["pending"]["id"]}


def refused(server: Served, **body: Any) -> dict[str, Any]:
    """The only field that a turn is refused for."""
    response = server.client.post("/converse", json=body, headers=ADA)
    assert response.status_code == 422, response.text
    error = response.json()["error"]
    assert error["code"] == "bad_request"
    [field] = error["details"]["fields"]
    assert error["message"] == f"The field {field['field']!r} is not usable: {field['reason']}"
    return dict(field)


@pytest.fixture
def server() -> Iterator[Served]:
    with served() as running:
        yield running


def test_a_reply_and_its_session_name_the_open_question_alike(server: Served) -> None:
    asked = server.say(START)

    session = server.client.get(f"/sessions/{asked['session_id']}", headers=ADA).json()

    assert asked["pending"]["id"]
    assert session["pending"] == asked["pending"]


def test_an_old_question_is_answered_with_200_and_the_open_one(server: Served) -> None:
    first = server.say(START)
    here = first["session_id"]
    open_now = server.say("the login", here, answers=first["pending"]["id"])["pending"]
    assert open_now["id"] != first["pending"]["id"]

    reply = server.say("the logout", here, answers=first["pending"]["id"], turn_id="late")

    assert "no longer open" in reply["companion_message"]
    assert open_now["prompt"] in reply["companion_message"]
    assert reply["pending"] == open_now
    decision = server.client.get(f"/sessions/{here}/decisions/late", headers=ADA).json()
    assert {"question": "stale"}.items() <= {g["gate"]: g["outcome"] for g in decision["gates"]}.items()


def test_a_turn_id_holds_for_one_answered_question(server: Served) -> None:
    first = server.say(START)
    body = {"message": "the login", "session_id": first["session_id"], "turn_id": "t1"}
    kept = server.say(**body, answers=first["pending"]["id"])

    assert server.say(**body, answers=first["pending"]["id"]) == kept
    other = server.client.post("/converse", json=body, headers=ADA)
    assert (other.status_code, other.json()["error"]["code"]) == (422, "turn_reused")


@pytest.mark.parametrize("answers", ["", "  ", "x" * 129, "\n", 7])
def test_what_cannot_be_an_id_of_a_question_is_refused(server: Served, answers: object) -> None:
    response = server.client.post("/converse", json={"message": "yes", "answers": answers}, headers=ADA)

    assert response.status_code == 422
    assert response.json()["error"]["details"]["fields"][0]["field"] == "answers"


def test_a_value_is_checked_against_the_schema_that_the_question_shows(server: Served) -> None:
    first = server.say(START)
    here, pending = first["session_id"], first["pending"]
    assert pending["schema"]["type"] == "array"

    field = refused(server, session_id=here, answers=pending["id"], value=["the login", 7])
    assert field == {"field": "value.1", "reason": "I need text here."}
    taken = server.say("…", here, answers=pending["id"], value=["the login", "the logout"])

    assert taken["pending"]["prompt"] == "What is next?"


@pytest.mark.parametrize("route", ["/converse", "/converse/stream"])
def test_nothing_is_said_by_a_value_that_does_not_fit(booking: Served, route: str) -> None:
    body = {**begun(booking), "turn_id": "mine"}
    session = f"/sessions/{body['session_id']}"
    before = [booking.client.get(f"{session}{more}", headers=ADA).json() for more in ("", "/turns")]

    response = booking.client.post(route, json={**body, "value": "four", "message": "stop"}, headers=ADA)

    assert (response.status_code, response.headers["content-type"]) == (422, "application/json")
    fields = response.json()["error"]["details"]["fields"]
    assert fields == [{"field": "value", "reason": "I need a whole number."}]
    assert [booking.client.get(f"{session}{more}", headers=ADA).json() for more in ("", "/turns")] == before
    assert booking.client.get(f"{session}/decisions/mine", headers=ADA).status_code == 404
    taken = booking.client.post("/converse", json={**body, "value": 4}, headers=ADA)
    assert (taken.json()["turn_id"], taken.json()["pending"]["prompt"]) == ("mine", "When?")
    assert booking.client.post("/converse", json={**body, "value": 4}, headers=ADA).content == taken.content


def test_every_way_not_to_fit_has_its_sentence(booking: Served) -> None:
    body = begun(booking)
    for taken, wrong in {
        4: ((9, "It must be at most 8."), (0, "It must be at least 1."), (True, "I need a whole number.")),
        "2026-03-09": (("tomorrow", "I need a date, like “tomorrow”, “next Friday” or 2026-03-01."),),
        "wall": (("roof", "Please choose one of these: window, wall."), (3, "I need text here.")),
        ("T-1",): (([], "That is not enough: at least 1, please."), ("T-1", "I need a list here.")),
        "Ada": (
            ("ada", "That does not have the form I need."),
            ("A" * 21, "That is too long: at most 20 characters, please."),
        ),
    }.items():
        for value, reason in wrong:
            assert refused(booking, **body, value=value) == {"field": "value", "reason": reason}
        reply = booking.client.post("/converse", json={**body, "value": taken}, headers=ADA).json()
        body["answers"] = (reply["pending"] or {}).get("id")

    assert reply["companion_message"] == "Booked for 4."


@pytest.mark.parametrize(
    ("before", "value", "reason"),
    [
        ((), 7, "Seven is one too many."),
        ((4, "2026-03-09", "wall"), ["T-1", "X"], "A ticket begins with T-."),
        ((4, "2026-03-09", "wall", ["T-1"]), "Nobody", "Nobody cannot come."),
        ((8, "2026-03-09", "window", ["T-1"]), "Eight", "The window is too small for them."),
    ],
)
def test_what_no_schema_can_say_is_asked_again_with_the_reason(
    booking: Served, before: tuple[Any, ...], value: Any, reason: str
) -> None:
    body = begun(booking, *before)

    said = booking.say("…", **body, value=value)

    assert said["companion_message"].startswith(reason)
    assert said["pending"]["id"] != body["answers"]


def test_a_question_that_is_closed_is_told_so_whatever_the_value_is(booking: Served) -> None:
    body = begun(booking)
    booking.say("4", body["session_id"])

    said = booking.say("…", **body, value="four")

    assert said["companion_message"].startswith("That question is no longer open")


def test_the_question_of_somebody_else_is_not_there_whatever_the_value_is(booking: Served) -> None:
    body = begun(booking)

    for value in (4, "four"):
        response = booking.client.post("/converse", json={**body, "value": value}, headers=BOB)
        assert (response.status_code, response.json()["error"]["code"]) == (404, "not_found")


def test_the_interface_is_described_with_that_refusal(server: Served) -> None:
    paths = server.client.get("/openapi.json", headers=ADA).json()["paths"]

    for path in ("/converse", "/converse/stream"):
        told = paths[path]["post"]["responses"]["422"]
        assert "details.fields" in told["description"]
        assert told["content"]["application/json"]["schema"]["$ref"].endswith("/ErrorBody")


@pytest.mark.parametrize("also", [{}, {"answers": None}])
def test_a_value_alone_is_refused(server: Served, also: dict[str, object]) -> None:
    response = server.client.post("/converse", json={"message": "x", "value": 1, **also}, headers=ADA)

    assert response.status_code == 422
    assert response.json()["error"]["details"]["fields"][0]["field"] == "value"


def test_a_request_without_it_has_the_hash_and_the_stored_form_it_always_had() -> None:
    plain = Request(message="hi", turn_id="t")

    assert plain.hash == "419672dd8134ee5b757c05e42d5ffd90e331169785d6d77d94ab2c0516227e67"
    assert "answers" not in plain.model_dump_json()
    assert Request(message="hi", answers="a:1").hash != plain.hash
