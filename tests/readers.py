"""A small model for tests: it marks what it was told to mark."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from softrail.core.reading import Bars, Place
from softrail.language import language
from softrail.reader import LayeredReader
from softrail.reader.hearing import Hearing
from softrail.reader.learned import ACTS, Chosen, Edited, Joint, Marker, Marks, Piece, Told


@dataclass
class FakeMarker:
    """`acts` by message; `values` by message: the words that are the value, for queries that contain a word.

    `chosen` by message: how likely each option is meant; the rest of it is that nothing is answered.
    `lists` by message: the items of a list. `edits` by message: what it is then, of items that stay and items of the message;
    a list that is in none is not read so.
    """

    acts: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    likely: Mapping[str, float] = field(default_factory=dict)  #: by words: less than nearly certain
    chosen: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    lists: Mapping[str, Sequence[str]] = field(default_factory=dict)
    edits: Mapping[str, Sequence[str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def mark(self, message: str, queries: Sequence[str]) -> list[Marks]:
        self.asked.append(message)
        return [self._mark(message, query) for query in queries]

    def joint(self, message: str, queries: Sequence[str]) -> Joint:
        self.asked.append(message)
        return joint([self._mark(message, query) for query in queries], queries)

    def choose(self, message: str, asks: str, options: Sequence[str], *, beside: bool = False) -> Chosen:
        likely = tuple(self.chosen.get(message, {}).get(option, 0.0) for option in options)
        return Chosen(options=likely, open=0.0, none=0.0, aside=1.0 - sum(likely))

    def items(self, message: str, asked: str) -> list[Piece]:
        return pieces(message, self.lists.get(message, ()))

    def edited(self, message: str, asked: str, there: Sequence[str], question: str) -> Edited | None:
        if message not in self.edits:
            return None
        then = self.edits[message]
        goes = tuple(0.0 if item in then else 1.0 for item in there)
        return Edited(goes=goes, pieces=pieces(message, [item for item in then if item not in there]))

    def _mark(self, message: str, query: str) -> Marks:
        if message not in self.values:
            message = next((one for one in self.values if _is_left_of(message, one)), message)
        acts = dict.fromkeys(ACTS, 0.0) | dict(self.acts.get(message, {"inform": 0.97}))
        text = next((v for k, v in self.values.get(message, {"": message}).items() if k in query), "")
        start = message.find(text) if text else 0
        sure = self.likely.get(text, 0.95) if text else 0.0
        return Marks(acts=acts, start=start, end=start + len(text), value=sure, span=sure)


def hearing(place: Place, marker: Marker | None = None) -> Hearing:
    """The place as it is read in English, by the usual bars."""
    return Hearing(place=place, marker=marker or FakeMarker(), bars=Bars(), language=language("en"))


def pieces(message: str, items: Sequence[str]) -> list[Piece]:
    """Each word and sign of a message, where those are the items of its list."""
    spans = [(message.find(item), message.find(item) + len(item)) for item in items]
    return [
        Piece(
            start=one.start(),
            end=one.end(),
            begins=float(any(start == one.start() for start, _ in spans)),
            inside=float(any(start <= one.start() < end for start, end in spans)),
        )
        for one in re.finditer(r"\w+|[^\w\s]", message)
    ]


def joint(marks: Sequence[Marks], queries: Sequence[str]) -> Joint:
    """The same marks as one reading; a new value denies the one that there was, where the message changes something."""
    told = [
        Told(
            given=one.value,
            start=one.start,
            end=one.end,
            placed=one.span,
            denied=min(one.value, one.acts.get("correct", 0.0)) if " now " in query else 0.0,
            yes=0.0 if at else one.acts.get("affirm", 0.0),
            no=0.0 if at else one.acts.get("negate", 0.0),
        )
        for at, (one, query) in enumerate(zip(marks, queries, strict=True))
    ]
    return Joint(told=tuple(told), acts=marks[0].acts)


class ChoosesNone:
    """Whatever is said, it tells none of the options, a list is one item, and what becomes of one is not read."""

    def choose(self, message: str, asks: str, options: Sequence[str], *, beside: bool = False) -> Chosen:
        return Chosen(options=(0.0,) * len(options), open=0.0, none=0.0, aside=1.0)

    def items(self, message: str, asked: str) -> list[Piece]:
        return []

    def edited(self, message: str, asked: str, there: Sequence[str], question: str) -> Edited | None:
        return None


def _is_left_of(left: str, message: str) -> bool:
    """What was found already is blanked out of the message, and every other letter stays where it is."""
    same = all(a in ("…", " ", b) for a, b in zip(left, message, strict=False))
    return "…" in left and len(left) == len(message) and same


def reader(**given: Any) -> LayeredReader:
    """A reader whose small model is a fake."""
    marker = FakeMarker(**given)
    return LayeredReader(lambda: marker)
