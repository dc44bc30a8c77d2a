"""An option that people only speak of is no choice of it: whether it is meant is asked."""

from typing import Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept, told


class Stay(Process, name="stay", version=1):
    """A stay."""

    starts_on = ("plan a stay",)

    class Answers(BaseModel):
        hotel: Literal["Blue Suites", "Grand Hotel", "Harbour Inn"] = ask("Where do you want to stay?")
        nights: int = ask("How many nights?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


class Fault(Process, name="fault", version=1):
    """Something that is out of order."""

    starts_on = ("report a fault",)

    class Answers(BaseModel):
        service: Literal["internet", "phone", "tv"] = ask("What isn't working?")
        since: str = ask("Since when?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.")


@pytest.mark.parametrize(
    "remark",
    [
        "Blue Suites would be the worst choice",
        "anything but the Blue Suites",
        "my sister hated Blue Suites",
        "Blue Suites, my sister hated it",
        "hate Blue Suites",
        "the Grand Hotel overcharged us in May",
        "the Harbour Inn is out of the question",
        "we stayed at Blue Suites last year, and it was noisy",
        "Grand Hotel gives me the creeps",
    ],
)
async def test_an_option_that_is_only_spoken_of_is_asked_about(remark: str) -> None:
    async with conversation(Stay, clock=FrozenClock()) as talk:
        await talk.say("plan a stay")

        said = await talk.say(remark)

        assert await kept(talk, said) == {}
        assert said.reply.pending is not None
        assert said.reply.pending.options


@pytest.mark.parametrize(
    "choice",
    [
        "Blue Suites please",
        "the Blue Suites would be great",
        "Blue Suites, my sister works there",
        "let's go for the Blue Suites then",
        "Blue Suites since it's near the station",
        "well I guess Blue Suites is ok",
        "Blue Suites, the Grand Hotel was awful",
        "everyone says Blue Suites is the best",
    ],
)
async def test_a_choice_in_a_sentence_is_one(choice: str) -> None:
    answers, _ = await told(Stay, choice)

    assert answers == {"hotel": "Blue Suites"}


@pytest.mark.parametrize("fault", ["the internet is awful", "our internet is down", "the internet sucks"])
async def test_to_a_question_for_what_is_wrong_ill_is_an_answer(fault: str) -> None:
    answers, _ = await told(Fault, fault)

    assert answers["service"] == "internet"
