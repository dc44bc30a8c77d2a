"""People go on as they began: where two things are told between commas, what stands behind the next comma is one more."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from tests.conversations.kept import told


class Helper(Process, name="helper", version=1):
    """Signs up to help."""

    starts_on = ("sign up to help",)

    class Answers(BaseModel):
        skills: list[str] = ask("What are you good at? Name a few skills.")
        languages: list[str] = ask("Which languages do you speak?")
        things: list[str] = ask("What will you bring?")
        mail: str = ask("What's your email address?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.")


@pytest.mark.parametrize(
    ("line", "skills"),
    [
        ("punctual, clean record, know the A roads", ["punctual", "clean record", "know the A roads"]),
        ("quick, tidy, used to night shifts", ["quick", "tidy", "used to night shifts"]),
        ("typing, phone calls, no problem with stress", ["typing", "phone calls", "no problem with stress"]),
        ("i am fast, strong, i learn quick", ["fast", "strong", "learn quick"]),
        ("cooking, baking, you name it", ["cooking", "baking"]),
        ("good with people, calm, even when it gets busy", ["good with people", "calm"]),
    ],
)
async def test_each_part_is_one_and_no_talk_is(line: str, skills: list[str]) -> None:
    answers, _ = await told(Helper, line)
    assert answers == {"skills": skills}


@pytest.mark.parametrize(
    ("line", "languages"),
    [
        ("turkish and german, english i understand only", ["turkish", "german", "english"]),
        ("english, french, no german", ["english", "french"]),
        ("english, german, i learned it in school", ["english", "german"]),
    ],
)
async def test_what_was_left_out_is_one_where_it_surely_is(line: str, languages: list[str]) -> None:
    answers, _ = await told(Helper, "cooking", line)
    assert answers["languages"] == languages


@pytest.mark.parametrize(
    ("line", "things"),
    [
        ("a phone, black, a charger", ["a phone, black", "a charger"]),
        ("a lamp, two chairs, one of them broken, and a desk", ["a lamp", "two chairs, one of them broken", "a desk"]),
        ("a notebook, lined, and pens", ["a notebook, lined", "pens"]),
        ("scissors, glue, the blue folder", ["scissors", "glue", "the blue folder"]),
        ("a lamp, two books, all broken", ["a lamp", "two books"]),
    ],
)  # fmt: skip
async def test_what_only_describes_one_is_none(line: str, things: list[str]) -> None:
    answers, _ = await told(Helper, "cooking", "english", line)
    assert answers["things"] == things
