"""The machine of a page: a real server on a free port, a shell with a real curl, and the talk in the terminal.

The page's commands run as they stand. Its address, 127.0.0.1:8000, leads to the free port by curl's own settings.
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

from tests.strangers import PYTEST

SHOWN = "127.0.0.1:8000"  #: the address on every page
PATIENCE = 300.0  #: seconds for one answer, on a busy machine too
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
        self._server: subprocess.Popen[str] | None = None
        self._log: threading.Thread | None = None

    def _command(self, name: str, how: str) -> None:
        command = self._home / name
        command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {how} "$@"\n', encoding="utf-8")
        command.chmod(0o755)

    def close(self) -> None:
        """Stop the server, if there is one."""
        if self._server is None:
            return
        self._server.send_signal(signal.SIGTERM)
        try:
            self._server.wait(PATIENCE)
        finally:
            if self._server.poll() is None:
                self._server.kill()
                self._server.wait()
            if self._log is not None:
                self._log.join()
            if self._server.stderr is not None:
                self._server.stderr.close()

    def set(self, name: str, value: str) -> None:
        """A variable of the shell."""
        self._env[name] = value

    def serve(self) -> str:
        """Start `softrail serve`; what it says first."""
        assert self._server is None, "the page starts its server once"
        self._server = self._started(["softrail", "serve"], stderr=subprocess.PIPE)
        log = self._server.stderr
        assert log is not None
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
        assert done.returncode == 0, f"{command}\n{done.stdout}"
        return done.stdout

    def talk(self, command: str, lines: Sequence[Line]) -> list[list[str]]:
        """Type line after line into `softrail chat`, each when the one before is answered; the answers.

        As many lines are awaited as are shown. What comes too late stands with the answer to the next line, and
        after the last line the talk ends.
        """
        process = self._started(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert process.stdin is not None
        assert process.stdout is not None
        printed: queue.Queue[str | None] = queue.Queue()
        reader = threading.Thread(target=_into, args=(process.stdout, printed))
        reader.start()
        answers: list[list[str]] = []
        try:
            for line in lines[:-1]:
                process.stdin.write(f"{line.said}\n")
                process.stdin.flush()
                answers.append([_next(printed, line) for _ in line.shown])
            process.stdin.write(f"{lines[-1].said}\n")
            process.stdin.close()
            answers.append(list(iter(lambda: printed.get(timeout=PATIENCE), None)))
            assert process.wait(PATIENCE) == 0
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
            reader.join()
            process.stdin.close()
            process.stdout.close()
        return answers

    def _started(
        self,
        words: Sequence[str],
        *,
        stdin: int | None = None,
        stdout: int | None = None,
        stderr: int | None = None,
    ) -> subprocess.Popen[str]:
        return subprocess.Popen(
            words,
            executable=str(self._home / words[0]),
            cwd=self._folder,
            env=self._env,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            text=True,
        )


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
