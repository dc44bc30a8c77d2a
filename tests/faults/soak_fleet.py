"""Rows of the long fault tests about two versions at the same time: workers of an old and a new Softrail on one database."""

import asyncio
import os
import subprocess
import time
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Final

from softrail.store import schema
from tests.faults.findings import Findings
from tests.faults.ground import Ground, Row, row, told
from tests.faults.server import ROOT, migrate
from tests.forked import SOFTRAIL

KILLED: Final = 4  #: one in so many workers that go is killed; the others are asked to end


class NotThere(Exception):
    """There is no older code here that could run beside this one; the words say why."""


@row("H5")
async def old_and_new_workers_at_once(ground: Ground) -> Row:
    what = (
        "an old and a new version exchanged for each other, the schema between them, two servers, PostgreSQL"
    )
    try:
        old = before_the_newest_schema(ground.folder)
    except NotThere as error:
        return Row(name="H5", what=what, counts="none", found=Findings(), faults=[f"not run: {error}"])
    url = await ground.postgres_like()
    migrate(url, code=old)
    started, took = [old, old], list[float]()
    async with ground.box(url, servers=2, code=old) as box:

        async def upgrade_or_exchange() -> float:
            struck = time.monotonic()
            if not took:
                await asyncio.to_thread(migrate, url)
                took.append(time.monotonic() - struck)
                return struck
            server = box.servers[len(started) % 2]
            server.code = ROOT if server.code == old else old
            started.append(server.code)
            if len(started) % KILLED:
                await asyncio.to_thread(server.terminate)
            else:
                server.kill()
            await server.start()
            return struck

        turns, times = ground.count(10_000, 300), ground.count(40, 5) + 1
        report = await box.run(turns=turns, talks=16, kills=times, each=100, trouble=upgrade_or_exchange)
    assert report.client is not None
    slowest = report.client.seen.slowest
    return replace(
        told("H5", what, report, faults=await asyncio.to_thread(faults_of, url, old)),
        times=f"slowest turn {slowest:.1f} s; the migration, under load, {took[0]:.1f} s with its start",
    )


def faults_of(url: str, old: Path) -> list[str]:
    """What is wrong with how the old code finds the tables: newer than its own, and it may run on them."""
    environment = {**os.environ, "PYTHONPATH": str(old), "SOFTRAIL_DATABASE_URL": url}
    status = [*SOFTRAIL, "db", "status"]
    asked = subprocess.run(status, cwd=old, env=environment, capture_output=True, text=True)
    found = f"{schema.HEAD}, newer than this" in asked.stdout and asked.returncode == 0
    return [] if found else [f"the old version finds: {asked.stdout.strip()}"]


def before_the_newest_schema(folder: Path) -> Path:
    """The code as it was last without the newest revision of the store's tables. Raises NotThere."""
    [newest] = (ROOT / "softrail/store/migrations/versions").glob(f"{schema.HEAD}_*.py")
    if not import_module(f"softrail.store.migrations.versions.{newest.stem}").older_code_may_run:
        raise NotThere(f"revision {schema.HEAD} lets no older code run, so old workers are stopped first")
    came = git("log", "--diff-filter=A", "--format=%H", "-1", "--", str(newest)).decode().strip()
    if not came:
        raise NotThere("the history beside this code does not reach back to the schema before")
    code = folder / "old"
    code.mkdir()
    subprocess.run(["tar", "-x", "-C", code], input=git("archive", f"{came}^", "softrail"), check=True)
    return code


def git(*words: str) -> bytes:
    """What it answers."""
    try:
        return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise NotThere("there is no history beside this code") from error
