"""What the store alone cannot promise: when a turn is written down, when it is answered, what is held meanwhile.

Each test guards a guarantee that `python -m tests.faults.broken` breaks on purpose.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, step
from softrail.core.commits import CommitResult, TurnCommit
from softrail.core.errors import ModelUnavailable
from softrail.core.intents import Intent, IntentDefinition, RouteResult
from softrail.core.outcomes import Outcome
from softrail.core.ports import ModelAnswer, ModelRequest
from softrail.core.turns import Request
from softrail.store import MemoryStore, open_store
from softrail.turns.dispatcher import Dispatcher
from tests.faults.kit import Gate, person_of, say, worker
from tests.faults.mutants import Wrapped

NEVER = 3600.0


class Looking:
    """A language model that looks at what is in the store when it is asked, and answers or is away."""

    name = "looking"

    def __init__(self, look: Callable[[], Any], *, away: bool = False) -> None:
        self._look = look
        self._away = away
        self.seen: list[Any] = []

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        self.seen.append(await self._look())
        if self._away:
            raise ModelUnavailable("The model is away.")
        return ModelAnswer(text="The sea is wide.", model=self.name)

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        yield await self.answer(request)


async def test_a_model_is_asked_only_for_a_turn_that_is_written_down() -> None:
    store = MemoryStore()
    model = Looking(lambda: store.turn_anywhere("t"))
    changed = {"accept_after": NEVER}
    async with worker("sqlite://", store=store, model=model, changed=changed) as one:
        person = await person_of(one)

        await say(one, person, "tell me of the sea", turn_id="t")

    assert model.seen
    assert [row.status for row in model.seen[0]] == ["accepted"]


class LateStore(Wrapped):
    """A store whose commits wait for a gate."""

    def __init__(self, inner: Any, gate: Gate) -> None:
        super().__init__(inner)
        self._gate = gate

    async def commit(self, commits: Sequence[TurnCommit]) -> Sequence[CommitResult]:
        await self._gate.wait()
        results: Sequence[CommitResult] = await self._inner.commit(commits)
        return results


async def test_nobody_is_answered_before_the_commit() -> None:
    gate = Gate()
    store: Any = LateStore(MemoryStore(), gate)
    changed = {"accept_after": NEVER}
    async with worker("sqlite://", store=store, changed=changed) as one:
        person = await person_of(one)
        run = one.submit(Request(message="/help", turn_id="t"), person)
        await gate.entered.wait()
        for _ in range(200):  # whatever would answer without the commit had its chance
            await asyncio.sleep(0)

        assert not run.finished
        assert await one.store.turn(person.id, "t") is None
        gate.opened.set()
        reply = await run.result()
        row = await one.store.turn(person.id, "t")
        assert row is not None
        assert row.reply == reply


class Held:
    """Says what of the database is held by somebody just now: "" when nothing is."""

    def __init__(self) -> None:
        self.by: Callable[[], str] = lambda: ""

    async def in_the_end(self) -> str:
        """Nothing, or what is still held after a while: others may have it for a moment, a turn would keep it."""
        for _ in range(200):
            if not self.by():
                return ""
            await asyncio.sleep(0.01)
        return self.by()


class Probing(Process, name="probing", version=1):
    """Looks at what is held while it runs."""

    starts_on = ("probe it",)

    def __init__(self, held: Held) -> None:
        self._held = held

    class Data(BaseModel):
        """Nothing."""

    @step(asks="What?", takes_anything=True)
    async def what(self, said: Turn, data: Data) -> Outcome:
        return Done(f"Held: {await self._held.in_the_end() or 'nothing'}.")


def by_anybody(dispatcher: Dispatcher, url: str) -> str:
    """What of the database is held just now."""
    if url.startswith("postgresql"):
        pool = dispatcher.store._own.engine.sync_engine.pool  # type: ignore[attr-defined]
        return "a connection" if pool.checkedout() else ""
    other = sqlite3.connect(url.removeprefix("sqlite:///"), timeout=0, isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        other.execute("ROLLBACK")
    except sqlite3.OperationalError as error:
        return str(error)
    finally:
        other.close()
    return ""


@pytest.mark.parametrize("accept_after", [NEVER, 0.0], ids=["committed at once", "accepted first"])
async def test_nothing_of_the_database_is_held_while_a_step_runs(url: str, accept_after: float) -> None:
    held = Held()
    changed = {"accept_after": accept_after, "step_limit": NEVER, "beat_interval": 60.0, "dead_after": 120.0}
    async with worker(url, Probing, store=open_store(url), services={Held: held}, changed=changed) as one:
        held.by = lambda: by_anybody(one, url)
        person = await person_of(one, "probing")
        session = (await say(one, person, "probe it")).session_id

        reply = await say(one, person, "now", session_id=session)

        assert reply.companion_message == "Held: nothing."


KEEP = IntentDefinition(name="keep_it", examples=["keep this for me please"])


async def keep(turn: Turn, intent: Intent) -> RouteResult:
    """Keeps a record, and leaves the words to a model."""
    return RouteResult(side_effects=[Record("kept", {"what": turn.message})])


async def test_what_was_done_is_told_when_the_model_fails_after_it() -> None:
    store = MemoryStore()
    model = Looking(lambda: store.turn_anywhere("t"), away=True)
    async with worker("sqlite://", store=store, model=model, intents=[(KEEP, keep)]) as one:
        person = await person_of(one)

        reply = await say(one, person, "keep this for me please", intent_hint="keep_it")

        assert model.seen
        assert [side.kind for side in reply.side_effects] == ["kept_saved"]
        assert len(await one.store.list(person.id, "kept")) == 1
