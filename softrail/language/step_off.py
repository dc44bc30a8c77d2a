"""Stepping off: does a message leave the process that holds the session, and how?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from softrail.language.patterns import Patterns, are_of, forms, matches, named_form, said_wholly
from softrail.language.phrases import PROCESS
from softrail.language.text import Line, Names, Spoken, normal, spoken, squeezed

Layer = Literal["escape", "exit", "refusal"]


@dataclass(frozen=True, slots=True)
class StepOff:
    """A message leaves the process. `remainder` is what it asks for beside that, in the person's own text."""

    layer: Layer
    remainder: str = ""


@lru_cache(maxsize=256)  # asked for as the message comes, and as it is read
def is_escape(patterns: Patterns, message: str) -> bool:
    """Layer 1 without "later": the whole message is an escape word, whatever is typed around it."""
    if "escape" in said_wholly(patterns, message):
        return True
    return not patterns.escape_squeezed.isdisjoint(map(squeezed, forms(message)))


def leave(patterns: Patterns, message: str, names: Sequence[str], *, yes_no: bool) -> StepOff | None:
    """Layers 1 to 3 of a message."""
    if is_escape(patterns, message):
        return StepOff("escape")
    said = spoken(message)
    if not said.words:
        return None
    own = keys(names)
    read = named_forms(message, tuple(names))
    if not yes_no and are_of(patterns, "later", read):
        return StepOff("escape")
    named = said.named(own)
    # Beside the message as it stands its short forms: dragged letters, repeated words.
    if said.whole and matches(patterns.exit, (said.line(named).text if named else said.text, *read)):
        return StepOff("escape" if patterns.for_a_while.search(said.text) else "exit")
    text = said.text if said.is_one_clause and not named else said.line(named, clauses=True).text
    for pattern in (patterns.refusal, patterns.exit_named):
        found = pattern.match(text)
        if found:
            line = said.line(named, clauses=True)
            return StepOff("refusal", _remainder(patterns, said, line, found.end()))
    return None


def keys(names: Sequence[str]) -> Mapping[str, str]:
    """What to look for in a message, and the word of phrases that then stands there."""
    return _keys(tuple(names))


@lru_cache(maxsize=1024)  # as many as there are processes, more or less: names do not change
def _keys(names: tuple[str, ...]) -> Names:
    return Names({key: PROCESS for name in names if (key := squeezed(normal(name)))})


@lru_cache(maxsize=256)  # one turn asks for several lists with the same names
def named_forms(message: str, names: tuple[str, ...]) -> Sequence[str]:
    """The forms of a short message, with names replaced by the word of phrases that stands for them."""
    own = _keys(names)
    return [named_form(form, own) for form in forms(message)]


def _remainder(patterns: Patterns, said: Spoken, line: Line, offset: int) -> str:
    joint = patterns.joint.match(line.text, offset)
    start = joint.end() if joint else offset
    rest = line.text[start:]
    reason = patterns.words("reasons")
    if not rest or reason.match(line.text, offset) or reason.match(rest):
        return ""
    return "" if patterns.polite.fullmatch(rest) else said.since(line.places[start])
