"""What is written as a list is one, whatever question comes next; items beside the others are kept."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.reader import LayeredReader
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept, told


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
        ("pens & paper, also a stapler please", ["pens", "paper", "a stapler"]),
        ("rock and roll posters", ["rock and roll posters"]),
    ],
)
async def test_every_item_is_kept_and_nothing_goes_elsewhere(line: str, items: list[str]) -> None:
    answers, words = await told(Shopping, line)

    assert answers == {"items": items}
    assert "What's your email address?" in words


@pytest.mark.parametrize(
    ("said", "items"),
    [
        ("batteries, a long ruler and some tape", ["batteries", "a long ruler", "some tape"]),
        ("we'll need two buckets as well as a broom", ["two buckets", "a broom"]),
        ("a table for Ines and Tom", ["a table for Ines and Tom"]),
    ],
)
async def test_what_is_told_in_one_breath_is_kept_item_by_item(said: str, items: list[str]) -> None:
    answers, words = await told(Shopping, said)

    assert answers == {"items": items}
    assert f"Items: {'; '.join(items)}." in words


async def test_a_list_that_is_told_anew_at_the_summary_is_kept_item_by_item() -> None:
    first = ("soap", "ada@example.org")
    answers, _ = await told(Shopping, *first, "items should be a mop, a bucket and soap")
    assert answers["items"] == ["a mop", "a bucket", "soap"]

    answers, _ = await told(Shopping, *first, "add a mop and a bucket to the items")
    assert answers["items"] == ["soap", "a mop", "a bucket"]


async def test_without_the_small_models_a_line_is_an_item() -> None:
    async with conversation(Shopping, clock=FrozenClock(), reader=LayeredReader()) as talk:
        await talk.say("go shopping")
        said = await talk.say("soap, a mop\na bucket")

        assert await kept(talk, said) == {"items": ["soap, a mop", "a bucket"]}
