"""What may be meant otherwise is asked about with buttons: a hedge is no yes, and what is denied is no answer."""

from datetime import date
from typing import Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept, told


class Party(Process, name="party", version=1):
    """A party."""

    starts_on = ("plan a party",)

    class Answers(BaseModel):
        host: str = ask("Who gives it?")
        day: date = ask("Which day?")
        guests: int = ask("How many guests?")
        drinks: Literal["wine", "beer", "juice"] = ask("What is there to drink?")
        music: bool = ask("Shall there be music?")
        wishes: str = ask("Anything else?", default="")

    async def summary(self, answers: BaseModel, turn: Turn) -> str | None:
        return "All is noted. Shall I send the invitations?"

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Sent.")


UP_TO = {
    "day": ("Ines",),
    "guests": ("Ines", "5 may"),
    "drinks": ("Ines", "5 may", "12"),
    "music": ("Ines", "5 may", "12", "wine"),
    "summary": ("Ines", "5 may", "12", "wine", "yes", "skip"),
}


@pytest.mark.parametrize("hedge", ["that's almost it", "hm, nearly", "you left out half of it"])
async def test_a_hedge_lets_nothing_be_done(hedge: str) -> None:
    async with conversation(Party, clock=FrozenClock()) as talk:
        for line in (Party.starts_on[0], *UP_TO["summary"], hedge):
            said = await talk.say(line)

        assert said.state == "active"


@pytest.mark.parametrize("hedge", ["eh, dunno, could go either way", "only if the neighbours are away"])
async def test_a_hedge_is_no_yes(hedge: str) -> None:
    answers, _ = await told(Party, *UP_TO["music"], hedge)

    assert "music" not in answers


@pytest.mark.parametrize("yes", ["sure, let's have some", "oh absolutely", "yes, my brother plays"])
async def test_a_yes_in_words_of_ones_own_is_one(yes: str) -> None:
    answers, _ = await told(Party, *UP_TO["music"], yes)

    assert answers["music"] is True


@pytest.mark.parametrize(
    ("up_to", "said"),
    [
        ("drinks", "everything but wine"),
        ("day", "any evening except friday"),
        ("guests", "certainly not thirty"),
    ],
)
async def test_what_is_denied_is_no_answer(up_to: str, said: str) -> None:
    answers, _ = await told(Party, *UP_TO[up_to], said)

    assert up_to not in answers


async def test_of_two_days_the_one_that_is_not_denied_is_kept() -> None:
    answers, _ = await told(Party, *UP_TO["day"], "not the fifth, the sixth of may")

    assert answers["day"] == "2026-05-06"


@pytest.mark.parametrize("said", ["not friday", "not on friday"])
async def test_a_day_that_is_denied_in_few_words_is_not_kept(said: str) -> None:
    answers, _ = await told(Party, "Ines", said)

    assert "day" not in answers


class Fair(Process, name="fair", version=1):
    """A fair."""

    starts_on = ("plan a fair",)

    class Answers(BaseModel):
        stalls: int = ask("How many stalls?")
        starts: date = ask("When does it start?")
        needed: list[str] = ask("What is needed?")
        who: str = ask("Who helps?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.")


@pytest.mark.parametrize(
    "said", ["eight, perhaps nine", "eight or nine", "we'll be 8, maybe 10 if it stays dry"]
)
async def test_of_two_numbers_it_is_asked_which_one_is_meant(said: str) -> None:
    answers, words = await told(Fair, said)

    assert not answers
    assert "which one is it" in words


async def test_both_are_offered_and_not_their_sum() -> None:
    async with conversation(Fair, clock=FrozenClock()) as talk:
        await talk.say("plan a fair")
        asked = await talk.say("eight, perhaps nine")

    assert asked.reply.suggested_actions == ["8", "9"]


async def test_until_when_is_no_answer_to_from_when() -> None:
    answers, words = await told(Fair, "8", "until sunday")

    assert "starts" not in answers
    assert words.startswith("Is it exactly Sunday, 8 March 2026?")


async def test_items_that_are_counted_on_one_line_lose_their_numbers() -> None:
    answers, _ = await told(Fair, "8", "5 may", "1. tents 2. string lights 3. a till")

    assert answers["needed"] == ["tents", "string lights", "a till"]


async def test_a_new_value_that_denies_the_old_one_is_the_new_one_alone() -> None:
    answers, words = await told(Party, *UP_TO["music"], "yes", "host must be Nora no Ines")

    assert answers["host"] == "Nora"
    assert "Nora" in words


@pytest.mark.parametrize("said", ["strike the caterer", "no caterer please"])
async def test_no_words_about_something_else_turn_a_yes_into_a_no(said: str) -> None:
    wishes = "a caterer, but she is expensive"
    async with conversation(Party, clock=FrozenClock()) as talk:
        for line in (Party.starts_on[0], *UP_TO["music"], "yes", wishes, said):
            last = await talk.say(line)

        assert (await kept(talk, last))["music"] is True
