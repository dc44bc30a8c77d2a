"""A code whose form is known is the answer in small letters, in groups and behind other words; its digits are no number."""

from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


class Locker(Process, name="locker", version=1):
    """A locker that does not open."""

    starts_on = ("report a locker",)

    class Answers(BaseModel):
        badge: str = ask(
            "What is the number of your badge?", pattern=r"^[A-Z]{2}\d{6}$", label="badge number"
        )
        keys: int = ask("How many keys are missing?", ge=0)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("locker", answers)])


async def after(*lines: str) -> tuple[dict[str, Any], str]:
    async with conversation(Locker, clock=FrozenClock()) as talk:
        for line in lines:
            said = await talk.say(line)
        return await kept(talk, said), said.text


@pytest.mark.parametrize(
    "line",
    [
        "it's kt204711",
        "my number is KT-204711 I think",
        "here you go: kt-204-711",
        "ok got it kt 204 711",
        "k t two zero four seven one one",
    ],
)
async def test_a_code_is_heard_in_other_letters_and_behind_other_words(line: str) -> None:
    answers, words = await after("report a locker", line)

    assert answers == {"badge": "KT204711"}
    assert words.startswith("Badge number: KT204711.")


@pytest.mark.parametrize(
    "line", ["it's not kt204711", "is it kt204711?", "it is 204711", "kt204711 or kt204712"]
)
async def test_a_code_that_is_denied_asked_about_or_short_of_its_letters_is_not_kept(line: str) -> None:
    assert (await after("report a locker", line))[0] == {}


async def test_the_digits_of_a_code_in_the_first_message_are_no_number() -> None:
    async with conversation(Locker, discover=True, clock=FrozenClock()) as talk:
        said = await talk.say("I want to report a locker. KT 204 711. it's jammed")

        assert await kept(talk, said) == {"badge": "KT204711"}
