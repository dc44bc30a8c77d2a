"""Conversations as scripts that a non-programmer can read.

    # comment
    uses: shop.refunds:Refund            a process class or an intent; without it, the application of `softrail.toml`, or what is installed
    person: I want my money back
    answers: Yes                         said to the question above and to no other, as a button is pressed
    answers: "Which order?" A-1          to that question, which may be an old one
    answers: = 20                        its value as JSON
    file: contract.pdf                   sent without words: the one beside the script, else one of that name; 6 MB, …
    us: Which order? …                   the reply; … stands for any words
    at once: One moment, please.         what was said while a step still ran, one after the other; or none
    process: refund active ask_order     name, state, step: as many as matter; or none
    pending: ask                         the kind of the open question, or none
    effects: refund_saved                kinds in order, or none
    intent: start_refund                 or none
    model calls: 0
    signal: booking payment {"amount": 20}   to the last run of that process; the data are JSON
    wait: 31 minutes
    clock: 2026-03-09 09:00              in UTC
    sweep
    session: new                         or newest: what was said there last, also by itself, is then the answer above
    as: robin@example.org

A line that begins with `|` goes on with the line before. Checks are about the answer above them.
"""

import importlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Self

from softrail.core.errors import SoftrailError

if TYPE_CHECKING:
    from softrail.core.intents import IntentDefinition
    from softrail.processes import Process
    from softrail.replay.conversation import Conversation, Said

WORDS = (
    "person",
    "answers",
    "file",
    "us",
    "at once",
    "process",
    "pending",
    "effects",
    "intent",
    "model calls",
    "signal",
    "wait",
    "clock",
    "session",
    "as",
    "uses",
)
_LINE = re.compile(rf"({'|'.join(WORDS)}):[ \t]*(.*)")
_ANSWERS = re.compile(r'(?:"(?P<question>[^"]+)"\s*)?(?P<value>=)?\s*(?P<words>.*)', re.DOTALL)
_FILE = re.compile(r"(?P<name>.*?\S)(?: (?P<size>\d+(?:\.\d+)?) (?P<unit>bytes|kB|MB))?")
_UNITS = {"bytes": 1, "kB": 1_000, "MB": 1_000_000}
_WAIT = re.compile(r"(\d+(?:\.\d+)?) (second|minute|hour|day|week)s?")


class ScriptError(SoftrailError):
    """A script cannot be read; the message names the line."""

    code = "script_error"


class Mismatch(AssertionError):
    """The conversation went another way than the script."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a script."""

    number: int
    word: str
    text: str


