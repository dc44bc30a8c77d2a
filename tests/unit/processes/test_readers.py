"""Words become values."""

from contextlib import suppress
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from softrail.core.people import Person
from softrail.core.turns import Turn
from softrail.processes.readers import Reading
from softrail.processes.spoken import read_day, read_number
from softrail.processes.unread import Unread

MONDAY = date(2026, 3, 2)


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("5", "5"),
        ("about 5", "5"),
        ("1,200", "1200"),
        ("1,200,300.5 in all", "1200300.5"),
        ("$3.50", "3.50"),
        ("3,5", "3.5"),
        ("-4 degrees", "-4"),
        ("twelve", "12"),
        ("twenty-five people", "25"),
        ("two hundred and six", "206"),
        ("three thousand", "3000"),
        ("10k", "10000"),
        ("a dozen", "12"),
        ("half a dozen", "6"),
        ("two dozen", "24"),
        ("two and a half", "2.5"),
        ("a hundred", "100"),
        ("a hundred and sixty", "160"),
        ("a thousand two hundred", "1200"),
        ("5, yes 5", "5"),
        ("8/10", "8"),
        ("a solid 7.5 / 10!", "7.5"),
        ("eight out of ten I guess", "8"),
    ],
)
def test_a_number_is_found_in_its_sentence(said: str, number: str) -> None:
    assert read_number(said, "en") == Decimal(number)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("a few", "no_number"),
        ("", "no_number"),
        ("3 or 4", "many_numbers"),
        ("between 7/10 and 8/10", "many_numbers"),
        ("20 out of 1,000", "many_numbers"),
        ("five out of one thousand", "many_numbers"),
        ("2 or a hundred", "many_numbers"),
        ("4 adults and 4 kids", "many_numbers"),
        ("one grown-up and one child", "many_numbers"),
        ("9" * 5000, "big_number"),
        ("2026-03-01", "no_number"),
    ],
    ids=[
        "none",
        "empty",
        "two",
        "two scores",
        "of thousands",
        "of a thousand",
        "two spelled",
        "twice",
        "one twice",
        "long",
        "date",
    ],
)
def test_no_number_or_more_than_one_is_not_guessed(said: str, why: str) -> None:
    with pytest.raises(Unread) as unread:
        read_number(said, "en")
    assert unread.value.sentence == why


def test_who_comes_alone_is_one_where_people_are_counted_and_not_with_somebody() -> None:
    assert read_number("just me, I'm afraid", "en", question="How many people?") == 1
    assert read_number("a quarter of it", "en", question="What percentage is done?") == 25
    assert read_number("five people and a dog", "en", question="How many people come?") == 5
    with pytest.raises(Unread, match="many_numbers"):
        read_number("five sheep and a dog", "en", question="How many animals have you?")
    for said, question in (("just me and the bf", "How many people?"), ("just me", "What is the amount?")):
        with pytest.raises(Unread):
            read_number(said, "en", question=question)


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("today", "2026-03-02"),
        ("Tomorrow!", "2026-03-03"),
        ("the day after tomorrow", "2026-03-04"),
        ("friday", "2026-03-06"),
        ("next friday", "2026-03-13"),
        ("last Friday", "2026-02-27"),
        ("monday", "2026-03-09"),
        ("for 2026-03-01 please", "2026-03-01"),
        ("March 15th", "2026-03-15"),
        ("15 March 2027", "2027-03-15"),
        ("the 1st of March", "2027-03-01"),
        ("Feb 29", "2028-02-29"),
        ("in 3 days", "2026-03-05"),
        ("two weeks ago", "2026-02-16"),
        ("in a month", "2026-04-02"),
        ("next week on Monday", "2026-03-09"),
        ("25/12/2026", "2026-12-25"),
        ("Friday, March 13", "2026-03-13"),
        ("Friday the 13th", "2026-03-13"),
        ("the 14th", "2026-03-14"),
        ("on the 1st, please", "2026-04-01"),
        ("the 31st", "2026-03-31"),
    ],
)
def test_a_day_is_found_in_its_sentence(said: str, day: str) -> None:
    assert read_day(said, MONDAY, "en") == date.fromisoformat(day)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("soon", "no_date"),
        ("maybe in May", "no_date"),
        ("next week", "day_of_week"),
        ("some time last week", "day_of_week"),
        ("in the 2nd week", "no_date"),
        ("friday or monday", "many_dates"),
        ("2026-02-30", "no_such_date"),
        ("February 31", "no_such_date"),
        ("3/4/2026", "either_date"),
        ("in 9999 months", "no_such_date"),
        ("in 99999999 days", "no_such_date"),
    ],
)
def test_a_day_that_is_not_clear_is_not_guessed(said: str, why: str) -> None:
    with pytest.raises(Unread) as unread:
        read_day(said, MONDAY, "en")
    assert unread.value.sentence == why


