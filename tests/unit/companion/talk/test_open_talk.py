"""Lines written before what they show was mended, each in a project of its own, read as people's words are read."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from softrail.settings import Settings
from softrail.testing import FrozenClock
from tests.unit.companion.talk.kit import companion_talk

DATA = Path(__file__).parents[3] / "data"
FILE = DATA / "open_talk.jsonl"
TOLD = "is told of no service it did not ask for"
LINES: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


EACH = [line for line in LINES if line["kind"] != TOLD]


def test_the_lines_are_those_that_were_frozen() -> None:
    frozen_at = (DATA / "open_talk.sha256").read_text("utf-8").split()[0]

    assert hashlib.sha256(FILE.read_bytes()).hexdigest() == frozen_at


@pytest.mark.parametrize("line", EACH, ids=[" / ".join(line["says"]) for line in EACH])
async def test_what_is_heard_fits_what_was_said(frozen: FrozenClock, line: dict[str, Any]) -> None:
    assert await _misses(frozen, line) == []


async def test_whoever_tells_something_is_hardly_ever_told_that_it_cannot_be_had(frozen: FrozenClock) -> None:
    missed = [missed for line in LINES if line["kind"] == TOLD for missed in await _misses(frozen, line)]

    assert len(missed) <= 2, missed


async def _misses(frozen: FrozenClock, line: dict[str, Any]) -> list[str]:
    """What was not as it should be."""
    async with companion_talk(frozen, settings=Settings()) as c:
        project = await c.project() if line.get("project", True) else None
        for text in line.get("notes", ()):
            assert project is not None
            await c.companion.notes.add(c.me, project, text, state="saved")
        heard = [await c.say(message) for message in line["says"]]
        said, meant = (
            heard[-1],
            {one.intent for one in heard},
        )  # what is begun at once is not begun by a yes to it

        wrong = [] if line.get("effects") in (None, said.effects) else [f"did {said.effects}"]
        wrong += [] if line.get("intent") in (None, *meant) else [f"read as {said.intent}"]
        wrong += [f"not heard: {words}" for words in line.get("hears", ()) if words not in said.text]
        return wrong + [f"heard: {said.text}" for words in line.get("never", ()) if words in said.text]
