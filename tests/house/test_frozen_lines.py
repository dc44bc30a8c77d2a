"""The lines that judge the reader have not changed since they were written."""

import tomllib
from hashlib import sha256
from pathlib import Path

LINES = Path(__file__).parents[2] / "benchmarks" / "data" / "reader"


def test_the_lines_are_those_that_were_frozen() -> None:
    frozen = tomllib.loads((LINES / "frozen.toml").read_text(encoding="utf-8"))
    found = {
        file.relative_to(LINES).as_posix(): sha256(file.read_bytes()).hexdigest()
        for file in LINES.rglob("*.jsonl")
    }
    assert found == frozen