@settings(deadline=None)  # the grammar is put together by whoever is first
@given(
    st.text()
    | st.lists(
        st.sampled_from(
            ["in", "3", "may", "31", "next", "friday", ".", "of", "the", "hundred", "k", "0", "99", "ago"]
        )
    ).map(" ".join)
)
def test_no_text_breaks_a_reader(said: str) -> None:
    with suppress(Unread):
        read_number(said, "en")
    with suppress(Unread):
        read_day(said, MONDAY, "en")


@pytest.mark.parametrize(
    ("zone", "day"),
    [("UTC", 2), ("Pacific/Kiritimati", 3), ("Pacific/Niue", 2), ("Mars/Olympus", 2)],
)
def test_today_is_the_persons_own_day_and_an_unknown_zone_is_utc(zone: str, day: int) -> None:
    turn = Turn(
        id="t",
        session_id="s",
        seq=1,
        person=Person(id="p", email="p@example.com", timezone=zone),
        message="",
        at=datetime(2026, 3, 2, 11, 30, tzinfo=UTC),
    )
    assert Reading.of(turn).today == date(2026, 3, day)


@pytest.mark.parametrize("said", ["I turn 25 tomorrow", "she'll be 25 in May", "turning 25 next week"])
def test_who_is_not_so_old_yet_is_asked_how_old_she_is(said: str) -> None:
    with pytest.raises(Unread, match="many_numbers") as unread:
        read_number(said, "en", question="How old are you?")
    assert [one.label for one in unread.value.either] == ["25", "24"]


def test_who_says_what_follows_from_a_birthday_is_not_asked() -> None:
    assert read_number("turning 18 next week so 17", "en", question="How old are you?") == 17
    assert read_number("I turned 40 last week", "en", question="How old are you?") == 40


@pytest.mark.parametrize(
    ("question", "said", "labels"),
    [
        ("How many helpers come?", "nine from the first group and six of the young ones", ["15", "9", "6"]),
        ("How many guests?", "his side is 45, mine's tiny, ten, that's all of us", ["55", "45", "10"]),
        ("How many tickets?", "one for me, one for mum and one for dad", ["3", "1"]),
        ("How big is it, in square metres?", "it's tiny, 5 by 4 metres", ["20", "5", "4"]),
        ("What did it cost, in euros?", "two tickets at 40 euros each", ["80", "2", "40"]),
        ("How big is it, in metres?", "ten wide and twelve long", ["10", "12"]),
        ("How many nights?", "three or four, and maybe five", ["3", "4", "5"]),
        ("How many nights?", "5, no, 6", ["5", "6"]),
        ("How many people?", "between 20 and 30", ["20", "30"]),
    ],
)
def test_what_several_numbers_come_to_is_asked_first_where_they_may_be_meant_together(
    question: str, said: str, labels: list[str]
) -> None:
    with pytest.raises(Unread) as unread:
        read_number(said, "en", question=question)

    assert unread.value.sentence == "many_numbers"
    assert [one.label for one in unread.value.either] == labels


def test_a_number_that_is_left_out_counts_for_no_sum() -> None:
    assert read_number("not 3, 4", "en", question="How many nights?") == 4
