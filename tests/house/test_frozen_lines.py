"""The lines that judge the reader have not changed since they were written, and none of them is trained on."""

import json
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from hashlib import sha256
from pathlib import Path

import pytest

from softrail.companion.catalogue import said
from training.choosing.answers import written
from training.items.changes import changes
from training.items.counts import counts
from training.items.lists import lists
from training.scenes import forms, further, scenes, whole

ROOT = Path(__file__).parents[2]
DATA = ROOT / "benchmarks" / "data"
LINES = tuple(DATA / name for name in ("reader", "ordinary", "strangers", "closed", "lists", "numbers"))
SHORT = 3  #: words: "by the window" is said by anybody
CLOSE = 0.9  #: of two sentences that are one


@pytest.mark.parametrize("folder", LINES, ids=lambda folder: folder.name)
def test_the_lines_are_those_that_were_frozen(folder: Path) -> None:
    frozen = tomllib.loads((folder / "frozen.toml").read_text(encoding="utf-8"))
    found = {
        file.relative_to(folder).as_posix(): sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*.jsonl")
    }
    assert found == frozen


def test_no_message_that_is_trained_on_is_one_of_them() -> None:
    frozen = {
        _plain(json.loads(line)["message"])
        for folder in LINES
        for file in folder.rglob("*.jsonl")
        for line in file.read_text(encoding="utf-8").splitlines()
    }
    judged = Judged(frozen)
    assert judged.twins_of(next(line for line in frozen if len(line.split()) > SHORT))
    said = {
        _plain(one.plain): f"{scene.name}, line {one.line}"
        for scene in (*scenes(), *further(), *whole(), *forms())
        for one in scene.said
    }
    said |= {_plain(one.plain): f"a list, {one.asks!r}" for one in lists()}
    said |= {_plain(one.plain): f"a number, {one.asks!r}" for one in counts()}
    said |= {_plain(one.message): f"a list that is changed, {one.asks!r}" for one in changes()}
    said |= {_plain(one.message): f"{one.source}, {one.asks!r}" for one in written()}
    for message, where in said.items():
        assert not judged.twins_of(message), f"{where}: {message!r} judges the reader, too"


def test_no_free_message_that_is_learned_from_is_one_that_judges_how_they_are_read() -> None:
    files = [*(DATA / "free").glob("*.jsonl"), *(ROOT / "tests" / "data" / "classifier").glob("*.jsonl")]
    judged = Judged(
        _plain(text)
        for file in files
        for line in file.read_text(encoding="utf-8").splitlines()
        for text in _texts(json.loads(line))
    )
    learned = {
        _plain(json.loads(line)["text"]): f"{file.name}, line {at}"
        for file in sorted((ROOT / "training" / "messages").glob("*.jsonl"))
        for at, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
    }
    learned |= {_plain(text): f"said.jsonl, {intent}" for intent, texts in said().items() for text in texts}
    assert len(learned) > 10_000
    for message, where in learned.items():
        assert not judged.twins_of(message), f"{where}: {message!r} judges, too"


def _texts(row: object) -> Iterable[str]:
    """What is said in a line of a list, however deep it stands."""
    if isinstance(row, dict):
        for name, value in row.items():
            if name in ("text", "said", "message") and isinstance(value, str):
                yield value
            else:
                yield from _texts(value)
    elif isinstance(row, list):
        for value in row:
            yield from _texts(value)


class Judged:
    """Lines by the words of theirs that few have: most of thousands share none of them with a message."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._words = {line: set(line.split()) for line in lines if len(line.split()) > SHORT}
        self._many = Counter(word for words in self._words.values() for word in words)
        self._with = defaultdict[str, list[str]](list)
        for line, words in self._words.items():
            for word in self._seldom(words):
                self._with[word].append(line)

    def twins_of(self, message: str) -> list[str]:
        """Those that say the same in nearly the same letters."""
        words = set(message.split())
        some = {line for word in self._seldom(words) for line in self._with.get(word, ())}
        near = [line for line in some if _mostly_shared(words, self._words[line])]
        return [line for line in near if SequenceMatcher(None, message, line).ratio() > CLOSE]

    def _seldom(self, words: set[str]) -> Sequence[str]:
        """So many of them that two who share more than six in ten of all their words share one of these, too."""
        return sorted(words, key=lambda word: (self._many[word], word))[: len(words) - int(0.6 * len(words))]


def _mostly_shared(some: set[str], others: set[str]) -> bool:
    """More than six in ten of all their words; what is much longer than the other is not looked at word by word."""
    most = min(len(some), len(others))
    if most <= 0.6 * max(len(some), len(others)):
        return False
    shared = len(some & others)
    return shared > 0.6 * (len(some) + len(others) - shared)


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9 ]", "", text.lower()).strip()
