"""What an answer depends on, and cannot hold, is handed on to the remarks or told of; it does not go without a word."""

from datetime import date, timedelta
from typing import Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


class Booth(Process, name="booth", version=1):
    """A booth at a fair."""

    starts_on = ("book a booth",)

    class Answers(BaseModel):
        size: Literal["small", "large"] = ask("Which size?")
        power: bool = ask("Do you need power?")
        first_day: date = ask("From which day?")
        stay: timedelta = ask("How long will you stay?")
        helpers: int = ask("How many helpers?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("booth", answers)])


class Lift(Process, name="lift", version=1):
    """A lift to the station."""

    starts_on = ("get me a lift",)

    class Answers(BaseModel):
        day: date = ask("On which day?")
        dog: bool = ask("Does a dog come along?")
        seats: int = ask("How many seats?")
        note: str = ask("Anything else we should know?", default="")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("lift", answers)])


ALL = ("large", "yes", "9 March 2026", "3 days", "2")


@pytest.mark.parametrize(
    ("before", "said", "told"),
    [
        (1, "yes but only for the lamps", "but only for the lamps"),
        (1, "no, unless the hall is dark", "unless the hall is dark"),
        (0, "the large one, provided there is a wall behind it", "provided there is a wall behind it"),
        (2, "9 March 2026, but not before ten", "but not before ten"),
        (3, "three days, and no evenings please", "no evenings please"),
        (4, "2, depending on the weather", "depending on the weather"),
    ],
)
async def test_it_is_told_that_there_is_no_place_for_it(before: int, said: str, told: str) -> None:
    async with conversation(Booth, clock=FrozenClock()) as talk:
        for line in ("book a booth", *ALL[:before]):
            await talk.say(line)
        answered = await talk.say(said)
        assert f"I have no place for “{told}” there" in answered.text
        assert len(await kept(talk, answered)) == before + 1


async def test_where_remarks_are_still_asked_for_it_is_put_there_on_a_button() -> None:
    async with conversation(Lift, clock=FrozenClock()) as talk:
        for line in ("get me a lift", "9 March 2026"):
            await talk.say(line)
        answered = await talk.say("yes, but only if he may sit in front")
        assert "no place" not in answered.text
        put = await talk.say("2")
        assert put.reply.pending is not None
        assert list(put.reply.pending.options) == ["but only if he may sit in front"]
        assert (await kept(talk, await talk.say("yes")))["note"] == "but only if he may sit in front"


@pytest.mark.parametrize(
    ("before", "said", "told"),
    [
        (1, "yes please, and let them know it is a puppy", "it is a puppy"),
        (1, "no but tell him we bring skis", "we bring skis"),
        (1, "yes, could you tell her that he barks", "he barks"),
        (1, "no, and please say we are late", "say we are late"),
        (1, "no. tell the driver I walk with a stick", "tell the driver I walk with a stick"),
    ],
)
async def test_what_somebody_is_to_be_told_is_put_there_too(before: int, said: str, told: str) -> None:
    async with conversation(Lift, clock=FrozenClock()) as talk:
        for line in ("get me a lift", "9 March 2026"):
            await talk.say(line)
        answered = await talk.say(said)
        assert "no answer" not in answered.text
        put = await talk.say("2")
        assert put.reply.pending is not None
        assert list(put.reply.pending.options) == [told]
        assert (await kept(talk, await talk.say("yes")))["note"] == told


async def test_without_remarks_it_is_told_that_nobody_is_told() -> None:
    async with conversation(Booth, clock=FrozenClock()) as talk:
        for line in ("book a booth", *ALL[:4]):
            await talk.say(line)
        answered = await talk.say("2, and tell him that one of them is deaf")
        assert "I have no place for “one of them is deaf” there" in answered.text


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (1, "yes please"),
        (1, "yes, to tell the truth"),
        (3, "three days, to tell you the truth"),
        (3, "three days I'd say, we are slow"),
        (1, "no, we bring our own"),
        (0, "not the small one but the large one"),
        (2, "not the 8th but the 9th of March 2026"),
        (4, "2, or is that too many?"),
        (1, "yes, if that is at all possible"),
        (1, "yes if you like"),
        (2, "9 March 2026, if that's ok"),
        (4, "2, if I remember rightly"),
        (3, "three days if possible please"),
    ],
)
async def test_what_binds_nothing_is_not_spoken_of(before: int, said: str) -> None:
    async with conversation(Booth, clock=FrozenClock()) as talk:
        for line in ("book a booth", *ALL[:before]):
            await talk.say(line)
        assert "no place" not in (await talk.say(said)).text
