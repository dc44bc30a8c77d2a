"""Five steps, each parked in four ways: everybody goes on in the new version with what they said, as the command said before."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Ask, Done, Goto, Process, Turn, Wait, ask, step
from softrail.cli.migrating import tried
from softrail.store import MemoryStore, open_store
from softrail.testing import Conversation, FrozenClock, Said, conversation


class Seat(BaseModel):
    seat: str = ""


class Trip(Process, name="trip", version=1):
    """Where to, when, and on which seat, against money."""

    title = "the trip"
    starts_on = ("plan a trip",)

    class Answers(BaseModel):
        city: str = ask("Which city?")
        day: str = ask("Which day?")

    async def complete(self, answers: Answers, turn: Turn) -> Goto:
        return Goto("choose")

    @step(asks="Window or aisle?", options=("Window", "Aisle"), goes_to=("paid",))
    async def choose(self, said: Turn, data: Seat) -> Wait:
        return Wait(say="I am waiting for the money.", step="paid", data=Seat(seat=said.choice or ""))

    @step(on="payment")
    async def paid(self, said: Turn, data: Seat) -> Done:
        return Done(f"Bon voyage, at the {data.seat}.")


class TripOfMany(Trip, name="trip", version=2):
    """Wants to know how many, too; whoever had agreed already travels alone."""

    on_new_version = "migrate"

    class Answers(Trip.Answers):
        people: int = ask("How many of you?", gt=0)

    @classmethod
    def migrate(cls, data: dict[str, Any], *, from_version: int, step: str) -> tuple[dict[str, Any], str]:
        return ({**data, "people": 1} if step in ("choose", "paid") else data), step


SAID = ("plan a trip", "Oslo", "tomorrow", "yes", "window")
STEPS = ("gathering_city", "gathering_day", "confirming", "choose", "paid")
ANSWERS = {"gathering_city": "Oslo", "gathering_day": "tomorrow", "gathering_people": "3", "choose": "window"}
NEXT = {"confirming": "gathering_people"}  #: what was agreed to lacks an answer now
ASKED = {
    "gathering_city": "Which city?",
    "gathering_day": "Which day?",
    "confirming": "How many of you?",
    "choose": "Window or aisle?",
    "paid": "",
}


async def to_the_end(talk: Conversation, said: Said) -> Said:
    """Answer whatever is asked until it is complete."""
    for _ in range(len(SAID) + 2):
        if said.state == "completed":
            return said
        if said.step == "paid":
            said = await talk.signal("trip", "payment")
        elif said.step == "confirming":
            assert "- City: Oslo\n- Day: tomorrow\n- People: 3" in said.text
            said = await talk.say("yes")
        else:
            said = await talk.say(ANSWERS[said.step or ""])
    return said


@pytest.mark.parametrize("paused", [False, True], ids=["left open", "left alone for a day"])
@pytest.mark.parametrize("elsewhere", [False, True], ids=["same session", "another session"])
@pytest.mark.parametrize("at", STEPS)
async def test_everybody_goes_on_with_everything_kept(
    at: str, elsewhere: bool, paused: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOFTRAIL_READER", "exact")
    url = f"sqlite:///{tmp_path}/t.db"
    clock = FrozenClock()
    async with conversation(Trip, clock=clock, store=open_store(url)) as talk:
        for words in SAID[: STEPS.index(at) + 1]:
            said = await talk.say(words)
        assert said.step == at
        if paused:
            talk.advance(days=1)
            assert (await talk.sweep()).suspended == (at != "paid")  # what waits is in nobody's way
        person, session = talk.person, talk.session_id

    async with conversation(TripOfMany, clock=clock, store=open_store(url)) as talk:
        [row] = await tried(talk.dispatcher, "trip")
        talk.person, talk.session_id = person, None if elsewhere else session
        if elsewhere and not paused and at != "paid":
            assert "open in another conversation" in (await talk.say("hello")).text
            said = await talk.say("yes")
        elif at != "paid":
            said = await talk.say("resume the trip")
        else:
            said = await talk.signal("trip", "payment")  # what waits is not resumed: it is told
        heard = said.text
        ended = await to_the_end(talk, said)

    assert ended.text.lower() == "bon voyage, at the window."
    assert row["outcome"] == f"goes on at {NEXT.get(at, at)}"
    assert row["says"].endswith(ASKED[at])
    assert heard.endswith(ASKED[at])


class Seats(Process, name="seats", version=1):
    """A question that only an earlier step knows how to put."""

    starts_on = ("choose a seat",)

    @step(goes_to=("chosen",))
    async def look(self, said: Turn, data: Seat) -> Ask:
        return Ask("Which of these?", options=("1A", "2C"), step="chosen")

    @step()
    async def chosen(self, said: Turn, data: Seat) -> Done:
        return Done(f"{said.choice} is yours.")


class NewerSeats(Seats, name="seats", version=2):
    on_new_version = "migrate"

    @classmethod
    def migrate(cls, data: dict[str, Any], *, from_version: int, step: str) -> tuple[dict[str, Any], str]:
        return data, step


@pytest.mark.parametrize("words", ["resume", "tomorrow"], ids=["resumed", "no option"])
async def test_a_question_of_an_earlier_step_stays_with_its_options(words: str) -> None:
    store, clock = MemoryStore(), FrozenClock()
    async with conversation(Seats, clock=clock, store=store) as before:
        await before.say("choose a seat")
        if words == "resume":
            await before.say("stop")
        person, session = before.person, before.session_id
    async with conversation(NewerSeats, clock=clock, store=store) as talk:
        talk.person, talk.session_id = person, session
        [row] = await tried(talk.dispatcher, "seats")
        asked = await talk.say(words)

        assert row["says"].endswith("Which of these?")
        assert asked.text.endswith("Which of these?")
        assert (await talk.say("2C")).text == "2C is yours."
