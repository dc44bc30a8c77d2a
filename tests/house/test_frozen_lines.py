"""The lines that judge the reader have not changed since they were written, and none of them is trained on."""

import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from difflib import SequenceMatcher
from hashlib import sha256
from pathlib import Path

import pytest

from training.scenes import further, scenes, whole

DATA = Path(__file__).parents[2] / "benchmarks" / "data"
LINES = (DATA / "reader", DATA / "ordinary", DATA / "strangers")
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
        for scene in (*scenes(), *further(), *whole())
        for one in scene.said
    }
    for message, where in said.items():
        assert not judged.twins_of(message), f"{where}: {message!r} judges the reader, too"


class Judged:
    """Lines by the words that they hold: most of thousands share none with a message."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._words = {line: set(line.split()) for line in lines if len(line.split()) > SHORT}
        self._with = defaultdict[str, list[str]](list)
        for line, words in self._words.items():
            for word in words:
                self._with[word].append(line)

    def twins_of(self, message: str) -> list[str]:
        """Those that say the same in nearly the same letters."""
        words = set(message.split())
        # Who shares more than six in ten of all words shares one of any four in ten of these: of those that few have.
        seldom = sorted(words, key=lambda word: len(self._with.get(word, ())))[
            : len(words) - int(0.6 * len(words))
        ]
        some = {line for word in seldom for line in self._with.get(word, ())}
        near = [
            line for line in some if len(words & self._words[line]) > 0.6 * len(words | self._words[line])
        ]
        return [line for line in near if SequenceMatcher(None, message, line).ratio() > CLOSE]


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9 ]", "", text.lower()).strip()
