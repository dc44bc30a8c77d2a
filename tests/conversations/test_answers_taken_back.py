"""“Undo” right after an answer, or a change of one, puts the answers back as they were before it."""

from datetime import timedelta

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


class Order(Process, name="order", version=1):
    """Orders cakes."""

    starts_on = ("order a cake",)
    freshness = timedelta(days=1)

    class Answers(BaseModel):
        kind: str = ask("What kind of cake?")
        pieces: int = ask("How many pieces?")
        extras: list[str] = ask("Any extras?", default=[])

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Ordered.")


TO_THE_SUMMARY = ("order a cake", "plum", "12", "cream")


@pytest.mark.parametrize("words", ["undo", "undo that", "oh no, undo", "take that back", "no scrap that"])
async def test_an_answer_is_asked_for_again(words: str) -> None:
    async with conversation(Order, clock=FrozenClock()) as talk:
        for line in ("order a cake", "plum", words):
            said = await talk.say(line)
        assert said.text == "All right, that is taken back.\n\nWhat kind of cake?"
        assert await kept(talk, said) == {}


async def test_a_change_is_put_back_and_read_back() -> None:
    async with conversation(Order, clock=FrozenClock()) as talk:
        for line in (*TO_THE_SUMMARY, "make it 20 pieces", "undo that"):
            said = await talk.say(line)
        assert said.text.startswith("All right, that is taken back. Pieces: 12.")
        assert (await kept(talk, said))["pieces"] == 12


async def test_an_item_that_was_added_goes_again() -> None:
    async with conversation(Order, clock=FrozenClock()) as talk:
        for line in (*TO_THE_SUMMARY, "add candles to the extras", "undo"):
            said = await talk.say(line)
        assert (await kept(talk, said))["extras"] == ["cream"]


async def test_what_was_taken_back_is_not_taken_back_again() -> None:
    async with conversation(Order, clock=FrozenClock()) as talk:
        for line in (*TO_THE_SUMMARY, "make it 20 pieces", "undo", "undo"):
            said = await talk.say(line)
        assert said.text.startswith("There is nothing to take back.")
        assert (await kept(talk, said))["pieces"] == 12


async def test_a_message_that_changed_nothing_takes_nothing_back() -> None:
    async with conversation(Order, clock=FrozenClock()) as talk:
        for line in ("order a cake", "plum", "hello there", "undo"):
            said = await talk.say(line)
        assert said.text.startswith("There is nothing to take back.")
        assert await kept(talk, said) == {"kind": "plum"}


async def test_leaving_is_what_is_taken_back_where_it_came_last() -> None:
    async with conversation(Order, clock=FrozenClock()) as talk:
        for line in ("order a cake", "plum", "cancel", "undo"):
            said = await talk.say(line)
        assert await kept(talk, said) == {"kind": "plum"}
        assert said.text.endswith("How many pieces?")


async def test_what_was_too_old_to_count_is_not_brought_back() -> None:
    clock = FrozenClock()
    async with conversation(Order, clock=clock) as talk:
        for line in ("order a cake", "plum", "stop"):
            await talk.say(line)
        clock.advance(days=2)
        said = await talk.say("resume")
        assert said.text.endswith("What kind of cake?")
        said = await talk.say("undo")
        assert await kept(talk, said) == {}
