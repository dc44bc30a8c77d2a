"""The lines of the examples are counted by a command, and the goals for them hold."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.lines import FLOWS, Flow, code_lines, lines

ROOT = Path(__file__).parents[2]

MODULE = '''"""What it is for.

More of it.
"""

# a comment
A = 1  # and one beside code


class B:
    """Its docstring."""

    text = """two
lines"""

    def c(self) -> int:
        """Another."""
        return (
            A
        )
'''


def test_blank_lines_comments_and_docstrings_are_no_lines_of_code() -> None:
    assert code_lines(MODULE) == len(("A", "class", "text", "lines", "def", "return (", "A", ")"))


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.example)
def test_a_flow_takes_no_more_lines_than_its_goal(flow: Flow) -> None:
    own, whole = lines(flow)

    assert 0 < own <= flow.goal
    assert whole >= own
    if flow.peer_lines is not None:
        assert whole < flow.peer_lines


def test_the_command_prints_ours_beside_the_others() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.lines"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    for flow in FLOWS:
        own, whole = lines(flow)
        [row] = [row for row in done.stdout.splitlines() if row.startswith(flow.name)]
        assert str(own) in row.split()
        assert str(whole) in row.split()
        assert row.endswith(f"{flow.peer} {flow.peer_lines}" if flow.peer else "no figure")
