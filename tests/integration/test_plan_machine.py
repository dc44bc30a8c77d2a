"""Whatever is said in whatever order: phases move as the table says, one run goes on at a time, and nobody meets silence.

A standup may be begun at any time, and weeks may pass. What is recorded is read back at the end of each conversation.
"""

import asyncio
import os
from collections.abc import Sequence

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from softrail.core.instances import Instance, State
from softrail.core.turns import Reply
from softrail.plans.tables import runs
from softrail.plans.values import Standing
from softrail.replay.clock import FrozenClock
from softrail.testing.contracts.counting import until
from tests.integration.plan_server import Planned, plan, planned, sum_of
from tests.plan_history import outside_the_tables, phases

#: In the suite a few; the row L8 of the long fault tests plays all that is promised.
EXAMPLES = int(os.environ.get("SOFTRAIL_PLAN_EXAMPLES", "10"))
MESSAGES = int(os.environ.get("SOFTRAIL_PLAN_MESSAGES", "16"))

PRICE = sum_of("price", "12.50")
NEW = plan(PRICE, "gate", sum_of("total", "price * 3", "price", "gate"))
CHANGED = plan(PRICE, "gate", sum_of("total", "price * 4", "price", "gate"), word="replan")
SHORT = plan(PRICE, problem="Only the price")

#: What is said, and where it leads from each phase; what is not there leaves the phase as it is.
SAID: dict[str, dict[str, str]] = {
    "status": {},  # the first is what a conversation that fails is made of as far as it can be
    NEW: dict.fromkeys(("idle", "planning", "awaiting_approval", "failed"), "awaiting_approval"),
    SHORT: dict.fromkeys(("idle", "planning", "awaiting_approval", "failed"), "awaiting_approval"),
    CHANGED: dict.fromkeys(
        ("idle", "planning", "awaiting_approval", "executing", "failed"), "awaiting_approval"
    ),
    "yes": {"awaiting_approval": "executing"},
    "no": {"awaiting_approval": "planning"},
    "stop": dict.fromkeys(("planning", "awaiting_approval", "executing", "failed"), "idle"),
    "/retry": {"failed": "executing"},
    "3": {"failed": "idle"},
    "/redo": dict.fromkeys(("idle", "failed"), "executing"),
    "/reset": dict.fromkeys(("planning", "awaiting_approval", "failed"), "idle"),
    "how did you get that?": {},
    "/facts": {},
    "/proof": {},
    "/explore": {},
    "/plan nonsense": {},
    "let's do my standup": {},
    "wrote tests": {},
}
OPEN, FAIL, WEEK = "the gate opens", "the gate fails", "a week passes"


def leads(what: str, phase: str, standing: Standing) -> str:
    """Where a word leads; what waits comes at once where the plan is given up, but for doing it again."""
    if what == "/redo" and standing.run is None:
        return phase
    there = SAID[what].get(phase, phase)
    return comes_next(standing) if what == "3" and there != phase else there


def comes_next(standing: Standing) -> str:
    """The plan that waits, or none."""
    return "idle" if standing.queued is None else "awaiting_approval"


def over(standing: Standing) -> str:
    """Where it goes on when a plan is over: done once more, or with the one that waits."""
    if "redo" in standing.later and "reset" not in standing.later:
        return "executing"
    return comes_next(standing)


def as_it_was(standup: Instance | None) -> tuple[object, ...]:
    return () if standup is None else (standup.state, standup.step, standup.data, standup.holds)


