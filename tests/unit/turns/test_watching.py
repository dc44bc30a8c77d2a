"""Who watches sessions: one look for all of them, and none while nobody watches."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import cast

from softrail.core.commits import Glimpse
from softrail.core.ports import Store
from softrail.turns.notifier import Notifier
from softrail.turns.watching import SessionsWatched


class Revisions:
    """A store that knows how far sessions are, and counts how often it is asked."""

    def __init__(self) -> None:
        self.at = {"a": 1, "b": 1}
        self.asked: list[list[str]] = []

    async def glimpses(self, session_ids: Sequence[str]) -> Mapping[str, Glimpse]:
        self.asked.append(list(session_ids))
        return {one: Glimpse(rev=self.at[one], held=False) for one in session_ids if one in self.at}


class Told(Notifier):
    """Notes what it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.sessions: list[str] = []

    def changed(self, session_id: str) -> None:
        self.sessions.append(session_id)


def watching(revisions: Revisions, told: Told, *, stopping: bool = False) -> SessionsWatched:
    return SessionsWatched(cast(Store, revisions), told, stopping=lambda: stopping, every=0.001)


async def test_all_sessions_are_looked_at_together_and_what_moved_is_told_once() -> None:
    revisions, told = Revisions(), Told()
    watched = watching(revisions, told)
    with watched.watch("a"), watched.watch("b"), watched.watch("b"):
        await watched.look()
        assert revisions.asked == [["a", "b"]]
        told.sessions.clear()
        revisions.at["b"] = 2
        await watched.look()
        await watched.look()
        del revisions.at["a"]
        await watched.look()
    assert told.sessions == ["b", "a"], "moved, and gone"


async def test_nobody_is_asked_while_nobody_watches() -> None:
    revisions, told = Revisions(), Told()
    watched = watching(revisions, told)
    with watched.watch("a"):
        while not revisions.asked:  # noqa: ASYNC110 - there is nothing to wait on
            await asyncio.sleep(0)
    while len(asyncio.all_tasks()) > 1:  # noqa: ASYNC110 - there is nothing to wait on
        await asyncio.sleep(0)
    await watched.look()
    assert all(asked == ["a"] for asked in revisions.asked)


async def test_a_worker_that_stops_wakes_everybody() -> None:
    told = Told()
    watched = watching(Revisions(), told, stopping=True)
    with watched.watch("a"):
        while not told.sessions:  # noqa: ASYNC110 - there is nothing to wait on
            await asyncio.sleep(0)
    assert set(told.sessions) == {"a"}
