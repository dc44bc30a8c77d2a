"""A day that takes the place of one given before is of its week; what is denied says which answer is meant."""

from datetime import date, time

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept, told


class Table(Process, name="table", version=1):
    """A table."""

    starts_on = ("reserve a table",)

    class Answers(BaseModel):
        day: date = ask("Which day would you like to come?")
        hour: time = ask("At what time?", label="time", names=("time",))
        people: int = ask("How many of you will there be?")
        name: str = ask("What name shall I put it under?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Reserved.")


#: A Tuesday, eight days after the Monday on which it is said.
GIVEN = ("10 March", "20:00", "4", "Ilse Berg")


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("not tuesday, wednesday", "2026-03-11"),
        ("thursday instead of tuesday", "2026-03-12"),
        ("friday instead", "2026-03-13"),
        ("make it sunday", "2026-03-15"),
        ("make it the 12th", "2026-03-12"),
        ("make it tomorrow", "2026-03-03"),
        ("this thursday instead", "2026-03-05"),
    ],
)
async def test_a_weekday_is_one_of_the_week_that_was_given(line: str, day: str) -> None:
    answers, _ = await told(Table, *GIVEN, line)

    assert answers["day"] == day


async def test_a_weekday_of_that_week_that_has_been_is_the_next_one() -> None:
    answers, _ = await told(Table, "today", *GIVEN[1:], "make it sunday")
    assert answers["day"] == "2026-03-08"


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("and 7 not 8", {"hour": "19:00:00"}),
        ("9 not 8", {"hour": "21:00:00"}),
        ("make it 6, not 8", {"hour": "18:00:00"}),
        ("5 not 4", {"people": 5}),
    ],
)
async def test_what_is_denied_says_which_answer_is_meant(line: str, changed: dict[str, object]) -> None:
    before, _ = await told(Table, *GIVEN)
    answers, _ = await told(Table, *GIVEN, line)

    assert {name: answers[name] for name in answers if answers[name] != before[name]} == changed


async def test_a_number_of_two_answers_is_asked_about_with_whole_days() -> None:
    async with conversation(Table, clock=FrozenClock()) as talk:
        for line in ("reserve a table", "12 March", "12:00", *GIVEN[2:], "11 not 12"):
            said = await talk.say(line)
        answers = await kept(talk, said)

    assert (answers["day"], answers["hour"]) == ("2026-03-12", "12:00:00")
    assert "Wednesday, 11 March 2026 instead of Thursday, 12 March 2026" in said.text


@pytest.mark.parametrize("line", ["not that tuesday, the one after", "the one before that"])
async def test_the_one_after_is_no_person_more(line: str) -> None:
    answers, _ = await told(Table, *GIVEN[:3], line)

    assert answers["people"] == 4


class Clean(Process, name="clean", version=1):
    """A cleaner."""

    starts_on = ("book a cleaner",)

    class Answers(BaseModel):
        rooms: int = ask("How many rooms are there?")
        floor: int = ask("Which floor is it on?")
        name: str = ask("What is your name?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Booked.")


async def test_the_words_around_may_say_which_answer_is_denied() -> None:
    answers, _ = await told(Clean, "2", "2", "Ilse Berg", "it's the third floor, not the second")
    assert answers["rooms"] == 2

    answers, _ = await told(Clean, "2", "2", "Ilse Berg", "it's three rooms, not two")
    assert (answers["rooms"], answers["floor"]) == (3, 2)


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("the 13th of May, or no, let's do the 20th", "2026-05-20"),
        ("3 July, hmm, or the 10th, yes the 10th", "2026-07-10"),
        ("The 8th of April. Hmm, or the 15th? The 15th is better for my mother. So the 15th.", "2026-04-15"),
        ("the thirteenth of june, no, the twentieth", "2026-06-20"),
        ("the 4th of May, no sorry the 6th of June", "2026-06-06"),
        ("Friday the 13th, no the 20th", "2026-03-20"),
    ],
)
async def test_the_number_of_a_day_behind_a_month_is_of_that_month(line: str, day: str) -> None:
    answers, _ = await told(Table, line)

    assert answers["day"] == day
