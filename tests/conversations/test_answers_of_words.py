"""Answers of words that nobody asked for, beside one of any kind: called by name, by their question, or in the form's order."""

from datetime import date

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from tests.conversations.kept import told


class Cleaning(Process, name="cleaning", version=1):
    """What has to be cleaned."""

    starts_on = ("plan a cleaning",)

    class Answers(BaseModel):
        by: date = ask("By when?")
        helpers: list[str] = ask("Who helps?", description="the helpers")
        key: str = ask("Where do we find the key?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


class Exhibit(Process, name="exhibit", version=1):
    """A work that is shown."""

    starts_on = ("show a work",)

    class Answers(BaseModel):
        width: int = ask("How wide is it, in centimetres?")
        owner: str = ask("Who owns it?")
        listeners: str = ask("Who should see it?", names=("audience",))

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


class Sculpture(Process, name="sculpture", version=1):
    """A work of some materials."""

    starts_on = ("show a sculpture",)

    class Answers(BaseModel):
        materials: list[str] = ask("What is it made of?")
        width: int = ask("How wide is it, in centimetres?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


async def test_what_is_another_answer_is_no_item_of_a_list() -> None:
    answers, _ = await told(Sculpture, "bronze and wax, 60 cm wide")
    assert answers == {"materials": ["bronze", "wax"], "width": 60}


@pytest.mark.parametrize(
    ("process", "said", "field", "value"),
    [
        (Cleaning, "1 March, the key is under the blue pot", "key", "under the blue pot"),
        (Exhibit, "120, the owner is the city museum", "owner", "the city museum"),
        (Exhibit, "about 45 and the owner is my uncle", "owner", "my uncle"),
        (Exhibit, "60. audience: school classes", "listeners", "school classes"),
    ],
)
async def test_an_answer_of_words_beside_a_day_or_a_number_is_kept(
    process: type[Process], said: str, field: str, value: str
) -> None:
    answers, _ = await told(process, said)
    assert (len(answers), answers.get(field)) == (2, value)


@pytest.mark.parametrize(
    ("process", "said"),
    [
        (Cleaning, "1 March, it looks terrible in there"),
        (Cleaning, "1 March, the key player was ill"),
        (Exhibit, "120, you will love it"),
        (Exhibit, "120, owners are always so proud of that"),
    ],
)
async def test_a_remark_beside_it_is_none(process: type[Process], said: str) -> None:
    answers, _ = await told(process, said)
    assert len(answers) == 1
