"""Two options where one can be taken, or one or the other: nothing is chosen for the person, and both are on buttons."""

from typing import Any, Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept, told


class Complaint(Process, name="complaint", version=1):
    """What went wrong, and what becomes of it."""

    starts_on = ("complain",)

    class Answers(BaseModel):
        wish: Literal["money back", "a new one", "an apology"] = ask(
            "What do you want from us?", label="wish"
        )
        trouble: Literal["never arrived", "damaged", "wrong item", "late", "rude driver"] = ask(
            "What went wrong?"
        )
        remark: str = ask("Anything you would like to add?", default="")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.", effects=[Record("complaint", answers)])


class Meal(Process, name="meal", version=1):
    """A meal, and who eats it."""

    starts_on = ("order a meal",)

    class Answers(BaseModel):
        name: str = ask("What's your name?")
        dish: Literal["fish and chips", "roast beef", "vegetable stew"] = ask("Which dish would you like?")
        drink: Literal["tea", "coffee", "juice"] = ask("What would you like to drink?", label="drink")
        remark: str = ask("Anything you would like to add?", default="")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Ordered.", effects=[Record("meal", answers)])


async def asked(process: type[Process], *lines: str) -> tuple[dict[str, Any], list[str]]:
    """What is kept after those lines, and what is on the buttons."""
    async with conversation(process, clock=FrozenClock()) as talk:
        for line in (process.starts_on[0], *lines):
            heard = await talk.say(line)
        return await kept(talk, heard), heard.reply.suggested_actions or []


@pytest.mark.parametrize(
    ("said", "first"),
    [
        ("my money back and an apology!!", {"money back", "an apology"}),
        ("apology plus money back please", {"money back", "an apology"}),
        ("either money back or a new one, i dont mind", {"money back", "a new one"}),
        ("a new one, or if not then money back", {"money back", "a new one"}),
        ("give me my money and say you are sorry", {"money back", "an apology"}),
        ("a new one & an apology", {"an apology", "a new one"}),
    ],
)
async def test_which_of_two_is_asked(said: str, first: set[str]) -> None:
    answers, buttons = await asked(Complaint, said)
    assert answers == {}
    assert {*buttons[:2]} == first
    answers, _ = await asked(Complaint, said, buttons[1])
    assert answers == {"wish": buttons[1]}


@pytest.mark.parametrize("said", ["both, money AND sorry", "both", "I want both please!"])
async def test_both_are_not_one(said: str) -> None:
    answers, buttons = await asked(Complaint, said)
    assert answers == {}
    assert {"money back", "a new one", "an apology"} <= {*buttons}


async def test_options_that_are_meant_in_other_words_are_two_as_well() -> None:
    answers, buttons = await asked(Complaint, "an apology", "it came late and it was smashed")
    assert answers == {"wish": "an apology"}
    assert {*buttons[:2]} == {"late", "damaged"}


@pytest.mark.parametrize(
    ("said", "wish"),
    [
        ("my money back, no apology needed", "money back"),
        ("money back and quickly", "money back"),
        ("a new one instead of an apology", "a new one"),
        ("my money back and not a new one", "money back"),
        ("an apology, and I mean it", "an apology"),
    ],
)
async def test_one_of_them_is_one(said: str, wish: str) -> None:
    answers, _ = await told(Complaint, said)
    assert answers == {"wish": wish}


@pytest.mark.parametrize("said", ["fish and chips", "I'd like the fish and chips please"])
async def test_an_option_that_joins_two_things_is_one(said: str) -> None:
    answers, _ = await told(Meal, "Ann", said)
    assert answers == {"name": "Ann", "dish": "fish and chips"}


@pytest.mark.parametrize("said", ["Ann, and tea or coffee would be fine", "Ann. I drink coffee or juice"])
async def test_where_it_is_not_asked_for_its_own_question_asks_which(said: str) -> None:
    answers, _ = await told(Meal, said)
    assert "drink" not in answers


async def test_two_that_are_only_spoken_of_beside_the_one_are_none() -> None:
    answers, _ = await told(Meal, "Ann", "roast beef", "tea, I had coffee and juice yesterday")
    assert answers == {"name": "Ann", "dish": "roast beef", "drink": "tea"}
