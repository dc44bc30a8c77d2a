"""Long work goes on when its worker is killed: `embedded` on a file and on PostgreSQL, `dbos` on PostgreSQL."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from softrail.bootstrap import plugin_tables
from softrail.store import SqlStore, open_store, upgrade
from softrail.testing.contracts.counting import metadata
from softrail.testing.contracts.engines import KilledEngineContract, StartWorker, WorkerProcess
from tests.faults.kit import file_url
from tests.faults.server import ROOT


class Started:
    """A process that was started here, and nothing else."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.pid = process.pid

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):  # it ended by itself
            self._process.send_signal(signal.SIGKILL)

    async def ended(self) -> int:
        async with asyncio.timeout(60):
            return await self._process.wait()


class EngineKilled(KilledEngineContract):
    engine = "embedded"

    @pytest.fixture
    async def store(self, url: str) -> AsyncIterator[SqlStore]:
        tables = plugin_tables(discover=False)
        await upgrade(url, plugins=tables)
        store = open_store(url, plugins=tables)
        await store.start()
        yield store
        await store.write(metadata.drop_all)
        await store.close()

    @pytest.fixture
    async def start_worker(self, url: str) -> AsyncIterator[StartWorker]:
        started: list[Started] = []

        async def start(*, dies_after: int = 0, dies_in: int = 0, waits_after: int = 0) -> WorkerProcess:
            numbers = [str(n) for n in (dies_after, dies_in, waits_after)]
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "tests.faults.counting_worker",
                url,
                *numbers,
                env={**os.environ, "PYTHONPATH": str(ROOT), "SOFTRAIL_ENGINE": self.engine},
                cwd=ROOT,
            )
            started.append(Started(process))
            return started[-1]

        yield start
        for one in started:
            one.kill()
            await one.ended()


class TestEmbeddedOnAFile(EngineKilled):
    @pytest.fixture
    def url(self, tmp_path: Path) -> str:
        return file_url(tmp_path)


class TestEmbeddedOnPostgres(EngineKilled):
    @pytest.fixture
    def url(self, empty_postgres_url: str) -> str:
        return empty_postgres_url


class TestDbosOnPostgres(EngineKilled):
    engine = "dbos"

    @pytest.fixture
    def url(self, url_without_wakes: str) -> str:
        return url_without_wakes
