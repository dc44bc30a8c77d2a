"""What people say for a number, an amount, a length, a time of day and a day, by the grammar of it (`spoken.py`)."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from softrail.processes.spoken import (
    Money,
    read_day,
    read_length,
    read_money,
    read_number,
    read_time,
)
from softrail.processes.unread import Unread
from tests.unit.processes import spoken

EN = "en"


def day(said: str, *, past: bool = False) -> Any:
    return read_day(said, spoken.TODAY, EN, past=past)


DOMAINS: dict[str, tuple[Callable[[], Iterable[tuple[str, Any]]], Callable[[str], Any]]] = {
    "numbers": (spoken.numbers, lambda said: read_number(said, EN)),
    "money": (spoken.money, lambda said: read_money(said, EN)),
    "lengths": (spoken.lengths, lambda said: read_length(said, EN)),
    "times": (spoken.times, lambda said: read_time(said, EN)),
    "days to come": (spoken.days, day),
    "days that have been": (spoken.past_days, lambda said: day(said, past=True)),
}


def told(read: Callable[[str], Any], said: str) -> Any:
    """The value, what is asked about, or nothing."""
    try:
        return read(said)
    except Unread as unread:
        return spoken.Either(tuple(o.value or o.label for o in unread.either)) if unread.either else None


def as_said(meant: Any) -> Any:
    """An amount is written in the table as it is shown."""
    if not isinstance(meant, str):
        return meant
    amount, currency = meant.split()
    return Money.model_validate({"amount": amount, "currency": currency})


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_wording_of_the_grammar_is_read_as_it_is_meant(domain: str) -> None:
    wordings, read = DOMAINS[domain]

    wrong = {
        said: (meant, told(read, said)) for said, meant in wordings() if told(read, said) != as_said(meant)
    }

    assert wrong == {}


@given(
    st.integers(min_value=0, max_value=999_999),
    st.sampled_from("- "),
    st.sampled_from(["", "about ", "it's "]),
)
def test_any_number_in_words_is_that_number(number: int, hyphen: str, before: str) -> None:
    assert read_number(f"{before}{spoken.spelled(number, hyphen)}", EN) == number
