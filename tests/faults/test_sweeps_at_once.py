"""Two workers sweep the same sessions: each is suspended once, and neither takes more at once than it needs (row I1)."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest

from softrail.core.commits import Due
from softrail.core.instances import State
from softrail.store import open_store
from softrail.testing import FrozenClock
from softrail.turns import sweeper
from tests.faults.crashing import CrashingStore
from tests.faults.kit import file_url, person_of, say, worker
from tests.faults.sweeping import Listening

MANY, AT_ONCE = 30, 4


class SlowStore(CrashingStore):
    """The store of a worker that is slower than another one: what it finds due is done when it comes to it."""

    limits: list[int]
    other: sweeper.Sweeper

    async def due(self, at: datetime, limit: int) -> Sequence[Due]:
        self.limits.append(limit)
        found: Sequence[Due] = await super().__getattr__("due")(at, limit)
        await self.other._move(found[: -AT_ONCE // 2])
        return found


async def test_of_two_that_sweep_at_once_each_takes_a_few_and_every_session_is_suspended_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeper, "BATCH", AT_ONCE)
    url = file_url(tmp_path)
    slow = SlowStore(open_store(url))
    slow.limits = []
    with FrozenClock().installed() as clock:
        async with worker(url, Listening) as one, worker(url, Listening, store=slow) as two:
            slow.other = one._sweeper
            sessions = [
                (await say(one, await person_of(one, f"p{n}"), "listen to me")).session_id
                for n in range(MANY)
            ]
            clock.advance(hours=1)

            assert 0 < (await two.sweep()).suspended < MANY

            instances = [i for session in sessions for i in await one.store.instances(session)]
            assert {i.state for i in instances} == {State.SUSPENDED}
            moves = await one.store.transitions([i.id for i in instances])
            assert [str(move.trigger) for move in moves].count("timeout") == MANY
            assert max(slow.limits) <= 2 * AT_ONCE
