"""When a worker among several is to be replaced."""

from multiprocessing import get_context
from multiprocessing.connection import Connection

import pytest

from softrail.api.recycling import RELOADED, Recycling, is_replaced, memory_used


def recycled(*, age: float = 0, memory: int = 0, used: int = 0) -> tuple[Recycling, list[str]]:
    ends: list[str] = []
    return Recycling(age=age, memory=memory, end=lambda: ends.append("end"), used=lambda: used), ends


async def test_without_limits_nothing_is_watched() -> None:
    recycling, ends = recycled(used=10**12)
    await recycling.watch()
    assert ends == []


async def test_a_worker_that_has_grown_is_ended_once() -> None:
    recycling, ends = recycled(memory=100, used=101)
    await recycling.watch()
    assert ends == ["end"]


async def test_an_old_worker_is_ended_and_a_young_one_is_not() -> None:
    old, ends = recycled(age=1e-9)
    await old.watch(every=0)
    assert ends == ["end"]
    young, _ = recycled(age=3600, memory=100, used=100)
    assert not young.is_due()


def test_this_process_has_memory_and_nobody_who_would_replace_it() -> None:
    assert memory_used() > 2**20
    assert not is_replaced()


def told(replaced: Connection) -> None:
    """Tell whether this process would be replaced."""
    replaced.send(is_replaced())


def test_a_process_that_is_started_anew_when_files_change_is_not_replaced_when_it_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(RELOADED, "1")
    mine, theirs = get_context("spawn").Pipe()
    child = get_context("spawn").Process(target=told, args=(theirs,))
    child.start()
    assert mine.recv() is False
    child.join()
