"""A process says of itself which it is, and others on its machine see at once that it has ended."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from softrail.core.os_process import has_ended, tag

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="nobody can tell elsewhere")

SAYS_WHO_IT_IS = "from softrail.core.os_process import tag; print('one' + tag(), flush=True); input()"


@pytest.fixture
def other() -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", SAYS_WHO_IT_IS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    yield process
    process.kill()
    process.communicate()


def who(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_a_process_that_runs_has_not_ended(other: subprocess.Popen[str]) -> None:
    worker = who(other)

    assert worker.count("@") == 1
    assert not has_ended(worker)
    assert not has_ended(f"{worker}/2")
    assert not has_ended(f"me{tag()}")


def test_one_that_was_killed_has_ended_before_and_after_its_parent_asked_how(
    other: subprocess.Popen[str],
) -> None:
    worker = who(other)
    other.kill()
    os.waitid(os.P_PID, other.pid, os.WEXITED | os.WNOWAIT)

    assert has_ended(worker)
    other.wait()
    assert has_ended(worker)
    assert has_ended(f"{worker}/2")


def test_a_number_that_was_given_to_another_process_is_not_the_one_that_had_it() -> None:
    machine, pid, start = tag().split(".")

    assert has_ended(f"one{machine}.{pid}.{int(start) - 1}")


@pytest.mark.parametrize(
    "worker",
    ["one", "one@", "one@elsewhere.1.5", "one@elsewhere", f"one{tag()[:13]}.x.5", f"one{tag()[:13]}.-1.5"],
)
def test_of_a_worker_elsewhere_nobody_can_tell(worker: str) -> None:
    assert not has_ended(worker)
