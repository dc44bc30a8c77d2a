"""A list that was told in one breath, as its items: "a lamp, two chairs and what is left of the desk"."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, NamedTuple

from softrail.core.reading import Act, Bars, Place, Reading, Value
from softrail.language import Language
from softrail.language import items as as_written
from softrail.reader.fields import WORD, Span, question_query
from softrail.reader.learned import Marker, Marks, Piece, trimmed

_MOST: Final = 4  #: parts behind what was found of a list that are read
_JOINT: Final = re.compile(r"[,;:.!?&+/()]|[^\W\d_]+")
_SIGN: Final = re.compile(r"[,;:]|[.!](?=\s)")
_INSTEAD: Final[Sequence[Act]] = ("none", "open", "ask", "request", "social", "hold", "leave", "pause")
_NOTHING: Final = Piece(start=0, end=0, begins=0.0, inside=0.0)
_BEGINS: Final = 0.6  #: from here on an item begins; set on lists that were kept back from training
_IS_ONE: Final = 0.5  #: from here on a word is of an item, wherever that begins
INSIDE: Final = 0.3  #: from here on a word behind the beginning of an item is of it


def with_the_rest(message: str, query: str, marks: Marks, marker: Marker, bars: Bars) -> str:
    """The words that were found of a list, with those around them as far as a part of them is of it, or may be.

    Whatever it is, nothing of it is lost: what may be two items is one.
    """
    start, end = marks.start, marks.end
    signs = [one.span() for one in _SIGN.finditer(message)]
    before = [(0, 0), *(one for one in signs if one[1] <= start)]
    behind = [*(one for one in signs if one[0] >= end), (len(message), len(message))]
    parts = [(a[1], b[0]) for a, b in (*[*pairwise(before)][-_MOST:], *[*pairwise(behind)][:_MOST])]
    for first, last in parts:
        part = message[first:last]
        if len(WORD.findall(part)) < 2:
            continue
        [read] = marker.mark(part, [query])
        given = read.acts.get("inform", 0.0)
        if min(read.value, given) >= bars.inform:
            first, last = first + read.start, first + read.end
        elif given < bars.other or given <= max(read.acts.get(act, 0.0) for act in _INSTEAD):
            continue
        start, end = min(start, first), max(end, last)
    return message[start:end].strip()


def with_items(reading: Reading, place: Place, marker: Marker, language: Language) -> Reading:
    """The reading with every list that it tells item by item, one a line."""
    asked = {field.name: question_query(field) for field in place.fields() if field.wanted == "list"}
    if not asked:
        return reading
    told = {value.field for command in reading.commands for value in command.values}
    alone = place.field if told == {place.field} else None
    lists = _Lists(reading.message, asked, alone, marker, language)
    commands = tuple(replace(c, values=lists.cut(c.values)) if c.values else c for c in reading.commands)
    return reading.evolve(commands=commands, maybe=lists.cut(reading.maybe), beside=lists.cut(reading.beside))


class _Lists(NamedTuple):
    """The lists that a message may tell, and what cuts them."""

    message: str
    asked: Mapping[str, str]  #: what is asked of the model, by field
    alone: str | None  #: the one field that the message answers
    marker: Marker
    language: Language

    def cut(self, values: Sequence[Value]) -> tuple[Value, ...]:
        """Those of lists with an item a line."""
        return tuple(self._each(value) for value in values)

    def _each(self, value: Value) -> Value:
        value = replace(value, rivals=self.cut(value.rivals)) if value.rivals else value
        asked = self.asked.get(value.field)
        if asked is None or not value.text or len(as_written(value.text, self.language)) > 1:
            return value
        at = self.message.find(value.text)
        message, at = (self.message, at) if at >= 0 else (value.text, 0)
        if len(WORD.findall(message)) < 2:
            return value
        pieces = self.marker.items(message, asked)
        told, further = (at, at + len(value.text)), value.field == self.alone
        each = items(message, told, pieces, self.language, further=further)
        return replace(value, text="\n".join(message[start:end] for start, end in each))


def items(
    message: str, told: Span, pieces: Sequence[Piece], language: Language, *, further: bool = False
) -> Sequence[Span]:
    """Where each item stands of a list of which something was found there: all of that, but for what joins two items.

    `further`: items before it and behind it are of the list, too.
    """
    start, end = told
    begun = beginnings(message, pieces)
    within = [at for at in begun if start < at < end]
    if within and not any(start <= piece.start < within[0] and piece.inside >= _IS_ONE for piece in pieces):
        within = within[1:]  # words that lead to the first item are of it, where they were found to be
    if further:
        begun = [*(at for at in begun if at < start), start, *within, *(at for at in begun if at >= end)]
    else:
        begun = [start, *within]
    found = []
    for first, until in pairwise([*begun, len(message) if further else end]):
        least = INSIDE if first < end else _IS_ONE
        last = max((p.end for p in pieces if first <= p.start < until and p.inside >= least), default=first)
        if first < end <= until:
            last = max(end, _grown(end, pieces)) if further else end
        elif first < last:
            last = _joint(message, word_end(message, last, until), until, language)
        if first < last:
            found.append(trimmed(message, first, last))
    return found


def beginnings(message: str, pieces: Sequence[Piece]) -> list[int]:
    """Where an item begins: not in the middle of one, nor of a word."""
    return [
        piece.start
        for before, piece in pairwise([_NOTHING, *pieces])
        if piece.begins >= _BEGINS and before.inside < _IS_ONE and not _within_a_word(message, piece.start)
    ]


def _grown(end: int, pieces: Sequence[Piece]) -> int:
    """Where the words end that follow there and are surely of the same item."""
    for piece in pieces:
        if piece.start >= end and piece.inside >= _IS_ONE and piece.begins < _BEGINS:
            end = piece.end
        elif piece.start >= end:
            break
    return end


def _joint(message: str, start: int, until: int, language: Language) -> int:
    """Where the first sign or joining word stands, up to which words are of the item before; the start where there is none."""
    for one in _JOINT.finditer(message, start, until):
        if not one[0][0].isalpha() or language.adds(one[0]):
            return one.start()
    return start


def word_end(message: str, at: int, until: int) -> int:
    """Where the word ends of which a part ends there."""
    while at < until and _within_a_word(message, at):
        at += 1
    return at


def _within_a_word(message: str, at: int) -> bool:
    return 0 < at < len(message) and message[at - 1].isalnum() and message[at].isalnum()
