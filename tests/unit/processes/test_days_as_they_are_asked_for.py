"""A day without a year: the next one, the last one, or one after another day."""

from datetime import date

import pytest

from softrail.processes.spoken import read_day
from softrail.processes.unread import Unread

TODAY = date(2026, 11, 25)  # a Wednesday


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("22.11.", "2027-11-22"),
        ("18/12", "2026-12-18"),
        ("monday week", "2026-12-07"),
        ("the 12th", "2026-12-12"),
        ("friday before lunch", "2026-11-27"),
        ("the last Saturday of January", "2027-01-30"),
        ("1st monday in march", "2027-03-01"),
        ("the second tuesday of december", "2026-12-08"),
        ("the last Saturday before Christmas", "2026-12-19"),
        ("the first monday after new year's day", "2027-01-04"),
        ("friday in two weeks i think", "2026-12-11"),
        ("a week from tomorrow", "2026-12-03"),
        ("the day before christmas eve", "2026-12-23"),
        ("2 days after the 14th of December", "2026-12-16"),
        ("christmas eve", "2026-12-24"),
        ("for Xmas", "2026-12-25"),
        ("saturday next week", "2026-12-05"),
        ("two days before christmas", "2026-12-23"),
        ("2 days before March 20th", "2027-03-18"),
        ("christmas 2027", "2027-12-25"),
        ("the last monday of may 2028", "2028-05-29"),
        ("next week on tuesday", "2026-12-01"),
        ("next week wednesday please", "2026-12-02"),
        ("the monday after next", "2026-12-07"),
        ("the week after next, on tuesday", "2026-12-08"),
        ("the middle of january would suit me, the 15th if there is a choice", "2027-01-15"),
        ("somewhere in the first week of may, the 3rd would be great", "2027-05-03"),
        ("end of january, the 28th if possible", "2027-01-28"),
        ("beginning of april the second or so", "2027-04-02"),
        ("the last week of march, the 30th", "2027-03-30"),
        ("january suits me best, maybe the 9th", "2027-01-09"),
    ],
)
def test_a_day_is_the_next_one(said: str, day: str) -> None:
    assert read_day(said, TODAY, "en").isoformat() == day


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("22.11.", "2026-11-22"),
        ("monday", "2026-11-23"),
        ("19 November", "2026-11-19"),
        ("26 November", "2025-11-26"),
        ("the 30th", "2026-10-30"),
        ("a week ago today, if I remember right", "2026-11-18"),
        ("two weeks ago yesterday", "2026-11-10"),
        ("2 weeks ago", "2026-11-11"),
        ("the last friday of october", "2026-10-30"),
        ("it started in october, on the 9th", "2026-10-09"),
    ],
)
def test_of_what_has_been_it_is_the_last_one(said: str, day: str) -> None:
    assert read_day(said, TODAY, "en", past=True).isoformat() == day


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("the 12th", "2027-01-12"),
        ("4 January", "2028-01-04"),
        ("sunday", "2027-01-10"),
        ("a week later", "2027-01-12"),
    ],
)
def test_an_end_is_the_first_such_day_from_its_beginning_on(said: str, day: str) -> None:
    assert read_day(said, TODAY, "en", after=date(2027, 1, 5)).isoformat() == day


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("three nights", "2027-01-08"),
        ("for 5 days", "2027-01-10"),
        ("plus a week", "2027-01-12"),
        ("two weeks after", "2027-01-19"),
        ("a month", "2027-02-05"),
    ],
)
def test_where_it_is_asked_when_something_is_over_it_is_counted_from_its_beginning(
    said: str, day: str
) -> None:
    assert read_day(said, TODAY, "en", after=date(2027, 1, 5), lasts=True).isoformat() == day


@pytest.mark.parametrize("said", ["three nights", "for 5 days", "two weeks after"])
def test_how_long_something_is_is_no_day_elsewhere(said: str) -> None:
    with pytest.raises(Unread):
        read_day(said, TODAY, "en", after=date(2027, 1, 5))


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("11/12 would be grand", "either_date"),
        ("the saturday after next if that's possible", "either_date"),
        ("last Saturday before the wedding", "unclear_day"),
        ("before Christmas", "bound"),
        ("tuesday in two weeks", "unclear_day"),
        ("a week later", "no_date"),
        ("on monday, two weeks before christmas", "many_dates"),
        ("first monday after 31 December 9999", "no_such_date"),
        ("at 12.30", "no_date"),
    ],
)
def test_what_may_be_another_day_is_asked(said: str, why: str) -> None:
    with pytest.raises(Unread) as raised:
        read_day(said, TODAY, "en")
    assert raised.value.sentence == why


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("for the end of january I hope", "2027-01-31"),
        ("end of february 2028", "2028-02-29"),
        ("end of november", "2026-11-30"),
        ("the third of may nineteen seventy one", "1971-05-03"),
        ("fifth of june twenty thirteen", "2013-06-05"),
        ("june 9th, nineteen ninety", "1990-06-09"),
    ],
)
def test_months_end_and_years_are_told_in_words(said: str, day: str) -> None:
    assert read_day(said, TODAY, "en").isoformat() == day


