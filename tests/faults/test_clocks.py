"""A clock that jumps, stands still or runs back, and an answer at the very limit (rows D1 and D4)."""

from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from pydantic import BaseModel

from softrail import Ask, Process, Record, Turn, step
from softrail.core.instances import State
from softrail.core.outcomes import Outcome
from softrail.testing import FrozenClock
from tests.faults.kit import contents, file_url, person_of, say, worker

JUMPS = {
    "an hour back": lambda n: timedelta(hours=-1) if n == 10 else timedelta(seconds=1),
    "an hour ahead": lambda n: timedelta(hours=1) if n == 10 else timedelta(seconds=1),
    "ten years back": lambda n: timedelta(days=-3652) if n == 10 else timedelta(seconds=1),
    "frozen": lambda n: timedelta(0),
    "at random": lambda n: timedelta(minutes=Random(n).randint(-20, 20)),
}


class Counting(Process, name="counting", version=1):
    """Counts what it is told."""

    starts_on = ("count with me",)
    idle_timeout = timedelta(minutes=30)

    class Data(BaseModel):
        said: list[str] = []

    @step(asks="Next?", goes_to=("count",), takes_anything=True)
    async def count(self, said: Turn, data: Data) -> Outcome:
        told = [*data.said, said.message]
        return Ask("Next?", data=self.Data(said=told), effects=[Record("counted", {"said": told})])


@pytest.mark.parametrize("jump", JUMPS)
async def test_whatever_the_clock_does_order_and_answers_stay_as_they_were_said(
    jump: str, tmp_path: Path
) -> None:
    with FrozenClock().installed() as clock:
        async with worker(file_url(tmp_path), Counting) as one, worker(file_url(tmp_path), Counting) as two:
            person = await person_of(one)
            session = (await say(one, person, "count with me")).session_id
            for n in range(20):
                step_ = JUMPS[jump](n)
                clock.advance(seconds=step_.total_seconds())
                before = len(await one.store.transitions([(await one.store.instances(session))[0].id]))
                await one.sweep()
                moved = (
                    len(await one.store.transitions([(await one.store.instances(session))[0].id])) - before
                )
                # Nobody is suspended because time ran back or stood still.
                assert moved == 0 or step_ > timedelta(0)
                reply = await say((one, two)[n % 2], person, f"{n}", session_id=session)
                assert reply.seq == 3 + 2 * n
                assert reply.process is not None
                assert reply.process.state == "active"
            assert await contents(one, person, session) == ["count with me", *(f"{n}" for n in range(20))]
            [instance] = await one.store.instances(session)
            assert instance.state is State.ACTIVE
            kept = [record.data["said"] for record in await one.store.list(person.id, "counted")]
            assert max(kept, key=len) == [f"{n}" for n in range(20)]


@pytest.mark.parametrize("swept", [False, True], ids=["unswept", "swept"])
@pytest.mark.parametrize(
    ("milliseconds", "over"),
    [(-1, False), (0, False), (1, True)],
    ids=["29:59.999", "30:00.000", "30:00.001"],
)
async def test_at_exactly_the_limit_a_process_is_still_active_and_a_late_answer_is_not_lost(
    url: str, milliseconds: int, over: bool, swept: bool
) -> None:
    with FrozenClock().installed() as clock:
        async with worker(url, Counting) as one:
            person = await person_of(one, f"limit{milliseconds}{swept}")
            session = (await say(one, person, "count with me")).session_id
            clock.advance(minutes=30, milliseconds=milliseconds)
            if swept:
                await one.sweep()

            late = await say(one, person, "seven", session_id=session)

            [instance] = await one.store.instances(session)
            moves = [str(m.trigger) for m in await one.store.transitions([instance.id])]
            assert moves == (["start", "timeout", "resume"] if over else ["start"])
            assert instance.state is State.ACTIVE
            assert late.companion_message.startswith("Picking up") == over
            assert late.companion_message.endswith("Next?")
            [kept] = await one.store.list(person.id, "counted")
            assert kept.data["said"] == ["seven"]


@pytest.mark.parametrize("milliseconds", [-1, 0, 1], ids=["29:59.999", "30:00.000", "30:00.001"])
async def test_at_the_limit_a_question_of_the_persons_own_is_answered(url: str, milliseconds: int) -> None:
    with FrozenClock().installed() as clock:
        async with worker(url, Patient) as one:
            person = await person_of(one, f"own{milliseconds}")
            session = (await say(one, person, "wait for me")).session_id
            clock.advance(minutes=30, milliseconds=milliseconds)
            reply = await say(one, person, "what's the weather like in Rome?", session_id=session)
            [instance] = await one.store.instances(session)
            moves = [str(m.trigger) for m in await one.store.transitions([instance.id])]
            assert moves == ["start", *(["timeout"] if milliseconds > 0 else [])]
            assert instance.state is (State.SUSPENDED if milliseconds > 0 else State.ACTIVE)
            assert reply.companion_message


class Patient(Process, name="patient", version=1):
    """Waits for an answer of its own kind."""

    starts_on = ("wait for me",)
    idle_timeout = timedelta(minutes=30)

    class Data(BaseModel):
        said: str = ""

    @step(asks="What is its name?", goes_to=("wait",))
    async def wait(self, said: Turn, data: Data) -> Outcome:
        return Ask("And now?", data=self.Data(said=said.message))
