"""The text of a note with what a person says is wrong in it put right: "1,500 not 1,450", "it's Wednesday".

Only a value is exchanged: for the one it is said not to be, or for the only one of its kind. Nothing else is guessed.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from softrail.companion.memory.stems import COMMON
from softrail.companion.understanding.phrases import vocabulary, without_courtesy
from softrail.plugin import language

_READ: Final = 500  #: characters of what is said
_VALUE: Final = 3  #: words that a value alone has at most
_TOKEN: Final = re.compile(r"\d+(?:[.,:]\d+)*(?:st|nd|rd|th)?|[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SAID: Final = r"(?:[^,;!?]|,(?=\d))"  #: a character of one part of a sentence
_PAIRS: Final = (
    re.compile(rf"(?P<new>{_SAID}+?),?\s+(?:and\s+)?not\s+(?P<old>{_SAID}+)", re.IGNORECASE),
    re.compile(rf"\bnot\s+(?P<old>{_SAID}+?)(?:,\s*(?:but\s+)?|\s+but\s+)(?P<new>{_SAID}+)", re.IGNORECASE),
    re.compile(rf"(?P<new>{_SAID}+?)\s+instead\s+of\s+(?P<old>{_SAID}+)", re.IGNORECASE),
)
_VALUES: Final = ("number", "weekday", "month")
_KINDS: Final = (*_VALUES, "name")


@dataclass(frozen=True, slots=True)
class _Token:
    word: str
    start: int
    end: int
    kind: str  #: one of `_KINDS`, or ""

    @property
    def same(self) -> str:
        return self.word.casefold()


def mended(text: str, said: str) -> str | None:
    """The text with the value that is said exchanged in it; None where it does not say which."""
    other, rest = _contrasted(text, without_courtesy(said[:_READ]).strip())
    if other is not None:
        return _by_kind(other, rest) or other  # "make it 250, and not euros but pounds"
    return _by_kind(text, rest) or _by_head(text, rest) or _by_end(text, rest)


def contrasted(text: str, said: str) -> str | None:
    """The text with what is said not to be exchanged for what is said to be; None where it has no such thing."""
    return _contrasted(text, without_courtesy(said[:_READ]).strip())[0]


def contrasts(said: str) -> bool:
    """It says what something is, and what it is not."""
    return any(pattern.search(without_courtesy(said[:_READ])) for pattern in _PAIRS)


def is_value(said: str) -> bool:
    """It is a value alone, and no text of its own: "1,530 euros"."""
    found = _tokens(without_courtesy(said[:_READ]))
    return 0 < len(found) <= _VALUE and any(one.kind in _VALUES for one in found)


def value_at_end(said: str) -> tuple[str, str]:
    """What is said before a value that ends it, and the value: "change the skip to 250 euros"; without one, all and ""."""
    said = without_courtesy(said[:_READ]).rstrip(" .!")
    found = _tokens(said)
    first = next((n for n, one in enumerate(found) if one.kind in _VALUES), len(found))
    if not 0 < len(found) - first <= _VALUE:
        return said, ""
    return said[: found[first].start], said[found[first].start :]


def without_values(said: str) -> str:
    """What it says without the numbers, days, months and names in it."""
    begins = re.match(
        r"\S+\s", said
    )  #: what a sentence begins with is a name where another word of it follows
    found = [
        one
        for one in _runs(_tokens(said[:_READ]), text=False)
        if one.kind != "name" or one.start or (begins is not None and one.end > begins.end())
    ]
    for one in reversed(found):
        said = f"{said[: one.start]} {said[one.end :]}"
    return said


def only_name(said: str) -> str:
    """The one name in it, written as names are: "I meant Blue Kite"; "" where there is none, or several."""
    found = _runs(_tokens(without_courtesy(said[:_READ])), text=False)
    return found[0].word if len(found) == 1 and found[0].kind == "name" else ""


def is_name(said: str) -> bool:
    """It is a name alone: every word of it is written as names are."""
    found = _tokens(without_courtesy(said[:_READ]))
    return 0 < len(found) <= _VALUE and all(one.kind == "name" for one in found)


def _contrasted(text: str, said: str) -> tuple[str | None, str]:
    """As `contrasted`, with what else is said."""
    rest = said
    for pattern in _PAIRS:
        for found in pattern.finditer(said):
            if _denies(found["new"]):
                continue
            if (other := _exchanged(text, _tokens(found["old"]), _tokens(found["new"]))) is not None:
                return other, said.replace(found[0], " ")
            rest = rest.replace(found[0], " ")  # it is about something else
    return None, rest


def _denies(new: str) -> bool:
    """The "not" behind it denies a verb, and no value: "the oven was not repaired in March"."""
    told = _tokens(new)
    verbs = (*vocabulary()["tell"]["words"], *vocabulary()["amend"]["denied"])
    return bool(told) and told[-1].same in verbs


def _exchanged(text: str, old: Sequence[_Token], new: Sequence[_Token]) -> str | None:
    """The text with the new words for the old ones; what stands around both alike is not said twice."""
    old, new = _bare(old), _bare(_behind_verb(new))
    there = _tokens(text)
    alike = [one for one in old if len(new) == 1 and new[0].kind and one.kind == new[0].kind]
    old = alike if len(alike) == 1 else old  # "not eleven props, twelve"
    at = next((n for n in range(len(there)) if old and _stands(there, n, old)), None)
    while at is None and (ends := [n for n, one in enumerate(old) if n and one.same in _little()]):
        old = old[: ends[-1]]  # "not Tuesday for the flour"
        at = next((n for n in range(len(there)) if _stands(there, n, old)), None)
    if at is None or not new:
        return None
    end = at + len(old)
    kind = old[0].kind if len(old) == 1 else ""
    if kind and len(fitting := [one for one in new if one.kind == kind and not _has(there, one)]) == 1:
        new = fitting  # "Mr. Falke with an e, not Falk"
    while len(new) > 1 and end < len(there) and any(one.same == there[end].same for one in new[1:]):
        new = new[: next(n for n, one in enumerate(new) if n and one.same == there[end].same)]
    while len(new) > 1 and at and new[0].same == there[at - 1].same:
        new = new[1:]
    words = " ".join(one.word for one in new)
    return _put(text, there[at].start, there[end - 1].end, words)


def _by_kind(text: str, said: str) -> str | None:
    """The text with each value that is said for the only one of its kind."""
    there, told = _runs(_tokens(text), text=True), _runs(_tokens(said), text=False)
    puts: list[tuple[int, int, str]] = []
    for kind in _KINDS:
        old = [one for one in there if one.kind == kind]
        if kind == "name" and not old:
            old = [one for one in _tokens(text)[:1] if one.kind == kind]  # "Falk repaired it": it may be none
        new = [one for one in told if one.kind == kind and not _stands_there(text, one)]
        if len(old) == 1 and len(new) == 1:
            puts.append((old[0].start, old[0].end, _in_form(old[0], said[new[0].start : new[0].end])))
    for start, end, word in sorted(puts, reverse=True):
        text = _put(text, start, end, word)
    return text if puts else None


def _stands_there(text: str, one: _Token) -> bool:
    """Every word of it is one of the text: "Mrs. Miller" is no other name than "Miller" behind "Mrs."."""
    there = {_bare_day(other.kind, other.same) for other in _tokens(text)}
    return all(_bare_day(one.kind, word) in there for word in one.same.split())


def _bare_day(kind: str, word: str) -> str:
    return word.removesuffix("s") if kind == "weekday" else word


def _in_form(old: _Token, new: str) -> str:
    """A day of the week as the text has it: "Tuesday" for "Wednesdays"."""
    plural = old.kind == "weekday" and new.endswith("s") and not old.word.endswith("s")
    return new.removesuffix("s") if plural else new


def _by_head(text: str, said: str) -> str | None:
    """The text with another word before the one that both end with: "the rain machine" for "the fog machine"."""
    new, there = _bare(_tokens(said)), _tokens(text)
    if not 1 < len(new) <= _VALUE or any(one.kind for one in new):
        return None
    at = [n for n, one in enumerate(there) if one.same == new[-1].same]
    size = len(new) - 1
    old = there[at[0] - size : at[0]] if len(at) == 1 and at[0] >= size else []
    if (
        not old
        or any(one.same in _little() for one in (*old, *new))
        or any(_has(there, one) for one in new[:-1])
    ):
        return None
    return _put(text, old[0].start, old[-1].end, " ".join(one.word for one in new[:-1]))


def _by_end(text: str, said: str) -> str | None:
    """The text with another word for the one it ends with: "green, I mean", where it says how something is."""
    told, there = _tokens(said), _tokens(text)
    new = _bare(told)
    if len(there) < _VALUE or there[-2].same not in vocabulary()["amend"]["is"]:
        return None
    says = vocabulary()["amend"]["says"]  # without one it may be a word to what was said: "oh, thanks"
    if (
        len(new) != 1
        or new[0].kind != there[-1].kind
        or _has(there, new[0])
        or all(t.same not in says for t in told)
    ):
        return None
    if new[0].same in COMMON or new[0].same in vocabulary()["judged"]["words"]:
        return None
    return _put(text, there[-1].start, there[-1].end, new[0].word)


def _put(text: str, start: int, end: int, words: str) -> str:
    if text[start].isupper() and words[:1].islower():
        words = words[0].upper() + words[1:]
    return text[:start] + words + text[end:]


def _behind_verb(new: Sequence[_Token]) -> Sequence[_Token]:
    """What a whole sentence says of something: of "also the tap is at the south gate", "at the south gate"."""
    verbs = [at for at, one in enumerate(new) if at and one.same in vocabulary()["amend"]["is"]]
    return new[verbs[-1] + 1 :] if verbs and verbs[-1] + 1 < len(new) else new


def _stands(there: Sequence[_Token], at: int, old: Sequence[_Token]) -> bool:
    here = there[at : at + len(old)]
    return len(here) == len(old) and all(
        one.same == other.same
        or (
            len(one.word) > _VALUE and language().slips(one.same, other.same, 1) == 1 and one.kind != "number"
        )
        for one, other in zip(here, old, strict=True)
    )


def _has(there: Sequence[_Token], one: _Token) -> bool:
    return any(one.same == other.same for other in there)


def _bare(tokens: Sequence[_Token]) -> list[_Token]:
    """Without the little words around a value: "it's the tenors"."""
    found = list(tokens)
    while len(found) > 1 and not found[0].kind and found[0].same in _little():
        found = found[1:]
    while len(found) > 1 and not found[-1].kind and found[-1].same in _little():
        found = found[:-1]
    return found


def _runs(tokens: Sequence[_Token], *, text: bool) -> list[_Token]:
    """Names of several words as one; what a text begins with may be no name."""
    found: list[_Token] = []
    for at, one in enumerate(tokens):
        if one.kind == "name" and at == 0 and text:
            continue
        last = found[-1] if found else None
        if one.kind == "name" and last is not None and last.kind == "name" and one.start - last.end <= 2:
            found[-1] = _Token(f"{last.word} {one.word}", last.start, one.end, "name")
            continue
        if one.kind:
            found.append(one)
    return found


def _tokens(said: str) -> list[_Token]:
    return [_Token(m[0], m.start(), m.end(), _kind(m[0])) for m in _TOKEN.finditer(said)]


def _kind(word: str) -> str:
    low = word.casefold()
    if word[0].isdigit() or low in _numbers():
        return "number"
    for kind in ("weekday", "month"):
        if low.removesuffix("s") in vocabulary()["since"][f"{kind}_numbers"] and (
            kind == "weekday" or low != "may" or word[0] == "M"
        ):
            return kind
    plain = re.split("['’]", low)[0]
    return (
        "name" if word[0].isupper() and plain not in COMMON and low not in _little() and plain != "i" else ""
    )


@cache
def _numbers() -> frozenset[str]:
    named: Mapping[str, int] = vocabulary()["wish"]["numbers"]
    return frozenset([*named, *vocabulary()["amend"]["numbers"]])


@cache
def _little() -> frozenset[str]:
    return frozenset(vocabulary()["amend"]["little"])
