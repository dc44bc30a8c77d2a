"""Cuts a message into what it may say one after the other; pure functions over text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from softrail.classifier.text import READ, form, words
from softrail.classifier.words import cues
from softrail.language import language

MOST_SEGMENTS = 8  #: of a longer message only these are read, and the last of them holds all the rest

#: How a segment takes back what was said: it names a slip, it begins again, or it changes one value at most.
Cue = Literal["", "slip", "restart", "touch"]

_BETWEEN = " \t\n,.;:!?-–—…"  #: stands between a cue and what follows it
_END = re.compile(r"[.;!?]+[)\]\"'”’]*(?=\s)|\n+")
_LAST_WORD = re.compile(r"[^\s(\[\"'“‘]*$")
_DOTTED = re.compile(r"^(?:[^\W\d_]\.)+[^\W\d_]?$")  # e.g., U.S., an initial
_URL = re.compile(r"^(?:[a-z][a-z0-9+.-]*://|www\.)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Segment:
    """One part of a message: the words it is read by, whether it begins a correction or asks for nothing."""

    text: str
    cue: Cue = ""
    aside: bool = False
    settled: bool = False  #: a correction was carried out: its words stand for several of the message
    typed: str = ""  #: with the words that begin a correction, and with what is not read; empty: `text`

    @property
    def said(self) -> str:
        """Every word of it."""
        return self.typed or self.text

    @property
    def corrects(self) -> bool:
        """It takes back what came before it; a touch changes a value or nothing."""
        return self.cue in ("slip", "restart")


def split(message: str) -> tuple[Segment, ...]:
    """The segments of a message: sentences, and what follows a cue such as "and also"; one when it says one thing."""
    sentences = _sentences(message[:READ])
    texts = [text for sentence in sentences for text in _at_cues(sentence) if words(text)]
    found = [_segment(text) for text in texts[:MOST_SEGMENTS]]
    if found and (len(texts) > MOST_SEGMENTS or words(message[READ:])):
        begin = 0
        for text in texts[: len(found) - 1]:
            begin = message.index(text, begin) + len(text)
        begin = message.index(texts[len(found) - 1], begin)
        found[-1] = replace(found[-1], aside=False, typed=message[begin:].strip())
    return tuple(found)


def cued(text: str) -> tuple[Cue, str]:
    """How a text takes back what was said before it, and what follows the words that do."""
    known = cues()
    cue: Cue = ""
    rest = text
    while rest:
        if match := known.corrections.match(rest):
            cue = "slip"
        elif match := known.restarts.match(rest):
            cue = cue or "restart"
        else:
            break
        rest = rest[match.end() :].lstrip(_BETWEEN)
    if not cue and (match := known.touches.match(text)):
        return "touch", text[match.end() :].lstrip(_BETWEEN)
    return cue, rest


def joined(message: str, segments: Sequence[Segment], chosen: Sequence[int]) -> str:
    """The words of the chosen segments, as they stand in the message where they stand there one after the other."""
    places = _places(message, segments)
    follow = bool(chosen) and chosen[-1] - chosen[0] == len(chosen) - 1
    if places is not None and follow:
        return message[places[chosen[0]][0] : places[chosen[-1]][1]]
    return " ".join(segments[i].said for i in chosen)


def _places(message: str, segments: Sequence[Segment]) -> list[tuple[int, int]] | None:
    """Where each segment stands in the message; None when one does not stand there as it is said."""
    places: list[tuple[int, int]] = []
    for segment in segments:
        begin = message.find(segment.said, places[-1][1] if places else 0)
        if begin < 0 or segment.settled:
            return None
        places.append((begin, begin + len(segment.said)))
    return places


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


def _segment(text: str) -> Segment:
    cue, rest = cued(text)
    if cue in ("", "touch"):
        return Segment(text, cue=cue, aside=_aside(text))
    if not words(rest):
        return Segment(text, cue=cue, aside=True)
    return Segment(rest, cue=cue, aside=_aside(rest), typed=text)


def _aside(text: str) -> bool:
    return bool(cues().asides.fullmatch(form(text))) or language().is_greeting(text)
