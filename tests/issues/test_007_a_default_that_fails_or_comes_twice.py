"""A question with a default may fail to take it, and a process may ask two such questions."""

from datetime import timedelta

from pydantic import BaseModel

from softrail import Ask, Done, Process, Turn, step
from softrail.core.outcomes import Outcome
from softrail.testing import Conversation
from softrail.testing.plugin import Talk

HOUR = timedelta(hours=1)


class Nothing(BaseModel):
    """No data."""


class Patient(Process, name="patient", version=1):
    """Asks twice, and goes on by itself each time."""

    starts_on = ("take your time",)
    idle_timeout = None

    @step(goes_to=("second",))
    async def first(self, said: Turn, data: Nothing) -> Outcome:
        if said.origin == "timer":
            return Ask("And then?", step="second", default_after=HOUR)
        return Ask("What first?", default_after=HOUR)

    @step()
    async def second(self, said: Turn, data: Nothing) -> Outcome:
        return Done("Went on." if said.origin == "timer" else "Told.")


class Failing(Process, name="failing", version=1):
    """Cannot take its default."""

    starts_on = ("fail later",)
    idle_timeout = None

    @step()
    async def asking(self, said: Turn, data: Nothing) -> Outcome:
        if said.origin == "timer":
            raise RuntimeError("broken on purpose")
        return Ask("What?", default_after=HOUR)


async def _companion(c: Conversation) -> list[str]:
    assert c.session_id is not None
    items = await c.dispatcher.store.items(c.person.id, session_id=c.session_id)
    return [i.content for i in items[2:] if i.role == "companion"]


async def test_each_of_two_defaults_is_taken(talk: Talk) -> None:
    c = await talk(Patient)
    await c.say("take your time")

    for _ in range(2):
        c.advance(minutes=61)
        assert (await c.sweep()).defaulted == 1

    assert await _companion(c) == ["And then?", "Went on."]


async def test_a_default_that_fails_is_not_tried_for_ever(talk: Talk) -> None:
    c = await talk(Failing)
    await c.say("fail later")
    c.advance(minutes=61)

    swept = [(await c.sweep()).defaulted for _ in range(3)]

    assert swept == [1, 0, 0]
    [told] = await _companion(c)
    assert "Something went wrong" in told
    assert (await c.say("anything")).pending == "ask"
