"""A message as tokens, its numbers in figures once and for everybody who looks for one: "twenty-five" is 25, "half a" 0.5.

A run of words is taken as far as it is one number: "seven thirty" is two of them. What only looks like a number is none:
a telephone number, a code, the "one" of "no one".
"""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from softrail.processes.spoken.grammar import Grammar, grammar

_KEPT: Final = 256  #: messages whose tokens are known still: each reader of a turn asks anew
_HUNDRED: Final = 100
_LOOK_AT: Final = 320  #: characters; what comes later is not an answer
_PARTS: Final = {"½": Decimal("0.5"), "¼": Decimal("0.25"), "¾": Decimal("0.75")}

_SUB: Final = "(?:ten dash? unit|ten|teen|unit|nought)"
_COUPLE: Final = "a? couple off?"
_HUNDREDS: Final = f"(?:(?:{_SUB}|{_COUPLE}|a|figure|(?<!vague)) hundred (?:and? {_SUB})?)"
_PART: Final = "(?:and (?:a? half|a quarter|three quarter)(?!past_word|to_word)|part_sign|slashed)"
_SIZE: Final = "(?:big|pack)"
_SIZED: Final = (
    f"(?:(?:(?:{_HUNDREDS}|{_COUPLE}|{_SUB}|figure) {_PART}?|a) {_SIZE}+ {_PART}?|(?<!vague) alone)"
)
_NUMBERS: Final = (
    f"(?:unit|teen|ten|figure) more_of (?:hundred|{_SIZE})+",
    f"(?:half a|slashed off? a|(?:a|{_SUB})? quarter off? a) {_SIZE}*",
    "(?:a? (?:half|quarter) dash?|slashed) (?=length|mass|distance|volume|area)",
    "part_sign",
    "zero dash? unit (?:dash? hundred|(?=ten|teen))",
    "zero unit",
    "ten dash? ord_word",
    "int suffix",
    f"{_SUB}? point {_SUB}+ {_SIZE}*",
    f"{_SIZED} (?:and? {_SIZED})* (?:and? (?:{_HUNDREDS}|{_SUB}) {_PART}?)?",
    f"(?:{_HUNDREDS}|{_COUPLE}|{_SUB}) {_PART}?",
    f"figure {_PART}",
)


