"""An amount of money is of an answer for money, in the currency that is known, and no number of anything else."""

from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Done, Money, Process, Record, Turn, ask
from softrail.processes.spoken import read_money
from softrail.processes.unread import Unread
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


class Hall(Process, name="hall", version=1):
    """A hall for a feast."""

    starts_on = ("rent a hall",)

    class Answers(BaseModel):
        guests: int = ask("How many guests will come?", ge=1)
        noise: int = ask("How loud will it be, from 1 to 10?", ge=1, le=10)
        price: Money = ask("What can you pay for the evening?", label="price")
        deposit: int = ask("What deposit have you paid?")
        tables: int = ask("How many tables do you need?", ge=0)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("hall", answers)])


ALL = ("60", "4", "800 euros", "100", "12")


async def after(*lines: str) -> tuple[dict[str, Any], str]:
    async with conversation(Hall, clock=FrozenClock()) as talk:
        for line in ("rent a hall", *lines):
            said = await talk.say(line)
        return await kept(talk, said), said.text


@pytest.mark.parametrize(
    "line", ["800 euros", "about 500 pounds", "£70", "up to 90 francs", "4 kilos", "3 km"]
)
async def test_what_is_told_in_a_currency_or_a_unit_counts_no_guests(line: str) -> None:
    answers, words = await after(line)

    assert answers == {}
    assert words in (
        "I need a number, like 5.\n\nHow many guests will come?",
        "I'll come back to that.\n\nHow many guests will come?",  # it is of an answer to come
    )


async def test_nor_does_it_stand_on_a_scale() -> None:
    assert (await after("60", "7 euros"))[0] == {"guests": 60}


@pytest.mark.parametrize("line", ["60, and we could pay 800 euros", "60 people, for 800 euros at most"])
async def test_the_number_beside_it_is_taken(line: str) -> None:
    assert (await after(line))[0]["guests"] == 60


async def test_a_whole_number_that_is_asked_for_as_money_may_have_a_currency() -> None:
    assert (await after("60", "4", "800 euros", "150 euros"))[0]["deposit"] == 150


async def test_an_amount_without_a_currency_waits_for_it() -> None:
    answers, words = await after("60", "4", "around 900")
    assert "price" not in answers
    assert words.startswith("900 of which currency?")

    answers, words = await after("60", "4", "around 900", "francs")
    assert answers["price"] == {"amount": "900", "currency": "CHF"}
    assert words.startswith("Price: 900 CHF.")


@pytest.mark.parametrize(
    ("line", "amount"),
    [
        ("the price was 950 not 800", "950"),
        ("950 instead of 800", "950"),
        ("the price can be 950", "950"),
        ("price 950 please", "950"),
        ("change the price to 950", "950"),
        ("raise the price to 950", "950"),
        ("make it 950", "950"),
        ("it came to 950 in the end, not 800", "950"),
    ],
)
async def test_an_amount_that_is_known_is_changed_in_its_currency(line: str, amount: str) -> None:
    answers, _ = await after(*ALL, line)

    assert answers["price"] == {"amount": amount, "currency": "EUR"}
    assert (answers["guests"], answers["noise"], answers["deposit"], answers["tables"]) == (60, 4, 100, 12)


async def test_another_currency_takes_the_place_of_the_one_that_was() -> None:
    assert (await after(*ALL, "make it 700 francs"))[0]["price"] == {"amount": "700", "currency": "CHF"}


@pytest.mark.parametrize("line", ["tables 9", "nine tables, not twelve", "the tables are nine"])
async def test_a_number_of_things_changes_no_amount(line: str) -> None:
    answers, _ = await after(*ALL, line)

    assert answers["price"] == {"amount": "800", "currency": "EUR"}
    assert answers["tables"] == 9


async def test_an_answer_is_changed_to_what_its_own_clause_says() -> None:
    answers, _ = await after(*ALL, "1,100 is the limit, and we need nine tables")

    assert (answers["price"]["amount"], answers["tables"]) == ("1100", 9)


async def test_of_two_answers_that_may_be_money_it_is_asked_which() -> None:
    answers, words = await after(*ALL, "I could go up to 1,100")

    assert (answers["price"]["amount"], answers["deposit"]) == ("800", 100)
    assert "deposit: up to 1,100 instead of 100; price: up to 1,100 instead of 800 EUR" in words


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("two windows", "no_money"),
        ("5 pm", "no_money"),
        ("40%", "no_money"),
        ("3 nights", "no_money"),
        ("1100 or 1200", "many_numbers"),
    ],
)
def test_a_bare_number_of_anything_else_is_no_amount(said: str, told: str) -> None:
    with pytest.raises(Unread) as unread:
        read_money(said, "en", question="What can you pay?", currency="EUR")
    assert unread.value.sentence == told


def test_a_currency_is_of_the_question_where_it_says_one() -> None:
    assert str(read_money("40", "en", question="How much, in euros?")) == "40 EUR"
    with pytest.raises(Unread) as unread:
        read_money("40", "en", question="What can you pay, in dollars or euros?")
    assert unread.value.begun == "40"
