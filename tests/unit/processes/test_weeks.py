"""A week, to a question for one: any of its days answers. To other questions it is no day."""

from datetime import date

import pytest

from softrail.processes.spoken import asks_for_a_week, read_day
from softrail.processes.unread import Unread

MONDAY = date(2026, 11, 30)
WEEK = "Which week shall we deliver?"


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("week 12", date(2027, 3, 22)),
        ("week 49", date(2026, 11, 30)),
        ("next week", date(2026, 12, 7)),
        ("the end of next week", date(2026, 12, 11)),
        ("this week", date(2026, 11, 30)),
        ("first week of march", date(2027, 3, 1)),
        ("the first week of march 2028", (date(2028, 2, 28), date(2028, 3, 6))),
        ("the second week of april", (date(2027, 4, 5), date(2027, 4, 12))),
        ("the last week of february", date(2027, 2, 22)),
        ("the week of the 15th", date(2026, 12, 15)),
        ("the week after easter", date(2027, 4, 4)),
        ("april 5th, or the week of it", date(2027, 4, 5)),
        ("wednesday next week", date(2026, 12, 9)),
        ("2 March 2027", date(2027, 3, 2)),
    ],
)
def test_a_day_of_it_answers(said: str, day: date | tuple[date, ...]) -> None:
    if isinstance(day, date):
        assert read_day(said, MONDAY, "en", question=WEEK) == day
        return
    with pytest.raises(Unread) as unread:
        read_day(said, MONDAY, "en", question=WEEK)
    assert [one.value for one in unread.value.either] == [each.isoformat() for each in day]


@pytest.mark.parametrize("said", ["week 12", "next week", "first week of march", "the week of the 15th"])
@pytest.mark.parametrize(
    "question", ["Which day?", "Which day of the week suits you?", "Which day next week?"]
)
def test_to_a_question_for_a_day_it_is_none(said: str, question: str) -> None:
    with pytest.raises(Unread):
        read_day(said, MONDAY, "en", question=question)


def test_the_name_of_the_field_may_ask_for_a_week() -> None:
    assert asks_for_a_week("When shall we deliver? delivery week", "en")
    assert not asks_for_a_week("Which day of the week? day", "en")
