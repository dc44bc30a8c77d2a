"""Steps that hang, answer nonsense or cling to what they were handed (rows E2, E3 and E5)."""

import asyncio
import gc
import threading
import time
from collections.abc import Callable
from typing import Any, ClassVar

import pytest
from pydantic import BaseModel

from softrail import Ask, Done, Effect, Goto, Process, Record, Release, Turn, step
from softrail.core.outcomes import Outcome
from softrail.settings import Settings
from softrail.testing import FrozenClock, conversation
from tests.faults.kit import as_it_was, only

HANGS = 60.0  #: seconds that a step hangs, if it is let; far more than a busy machine takes for the rest


class Stuck(Process, name="stuck", version=1):
    """Never comes back from its step."""

    starts_on = ("get stuck",)
    hold = threading.Event()

    class Data(BaseModel):
        way: str = ""

    @step(
        asks="How?", goes_to=("sleeping", "waiting", "spinning"), options=["sleeping", "waiting", "spinning"]
    )
    async def how(self, said: Turn, data: Data) -> Outcome:
        return Goto(said.choice or "sleeping")

    @step(asks="Ready?", goes_to=("how",))
    async def sleeping(self, said: Turn, data: Data) -> Outcome:
        await asyncio.Event().wait()
        return Goto("how")

    @step(asks="Ready?", goes_to=("how",))
    def waiting(self, said: Turn, data: Data) -> Outcome:
        self.hold.wait(HANGS)  # a call into C that gives no sign
        return Goto("how")

    @step(asks="Ready?", goes_to=("how",))
    def spinning(self, said: Turn, data: Data) -> Outcome:
        end = time.monotonic() + HANGS
        while not self.hold.is_set() and time.monotonic() < end:
            pass
        return Goto("how")


@pytest.mark.parametrize("way", ["sleeping", "waiting", "spinning"])
async def test_a_step_that_hangs_ends_at_its_limit_and_delays_nobody(way: str, frozen: FrozenClock) -> None:
    limit = 0.3
    Stuck.hold.clear()
    async with conversation(Stuck, clock=frozen, settings=Settings(step_limit=limit)) as talk:
        try:
            await talk.say("get stuck")
            await talk.say(way)
            begun = time.monotonic()
            hanging = asyncio.create_task(talk.say("go"))
            turned = 0
            while not hanging.done():
                await asyncio.sleep(0.005)
                turned += 1
            said = await hanging

            assert limit <= time.monotonic() - begun < HANGS
            assert turned > 2  # the loop went on turning meanwhile; how fast is the machine's business
            assert "went wrong on my side" in said.text
            assert (said.state, said.step) == ("active", way)
            assert (await talk.say("stop")).state == "suspended"
        finally:
            Stuck.hold.set()


class Odd(Process, name="odd", version=1):
    """Returns whatever a test wants."""

    starts_on = ("be odd",)
    returns: Callable[[], Any] = staticmethod(lambda: None)

    class Data(BaseModel):
        said: list[Any] = []

    @step(asks="What?", goes_to=("what",))
    async def what(self, said: Turn, data: Data) -> Outcome:
        found: Outcome = type(self).returns()
        return found


class Mulish(BaseModel):
    """Data of another process."""

    said: int = 1


def circle() -> list[Any]:
    ring: list[Any] = []
    ring.append(ring)
    return ring


async def never() -> None:
    """A coroutine that nobody awaits."""


