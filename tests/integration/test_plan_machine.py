"""Whatever is said in whatever order: phases move as the table says, one run goes on at a time, and nobody meets silence."""

import asyncio
import os

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from softrail.plans.tables import runs
from softrail.testing.contracts.counting import until
from tests.integration.plan_server import Planned, plan, planned, sum_of

#: In the suite a few; `SOFTRAIL_PLAN_EXAMPLES=200 SOFTRAIL_PLAN_MESSAGES=50` for all that is promised.
EXAMPLES = int(os.environ.get("SOFTRAIL_PLAN_EXAMPLES", "8"))
MESSAGES = int(os.environ.get("SOFTRAIL_PLAN_MESSAGES", "12"))

PRICE = sum_of("price", "12.50")
NEW = plan(PRICE, "gate", sum_of("total", "price * 3", "price", "gate"))
CHANGED = plan(PRICE, "gate", sum_of("total", "price * 4", "price", "gate"), word="replan")
SHORT = plan(PRICE, problem="Only the price")

#: What is said, and where it leads from each phase; what is not there leaves the phase as it is.
SAID: dict[str, dict[str, str]] = {
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
    "status": {},
    "how did you get that?": {},
    "/facts": {},
    "/proof": {},
    "/explore": {},
    "/plan nonsense": {},
}
OPEN, FAIL = "the gate opens", "the gate fails"


class Talk:
    """A conversation beside the phase that the table says it is in."""

    def __init__(self, ada: Planned) -> None:
        self._ada = ada
        self.phase = "idle"

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
        if what in (OPEN, FAIL):
            if self.phase == "executing":
                gate = self._ada.gates["gate"]
                gate.fails = "It is locked" if what == FAIL else ""
                gate.opened.set()
                await self.settled()
                gate.opened.clear()
            return
        reply = await self._ada.say(what)
        assert reply.companion_message.strip(), what
        self.phase = SAID[what].get(self.phase, self.phase)
        assert reply.process is None or reply.process.state == "active"
        await self.settled()

    async def check(self) -> None:
        instances = [i for i in await self._ada.store.instances(self._ada.here) if i.process == "planning"]
        assert [i.state for i in instances] == ["active"]
        assert instances[0].step == self.phase
        assert instances[0].holds is (self.phase == "awaiting_approval")
        query = select(func.count()).select_from(runs).where(runs.c.state == "running")
        running = await self._ada.store.read(lambda conn: conn.scalar(query))
        assert running == (1 if self.phase == "executing" else 0)


async def played(messages: list[str]) -> None:
    async with planned(encoder="none", reader="exact") as ada:
        talk = Talk(ada)
        for what in (NEW, *messages):
            await talk.do(what)
            await talk.check()


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
)
@given(st.lists(st.sampled_from([*SAID, OPEN, FAIL]), min_size=MESSAGES // 2, max_size=MESSAGES))
def test_whatever_is_said_the_phases_move_as_the_table_says(messages: list[str]) -> None:
    asyncio.run(played(messages))
