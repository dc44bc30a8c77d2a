"""The labelled messages that the encoder learns from: three public sets, and what hands wrote for the companion."""

import json
import lzma
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HOME = Path(__file__).parents[1]
PUBLIC = HOME / "data" / "intents"
WRITTEN = HOME / "messages"
SETS = ("banking77", "clinc150", "hwu64")
TIMES = 4  #: how often a pass sees a written message; they are fewer than the public ones, and nearer to what is read


@dataclass(frozen=True, slots=True)
class Message:
    """What was said, and the class that it has in its set."""

    text: str
    label: str


def sets(without: Sequence[str] = ()) -> dict[str, list[Message]]:
    """Every set by its name; labels of one set say nothing about those of another. `without` names sets to leave out."""
    found = {name: _public(name) for name in SETS if name not in without}
    found["written"] = written() * TIMES
    return found


def written() -> list[Message]:
    """The messages in `training/messages/`, each once."""
    found: list[Message] = []
    for file in sorted(WRITTEN.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            found.append(Message(**json.loads(line)))
    return found


def _public(name: str) -> list[Message]:
    with lzma.open(PUBLIC / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        return [Message(**json.loads(line)) for line in lines]
