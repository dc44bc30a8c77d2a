"""Starts a process of its own for whatever touches data, gives it one folder, and ends it at its limit.

Nothing here imports what reads data: a process that is bounded by the system does, and is gone afterwards.
"""

import asyncio
import contextlib
import json
import logging
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from softrail.plans.data.ahead import Ahead
from softrail.plans.data.beginning import Process, begun
from softrail.plans.data.faults import LimitReached, TookTooLong, fault_of
from softrail.plans.data.standing import put_behind
from softrail.plugin import Host

CHILD: Final = Path(__file__).resolve().parents[1] / "child" / "__main__.py"
NOWHERE: Final = Path(Path(sys.executable).anchor)  #: where those lie that have no job yet
_ISOLATED: Final = ("-I", "-B")  #: no variable and no folder of the worker changes what it loads
_LONGEST_ANSWER: Final = 16_000_000  #: bytes
_NEARLY: Final = 0.9  #: of the time; who was ended then was ended for it
_PIECE: Final = 65_536
_MEGABYTE: Final = 1024 * 1024
#: What a process needs besides the data: the libraries themselves, and for charts a whole engine of JavaScript.
_BESIDES: Final = {"read": 256, "query": 256, "draw": 1024, "pages": 128}
_LARGEST_FILE: Final = {
    "read": 2048,
    "query": 0,
    "draw": 64,
    "pages": 0,
}  #: megabytes that it may write as one file

Answer = Mapping[str, Any]

log = logging.getLogger(__name__)


class Children:
    """Processes that read, ask and draw, so many of them at the same time, each for one task.

    Once it is started as a service, a few are begun `ahead` of what is asked, and wait so many seconds for it.
    """

    def __init__(
        self,
        *,
        megabytes: int = 512,
        seconds: float = 600.0,
        rows: int = 10_000,
        at_once: int = 4,
        isolated: Sequence[str] = _ISOLATED,
        ahead: float = 0.0,
    ) -> None:
        self._megabytes = megabytes
        self._seconds = seconds
        self._rows = rows
        self._free = asyncio.Semaphore(at_once)
        self._isolated = isolated
        self._ahead = Ahead(self._begun_ahead, _end, seconds=ahead)
        self.started = 0  #: so many were given something to do

    @property
    def waiting(self) -> int:
        """So many wait for something to do."""
        return self._ahead.waiting

    async def start(self, host: Host) -> None:
        """From now on some are begun ahead."""
        self._ahead.start()

    async def stop(self, grace: float) -> None:
        """End those that wait for something to do."""
        await self._ahead.stop()

    async def one(
        self,
        kind: str,
        job: Mapping[str, Any],
        folder: Path,
        tables: Sequence[Mapping[str, str]] = (),
        *,
        parts: list[Answer] | None = None,
    ) -> Answer:
        """What comes of one job, in a process of its own. Raises what the process says is wrong.

        What it tells before its end is added to `parts`, and stays there whatever is raised.
        """
        [answer] = await self.run(kind, [job], folder, tables, parts=parts)
        if "error" in answer:
            raise fault_of(answer["error"])
        found: Answer = answer["answer"]
        return found

    async def run(
        self,
        kind: str,
        jobs: Sequence[Mapping[str, Any]],
        folder: Path,
        tables: Sequence[Mapping[str, str]] = (),
        *,
        parts: list[Answer] | None = None,
    ) -> Sequence[Answer]:
        """What comes of each job, an `answer` or an `error`; all of them in one process. Raises LimitReached."""
        asked = {
            "kind": kind,
            "jobs": list(jobs),
            "folder": str(folder),
            "tables": list(tables),
            "limits": self._limits(kind),
        }
        async with self._free:
            self.started += 1
            told, line = [] if parts is None else parts, json.dumps(asked).encode() + b"\n"
            self._ahead.begun()
            try:
                async with asyncio.timeout(self._seconds):
                    return await self._run(kind, line, folder, told)
            except TimeoutError as error:
                raise TookTooLong(
                    f"This takes longer than the {self._seconds:g} seconds that a step may take."
                ) from error
            finally:
                self._ahead.done(kind)

    def _limits(self, kind: str) -> Mapping[str, int]:
        return {
            "memory": (self._megabytes + _BESIDES[kind]) * _MEGABYTE,
            "megabytes": self._megabytes,
            "seconds": max(1, round(self._seconds)),
            "file": _LARGEST_FILE[kind] * _MEGABYTE,
            "rows": self._rows,
        }

    async def _begun(self, folder: Path, *words: str) -> Process:
        command = (sys.executable, *self._isolated, str(CHILD), *words)
        return await begun(command, folder=str(folder), environment=_environment(), after=put_behind)

    async def _begun_ahead(self, kind: str) -> Process:
        """One that loads what such jobs need, in no folder of anybody's: it is told which with its job."""
        return await self._begun(NOWHERE, kind)

    async def _run(self, kind: str, asked: bytes, folder: Path, parts: list[Answer]) -> Sequence[Answer]:
        since = asyncio.get_running_loop().time()
        process = self._ahead.taken(kind) or await self._begun(folder)
        try:
            answers = await _talk(process, asked, parts)
            code = await process.wait()
        finally:
            await _end(process)
        if code == 0 and answers is not None:
            return answers
        log.info("A process that touches data ended with %s.", code)
        took = asyncio.get_running_loop().time() - since
        raise (TookTooLong if took >= _NEARLY * self._seconds else LimitReached)(
            f"This was ended because it takes more than a step may use: {self._megabytes} MB and "
            f"{self._seconds:g} seconds."
        )


