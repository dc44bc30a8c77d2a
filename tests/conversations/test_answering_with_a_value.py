"""An answer may come as JSON beside its words: it is checked like what a person says, and means nothing else."""

import json
from datetime import date
from enum import Enum
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.core.border import checked
from softrail.core.errors import BadRequest
from softrail.core.turns import Request
from softrail.testing import Conversation, FrozenClock, Said, conversation


def a_ticket(words: str) -> str:
    if not words.startswith("T-"):
        raise ValueError("A ticket begins with T-.")
    return words


class Booking(Process, name="booking", version=1):
    """A table."""

    starts_on = ("book a table",)
    confirm = False

    class Answers(BaseModel):
        guests: int = ask("For how many?", ge=1, le=8)
        day: date = ask("When?")
        place: Literal["window", "wall"] = ask("Where?")
        outside: bool = ask("Outside?")
        wishes: list[str] = ask("Any wishes?")
        note: str = ask("What shall we write on it?")
        ticket: str = ask("Which ticket?", read=a_ticket)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Booked.", effects=[Record("booking", answers)])


class Form:
    """A client that sends values."""

    def __init__(self, talk: Conversation, said: Said) -> None:
        self.talk = talk
        self.said = said

    async def send(self, value: Any, message: str = "…!") -> Said:
        self.said = await self.talk.say(message, answers=self.said.question_id, value=value)
        return self.said


async def test_every_form_of_answer_is_taken_as_it_is(frozen: FrozenClock) -> None:
    async with conversation(Booking, clock=frozen) as talk:
        form = Form(talk, await talk.say("book a table"))
        for value in (4, "2026-03-09", "wall", False, ["quiet", "no stairs"], "stop", "T-1"):
            said = await form.send(value)

        assert said.text == "Booked."
        assert await talk.records("booking") == [
            {
                "guests": 4,
                "day": "2026-03-09",
                "place": "wall",
                "outside": False,
                "wishes": ["quiet", "no stairs"],
                "note": "stop",
                "ticket": "T-1",
            }
        ]


async def test_what_does_not_fit_is_asked_again_with_the_reason(frozen: FrozenClock) -> None:
    async with conversation(Booking, clock=frozen) as talk:
        form = Form(talk, await talk.say("book a table"))
        for value, reason in ((9, "8"), ("four", "integer"), ({"n": 4}, "integer"), (True, "integer")):
            said = await form.send(value)
            assert reason in said.text, value
            assert said.text.endswith("For how many?")
            assert said.step == "gathering_guests"
        await form.send(4)
        assert (await form.send("tomorrow")).text.endswith("When?")
        await form.send("2026-03-09")

        said = await form.send("roof")

        assert said.text.endswith("Where?")
        for fine in ("wall", False, ["quiet"], "x"):
            await form.send(fine)
        assert (await form.send("7")).text == "A ticket begins with T-.\n\nWhich ticket?"


async def test_a_value_for_an_old_question_is_not_kept(frozen: FrozenClock) -> None:
    async with conversation(Booking, clock=frozen) as talk:
        first = await talk.say("book a table")
        await talk.say("4", answers=first.question_id)

        said = await talk.say("5", answers=first.question_id, value=5)

        assert said.text.startswith("That question is no longer open")
        assert said.step == "gathering_day"


class Shown(Process, name="shown", version=1):
    """Shows what it has."""

    starts_on = ("show it",)

    class Answers(BaseModel):
        word: str = ask("Which word?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


async def test_a_question_without_a_schema_takes_no_value(frozen: FrozenClock) -> None:
    async with conversation(Shown, clock=frozen) as talk:
        await talk.say("show it")
        asked = await talk.say("alder")
        assert asked.pending == "confirm"

        said = await talk.say("yes", answers=asked.question_id, value=True)

        assert said.text.startswith("That question takes words, or one of its options, and no value.")
        assert (said.pending, said.question_id) == ("confirm", asked.question_id)


class Size(Enum):
    """How large."""

    SMALL = "S"
    LARGE = "L"


class Place(BaseModel):
    """Where something stands."""

    row: int


def sizes(words: str) -> list[str]:
    """What a form chose comes as JSON to a reader of one's own."""
    found: list[str] = json.loads(words)
    return found


def a_place(words: str) -> Place:
    return Place(row=int(words))


class Order(Process, name="order", version=1):
    """Shirts."""

    starts_on = ("order shirts",)
    confirm = False

    class Answers(BaseModel):
        size: Size = ask("Which size?")
        others: list[Size] = ask("Which others?", read=sizes)
        place: Place = ask("In which row?", read=a_place)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"{answers.size.name} and {[one.name for one in answers.others]} in {answers.place.row}.")


async def test_an_enumeration_has_a_schema_that_is_whole_in_itself(frozen: FrozenClock) -> None:
    def schema(said: Said) -> Any:
        assert said.reply.pending is not None
        return said.reply.pending.schema_

    async with conversation(Order, clock=frozen) as talk:
        form = Form(talk, await talk.say("order shirts"))
        assert (schema(form.said)["enum"], schema(form.said)["type"]) == (["S", "L"], "string")
        assert (await form.send("XL")).step == "gathering_size"
        assert schema(await form.send("L"))["items"]["enum"] == ["S", "L"]
        assert schema(await form.send(["S", "L"])) is None  # its reader knows words alone
        said = await talk.say("7")

    assert said.text == "LARGE and ['SMALL', 'LARGE'] in 7."


async def test_a_late_value_still_answers(frozen: FrozenClock) -> None:
    async with conversation(Booking, clock=frozen) as talk:
        asked = await talk.say("book a table")
        frozen.advance(hours=2)

        assert (await talk.say("4", answers=asked.question_id, value=4)).step == "gathering_day"


@pytest.mark.parametrize("value", ["a\0b", {"a": ["\ud800"]}, [float("nan")], 2**64, {"\0": 1}])
def test_what_no_database_keeps_is_refused(value: Any) -> None:
    with pytest.raises(BadRequest) as refused:
        checked(Request(message="x", answers="a:1", value=value))

    assert refused.value.details["fields"][0]["field"] == "value"


def test_a_value_needs_the_question_that_it_answers() -> None:
    with pytest.raises(BadRequest, match="answers"):
        checked(Request(message="x", value=1))
