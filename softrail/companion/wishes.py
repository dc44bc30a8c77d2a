"""What a message wants done with notes, clause by clause: which are to be saved, which taken back, and which left alone.

A wish counts only where every word of the message is one that is known to say this and nothing else. A name, a report, a
condition or a time is no such word, so whatever holds one is at most guessed at, and is asked about.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final

from softrail.companion.phrases import vocabulary
from softrail.companion.values import NoteState

_READ: Final = 2_000  #: characters of a message that are looked at
_MOST: Final = 50  #: numbers of one range
_TOKEN: Final = re.compile(r"(?P<number>\d{1,9})|[^\W\d_]+(?:['’][^\W\d_]+)*\.?|[#&,.;:!?–-]", re.UNICODE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Which:
    """The notes that a clause speaks of; the exceptions are taken off the rest."""

    numbers: tuple[int, ...] = ()
    all: bool = False
    waiting: bool = False  #: of all, those that wait
    last: int = 0  #: so many of the newest
    it: bool = False  #: the one, or those, just spoken of
    but: "Which | None" = None

    @property
    def named(self) -> bool:
        """Something is spoken of."""
        return bool(self.numbers or self.all or self.last or self.it or self.waiting)


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """One clause: what is to become of which notes. Without a state it names notes alone, or leaves them as they are."""

    state: NoteState | None = None
    which: Which = field(default_factory=Which)
    negated: bool = False
    span: tuple[int, int] = (0, 0)  #: of the message


@dataclass(frozen=True, kw_only=True, slots=True)
class Wishes:
    """Everything that a message wants done with notes, in the order said."""

    clauses: tuple[Wish, ...] = ()
    sure: bool = False  #: every word of it is understood
    mends: bool = False  #: it begins by taking back what was said before: "no, note 5"
    explicit: bool = False  #: it says "note" or "#", or does more than one thing

    @property
    def acts(self) -> Sequence[Wish]:
        """The clauses that change something."""
        return [wish for wish in self.clauses if wish.state is not None and not wish.negated]

    @property
    def denied(self) -> bool:
        """Something is not to be done."""
        return any(wish.negated for wish in self.clauses)


@dataclass(frozen=True, slots=True)
class _Part:
    kind: str
    word: str
    start: int
    end: int


def wishes(message: str) -> Wishes:
    """What a message wants done with notes."""
    parts = list(_parts(message[:_READ]))
    reader = _Reader(parts)
    clauses = reader.clauses()
    sure = not reader.unknown and any(wish.which.named for wish in clauses)
    marked = any(part.kind == "note" for part in parts)
    return Wishes(
        clauses=tuple(clauses),
        sure=sure,
        mends=reader.mended_first,
        explicit=marked
        or len(clauses) > 1
        or reader.mended
        or any(_not_a_lone_number(w.which) for w in clauses),
    )


def _not_a_lone_number(which: Which) -> bool:
    return which.it or which.all or bool(which.last) or len(which.numbers) > 1


class _Reader:
    """Goes through the parts of a message once."""

    def __init__(self, parts: Sequence[_Part]) -> None:
        self._parts = parts
        self.unknown = False
        self.mended = False
        self.mended_first = False
        self._polite = any(part.kind == "ask" for part in parts)
        self._done: list[Wish] = []
        self._now: Wish | None = None
        self._but = False  #: what is named belongs to the exceptions
        self._negated = False
        self._mending = False
        self._split = False  #: its verb takes back only with a particle, which is not there yet: "take it"

    def clauses(self) -> list[Wish]:
        """The clauses; a mended one stands in the place of what it mends."""
        at = 0
        while at < len(self._parts):
            at = self._take(at)
        self._close()
        self.unknown = self.unknown or self._negated or self._mending
        return self._done

    def _take(self, at: int) -> int:
        part = self._parts[at]
        kind = part.kind
        if kind in ("saved", "withdrawn", "spare"):
            self._verb(part)
        elif kind == "split":
            self._verb(replace(part, kind="withdrawn"))
            self._split = True
        elif kind == "number":
            return self._numbers(at)
        elif kind in ("all", "last", "it", "waiting"):
            return self._selected(at)
        elif kind == "not":
            self._close()
            self._negated = True
        elif kind == "except":
            self._excepted(at)
        elif kind == "mend":
            self._mend()
        elif kind == "end":
            self._close()
        elif kind == "?":
            self.unknown = self.unknown or not self._polite
        elif kind == "particle":
            self.unknown = self.unknown or self._now is None or self._now.state != "withdrawn"
            self._split = False
        elif kind not in ("note", "and", "filler", "ask"):
            self.unknown = True
            if self._now is not None and self._now.which.named:
                self._close()  # what is named after it may belong to something else
        return at + 1

    def _verb(self, part: _Part) -> None:
        if self._now is not None and self._but and part.kind in ("spare", "saved"):
            if part.kind == "spare":
                return  # "but spare 5": what follows are the exceptions
        elif self._now is not None and not self._now.which.named:
            self.unknown = True  # two verbs in a row
        self._close()
        state: NoteState | None = None if part.kind == "spare" else part.kind  # type: ignore[assignment] # two of the states
        if self._mending and self._done:
            self._done.pop()
        self._mending = False
        self._now = Wish(
            state=state, negated=self._negated or part.kind == "spare", span=(part.start, part.end)
        )
        self._negated = False

    def _numbers(self, at: int) -> int:
        first, after = int(self._parts[at].word), at + 1
        if self._counts(at):
            self.unknown = True  # "2 notes" are any two
            return after
        found = [first]
        if self._kind(after) == "to":
            next_ = after + 1
            while self._kind(next_) in ("note", "filler"):
                next_ += 1
            if self._kind(next_) != "number":
                self.unknown = True
                return after + 1
            last = int(self._parts[next_].word)
            self.unknown = self.unknown or not first <= last < first + _MOST
            found, after = list(range(first, min(last, first + _MOST) + 1)), next_ + 1
        self._name(Which(numbers=tuple(found)), self._parts[after - 1].end)
        return after

    def _counts(self, at: int) -> bool:
        """The number says how many, not which: notes follow it, and none are named before it."""
        of = at + 1 < len(self._parts) and self._parts[at + 1].word.startswith("of")
        if not of and self._kind(at + 1) not in ("note", "last", "waiting"):
            return False
        while at > 0 and self._kind(at - 1) in ("number", "and", "to", "filler"):
            at -= 1
        return at == 0 or self._kind(at - 1) != "note"

    def _selected(self, at: int) -> int:
        part, after = self._parts[at], at + 1
        if part.kind == "last":
            count = 1
            if self._kind(after) in ("number", "few"):
                word = self._parts[after].word
                count, after = int(word) if word.isdecimal() else _few()[word], after + 1
            elif after < len(self._parts) and self._parts[after].word == "notes":
                self.unknown = True  # how many?
            which = Which(last=count)
        elif part.kind == "all":
            which = Which(all=True)
        elif part.kind == "waiting":
            which = Which(waiting=True)
        else:
            which = Which(it=True)
        self._name(which, part.end)
        return after

    def _name(self, which: Which, end: int) -> None:
        if self._negated and self._now is None:
            self.unknown = True  # "not 4", of nothing
        if self._mending and self._now is None and self._done:
            mended = self._done.pop()
            self._now = replace(mended, which=Which())
            self._mending = False
        wish = self._now or Wish()
        was = wish.which
        if self._but:
            but = _joined(was.but or Which(), which)
            wish = replace(wish, which=replace(was, but=but), span=(wish.span[0], end))
        else:
            wish = replace(wish, which=_joined(was, which), span=(wish.span[0], end))
        self._now = wish

    def _excepted(self, at: int) -> None:
        if self._now is None or not self._now.which.named:
            self.unknown = True
            return
        followed = next((p for p in self._parts[at + 1 :] if p.kind not in ("filler", "note", "ask")), None)
        if (
            self._parts[at].word == "but"
            and followed is not None
            and followed.kind in ("saved", "withdrawn", "not")
        ):
            return  # "but keep note 8" is another wish
        if not (self._now.which.all or self._now.which.waiting or len(self._now.which.numbers) > 1):
            self.unknown = True
        self._but = True

    def _mend(self) -> None:
        self._close()
        if not self._done:
            self.mended_first = True
        self._mending = self.mended = bool(self._done)

    def _close(self) -> None:
        if self._now is not None:
            if self._split or not self._now.which.named:
                self.unknown = True
            self._done.append(self._now)
        self._now, self._but, self._split = None, False, False

    def _kind(self, at: int) -> str:
        return self._parts[at].kind if at < len(self._parts) else ""


def _joined(one: Which, other: Which) -> Which:
    return Which(
        numbers=tuple(dict.fromkeys([*one.numbers, *other.numbers])),
        all=one.all or other.all,
        waiting=one.waiting or other.waiting,
        last=one.last + other.last,
        it=one.it or other.it,
        but=one.but or other.but,
    )


def _parts(message: str) -> Iterator[_Part]:
    """The words of a message by what they do: the longest phrase that is known, else "unknown"."""
    tokens = [(m[0].lower().replace("’", "'"), m.start(), m.end()) for m in _TOKEN.finditer(message)]
    at = 0
    while at < len(tokens):
        word, start, end = tokens[at]
        if word.isdecimal():
            yield _Part("number", word, start, end)
            at += 1
            continue
        for size in range(min(_longest(), len(tokens) - at), 0, -1):
            phrase = " ".join(token for token, _, _ in tokens[at : at + size])
            bare = phrase if phrase in _kinds() else phrase.rstrip(".")
            if (kind := _kinds().get(bare)) is not None:
                yield _Part(kind, bare, start, tokens[at + size - 1][2])
                if phrase != bare:
                    yield _Part("end", ".", end, end)
                at += size
                break
        else:
            yield _Part("?" if word == "?" else "unknown", word, start, end)
            at += 1


@cache
def _words() -> Mapping[str, Any]:
    return dict(vocabulary()["wish"])


@cache
def _few() -> Mapping[str, int]:
    return dict(_words()["numbers"])


@cache
def _kinds() -> Mapping[str, str]:
    found = dict.fromkeys(_few(), "few")
    for kind, listed in _words().items():
        if kind != "numbers":
            for word in listed:
                found.setdefault(word.replace("’", "'"), kind)
    return found


@cache
def _longest() -> int:
    return max(len(phrase.split()) for phrase in _kinds())
