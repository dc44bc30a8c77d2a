"""Numbers in words, written in digits, so that whoever looks for one has digits only to look for.

"Twenty-five" is "25", "a couple of hundred" "200", "two and a half" "2.5", "half an hour" "0.5 hour". A run of words is
taken as far as it is one number: "seven thirty" is two of them, "7 30". What is no number is left as it was.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

_PIECE = re.compile(r"\d+(?:[.,'’]\d+)*|[^\W\d_]+|[½¼¾]")
_SIGNS = {"½": Decimal("0.5"), "¼": Decimal("0.25"), "¾": Decimal("0.75")}
_Read = tuple[Decimal, int]  #: a number, and the piece behind it


@dataclass(frozen=True, slots=True)
class Digits:
    """A text in digits, and where each number that was in words stands in it and stood before."""

    text: str
    moved: tuple[tuple[int, int, int, int], ...]

    def before(self, start: int, end: int) -> tuple[int, int]:
        """Where that part of the text stood when its numbers were words."""
        return self._before(start, at_end=False), self._before(end, at_end=True)

    def _before(self, place: int, *, at_end: bool) -> int:
        away = 0
        for begins, ends, began, ended in self.moved:
            if place < begins or (place == begins and not at_end):
                break
            if place < ends:
                return ended if at_end else began
            away = ended - ends
        return place + away


def in_digits(text: str, words: Mapping[str, Any], *, beside: str | None = None) -> Digits:
    """The text with its numbers in digits; those beside the word `beside` stay as they are: "two may come"."""
    scan = _Scan(text, words["numbers"])
    parts: list[str] = []
    moved: list[tuple[int, int, int, int]] = []
    at = written = length = 0
    while at < len(scan.pieces):
        found = scan.number(at)
        if found is None or (beside is not None and scan.is_beside(beside, at, found[1])):
            at += 1
            continue
        said, end = found
        start, stop = scan.pieces[at].start(), scan.pieces[end - 1].end()
        kept = text[written:start]
        parts += [kept, said]
        length += len(kept)
        moved.append((length, length + len(said), start, stop))
        length += len(said)
        at, written = end, stop
    return Digits(f"{''.join(parts)}{text[written:]}", tuple(moved))


def plain(number: Decimal) -> str:
    """A number without an exponent, and without digits that say nothing."""
    return f"{int(number)}" if number == number.to_integral_value() else f"{number.normalize():f}"


class _Scan:
    """The words and digits of a text, from which numbers are put together."""

    def __init__(self, text: str, table: Mapping[str, Any]) -> None:
        self._text = text
        self._table = table
        self._values: Mapping[str, int] = table["values"]
        self._multiples: Mapping[str, int] = table["multiples"]
        self.pieces = list(_PIECE.finditer(text))

    def word(self, at: int) -> str:
        return self.pieces[at][0] if 0 <= at < len(self.pieces) else ""

    def is_beside(self, word: str, start: int, end: int) -> bool:
        """It stands before that word, or behind it where that is no month: "first of may nineteen ninety"."""
        before = self.word(start - 2)
        month = (
            before in (*self._table["of"], *self._table["ordinals"]) or before[-2:] in self._table["suffixes"]
        )
        return word == self.word(end) or (
            word == self.word(start - 1) and not month and not before.isdecimal()
        )

    def _near(self, at: int) -> bool:
        """It stands beside the piece before it, with nothing but blanks or a hyphen between them."""
        if not 0 < at < len(self.pieces):
            return False
        between = self._text[self.pieces[at - 1].end() : self.pieces[at].start()]
        return not between.strip(" -\t\n")

    def _is(self, at: int, kind: str) -> bool:
        return self._near(at) and self.word(at) in self._table[kind]

    def number(self, at: int) -> tuple[str, int] | None:
        """The number that begins with that piece, in digits, and the piece behind it; None where none begins."""
        word = self.word(at)
        if (
            word in self._table["noughts"]
            and self._near(at + 1)
            and 0 < self._values.get(self.word(at + 1), 0) < 10
        ):
            return f"0{self._values[self.word(at + 1)]}", at + 2  # "nineteen oh five"
        if (
            self._values.get(word) in (20, 30)
            and self._near(at + 1)
            and 0 < self._table["ordinals"].get(self.word(at + 1), 0) < 10
        ):
            return f"{self._values[word] + self._table['ordinals'][self.word(at + 1)]}th", at + 2
        found = self._point(at) or self._fraction(at) or self._whole(at)
        if found is None:
            return None
        value, end = found
        value, end = self._and_a_part(value, at, end)
        while self._is(end, "multiples") and self._multiples[self.word(end)] > 1:
            value, end = value * self._multiples[self.word(end)], end + 1  # "two and a half thousand"
        if end == at + 1 and word[0].isdecimal():
            return None  # it is in digits already
        return plain(value), end

    def _whole(self, at: int, limit: int = 10**15) -> _Read | None:
        value, end = self._first(at)
        if value is None:
            return None
        while (end == at or self._near(end)) and 1 < (size := self._size(end)) < limit:
            value, end = value * size, end + 1
            behind = end + 1 if self._is(end, "joins") else end
            more = (
                self._whole(behind, size)
                if size in (100, 1000, 10**6, 10**9) and self._near(behind)
                else None
            )
            if (
                more is not None
                and more[0] < size
                and not self.word(behind)[0].isdecimal()
                and more[1] > behind
            ):
                value, end = value + more[0], more[1]
        return (value, end) if end > at else None

    def _size(self, at: int) -> int:
        """What the word multiplies by; a sign for a thousand does where digits stand before it."""
        word = self.word(at)
        if word in self._table["signs"] and not self.word(at - 1)[-1:].isdecimal():
            return 0
        return self._multiples.get(word, 0)

    def _first(self, at: int) -> tuple[Decimal | None, int]:
        word = self.word(at)
        if word[:1].isdecimal():
            plain_number = word.replace(",", "").replace("’", "").replace("'", "")
            simple = re.fullmatch(r"\d+(?:\.\d+)?", word) or re.fullmatch(r"\d{1,3}(?:,\d{3})+", word)
            behind = self._near(at + 1)
            counts = behind and (self._size(at + 1) > 1 or self.word(at + 1) in _SIGNS)
            return (
                (Decimal(plain_number), at + 1)
                if simple and (counts or self._has_a_part(at + 1))
                else (None, at)
            )
        if word in self._values:
            value, more = self._values[word], self._values.get(self.word(at + 1), 0)
            if value >= 20 and self._near(at + 1) and 0 < more < 10:
                return Decimal(value + more), at + 2
            return Decimal(value), at + 1
        one = at + 1 if word in self._table["a"] else at
        if self.word(one) in self._table["couple"] and (one == at or self._near(one)):
            return Decimal(2), one + 2 if self._is(one + 1, "of") else one + 1
        counts = one > at and self._near(one) and self._size(one) > 1
        alone = one == at and word in self._table["alone"]
        vague = at > 0 and self.word(at - 1) in self._table["vague"]  # "a few hundred"
        return (Decimal(1), one) if counts or (alone and not vague) else (None, at)

    def _has_a_part(self, at: int) -> bool:
        return self._and_a_part(Decimal(0), at - 1, at)[1] > at

    def _and_a_part(self, value: Decimal, start: int, at: int) -> _Read:
        """'… and a half', '2 1/2', '2½', 'one point five'."""
        if self.word(at) in _SIGNS and self._near(at):
            return value + _SIGNS[self.word(at)], at + 1
        if (part := self._slashed(at)) is not None and self._near(at):
            return value + part[0], part[1]
        if self._is(at, "point") and (digits := self._decimals(at + 1)):
            return Decimal(f"{int(value)}.{digits[0]}"), digits[1]
        if not self._is(at, "joins"):
            return value, at
        many = at + 2 if self.word(at + 1) in self._table["a"] else at + 1
        if self.word(many) in self._table["halves"] and self.word(many + 1) not in self._table["clock"]:
            part_of, end = Decimal("0.5"), many + 1
        elif (
            many == at + 2
            and self.word(many) in self._table["quarters"]
            and self.word(many + 1) not in self._table["clock"]
        ):
            part_of, end = Decimal("0.25"), many + 1
        elif self._values.get(self.word(at + 1)) == 3 and self.word(at + 2) in self._table["quarters"]:
            part_of, end = Decimal("0.75"), at + 3
        else:
            return value, at
        last = (
            self._multiples.get(self.word(at - 1), 1)
            if at - 1 > start or not self.word(at - 1)[0].isdecimal()
            else 1
        )
        return value + part_of * max(last, 1), end

    def _fraction(self, at: int) -> _Read | None:
        """'Half a', 'three quarters of an', '3/4 of a', of what comes next."""
        word = self.word(at)
        if word in self._table["halves"] and self._is(at + 1, "a"):
            return Decimal("0.5"), at + 2
        many, part = (at + 1, 1) if word in self._table["a"] else (at, 1)
        if 0 < self._values.get(word, 0) < 4:
            many, part = at + 1, self._values[word]
        if (slashed := self._slashed(at)) is not None:
            value, end = slashed
        elif self.word(many) in self._table["quarters"] and (many == at or self._near(many)):
            value, end = part * Decimal("0.25"), many + 1
        else:
            return None
        behind = end + 1 if self._is(end, "of") else end
        return (value, behind + 1) if self._is(behind, "a") else None

    def _slashed(self, at: int) -> _Read | None:
        if at + 1 >= len(self.pieces):
            return None
        above, below = self.word(at), self.word(at + 1)
        between = self._text[self.pieces[at].end() : self.pieces[at + 1].start()]
        behind = self._text[self.pieces[at + 1].end() :][:1]
        if (
            between != "/"
            or behind == "/"
            or below not in ("2", "4")
            or above not in ("1", "3")
            or above >= below
        ):
            return None
        return Decimal(above) / Decimal(below), at + 2

    def _point(self, at: int) -> _Read | None:
        """'Point five', with nothing before it."""
        if self.word(at) not in self._table["point"] or (digits := self._decimals(at + 1)) is None:
            return None
        return Decimal(f"0.{digits[0]}"), digits[1]

    def _decimals(self, at: int) -> tuple[str, int] | None:
        digits = ""
        while self._near(at) and (0 <= self._values.get(self.word(at), -1) < 100):
            digits, at = f"{digits}{self._values[self.word(at)]}", at + 1
        return (digits, at) if digits else None