@asynccontextmanager
async def own_folder() -> AsyncIterator[Path]:
    """Within the block, an empty folder that nobody else reads; it is gone afterwards."""
    # One call to the system, not awaited: whoever is cut off while a thread makes it would leave it behind.
    folder = Path(tempfile.mkdtemp(prefix="softrail-data-"))
    try:
        yield folder
    finally:
        await asyncio.shield(asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True))


async def _talk(process: Process, asked: bytes, parts: list[Answer]) -> Sequence[Answer] | None:
    """Hand it what is asked, and take what it says, line by line; None: it ended before it had answered.

    Its input stays open: a worker that dies takes it along.
    """
    assert process.stdin is not None  # noqa: S101 - both are pipes
    assert process.stdout is not None  # noqa: S101 - both are pipes
    with contextlib.suppress(ConnectionError):  # it ended before it had read: what it says tells why
        process.stdin.write(asked)
        await process.stdin.drain()
    answers: Sequence[Answer] | None = None
    parted, size = list[bytes](), 0
    while piece := await process.stdout.read(_PIECE):
        size += len(piece)
        if size > _LONGEST_ANSWER:
            raise LimitReached("The answer is larger than a step may give. Take fewer rows or columns.")
        *ends, rest = piece.split(b"\n")
        for end in ends:
            told = json.loads(b"".join((*parted, end)))
            if isinstance(told, list):
                answers = told
            else:
                parts.append(told)
            parted = []
        parted.append(rest)
    return answers


async def _end(process: Process) -> None:
    """Make sure that nothing of it is left, also when whoever waits was cancelled."""
    if process.stdin is not None:
        process.stdin.close()
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
    cut_off = False
    while process.returncode is None:  # it was killed: that is over at once, also for who is cut off twice
        try:
            await asyncio.shield(process.wait())
        except asyncio.CancelledError:
            cut_off = True
    if cut_off:
        raise asyncio.CancelledError


def _environment() -> Mapping[str, str]:
    """Nothing; on Windows what no process can begin without."""
    return {
        name: os.environ[name] for name in ("SYSTEMROOT",) if sys.platform == "win32" and name in os.environ
    }
