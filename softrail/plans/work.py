"""Carries runs out: steps whose needs are there run at the same time, each kept as soon as it has ended."""

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from sqlalchemy import select, update

from softrail import Actions, Attempt, Signal
from softrail.plans import words
from softrail.plans.advancing import Advanced, Begin, Course, Ended, advance
from softrail.plans.data.files import Files
from softrail.plans.phases import TABLE, Phase
from softrail.plans.proofs.making import proof_of
from softrail.plans.proofs.proof import written
from softrail.plans.records import run_of, standing
from softrail.plans.tables import runs
from softrail.plans.telling import PROCESS, tell
from softrail.plans.thinking.phrasing import Phrasing
from softrail.plans.values import Standing, made_of
from softrail.plugin import Claim, ConversationError, Host, NotFound, OutboxItem, ServiceError, SqlStore

KIND: Final = "plan"  #: of long work
BATCH: Final = 100
_PERSON: Final = select(runs.c.person_id)

log = logging.getLogger(__name__)


class Plans:
    """What turns and routes share with whoever drives: the store, and the worker they are on."""

    def __init__(self, store: SqlStore) -> None:
        self.store = store
        self.host: Host | None = None

    async def start(self, host: Host) -> None:
        """Note the worker; nothing is begun by that."""
        self.host = host

    async def stop(self, grace: float) -> None:
        """There is nothing to end: runs are the engine's."""

    async def phase(self, session_id: str) -> Phase:
        """The step of the run of `planning` that is there; idle where none is."""
        instances = await self.store.instances(session_id)
        here = [i for i in instances if i.process == PROCESS and i.state == "active"]
        step = here[-1].step if here else "idle"
        return "planning" if step == "choosing" else next((phase for phase in TABLE if phase == step), "idle")

    async def glance(self, session_id: str) -> Standing:
        """Where planning stands in a conversation, but for what was found."""
        return await self.store.glance(lambda conn: standing(conn, session_id, found=False))

    async def standing(self, session_id: str) -> Standing:
        """Where planning stands in a conversation."""
        bare = await self.glance(session_id)
        if bare == Standing():
            return bare  # nothing is planned here, as in most conversations
        return await self.store.read(lambda conn: standing(conn, session_id))

    async def wake(self, item: OutboxItem) -> None:
        """Have a run driven that a turn has begun or stopped."""
        if self.host is None:
            raise RuntimeError("The worker has not begun.")
        self.host.wake(str(item.payload.get("kind", KIND)), str(item.payload["run_id"]))


class PlanWork:
    """Drives runs of plans. What is true of them is in the tables; this only does what is written there to be done."""

    def __init__(
        self,
        plans: Plans,
        actions: Actions,
        files: Files,
        phrasing: Phrasing,
        *,
        at_once: int,
        limit: float,
    ) -> None:
        self._plans = plans
        self._files = files
        self._phrasing = phrasing
        self._store = plans.store
        self._actions = actions
        self._at_once = at_once
        self._limit = timedelta(seconds=limit)

    async def left(self) -> Sequence[str]:
        """Runs that go on, and those whose end nobody was told of."""
        query = select(runs.c.id).where(runs.c.told == 0)
        return await self._store.read(
            lambda conn: list(conn.scalars(query.order_by(runs.c.begun_at).limit(BATCH)))
        )

    async def drive(self, run_id: str, claim: Claim) -> None:
        """Carry a run out as far as it goes, and tell the conversation how it ended."""
        host = self._plans.host
        if host is None:
            raise RuntimeError("The worker has not begun.")
        state = await _Drive(self._store, self._actions, claim, host, self._at_once, self._limit).run()
        if state is not None and state.state in ("done", "failed"):
            await self._tell(run_id, state)

    async def _tell(self, run_id: str, ended: Advanced) -> None:
        """Once for each run: the signal has its key, whoever sends it and however often."""
        told = "done" if ended.state == "done" else "failed"
        data = {"run_id": run_id}
        if told == "done":
            await self._prove(run_id, ended.session_id)
            data |= await self._phrased(run_id, ended.session_id)
        signal = Signal(f"plan_{told}", key=f"plan:{run_id}:{told}", data=data)
        await tell(self._plans, ended.session_id, signal)
        query = update(runs).where(runs.c.id == run_id).values(told=1)
        await self._store.write(lambda conn: conn.execute(query))

    async def _phrased(self, run_id: str, session_id: str) -> dict[str, str]:
        """What a language model says of what was found; a proof is told in plain words alone."""
        run = await self._store.read(lambda conn: run_of(conn, run_id))
        if run is None or run.mode == "proof":
            return {}
        stands = await self._store.read(lambda conn: standing(conn, session_id))
        if stands.plan is None or stands.run is None or stands.run.id != run_id:
            return {}
        person = await self._store.read(lambda conn: conn.scalar(_PERSON.where(runs.c.id == run_id)))
        found = words.findings(stands.plan, stands)
        said = await self._phrasing.phrased(run_id, session_id, str(person), found)
        return {"phrased": said} if said else {}

    async def _prove(self, run_id: str, session_id: str) -> None:
        """In proof mode a plan ends with a file that says all that it rests on; made twice it is the same file."""
        run = await self._store.read(lambda conn: run_of(conn, run_id))
        if run is None or run.mode != "proof":
            return
        made = await self._store.read(lambda conn: proof_of(conn, run_id))
        if made is None:
            return
        person = await self._store.read(lambda conn: conn.scalar(_PERSON.where(runs.c.id == run_id)))
        with contextlib.suppress(NotFound):  # erased meanwhile
            title, content = f"{made.plan.problem}.proof", await asyncio.to_thread(written, made)
            ref = await self._files.keep(session_id, str(person), title, "json", content)
            query = update(runs).where(runs.c.id == run_id).values(proof=ref)
            await self._store.write(lambda conn: conn.execute(query))


