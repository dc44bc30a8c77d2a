"""An answer that is called wrong by its name is asked for again; it is a no to nothing, and no new value."""

import datetime as dt
from typing import Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


class Table(Process, name="table", version=1):
    """Books a table."""

    starts_on = ("book a table",)

    class Answers(BaseModel):
        day: dt.date = ask("Which day would you like to come?")
        people: int = ask("How many of you will there be?")
        seat: Literal["inside", "outside"] = ask("Inside or outside?")
        happened: str = ask("What is it for?")
        consent: bool = ask("May we keep your phone number?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Booked.")


UP_TO_CONSENT = ("book a table", "8 december 2026", "4", "outside", "a birthday")
UP_TO_WORDS = UP_TO_CONSENT[:-1]
TO_THE_SUMMARY = (*UP_TO_CONSENT, "yes")


@pytest.mark.parametrize(
    ("message", "asks"),
    [
        ("people is wrong", "How many of you will there be?"),
        ("the seat is off", "Inside or outside?"),
        ("sorry, the day isn't right", "Which day would you like to come?"),
        ("wrong day", "Which day would you like to come?"),
        ("I think you got the people wrong", "How many of you will there be?"),
    ],
)
@pytest.mark.parametrize("lines", [UP_TO_CONSENT, TO_THE_SUMMARY])
async def test_it_is_asked_for_again(lines: tuple[str, ...], message: str, asks: str) -> None:
    async with conversation(Table, clock=FrozenClock()) as talk:
        for line in (*lines, message):
            said = await talk.say(line)
        assert said.text == asks
        answers = await kept(talk, said)
        assert answers["people"] == 4
        assert answers.get("consent") in (None, lines is TO_THE_SUMMARY)


async def test_of_two_each_is_asked_for_again() -> None:
    async with conversation(Table, clock=FrozenClock()) as talk:
        for line in (*TO_THE_SUMMARY, "the day and the people are wrong"):
            said = await talk.say(line)
        assert said.text == "Which day would you like to come?"
        said = await talk.say("9 december 2026")
        assert said.text == "How many of you will there be?"
        said = await talk.say("6")
        answers = await kept(talk, said)
        assert (answers["day"], answers["people"]) == ("2026-12-09", 6)


async def test_where_words_are_asked_for_it_is_asked_which_of_the_two_is_meant() -> None:
    async with conversation(Table, clock=FrozenClock()) as talk:
        for line in (*UP_TO_WORDS, "the seat is off"):
            said = await talk.say(line)
        answers = await kept(talk, said)
        assert "happened" not in answers
        assert answers["seat"] == "outside"


@pytest.mark.parametrize("message", ["the wrong day to ask, sorry", "my leg is off"])
async def test_other_words_call_nothing_wrong(message: str) -> None:
    async with conversation(Table, clock=FrozenClock()) as talk:
        for line in (*UP_TO_CONSENT, message):
            said = await talk.say(line)
        assert (await kept(talk, said))["day"] == "2026-12-08"
        assert said.text != "Which day would you like to come?"
