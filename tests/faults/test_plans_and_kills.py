"""A plan goes on when its worker is killed: every step once, and told once."""

import asyncio
import os
import sys
from pathlib import Path

from sqlalchemy import select

from softrail.bootstrap import plugin_tables
from softrail.core.clock import now
from softrail.core.turns import Reply, Request
from softrail.plans.records import facts_of
from softrail.plans.tables import runs
from softrail.store import SqlStore, upgrade
from softrail.testing.contracts.counting import until
from tests.faults.kit import file_url
from tests.faults.planning_worker import application
from tests.faults.server import ROOT
from tests.faults.test_killed_engines import Started
from tests.integration.plan_server import Nobody

PLAN = """/plan
problem: Go on
steps:
  - {id: a, action: go, arguments: {name: a}}
  - {id: b, action: go, arguments: {name: b}, needs: [a]}
  - {id: c, action: go, arguments: {name: c}, needs: [b]}
  - {id: d, action: go, arguments: {name: d}, needs: [c]}
"""


async def agreed(url: str, folder: Path) -> tuple[SqlStore, str]:
    """A plan that was agreed to and that nobody carries out yet; the store and the session."""
    dispatcher, _ = application(url, folder, [], engine=Nobody())
    async with dispatcher:
        ada = await dispatcher.store.ensure_person("ada@example.org", id="ada", at=now())
        shown = Reply.model_validate_json(await dispatcher.converse(Request(message=PLAN), ada))
        said = Request(message="yes", session_id=shown.session_id)
        begun = Reply.model_validate_json(await dispatcher.converse(said, ada))
        assert begun.companion_message.startswith("I've begun: 4 steps")
    reading, _ = application(url, folder, [], engine=Nobody())
    await reading.store.start()
    return reading.store, shown.session_id


async def start(url: str, folder: Path, *points: str) -> Started:
    command = [sys.executable, "-m", "tests.faults.planning_worker", url, str(folder), *points]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return Started(await asyncio.create_subprocess_exec(*command, env=environment, cwd=ROOT))


async def finished(store: SqlStore, session_id: str) -> None:
    """The run is over and told; each step once, one fact each, one item."""

    async def told() -> bool:
        return await store.read(lambda conn: list(conn.scalars(select(runs.c.told)))) == [1]

    await until(told, 300)
    facts = await store.read(
        lambda conn: [*facts_of(conn, session_id), *facts_of(conn, session_id, replaced=True)]
    )
    assert [(fact.name, fact.value) for fact in facts] == [(n, f"{n} is done") for n in "abcd"]
    items = await store.items("ada", session_id=session_id)
    assert [item.content.split("\n")[0] for item in items][4:] == ["Done: Go on"]


async def test_a_kill_at_any_point_of_a_plan_leaves_every_step_done_once_and_told_once(
    tmp_path: Path,
) -> None:
    url, points = file_url(tmp_path), ("step:b", "kept:c", "telling", "told")
    store, session_id = await agreed(url, tmp_path)
    try:
        for _ in points:
            worker = await start(url, tmp_path, *points)
            assert await worker.ended() < 0
        last = await start(url, tmp_path, *points)
        try:
            await finished(store, session_id)
        finally:
            last.kill()
            await last.ended()
    finally:
        await store.close()
    begun = (tmp_path / "begun.txt").read_text(encoding="utf-8").split()
    assert begun == ["a", "b", "b", "c", "c", "d"]  # what was cut off was begun again, and nothing else


async def test_another_worker_takes_a_plan_over_from_one_that_is_killed(
    tmp_path: Path, empty_postgres_url: str
) -> None:
    url = empty_postgres_url
    await upgrade(url, plugins=plugin_tables(discover=False))
    store, session_id = await agreed(url, tmp_path)
    workers = [await start(url, tmp_path, "step:b") for _ in range(2)]
    try:
        await finished(store, session_id)
    finally:
        for worker in workers:
            worker.kill()
            await worker.ended()
        await store.close()
    begun = (tmp_path / "begun.txt").read_text(encoding="utf-8").split()
    assert begun == ["a", "b", "b", "c", "d"]
