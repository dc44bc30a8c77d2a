"""What happens without a turn: timeouts, expiry, defaults, stranded turns. What is delivered is not its business."""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from softrail.core.clock import after, now
from softrail.core.commits import Committed, Due, TurnCommit
from softrail.core.errors import NewerState, SoftrailError, StepFailed
from softrail.core.instances import DueKind, Instance, State
from softrail.core.saying import speaking
from softrail.core.sessions import Snapshot
from softrail.core.turns import Request, Turn
from softrail.dialogue.changes import changes
from softrail.dialogue.context import Parts
from softrail.dialogue.draft import Draft
from softrail.dialogue.instances import Acting
from softrail.dialogue.timeouts import Timeouts
from softrail.dialogue.voice import DraftVoice
from softrail.processes import Definition
from softrail.turns.queue import SessionQueue

log = logging.getLogger(__name__)

BATCH = 100
GROUP = 20  #: sessions that are moved in one transaction: turns wait until it is written


@dataclass(frozen=True, kw_only=True, slots=True)
class SweepReport:
    """What one sweep did, in counts; `delivered` while it swept."""

    suspended: int = 0
    expired: int = 0
    defaulted: int = 0
    stranded: int = 0
    delivered: int = 0


class Sweeper:
    """Does what is due, in small batches; any number of workers may sweep at once."""

    def __init__(
        self,
        parts: Parts,
        timeouts: Timeouts,
        acting: Acting,
        queue: SessionQueue,
        *,
        interval: float,
        changed: Callable[[str], None],
        think: Callable[[Draft], Awaitable[None]],
        swept: Callable[[], None],
    ) -> None:
        self._parts = parts
        self._store = parts.store
        self._timeouts = timeouts
        self._acting = acting
        self._queue = queue
        self._interval = interval
        self._changed = changed
        self._think = think
        self._swept = swept
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Sweep in the background."""
        self._task = asyncio.create_task(self._live(), name="softrail-sweep")

    async def stop(self) -> None:
        """Stop sweeping."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def _live(self) -> None:
        pause = min(3.0, self._interval)  # soon after a start: a dead worker's turns wait
        while True:
            await asyncio.sleep(pause)
            pause = self._interval
            try:
                await self.sweep()
            except SoftrailError as error:
                log.warning("The sweep stopped early: %s", error)
            except Exception:
                log.exception("The sweep failed.")
            self._swept()

    async def sweep(self) -> SweepReport:
        """Do everything that is due now, once."""
        suspended, expired, defaulted = await self._time()
        return SweepReport(
            suspended=suspended,
            expired=expired,
            defaulted=defaulted,
            stranded=await self._stranded(),
        )

    # -- time

    async def _time(self) -> tuple[int, int, int]:
        counts = Counter[State | None]()
        skipped: set[str] = set()
        while True:
            found = await self._store.due(now(), BATCH + len(skipped))
            skipped &= {one.instance_id for one in found}  # the rest was moved meanwhile
            due = [one for one in found if one.instance_id not in skipped][:BATCH]
            if not due:
                return counts[State.SUSPENDED], counts[State.EXPIRED], counts[None]
            for group in _groups(due):
                moved = await self._move(group)
                skipped |= {one.instance_id for one in group} - set(moved)
                counts.update(moved.values())

    async def _move(self, group: Sequence[Due]) -> Mapping[str, State | None]:
        """Move those whose time is over in one transaction, unless a turn was faster; by id where each is now.

        None: its default was taken, in a transaction of its own.
        """
        moved, drafts = dict[str, State | None](), list[tuple[Due, Draft]]()
        for one in group:
            snapshot = await self._loaded(one)
            instance = snapshot.instance(one.instance_id) if snapshot is not None else None
            if snapshot is None or instance is None or instance.due_at is None or not instance.due_at < now():
                continue
            if instance.due_kind is DueKind.DEFAULT and instance.state is State.ACTIVE:
                if await self._default(instance, snapshot):
                    moved[one.instance_id] = None
            elif (draft := await self._over(snapshot)) is not None:
                drafts.append((one, draft))
        results = await self._store.commit([_unsaid(draft) for _, draft in drafts]) if drafts else ()
        for (one, draft), result in zip(drafts, results, strict=True):
            if isinstance(result, Committed):
                self._changed(one.session_id)
                moved[one.instance_id] = draft.instances[one.instance_id].state
        return moved

    async def _loaded(self, due: Due) -> Snapshot | None:
        """Its session as it stands, with the instance in it; None: it is gone, or for a newer version to move."""
        try:
            person = await self._store.person(due.person_id)
            loaded = await self._store.load(person, due.session_id) if person else None
            snapshot = loaded.snapshot if loaded is not None else None
            if snapshot is None or snapshot.instance(due.instance_id) is not None:
                return snapshot
            instance = await self._store.instance(due.instance_id)
        except NewerState:
            return None
        return replace(snapshot, instances=(*snapshot.instances, instance)) if instance is not None else None

    async def _over(self, snapshot: Snapshot) -> Draft | None:
        """What becomes of a session by time alone; None: nothing."""
        draft = self._draft(snapshot, "")
        await self._timeouts.check(draft)
        draft.transitions[:] = [replace(move, seq=None) for move in draft.transitions]
        return draft if draft.transitions else None

    def _draft(self, snapshot: Snapshot, turn_id: str) -> Draft:
        turn = Turn(
            id=turn_id,
            session_id=snapshot.session.id,
            seq=snapshot.session.next_seq,
            person=snapshot.person,
            message="",
            at=now(),
            origin="timer",
        )
        return Draft(turn, snapshot, decision_id=self._parts.ids.new(), form=self._parts.reply)

    async def _default(self, instance: Instance, snapshot: Snapshot) -> bool:
        """Take the default of a question nobody answered, in an item of the companion's own."""
        draft = self._draft(snapshot, f"{instance.process}:{instance.id}:default:{instance.rev}")
        definition = self._parts.registry.of(instance)
        if definition is None or snapshot.session.leased_to is not None or snapshot.session.waiting:
            return False
        # Nobody is told before the commit: whoever says something meanwhile was faster, and this never happened.
        with speaking(DraftVoice(draft, wall=self._parts.wall)):
            await self._take_default(draft, definition, instance)
        draft.decision.changed = changes(draft, self._parts.registry)
        commit = draft.commit(
            Request(message=""), self._parts.describe, replied_at=now(), fence=None, status="committed"
        )
        assert commit.turn is not None  # noqa: S101 - a draft's commit has its turn
        commit = replace(commit, turn=replace(commit.turn, origin="companion", request=None))
        [result] = await self._store.commit([commit])
        if isinstance(result, Committed):
            self._changed(snapshot.session.id)
        return isinstance(result, Committed)

    async def _take_default(self, draft: Draft, definition: Definition, instance: Instance) -> None:
        try:
            if self._acting.assigning.waits(instance):
                await self._acting.assigning.overdue(draft, instance)
            else:
                played = await self._parts.conductor.default(definition, instance, draft.turn)
                await self._acting.apply(draft, definition, instance, played)
        except StepFailed as error:
            await self._acting.trouble(draft, instance, error)
            failed = draft.instances[instance.id]
            if failed.state is State.ACTIVE:  # its question stays, without a default: it would fail for ever
                idle = definition.idle_timeout
                due = (after(now(), idle), DueKind.IDLE) if idle else (None, None)
                draft.put(failed.evolve(due_at=due[0], due_kind=due[1]))
        else:
            await self._think(draft)

    # -- turns left behind

    async def _stranded(self) -> int:
        ran = 0
        for session_id in await self._store.stranded(BATCH):
            ran += await self._queue.drain(session_id)
        return ran


def _groups(due: Sequence[Due]) -> Iterator[Sequence[Due]]:
    """What is moved at once: few enough for turns to wait for it, and no session twice."""
    group: dict[str, Due] = {}
    for one in due:
        if one.session_id in group or len(group) == GROUP:
            yield list(group.values())
            group = {}
        group[one.session_id] = one
    yield list(group.values())


def _unsaid(draft: Draft) -> TurnCommit:
    """What a draft leaves without a turn: nobody said anything."""
    return TurnCommit(
        turn=None,
        session=draft.session,
        instances=draft.changed(),
        transitions=tuple(draft.transitions),
        effects=tuple(draft.effects),
    )