class Said:
    """A message as the grammar sees it: one sign a token, and where each token stands."""

    def __init__(self, text: str, known: Grammar) -> None:
        self.known = known
        self.text = text.lower() if len(text.lower()) == len(text) else text
        self.texts: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        signs = self._lexed()
        self.signs = "".join(signs)
        self._put_numbers_together()

    def _lexed(self) -> list[str]:
        known, signs = self.known, list[str]()
        unknown = known.sign()
        for match in known.tokens.finditer(self.text):
            kind = match.lastgroup
            if kind is None:
                continue
            word = match[0]
            if kind == "number":
                word = f"0{word}" if word[0] == "." else word
                sign = known.number(word.replace(",", "."))
            elif kind == "odd":
                sign = known.signs[word]
            elif kind == "day_month" and word in ("1/2", "1/4", "3/4"):
                sign = known.sign("day_month", "slashed")
            elif kind == "half":
                word = f"{word[0]}m"
                sign = known.signs[word]
            elif kind in ("word", "sign", "code"):
                word = word.replace("’", "'").replace('"', "'")
                if word.endswith("'s") and word not in known.signs and word[:-2] in known.signs:
                    word = word[:-2]
                word = known.misspelt(word) or word if kind == "word" else word
                sign = known.signs.get(word) or known.sign(*(("code",) if kind == "code" else ()))
                if word in known.glued and not (self.texts and self._counts(self.texts[-1])):
                    sign = unknown
            else:
                sign = known.sign(*(("grouped", "n") if kind == "grouped" else (kind,)))
            self.texts.append(word)
            self.starts.append(match.start())
            self.ends.append(match.end())
            signs.append(sign)
            if kind == "word":
                self._join(word, signs)
        return signs

    def _join(self, word: str, signs: list[str]) -> None:
        """Puts the words of a phrase together, where its last one was just read."""
        for parts in self.known.phrases.get(word, ()):
            size = len(parts)
            if parts[0] in self.known.values["ord_word"] and self._counts(self._before(size)):
                continue  # "the twenty fourth of July" is no holiday
            if tuple(self.texts[-size:]) == parts and (word := " ".join(parts)) in self.known.signs:
                del (
                    self.texts[-size:],
                    signs[-size:],
                    self.ends[-size:-1],
                    self.starts[len(self.starts) - size + 1 :],
                )
                self.texts.append(word)
                signs.append(self.known.signs[word])
                return

    def _before(self, size: int) -> str:
        """The word before the last ones, but for a dash."""
        return next((text for text in reversed(self.texts[:-size]) if text != "-"), "-")

    def _put_numbers_together(self) -> None:
        """Every run of words that is one number as one token."""
        known, at, signs = self.known, 0, self.signs
        done: list[str] = []
        texts, starts, ends = list[str](), list[int](), list[int]()
        for match in known.pattern(*_NUMBERS).finditer(signs):
            begin, end = match.span()
            made = self._number(begin, end)
            if made is None:
                continue
            each = [(begin, end, *made)]
            if begin + 1 < end and self.is_a(begin + 1, "more_of"):  # "one more hundred" is another hundred
                each = [(begin, begin + 2, *known.another), (begin + 2, end, *made)]
            texts += [*self.texts[at:begin], *(text for _, _, text, _ in each)]
            starts += [*self.starts[at:begin], *(self.starts[first] for first, _, _, _ in each)]
            ends += [*self.ends[at:begin], *(self.ends[behind - 1] for _, behind, _, _ in each)]
            done += [signs[at:begin], *(sign for _, _, _, sign in each)]
            at = end
        if at:
            self.texts, self.starts, self.ends = (
                texts + self.texts[at:],
                starts + self.starts[at:],
                ends + self.ends[at:],
            )
            self.signs = f"{''.join(done)}{signs[at:]}"

    def _counts(self, word: str) -> bool:
        return word[0].isdecimal() or word in self.known.worth

    def _number(self, begin: int, end: int) -> tuple[str, str] | None:
        """Those tokens as one, in figures, and its sign."""
        known, texts = self.known, [text for text in self.texts[begin:end] if text != "-"]
        first, last = texts[0], texts[-1]
        if (ordinal := known.values["ord_word"].get(last)) is not None:
            text = f"{known.worth[first][1] + ordinal}"
            return (text, known.sign("ordinal", "spelled")) if ordinal < 10 else None
        if known.is_a(self.signs[end - 1], "suffix"):
            glued = self.ends[begin] == self.starts[end - 1]
            return (first, known.sign("ordinal")) if glued and 1 <= int(first) <= 31 else None
        if known.is_a(self.signs[begin], "zero") and len(texts) > 1 and texts[1] in known.values["unit"]:
            text = f"0{known.worth[texts[1]][1]}{'00' if len(texts) == 3 else ''}"
        else:
            text = plain(_added_up(texts, known))
        return text, known.number(text, spelled=True)

    def __len__(self) -> int:
        return len(self.texts)

    def is_a(self, at: int, kind: str) -> bool:
        """There is a token, and it is of that kind."""
        return 0 <= at < len(self.texts) and self.known.is_a(self.signs[at], kind)

    def is_concluded(self, at: int) -> bool:
        """It is told as what follows from the rest, or as the last word: "I leave at five, so half past", "call it ten"."""
        while not self.is_a(at - 1, "hence") and any(
            self.is_a(at - 1, kind) for kind in ("around", "of", "on")
        ):
            at -= 1
        return self.is_a(at - 1, "hence") and not self.is_a(at - 2, "turning")  # "I can't make it Friday"

    def value(self, at: int, kind: str) -> Any:
        """What the word there stands for as one of that kind; None where it is none."""
        return self.known.values[kind].get(self.texts[at]) if 0 <= at < len(self.texts) else None

    def span(self, begin: int, end: int) -> tuple[int, int]:
        """Where these tokens stand in the message."""
        return self.starts[begin], self.ends[end - 1]

    def scan(self, *told: str) -> Iterator[re.Match[str]]:
        """Every place of what is told in names of kinds."""
        return self.known.pattern(*told).finditer(self.signs)

    def read(self, rules: tuple[str, ...], signs: str) -> Iterator[re.Match[str]]:
        """Every place of one of these, read by the first of them that fits there."""
        at = 0
        while (found := self.known.read(rules, signs, at)) is not None:
            yield found[1]
            at = max(found[1].end(), found[1].start() + 1)

    def without(self, spans: Iterable[tuple[int, int]]) -> str:
        """The signs, with those of the spans as of nothing that is known."""
        signs, nothing = self.signs, self.known.sign()
        for begin, end in spans:
            signs = f"{signs[:begin]}{nothing * (end - begin)}{signs[end:]}"
        return signs


def _added_up(texts: list[str], known: Grammar) -> Decimal:
    """What the words of one number come to."""
    total, now, size, before = Decimal(0), None, Decimal(1), ""
    digits: str | None = None  #: behind the point
    for word in texts:
        how, value = _worth(word, known)
        if how == "point":
            digits = ""
        elif how == "add" and digits is not None:
            digits += f"{value}"
        elif how == "add":
            now = (now or 0) + value
        elif how == "part":
            counted = _worth(before, known) if before else ("", Decimal(0))
            if (
                counted[0] == "add" and now is not None and word in known.quarters
            ):  # "four and three quarters"
                now, value = now - counted[1], counted[1] * value
            if now or not total:
                now = (now or 0) + value
            else:
                total, now = total + value * size, None  # "a million and a half"
        elif how == "size":
            if digits is not None:
                now, digits = Decimal(f"{now or 0}.{digits}"), None
            if value == _HUNDRED:
                now = (now or 1) * value
            elif now is None and total and before not in known.ones:
                total *= value  # "a thousand million"
            else:
                total, now, size = total + (now or 1) * value, None, value
        before = word
    return total + (Decimal(f"{now or 0}.{digits}") if digits is not None else now or 0)


def _worth(word: str, known: Grammar) -> tuple[str, Decimal]:
    if word in _PARTS:
        return "part", _PARTS[word]
    if not word[0].isdecimal():
        return known.worth.get(word, ("", Decimal(0)))
    above, _, below = word.partition("/")
    return ("part", Decimal(above) / Decimal(below)) if below else ("add", Decimal(word.replace(",", ".")))


def plain(number: Decimal) -> str:
    """A number without an exponent, and without digits that say nothing."""
    return f"{int(number)}" if number == number.to_integral_value() else f"{number.normalize():f}"


@lru_cache(_KEPT)
def said(message: str, locale: str) -> Said:
    """The message as tokens; what comes late in it is not looked at."""
    return Said(message[:_LOOK_AT], grammar(locale))
