"""The words of a wish by what they do: verbs, what is spoken of, what takes back, what says nothing."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

from softrail.companion.catalogue import spoken_words
from softrail.companion.memory.stems import COMMON
from softrail.companion.memory.values import ProjectDetail
from softrail.companion.understanding.phrases import vocabulary
from softrail.plugin import language

_TOKEN: Final = re.compile(
    r"\d{1,3}(?:,\d{3})+(?!\d)|(?P<number>\d{1,9})|[^\W\d_]+(?:['’][^\W\d_]+)*\.?|[#&+,.;:!?–-]", re.UNICODE
)

_KEPT: Final = 256  #: texts whose words are known still: one turn asks for those of its message and its clauses again and again
_SHORT: Final = 3  #: letters of a word, its point counted, that may only be cut short: "Dr.", "approx"
_NOUNS: Final = 2  #: words between what a sentence begins with and what it tells of it
_SLIPPING: Final = 4  #: letters of a word that may be a slip of the fingers
#: What such a word may be meant for: what is to be done, and with what.
_MENDED: Final = frozenset(
    ["saved", "withdrawn", "edited", "archived", "restored", "renamed", "note", "project"]
)
_COURTEOUS: Final = "please"  #: a slip in it says nothing else
_IN_A_ROW: Final = ("and", ",", "&", "or")
#: What a name stands behind, and what is none in small letters.
_OF_NAMES: Final = ("archived", "restored", "renamed", "chosen", "withdrawn", "project")
_NEVER_NAMES: Final = (
    "all",
    "both",
    "last",
    "it",
    "waiting",
    "note",
    "project",
    "here",
    "few",
    "none",
    "particle",
)


@dataclass(frozen=True, slots=True)
class Part:
    """One of them, and where it stands."""

    kind: str
    word: str
    start: int
    end: int
    slipped: bool = False  #: it is one slip of the fingers away from the word


def parts(message: str, names: Mapping[str, str]) -> Sequence[Part]:
    """The words of a message by what they do: the longest phrase that is known, else "unknown"."""
    return _parts(message, standing_in(message, names))


def standing_in(message: str, names: Mapping[str, str]) -> Sequence[tuple[str, str]]:
    """The names all of whose words stand in the message: read with the others, it is read alike."""
    if not names:
        return ()
    said = message.lower().replace("’", "'")
    return tuple((name, id_) for name, id_ in names.items() if all(word in said for word in name.split()))


@lru_cache(_KEPT)
def _parts(message: str, names: Sequence[tuple[str, str]]) -> Sequence[Part]:
    return tuple(_found(message, dict(names)))


def _found(message: str, names: Mapping[str, str]) -> Iterator[Part]:
    tokens = [(m[0].lower().replace("’", "'"), m.start(), m.end()) for m in _TOKEN.finditer(message)]
    at = 0
    while at < len(tokens):
        word, start, end = tokens[at]
        if word.isdecimal():
            yield Part("number", word, start, end)
            at += 1
            continue
        if (named := _name(message, tokens, at, names)) is not None:
            size, project = named
            end = tokens[at + size - 1][2]
            stops = tokens[at + size - 1][0].endswith(".")
            yield Part("name", project, start, end - stops)
            if stops:
                yield Part("end", ".", end - 1, end)
            at += size
            continue
        for size in range(min(_longest().get(word.rstrip("."), 1), len(tokens) - at), 0, -1):
            phrase = " ".join(token for token, _, _ in tokens[at : at + size])
            bare = phrase if phrase in _kinds() else phrase.rstrip(".")
            if (kind := _kinds().get(bare)) is not None:
                yield Part(kind, bare, start, tokens[at + size - 1][2])
                if phrase != bare:
                    yield Part("end", ".", end, end)
                at += size
                break
        else:
            name = start > 0 and message[start].isupper() and not message.isupper()
            meant = None if name else _meant(word.rstrip("."))
            if meant is not None:
                yield Part(_kinds()[meant], meant, start, end, slipped=True)
            else:
                yield Part("?" if word == "?" else "unknown", word, start, end)
            if word.endswith(".") and len(word) > _SHORT:
                yield Part("end", ".", end - 1, end)
            at += 1


def _name(
    message: str, tokens: Sequence[tuple[str, int, int]], at: int, names: Mapping[str, str]
) -> tuple[int, str] | None:
    """How many words of a project's name stand here, and the project's id; the longest name wins."""
    found = None
    for name, project in names.items():
        said = name.split()
        here = [token for token, _, _ in tokens[at : at + len(said)]]
        if here and here[-1] not in said:
            here[-1] = here[-1].rstrip(".")  # a name at the end of a sentence
        if here != said or (
            all(word in _kinds() for word in said)
            and not _stands_as_a_name(message, tokens, at, len(said), names)
        ):
            continue
        if found is None or len(said) > found[0]:
            found = (len(said), project)
    return found


def _stands_as_a_name(
    message: str, tokens: Sequence[tuple[str, int, int]], at: int, size: int, names: Mapping[str, str]
) -> bool:
    """Words that a wish is made of are a name where they are written as one, or end what is to be done: "archive recap"."""
    written = message[tokens[at][1]].isupper() and not message.isupper()
    while at > 1 and tokens[at - 1][0] in _IN_A_ROW and (first := _name_before(tokens, at - 1, names)):
        size, at = size + at - first, first  # "archive blue kite and recap"
    before = tokens[at - 1][0] if at else ""
    if not before or not before[-1].isalnum():
        return False  # a sentence begins with a capital
    if written:
        return True
    done = any(
        _kinds().get(" ".join(t for t, _, _ in tokens[max(0, at - n) : at])) in _OF_NAMES for n in (1, 2, 3)
    )
    after = tokens[at + size][0] if at + size < len(tokens) else ""
    common = any(_kinds().get(tokens[at + n][0].rstrip(".")) in _NEVER_NAMES for n in range(size))
    return done and not common and not after[:1].isalnum() and after != "#"


def _name_before(tokens: Sequence[tuple[str, int, int]], end: int, names: Mapping[str, str]) -> int:
    """Where a project's name begins that ends there; 0 where none does."""
    for name in names:
        said = name.split()
        if 0 < len(said) < end and [token for token, _, _ in tokens[end - len(said) : end]] == said:
            return end - len(said)
    return 0


