"""Rows 3 and 17: over HTTP, one worker, many clients, beside bare FastAPI with the raw driver, and without what frontends get."""

import asyncio
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from benchmarks.figures import Row, Samples, middle
from benchmarks.plainer import UNOPENED
from benchmarks.sizes import Sizes
from benchmarks.tables import prepare
from benchmarks.talk import sqlite_url

ROOT = Path(__file__).parent.parent
PLAINER = (sys.executable, "-m", "benchmarks.plainer", "serve", "--port")
SERVE = (sys.executable, "-c", "from softrail.cli import app; app()", "serve", "--port")
GOAL = 0.33
PATIENCE = 120.0  #: seconds for a server to answer at all
LIMIT = 120.0  #: seconds for one round of load


def over_http(folder: Path, sizes: Sizes) -> list[Row]:
    """Rounds of load, one server after the other; both run all the time, one of them idle."""
    for name in ("http", "http-floor"):
        asyncio.run(prepare(sqlite_url(folder, name)))
    ours, floor, rates = Samples(), Samples(), list[tuple[float, float]]()
    settings = {"SOFTRAIL_DATABASE_URL": sqlite_url(folder, "http"), "SOFTRAIL_DURABILITY": "full"}
    sessions = sizes.rounds * sizes.sessions * (sizes.laps + 1)
    raw = [sys.executable, "-m", "benchmarks.bare", str(folder / "http-floor.db"), str(sessions)]
    with server(folder, SERVE, settings) as (our_url, _), server(folder, raw, {}) as (floor_url, _):
        for number in range(sizes.rounds):
            mine = _load(our_url, sizes, f"client-{number}", ours)
            rates.append((mine, _load(floor_url, sizes, f"client-{number}", floor)))
    ratio = statistics.median(a / b for a, b in rates)
    return [
        Row(
            name=f"3 HTTP, one worker, {sizes.sessions} clients, SQLite",
            ours=_words(ours, [a for a, _ in rates]),
            floor=_words(floor, [b for _, b in rates]),
            ratio=ratio,
            spread=middle(a / b for a, b in rates),
            at_least=GOAL,
        )
    ]


def with_pages(folder: Path, sizes: Sizes) -> list[Row]:
    """The same load on a server with all that frontends get, pages that nobody opens and ways out and progress in each reply,
    and on one without any of it, by turns first.
    """
    samples = {web: Samples() for web in ("all", "none")}
    rates = list[dict[str, float]]()
    urls = {web: sqlite_url(folder, f"web-{web}") for web in samples}
    for url in urls.values():
        asyncio.run(prepare(url))
    settings = [
        {"SOFTRAIL_DATABASE_URL": url, "SOFTRAIL_DURABILITY": "full", "SOFTRAIL_WEB": web}
        for web, url in urls.items()
    ]
    times = list[dict[str, float]]()
    with server(folder, SERVE, settings[0]) as full, server(folder, PLAINER, settings[1]) as bare:
        at = {"all": full, "none": bare}
        for number in range(2 * sizes.rounds):
            order = ("all", "none") if number % 2 else ("none", "all")
            before = {web: worked(at[web][1]) for web in order}
            rates.append({web: _load(at[web][0], sizes, f"client-{number}", samples[web]) for web in order})
            times.append({web: worked(at[web][1]) - before[web] for web in order})
    turns = len(samples["all"].seconds)
    took = {web: 1000 * sum(one[web] for one in times) / turns for web in samples}
    ours, without = [_words(samples[web], [one[web] for one in rates]) for web in samples]
    work, idle = [f"{took[web]:.2f} ms a turn" for web in samples]
    return [
        _unopened(
            f"17 HTTP with the pages that nobody opens, {sizes.sessions} clients",
            ours,
            without,
            [one["all"] / one["none"] for one in rates],
        ),
        _unopened(
            "17 its turns for a second of the server's processor",
            work,
            idle,
            [one["none"] / max(one["all"], 1e-3) for one in times],
        ),
    ]


def _unopened(name: str, ours: str, without: str, ratios: Sequence[float]) -> Row:
    return Row(
        name=name,
        ours=ours,
        floor=f"without: {without}",
        ratio=statistics.median(ratios),
        spread=middle(ratios),
        at_least=UNOPENED,
    )


def worked(pid: int) -> float:
    """Seconds of processor time that a process has had (Linux only)."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _words(samples: Samples, rates: Sequence[float]) -> str:
    p50, p99 = 1000 * samples.p50, 1000 * samples.p99
    return f"{statistics.median(rates):,.0f}/s, p50 {p50:.0f} ms, p99 {p99:.0f} ms"


def _load(url: str, sizes: Sizes, name: str, samples: Samples) -> float:
    command = [sys.executable, "-m", "benchmarks.load", url, "--name", name]
    command += ["--clients", str(sizes.sessions), "--laps", str(sizes.laps)]
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as errors:
        process = _begun(command, os.environ, ROOT, errors.fileno(), said.fileno())
        try:
            status = process.wait(LIMIT)
        finally:
            process.kill()
        for written in (said, errors):
            written.seek(0)
        if status:
            raise RuntimeError(f"The load on {url} failed: {errors.read().decode()[-2000:]}")
        found = json.loads(said.read())
    samples.seconds += found["seconds"]
    return len(found["seconds"]) / float(found["wall"])


@contextmanager
def server(folder: Path, command: Sequence[str], settings: dict[str, str]) -> Iterator[tuple[str, int]]:
    """A server on a free port of this machine: its URL and its process. It finds no settings in its folder."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryFile() as errors:
        env = {**os.environ, "PYTHONPATH": str(ROOT), **settings}
        process = _begun([*command, str(port)], env, folder, errors.fileno())
        try:
            _await_answer(url, process)
        except BaseException:
            errors.seek(0)
            sys.stderr.write(errors.read().decode()[-4000:])
            process.kill()
            process.wait()
            raise
        try:
            yield url, process.pid
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _begun(
    command: Sequence[str], env: Mapping[str, str], folder: Path, errors: int, said: int | None = None
) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(command, env=env, cwd=folder, stdout=said, stderr=errors)


def _await_answer(url: str, process: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            with urlopen(f"{url}/healthz", timeout=1):
                return
        except (URLError, OSError):
            time.sleep(0.05)
    raise RuntimeError(f"No server answers at {url}.")