class _Drive:
    """One drive of one run."""

    def __init__(
        self, store: SqlStore, actions: Actions, claim: Claim, host: Host, at_once: int, limit: timedelta
    ) -> None:
        self._store = store
        self._actions = actions
        self._claim = claim
        self._host = host
        self._at_once = at_once
        self._limit = limit
        self._under_way: dict[str, asyncio.Task[Ended]] = {}
        self._course: Course | None = None  #: what the last transaction has left
        self._woken: asyncio.Task[object] | None = None  #: it waits until somebody wakes the run
        self._instance = ""

    async def run(self) -> Advanced | None:
        """Go on until nothing is left to do here; how the run stands then."""
        try:
            while True:
                self._claim.woken.clear()
                stands = await self._advanced()
                if stands is None or stands.state != "running":
                    return stands
                await self._show(stands)
                for one in stands.begin:
                    self._under_way[one.step.id] = asyncio.create_task(self._carried_out(one))
                if not self._under_way:
                    return stands  # the worker stops: another goes on
                await self._something_new()
        finally:
            await self._cut_off()
            self._host.progress.over(PROCESS, self._instance)

    async def _advanced(self) -> Advanced | None:
        ended = {i: task.result() for i, task in self._under_way.items() if task.done()}
        going = {i for i in self._under_way if i not in ended}
        free = 0 if self._host.stopping else self._at_once - len(going)
        course = self._course
        stands = await self._store.write(
            lambda conn: advance(
                conn, self._claim, self._actions, ended, under_way=going, free=free, course=course
            )
        )
        self._course = None if stands is None else stands.course
        for step_id in ended:
            del self._under_way[step_id]
        return stands

    async def _something_new(self) -> None:
        """Until a step has ended, or somebody woke the run: it may be cancelled."""
        await asyncio.sleep(0)  # what only computes is over by then, and nobody has to wait for it
        if self._claim.woken.is_set() or any(task.done() for task in self._under_way.values()):
            return
        if self._woken is None or self._woken.done():
            self._woken = asyncio.create_task(self._claim.woken.wait())
        await asyncio.wait({self._woken, *self._under_way.values()}, return_when=asyncio.FIRST_COMPLETED)

    async def _cut_off(self) -> None:
        left = [*self._under_way.values(), *([self._woken] if self._woken is not None else [])]
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left)

    async def _carried_out(self, begin: Begin) -> Ended:
        """What comes of a step; whatever it raises is its failure."""
        action = self._actions.get(begin.step.action)
        attempt = Attempt(key=f"plan:{self._claim.run_id}:{begin.step.id}", number=begin.tries)
        try:
            found = await action.run(begin.arguments, attempt, limit=self._limit)
            return Ended(made=made_of(found, action.result))
        except ConversationError as error:
            return Ended(error=error.message)
        except ServiceError as error:
            return Ended(error=error.message)
        except Exception as error:
            log.info("Step %s of run %s failed.", begin.step.id, self._claim.run_id, exc_info=error)
            return Ended(error=_told(error))

    async def _show(self, stands: Advanced) -> None:
        """How far it is, for whoever watches: a matter of the process, by its instance."""
        if not self._instance:
            instances = await self._store.instances(stands.session_id)
            mine = [
                i.id for i in instances if i.process == PROCESS and i.state is not None and not i.state.ended
            ]
            self._instance = mine[-1] if mine else self._claim.run_id
        self._host.progress.tell(
            stands.session_id, PROCESS, self._instance, stands.done, stands.total, stands.title
        )


def _told(error: Exception) -> str:
    """Why a step failed, in a sentence for the person."""
    cause = (
        error.__cause__
        if isinstance(error.__cause__, ValueError | ConversationError | ServiceError)
        else error
    )
    return " ".join(str(cause).split())[:300] or type(error).__name__
