"""A start that cannot work says why in one line, without a traceback, and with the right exit status."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from softrail.cli import app

FINDINGS, USAGE, INTERRUPTED = 1, 2, 130
NOBODY = 65534
#: The command line as a terminal starts it: what runs in the background of a shell has interrupts ignored from there.
INTERRUPTIBLE = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from softrail.cli import app
app()
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def one_line(*words: str, code: int) -> str:
    """What a command says that does not start."""
    result = CliRunner().invoke(app, list(words), input="")
    assert result.exit_code == code, f"{result.output}\n{result.exception!r}"
    assert result.stdout == ""
    [line] = result.stderr.splitlines()
    return line


@pytest.mark.parametrize("command", ["serve", "chat"])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "nonsense"),
        ("DATABASE_URL", "mysql://host/name"),
        ("MODEL", "foo"),
        ("SECRET_KEY", "short"),
        ("PROMPTS_DIR", "nowhere"),
        ("PORT", "99999"),
    ],
)
def test_a_wrong_setting_is_named(
    monkeypatch: pytest.MonkeyPatch, command: str, name: str, value: str
) -> None:
    monkeypatch.setenv(f"SOFTRAIL_{name}", value)

    said = one_line(command, code=USAGE)

    assert said.startswith(f"SOFTRAIL_{name} is not usable: ")
    assert name != "SECRET_KEY" or value not in said


@contextmanager
def without_rights(path: Path) -> Iterator[None]:
    """Within the block this process may not look into the folder, not even as the superuser."""
    path.chmod(0)
    superuser = os.geteuid() == 0
    if superuser:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if superuser:
            os.seteuid(0)
        path.chmod(0o755)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no such rights")
@pytest.mark.parametrize("command", ["serve", "chat"])
def test_a_folder_of_texts_that_may_not_be_read_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    texts = folder / "texts"
    texts.mkdir()
    monkeypatch.setenv("SOFTRAIL_PROMPTS_DIR", str(texts))
    monkeypatch.chdir(folder.root)  # nobody may look into the test's own folder either
    with without_rights(texts):
        said = one_line(command, code=USAGE)

    assert said == "SOFTRAIL_PROMPTS_DIR is not usable: the folder cannot be read (Permission denied)."


def test_a_model_without_its_key_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOFTRAIL_MODEL", "claude")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)

    for command in ("serve", "chat"):
        assert "ANTHROPIC_API_KEY" in one_line(command, code=FINDINGS)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_port_in_use_is_said_before_anything_claims_to_listen(workers: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])

        said = one_line("serve", "--port", port, "--workers", workers, code=FINDINGS)

    assert said.startswith(f"Nobody can listen on 127.0.0.1:{port}: Address already in use. ")


def test_an_address_that_is_not_of_this_machine_is_said() -> None:
    assert CliRunner().invoke(app, ["keys", "create", "--person", "ada@example.org"]).exit_code == 0

    for host in ("192.0.2.1", f"{'a' * 70}.example"):
        assert one_line("serve", "--port", "0", "--host", host, code=FINDINGS).startswith(
            f"Nobody can listen on {host}:0: "
        )


@contextmanager
def standup() -> Iterator["subprocess.Popen[str]"]:
    """A talk over pipes that has asked its first question and waits for the answer."""
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, "chat"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("let's do my standup\n")
        process.stdin.flush()
        assert process.stdout.readline() == "What did you work on yesterday?\n"
        try:
            yield process
        finally:
            process.kill()


def last_words(process: "subprocess.Popen[str]") -> str:
    """What a process that has ended had to complain about, but for how busy the machine was."""
    assert process.stderr is not None
    return "".join(line for line in process.stderr if "held the event loop" not in line).strip()


def test_a_talk_over_a_pipe_that_is_interrupted_ends_without_a_word() -> None:
    with standup() as process:
        process.send_signal(signal.SIGINT)

        assert process.wait(timeout=60) == INTERRUPTED  # its input is still open
        assert last_words(process) == ""


def test_a_talk_over_a_pipe_that_is_interrupted_twice_ends_without_a_word() -> None:
    with standup() as process:
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)

        # The second ends it while it closes, unless the two arrive as one.
        assert process.wait(timeout=60) in (INTERRUPTED, -signal.SIGINT)
        assert last_words(process) == ""


def test_a_talk_over_a_pipe_ends_with_its_input() -> None:
    with standup() as process:
        _, said = process.communicate(timeout=60)

        assert (process.returncode, said.strip()) == (0, "")


def test_help_in_the_terminal_names_what_only_the_terminal_can_do() -> None:
    shown = CliRunner().invoke(app, ["chat"], input="/help\n/exit\n")
    replies = CliRunner().invoke(app, ["chat", "--json"], input="/help\n/exit\n")

    assert "/upload FILE [TITLE]" in shown.stdout
    assert "/upload" not in replies.stdout
