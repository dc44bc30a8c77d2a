"""A wish to leave is asked about where the step that hears anything has nothing of it, instead of being lost."""

import pytest
from pydantic import BaseModel

from softrail import Ask, Done, Outcome, Process, Release, Turn, step
from softrail.testing.plugin import Talk


class Dinner(BaseModel):
    """What is known of it."""


class Menu(Process, name="menu", version=1):
    """The dinner."""

    starts_on = ("plan the dinner",)

    @step(first=True, goes_to=("chosen",))
    async def begin(self, said: Turn, data: Dinner) -> Outcome:
        return Ask(
            "Fish or pasta? Or tell me anything else that matters.", step="chosen", options=("Fish", "Pasta")
        )

    @step(takes_anything=True)
    async def chosen(self, said: Turn, data: Dinner) -> Outcome:
        wanted = said.message.lower()
        if "fish" in wanted or "pasta" in wanted:
            return Done(f"It will be {wanted}.")
        return Release()


@pytest.mark.parametrize("said", ["let us look at this next week", "can we do that tomorrow instead"])
async def test_a_wish_to_come_back_later_is_asked_about(talk: Talk, said: str) -> None:
    c = await talk(Menu)
    await c.say("plan the dinner")

    heard = await c.say(said)

    assert "shall i pause the menu" in heard.text.lower()
    assert (await c.say("Pause the menu")).state == "suspended"


async def test_going_on_brings_the_question_back(talk: Talk) -> None:
    c = await talk(Menu)
    await c.say("plan the dinner")
    await c.say("let us look at this next week")

    assert "Fish or pasta?" in (await c.say("Go on")).text


async def test_what_is_about_something_else_is_answered_as_before(talk: Talk) -> None:
    c = await talk(Menu)
    await c.say("plan the dinner")

    heard = await c.say("my bicycle is green")

    assert "Fish or pasta?" in heard.text
    assert "pause" not in heard.text.lower()


async def test_it_is_not_asked_twice_in_a_row(talk: Talk) -> None:
    c = await talk(Menu)
    await c.say("plan the dinner")
    await c.say("let us look at this next week")

    again = await c.say("let us look at this next week")

    assert "shall i pause" not in again.text.lower()
    assert "Fish or pasta?" in again.text
