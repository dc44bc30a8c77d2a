"""What people say for a number, an amount, a length, a time of day and a day, by the grammar of it (`spoken.py`)."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from softrail.processes.dates import read_date
from softrail.processes.money import Money, read_money
from softrail.processes.numerals import in_digits
from softrail.processes.quantities import read_number
from softrail.processes.times import read_length, read_time, without_times
from softrail.processes.unread import Unread
from softrail.processes.words import words
from tests.unit.processes import spoken

EN = words("en")


def day(said: str, *, past: bool = False) -> Any:
    return read_date(without_times(said), spoken.TODAY, EN, past=past)


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


@given(
    st.lists(
        st.sampled_from(
            [
                *EN["numbers"]["values"],
                *EN["numbers"]["multiples"],
                "a",
                "and",
                "half",
                "of",
                "½",
                "3",
                "1/2",
                ",",
            ]
        ),
        max_size=8,
    ).map(" ".join)
)
def test_every_number_in_digits_can_be_found_in_the_words_it_was(said: str) -> None:
    digits = in_digits(said, EN)

    for begins, ends, began, ended in digits.moved:
        assert digits.before(begins, ends) == (began, ended)
        assert in_digits(said[began:ended], EN).text == digits.text[begins:ends]