NONSENSE: dict[str, Callable[[], Any]] = {
    "nothing": lambda: None,
    "a text": lambda: "fine",
    "a number": lambda: 42,
    "an object": object,
    "a list of outcomes": lambda: [Done("fine")],
    "the class of an outcome": lambda: Done,
    "the parent of outcomes": Outcome,
    "an exception": lambda: ValueError("no"),
    "a coroutine": never,
    "a generator": lambda: (n for n in range(3)),
    "100 MB of words": lambda: Done("x" * 100_000_000),
    "words that are no text": lambda: Done(7),  # type: ignore[arg-type]
    "half of a surrogate pair": lambda: Done("\ud800"),
    "a question without words": lambda: Ask(" "),
    "a step that does not exist": lambda: Goto("elsewhere"),
    "a step that is no name": lambda: Goto(3),  # type: ignore[arg-type]
    "data of another kind": lambda: Ask("More?", data=Mulish()),
    "data that is a dict": lambda: Ask("More?", data={"said": []}),
    "data with an object": lambda: Ask("More?", data=Odd.Data(said=[object()])),
    "data with a circle": lambda: Ask("More?", data=Odd.Data(said=circle())),
    "100 MB of data": lambda: Ask("More?", data=Odd.Data(said=["x" * 100_000_000])),
    "data with half a surrogate pair": lambda: Ask("More?", data=Odd.Data(said=["\udfff"])),
    "a record with an object": lambda: Done("Kept.", effects=[Record("odd", {"it": object()})]),
    "a record with a circle": lambda: Done("Kept.", effects=[Record("odd", {"it": circle()})]),
    "an effect with not a number": lambda: Done(
        "Kept.", effects=[Effect(kind="odd", summary="Odd", payload={"n": float("nan")})]
    ),
    "an effect without words": lambda: Done("Kept.", effects=[Effect(kind="odd", summary=None)]),  # type: ignore[arg-type]
    "effects that are none": lambda: Done("Kept.", effects=["saved"]),  # type: ignore[list-item]
    "options that are none": lambda: Ask("Which?", options=[1, 2]),  # type: ignore[list-item]
}


@pytest.mark.parametrize("what", NONSENSE)
async def test_nonsense_is_refused_before_the_commit(what: str, frozen: FrozenClock) -> None:
    async with conversation(Odd, clock=frozen) as talk:
        Odd.returns = staticmethod(lambda: Ask("More?", data=Odd.Data(said=["kept"])))
        await talk.say("be odd")
        await talk.say("tea")
        before = await only(talk)
        Odd.returns = staticmethod(NONSENSE[what])

        said = await talk.say("coffee")
        gc.collect()

        assert "went wrong on my side" in said.text
        assert len(said.text) < 500
        assert said.effects == []
        assert as_it_was(await only(talk)) == as_it_was(before)
        assert await talk.records("odd") == []


class Clinging(Process, name="clinging", version=1):
    """Keeps everything it was ever handed, and scribbles over it afterwards."""

    starts_on = ("cling",)
    handed: ClassVar[list[Any]] = []

    class Data(BaseModel):
        said: list[str] = []

    @step(asks="What?", goes_to=("what",))
    async def what(self, said: Turn, data: Data) -> Outcome:
        for old in self.handed:
            old.said.append(f"scribbled while {said.message}")
        given = self.Data(said=[*data.said, said.message])
        data.said.append("scribbled over the argument")
        self.handed.extend([data, given])
        return Ask("More?", data=given, effects=[Record("clinging", {"said": given.said}, key=said.message)])


async def test_what_a_process_clings_to_leaks_into_no_state(frozen: FrozenClock) -> None:
    Clinging.handed.clear()
    async with conversation(Clinging, clock=frozen) as talk:
        people = ("sam@example.org", "robin@example.org")
        sessions: dict[str, str | None] = {}
        for person in people:
            await talk.become(person)
            await talk.say("cling")
            sessions[person] = talk.session_id
        for n in range(20):
            for person in people:
                await talk.become(person)
                talk.session_id = sessions[person]
                await talk.say(f"{person[0]}{n}")
                for old in Clinging.handed:
                    old.said.append("scribbled after the turn")
        for person in people:
            await talk.become(person)
            kept = await talk.records("clinging")
            expected = [f"{person[0]}{n}" for n in range(20)]
            assert max(kept, key=lambda record: len(record["said"]))["said"] == expected


async def test_a_release_leaves_the_question_to_be_asked_again(frozen: FrozenClock) -> None:
    async with conversation(Odd, clock=frozen) as talk:
        Odd.returns = staticmethod(Release)
        await talk.say("be odd")
        said = await talk.say("tea")
        assert (said.state, said.pending) == ("active", "ask")
        assert said.text.endswith("What?")
