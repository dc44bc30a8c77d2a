"""What people say for a number, an amount, a length, a time of day and a day: the grammar of it, several voices, and what is rendered."""

from collections.abc import Callable, Iterable
from datetime import date, time, timedelta
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from softrail.processes.spoken import (
    Money,
    read_day,
    read_length,
    read_money,
    read_number,
    read_time,
    whole,
)
from softrail.processes.spoken.grammar import grammar
from softrail.processes.spoken.said import Said
from softrail.processes.unread import Unread
from tests.unit.processes import spoken, voices

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
READ: dict[str, Callable[[str], Any]] = {
    "number": lambda said: read_number(said, EN),
    "time": lambda said: read_time(said, EN),
    "length": lambda said: read_length(said, EN),
    "date": day,
    "past": lambda said: day(said, past=True),
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


@settings(deadline=None)  # the grammar is put together by whoever is first
@given(
    st.integers(min_value=0, max_value=999_999),
    st.sampled_from("- "),
    st.sampled_from(["", "about ", "it's "]),
)
def test_any_number_in_words_is_that_number(number: int, hyphen: str, before: str) -> None:
    assert read_number(f"{before}{spoken.spelled(number, hyphen)}", EN) == number


@pytest.mark.parametrize(
    ("kind", "said", "meant"), voices.phrases(), ids=lambda one: one if isinstance(one, str) else ""
)
def test_what_several_voices_say_is_read_or_asked_and_never_another_value(
    kind: str, said: str, meant: Any
) -> None:
    read = told(READ[kind], said)

    if meant == voices.ASKED:
        assert read is None or isinstance(read, spoken.Either)
    else:
        assert read == meant


LEADS = st.sampled_from(["", "say ", "it's ", "I think ", "let's say ", "maybe "])
TAILS = st.sampled_from(["", " please", ", thanks", " I think", " then.", "!"])
PARTS = {"in the morning": 0, "am": 0, "a.m.": 0, "in the evening": 12, "pm": 12, "p m": 12}


@st.composite
def a_time(draw: st.DrawFn) -> tuple[str, time]:
    """A time of day, dictated or typed, with the half of the day that it is of."""
    part = draw(st.sampled_from(list(PARTS)))
    hour, minute = draw(st.integers(4, 11)), draw(st.integers(0, 59))
    word, at = spoken.spelled(hour), time(hour + PARTS[part], minute)
    forms = [f"{hour}:{minute:02} {part}", f"{hour}.{minute:02} {part}"]
    if minute >= 10:
        forms += [
            f"{word} {spoken.spelled(minute, draw(st.sampled_from('- ')))} {part}",
            f"{hour} {minute} {part}",
        ]
    elif minute:
        forms.append(f"{word} oh {spoken.spelled(minute)} {part}")
    else:
        forms += [f"{hour} {part}", f"{word} {part}", f"{word} o'clock {part}", f"{hour}ish {part}"]
    if minute in (5, 10, 15, 20, 25, 30):
        name = {15: "quarter", 30: "half"}.get(minute, spoken.spelled(minute))
        forms.append(f"{name} past {word} {part}")
    if minute in (35, 40, 45, 50, 55) and hour < 11:
        name = {45: "a quarter"}.get(minute, spoken.spelled(60 - minute))
        forms += [f"{name} to {spoken.spelled(hour + 1)} {part}", f"{name} till {hour + 1} {part}"]
    return draw(st.sampled_from(forms)), at


@settings(deadline=None)  # the grammar is put together by whoever is first
@given(LEADS, a_time(), TAILS)
def test_any_time_of_day_that_is_rendered_is_read_back(
    before: str, one: tuple[str, time], behind: str
) -> None:
    assert read_time(f"{before}{one[0]}{behind}", EN) == one[1]


@st.composite
def a_day(draw: st.DrawFn) -> tuple[str, date]:
    """A day of the next year, told in one of the ways in which days are told."""
    day = spoken.TODAY + timedelta(days=draw(st.integers(1, 360)))
    month, mark = spoken.MONTHS[day.month - 1], {1: "st", 2: "nd", 3: "rd"}
    suffix = mark.get(day.day % 10 if day.day // 10 != 1 else 0, "th")
    away = (day - spoken.TODAY).days
    forms = [
        f"{day.day} {month}",
        f"{month[:3].lower()} {day.day}{suffix}",
        f"the {spoken.ordinal(day.day)} of {month}",
        f"{month} the {spoken.ordinal(day.day)}, {day.year}",
        f"{day:%A}, {day.day} {month} {day.year}",
        f"{spoken.ordinal(day.day)} of {month} twenty {spoken.spelled(day.year % 100)}",
        f"{day.isoformat()}",
        f"{day:%Y%m%d}",
        f"in {away} days",
        f"{spoken.spelled(away)} days from now",
        f"the day after {day - timedelta(1):%-d %B}",
        f"two days before {day + timedelta(2):%B %-d}" if away < 355 else f"{day:%-d %b}",
    ]
    if away <= 7:
        forms += [f"on {day:%A}", f"this {day:%A}"]
    elif away <= 14:
        forms += [f"a week on {day:%A}", f"{day:%A} week", f"a week from {day:%A}"]
    return draw(st.sampled_from(forms)), day


@settings(deadline=None)  # the grammar is put together by whoever is first
@given(LEADS, a_day(), TAILS)
def test_any_day_that_is_rendered_is_read_back(before: str, one: tuple[str, date], behind: str) -> None:
    assert day(f"{before}{one[0]}{behind}") == one[1]


@st.composite
def a_length(draw: st.DrawFn) -> tuple[str, timedelta]:
    """A length of time, in one part or in two."""
    hours, minutes = draw(st.integers(1, 20)), draw(st.integers(1, 59))
    unit = draw(st.sampled_from(["minute", "hour", "day", "week"]))
    many = draw(st.integers(2, 90))
    both, one = timedelta(hours=hours, minutes=minutes), timedelta(**{f"{unit}s": many})
    return draw(
        st.sampled_from(
            [
                (f"{hours} hours and {minutes} minutes", both),
                (f"{hours}h {minutes}m", both),
                (f"{hours}h{minutes:02}", both),
                (f"{spoken.spelled(hours)} hours {spoken.spelled(minutes)}", both),
                (f"{many} {unit}s", one),
                (f"{spoken.spelled(many)} {unit}s", one),
                (f"{many} and a half {unit}s", one + timedelta(**{f"{unit}s": 0.5})),
                (f"a {unit} and a half", timedelta(**{f"{unit}s": 1.5})),
            ]
        )
    )


@settings(deadline=None)  # the grammar is put together by whoever is first
@given(LEADS, a_length(), TAILS)
def test_any_length_that_is_rendered_is_read_back(
    before: str, one: tuple[str, timedelta], behind: str
) -> None:
    assert read_length(f"{before}{one[0]}{behind}", EN) == one[1]


@settings(deadline=None)  # the grammar is put together by whoever is first
@given(
    st.integers(2, 40),
    st.integers(2, 40),
    st.sampled_from(["{} or {}", "between {} and {}", "{} to {}", "{}-{}", "{}, no, {}"]),
)
def test_either_of_two_numbers_is_never_one_of_them(one: int, other: int, said: str) -> None:
    assume(one < other)

    assert told(READ["number"], said.format(one, other)) == spoken.Either((f"{one}", f"{other}"))


@settings(deadline=None)  # the grammar is put together by whoever is first
@given(
    st.text()
    | st.lists(
        st.sampled_from(
            [
                *grammar(EN).signs,
                "3",
                "31",
                "1/2",
                "1/4",
                "7:30",
                "9.30",
                "1930",
                "5.",
                "2027-02-30",
                "'",
                "\x00",
            ]
        ),
        max_size=12,
    ).map(" ".join)
)
def test_no_text_breaks_any_reader(said: str) -> None:
    for read in READ.values():
        told(read, said)
    for kind in ("number", "date", "time"):
        start, end = whole(said, 0, len(said), kind, EN, "When?")
        assert 0 <= start <= end <= len(said)


@settings(deadline=None)  # the grammar is put together by whoever is first
@given(
    st.lists(st.sampled_from([*grammar(EN).worth, "a", "and", "of", "½", "3", "1/2", ","]), max_size=8).map(
        " ".join
    )
)
def test_every_token_stands_where_its_words_stand(said: str) -> None:
    text = Said(said, grammar(EN))

    assert text.starts == sorted(text.starts)
    for at in range(len(text)):
        again = Said(said[slice(*text.span(at, at + 1))], grammar(EN))
        assert "".join(again.texts) == text.texts[at] or not text.is_a(at, "n")
