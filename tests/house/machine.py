"""The machine of a page: a real server on a free port, a shell with a real curl, and the talk in the terminal.

The page's commands run as they stand. Its address, 127.0.0.1:8000, leads to the free port by curl's own settings.
`softrail` begins where everything is imported, unless the shell has more to do with the line than to run it.
"""

import os
import queue
import re
import shlex
import signal
import subprocess
import sys
import threading
import tomllib
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import IO, NamedTuple

from tests.forked import COMMAND_LINE, Process, begun
from tests.strangers import PYTEST

SHOWN = "127.0.0.1:8000"  #: the address on every page
PATIENCE = 300.0  #: seconds for one answer, on a busy machine too
_OF_THE_SHELL = frozenset("|&;<>$`*?#~(){}")
_LISTENING = re.compile(r"running on http://(127\.0\.0\.1:\d+)")


class Line(NamedTuple):
    """What the person types in the terminal, and what is shown to come back."""

    said: str
    shown: Sequence[str]


def announce(folder: Path) -> None:
    """What `pip install -e .` does that matters here: the entry points of the folder's distribution are found."""
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    named = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(named, encoding="utf-8")
    points = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in found.items())
        for group, found in project["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("\n".join(points), encoding="utf-8")


class Running(NamedTuple):
    """A command under way; it reads what is written to `typed`, and what it writes is read from `printed`."""

    process: Process
    typed: IO[str]
    printed: IO[str]

    def end(self) -> None:
        """Make sure that it is gone, and nothing open."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.typed.close()
        self.printed.close()


class Machine:
    """Runs what a page shows, in the page's folder; its own things lie in `home`."""

    def __init__(self, folder: Path, home: Path) -> None:
        home.mkdir()
        self._home = home
        self._command("softrail", "-c 'from softrail.cli import app; app()'")
        self._command("pytest", shlex.join(PYTEST[1:]))
        kept = {n: v for n, v in os.environ.items() if not n.startswith(("SOFTRAIL_", "ANTHROPIC_"))}
        self._env = {
            **kept,
            "PATH": os.pathsep.join([str(home), kept.get("PATH", "")]),
            "PYTHONPATH": os.pathsep.join(sys.path),
            "CURL_HOME": str(home),
            "SOFTRAIL_PORT": "0",
            "SOFTRAIL_LOG_LEVEL": "INFO",
            "ANTHROPIC_API_KEY": "of-a-reader-who-has-one",  # and no page may ask for anything with it
            "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
            "PYTHONUNBUFFERED": "1",
        }
        self._folder = folder
        self._server: Running | None = None
        self._log: threading.Thread | None = None

    def _command(self, name: str, how: str) -> None:
        command = self._home / name
        command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {how} "$@"\n', encoding="utf-8")
        command.chmod(0o755)

    def close(self) -> None:
        """Stop the server, if there is one."""
        if self._server is None:
            return
        self._server.process.send_signal(signal.SIGTERM)
        try:
            self._server.process.wait(PATIENCE)
        finally:
            if self._server.process.poll() is None:
                self._server.process.kill()
            if self._log is not None:
                self._log.join()
            self._server.end()

    def set(self, name: str, value: str) -> None:
        """A variable of the shell."""
        self._env[name] = value

    def serve(self) -> str:
        """Start `softrail serve`; what it says first."""
        assert self._server is None, "the page starts its server once"
        self._server = self._started("serve")
        log = self._server.printed
        said: list[str] = []
        for line in log:
            said.append(line)
            if found := _LISTENING.search(line):
                rule = f'connect-to = "{SHOWN}:{found[1]}"\nnoproxy = "*"\n'
                (self._home / ".curlrc").write_text(rule, encoding="utf-8")
                self._log = threading.Thread(target=deque, args=(log, 0))
                self._log.start()
                return said[0].replace("127.0.0.1:0", SHOWN)
        raise AssertionError("".join(said))

    def shell(self, command: str) -> str:
        """Run a command line; what it prints, as a person sees it."""
        words = shlex.split(command)
        if words[0] == COMMAND_LINE and not _OF_THE_SHELL & {*command}:
            running = self._started(*words[1:])
            running.typed.close()
            printed = running.printed.read()
            status = running.process.wait(PATIENCE)
            running.end()
        else:
            done = subprocess.run(
                ["sh", "-c", command],
                cwd=self._folder,
                env=self._env,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=PATIENCE,
                check=False,
            )
            printed, status = done.stdout, done.returncode
        assert status == 0, f"{command}\n{printed}"
        return printed

    def talk(self, command: str, lines: Sequence[Line]) -> list[list[str]]:
        """Type line after line into `softrail chat`, each when the one before is answered; the answers.

        As many lines are awaited as are shown. What comes too late stands with the answer to the next line, and
        after the last line the talk ends.
        """
        running = self._started(*shlex.split(command)[1:], errors=False)
        printed: queue.Queue[str | None] = queue.Queue()
        reader = threading.Thread(target=_into, args=(running.printed, printed))
        reader.start()
        answers: list[list[str]] = []
        try:
            for line in lines[:-1]:
                running.typed.write(f"{line.said}\n")
                running.typed.flush()
                answers.append([_next(printed, line) for _ in line.shown])
            running.typed.write(f"{lines[-1].said}\n")
            running.typed.close()
            answers.append(list(iter(lambda: printed.get(timeout=PATIENCE), None)))
            assert running.process.wait(PATIENCE) == 0
        finally:
            if running.process.poll() is None:
                running.process.kill()
            reader.join()
            running.end()
        return answers

    def _started(self, *words: str, errors: bool = True) -> Running:
        """A `softrail` of that; what it says of errors is printed with the rest."""
        read, typed = os.pipe()
        printed, written = os.pipe()
        try:
            process = begun(
                *(COMMAND_LINE, *words),
                cwd=self._folder,
                env=self._env,
                stdin=read,
                stdout=written,
                stderr=written if errors else 2,
            )
        finally:
            os.close(read)
            os.close(written)
        return Running(process, open(typed, "w", encoding="utf-8"), open(printed, encoding="utf-8"))


def _into(source: IO[str], printed: "queue.Queue[str | None]") -> None:
    for line in source:
        printed.put(line.rstrip("\n"))
    printed.put(None)


def _next(printed: "queue.Queue[str | None]", line: Line) -> str:
    try:
        found = printed.get(timeout=PATIENCE)
    except queue.Empty:
        raise AssertionError(f"> {line.said}: fewer lines came than are shown") from None
    assert found is not None, f"> {line.said}: the talk ended"
    return found
