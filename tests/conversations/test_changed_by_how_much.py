"""A number that is changed by so much, or so many times, is counted from what it was; what is not clear is asked."""

from datetime import timedelta
from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Done, Money, Process, Record, Turn, ask
from softrail.testing import FrozenClock, Said, conversation
from tests.conversations.kept import kept


class Aid(Process, name="aid", version=1):
    """Money for a place that needs it."""

    starts_on = ("request aid",)

    class Answers(BaseModel):
        amount: int = ask("How much money is needed?")
        price: Money = ask("What does a blanket cost?")
        stay: timedelta = ask("How long do you stay there?")
        place: str = ask("Where is it?")
        helpers: int = ask("How many helpers come?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("aid", answers)])


class ExactAid(Aid, name="exact_aid", version=1):
    """The same in exact words."""

    reads = "exact"
    starts_on = ("request exact aid",)


GIVEN = ("900", "40 euro", "2 hours", "Porto")


async def after(*lines: str, process: type[Process] = Aid) -> tuple[dict[str, Any], Said]:
    async with conversation(process, clock=FrozenClock()) as talk:
        for line in (process.starts_on[0], *lines):
            said = await talk.say(line)
        return await kept(talk, said), said


def buttons(said: Said) -> list[str]:
    return said.reply.pending.options if said.reply.pending is not None else []


@pytest.mark.parametrize(
    ("said", "amount"),
    [
        ("add 300 to the amount", 1200),
        ("take 50 off the amount", 850),
        ("please increase the amount by 300", 1200),
        ("reduce the amount by ten percent", 810),
        ("the amount needs to go up by 300", 1200),
        ("double the amount", 1800),
        ("the amount should be twice that", 1800),
        ("make the amount half of it", 450),
    ],
)
@pytest.mark.parametrize("asked", [GIVEN, (*GIVEN, "3")], ids=["before the last answer", "at the summary"])
async def test_a_number_is_changed_from_what_it_was_and_read_back(
    asked: tuple[str, ...], said: str, amount: int
) -> None:
    answers, reply = await after(*asked, said)

    assert answers["amount"] == amount
    assert f"Amount: {amount}" in reply.text


@pytest.mark.parametrize("asked", [GIVEN, (*GIVEN, "3")], ids=["before the last answer", "at the summary"])
async def test_what_it_is_raised_to_is_its_new_value(asked: tuple[str, ...]) -> None:
    answers, _ = await after(*asked, "raise the amount to 1200")

    assert answers["amount"] == 1200


@pytest.mark.parametrize("said", ["add 300 to the amount", "lower the amount by 300", "triple the amount"])
async def test_exact_words_count_as_well(said: str) -> None:
    answers, _ = await after(*GIVEN, "3", said, process=ExactAid)

    assert answers["amount"] in (1200, 600, 2700)


@pytest.mark.parametrize(
    ("said", "name", "value"),
    [
        ("add 5 euros to the price", "price", {"amount": "45", "currency": "EUR"}),
        ("add 5 to the price", "price", {"amount": "45", "currency": "EUR"}),
        ("take 10% off the price", "price", {"amount": "36", "currency": "EUR"}),
        ("add 30 minutes to the stay", "stay", "PT2H30M"),
        ("double the stay", "stay", "PT4H"),
    ],
)
async def test_amounts_and_lengths_are_changed_by_so_much(said: str, name: str, value: object) -> None:
    answers, _ = await after(*GIVEN, said)

    assert answers[name] == value


async def test_so_much_more_may_be_the_number_itself_and_both_are_on_buttons() -> None:
    answers, said = await after(*GIVEN, "amount: plus 300")

    assert answers["amount"] == 900
    assert buttons(said) == ["1200", "300"]


async def test_asked_for_anew_so_much_more_is_asked_about() -> None:
    answers, said = await after(*GIVEN, "the amount is wrong", "300 more")
    assert (answers["amount"], buttons(said)) == (900, ["1200", "300"])

    answers, _ = await after(*GIVEN, "the amount is wrong", "300 more", "1200")
    assert answers["amount"] == 1200


async def test_so_many_times_of_something_else_are_asked_about() -> None:
    answers, said = await after("double that of last year, which was 200")

    assert answers == {}
    assert buttons(said) == ["400", "200"]


async def test_a_change_that_the_type_does_not_take_leaves_the_number_as_it_was() -> None:
    answers, said = await after("5", *GIVEN[1:], "halve the amount")

    assert answers["amount"] == 5
    assert "whole number" in said.text


async def test_or_more_behind_a_number_adds_nothing_to_it() -> None:
    answers, said = await after(*GIVEN, "3", "the amount should be 300 or more")

    assert answers["amount"] == 900
    assert buttons(said) == ["300"]
