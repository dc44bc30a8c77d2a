"""Breaks each guarantee of durability on purpose, one after the other, and shows which tests notice.

    python -m tests.faults.broken --times 10
    python -m tests.faults.broken --only reply-first,no-claim

Each break is made in an interpreter of its own: one part of the real code is replaced, and its guards run there as often
as was asked for. First all guards run on whole code. Ends with 1 when one fails there, or when a break was not noticed
every time.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence

import pytest

from tests.faults.breaking import BREAKS

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
_RESULT = "RESULT "


class Seen:
    """Notes which tests failed, in any of their phases."""

    def __init__(self) -> None:
        self.failed: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Told by pytest after each phase of each test."""
        if report.failed:
            self.failed.append(report.nodeid.rpartition("::")[2].partition("[")[0])


def inside(name: str, guards: Sequence[str], times: int) -> None:
    """Run guards in this process with one thing broken, "" for nothing, and print how each run ended."""
    with pytest.MonkeyPatch.context() as patch:
        if name:
            BREAKS[name].apply(patch)
        for _ in range(times):
            seen = Seen()
            code = int(pytest.main([*_QUIET, *guards], plugins=[seen]))
            print(f"\n{_RESULT}{json.dumps([code, seen.failed])}", flush=True)


def ran(name: str, guards: Sequence[str], times: int) -> tuple[list[tuple[int, list[str]]], str]:
    """How each run of the guards ended, in a process of their own, with its failures; and the last that was said."""
    command = [sys.executable, "-m", "tests.faults.broken", "--inside", name, "--times", str(times), *guards]
    done = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        said, _ = done.communicate(timeout=LIMIT * times)
    except subprocess.TimeoutExpired:
        done.kill()
        said, _ = done.communicate()
    lines = (line for line in said.splitlines() if line.startswith(_RESULT))
    return [tuple(json.loads(line.removeprefix(_RESULT))) for line in lines], said[-3000:]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--times", type=int, default=1, help="how often the guards of each break run")
    parser.add_argument("--only", default=",".join(BREAKS), help="which breaks, comma separated")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    parser.add_argument("guards", nargs="*", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.inside is not None:
        inside(given.inside, given.guards, given.times)
        return
    names = given.only.split(",")
    if unknown := [name for name in names if name not in BREAKS]:
        parser.error(f"there is no break {unknown[0]!r}; there are {', '.join(BREAKS)}")
    guards = list(dict.fromkeys(guard for name in names for guard in BREAKS[name].guards))
    whole, said = ran("", guards, 1)
    if whole != [(0, [])]:
        raise SystemExit(f"The guards fail on whole code.\n{said}")
    print("| Guarantee | Broken how | Caught by | Caught |\n|---|---|---|---|", flush=True)
    missed = 0
    for name in names:
        broken = BREAKS[name]
        runs, _ = ran(name, broken.guards, given.times)
        caught = [failed for code, failed in runs if code == pytest.ExitCode.TESTS_FAILED]
        missed += given.times - len(caught)
        by = ", ".join(f"`{test}`" for test in sorted({test for failed in caught for test in failed}))
        count = f"{len(caught)} of {given.times}"
        print(f"| {broken.guarantee} | {broken.how} | {by or 'nothing'} | {count} |", flush=True)
    raise SystemExit(int(missed > 0))


if __name__ == "__main__":
    main()
