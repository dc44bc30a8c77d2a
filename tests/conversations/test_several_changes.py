"""One sentence changes several answers, each by its name: all of them are changed, or asked about."""

from typing import Any, Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


class Aid(Process, name="aid", version=1):
    """What a place needs."""

    starts_on = ("request aid",)

    class Answers(BaseModel):
        place: str = ask("Where is it?")
        amount: int = ask("How much money is needed?")
        kind: Literal["water", "food", "shelter"] = ask("What kind of aid is it?")
        days: int = ask("For how many days?")
        items: list[str] = ask("What do you need?", default=[])

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("aid", answers)])


GIVEN = ("Porto", "900", "food", "4", "rice")


async def changed(*lines: str, given: int = 5) -> tuple[dict[str, Any], str]:
    """What is not as it was given, and the last words."""
    async with conversation(Aid, clock=FrozenClock()) as talk:
        for line in ("request aid", *GIVEN[:given], *lines):
            said = await talk.say(line)
        answers = await kept(talk, said)
    as_given = {"place": "Porto", "amount": 900, "kind": "food", "days": 4, "items": ["rice"]}
    return {name: value for name, value in answers.items() if value != as_given[name]}, said.text


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("change the amount to 950 and the kind to water", {"amount": 950, "kind": "water"}),
        ("Can you change the amount to 950, and the kind to water?", {"amount": 950, "kind": "water"}),
        ("make the amount 950 and the days 6", {"amount": 950, "days": 6}),
        ("the amount should be 950 and the days 6", {"amount": 950, "days": 6}),
        ("amount 950, days 6", {"amount": 950, "days": 6}),
        (
            "set the place to Faro, the amount to 5 and the kind to water",
            {"place": "Faro", "amount": 5, "kind": "water"},
        ),
        ("set the place to Faro and Lisbon and the days to 7", {"place": "Faro and Lisbon", "days": 7}),
        (
            "change the amount to 950 and also add beans to the items",
            {"amount": 950, "items": ["rice", "beans"]},
        ),
        ("add beans to the items and 300 to the amount", {"amount": 1200, "items": ["rice", "beans"]}),
        ("add 300 to the amount and 2 to the days", {"amount": 1200, "days": 6}),
    ],
)
async def test_all_that_a_sentence_changes_is_changed_at_the_summary(
    said: str, expected: dict[str, object]
) -> None:
    assert (await changed(said))[0] == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("change the amount to 950 and the kind to water", {"amount": 950, "kind": "water"}),
        ("make the amount 950 and the days 6", {"amount": 950, "days": 6}),
        ("add beans to the items and 300 to the amount", {"amount": 1200, "items": ["beans"]}),
    ],
)
async def test_what_is_asked_for_may_be_among_them(said: str, expected: dict[str, object]) -> None:
    assert (await changed(said, given=3))[0] == expected


@pytest.mark.parametrize("said", ["change the kind to lemonade and the amount to 950"])
async def test_the_one_that_cannot_be_is_asked_for_when_the_other_is_changed(said: str) -> None:
    answers, words = await changed(said)

    assert answers == {"amount": 950}
    assert "Please choose one of these: water, food, shelter." in words


async def test_names_of_answers_in_an_answer_change_nothing() -> None:
    answers, _ = await changed("days of rain and the amount of mud", given=0)
    assert not {"amount", "days"} & set(answers)
