"""One table: `make bench-peers`, or `python -m benchmarks.peers.pace [--python NAME=INTERPRETER …] [--rounds 3]`.

A peer whose interpreter is not named, there or in `PEER_NAME_PYTHON`, is left out. They take turns, round by round, so
that all meet the same machine.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.http import ROOT, server

LIMIT: Final = 600  #: seconds for one of them in one round

#: Who is compared, and what each has kept of a turn when it answers.
KEEPS: Final = {
    "raw": "one row: what was said",
    "softrail": "message, reply, decision record, state, transitions; each turn once, in order",
    "burr": "the state after each action",
    "langgraph": "a checkpoint a step, pending writes",
    "aiogram": "state and data, replaced",
    "botframework": "state, replaced",
}


@dataclass(slots=True)
class Figures:
    """What was measured of one of them, a figure a round."""

    inside: list[float] = field(default_factory=list)  #: turns a second in process
    cpu: list[float] = field(default_factory=list)  #: milliseconds of a turn
    over: list[float] = field(default_factory=list)  #: turns a second over HTTP


def main() -> None:
    """Measure all and print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.peers.pace", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--python", action="append", default=[], metavar="NAME=INTERPRETER")
    parser.add_argument("--pythons", metavar="INTERPRETER", help="one that has them all")
    parser.add_argument("--sessions", type=int, default=32)
    parser.add_argument("--laps", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    named = pythons(dict(pair.split("=", 1) for pair in given.python), given.pythons)
    measured = {name: Figures() for name in named}
    for _ in range(given.rounds):
        for name, python in named.items():
            found = _in_process(name, python, given.sessions, given.laps)
            measured[name].inside.append(found["turns"] / found["wall"])
            measured[name].cpu.append(1000 * found["cpu"] / found["turns"])
            measured[name].over.append(_over_http(name, python, given.sessions, given.laps))
    print("\n".join(_table(measured)))


def pythons(named: Mapping[str, str], shared: str | None) -> dict[str, str]:
    """The interpreter of each that has one."""
    found = {}
    for name in KEEPS:
        ours = sys.executable if name in ("raw", "softrail") else None
        python = named.get(name) or os.environ.get(f"PEER_{name.upper()}_PYTHON") or ours or shared
        if python:
            # Each runs in a folder of its own. Links stay: by them an interpreter knows what is installed.
            found[name] = os.path.abspath(python)
        else:
            print(f"{name}: left out, no interpreter is named")
    return found


def _in_process(name: str, python: str, sessions: int, laps: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        command = [python, "-m", f"benchmarks.peers.pace.on_{name}", folder]
        command += ["--sessions", str(sessions), "--laps", str(laps)]
        return _json(command, Path(folder))


def _over_http(name: str, python: str, sessions: int, laps: int) -> float:
    path = "/converse" if name == "softrail" else "/turn"
    with tempfile.TemporaryDirectory() as folder:
        serving = [python, "-m", f"benchmarks.peers.pace.on_{name}", folder, "--port"]
        with server(Path(folder), serving, {}) as (url, _):
            command = [sys.executable, "-m", "benchmarks.peers.pace.load", url, path]
            found = _json([*command, "--clients", str(sessions), "--laps", str(laps)], Path(folder))
    return found["turns"] / found["wall"]


def _json(command: list[str], folder: Path) -> dict[str, float]:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(command, cwd=folder, env=env, stdout=subprocess.PIPE, timeout=LIMIT, check=True)
    found: dict[str, float] = json.loads(ran.stdout)
    return found


def _table(measured: Mapping[str, Figures]) -> Iterator[str]:
    yield "| | in process | CPU of a turn | over HTTP | what it has kept of a turn when it answers |"
    yield "|---|---|---|---|---|"
    for name, its in measured.items():
        cells = f"{median(its.inside):,.0f}/s | {median(its.cpu):.1f} ms | {median(its.over):,.0f}/s"
        yield f"| {name} | {cells} | {KEEPS[name]} |"


if __name__ == "__main__":
    main()
