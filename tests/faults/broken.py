"""Breaks each guarantee on purpose, one after the other, and shows which tests notice.

    python -m tests.faults.broken --times 10
    python -m tests.faults.broken --only reply-first,no-claim --why

Each break is made in a process of its own: one part of the real code is replaced, and its guards run there as often
as was asked for. First all guards run on whole code. Ends with 1 when one fails there, when a break does not fit the
code any more, or when it was not noticed every time.
"""

import argparse
import contextlib
import multiprocessing
import os
import signal
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from tests.faults.breaks import BREAKS

LIMIT = 300.0  #: seconds for one run of guards; those that are not done by then have not noticed anything
#: The code has to be there before pytest is, to be broken: assertions in it are not rewritten then.
_QUIET = (
    "-q",
    "-n0",
    "--tb=line",
    "-p",
    "no:cacheprovider",
    "-W",
    "ignore::pytest.PytestAssertRewriteWarning",
)
# What the parent has loaded is there at once in a process that is forked: most of the time of a short test.
_NEW: Any = multiprocessing.get_context("fork" if hasattr(os, "fork") else "spawn")


@dataclass(eq=False)  # pytest keeps its plugins in sets
class Ran:
    """How the guards ended: a code of pytest's, and which tests failed, each with why."""

    code: int = -1
    failed: dict[str, str] = field(default_factory=dict)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Told by pytest after each phase of each test."""
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            why = " ".join(str(crash.message if crash is not None else report.longrepr).split())
            self.failed.setdefault(report.nodeid.rpartition("::")[2].partition("[")[0], why[:200])


def inside(name: str, guards: Sequence[str], times: int, said: Path, tell: "Connection[Ran, None]") -> None:
    """Run guards in this process with one thing broken, "" for nothing, and tell how each run ended."""
    with contextlib.suppress(AttributeError):  # Windows has no groups
        os.setsid()
    with said.open("w") as out:
        for stream in (sys.stdout, sys.stderr):
            os.dup2(out.fileno(), stream.fileno())
    with pytest.MonkeyPatch.context() as patch:
        if name:
            BREAKS[name].apply(patch)
        for _ in range(times):
            ran = Ran()
            ran.code = int(pytest.main([*_QUIET, *guards], plugins=[ran]))
            tell.send(ran)


def ran(name: str, guards: Sequence[str], times: int) -> tuple[list[Ran], str]:
    """How each run of the guards ended, in a process of their own; and the last that was said there."""
    runs: list[Ran] = []
    with tempfile.TemporaryDirectory() as folder:
        said, (heard, tell) = Path(folder) / "said", _NEW.Pipe(duplex=False)
        process = _NEW.Process(target=inside, args=(name, guards, times, said, tell))
        process.start()
        tell.close()
        with contextlib.suppress(EOFError):
            while len(runs) < times and heard.poll(LIMIT):
                runs.append(heard.recv())
        process.join(10)
        if process.is_alive() and process.pid is not None:
            end = getattr(os, "killpg", os.kill)
            end(process.pid, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
            process.join()
        return runs, said.read_text(errors="replace")[-3000:] if said.exists() else ""


def told(name: str, runs: Sequence[Ran], times: int, *, why: bool) -> tuple[str, int]:
    """The row of a break, and how often nothing noticed it."""
    broken = BREAKS[name]
    caught = [run for run in runs if run.code == pytest.ExitCode.TESTS_FAILED]
    by = {test: reason for run in caught for test, reason in run.failed.items()}
    tests = ", ".join(f"`{test}`" for test in sorted(by)) or "**nothing**"
    row = f"| `{name}` | {broken.guarantee} | {broken.how} | {tests} | {len(caught)} of {times} |"
    reasons = [f"    {test}: {reason}" for test, reason in sorted(by.items())] if why else []
    return "\n".join([row, *reasons]), times - len(caught)


def listed() -> str:
    """Each guarantee with the ways it is broken, as the page on durability has them."""
    ways: dict[str, list[str]] = {}
    for broken in BREAKS.values():
        ways.setdefault(broken.guarantee, []).append(broken.how)
    rows = [f"| {guarantee} | {'; '.join(how)} |" for guarantee, how in ways.items()]
    return "\n".join(["| Guarantee | Broken how |", "|---|---|", *rows])


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--times", type=int, default=1, help="how often the guards of each break run")
    parser.add_argument("--only", default=",".join(BREAKS), help="which breaks, comma separated")
    parser.add_argument("--why", action="store_true", help="show what the tests that noticed had to say")
    parser.add_argument(
        "--list", action="store_true", help="only list them, as the page on durability has them"
    )
    given = parser.parse_args()
    if given.list:
        print(listed())
        return
    names = given.only.split(",")
    if unknown := [name for name in names if name not in BREAKS]:
        parser.error(f"there is no break {unknown[0]!r}; there are {', '.join(BREAKS)}")
    guards = list(dict.fromkeys(guard for name in names for guard in BREAKS[name].guards))
    whole, said = ran("", guards, 1)
    if [(run.code, run.failed) for run in whole] != [(0, {})]:
        raise SystemExit(f"The guards fail on whole code.\n{said}")
    print("| Break | Guarantee | Broken how | Caught by | Caught |\n|---|---|---|---|---|", flush=True)
    missed = 0
    for name in names:
        runs, _ = ran(name, BREAKS[name].guards, given.times)
        row, unseen = told(name, runs, given.times, why=given.why)
        missed += unseen
        print(row, flush=True)
    if missed:
        print(f"\n{missed} of {len(names) * given.times} runs noticed nothing.")
    raise SystemExit(int(missed > 0))


if __name__ == "__main__":
    main()
