"""What stands beside the value of the open answer, read for the answers that nobody has asked for yet.

People answer ahead: "Driftwood, furniture swaps", "4 tomorrow". What the open answer has is blanked out, and what is
left is read for each of the others, until nothing likely is left; a word can be the value of one answer only.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp
from typing import Final

from softrail.core.reading import Bars, Command, Field, Place, Reading, Value, log_odds
from softrail.language import Language, normal
from softrail.reader.fields import (
    BESIDE,
    TYPED,
    TYPED_VALUE,
    WORD,
    WORDED,
    Span,
    blanked,
    field_query,
    is_beside_the_point,
    is_named,
    is_of_the_words_before,
    is_typed,
    open_query,
    readable,
)
from softrail.reader.learned import Marker, Marks

#: What parts one thing said from the next.
_MARK: Final = re.compile(r"[,:;()–—.!?](?:\s|\w)|\s-\s|\band\b|\n")
_INSIDE: Final = re.compile(r"[,:;(–—.]\s|\s-\s|\s\(")  #: the same, within words that were found as one value
_SURE: Final = 0.7  #: from here on a value may be cut out of that of the open question
_SURE_UNMARKED: Final = 0.85  #: the same where no mark stands between them: "to Ivan 300"
_APART: Final = 0.7  #: log odds by which an answer must be ahead of the next that the same words may give
#: Log odds by which the answer that is asked for next is preferred: people tell things in order.
_NEXT: Final = 1.0
_ASKED: Final = 0.45  #: from here on it is asked where the words belong
_LEAST: Final = 0.02  #: what is less likely is nothing
_MOST: Final = 3  #: answers that are asked about


@dataclass(frozen=True, kw_only=True, slots=True)
class _Found:
    """A value for an answer that was not asked for, and where it stands."""

    value: Value
    start: int
    end: int
    twice: bool  #: it is found in the whole message, too

    def touches(self, parts: Sequence[Span]) -> bool:
        """It has words of one of those parts."""
        return any(self.start < end and start < self.end for start, end in parts)


def with_remainder(reading: Reading, place: Place, marker: Marker, bars: Bars, language: Language) -> Reading:
    """The reading with the values that stand beside the open one, and `beside`: what more its words may be."""
    given = reading.of("inform", target="")
    if given is None or not given.values or given.confidence < bars.inform or not _takes_words(place):
        return reading
    fields = [f for f in place.fields() if f.name != place.field and not f.given and f.wanted != "bool"]
    [marks] = marker.mark(reading.message, [open_query(place)]) if fields else [None]
    if marks is None or marks.end <= marks.start:
        return reading
    if place.wanted in ("text", "list") and marks.span < bars.span:
        return reading  # where it stands is not sure: all of the message is the value
    found = _Remainder(reading, place, (marks.start, marks.end), marker, bars, language)
    found.read(fields)
    if not found.found and not found.maybe:
        return reading
    return found.reading(given)


def _next(place: Place) -> str | None:
    """The field that is asked for after the open one."""
    fields = place.fields()
    at = next((n for n, f in enumerate(fields) if f.name == place.field), len(fields))
    return next((f.name for f in fields[at + 1 :] if not f.given), None)


def _takes_words(place: Place) -> bool:
    return place.field is not None and not place.own and place.wanted in (*WORDED, "choice")


class _Remainder:
    """Takes one value after another out of what is left of a message."""

    def __init__(
        self, reading: Reading, place: Place, span: Span, marker: Marker, bars: Bars, language: Language
    ) -> None:
        self._reading = reading
        self._message = reading.message
        self._place = place
        self._marker = marker
        self._bars = bars
        self._language = language
        self._span = span
        self._next = _next(place)
        self._head = span[1]  #: where the open value ends
        self.found: list[_Found] = []
        self.maybe: tuple[Value, ...] = ()

    def read(self, fields: Sequence[Field]) -> None:
        """Find the values of those fields."""
        start, end = self._span
        self._head = self._first(fields)
        blanks = [(start, self._head), *self._taken()]
        while fields and self._may_hold(left := blanked(self._message, blanks), fields):
            tried = self._tried(left, fields, blanks)
            best = tried[0] if tried else None
            if best is not None and best.touches([(self._head, end)]) and not self._cuts(best):
                self._head, blanks[0] = end, (start, end)  # it is all one value
            elif best is not None and self._is_sure(tried, fields):
                self.found.append(best)
                blanks.append((best.start, best.end))
                fields = [f for f in fields if f.name != best.value.field]
            else:
                likely = [one.value for one in tried if one.value.confidence >= self._bars.doubt]
                likely = likely if any(value.confidence >= _ASKED for value in likely) else []
                several = len(WORD.findall(left)) > 1 and self._head == end
                self.maybe = tuple(likely[:_MOST]) if several else ()
                break

    def reading(self, given: Command) -> Reading:
        """The reading with what was found."""
        value = given.values[0]
        if any(one.touches([self._span]) for one in self.found):  # the open value ends where another begins
            value = replace(value, text=self._ended(self._message[self._span[0] : self._head]))
        told = [
            Command(
                act="inform",
                confidence=one.value.confidence,
                layer="learned",
                target="other",
                values=(one.value,),
            )
            for one in self.found
        ]
        kept = [replace(c, values=(value,)) if c is given else c for c in self._reading.commands]
        return self._reading.evolve(commands=(*kept, *told), beside=self.maybe)

    def _ended(self, text: str) -> str:
        """The words without what led to the value behind them: "the sink is blocked since"."""
        text = text.rstrip(" \t\n,:;(–—-.")
        while " " in text and self._language.goes_on(normal(text.rpartition(" ")[2])):
            text = text.rpartition(" ")[0].rstrip(" \t\n,:;(–—-.")
        return text

    def _taken(self) -> list[Span]:
        """Where values stand that the message changes, and further items of the open list."""
        values = [v for c in self._reading.commands if c.act == "correct" for v in c.values]
        given = self._reading.of("inform", target="")
        if self._place.wanted == "list" and given is not None:
            values += given.values
        texts = [line for value in values for line in value.text.splitlines()]
        places = [(self._message.find(text), len(text)) for text in texts]
        return [(at, at + length) for at, length in places if at >= 0]

    def _first(self, fields: Sequence[Field]) -> int:
        """Where the open value would end if another one stood in it."""
        start, end = self._span
        words = list(re.finditer(r"\S+", self._message[start:end]))
        if self._place.wanted == "text" and (inside := _INSIDE.search(self._message, start + 1, end)):
            return inside.start()
        if len(words) < 2 or not self._typed(words[-1][0], fields):
            return end
        asked = self._place.open_field()
        if self._place.wanted == "text":
            return start + words[-2].end()
        if self._place.wanted in TYPED and asked is not None and asked.parses is not None:
            alone = asked.reads(self._message[start : start + words[-2].end()])
            return start + words[-2].end() if alone and not asked.reads(words[-1][0]) else end
        return end

    def _may_hold(self, left: str, fields: Sequence[Field]) -> bool:
        """Words enough are left, or one that has the form of a value."""
        words = WORD.findall(left)
        return len(words) >= BESIDE or any(self._typed(word, fields) for word in words)

    def _typed(self, word: str, fields: Sequence[Field]) -> bool:
        typed = [f for f in fields if is_typed(f) and (f.options or f.parses is not None)]
        return any(readable(f, word, self._language) is not None for f in typed)

    def _tried(self, left: str, fields: Sequence[Field], blanks: Sequence[Span]) -> list[_Found]:
        """What the words that are left give each field, the likeliest first."""
        queries = [field_query(f) for f in fields]
        whole, rest = self._marker.mark(self._message, queries), self._marker.mark(left, queries)
        found = [self._one(*marks, blanks) for marks in zip(fields, whole, rest, strict=True)]
        return sorted((one for one in found if one is not None), key=self._rank, reverse=True)

    def _rank(self, one: _Found) -> float:
        return log_odds(one.value.confidence) + (_NEXT if one.value.field == self._next else 0.0)

    def _one(self, field: Field, whole: Marks, rest: Marks, blanks: Sequence[Span]) -> _Found | None:
        beside = not any(whole.start < b and a < whole.end for a, b in blanks)
        best = whole if beside and whole.value > rest.value else rest
        start, end = best.start, best.end
        if end <= start or best.value < _LEAST:
            return None
        odds = (
            (log_odds(whole.value) + log_odds(max(rest.value, _LEAST))) / 2
            if beside
            else log_odds(rest.value)
        )
        likely = _probability(odds)
        text = readable(field, self._message[start:end], self._language)
        if text is None or not WORD.search(text):
            return None
        named = is_named(field, f"{self._message[:start]} {self._message[end:]}")
        if is_beside_the_point(field, named):
            return None
        if is_typed(field) and not named and is_of_the_words_before(self._message, start, self._language):
            return None
        if field.wanted == self._place.wanted and is_typed(field) and end <= self._span[0] and not named:
            return None  # "20, no wait, 25": people tell things in order, and this is what was taken back
        value = Value(field=field.name, text=text, confidence=likely, placed=best.span)
        twice = beside and whole.value >= self._bars.other
        found = _Found(value=value, start=start, end=end, twice=twice)
        if found.touches(blanks) or not (twice or is_typed(field) or self._is_parted(found, blanks)):
            return None  # "tickets" beside "2"
        return found

    def _is_parted(self, one: _Found, blanks: Sequence[Span]) -> bool:
        """A mark stands between it and what was found before: it is no part of the same clause."""
        before = max((end for _, end in blanks if end <= one.start), default=None)
        after = min((start for start, _ in blanks if start >= one.end), default=None)
        return (before is None or _MARK.search(self._message, before, one.start + 1) is not None) and (
            after is None or _MARK.search(self._message, one.end - 1, after) is not None
        )

    def _cuts(self, one: _Found) -> bool:
        """It may be cut out of the open value."""
        parted = _INSIDE.search(self._message, self._head, one.start + 1) is not None
        return (
            one.twice
            and one.start >= self._head
            and one.value.confidence >= (_SURE if parted else _SURE_UNMARKED)
        )

    def _is_sure(self, tried: Sequence[_Found], fields: Sequence[Field]) -> bool:
        """The likeliest is likely enough, and no other answer is about as likely for its words."""
        best = tried[0]
        field = next(f for f in fields if f.name == best.value.field)
        named = is_named(field, f"{self._message[: best.start]} {self._message[best.end :]}")
        least = self._bars.doubt if named else TYPED_VALUE if is_typed(field) else self._bars.value
        rivals = [self._rank(one) for one in tried[1:] if one.touches([(best.start, best.end)])]
        ahead = self._rank(best) - max(rivals, default=log_odds(0.0))
        return best.value.confidence >= least and (named or ahead >= _APART)


def _probability(odds: float) -> float:
    return 1 / (1 + exp(-odds))
