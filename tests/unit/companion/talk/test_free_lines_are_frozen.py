"""The free talk that the companion is judged by is as it was written, and no exemplar was taken from it."""

import json
import tomllib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from benchmarks.free import lines
from softrail.companion.catalogue import bundled
from softrail.language import normal

FREE = Path(__file__).parents[4] / "benchmarks" / "data" / "free"
SHORT = 3  #: words: "archive it" is said by anybody
BEFORE = {
    "what can i ask you to do"
}  #: was an exemplar when the second list was written, unknown to its author


def test_the_free_lines_are_those_that_were_frozen() -> None:
    frozen = tomllib.loads((FREE / "frozen.toml").read_text(encoding="utf-8"))

    assert {one.name: sha256(one.read_bytes()).hexdigest() for one in FREE.glob("*.jsonl")} == frozen


def test_no_exemplar_is_one_of_the_free_lines() -> None:
    judged = {normal(said) for said in _said() if len(said.split()) > SHORT} - BEFORE

    assert [e for one in bundled().values() for e in one.examples if normal(e) in judged] == []


async def test_no_free_line_that_could_destroy_something_does_what_it_does_not_say() -> None:
    judged = await lines("destructive", "follow-up")

    assert len(judged) == 30
    assert [(one.said, one.why) for one in judged if one.verdict in ("wrong", "half")] == []
    assert sum(one.verdict == "right" for one in judged) >= 28


def _said() -> Iterator[str]:
    for file in FREE.glob("*lines.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            yield from json.loads(line)["says"]
    for file in FREE.glob("*talks.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            yield from (turn["say"] for turn in json.loads(line)["turns"])
