"""The person who asks: what they may change, take away and erase."""

import time
from collections.abc import Iterator
from datetime import timedelta

import pytest
from pydantic import BaseModel

from softrail import Assign, Done, Process, Turn, ask, step
from softrail.core.outcomes import Outcome
from tests.integration.api_server import ADA, BOB, START, Served, served


@pytest.fixture
def server() -> Iterator[Served]:
    with served() as running:
        yield running


def test_a_change_is_kept_and_seen_on_the_very_next_turn(server: Served) -> None:
    server.say("hello")
    change = {"display_name": " Ada ", "timezone": "Europe/Berlin", "locale": "en-GB"}

    changed = server.client.patch("/me", json=change, headers=ADA).json()

    assert (changed["display_name"], changed["timezone"], changed["locale"]) == (
        "Ada",
        "Europe/Berlin",
        "en-GB",
    )
    assert server.client.get("/me", headers=ADA).json() == changed
    assert "Ada" in server.say("hello")["companion_message"]


def test_without_a_model_nothing_is_used_and_no_key_is_set(server: Served) -> None:
    server.say("hello")

    me = server.client.get("/me", headers=ADA).json()

    assert me["model_key"] == "none"
    assert me["model_use"] == {"tokens": 0, "limit": None, "own_tokens": 0, "cost_usd": "0"}


def test_what_is_left_out_stays(server: Served) -> None:
    server.client.patch("/me", json={"display_name": "Ada", "timezone": "Asia/Tokyo"}, headers=ADA)

    server.client.patch("/me", json={"display_name": None}, headers=ADA)

    me = server.client.get("/me", headers=ADA).json()
    assert (me["display_name"], me["timezone"]) == (None, "Asia/Tokyo")


def test_an_unknown_zone_is_utc_and_an_unknown_language_english(server: Served) -> None:
    for zone in ("Mars/Olympus", "../../etc/passwd", "/etc/localtime", "a\0b", ""):
        me = server.client.patch("/me", json={"timezone": zone, "locale": "!!"}, headers=ADA).json()
        assert (me["timezone"], me["locale"]) == ("UTC", "en")


@pytest.mark.parametrize(
    "change",
    [
        {"email": "bob@example.org"},
        {"id": "x"},
        {"display_name": "a\nb"},
        {"display_name": "x" * 101},
        {"display_name": 7},
        [],
    ],
)
def test_nothing_else_can_be_changed(server: Served, change: object) -> None:
    assert server.client.patch("/me", json=change, headers=ADA).status_code == 422


def test_the_export_holds_everything_of_the_person_and_nothing_of_others(server: Served) -> None:
    session_id = server.say(START, turn_id="t1")["session_id"]
    server.say("fixed login", session_id)
    server.client.post("/converse", json={"message": "my secret"}, headers=BOB)

    response = server.client.get("/me/export", headers=ADA)

    export = response.json()
    assert export["person"]["email"] == "ada@example.org"
    [session] = export["sessions"]
    assert [t["content"] for t in session["turns"] if t["role"] == "operator"] == [START, "fixed login"]
    assert session["decisions"][0]["turn_id"] == "t1"
    assert [p["name"] for p in session["processes"]] == ["check_in"]
    assert "my secret" not in response.text


def test_who_erases_themselves_is_gone_and_may_come_back_as_someone_new(server: Served) -> None:
    session_id = server.say(START)["session_id"]
    before = server.client.get("/me", headers=ADA).json()["id"]

    assert server.client.delete("/me", headers=ADA).status_code == 204

    assert server.client.get(f"/sessions/{session_id}", headers=ADA).status_code == 404
    after = server.client.get("/me", headers=ADA).json()
    assert after["id"] != before
    assert server.client.get("/me/export", headers=ADA).json()["sessions"] == []


class Answerless(BaseModel):
    """Nothing is kept."""


class Deciding(Process, name="approve_leave", confirm=False):
    """Decides about days off."""

    class Answers(BaseModel):
        agreed: bool = ask("Do you agree?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.", value=answers.agreed)


class Leave(Process, name="leave"):
    """Days off."""

    starts_on = ("a day off",)

    @step(goes_to=("decided",))
    async def begin(self, said: Turn, data: Answerless) -> Outcome:
        return Assign("approve_leave", to="bob@example.org", then="decided", until=timedelta(days=1))

    @step()
    async def decided(self, said: Turn, data: Answerless) -> Outcome:
        return Done("Decided.")


def test_what_others_ask_of_me_is_listed_and_opened_by_its_message() -> None:
    with served(processes=(Leave, Deciding)) as server:
        session = server.client.post("/converse", json={"message": "hi"}, headers=BOB).json()["session_id"]
        server.say("a day off")
        limit = time.monotonic() + 20
        while not (found := server.client.get("/me/questions", headers=BOB).json()["items"]):
            assert time.monotonic() < limit, "nothing was asked"
        [one] = found

        assert (one["process"], one["state"], one["session_id"]) == ("approve_leave", "offered", session)
        assert one["prompt"] == "ada@example.org asks you for the approve leave. Shall we do it now?"
        assert one["until"] is not None
        assert server.client.get("/me/questions", headers=ADA).json() == {"items": []}

        opened = server.client.post("/converse", json={"message": one["message"]}, headers=BOB).json()

        assert opened["companion_message"] == "Do you agree?"
        [now] = server.client.get("/me/questions", headers=BOB).json()["items"]
        assert (now["state"], now["prompt"]) == ("active", "Do you agree?")
        assert now["session_id"] == opened["session_id"] != session
        body = {"message": "yes", "session_id": opened["session_id"]}
        assert (
            server.client.post("/converse", json=body, headers=BOB).json()["process"]["state"] == "completed"
        )
        assert server.client.get("/me/questions", headers=BOB).json() == {"items": []}
