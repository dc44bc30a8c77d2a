"""The real server as a process of its own: started, killed at will, started again."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import httpx2

from tests.fitted import fit_what_is_bundled
from tests.forked import COMMAND_LINE, SOFTRAIL, Process, begun
from tests.sqlite_file import with_tables

SERVE = (*SOFTRAIL, "serve")
ROOT = Path(__file__).parents[2]
PATIENCE = 300.0  #: seconds for a server to come up on a busy machine


class Server:
    """One `softrail serve` on loopback, or a module that serves. Only processes started here are ever signalled.

    One that works alone begins where everything is imported, unless it is to start `as_people_do`.
    """

    def __init__(
        self,
        folder: Path,
        url: str,
        *,
        workers: int = 1,
        module: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        as_people_do: bool = False,
    ) -> None:
        self.port = free_port()
        self.url = url
        self.code = ROOT  #: where the Softrail lies that it starts with
        self.base = f"http://127.0.0.1:{self.port}"
        self.log = folder / f"server-{self.port}.log"
        self._words = [*(module or (COMMAND_LINE, "serve")), "--port", str(self.port)]
        self._as_people_do = as_people_do or workers > 1  # workers begin anew in any case
        self._workers = workers
        self._environment = {
            **os.environ,
            "SOFTRAIL_DATABASE_URL": url,
            "SOFTRAIL_LOG_LEVEL": "WARNING",
            "SOFTRAIL_GRACE": "5",
            **({"SOFTRAIL_WORKERS": str(workers)} if workers > 1 else {}),
            **(environment or {}),
        }
        self._folder = folder
        self._process: Process | None = None
        self._stopped: list[int] = []

    async def start(self) -> float:
        """Start it and wait until it is ready; how many seconds that took."""
        if self._as_people_do:
            await asyncio.to_thread(fit_what_is_bundled)
        else:
            _tables_in(self.url)
        begun = time.monotonic()
        self._process = await asyncio.to_thread(self._begun)
        async with httpx2.AsyncClient(base_url=self.base, trust_env=False) as http:
            while True:
                if self._process.poll() is not None or time.monotonic() - begun > PATIENCE:
                    raise RuntimeError(f"The server did not come up:\n{self.log.read_text()[-2000:]}")
                try:
                    if (await http.get("/readyz")).status_code == 200:
                        return time.monotonic() - begun
                except httpx2.TransportError:
                    pass
                await asyncio.sleep(0.02)

    def _begun(self) -> Process:
        with self.log.open("ab") as log:
            return begun(
                *self._words,
                cwd=self._folder,
                env={**self._environment, "PYTHONPATH": str(self.code)},
                stdout=log.fileno(),
                stderr=log.fileno(),
                alone=True,
                as_people_do=self._as_people_do,
            )

    @property
    def pid(self) -> int:
        """Its process, which leads a group of its own."""
        assert self._process is not None
        return self._process.pid

    def workers(self) -> list[int]:
        """The processes that serve: the leader's children, or itself when it works alone."""
        if self._workers == 1:
            return [self.pid]
        names = [path.name for path in Path("/proc").iterdir() if path.name.isdigit()]
        return [int(name) for name in names if _parent(int(name)) == self.pid and _serves(int(name))]

    def kill(self) -> None:
        """End the whole group at once, without a word."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):  # it ended by itself
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def signal_worker(self, pid: int, number: signal.Signals) -> None:
        """Send a signal to one of its own workers."""
        if pid not in self.workers():
            raise ValueError(f"Process {pid} is no worker of this server.")
        os.kill(pid, number)

    def terminate(self, patience: float = 40.0) -> int:
        """Ask it to end, as an operator does; its exit code."""
        assert self._process is not None
        process, self._process = self._process, None
        process.terminate()
        try:
            return process.wait(patience)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise


def _tables_in(url: str) -> None:
    """A file that is not there yet has its tables already: that a server makes them is tested with stores and commands."""
    kind, _, path = url.partition(":///")
    if kind == "sqlite" and path:
        with_tables(Path(path))


def _parent(pid: int) -> int | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    return int(stat.rpartition(")")[2].split()[1])


def _serves(pid: int) -> bool:
    """A worker, not the process that tracks what the workers share."""
    try:
        return b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def migrate(url: str, *, code: Path = ROOT) -> None:
    """Give a database every table that is needed, as an operator does with the Softrail that lies there."""
    environment = {**os.environ, "PYTHONPATH": str(code), "SOFTRAIL_DATABASE_URL": url}
    subprocess.run([*SOFTRAIL, "db", "upgrade"], cwd=code, env=environment, check=True, capture_output=True)


def free_port() -> int:
    """A port of loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
