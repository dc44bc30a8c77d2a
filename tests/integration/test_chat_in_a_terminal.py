"""`softrail chat` as people run it: a process at a terminal, or at a pipe."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from softrail.cli import app

PLAN = (
    "problem: What do three cost?\nsteps:\n- {id: total, action: compute, arguments: {expression: 3 * 4}}\n"
)


def test_over_a_pipe_there_are_no_colours_and_an_empty_line_agrees_to_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "three.yaml").write_text(PLAN, encoding="utf-8")
    (tmp_path / "sales.csv").write_text("Region,Net\nNorth,3\n", encoding="utf-8")

    done = CliRunner().invoke(app, ["chat"], input="/attach sales.csv\n/plan three.yaml\n\nstatus\n/exit\n")

    assert done.exit_code == 0
    assert "sales.csv: 1 row in sales: region (text), net (number)" in done.stdout
    assert "waits for your yes" in done.stdout
    assert "I've begun" not in done.stdout
    assert not {"\x1b", "\r", "⠋"} & set(done.stdout)
    assert "[EXPLORE]" not in done.stdout
