"""“Why the hell do you need that. 55” gives the answer, and the question is heard beside it."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from tests.conversations.kept import told


class Rental(Process, name="rental", version=1):
    """Rents a car."""

    starts_on = ("rent a car",)

    class Answers(BaseModel):
        age: int = ask("How old is the driver?", ge=18, le=99, label="driver's age")
        town: str = ask("Which town shall it be?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Booked.")


@pytest.mark.parametrize(
    "line",
    [
        "why the hell do you need that. 55",
        "why on earth do you need my age! 55",
        "who cares? 55",
        "is that important? 55",
    ],
)
async def test_the_answer_is_all_of_the_last_sentence(line: str) -> None:
    answers, words = await told(Rental, line)
    assert answers == {"age": 55}
    assert "Driver's age: 55." in words


@pytest.mark.parametrize("line", ["what is the limit. 30?", "do I have to be 25", "can I be 17. or 25"])
async def test_what_is_asked_is_no_answer(line: str) -> None:
    answers, _ = await told(Rental, line)
    assert answers == {}
