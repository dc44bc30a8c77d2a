"""`softrail chat` as people run it: a process at a terminal, or at a pipe."""

import asyncio
import os
import sys
import termios
from pathlib import Path

import pytest
from prompt_toolkit.application import get_app_session
from typer.testing import CliRunner

from softrail.cli import app
from softrail.cli.console import Interrupted, Leave
from softrail.cli.keyboard import Keyboard
from tests.pseudo_terminal import CTRL_C, CTRL_D, ENTER, PATIENCE, terminal, typed_into

PLAN = (
    "problem: What do three cost?\nsteps:\n- {id: total, action: compute, arguments: {expression: 3 * 4}}\n"
)


async def test_a_plan_is_given_and_followed_and_ctrl_c_twice_leaves_the_terminal_as_it_was(
    tmp_path: Path,
) -> None:
    (tmp_path / "three.yaml").write_text(PLAN, encoding="utf-8")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("SOFTRAIL_")}
    async with terminal(60) as screen:
        before = termios.tcgetattr(screen.program)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-c", "import os; os.login_tty(0); from softrail.cli import app; app()", "chat"),
            cwd=tmp_path,
            env={**clean, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm-256color"},
            stdin=screen.program,
            stdout=screen.program,
            stderr=screen.program,
        )
        try:
            await screen.sees_below(r"\[EXPLORE\] idle")
            screen.type(f"/plan three.yaml{ENTER}")
            await screen.sees("1 step. Shall I go ahead?")
            await screen.sees_below(r'\[EXPLORE\] awaiting_approval "What do three…?.*" \[y/n/suggest\]')
            screen.type(ENTER)
            await screen.sees("- total: 12")
            await screen.sees_below(r"\[EXPLORE\] idle")

            screen.type(CTRL_C)
            await screen.sees("Press Ctrl+C again to leave.")
            screen.type(CTRL_C)
            async with asyncio.timeout(PATIENCE):
                assert await process.wait() == 0
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        assert termios.tcgetattr(screen.program) == before
        assert "Traceback" not in screen.everything
        assert "[EXPLORE]" not in screen.everything


@pytest.mark.parametrize(
    ("keys", "read"),
    [(CTRL_C, Interrupted()), (CTRL_D, Leave), (f"hello{ENTER}", "hello")],
    ids=["Ctrl+C", "Ctrl+D", "a message"],
)
async def test_keys_are_the_prompts_while_something_is_written_above_it(
    keys: str, read: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with terminal(60) as screen:
        with typed_into(screen):
            output = get_app_session().output
            write = output.write

            def typed_meanwhile(text: str) -> None:
                write(text)
                if "Shall I?" in text:
                    screen.type(keys)

            monkeypatch.setattr(output, "write", typed_meanwhile)
            keyboard = Keyboard()
            async with keyboard.open(), asyncio.timeout(PATIENCE):
                await screen.sees(">")
                keyboard.tell("Shall I?")
                try:
                    assert await keyboard.read() == read
                except Leave:
                    assert read is Leave
        assert "^" not in screen.everything


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
