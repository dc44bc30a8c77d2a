"""Parts of a list that the marks pass over: in "punctual, clean record, know the A roads" the last is one, too."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from softrail.core.reading import Act
from softrail.language import Language, normal
from softrail.reader.fields import WORD, Span
from softrail.reader.learned import Marker, Piece, trimmed

_SIGN: Final = re.compile(r",(?=\s)")
_INSTEAD: Final[Sequence[Act]] = ("none", "open", "ask", "request", "social", "hold", "leave", "pause")
_MAY: Final = 0.3  #: from here on an item may begin there, where it is the second
_WITHIN: Final = 0.3  #: from here on a comma is of the item around it: "Smith, Jones and Partners"
_HARDLY: Final = 0.05  #: below it it hardly can be
_GIVEN: Final = 0.3  #: from here on a part behind such a comma may be an answer by itself
_SURELY: Final = 0.9  #: and surely is one, where it is else a part of an item, "a phone, black", or left out


def with_parts_passed_over(
    items: Sequence[Span],
    message: str,
    told: Span,
    asked: str,
    pieces: Sequence[Piece],
    marker: Marker,
    language: Language,
) -> Sequence[Span]:
    """The items, and beside them each part between commas that is one by itself: nothing of what was told goes.

    Where there are two, people go on as they began; of one it is said what it is: "a seat, for a small child".
    """
    if not items:
        return items
    parts = _Parts(message, items, asked, pieces, marker, language)
    own = [part for part in _between_commas(message, told) if parts.is_one(part)]
    cuts = {start for start, _ in own if parts.is_within(start)}
    left_out = [part for part in own if part[0] not in cuts]
    return sorted([*_cut(items, cuts, message), *left_out])


class _Parts(NamedTuple):
    """What is known of the parts of a message that tells those items."""

    message: str
    items: Sequence[Span]
    asked: str
    pieces: Sequence[Piece]
    marker: Marker
    language: Language

    def is_one(self, part: Span) -> bool:
        """No item begins in it, and it is one."""
        start, end = part
        words = WORD.findall(self.message[start:end])
        if not words or start <= self.items[0][0] or any(start <= first < end for first, _ in self.items):
            return False
        if self.language.adds(words[0]) or (len(self.items) < 2 and self._begins(start) < _MAY):
            return False
        comma = self._comma(start)
        apart = self.is_within(start) and comma < _HARDLY
        if comma >= _WITHIN or (apart and self.language.negates(normal(words[0]))):
            return apart  # "no phones": whatever is meant by it, it says nothing of the item before
        [read] = self.marker.mark(self.message[start:end], [self.asked])
        given = min(read.acts.get("inform", 0.0), read.value)
        instead = max(read.acts.get(act, 0.0) for act in _INSTEAD)
        return given >= (_GIVEN if apart else _SURELY) and given > instead

    def is_within(self, at: int) -> bool:
        """It is a part of an item up to now."""
        return any(first < at < last for first, last in self.items)

    def _begins(self, at: int) -> float:
        return next((piece.begins for piece in self.pieces if piece.start >= at), 0.0)

    def _comma(self, at: int) -> float:
        """How likely the comma before it is of an item."""
        comma = self.message.rfind(",", 0, at)
        return next((piece.inside for piece in self.pieces if piece.start == comma), 0.0)


def _between_commas(message: str, told: Span) -> Iterator[Span]:
    start, end = told
    signs = [one.span() for one in _SIGN.finditer(message, start, end)]
    for (_, first), (last, _) in pairwise([(start, start), *signs, (end, end)]):
        yield trimmed(message, first, last)


def _cut(items: Sequence[Span], cuts: set[int], message: str) -> Iterator[Span]:
    """The items, parted at each of those places."""
    for start, end in items:
        for first, last in pairwise([start, *sorted(at for at in cuts if start < at < end), end]):
            yield trimmed(message, first, last)
