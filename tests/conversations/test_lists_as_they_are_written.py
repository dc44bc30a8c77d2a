"""What is written as a list is one, whatever question comes next; items beside the others are kept."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from tests.conversations.kept import told


class Shopping(Process, name="shopping", version=1):
    """What to buy."""

    starts_on = ("go shopping",)

    class Answers(BaseModel):
        items: list[str] = ask("What do you need?")
        mail: str = ask("What's your email address?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.")


@pytest.mark.parametrize(
    ("line", "items"),
    [
        ("- soap\n- towels\n- a mop", ["soap", "towels", "a mop"]),
        ("1. soap\n2. towels", ["soap", "towels"]),
        ("* soap\n\n* stop\n", ["soap", "stop"]),
        ("pens & paper, also a stapler please", ["pens & paper", "a stapler"]),
        ("rock and roll posters", ["rock and roll posters"]),
    ],
)
async def test_every_item_is_kept_and_nothing_goes_elsewhere(line: str, items: list[str]) -> None:
    answers, words = await told(Shopping, line)

    assert answers == {"items": items}
    assert "What's your email address?" in words