@pytest.mark.parametrize(
    "day", ["1961-04-02", "2000-04-23", "2008-03-23", "2024-03-31", "2026-04-05", "2038-04-25"]
)
def test_easter_is_reckoned_for_any_year(day: str) -> None:
    assert read_day(f"easter {day[:4]}", TODAY, "en").isoformat() == day


@pytest.mark.parametrize(
    ("said", "either"),
    [
        ("friday the 13th", ["2026-12-13", "2027-08-13"]),
        ("the 9th or the 10th", ["2026-12-09", "2026-12-10"]),
        ("from 12 to 15 may", ["2027-05-12", "2027-05-15"]),
        ("in january I am away, so the 12th", ["2027-01-12", "2026-12-12"]),
        ("in may I was in Rome. come on the 6th", ["2027-05-06", "2026-12-06"]),
    ],
)
def test_what_may_be_either_of_two_days_has_both_on_buttons(said: str, either: list[str]) -> None:
    with pytest.raises(Unread) as raised:
        read_day(said, TODAY, "en")
    assert [option.value for option in raised.value.either] == either


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("he turned seven yesterday", "2019-11-24"),
        ("forty today, hooray", "1986-11-25"),
        ("she'll be three tomorrow", "2023-11-26"),
        ("I turned 50 last Monday", "1976-11-23"),
    ],
)
def test_an_age_on_a_day_tells_when_somebody_was_born_and_nothing_else(said: str, day: str) -> None:
    assert read_day(said, TODAY, "en", past=True, question="When were they born?").isoformat() == day
    with pytest.raises(Unread, match="unclear_day"):
        read_day(said, TODAY, "en", past=True, question="When did it happen?")


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("for about two weeks", "2026-11-11"),
        ("it's been a month", "2026-10-25"),
        ("three days now", "2026-11-22"),
        ("a fortnight", "2026-11-11"),
        ("two weeks ago", "2026-11-11"),
        ("about an hour ago", "2026-11-25"),
    ],
)
def test_how_long_tells_since_when(said: str, day: str) -> None:
    assert read_day(said, TODAY, "en", past=True, question="Since when?").isoformat() == day


def test_how_long_is_no_day_where_another_thing_is_asked() -> None:
    with pytest.raises(Unread, match="no_date"):
        read_day("for two weeks", TODAY, "en", question="On which day shall we come?")


@pytest.mark.parametrize(
    ("said", "past", "days"),
    [
        ("since the weekend", True, ["2026-11-21", "2026-11-22"]),
        ("at the weekend", False, ["2026-11-28", "2026-11-29"]),
        ("next weekend", False, ["2026-11-28", "2026-11-29", "2026-12-05", "2026-12-06"]),
    ],
)
def test_a_weekend_is_asked_about_with_its_days(said: str, past: bool, days: list[str]) -> None:
    with pytest.raises(Unread, match="many_dates") as unread:
        read_day(said, TODAY, "en", past=past)
    assert [one.value for one in unread.value.either] == days


@pytest.mark.parametrize(
    ("said", "given", "day"),
    [
        ("the 13th not the 31st", "2017-03-31", "2017-03-13"),
        ("april 13th", "2009-04-30", "2009-04-13"),
        ("it was 2024, not 2025", "2025-03-31", "2024-03-31"),
        ("two thousand eight", "2009-04-30", "2008-04-30"),
        ("make it 2028", "2027-04-30", "2028-04-30"),
        ("the 12th", "2026-11-10", "2026-12-12"),  # that one has gone by: what is to come is meant
    ],
)
def test_what_is_not_told_anew_of_a_day_that_has_long_been_stays(said: str, given: str, day: str) -> None:
    put_right = date.fromisoformat(given)

    found = read_day(said, TODAY, "en", month=put_right.replace(day=1), week=put_right)

    assert found.isoformat() == day


@pytest.mark.parametrize("said", ["2460", "in 1950", "2026"])
def test_a_number_is_no_year_of_the_day_that_is_put_right(said: str) -> None:
    with pytest.raises(Unread):
        read_day(said, TODAY, "en", week=date(2027, 4, 30))


@pytest.mark.parametrize(
    ("said", "days"),
    [
        ("3 May, or the 4th", ("Monday, 3 May 2027", "Tuesday, 4 May 2027")),
        ("12 June 2027 or maybe the 13th", ("Saturday, 12 June 2027", "Sunday, 13 June 2027")),
        ("28 May until the 3rd", ("Friday, 28 May 2027", "Thursday, 3 June 2027")),
        ("my birthday is 3 May, come on the 12th", ("Saturday, 12 December 2026", "Monday, 3 May 2027")),
    ],
)
def test_a_number_right_behind_a_day_is_of_its_month(said: str, days: tuple[str, ...]) -> None:
    with pytest.raises(Unread) as raised:
        read_day(said, TODAY, "en")

    assert tuple(option.label for option in raised.value.either) == days
