"""A plan goes on when its worker is killed: every step once, and told once."""

from pathlib import Path

from softrail.bootstrap import plugin_tables
from softrail.store import upgrade
from tests.faults.killed_plans import Looked, killed_plans
from tests.faults.kit import file_url

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


async def test_another_worker_takes_a_plan_over_from_one_that_is_killed(
    tmp_path: Path, empty_postgres_url: str
) -> None:
    looked = Looked()
    await upgrade(empty_postgres_url, plugins=plugin_tables(discover=False))
    async with killed_plans(empty_postgres_url, tmp_path) as plans:
        begun = await plans.killed_at(["in:b"], looked, names=FOUR, workers=2)
    assert looked == Looked()
    assert begun == ["a", "b", "b", "c", "d"]
