"""Processes for data that are begun before anything is asked: they answer as any other, once, and hold nobody's data."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from softrail.plans.data.beginning import Process
from softrail.plans.data.children import CHILD, Children
from softrail.plans.data.faults import LimitReached
from softrail.plans.data.standing import processors
from softrail.testing.contracts.counting import until
from tests.child_processes import KNOWN, processes_of_data, processes_that_wait
from tests.integration.plan_server import planned
from tests.integration.test_data_of_plans import attach

pytestmark = pytest.mark.skipif(not KNOWN, reason="the system does not list processes")

LAST = 19  #: behind everybody: whoever is there has nobody behind it
SALES = b"Region,Revenue\nNorth,10\nSouth,20\n"
SUM = {"do": "query", "sql": "SELECT sum(revenue) AS total FROM sales"}
ENDLESS = {
    "do": "query",
    "sql": "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range = 3",
}


@asynccontextmanager
async def started(**chosen: Any) -> AsyncIterator[Children]:
    children = Children(**{"ahead": 60.0, **chosen})
    await children.start(None)  # type: ignore[arg-type] # it asks nothing of its worker
    try:
        yield children
    finally:
        await children.stop(1)
    assert not processes_of_data() | processes_that_wait()


async def attached(children: Children, folder: Path) -> list[dict[str, str]]:
    (folder / "source").write_bytes(SALES)
    told = await children.one("read", {"file": "source", "name": "sales.csv"}, folder)
    [table] = told["tables"]
    return [{"name": table["name"], "file": table["file"]}]


async def so_many_wait(children: Children, count: int) -> set[str]:
    async def there() -> bool:
        return children.waiting == count

    await until(there, 30)
    return processes_that_wait()


async def test_after_a_file_was_read_queries_are_answered_by_processes_that_wait_each_of_them_once(
    tmp_path: Path,
) -> None:
    async with started() as children:
        tables = await attached(children, tmp_path)
        first = await so_many_wait(children, 2)

        for _ in range(2):
            answer = await children.one("query", SUM, tmp_path, tables)
            assert answer["rows"] == [["30"]]

        assert not (first & processes_of_data()) | (first & processes_that_wait())
        assert not first & await so_many_wait(children, 2)


async def test_an_application_begins_them_as_its_settings_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOFTRAIL_PLANS_DATA_AHEAD", "60")
    async with planned() as ada:
        await attach(ada, "sales.csv", SALES)
        await so_many_wait(ada.dispatcher.registry.service(Children), 2)
    assert not processes_that_wait()


async def test_a_chart_is_the_same_from_a_process_that_waited(tmp_path: Path) -> None:
    described = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "data": {"values": [{"x": "a", "y": 1}]},
        "mark": "bar",
        "encoding": {"x": {"field": "x", "type": "nominal"}, "y": {"field": "y", "type": "quantitative"}},
    }
    drawn = []
    async with started() as children:
        for count in (0, 1):
            await so_many_wait(children, count)
            await children.one("draw", {"specification": described}, tmp_path)
            drawn.append([(tmp_path / name).read_bytes() for name in ("chart.svg", "chart.png")])
    assert drawn[0] == drawn[1]


async def test_limits_and_closed_doors_are_those_of_any_process(tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("a\n1\n")
    jobs = [
        {"do": "query", "sql": "SELECT repeat('x', 4000000000)"},
        {"do": "query", "sql": "SELECT * FROM read_csv('secret.csv')"},
        {"do": "query", "sql": "SELECT random()"},
        {"do": "query", "sql": "SELECT getenv('HOME')"},
    ]
    async with started(megabytes=64) as children:
        tables = await attached(children, tmp_path)
        await so_many_wait(children, 2)
        answers = await children.run("query", jobs, tmp_path, tables)
        assert [one["error"]["code"] for one in answers] == ["limit_reached", *["query_refused"] * 3]

        await so_many_wait(children, 2)
        children._seconds = 2.0  # from here on: what is quick may take its time on a busy machine
        with pytest.raises(LimitReached):
            await children.one("query", ENDLESS, tmp_path, tables)


async def test_who_waits_for_too_long_ends(tmp_path: Path) -> None:
    begun = list[Process]()  # how many wait at a moment would be looked at too late on a busy machine
    async with started(ahead=0.2) as children:
        begin = children._ahead._begin

        async def noted(kind: str) -> Process:
            begun.append(await begin(kind))
            return begun[-1]

        children._ahead._begin = noted
        await attached(children, tmp_path)

        async def over() -> bool:
            return [one.returncode is not None for one in begun] == [True, True] and not children.waiting

        await until(over, 120)


async def test_none_is_begun_ahead_where_nobody_started_it_or_none_is_wanted(tmp_path: Path) -> None:
    children = Children(ahead=60.0)
    await attached(children, tmp_path)
    async with started(ahead=0.0) as other:
        await attached(other, tmp_path)
        await other.one("query", {"do": "query", "sql": "SELECT 1 AS one"}, tmp_path)
        assert not processes_that_wait()


@pytest.mark.parametrize("kind", ["query", "draw"])
def test_who_waits_ends_with_the_worker(kind: str) -> None:
    with subprocess.Popen([sys.executable, "-I", str(CHILD), kind], stdin=subprocess.PIPE) as child:
        assert child.stdin is not None
        child.stdin.close()  # as when the worker is killed
        assert child.wait(60) == 0


async def test_a_process_for_data_stands_behind_the_worker(tmp_path: Path) -> None:
    async with started() as children:
        await attached(children, tmp_path)
        waiting = await so_many_wait(children, 2)
        mine = os.getpriority(os.PRIO_PROCESS, 0)

        async def all_behind() -> bool:
            theirs = [os.getpriority(os.PRIO_PROCESS, int(one)) for one in waiting]
            return all(there > mine or mine == LAST for there in theirs)

        await until(all_behind, 30)


@pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity"), reason="the system does not say where a process runs"
)
async def test_a_process_for_data_leaves_a_processor_free_for_whoever_talks(tmp_path: Path) -> None:
    async with started() as children:
        await attached(children, tmp_path)
        waiting = await so_many_wait(children, 2)
        mine = os.sched_getaffinity(0)

        async def all_aside() -> bool:
            theirs = [os.sched_getaffinity(int(one)) for one in waiting]
            return all(there < mine or len(mine) == 1 for there in theirs)

        await until(all_aside, 30)


@pytest.mark.parametrize(
    ("there", "shared"),
    [([3], [3]), ([0, 1], [1]), ([0, 2, 4, 6], [2, 4, 6]), (list(range(8)), list(range(2, 8)))],
)
def test_one_of_four_processors_is_left_free_and_one_of_two(there: list[int], shared: list[int]) -> None:
    assert processors(there) == shared
