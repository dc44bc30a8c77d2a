"""Runs what a page of the documentation shows.

A page is read from top to bottom, in an empty folder, with a clock that stands still at Monday, 2 March 2026, 9:00 UTC:

    ```python            runs; what a block defines, the next one knows; `await` works; tests in it are run
    ```python file=X     is written to the file X, and imported by whoever wants to
    ```toml file=X       (any language) is written to the file X
    ```talk              is played with the processes of the page, or those it `uses:`
    ```console           each `$ command` runs (softrail, pytest, curl); what it prints is as shown
    ```console until     the same, again and again until it prints what is shown
    ```sh                is not run; each command in it exists
    ```python peer=X     another framework's: not run here (`test_peer_samples.py`)
    ```json              after a `curl`: what came back

`…` stands for any words, lines or values.

A page that starts `softrail serve` or `softrail chat` in a console block has a machine of its own (`machine.py`): its commands
are run by a shell, against a real server, and `> words` are typed into the talk in the terminal, whose answers
are as shown line by line. `$ export NAME=…  # FIELD of the answer above` keeps what a person would copy from there.
"""

import ast
import asyncio
import inspect
import io
import json
import re
import shlex
import sys
import time
import types
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.testclient import TestClient
from typer.testing import CliRunner

from softrail.cli import app as command_line
from softrail.processes import Process
from softrail.testing import FrozenClock, Script, conversation
from tests.forked import ran
from tests.house.machine import PATIENCE, Line, Machine, announce
from tests.house.shown import as_shown, as_shown_line, same
from tests.integration.api_server import here
from tests.strangers import PYTEST

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(r"^```(?P<kind>\w+)?(?P<rest>[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"file=(\S+)")
_PEER = re.compile(r"peer=\S+")
_LIVE = re.compile(r"^\$ softrail (serve|chat)\b", re.MULTILINE)
_COPIED = re.compile(r"export (?P<name>[A-Z_]+)=\S+\s+# (?P<path>\S+) of the answer above")
_BARE = re.compile(r'("(?:[^"\\]|\\.)*")|…')  #: a text, or `…` where any value stands
_RUN = ("python", "talk", "console", "json", "sh")


@dataclass(frozen=True, kw_only=True)
class Block:
    """A fenced block of a page."""

    kind: str
    text: str
    line: int
    file: str | None
    until: bool = False
    peer: bool = False  #: code of another framework


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    for found in _FENCE.finditer(text):
        named = _FILE.search(found["rest"])
        yield Block(
            kind=found["kind"] or "",
            text=found["text"],
            line=text.count("\n", 0, found.start()) + 2,
            file=named[1] if named else None,
            until=found["rest"].strip() == "until",
            peer=_PEER.search(found["rest"]) is not None,
        )


def pages() -> list[Path]:
    """Every page."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


class Reader:
    """Reads one page and does what it says."""

    def __init__(self, page: Path, folder: Path) -> None:
        self._page = page
        self._folder = folder
        self._clock = FrozenClock()
        self._module = types.ModuleType("page")
        self._module.__dict__["__file__"] = str(page)
        self._answer: Any = None
        self._runner = asyncio.Runner()
        self._server: TestClient | None = None
        self._machine: Machine | None = None
        self._live = any(b.kind == "console" and _LIVE.search(b.text) for b in blocks(page))

    def read(self) -> None:
        """Run every block; raises AssertionError, naming the line of the page, at the first that is not so."""
        sys.modules["page"] = self._module
        sys.path.insert(0, str(self._folder))
        try:
            with self._clock.installed(), self._runner:
                for block in blocks(self._page):
                    self._do(block)
        finally:
            if self._machine is not None:
                self._machine.close()
            if self._server is not None:
                self._server.__exit__(None, None, None)
            sys.path.remove(str(self._folder))
            for name, module in list(sys.modules.items()):
                places = [
                    getattr(module, "__file__", None),
                    *getattr(module, "__path__", ()),
                ]  # a folder has no file
                if any(str(place or "").startswith(str(self._folder)) for place in places):
                    del sys.modules[name]
            del sys.modules["page"]

    def _do(self, block: Block) -> None:
        where = f"{self._page.relative_to(ROOT)}:{block.line}"
        if block.peer:
            return
        if block.file is not None:
            path = self._folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.kind in _RUN:
            getattr(self, f"_{block.kind}")(block, where)

    # -- python

    def _python(self, block: Block, where: str) -> None:
        source = "\n" * (block.line - 1) + block.text
        code = compile(
            source, str(self._page), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True
        )
        known = dict(vars(self._module))
        printed = io.StringIO()
        with redirect_stdout(printed):
            self._runner.run(_executed(code, vars(self._module)))
        tests = [
            value
            for name, value in vars(self._module).items()
            if name.startswith("test_") and value is not known.get(name)
        ]
        for test in tests:
            self._runner.run(_tested(test, self._processes()))

    def _processes(self) -> list[type[Process]]:
        made = [v for v in vars(self._module).values() if isinstance(v, type) and issubclass(v, Process)]
        return [kind for kind in made if kind.name and kind.__module__ == "page"]

    # -- conversations

    def _talk(self, block: Block, where: str) -> None:
        script = Script.parse(block.text, name=where)
        used = script.uses() or self._processes()

        async def play() -> None:
            async with conversation(*used, clock=FrozenClock(), discover=not used) as talk:
                await script.play(talk)

        self._runner.run(play())

    # -- the terminal

    def _console(self, block: Block, where: str) -> None:
        for command, shown in _commands(block.text):
            deadline = time.monotonic() + (PATIENCE if block.until else 0)
            while fault := self._fault(command, shown, where):
                assert time.monotonic() < deadline, f"{where}: {command}\n{fault}"

    def _fault(self, command: str, shown: str, where: str) -> str:
        """What is not as shown; "" when all is."""
        if command == "pip install -e .":
            announce(self._folder)
            return ""
        if self._machine is None and self._live:
            self._machine = Machine(self._folder, self._folder.with_name(f"{self._folder.name}-home"))
        if self._machine is None:
            printed = self._printed(shlex.split(command), where)
        elif command == "softrail serve":
            printed = self._machine.serve()
        elif command.startswith("softrail chat"):
            return self._talked(self._machine, command, shown)
        elif copied := _COPIED.fullmatch(command):
            self._machine.set(copied["name"], str(_at(self._answer, copied["path"])))
            return ""
        else:
            printed = self._machine.shell(command)
            self._answer = _json_or_none(printed)
        return "" if as_shown(shown, printed) else f"shown:\n{shown}\nprinted:\n{printed}"

    def _talked(self, machine: Machine, command: str, shown: str) -> str:
        lines = list(_typed(shown))
        for line, answer in zip(lines, machine.talk(command, lines), strict=True):
            if len(answer) != len(line.shown) or not all(map(as_shown_line, line.shown, answer)):
                return f"> {line.said}\nshown:\n{_lines(line.shown)}\nprinted:\n{_lines(answer)}"
        return ""

    def _printed(self, words: list[str], where: str) -> str:
        if words[0] == "softrail":
            said = CliRunner().invoke(command_line, words[1:])
            assert said.exit_code == 0, f"{where}: {words} gave {said.exit_code}: {said.output}"
            return said.stdout
        if words[0] == "pytest":
            done = ran([*PYTEST, *words[1:]], cwd=self._folder)
            assert done.status == 0, f"{where}: {words}\n{done.stdout}\n{done.stderr}"
            return done.stdout
        assert words[0] == "curl", f"{where}: {words[0]} is not run from a page; show it as sh"
        return self._asked(words[1:])

    def _asked(self, words: list[str]) -> str:
        method, url, body, headers, names = "", "", None, MutableHeaders(), iter(words)
        for word in names:
            if word in ("-X", "--request"):
                method = next(names)
            elif word in ("-H", "--header"):
                name, _, value = next(names).partition(": ")
                headers[name] = value
            elif word in ("-d", "--data"):
                body = next(names)
                headers.setdefault("Content-Type", "application/x-www-form-urlencoded")  # as curl does
            elif not word.startswith("-"):
                url = word
        if self._server is None:
            self._server = here(self._application()).__enter__()
        response = self._server.request(
            method or ("POST" if body else "GET"), url, content=body, headers=dict(headers)
        )
        self._answer = response.json() if "json" in response.headers.get("content-type", "") else None
        return response.text

    def _application(self) -> Any:
        """The page's own `app`, or the server as it comes."""
        if "app" in vars(self._module):
            return vars(self._module)["app"]
        from softrail.api import create_app
        from softrail.bootstrap import build
        from softrail.settings import Settings
        from softrail.store import MemoryStore

        settings = Settings(docs=True, sweep_interval=3600)
        return create_app(build(settings, store=MemoryStore(), processes=self._processes()), settings)

    def _json(self, block: Block, where: str) -> None:
        assert self._answer is not None, f"{where}: nothing was asked for before this answer"
        shown = json.loads(_BARE.sub(lambda found: found[1] or '"…"', block.text))
        same(shown, self._answer, where)

    def _sh(self, block: Block, where: str) -> None:
        for line in block.text.splitlines():
            words = line.split("#")[0].split()
            while words and "=" in words[0]:
                words = words[1:]
            if words[:1] == ["softrail"]:
                said = CliRunner().invoke(command_line, [*_subcommand(words[1:]), "--help"])
                assert said.exit_code == 0, f"{where}: there is no command {line!r}"
            elif words[:1] == ["make"]:
                targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
                assert words[1] in targets, f"{where}: there is no {line!r}"


def _subcommand(words: list[str]) -> list[str]:
    groups = {"db": 2, "keys": 2, "new": 2}
    return words[: groups.get(words[0], 1)] if words else []


async def _executed(code: types.CodeType, names: dict[str, Any]) -> None:
    found = eval(code, names)  # noqa: S307 - the pages are ours
    if inspect.isawaitable(found):
        await found


async def _tested(test: Any, processes: list[type[Process]]) -> None:
    """Run a test of the page with the fixtures it asks for."""
    wanted = inspect.signature(test).parameters
    clock = FrozenClock()
    opened: list[Any] = []

    async def talk(*own: type[Process], **options: Any) -> Any:
        opened.append(conversation(*own, clock=clock, **options))
        return await opened[-1].__aenter__()

    fixtures: dict[str, Any] = {"talk": talk, "frozen": clock}
    with clock.installed():
        found = test(**{name: fixtures[name] for name in wanted})
        if inspect.isawaitable(found):
            await found
        for one in reversed(opened):
            await one.__aexit__(None, None, None)


def _commands(text: str) -> Iterator[tuple[str, str]]:
    """Each `$ command` (going on after a backslash) with the output shown below it."""
    command, shown = "", list[str]()
    for line in re.sub(r"\\\n\s*", "", text).splitlines():
        if line.startswith("$ "):
            if command:
                yield command, "\n".join(shown)
            command, shown = line[2:], []
        else:
            shown.append(line)
    if command:
        yield command, "\n".join(shown)


def _typed(shown: str) -> Iterator[Line]:
    """Each `> words` with the lines shown below it, blank ones at their end aside."""
    for part in re.split(r"^> ", shown, flags=re.MULTILINE)[1:]:
        said, *answer = part.rstrip("\n").split("\n")
        while answer and not answer[-1].strip():
            answer.pop()
        yield Line(said, answer)


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(f"  {line}" for line in lines)


def _json_or_none(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _at(answer: Any, path: str) -> Any:
    """What stands at `items[0].id` of an answer."""
    for name in re.findall(r"\w+", path):
        answer = answer[int(name)] if name.isdecimal() else answer[name]
    return answer
