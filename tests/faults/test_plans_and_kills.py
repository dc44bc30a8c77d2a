"""A plan goes on when its worker is killed: every step once, and told once."""

from pathlib import Path

import pytest

from softrail.bootstrap import plugin_tables
from softrail.store import upgrade
from softrail.testing.contracts.counting import until
from tests.child_processes import KNOWN, processes_of_data
from tests.faults.killed_plans import Engine, Looked, killed_plans
from tests.faults.kit import file_url
from tests.faults.stopped_plans import ENDLESS
from tests.integration.plan_server import plan

FOUR = "abcd"


async def test_a_kill_at_any_point_of_a_plan_leaves_every_step_done_once_and_told_once(
    tmp_path: Path,
) -> None:
    points, looked = ("paid:b", "kept:c", "after:c", "telling", "told"), Looked()
    async with killed_plans(file_url(tmp_path), tmp_path) as plans:
        begun = await plans.killed_at(points, looked, names=FOUR)
    assert looked == Looked()
    # What was cut off was begun again, and nothing else: the step after c had not begun its work.
    assert begun == ["a", "b", "b", "c", "c", "d"]


@pytest.mark.parametrize("engine", ["embedded", "dbos"])
async def test_another_worker_takes_a_plan_over_from_one_that_is_killed(
    tmp_path: Path, url_without_wakes: str, engine: Engine
) -> None:
    looked = Looked()
    await upgrade(url_without_wakes, plugins=plugin_tables(discover=False))
    async with killed_plans(url_without_wakes, tmp_path, engine) as plans:
        begun = await plans.killed_at(["in:b"], looked, names=FOUR, workers=2)
    assert looked == Looked()
    assert begun == ["a", "b", "b", "c", "d"]


@pytest.mark.skipif(not KNOWN, reason="needs /proc to see processes")
async def test_a_worker_that_is_killed_takes_the_process_of_its_query_along(tmp_path: Path) -> None:
    endless = plan({"id": "a", "action": "query", "arguments": {"sql": ENDLESS}})
    async with killed_plans(file_url(tmp_path), tmp_path) as plans:
        await plans.agreed(endless)
        worker = await plans.start(tmp_path)
        found = set[str]()

        async def at_work() -> bool:
            found.update(processes_of_data(worker.pid))
            return bool(found)

        async def gone() -> bool:
            return not any(_runs(int(pid)) for pid in found)

        try:
            await until(at_work, 60)
        finally:
            worker.kill()
            await worker.ended()
        await until(gone, 30)


def _runs(pid: int) -> bool:
    """Whether it is still at work; one that has ended and that nobody asked about yet has no words any more."""
    try:
        return b"plans/child/__main__.py" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
