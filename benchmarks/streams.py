"""Row 12: what people cost who only listen, and what memory many downloads at once take (Linux only)."""

import asyncio
import os
import resource
from pathlib import Path
from urllib.parse import urlsplit

import httpx2

from benchmarks.figures import Row
from benchmarks.http import SERVE, server, worked
from benchmarks.sizes import Sizes
from benchmarks.tables import prepare
from benchmarks.talk import sqlite_url

IDLE = 0.03  #: of a core
MEGABYTES = 64.0  #: more than before, for all downloads together
_STILL = 5.0  #: seconds until what an opening leaves to do is done
_PIECE = 65_536


async def streams(folder: Path, sizes: Sizes, url: str | None = None) -> list[Row]:
    """The rows on SQLite, or on the PostgreSQL of that URL."""
    database = url or sqlite_url(folder, "streams")
    await prepare(database)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # the server inherits it
    settings = {"SOFTRAIL_DATABASE_URL": database, "SOFTRAIL_LOG_LEVEL": "WARNING"}
    where = "PostgreSQL" if url else "SQLite"
    with server(folder, SERVE, settings) as (base, pid):
        return [await _silent(base, pid, sizes, where), await _downloads(base, pid, sizes, where)]


async def _silent(base: str, pid: int, sizes: Sizes, where: str) -> Row:
    """The share of a core that the server takes while nothing happens in any of the sessions."""
    still = min(_STILL, sizes.silence)
    await asyncio.sleep(still)
    alone = await _cores(pid, sizes.silence)
    async with httpx2.AsyncClient(base_url=base, timeout=60) as http:
        sessions = [await _session(http, n) for n in range(sizes.streams)]
    open_ = [await _follow(base, session, n) for n, session in enumerate(sessions)]
    await asyncio.sleep(still)
    cores = await _cores(pid, sizes.silence)
    for writer in open_:
        writer.close()
    return Row(
        name=f"12 {where}: {sizes.streams:,} silent streams",
        ours=f"{cores:.3f} of a core",
        floor=f"none: {alone:.3f}",
        ratio=max(cores, 1e-6),
        at_most=IDLE,
        unit=" cores",
    )


async def _downloads(base: str, pid: int, sizes: Sizes, where: str) -> Row:
    """How much more memory the server has had at most while one file was loaded by many."""
    async with httpx2.AsyncClient(base_url=base, timeout=120, headers=_person(0)) as http:
        session = await _session(http, 0)
        content = os.urandom(sizes.file_size)
        given = await http.post(
            f"/sessions/{session}/attachments", files={"file": ("noise.bin", content, "application/pdf")}
        )
        given.raise_for_status()
        path = f"/sessions/{session}/attachments/{given.json()['id']}/download"
        before, largest = _memory(pid), 0.0

        async def load() -> int:
            size = 0
            async with http.stream("GET", path) as answer:
                answer.raise_for_status()
                async for piece in answer.aiter_raw(_PIECE):
                    size += len(piece)
            return size

        loading = [asyncio.create_task(load()) for _ in range(sizes.downloads)]
        while not all(task.done() for task in loading):
            largest = max(largest, _memory(pid))
            await asyncio.sleep(0.02)
        if {task.result() for task in loading} != {sizes.file_size}:
            raise RuntimeError("A download was not whole.")
    return Row(
        name=f"12 {where}: {sizes.downloads} downloads of {sizes.file_size / 1e6:g} MB",
        ours=f"{largest:.0f} MB at most",
        floor=f"before: {before:.0f} MB",
        ratio=max(largest - before, 1e-6),
        at_most=MEGABYTES,
        unit=" MB",
    )


def _person(n: int) -> dict[str, str]:
    return {"X-Softrail-Person": f"listener-{n % 10}@example.org"}


async def _session(http: httpx2.AsyncClient, n: int) -> str:
    answer = await http.post("/converse", json={"message": "/help"}, headers=_person(n))
    answer.raise_for_status()
    return str(answer.json()["session_id"])


async def _follow(base: str, session: str, n: int) -> asyncio.StreamWriter:
    """A stream of a session, opened and then left alone."""
    parts = urlsplit(base)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    lines = [f"GET /sessions/{session}/events HTTP/1.1", f"Host: {parts.netloc}"]
    lines += [f"{name}: {value}" for name, value in _person(n).items()]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    status = await reader.readline()
    if b" 200 " not in status:
        raise RuntimeError(f"No stream: {status!r}")
    return writer


async def _cores(pid: int, seconds: float) -> float:
    """The share of a core that a process takes, over so many seconds."""
    before = worked(pid)
    await asyncio.sleep(seconds)
    return (worked(pid) - before) / seconds


def _memory(pid: int) -> float:
    """Megabytes that a process has in memory."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    [kilobytes] = [line.split()[1] for line in lines if line.startswith("VmRSS:")]
    return int(kilobytes) / 1000
