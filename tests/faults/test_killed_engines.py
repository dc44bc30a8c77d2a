"""Long work goes on when its worker is killed: `embedded` on a file and on PostgreSQL, `dbos` on PostgreSQL."""

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from softrail.bootstrap import plugin_tables
from softrail.store import SqlStore, open_store, upgrade
from softrail.testing.contracts.counting import metadata
from softrail.testing.contracts.engines import KilledEngineContract, StartWorker, WorkerProcess
from tests.faults.kit import file_url
from tests.forked import ROOT, Process, begun


class Started:
    """A process that was started here, and nothing else."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self.pid = process.pid

    def kill(self) -> None:
        self._process.kill()

    async def ended(self) -> int:
        try:
            return await asyncio.to_thread(self._process.wait, 60)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"Process {self.pid} goes on.") from None


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
            environment = {**os.environ, "PYTHONPATH": str(ROOT), "SOFTRAIL_ENGINE": self.engine}
            words = ("tests.faults.counting_worker", url, *numbers)
            started.append(Started(await asyncio.to_thread(begun, *words, env=environment)))
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
