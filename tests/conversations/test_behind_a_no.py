"""What is said behind a no is a remark as often as a change: no earlier answer is replaced by it unasked."""

from datetime import date

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from tests.conversations.kept import told


class Visit(Process, name="visit", version=1):
    """A visit to the doctor."""

    starts_on = ("see the doctor",)

    class Answers(BaseModel):
        who: str = ask("Who is it for?")
        matter: str = ask("What's the matter?", label="What's the matter")
        since: date = ask("Since when?")
        medicine: bool = ask("Does he take any medicine?")
        fever: bool = ask("Is there a fever?")
        notes: str = ask("Anything else we should know?", default="")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.")


UP_TO = {
    "medicine": ("my son", "an ear ache", "yesterday"),
    "fever": ("my son", "an ear ache", "yesterday", "no"),
    "summary": ("my son", "an ear ache", "yesterday", "no", "no", "skip"),
}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("medicine", "no meds, but he's allergic to penicillin"),
        ("medicine", "no, but he's allergic to penicillin"),
        ("medicine", "none, though he had a rash in May"),
        ("medicine", "nope, he is afraid of needles"),
        ("fever", "no, but he feels dizzy"),
        ("fever", "no. his throat is swollen"),
        ("summary", "no, but he feels dizzy"),
        ("summary", "nope but his throat is swollen"),
        ("summary", "no fever, he threw up though"),
    ],
)
async def test_a_remark_behind_a_no_changes_nothing_that_was_told_before(asked: str, said: str) -> None:
    before, _ = await told(Visit, *UP_TO[asked])
    answers, _ = await told(Visit, *UP_TO[asked], said)

    assert {name: answers[name] for name in before} == before


@pytest.mark.parametrize("said", ["no", "no, he doesn't", "no, he stopped them last week", "none at all"])
async def test_a_no_with_its_reason_is_one(said: str) -> None:
    answers, _ = await told(Visit, *UP_TO["medicine"], said)

    assert answers["medicine"] is False


async def test_what_is_right_behind_a_no_to_a_summary_is_a_change() -> None:
    answers, _ = await told(Visit, *UP_TO["summary"], "no, just a sore throat")

    assert answers["matter"] == "a sore throat"
