"""The normal form of what people say, and its words with their places in the original."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

#: Patterns read no more than this; what a person wants to do stands at the head of what they say.
READ_AT_MOST: Final = 2000
LONGEST_RUN: Final = 40  #: blanks and signs in a row that are read

# The characters of the Unicode property Default_Ignorable_Code_Point: invisible, and meant to be.
_INVISIBLE: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)
_IGNORABLE: Final = re.compile(f"[{_INVISIBLE}]+")
_SEEN: Final = re.compile(rf"[^\s{_INVISIBLE}]")
_APOSTROPHES: Final = re.compile("[‘’ʼ‛′`´]")
#: Stands between two clauses in a line that shows them.
CLAUSE: Final = ","
_LETTER: Final = re.compile(r"[^\W_]")
_SAME_SIGN: Final = re.compile(r"([^\w\s])\1+")
_LONG_RUN: Final = re.compile(r"([^\W\d_])\1{2,}")
_LONG_GAP: Final = re.compile(rf"[\W_]{{{LONGEST_RUN + 1},}}")
_STOPS: Final = r",;:!?…—，。；：！？、"
_WORD: Final = re.compile(rf"[^\W_](?:[^\s{_STOPS}]*[^\W_])?")
_BOUNDARY: Final = re.compile(rf"[.{_STOPS}\n\r]|\s[-–]+\s")
_EVER_BRIEF: Final = 16_000  # blanks around it aside, no message is longer
_FEW: Final = 200  # characters: what is longer is not worth the room it takes to remember it
_MARKS_KEPT: Final = 8  # a letter's own marks; a longer run is noise


def without_long_runs(text: str) -> str:
    """The text with no more than `LONGEST_RUN` blanks or signs in a row.

    Nobody says so many, and a pattern that looks for what stands behind them takes the square of their number.
    """
    return _LONG_GAP.sub(lambda run: run[0][:LONGEST_RUN], text) if len(text) > LONGEST_RUN else text


def brief(text: str, limit: int) -> str:
    """The normal form of what is short, blanks and repeated signs aside; "" for what is longer than `limit`.

    However long a message is, this costs a few linear scans at most.
    """
    first = _SEEN.search(text)
    if first is None:
        return ""
    last = _SEEN.search(text[::-1])
    text = text[first.start() : len(text) - (last.start() if last else 0)]
    if len(text) > _EVER_BRIEF:
        return ""
    if len(text) > limit:
        text = _SAME_SIGN.sub(r"\1", " ".join(_IGNORABLE.sub("", text).split()))
    if len(text) > 2 * limit:  # quotes and emoji around the words do not count, but there is an end to it
        return ""
    text = normal(text)
    return text if len(text) <= limit else ""


def normal(text: str) -> str:
    """What is left for matching: one case and width, nothing invisible, no punctuation around it.

    NFKC, case folded, default-ignorable characters removed, apostrophes alike, runs of blanks and of the same
    sign collapsed, and everything that is neither letter nor digit stripped from both ends. Letters are never
    collapsed here (see `readings`), so "Zoo" and "IIII" stay what they are.
    """
    if text.isascii() and text.isalnum():  # most words: nothing to take off or to collapse
        return text.casefold()
    return _normal_of_few(text) if len(text) <= _FEW else _normal(text)


@lru_cache(maxsize=512)  # one turn asks for that of its message half a dozen times, and of each option
def _normal_of_few(text: str) -> str:
    return _normal(text)


def _normal(text: str) -> str:
    if not text.isascii():
        text = _IGNORABLE.sub("", text)
        text = unicodedata.normalize("NFKC", text).casefold()
        text = unicodedata.normalize("NFKC", _IGNORABLE.sub("", text))
        text = _APOSTROPHES.sub("'", text)
    text = text.casefold()
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)  # folding may take letters apart
    text = " ".join(text.split())
    text = _SAME_SIGN.sub(r"\1", text)
    first = _LETTER.search(text)
    if first is None:
        return ""
    last = _LETTER.search(text[::-1])
    end = len(text) - (last.start() if last else 0)
    limit = min(len(text), end + _MARKS_KEPT)
    while end < limit and unicodedata.category(text[end]).startswith("M"):
        end += 1
    return text[first.start() : end]


def readings(text: str) -> Sequence[str]:
    """`text`, and what it may stand for when a letter is dragged out: "stopppp" is "stop" or "stopp"."""
    if _LONG_RUN.search(text) is None:
        return (text,)
    return (text, _LONG_RUN.sub(r"\1", text), _LONG_RUN.sub(r"\1\1", text))


def squeezed(text: str) -> str:
    """Only the letters and digits of a normal form: "stand-up" and "stand up" are "standup"."""
    return text if text.isalnum() else "".join(filter(str.isalnum, text))


def word_key(text: str) -> str:
    """One word as it is compared: its normal form without apostrophes, so "dont" is "don't"."""
    if text.isalnum() and text.isascii():  # most words
        return text.casefold()
    return normal(text).replace("'", "").replace(" ", "")


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a message: how it is compared, and where it stands in the original."""

    key: str
    start: int
    end: int
    closes: bool  #: a clause ends after it


