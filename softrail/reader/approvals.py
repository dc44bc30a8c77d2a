"""Approval that stands before what is told, or in place of it: "looks good but friendly", "cool. oh and the voice is plain"."""

import re
from dataclasses import replace
from typing import Final

from softrail.core.reading import Command, Reading, Value, at_most, just_below
from softrail.reader.hearing import Hearing

_BEHIND: Final = re.compile(
    r"\s*(?:[,.;!]+\s+|\s)(?:but|only|just|except)\b[,\s]*|\s*[.;!]+\s+", re.IGNORECASE
)
_LEAST: Final = 2  #: words of an approval that no name begins with: "Good, Bad, Ugly" is one


def without_approval(reading: Reading, hearing: Hearing) -> Reading:
    """The reading in which an approval is no part of an answer of words, and by itself none that is sure."""
    place, language = hearing.place, hearing.language
    if place.wanted != "text" or place.own:
        return reading

    def told(value: Value) -> Value:
        if value.field != place.field or not value.text:
            return value
        behind = _BEHIND.search(value.text)
        if behind is None or not value.text[behind.end() :].strip():
            return value
        head = value.text[: behind.start()]
        approves = len(head.split()) >= _LEAST and language.consent(head) == "yes"
        return replace(value, text=value.text[behind.end() :].strip()) if approves else value

    def sure(command: Command) -> Command:
        if command.layer == "exact" or command.act != "inform" or not command.values:
            return command
        alone = len(reading.message.split()) == len(" ".join(v.text for v in command.values).split())
        approves = not alone and all(
            v.field == place.field and language.consent(v.text) == "yes" for v in command.values
        )
        read = at_most(command, just_below(hearing.bars.doubt)) if approves else command
        return read.with_each(told)

    return reading.evolve(commands=tuple(map(sure, reading.commands)))


def with_a_plain_yes(reading: Reading, hearing: Hearing) -> Reading:
    """The reading in which a yes to a question for words does not say that there is none: "yes there are" to "Any blockers?"."""
    if hearing.place.wanted not in ("text", "list") or reading.exactly("affirm", target="") is None:
        return reading
    return reading.without("none", "open")