class Talk:
    """A conversation beside the phase that the table says it is in."""

    def __init__(self, ada: Planned, clock: FrozenClock) -> None:
        self._ada = ada
        self._clock = clock
        self.phase = "awaiting_approval"

    async def settled(self) -> None:
        """Wait until the run is at its gate, or over, and was told."""

        async def rests() -> bool:
            standing = await self._ada.standing()
            run = standing.run
            if run is None or run.state == "cancelled":
                return True
            if run.state == "running":
                gate = run.steps.get("gate")
                return (
                    gate is not None
                    and gate.state == "running"
                    and not self._ada.gates["gate"].opened.is_set()
                )
            phase = await self._ada.phase()
            return phase != "executing" and (standing.queued is None or phase != "idle")

        await until(rests, 30)
        if self.phase == "executing" and await self._ada.phase() != "executing":
            self.phase = await self._over()

    async def _over(self) -> str:
        """A run that was over has led where the table says; a plan that waited is shown then."""
        phase = await self._ada.phase()
        assert phase in ("idle", "failed", "awaiting_approval")
        return phase

    async def do(self, what: str) -> None:
        """Say it, or have it happen."""
        match what:
            case "the gate opens" | "the gate fails":
                await self._gate(what)
            case "a week passes":
                self._clock.advance(days=7)
                await self._ada.dispatcher.sweep()
            case _:
                await self._say(what)

    async def _gate(self, what: str) -> None:
        """The step that waits goes on, or fails; whoever holds the session meanwhile is not disturbed."""
        if self.phase != "executing":
            return
        before, standing = await self._holder(), await self._ada.standing()
        gate = self._ada.gates["gate"]
        gate.fails = "It is locked" if what == FAIL else ""
        gate.opened.set()
        await self.settled()
        gate.opened.clear()
        assert as_it_was(await self._holder()) == as_it_was(before)
        ways = {over(standing)} if what == OPEN else {"failed"}
        if "executing" in ways:  # once more, through the gate that is open: over again
            ways = {comes_next(standing)}
        assert self.phase in ways

    async def _say(self, what: str) -> None:
        holder, standing = await self._holder(), await self._ada.standing()
        paused = [one for one in await self._standups() if one.state is State.SUSPENDED]
        before = self.phase
        reply = await self._ada.say(what)
        assert reply.companion_message.strip(), what
        self.phase = leads(what, before, standing)
        if holder is not None and not what.startswith("/"):
            self.phase = before  # words are whose turn it is
        elif paused and not what.startswith("/") and await self._ada.phase() == before:
            self.phase = before  # they may be the late answer to a standup that was paused
        assert reply.process is None or reply.process.state in (
            "active",
            "suspended",
            "declined",
            "completed",
        )
        if holder is not None:
            await self._after_the_holder(what, holder, reply)
        await self.settled()

    async def _after_the_holder(self, what: str, before: Instance, reply: Reply) -> None:
        """What is meant for plans leaves the standup as it was; after it the plan's question is asked."""
        after = await self._holder()
        if what.startswith("/"):
            assert as_it_was(after) == as_it_was(before)
        if after is None and self.phase == "awaiting_approval":
            assert reply.companion_message.endswith("Shall I go ahead?")

    async def _standups(self) -> Sequence[Instance]:
        return [one for one in await self._ada.store.instances(self._ada.here) if one.process == "standup"]

    async def _holder(self) -> Instance | None:
        """The standup that holds the session, if there is one."""
        found = [one for one in await self._standups() if one.holds]
        assert len(found) < 2
        return found[0] if found else None

    async def check(self) -> None:
        """Planning is where the table says, with one run that goes on, or none."""
        instances = [i for i in await self._ada.store.instances(self._ada.here) if i.process == "planning"]
        assert [i.state for i in instances] == ["active"]
        assert instances[0].step == self.phase
        asks = self.phase == "awaiting_approval" and await self._holder() is None
        assert instances[0].holds is asks
        query = select(func.count()).select_from(runs).where(runs.c.state == "running")
        running = await self._ada.store.read(lambda conn: conn.scalar(query))
        assert running == (1 if self.phase == "executing" else 0)

    async def recorded(self) -> None:
        """Every move that was recorded is in its table, the last led here, and everything said has its answer."""
        store, here = self._ada.store, self._ada.here
        assert await outside_the_tables(store, "ada", here) == []
        came = await phases(store, "ada", here)
        assert came[-1][1] == self.phase
        items = await store.items("ada", session_id=here, limit=10_000)
        said = [item.turn_id for item in items if item.role == "operator"]
        told = [item.turn_id for item in items if item.role == "companion" and item.content.strip()]
        assert set(said) <= set(told)
        assert len(told) == len(set(told))


async def played(messages: list[str]) -> None:
    with FrozenClock().installed() as clock:
        async with planned(encoder="none", reader="exact") as ada:
            await ada.say(NEW)
            talk, said = Talk(ada, clock), ["a plan"]
            try:
                for what in messages:
                    said.append(f"{what.replace(chr(10), ' ')[:60]} in {talk.phase}")
                    await talk.do(what)
                    await talk.check()
                await talk.recorded()
            except BaseException as error:
                error.add_note("\n".join(said))
                raise


def play(examples: int, messages: int) -> None:
    """So many conversations of so many messages; raises what one of them breaks. Call it off the event loop."""

    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.explicit, Phase.generate, Phase.shrink),
    )
    @given(st.lists(st.sampled_from([*SAID, OPEN, FAIL, WEEK]), min_size=messages, max_size=messages))
    def each(messages: list[str]) -> None:
        asyncio.run(played(messages))

    each()


def test_whatever_is_said_the_phases_move_as_the_table_says() -> None:
    play(EXAMPLES, MESSAGES)