@dataclass(frozen=True, slots=True)
class Spoken:
    """A message as its words."""

    message: str
    words: tuple[Word, ...]
    whole: bool  #: False: only its head was read
    asks: bool  #: it ends with a question mark, closing quotes and emoji aside
    text: str  #: the words as patterns read them

    @property
    def is_one_clause(self) -> bool:
        """No clause ends within it: it is read the same with signs between clauses."""
        return not [word for word in self.words[:-1] if word.closes]

    def since(self, index: int, until: int | None = None) -> str:
        """The person's own text from that word on, or up to and without the word `until`."""
        if index >= len(self.words):
            return ""
        start = self.words[index].start
        least = self.words[index - 1].end if index else 0
        while (
            start > least and not self.message[start - 1].isspace() and self.message[start - 1] not in _STOPS
        ):
            start -= 1  # "#108" and "(see below)" keep their signs
        end = len(self.message) if until is None or until >= len(self.words) else self.words[until - 1].end
        return self.message[start:end].strip()

    def named(self, names: Mapping[str, str]) -> Sequence["Named"]:
        """Where names stand, the longest first at each word; `names` maps squeezed names to what they name."""
        return find([squeezed(word.key) for word in self.words], names, self.words) if names else ()

    def line(self, named: Sequence["Named"] = (), *, clauses: bool = False) -> "Line":
        """The words as patterns read them, names replaced, a sign between clauses if wanted."""
        pieces: list[str] = []
        places: dict[int, int] = {}
        offset = at = 0
        marks = {name.start: name for name in named}
        while at < len(self.words):
            mark = marks.get(at)
            places[offset] = at
            pieces.append(mark.stands_for if mark else self.words[at].key)
            at = mark.end if mark else at + 1
            if clauses and self.words[at - 1].closes and at < len(self.words):
                pieces.append(CLAUSE)
                offset += len(pieces[-2]) + 1
                places[offset] = at
            offset += len(pieces[-1]) + 1
        places[offset] = at
        return Line("".join(f"{piece} " for piece in pieces), places)


class Names(dict[str, str]):
    """Squeezed names, and what stands for each; never changed, so the longest is known from the start."""

    __slots__ = ("longest",)

    def __init__(self, names: Mapping[str, str]) -> None:
        super().__init__(names)
        self.longest: Final = max(map(len, names), default=0)


@dataclass(frozen=True, slots=True)
class Named:
    """A name in a message: its words, and the sign that stands for it in a line."""

    start: int
    end: int
    stands_for: str


def find(
    keys: Sequence[str], names: Mapping[str, str], words: Sequence[Word] | None = None
) -> Sequence[Named]:
    """Where names stand among squeezed words, the longest first at each; none goes on over the end of a clause."""
    longest = names.longest if isinstance(names, Names) else max(map(len, names), default=0)
    found: list[Named] = []
    at = 0
    for start, joined in enumerate(keys):
        if start < at:
            continue
        best: Named | None = None
        end = start
        while len(joined) <= longest:
            end += 1
            if joined in names:
                best = Named(start, end, names[joined])
            if end == len(keys) or (words is not None and words[end - 1].closes):
                break
            joined += keys[end]
        if best is not None:
            found.append(best)
            at = best.end
    return found


@dataclass(frozen=True, slots=True)
class Line:
    """Words joined by blanks, each followed by one; `places` leads from an offset to a word."""

    text: str
    places: Mapping[int, int]


@lru_cache(maxsize=256)  # one turn reads its message a dozen times
def spoken(message: str) -> Spoken:
    """The words of a message, at most those in its first READ_AT_MOST characters."""
    begin = len(message) - len(message.lstrip())
    stop = begin + READ_AT_MOST
    found = list(_WORD.finditer(message, begin, stop))
    words: list[Word] = []
    for place, match in enumerate(found):
        key = word_key(match[0])
        if not key:
            continue
        until = found[place + 1].start() if place + 1 < len(found) else min(stop, len(message))
        closes = _BOUNDARY.search(message, match.end(), until) is not None
        words.append(Word(key, match.start(), match.end(), closes))
    whole = len(message.rstrip()) <= stop
    tail = message[words[-1].end :] if words and whole else message[-80:]
    asks = "?" in tail or "？" in tail
    return Spoken(message, tuple(words), whole, asks, "".join([f"{word.key} " for word in words]))
