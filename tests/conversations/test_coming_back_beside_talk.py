"""Who comes back says a word of something else with it: “haha joking. continue”, “no don't pause, I told you the days”."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import FrozenClock, conversation


class Rental(Process, name="rental", version=1):
    """Rents a car."""

    title = "the car rental"
    starts_on = ("rent a car",)

    class Answers(BaseModel):
        town: str = ask("Which town shall it be?", label="town")
        age: int = ask("How old is the driver?", label="age")
        extras: list[str] = ask("Which extras?", default=[], label="extras")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Booked.")


@pytest.mark.parametrize(
    "line",
    ["haha joking. continue", "just kidding, go on", "no dont pause, i told you the town", "don't stop", "sorry! go on"],
)  # fmt: skip
async def test_what_was_paused_goes_on(line: str) -> None:
    async with conversation(Rental, clock=FrozenClock()) as talk:
        for earlier in ("rent a car", "Leeds", "stop"):
            await talk.say(earlier)
        said = await talk.say(line)
    assert said.process == "rental"
    assert said.text.endswith("How old is the driver?")


@pytest.mark.parametrize("line", ["the weather is really nice here, go on", "don't stop believing in me"])
async def test_more_words_are_something_else(line: str) -> None:
    async with conversation(Rental, clock=FrozenClock()) as talk:
        for earlier in ("rent a car", "Leeds", "stop"):
            await talk.say(earlier)
        said = await talk.say(line)
    assert said.process != "rental"


async def test_in_the_middle_of_it_such_words_are_an_answer() -> None:
    async with conversation(Rental, clock=FrozenClock()) as talk:
        await talk.say("rent a car")
        said = await talk.say("Don't Stop")
        assert "Don't Stop" in said.text


async def test_who_takes_leaving_back_does_not_leave() -> None:
    async with conversation(Rental, clock=FrozenClock()) as talk:
        for earlier in ("rent a car", "Leeds"):
            await talk.say(earlier)
        said = await talk.say("dont stop")
    assert said.text.endswith("How old is the driver?")


@pytest.mark.parametrize("line", ["gotta go, kid is crying", "i have to run, kid is crying"])
async def test_a_wish_to_leave_with_its_reason_is_heard(line: str) -> None:
    async with conversation(Rental, clock=FrozenClock()) as talk:
        for earlier in ("rent a car", "Leeds"):
            await talk.say(earlier)
        said = await talk.say(line)
    assert "Shall I pause the car rental" in said.text or "is paused" in said.text


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        (("Leeds", "33"), "none. what have i told you so far?"),
        (("Leeds", "33"), "a child seat. what have i told you?"),
        (("Leeds",), "show me everything"),
        (("Leeds",), "what did i tell you?"),
    ],
)
async def test_what_was_told_is_told_beside_an_answer(lines: tuple[str, ...], line: str) -> None:
    async with conversation(Rental, clock=FrozenClock()) as talk:
        await talk.say("rent a car")
        for earlier in lines:
            await talk.say(earlier)
        said = await talk.say(line)
    assert "- Town: Leeds" in said.text
    assert "no answer" not in said.text
