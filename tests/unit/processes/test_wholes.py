"""A place in a message is widened to all of the number, day or time there."""

import pytest

from softrail.processes.spoken import whole


@pytest.mark.parametrize(
    ("kind", "message", "marked", "all_of_it"),
    [
        ("time", "Nan will get her at twenty to four", "four", "twenty to four"),
        ("time", "at half past seven then", "seven", "half past seven"),
        ("number", "just over ninety thousand", "ninety", "ninety thousand"),
        ("number", "twenty five of us", "five", "twenty five"),
        ("number", "8 tomorrow at 7", "8", "8"),
        ("date", "make it a week on Friday please", "Friday", "a week on Friday"),
        ("date", "the second Saturday in January, around 3", "Saturday", "second Saturday in January"),
        ("date", "on the third of April eighty eight", "third of April", "third of April eighty eight"),
        ("date", "tomorrow, or Friday", "Friday", "tomorrow, or Friday"),
        ("date", "by Thursday, maybe Friday", "Thursday", "by Thursday, maybe Friday"),
        ("number", "maybe 5", "5", "5"),
        ("date", "A table for two on Friday, please.", "Friday", "Friday"),
        ("date", "six on the 3rd of May", "3rd", "3rd of May"),
        ("date", "Monday 2 of us", "Monday", "Monday"),
        ("date", "Monday the 2nd", "Monday", "Monday the 2nd"),
        ("date", "two weeks from Friday", "Friday", "two weeks from Friday"),
        ("date", "I read it yesterday evening", "yesterday", "yesterday evening"),
        ("time", "tomorrow night at 11", "11", "night at 11"),
        ("time", "one in the afternoon, not earlier", "one", "one in the afternoon"),
        ("number", "an hour and a half should do", "hour", "an hour and a half"),
        ("number", "one suitcase plus one rucksack", "one", "one suitcase plus one"),
        ("number", "two cats and a dog", "two", "two cats and a"),
    ],
)
def test_a_part_is_widened_to_what_it_is_a_part_of(
    kind: str, message: str, marked: str, all_of_it: str
) -> None:
    start = message.index(marked)

    begin, end = whole(message, start, start + len(marked), kind, "en", "How many?")

    assert message[begin:end] == all_of_it


def test_an_age_beside_years_that_are_asked_for_is_an_age() -> None:
    message = "since I was nine, I'm thirty four now"
    start = message.index("thirty four")

    begin, end = whole(message, start, len(message) - 4, "number", "en", "For how many years?")

    assert message[begin:end] == "I'm thirty four"


def test_a_value_far_into_a_long_message_is_widened_where_it_stands() -> None:
    message = f"{'We were there and it rained. ' * 500}A week on Friday is fine, {'or later, ' * 500}"
    start = message.index("Friday")

    begin, end = whole(message, start, start + 6, "date", "en", "When?")

    assert message[begin:end] == "A week on Friday"


@pytest.mark.parametrize("kind", ["date", "number", "time"])
@pytest.mark.parametrize(
    "said", ["a week on ", "the day after ", "million ", "9", "1/2 ", "half a ", "monday "]
)
def test_one_thing_said_a_thousand_times_is_widened_no_further_than_it_is_looked_at(
    kind: str, said: str
) -> None:
    begin, end = whole(said * 10_000, 1000, 1005, kind, "en", "When?")

    assert 0 < begin <= 1000 < 1005 <= end < 2000


@pytest.mark.parametrize(
    ("message", "marked", "all_of_it"),
    [
        ("born august 14th in eighty-three in Leeds", "august 14th", "august 14th in eighty-three"),
        ("20 march 1991, no sorry, 1990", "20 march 1991", "20 march 1991, no sorry, 1990"),
        (
            "the year was 1947 and it was the 2nd of August",
            "2nd of August",
            "was 1947 and it was the 2nd of August",
        ),
        ("he'll be three tomorrow", "tomorrow", "three tomorrow"),
    ],
)
def test_what_makes_a_day_that_has_been_another_one_is_a_part_of_it(
    message: str, marked: str, all_of_it: str
) -> None:
    start = message.index(marked)

    begin, end = whole(message, start, start + len(marked), "date", "en", "When were you born?", past=True)

    assert message[begin:end] == all_of_it
