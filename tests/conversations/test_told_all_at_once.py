"""Who begins tells all there is to tell: what is sure is kept and read back, the rest is put with its question."""

from datetime import date, time
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Money, Process, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


class Boat(Process, name="boat_trip", version=1):
    """A trip on the lake."""

    starts_on = ("a boat trip", "I want a boat trip")

    class Answers(BaseModel):
        day: date = ask("On which day?")
        at: time = ask("When shall we cast off?", label="time")
        people: int = ask("How many of you are there?")
        children: int = ask("How many of them are children?")
        boat: Literal["sail", "motor"] = ask("Which boat?")
        food: list[str] = ask("What shall we have on board to eat?")
        budget: Money = ask("What may it cost?")
        skipper: bool = ask("Do you need a skipper?")
        code: str = ask("What is your voucher?", pattern=r"^[A-Z]{2}\d{6}$", label="voucher")

        pin: str = ask("What is your PIN?", shown=False)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Ahoy.")


@pytest.mark.parametrize(
    ("said", "answers"),
    [
        (
            "a boat trip on 12 June at 2 pm for six people, a sail boat please",
            {"day": "2026-06-12", "at": "14:00:00", "people": 6, "boat": "sail"},
        ),
        (
            "boat trip, 12 june 10am, motor boat, max 250 eur",
            {
                "day": "2026-06-12",
                "at": "10:00:00",
                "boat": "motor",
                "budget": {"amount": "250", "currency": "EUR"},
            },
        ),
        (
            "I want a boat trip on the 12th of June, my late aunt left me a voucher that says KL 20 41 77 and I should like to spend it",
            {"day": "2026-06-12", "code": "KL204177"},
        ),
    ],
)
async def test_all_that_is_sure_is_kept(said: str, answers: dict[str, Any]) -> None:
    async with conversation(Boat, discover=True, clock=FrozenClock()) as talk:
        found = await kept(talk, await talk.say(said))
    assert {name: found.get(name) for name in answers} == answers
    assert not set(found) - set(answers), "nothing else is"


async def test_of_two_numbers_none_is_taken_for_another() -> None:
    async with conversation(Boat, discover=True, clock=FrozenClock()) as talk:
        found = await kept(talk, await talk.say("boat trip 12 june 10am, 14 ppl 3 kids"))
    assert found.get("people", 14) == 14
    assert found.get("children", 3) == 3


async def test_what_nobody_shall_see_is_asked_for_by_itself() -> None:
    async with conversation(Boat, discover=True, clock=FrozenClock()) as talk:
        begun = await talk.say("a boat trip on 12 June, my PIN is sesame")
        assert "pin" not in await kept(talk, begun)
        assert "sesame" not in begun.text


async def test_of_two_codes_none_is_taken_for_the_other() -> None:
    async with conversation(Boat, discover=True, clock=FrozenClock()) as talk:
        found = await kept(talk, await talk.say("a boat trip with the vouchers KL204177 and KM300122"))
    assert "code" not in found


class Helper(Process, name="helper", version=1):
    """Help at the food bank."""

    starts_on = ("volunteer at the food bank", "help out at the food bank")

    class Answers(BaseModel):
        tasks: list[str] = ask("What would you like to do?")
        place: str = ask("Where do you live?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Welcome.")


@pytest.mark.parametrize(
    "said", ["I'd like to volunteer at the food bank on Mondays", "can I help out at your food bank?"]
)
async def test_the_words_of_the_wish_are_no_answer(said: str) -> None:
    async with conversation(Helper, discover=True, clock=FrozenClock()) as talk:
        begun = await talk.say(said)
        found = await kept(talk, begun)
    assert begun.process == "helper"
    assert "food bank" not in f"{found} {begun.text}"
