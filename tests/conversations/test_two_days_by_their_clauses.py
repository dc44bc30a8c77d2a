"""Two days in one message, each in a clause that says whose it is: "pick up on Friday, bring it back on Monday"."""

from datetime import date
from typing import Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from tests.conversations.kept import told


class Rental(Process, name="rental", version=1):
    """A van for some days."""

    starts_on = ("rent a van",)

    class Answers(BaseModel):
        place: Literal["airport", "station"] = ask("Where would you like to pick it up?")
        pickup: date = ask("On what day do you want to pick it up?", label="pick-up day")
        giveback: date = ask("And what day will you bring it back?", label="return day")
        size: Literal["small", "large"] = ask("Small or large?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("rental", answers)])


@pytest.mark.parametrize("before", [(), ("airport",)], ids=["asked where", "asked when"])
@pytest.mark.parametrize(
    ("said", "pickup", "giveback"),
    [
        ("pick up on the 5th, drop off on the 9th", "2026-03-05", "2026-03-09"),
        ("pick up on the 5th, bring back on the 9th", "2026-03-05", "2026-03-09"),
        ("pickup 5 march, return 9 march", "2026-03-05", "2026-03-09"),
        ("pick up friday, drop off monday", "2026-03-06", "2026-03-09"),
        ("pick it up friday and return sunday", "2026-03-06", "2026-03-08"),
        ("fetch it on the 5th and give it back on the 9th", "2026-03-05", "2026-03-09"),
        ("return on the 9th, pickup on the 5th", "2026-03-05", "2026-03-09"),
        ("pickup tomorrow. drop-off: monday", "2026-03-03", "2026-03-09"),
        ("pick up on the 28th, return on the 4th", "2026-03-28", "2026-04-04"),
    ],
)
async def test_each_day_is_of_the_answer_that_its_clause_speaks_of(
    before: tuple[str, ...], said: str, pickup: str, giveback: str
) -> None:
    answers, _ = await told(Rental, *before, said)

    assert (answers["pickup"], answers["giveback"]) == (pickup, giveback)


async def test_what_else_is_told_is_kept_besides() -> None:
    answers, _ = await told(Rental, "station. tomorrow, back on sunday")

    assert answers == {"place": "station", "pickup": "2026-03-03", "giveback": "2026-03-08"}


async def test_both_are_changed() -> None:
    given = ("airport", "5 march", "9 march")

    answers, _ = await told(Rental, *given, "small", "pick up on the 6th, return on the 10th")
    assert (answers["pickup"], answers["giveback"]) == ("2026-03-06", "2026-03-10")

    answers, _ = await told(Rental, *given, "pickup is the 6th, return the 10th")
    assert (answers["pickup"], answers["giveback"]) == ("2026-03-06", "2026-03-10")


async def test_a_day_that_is_put_right_is_none_of_the_other_answer() -> None:
    given = {"place": "airport", "pickup": "2026-03-05"}

    assert (await told(Rental, "airport", "5 march", "back 9 march. no the 7th. ah leave it 9th"))[0] == given


@pytest.mark.parametrize(
    "said",
    [
        "pick up thursday, friday is a holiday",
        "pick it up on thursday, on friday I work",
        "thursday, but I have to work on friday",
        "thursday, friday",
        "thursday. friday we fly",
    ],
)
async def test_a_day_of_which_nothing_says_whose_it_is_is_no_answer(said: str) -> None:
    answers, _ = await told(Rental, "airport", said)

    assert "giveback" not in answers
    assert answers.get("pickup", "2026-03-05") == "2026-03-05"


async def test_the_last_day_lies_behind_the_first_one_whatever_its_question_says() -> None:
    answers, _ = await told(Rental, "airport", "28 march", "the 4th")

    assert answers["giveback"] == "2026-04-04"
