"""What stands behind the very word that another question begins with answers that one, and a value is kept whole."""

from datetime import date
from typing import Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from tests.conversations.kept import told


class Fault(Process, name="fault", version=1):
    """Something has stopped to work."""

    starts_on = ("report a fault",)

    class Answers(BaseModel):
        service: Literal["internet", "television", "phone line"] = ask("What isn't working?")
        since: date = ask("Since which day?")
        floor: int = ask("Which floor do you live on?")
        tenant: str = ask("Who has signed for it?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.")


class Birth(Process, name="birth", version=1):
    """A child and its brothers and sisters."""

    starts_on = ("a child",)

    class Answers(BaseModel):
        born: date = ask("When was your child born?")
        siblings: int = ask("How many siblings are already with us?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.")


@pytest.mark.parametrize(
    "line",
    ["the internet, and that's since yesterday", "the internet, since the 1st of March I think"],
)
async def test_a_day_in_a_clause_of_its_own_answers_since_when(line: str) -> None:
    assert (await told(Fault, line))[0] == {"service": "internet", "since": "2026-03-01"}


async def test_a_whole_week_is_no_day() -> None:
    answers, words = await told(Fault, "television", "last week")

    assert answers == {"service": "television"}
    assert "Which day of that week is it?" in words


@pytest.mark.parametrize("line", ["the fourth", "it's on the 4th floor", "the fourth floor"])
async def test_a_place_in_a_row_is_the_number_of_which_one(line: str) -> None:
    answers, _ = await told(Fault, "television", "yesterday", line)

    assert answers["floor"] == 4


async def test_the_name_of_somebody_is_what_she_is_called() -> None:
    answers, _ = await told(Fault, "television", "yesterday", "4", "my landlady, her name is Ada Obi")

    assert answers["tenant"] == "Ada Obi"


async def test_the_year_of_a_day_is_no_number_of_something_else() -> None:
    answers, _ = await told(Birth, "9th of april two thousand and seventeen")

    assert answers == {"born": "2017-04-09"}


class Visit(Process, name="visit", version=1):
    """A visit to the vet."""

    starts_on = ("a visit to the vet",)

    class Answers(BaseModel):
        pet: str = ask("What is its name?")
        problem: str = ask("What is the matter with it?")
        since: date = ask("Since when?")
        medicines: list[str] = ask("Which medicines does it get?", default=[])
        plans: list[str] = ask("What's planned for today?", default=[])

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.")


async def test_what_comes_to_what_was_told_takes_no_place_of_it() -> None:
    answers, words = await told(Visit, "Minka", "she limps", "and she gets a thyroid pill as well")

    assert answers["problem"] == "she limps"
    assert "Medicines: a thyroid pill" in words


async def test_a_name_that_is_spelt_otherwise_is_the_name_alone() -> None:
    answers, _ = await told(Visit, "Minka", "she limps", "oh wait the name is spelt Mynka")

    assert answers["pet"] == "Mynka"


async def test_an_answer_is_not_left_out_on_a_guess() -> None:
    answers, words = await told(Visit, "Minka", "she limps", "yesterday", "none", "phone Petra")

    assert "plans" not in answers
    assert "“phone Petra”" in words