@dataclass(frozen=True, slots=True)
class Script:
    """A conversation as written."""

    lines: Sequence[Line]
    name: str = "script"
    folder: Path | None = None  #: where files lie that it sends

    @classmethod
    def parse(cls, text: str, *, name: str = "script", folder: Path | None = None) -> Self:
        """Read a script; raises ScriptError naming the first line that is none."""
        lines: list[Line] = []
        for number, raw in enumerate(text.splitlines(), start=1):
            line = raw.strip()
            if not line or line.startswith("#"):
                continue
            if line.startswith("|"):
                if not lines:
                    raise ScriptError(f"{name}:{number}: there is no line before this one to go on with.")
                last = lines.pop()
                lines.append(Line(last.number, last.word, f"{last.text}\n{line[1:].strip()}"))
            elif line == "sweep":
                lines.append(Line(number, "sweep", ""))
            elif found := _LINE.fullmatch(line):
                lines.append(Line(number, found[1], found[2]))
            else:
                known = ", ".join(f"{word}:" for word in WORDS)
                raise ScriptError(f"{name}:{number}: {line[:60]!r} is no line of a script. Known: {known}.")
        return cls(lines, name, folder)

    def uses(self) -> "list[type[Process] | IntentDefinition]":
        """The process classes and intents its `uses:` lines name."""
        found = []
        for line in self.lines:
            if line.word == "uses":
                module, _, attribute = line.text.partition(":")
                found.append(getattr(importlib.import_module(module), attribute))
        return found

    async def play(self, talk: "Conversation") -> "list[Said]":
        """Say every line of the person and check every other; raises Mismatch at the first that differs."""
        said: list[Said] = []
        for line in self.lines:
            if line.word == "person":
                said.append(await talk.say(line.text))
            elif line.word == "answers":
                said.append(await self._answer(line, talk, said))
            elif line.word == "file":
                said.append(await self._file(line, talk))
            elif line.word == "signal":
                said.append(await self._signal(line, talk))
            elif line.word == "session" and line.text.strip() == "newest":
                said.append(await talk.newest_session())
            elif line.word in ("us", "at once", "process", "pending", "effects", "intent", "model calls"):
                if not said:
                    raise ScriptError(f"{self.name}:{line.number}: nothing was said yet.")
                self._check(line, said[-1])
            else:
                await self._act(line, talk)
        return said

    async def _answer(self, line: Line, talk: "Conversation", said: "Sequence[Said]") -> "Said":
        found = _ANSWERS.fullmatch(line.text)
        assert found is not None  # noqa: S101 - everything in it may be missing
        quoted, words = found["question"], found["words"]
        asked = [one.reply.pending for one in (said if quoted else said[-1:]) if one.reply.pending]
        fitting = [one for one in asked if not quoted or quoted in one.prompt]
        if not fitting:
            what = f"nobody has asked {quoted!r} before" if quoted else "the answer above asks nothing"
            raise ScriptError(f"{self.name}:{line.number}: {what}, so nothing can answer it.")
        try:
            value = json.loads(words) if found["value"] else None
        except ValueError:
            raise ScriptError(
                f"{self.name}:{line.number}: after '=' comes JSON, for example 'answers: = 20'."
            ) from None
        return await talk.say(words, answers=fitting[-1].id, value=value)

    async def _file(self, line: Line, talk: "Conversation") -> "Said":
        """A file is sent, without words or with those of the lines that go on with this one."""
        first, _, words = line.text.partition("\n")
        found = _FILE.fullmatch(first.strip())
        if found is None:
            raise ScriptError(f"{self.name}:{line.number}: write for example 'file: contract.pdf'.")
        content = b"A file.\n"
        if found["size"]:
            content = bytes(int(float(found["size"]) * _UNITS[found["unit"]]))
        elif self.folder is not None and (self.folder / found["name"]).is_file():
            content = (self.folder / found["name"]).read_bytes()
        sent = await talk.upload(Path(found["name"]).name, content)
        return await talk.say(words, attachments=[sent])

    async def _signal(self, line: Line, talk: "Conversation") -> "Said":
        process, name, data = ([*line.text.split(None, 2), "", ""])[:3]
        try:
            given = json.loads(data or "{}")
        except ValueError:
            given = None
        if not name or not isinstance(given, dict):
            raise ScriptError(
                f"{self.name}:{line.number}: write for example 'signal: booking payment {{\"amount\": 20}}'."
            )
        return await talk.signal(process, name, given)

    async def _act(self, line: Line, talk: "Conversation") -> None:
        if line.word == "wait":
            found = _WAIT.fullmatch(line.text)
            if found is None:
                raise ScriptError(f"{self.name}:{line.number}: write for example 'wait: 31 minutes'.")
            talk.advance(**{f"{found[2]}s": float(found[1])})
        elif line.word == "clock":
            talk.clock.set(datetime.fromisoformat(line.text).replace(tzinfo=UTC))
        elif line.word == "sweep":
            await talk.sweep()
        elif line.word == "session":
            talk.new_session()
        elif line.word == "as":
            await talk.become(line.text)

    def _check(self, line: Line, said: "Said") -> None:
        expected = line.text.strip()
        if line.word == "us":
            good, got = _fits(expected, said.text), said.text
        elif line.word == "at once":
            got = "\n".join(said.at_once) or "none"
            good = _fits(expected, got)
        elif line.word == "process":
            words = [w for w in (said.process, said.state, said.step) if w]
            got = " ".join(words) or "none"
            good = words[: len(expected.split())] == expected.split() or got == expected
        elif line.word == "effects":
            got = ", ".join(said.effects) or "none"
            good = got == expected
        else:
            value = {
                "pending": said.pending,
                "intent": said.intent,
                "model calls": str(said.model_calls),
            }[line.word]
            got = value or "none"
            good = got == expected
        if not good:
            raise Mismatch(
                f"{self.name}:{line.number}: {line.word}\n  expected: {expected}\n  got:      {got}\n  in: {said!r}"
            )


def _fits(expected: str, text: str) -> bool:
    """Equal but for white space; `…` stands for any words, also none."""
    parts = [re.escape(" ".join(part.split())) for part in expected.split("…")]
    pattern = ".*".join(parts).replace(r"\ ", " ")
    return re.fullmatch(" ?" + pattern + " ?", " ".join(text.split())) is not None
