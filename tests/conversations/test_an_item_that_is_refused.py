"""An item that cannot be added leaves the list as it was, and why is said."""

from typing import Any

from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, Wrong, ask, check
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


class Camp(Process, name="camp", version=1):
    """What goes to a camp."""

    starts_on = ("pack for the camp",)

    class Answers(BaseModel):
        items: list[str] = ask("What do you take?")
        place: str = ask("Where is it?")
        tools: list[str] = ask("Which tools do you need?", default=[], max_length=2)

    @check("items")
    async def no_guns(self, answers: Answers, turn: Turn) -> Wrong | None:
        refused = any("gun" in item for item in answers.items)
        return Wrong("items", "No guns, please.") if refused else None

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("camp", answers)])


async def after(*lines: str) -> tuple[dict[str, Any], str]:
    async with conversation(Camp, clock=FrozenClock()) as talk:
        for line in ("pack for the camp", *lines):
            said = await talk.say(line)
        return await kept(talk, said), said.text


GIVEN = ("rice\nmaps", "Porto", "saw\naxe")


async def test_what_a_check_refuses_leaves_the_list_and_the_summary_comes_again() -> None:
    answers, words = await after(*GIVEN, "add guns to the items")

    assert answers["items"] == ["rice", "maps"]
    assert "No guns, please. I've left items as it was." in words
    assert "I've added" not in words
    assert "Is that right?" in words


async def test_the_yes_behind_it_completes_with_the_list_as_it_was() -> None:
    async with conversation(Camp, clock=FrozenClock()) as talk:
        for line in ("pack for the camp", *GIVEN, "add guns to the items", "yes"):
            said = await talk.say(line)

    assert said.text == "Kept."


async def test_what_the_type_refuses_leaves_the_list_as_well() -> None:
    answers, words = await after(*GIVEN, "add hammer to the tools")

    assert answers["tools"] == ["saw", "axe"]
    assert "I've left tools as it was." in words
    assert "Is that right?" in words


async def test_a_list_that_is_given_anew_and_refused_is_asked_for_again() -> None:
    answers, words = await after("guns\nmaps")

    assert "items" not in answers
    assert "No guns, please." in words
