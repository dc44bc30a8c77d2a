"""Long work for the suite of engines: it counts, one transaction a step, and keeps what it did as rows."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from sqlalchemy import Column, Connection, Integer, MetaData, Table, Text, insert, select, update

from softrail.core.execution import Claim
from softrail.store import SqlStore, claim_stands

KIND = "count"
metadata = MetaData()
runs = Table(
    "counting_runs",
    metadata,
    Column("id", Text, primary_key=True),
    Column("steps", Integer, nullable=False),
    Column("done", Integer, nullable=False),
    Column("cancelled", Integer, nullable=False),
)
#: What the steps did: nothing keeps one from being there twice but the fence.
counted = Table(
    "counting_done",
    metadata,
    Column("run_id", Text, nullable=False),
    Column("n", Integer, nullable=False),
    Column("fence", Integer, nullable=False),
)


async def _at_once(run_id: str, n: int, claim: Claim) -> None:
    """Goes on without waiting for anything."""


class Counting:
    """Counts to `steps`; `between` is awaited after every step, `inside` is called in its transaction."""

    def __init__(
        self,
        store: SqlStore,
        between: Callable[[str, int, Claim], Awaitable[None]] = _at_once,
        inside: Callable[[int], None] = lambda n: None,
    ) -> None:
        self._store = store
        self._between = between
        self._inside = inside
        self.drives = 0
        self.driving = 0
        self.most = 0  #: drives that were under way at the same time

    async def prepare(self) -> None:
        """Make the tables."""
        await self._store.write(lambda conn: metadata.create_all(conn))

    async def add(self, run_id: str, steps: int) -> None:
        """A run that counts so far."""
        values = {"id": run_id, "steps": steps, "done": 0, "cancelled": 0}
        await self._store.write(lambda conn: conn.execute(insert(runs).values(values)))

    async def cancel(self, run_id: str) -> None:
        """No step begins after this."""
        await self._store.write(
            lambda conn: conn.execute(update(runs).where(runs.c.id == run_id).values(cancelled=1))
        )

    async def more(self, run_id: str, steps: int) -> None:
        """A run counts further."""
        await self._store.write(
            lambda conn: conn.execute(update(runs).where(runs.c.id == run_id).values(steps=steps))
        )

    async def done(self, run_id: str) -> Sequence[int]:
        """The steps that a run has done, in order."""
        query = select(counted.c.n).where(counted.c.run_id == run_id).order_by(counted.c.fence, counted.c.n)
        return await self._store.read(lambda conn: list(conn.scalars(query)))

    async def fences(self, run_id: str) -> Sequence[int]:
        """The fences under which a run did its steps, the lowest first."""
        query = select(counted.c.fence).where(counted.c.run_id == run_id).distinct()
        return await self._store.read(lambda conn: sorted(conn.scalars(query)))

    # -- the port

    async def drive(self, run_id: str, claim: Claim) -> None:
        self.drives += 1
        self.driving += 1
        self.most = max(self.most, self.driving)
        try:
            while (
                n := await self._store.write(lambda conn: _step(conn, run_id, claim, self._inside))
            ) is not None:
                await self._between(run_id, n, claim)
        finally:
            self.driving -= 1

    async def left(self) -> Sequence[str]:
        query = select(runs.c.id).where(runs.c.done < runs.c.steps, runs.c.cancelled == 0).order_by(runs.c.id)
        return await self._store.read(lambda conn: list(conn.scalars(query)))


def _step(conn: Connection, run_id: str, claim: Claim, inside: Callable[[int], None]) -> int | None:
    """One step with its effect, or None: there is none to do, or the run is another's by now."""
    if not claim_stands(conn, claim):
        return None
    row = conn.execute(select(runs).where(runs.c.id == run_id).with_for_update()).one()
    if row.cancelled or row.done == row.steps:
        return None
    n = int(row.done) + 1
    conn.execute(insert(counted).values(run_id=run_id, n=n, fence=claim.fence))
    inside(n)
    conn.execute(update(runs).where(runs.c.id == run_id).values(done=n))
    return n


async def until(true: Callable[[], Awaitable[bool]], seconds: float = 30.0) -> None:
    """Look again and again until it is so, less and less often; raises TimeoutError."""
    pause = 0.005
    async with asyncio.timeout(seconds):
        while not await true():  # another process may make it so
            await asyncio.sleep(pause)
            pause = min(1.3 * pause, 0.04)  # who looks all the time takes the time of what is waited for
