"""Choosing among options, and reading several lines as items."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from softrail.core.questions import Option
from softrail.language.language import Language
from softrail.language.text import READ_AT_MOST, normal, spoken, squeezed

_BULLET: Final = re.compile(r"(?:[-*•‣◦–—]|\d{1,3}[.)])(?=\s|\Z)")
_NUMBERED: Final = re.compile(r"(?:(?<=\s)|\A)(\d{1,2})[.)](?=\s)")
_LETTER: Final = re.compile(r"[^\W\d_]")
_APART: Final = re.compile(r"\s*[,;]\s")
_LETTER_OR_NUMBER: Final = re.compile(r"([a-z])|(\d{1,3})")
_MOST_WORDS: Final = 12  # a longer message says something of its own
_INITIALS: Final = 3  #: as many stand for a name at most: "bw"
_LETTERS_FOR: Final = {"ex": "x"}  #: what a beginning is written as where it is not its first letter: "XL"


def items(message: str, language: Language | None = None) -> list[str]:
    """Each line that says something is one item, without its bullet or number."""
    found: list[str] = []
    for line in _lines(message, language):
        bullet = _BULLET.match(line)
        text = line[bullet.end() :].strip() if bullet else line
        if _NUMBERED.match(text) and not _LETTER.search(text):
            text = line  # "1. 2. 2027" is a day
        if text:
            found.append(text)
    return found


def is_bulleted(message: str, language: Language | None = None) -> bool:
    """Several lines, or one, in which each item begins as one of a list does: nothing else is written so."""
    lines = [line for line in _lines(message, language) if line]
    return len(lines) > 1 and all(map(_BULLET.match, lines))


def _lines(message: str, language: Language | None) -> list[str]:
    """The lines, where one that counts its items from 1 has one for each: "1. soap 2. towels"."""
    return [item for line in message.splitlines() for item in _counted(line.strip(), language)]


def _counted(line: str, language: Language | None) -> list[str]:
    """The items that the line counts, each of which has words; else the line: "1. 2. 2027", "1. we meet at 2. pm"."""
    begins: list[int] = []
    for one in _NUMBERED.finditer(line):
        before = line[: one.start()].rsplit(maxsplit=1)[-1:]
        goes_on = language is not None and any(map(language.goes_on, before))
        if int(one[1]) == len(begins) + 1 and not goes_on:
            begins.append(one.start())
    if begins[:1] != [0]:
        return [line]
    found = [line[at:end].strip(" \t,;") for at, end in zip(begins, [*begins[1:], len(line)], strict=True)]
    return found if all(map(_LETTER.search, found)) else [line]


def enumerated(item: str, language: Language) -> list[str]:
    """The parts of an item that names several: "a lamp, two chairs and a desk"; itself where it names one."""
    return [item[start:end] for start, end in _enumerated(item, language)]


def without_part(item: str, at: int, language: Language) -> str:
    """The item without one of its parts, every other word as it was."""
    parts = _enumerated(item, language)
    (_, end), before = parts[at], parts[at - 1][1] if at else 0
    return item[:before] + item[end:] if at else item[parts[1][0] :]


def _enumerated(item: str, language: Language) -> list[tuple[int, int]]:
    said = spoken(item).words
    parts: list[tuple[int, int]] = []
    start: int | None = None
    for at, word in enumerate(said):
        if language.adds(word.key) and at + 1 < len(said):
            start = None  # what joins two of them is of neither
            continue
        if start is None:
            start = word.start
            parts.append((start, word.end))
        parts[-1] = (start, word.end)
        behind = item[word.end : said[at + 1].start] if at + 1 < len(said) else ""
        start = None if _APART.match(behind) else start
    return parts or [(0, len(item))]


def choose(
    message: str, options: Sequence[Option], *, language: Language, alone: bool = False
) -> Option | None:
    """The one option a message chooses: by label, letter, number, place, or words that fit no other.

    None when it fits no option, or more than one; where it has to stand `alone`, also when the message says anything
    else: "archive the choir tour" is more than "the choir tour".
    """
    if len(message) > READ_AT_MOST:
        return None
    exact = _exact(message, options)
    asks = message.rstrip().endswith("?")
    if exact is not None:
        # "yes?" is never consent, also where "Yes" is an option; "Lisbon?" is Lisbon.
        return None if asks and language.consent(exact.label) == "yes" else exact
    if asks:
        return None
    meant = _consenting(message, options, language) or _ending(message, options, language)
    if meant is not None:
        return meant
    words = [word.key for word in spoken(message).words]
    if not words or len(words) > _MOST_WORDS:
        return None
    known = [_words(option) for option in options]
    words = [_figure(before, word, known, language) for before, word in pairwise(["", *words])]
    if any(language.negates(word) and not any(word in of for of in known) for word in words):
        return None
    if language.speaks_ill(" ".join(word for word in words if not any(word in of for of in known))):
        return None
    content = [word for word in words if not language.is_choosing_word(word)]
    place = _place(words, content, len(options), language)
    called = _initialled(content, options, language)
    if place is not None:  # "c" is the third one, unless another begins so
        return options[place] if called in (None, options[place]) else None
    if called is not None:
        return called
    spare = [
        word for word in words if any(word in of for of in known)
    ]  # "yes please" among "Yes, save" and "No"
    fitting = _fitting(content or spare, options, known, language)
    if alone and fitting is not None:
        names = _words(fitting)
        return fitting if all(any(_part_of(word, name) for name in names) for word in content) else None
    return fitting


def _consenting(message: str, options: Sequence[Option], language: Language) -> Option | None:
    # Where there is a yes and a no to choose, every word of consent chooses: "sure" is "Yes", "nope" is "No".
    meant = [language.consent(option.label) for option in options]
    said = language.consent(message)
    if said not in ("yes", "no") or (meant.count("yes"), meant.count("no")) != (1, 1):
        return None
    option = options[meant.index(said)]
    # "Save it" answers "Save?", and not "Shall I delete it?".
    return None if language.names_another_deed(message, option.label) else option


def _ending(message: str, options: Sequence[Option], language: Language) -> Option | None:
    # Where one option says that there is no more, every word that says so chooses it: "that's all" is "Done".
    ends = [option for option in options if language.is_done_word(option.label)]
    return ends[0] if len(ends) == 1 and language.is_done_word(message) else None


def _exact(message: str, options: Sequence[Option]) -> Option | None:
    # The very label first: "C" and "C++" have the same normal form.
    typed = " ".join(message.casefold().split())
    for option in options:
        if typed in {" ".join(name.casefold().split()) for name in _names(option)}:
            return option
    for alike in (normal, _joined):  # "nevermind" is "never mind" unless both are offered
        like = alike(message)
        found = [option for option in options if like and like in map(alike, _names(option))]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _names(option: Option) -> Sequence[str]:
    value = (option.value,) if option.value is not None else ()
    return (option.label, *value, *option.words)


def _joined(text: str) -> str:
    return squeezed(normal(text))


def _figure(before: str, word: str, known: Sequence[frozenset[str]], language: Language) -> str:
    # "Lathe one" is Lathe 1; "the first one" is no number.
    named = [of for of in known if before in of and any(name.isdecimal() for name in of)]
    said = language.figure(word) if named else word
    return said if any(said in of for of in named) else word


def _words(option: Option) -> frozenset[str]:
    return frozenset(word.key for name in _names(option) for word in spoken(name).words)


def _place(words: Sequence[str], content: Sequence[str], count: int, language: Language) -> int | None:
    # "a" is a letter and an article: it is the letter only when nothing else is left to be meant.
    meant = content or [word for word in words[-1:] if len(word) == 1]
    if len(meant) != 1:
        return None
    match = _LETTER_OR_NUMBER.fullmatch(meant[0])
    if match:
        place: int | None = ord(match[1]) - ord("a") if match[1] else int(match[2]) - 1
    else:
        place = language.ordinal(meant[0], count)
    return place if place is not None and 0 <= place < count else None


def _initialled(content: Sequence[str], options: Sequence[Option], language: Language) -> Option | None:
    # "m" is medium where no other option begins so, "b/w" black and white.
    words = [squeezed(word) for word in content]
    letters = "".join(words)
    if len(letters) > _INITIALS or (len(words) > 1 and len(letters) > len(words)):
        return None
    if not letters.isalpha() or language.consent(letters) in ("yes", "no"):
        return None
    found = [option for option in options if letters in _initials(option.label, language)]
    return found[0] if len(found) == 1 else None


def _initials(label: str, language: Language) -> set[str]:
    words = [word.key for word in spoken(label).words]
    named = [word for word in words if not (language.joins(word) or language.determines(word))]
    first = {"".join(word[0] for word in each) for each in (words, named)}
    return first | {"".join(_LETTERS_FOR.get(word[:2], word[0]) for word in named)}


def _fitting(
    content: Sequence[str], options: Sequence[Option], known: Sequence[frozenset[str]], language: Language
) -> Option | None:
    # Whole words first, then beginnings of words and parts of a name: "farm" is FarmGuard if nothing else is.
    for fits in (_same, language.is_plural, _part):
        hits = [sum(any(fits(word, name) for name in names) for word in content) for names in known]
        best = max(hits, default=0)
        # Most of what was said must be about the option, or it is a message of its own.
        if best * 2 > len(content) or best == len(content):
            found = [option for option, hit in zip(options, hits, strict=True) if hit == best and best]
            if len(found) == 1:
                return found[0]
            if best:
                return None
    return None


def _same(word: str, name: str) -> bool:
    return squeezed(word) == squeezed(name)


def _part_of(word: str, name: str) -> bool:
    return _same(word, name) or _part(word, name)


def _part(word: str, name: str) -> bool:
    said = squeezed(word)
    return len(said) > 2 and said in squeezed(name)
