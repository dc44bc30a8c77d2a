"""A button of the question before the last is known one reply later; when it no longer applies, it is said so."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from tests.conversations.kept import told


class Search(Process, name="search", version=1):
    """A search for a flat."""

    starts_on = ("find me a flat",)

    class Answers(BaseModel):
        areas: list[str] = ask("Which parts of town would you like?", label="areas")
        rooms: int = ask("How many rooms do you need?", ge=1)
        floor: int = ask("Which floor at most?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


ASKED = ("Northside and the old town", "no hang on, just the old town and maybe Riverside")
BUTTON = "Areas: Riverside as well"


async def test_what_is_asked_has_that_button() -> None:
    _, asked = await told(Search, *ASKED)
    assert BUTTON[1:] in asked


@pytest.mark.parametrize("between", ["three rooms... two would do too actually", "hm", "why?"])
async def test_it_does_one_reply_later_what_it_says(between: str) -> None:
    answers, _ = await told(Search, *ASKED, between, BUTTON)
    assert answers["areas"] == ["Northside", "the old town", "Riverside"]


@pytest.mark.parametrize("later", [BUTTON, f"{BUTTON}, please"])
async def test_it_is_known_at_once_and_with_a_please(later: str) -> None:
    answers, _ = await told(Search, *ASKED, later)
    assert answers["areas"] == ["Northside", "the old town", "Riverside"]


async def test_none_of_them_changes_nothing_later_either() -> None:
    answers, words = await told(Search, *ASKED, "three rooms... two would do too actually", "None of these")
    assert answers == {"areas": ["Northside", "the old town"]}
    assert words.startswith("How many rooms do you need?")


async def test_of_a_question_that_is_answered_it_is_said_that_it_is_no_longer_open() -> None:
    answers, words = await told(Search, *ASKED, BUTTON, BUTTON)
    assert answers == {"areas": ["Northside", "the old town", "Riverside"]}
    assert words.startswith("That question is no longer open")
