"""What is put right in the same breath, or right after: the last word counts, whatever its type."""

from datetime import date, time, timedelta
from typing import Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import told


class Course(Process, name="course", version=1):
    """A course somewhere."""

    starts_on = ("plan a course",)

    class Answers(BaseModel):
        people: int = ask("How many people will there be?", ge=1, le=30)
        day: date = ask("Which day is it?")
        start: time = ask("At what time does it start?", label="start")
        length: timedelta = ask("How long will it take?", label="length")
        room: Literal["hall", "attic", "garden"] = ask("Which room?")
        online: bool = ask("Is it online?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("course", answers)])


class Boat(Process, name="boat", version=1):
    """A boat for some days."""

    starts_on = ("hire a boat",)

    class Answers(BaseModel):
        leave: date = ask("On what day do you want to fetch it?", label="first day")
        back: date = ask("And what day will you bring it back?", label="return day")
        adults: int = ask("How many adults come?")
        children: int = ask("How many children come?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("boat", answers)])


class Policy(Process, name="policy", version=1):
    """A claim to an insurance."""

    starts_on = ("make a claim",)

    class Answers(BaseModel):
        policy: str = ask("What is your policy number?", pattern=r"^[A-Z]{2}\d{6}$")
        glass: bool = ask("Is glass broken?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("policy", answers)])


GIVEN = ("4", "9 March 2026", "16:30", "60 minutes", "hall")


@pytest.mark.parametrize(
    ("upto", "said", "name", "value"),
    [
        (0, "4, no, 3", "people", 3),
        (0, "four people, no sorry five people", "people", 5),
        (1, "friday. no saturday, friday is football", "day", "2026-03-07"),
        (1, "monday, no tuesday is better", "day", "2026-03-03"),
        (1, "friday, or thursday, better thursday", "day", "2026-03-05"),
        (2, "5 pm, no 6 pm", "start", "18:00:00"),
        (2, "three, or make it four", "start", "16:00:00"),
        (3, "one hour, better 90 min", "length", "PT1H30M"),
        (3, "45 minutes, rather an hour", "length", "PT1H"),
        (3, "an hour. no, two hours", "length", "PT2H"),
        (3, "1 hour half", "length", "PT1H30M"),
        (4, "hall, no wait the attic", "room", "attic"),
        (4, "hall sorry attic", "room", "attic"),
        (4, "garden, sorry hall", "room", "hall"),
        (1, "friday no saturday", "day", "2026-03-07"),
        (1, "tomorrow no day after", "day", "2026-03-04"),
        (3, "twenty minutes no thirty", "length", "PT30M"),
        (0, "two. no, three with my aunt, the old one", "people", 3),
        (0, "four. five if we count him, so five", "people", 5),
        (0, "5 or 6... 6", "people", 6),
        (0, "2 or 3, 3 is enough", "people", 3),
        (1, "the 9th or the 10th, the 10th", "day", "2026-03-10"),
        (5, "yes online, wait no, at my place", "online", False),
        (5, "no, actually yes", "online", True),
        (5, "no. oh wait, yes", "online", True),
    ],
)
async def test_the_last_word_in_one_breath_is_kept(upto: int, said: str, name: str, value: object) -> None:
    answers, _ = await told(Course, *GIVEN[:upto], said)

    assert answers[name] == value
    assert answers.get("people", 4) == (value if name == "people" else 4)


async def test_each_of_two_values_may_be_put_right() -> None:
    answers, _ = await told(Course, "4", "friday at 5 pm, no, saturday at 6 pm")

    assert (answers["day"], answers["start"]) == ("2026-03-07", "18:00:00")


async def test_what_is_beside_the_first_word_stays() -> None:
    answers, _ = await told(Course, "4", "friday at 5 pm, no 6 pm")

    assert (answers["day"], answers["start"]) == ("2026-03-06", "18:00:00")


@pytest.mark.parametrize(
    ("upto", "said", "name", "value"),
    [
        (1, "friday, sorry I can't on saturday", "day", "2026-03-06"),
        (1, "friday, no problem", "day", "2026-03-06"),
        (1, "the 9th. no the 7th. ah leave it at the 9th", "day", "2026-03-09"),
        (5, "yes, no problem", "online", True),
        (4, "hall, no attic", "room", "hall"),
        (3, "30 minutes, no less", "length", "PT30M"),
        (3, "two hours no problem", "length", "PT2H"),
        (2, "5 pm no earlier than that", "start", "17:00:00"),
    ],
)
async def test_what_puts_nothing_right_leaves_the_first_word(
    upto: int, said: str, name: str, value: object
) -> None:
    answers, _ = await told(Course, *GIVEN[:upto], said)

    assert answers[name] == value


@pytest.mark.parametrize(
    ("upto", "said", "name"),
    [
        (0, "2 adults, no, 3 kids", "people"),
        (1, "early march, no make it mid march", "day"),
        (0, "5 or 6, 6 if he comes", "people"),
        (0, "4 grown ups or 3, and 3 kids", "people"),
        (3, "20 minutes, or thirty", "length"),
        (3, "an hour or two", "length"),
    ],
)
async def test_what_is_not_clear_is_asked(upto: int, said: str, name: str) -> None:
    answers, _ = await told(Course, *GIVEN[:upto], said)

    assert name not in answers


@pytest.mark.parametrize(
    "said", ["AB123456 sorry AB123465", "AB 123 456, no, 465", "AB123456 no 465 at the end"]
)
async def test_of_a_code_the_last_figures_may_be_put_right(said: str) -> None:
    answers, _ = await told(Policy, said)

    assert answers == {"policy": "AB123465"}


async def test_which_of_two_lengths_it_is_is_asked_with_both_on_buttons() -> None:
    async with conversation(Course, clock=FrozenClock()) as talk:
        for line in ("plan a course", *GIVEN[:3], "twenty minutes, or thirty"):
            said = await talk.say(line)

    assert said.reply.suggested_actions == ["20 minutes", "30 minutes"]


@pytest.mark.parametrize(
    "said", ["no sorry 10 march", "no sorry, the 10th", "no, make it tuesday the 10th", "I mean the 10th"]
)
async def test_the_answer_before_is_put_right_where_the_next_one_is_of_its_type(said: str) -> None:
    answers, text = await told(Boat, "9 march", said)

    assert answers == {"leave": "2026-03-10"}
    assert text.startswith("First day: Tuesday, 10 March 2026.")


@pytest.mark.parametrize("said", ["oh wait 10 march", "sorry, the 10th", "wait, that would be the 10th"])
async def test_where_either_may_be_meant_it_is_asked(said: str) -> None:
    answers, text = await told(Boat, "9 march", said)

    assert answers == {"leave": "2026-03-09"}
    assert "First day" in text
    assert "Return day" in text


async def test_a_no_to_how_many_may_mean_none() -> None:
    answers, _ = await told(Boat, "9 march", "12 march", "2", "no, 3")

    assert answers["adults"] == 2


@pytest.mark.parametrize("said", ["no, back on the 14th", "no, the return is the 14th"])
async def test_what_speaks_of_the_open_answer_is_that(said: str) -> None:
    answers, _ = await told(Boat, "9 march", said)

    assert answers == {"leave": "2026-03-09", "back": "2026-03-14"}


async def test_the_answer_before_is_put_right_and_the_next_one_told() -> None:
    answers, _ = await told(Boat, "9 march", "no sorry, the 10th, and back on the 12th")

    assert answers == {"leave": "2026-03-10", "back": "2026-03-12"}


async def test_of_another_type_it_is_the_answer_before() -> None:
    answers, _ = await told(Course, *GIVEN[:3], "no, 5 pm")

    assert answers["start"] == "17:00:00"