def names_of(projects: Iterable[ProjectDetail]) -> Mapping[str, str]:
    """The names of projects as they stand in a message, to their ids; a name that two have means neither."""
    names = [(as_said(project.name), project.id) for project in projects]
    said = [name for name, _ in names]
    return {name: project for name, project in names if name and said.count(name) == 1}


def parts_of_names(projects: Iterable[ProjectDetail]) -> Mapping[str, str]:
    """The names, and the words that stand in one of them alone and are no words of wishes: "gym", of School Gym."""
    projects = list(projects)
    words = [(word, one.id) for one in projects for word in dict.fromkeys(as_said(one.name).split())]
    said = Counter(word for word, _ in words)
    telling = {
        w: id_
        for w, id_ in words
        if said[w] == 1 and len(w) >= _SHORT and w not in COMMON and w not in _kinds()
    }
    return {**telling, **names_of(projects)}


def as_said(name: str) -> str:
    """A name as it stands in a message, word by word."""
    return " ".join(m[0].lower().replace("’", "'") for m in _TOKEN.finditer(name))


@cache
def _words() -> Mapping[str, Any]:
    return dict(vocabulary()["wish"])


@cache
def few() -> Mapping[str, int]:
    """Numbers that are said as words."""
    return dict(_words()["numbers"])


@cache
def _kinds() -> Mapping[str, str]:
    found = dict.fromkeys(few(), "few")
    for kind, listed in _words().items():
        if kind != "numbers":
            for word in listed:
                found.setdefault(word.replace("’", "'"), kind)
    return found


def tells(said: Sequence[Part]) -> bool:
    """What could be a wish tells how something is: "bin collection is on Monday", "the store opens at nine"."""
    begins = next((at for at, part in enumerate(said) if part.kind != "filler"), len(said))
    for part in said[begins + 1 : begins + 2 + _NOUNS]:
        if part.word.rstrip(".") in vocabulary()["tell"]["words"]:
            return said[begins].kind != "ask"
        if part.kind != "unknown":
            return False  # "remove the ladder that is broken", "delete what is wrong"
    return False


@lru_cache(1024)
def _meant(word: str) -> str | None:
    """The word of a wish that a word which people do not say here is one slip away from: "wihtdraw"."""
    own = word in spoken_words() or word in COMMON or word in vocabulary()["slip"]["words"]
    if own or len(word) < _SLIPPING or not word.isascii():
        return None
    near = sorted(
        other
        for other, kind in _kinds().items()
        if (kind in _MENDED or other == _COURTEOUS)
        and other[0] == word[0]
        and not word.startswith(other)
        and language().slips(word, other, 1) == 1
        and (len(word) != len(other) or sorted(word) == sorted(other))  # another letter makes another word
    )
    return near[0] if len({_kinds()[other] for other in near}) == 1 else None


@cache
def _longest() -> Mapping[str, int]:
    """How many words the longest phrase has that begins with a word; of one where none does, nothing is looked for."""
    found: dict[str, int] = {}
    for phrase in _kinds():
        first, *others = phrase.split()
        first = first.rstrip(".")
        found[first] = max(found.get(first, 0), 1 + len(others))
    return found
