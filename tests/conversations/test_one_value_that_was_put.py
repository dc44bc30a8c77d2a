"""One value that was put is taken by a yes, let go by a no; an option that is said not to be is not taken."""

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
        people: int = ask("How many of you will there be?")
        seat: Literal["inside", "outside"] = ask("Inside or outside?")
        room: Literal["hall", "Cellar 1", "Cellar 2"] = ask("Which room?")
        name: str = ask("What name is it under?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Booked.")


@pytest.mark.parametrize("words", ["yes", "yes, roughly", "yeah"])
async def test_a_yes_takes_it(words: str) -> None:
    async with conversation(Table, clock=FrozenClock()) as talk:
        for line in ("book a table", "at least 4", words):
            said = await talk.say(line)
        assert await kept(talk, said) == {"people": 4}


async def test_a_no_lets_it_go_and_is_no_number() -> None:
    async with conversation(Table, clock=FrozenClock()) as talk:
        for line in ("book a table", "at least 4", "no"):
            said = await talk.say(line)
        assert said.text.startswith("Not 4, then.")
        assert await kept(talk, said) == {}


async def test_a_yes_with_another_number_gives_that_one() -> None:
    async with conversation(Table, clock=FrozenClock()) as talk:
        for line in ("book a table", "at least 4", "yes, 5"):
            said = await talk.say(line)
        assert await kept(talk, said) == {"people": 5}


@pytest.mark.parametrize("words", ["not outside, it's freezing", "not outside"])
async def test_of_two_options_the_one_that_is_not_left_out_is_meant_and_read_back(words: str) -> None:
    async with conversation(Table, clock=FrozenClock()) as talk:
        for line in ("book a table", "4", words):
            said = await talk.say(line)
        assert said.text.startswith("Seat: inside.")


@pytest.mark.parametrize(
    "words", ["outside won't work", "outside isn't an option", "outside is not possible for us"]
)
async def test_an_option_that_is_said_not_to_be_is_asked_about(words: str) -> None:
    async with conversation(Table, clock=FrozenClock()) as talk:
        for line in ("book a table", "4", words):
            said = await talk.say(line)
        assert await kept(talk, said) == {"people": 4}
        assert said.reply.pending is not None
        assert {"inside", "outside"} <= set(said.reply.pending.options)


@pytest.mark.parametrize(
    ("words", "room"), [("cellar one", "Cellar 1"), ("the first one", "hall"), ("Cellar two", "Cellar 2")]
)
async def test_a_number_in_the_name_of_an_option_may_be_a_word(words: str, room: str) -> None:
    async with conversation(Table, clock=FrozenClock()) as talk:
        for line in ("book a table", "4", "inside", words):
            said = await talk.say(line)
        assert (await kept(talk, said)).get("room") == room
