"""Cuts a message into what it may say one after the other; pure functions over text."""

import re
from dataclasses import dataclass

from softrail.classifier.text import READ, form, words
from softrail.classifier.words import cues

MOST_SEGMENTS = 8  #: of a longer message only the whole and its first segments are read

_END = re.compile(r"[.;!?]+[)\]\"'”’]*(?=\s)|\n+")
_LAST_WORD = re.compile(r"[^\s(\[\"'“‘]*$")
_DOTTED = re.compile(r"^(?:[^\W\d_]\.)+[^\W\d_]?$")  # e.g., U.S., an initial
_URL = re.compile(r"^(?:[a-z][a-z0-9+.-]*://|www\.)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Segment:
    """One part of a message: its words, whether it begins a correction, whether it asks for nothing."""

    text: str
    corrects: bool = False
    aside: bool = False


def split(message: str) -> tuple[Segment, ...]:
    """The segments of a message: sentences, and what follows a cue such as "and also"; one when it says one thing."""
    sentences = _sentences(message[:READ])
    texts = [part for sentence in sentences for part in _at_cues(sentence)]
    found: list[Segment] = []
    for text in texts:
        if not words(text):
            continue
        corrects, rest = _correction(text)
        found.append(Segment(rest, corrects=corrects, aside=_aside(rest)))
    return tuple(found[:MOST_SEGMENTS])


def _sentences(message: str) -> list[str]:
    parts, begin = [], 0
    for match in _END.finditer(message):
        if match.group() == "." and not _ends(message[begin : match.end()], message[match.end() :]):
            continue
        parts.append(message[begin : match.end()].strip())
        begin = match.end()
    parts.append(message[begin:].strip())
    return [part for part in parts if part]


def _ends(before: str, after: str) -> bool:
    """The full stop at the end of `before` ends a sentence: it is no abbreviation and no numbered item."""
    match = _LAST_WORD.search(before[:-1])
    last = match.group() if match else ""
    if not last:
        return True
    if last.casefold() in cues().abbreviations or _DOTTED.match(last + "."):
        return False
    if last.isdigit() and before[: -len(last) - 1].strip() == "":
        return False  # "1. first point"
    # "No. 5 is broken", "approx. 3 days": a short word before a number was cut short.
    return not (last.casefold() in cues().before_numbers and after.lstrip()[:1].isdigit()) or bool(
        _URL.match(last)
    )


def _at_cues(sentence: str) -> list[str]:
    match = cues().joins.search(sentence)
    if match is None or not words(sentence[: match.start()]):
        return [sentence]
    return [sentence[: match.start()].strip(" ,"), *_at_cues(sentence[match.end() :].strip(" ,"))]


def _correction(text: str) -> tuple[bool, str]:
    """Whether it begins with words that take back what was said, and what follows them."""
    match = cues().corrections.match(text)
    if match is None:
        return False, text
    rest = text[match.end() :].strip(" ,.;:!-–")
    return True, rest or text


def _aside(text: str) -> bool:
    return bool(cues().asides.fullmatch(form(text)))
