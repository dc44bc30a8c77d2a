"""Few words that are put right in the same breath: what was meant is kept, and words that only begin to do so are none."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


class Table(Process, name="table", version=1):
    """Books a table."""

    starts_on = ("book a table",)

    class Answers(BaseModel):
        people: int = ask("How many of you will there be?", gt=0, le=12)
        name: str = ask("What name is it under?")
        wish: str = ask("What else should we know?", default="")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Booked.")


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("put it under Marek, no wait, Ilse", "Ilse"),
        ("Marek. I mean Ilse", "Ilse"),
        ("Marek, or rather Ilse Berg", "Ilse Berg"),
        ("the no wait cafe", "the no wait cafe"),
    ],
)
async def test_what_was_meant_is_kept_and_read_back(message: str, name: str) -> None:
    async with conversation(Table, clock=FrozenClock()) as talk:
        for line in ("book a table", "4", message):
            said = await talk.say(line)
        assert said.text.startswith(f"Name: {name}.")


async def test_words_that_only_begin_to_put_something_right_are_no_name() -> None:
    async with conversation(Table, clock=FrozenClock()) as talk:
        for line in ("book a table", "4", "no wait"):
            said = await talk.say(line)
        assert await kept(talk, said) == {"people": 4}


async def test_of_two_numbers_only_one_that_the_question_takes_is_asked_about() -> None:
    async with conversation(Table, clock=FrozenClock()) as talk:
        for line in ("book a table", "4", "Ilse", "put us down as 5"):
            said = await talk.say(line)
        assert "-" not in said.text.partition("\n\n")[0]
        assert (await kept(talk, said))["people"] in (4, 5)
