"""A training pair: a query, a message, and what is known about them."""

import json
import lzma
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from softrail.reader.learned.marks import ACTS

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, kw_only=True)
class Pair:
    """One query and one message; what is not known is left out and not learned from."""

    query: str
    message: str
    acts: Mapping[str, int] = field(default_factory=dict)  #: of each act that is known, whether it is there
    value: int | None = None  #: whether the message gives a value for the query
    spans: tuple[tuple[int, int], ...] = ()  #: right places of the value, the first is learned
    keyword: bool = False  #: the span is one word of the value: counted, not learned
    source: str = ""
    group: str = ""  #: what must not be on both sides of a split
    label: str = ""  #: for figures only
    form: str = ""


def acts(*present: str, unknown: Iterable[str] = ()) -> dict[str, int]:
    """The acts that are there; all others are not, but for those that nobody knows."""
    hidden = set(unknown) - set(present)
    return {act: int(act in present) for act in ACTS if act not in hidden}


def rows(name: str) -> list[dict[str, Any]]:
    """The lines of a file in `data/`."""
    with lzma.open(DATA / name, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]
