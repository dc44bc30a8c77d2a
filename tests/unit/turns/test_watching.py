"""Who watches sessions: one look for all of them, and none while nobody watches."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import cast

from softrail.core.commits import Glimpse
from softrail.core.errors import StoreUnavailable
from softrail.core.ports import Store
from softrail.turns.notifier import Notifier
from softrail.turns.watching import SessionsWatched, Telling


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

    def heard(self, session_id: str) -> None:
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


class Wire:
    """News between workers, which can break."""

    def __init__(self) -> None:
        self.told: list[list[str]] = []
        self.listened = 0
        self.broken = False
        self.hear: Callable[[list[str]], None] | None = None

    async def tell(self, session_ids: Iterable[str]) -> None:
        if self.broken:
            raise StoreUnavailable("The wire is broken.")
        self.told.append(sorted(session_ids))

    @asynccontextmanager
    async def listening(self, heard: Callable[[list[str]], None]) -> AsyncIterator[Callable[[], bool]]:
        self.listened += 1
        if self.broken:
            raise StoreUnavailable("The wire is broken.")
        self.hear = heard
        yield lambda: not self.broken


class Wired(Revisions):
    """Such a store whose workers tell each other."""

    def __init__(self) -> None:
        super().__init__()
        self.news = Wire()


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not true():  # noqa: ASYNC110 - there is nothing to wait on
            await asyncio.sleep(0)


async def test_what_another_worker_tells_is_heard_and_hardly_looked_for() -> None:
    wired, told = Wired(), Told()
    watched = SessionsWatched(cast(Store, wired), told, stopping=lambda: False, every=0.001, hearing=3600)
    with watched.watch("a"):
        await until(lambda: wired.news.hear is not None and told.sessions == ["a"])
        assert wired.news.hear is not None
        wired.news.hear(["a", "b"])
        assert told.sessions == ["a", "a"], "at once, and of no session that nobody watches"
        assert len(wired.asked) == 1


async def test_while_others_are_not_heard_it_is_looked_and_listened_again() -> None:
    wired, told = Wired(), Told()
    wired.news.broken = True
    watched = SessionsWatched(cast(Store, wired), told, stopping=lambda: False, every=0.001, hearing=3600)
    with watched.watch("a"):
        await until(lambda: len(wired.asked) > 3)
        wired.news.broken = False
        await until(lambda: wired.news.hear is not None)
        wired.news.broken = True
        looked, listened = len(wired.asked), wired.news.listened
        await until(lambda: len(wired.asked) > looked and wired.news.listened > listened)


async def test_what_is_committed_here_is_told_to_others_together() -> None:
    wired, told = Wired(), Told()
    watched = SessionsWatched(cast(Store, wired), told, stopping=lambda: False)
    for session_id in ("b", "a", "b"):
        told.pass_on(session_id)
    await watched.stop()
    assert wired.news.told == [["a", "b"]]


async def test_a_worker_that_is_alone_tells_nobody() -> None:
    wired, told = Wired(), Told()
    workers = {"here"}
    watched = SessionsWatched(
        cast(Store, wired), told, stopping=lambda: False, alone=lambda: workers == {"here"}
    )
    told.changed("a")
    workers.add("there")
    told.changed("b")
    await watched.stop()
    assert (told.sessions, wired.news.told) == (["a", "b"], [["b"]])


async def test_a_wire_that_is_broken_stops_nobody() -> None:
    wire = Wire()
    wire.broken = True
    telling = Telling(wire)
    telling.tell("a")
    await telling.stop()
    wire.broken = False
    telling.tell("b")
    await telling.stop()
    assert wire.told == [["b"]]
