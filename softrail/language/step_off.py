"""Stepping off: does a message leave the process that holds the session, and how?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from softrail.language.patterns import Patterns, matches, named_form
from softrail.language.phrases import PROCESS
from softrail.language.text import Line, Names, Spoken, normal, squeezed

Layer = Literal["escape", "exit", "refusal"]


@dataclass(frozen=True, slots=True)
class StepOff:
    """A message leaves the process. `remainder` is what it asks for beside that, in the person's own text."""

    layer: Layer
    remainder: str = ""


def is_escape(patterns: Patterns, read: Sequence[str]) -> bool:
    """Layer 1 without "later": the whole message is an escape word, whatever is typed around it."""
    return matches(patterns.escape, read) or any(squeezed(form) in patterns.escape_squeezed for form in read)


def leave(
    patterns: Patterns, read: Sequence[str], said: Spoken, names: Sequence[str], *, yes_no: bool
) -> StepOff | None:
    """Layers 1 to 3 of a message, given as its forms and its words."""
    if is_escape(patterns, read):
        return StepOff("escape")
    if not said.words:
        return None
    own = keys(names)
    forms = [named_form(form, own) for form in read]
    if not yes_no and matches(patterns.later, forms):
        return StepOff("escape")
    # Beside the message as it stands its short forms: dragged letters, repeated words.
    if said.whole and matches(patterns.exit, (said.line(said.named(own)).text, *forms)):
        return StepOff("exit")
    line = said.line(said.named(own), clauses=True)
    for pattern in (patterns.refusal, patterns.exit_named):
        found = pattern.match(line.text)
        if found:
            return StepOff("refusal", _remainder(patterns, said, line, found.end()))
    return None


def keys(names: Sequence[str]) -> Mapping[str, str]:
    """What to look for in a message, and the word of phrases that then stands there."""
    return _keys(tuple(names))


@lru_cache(maxsize=1024)  # as many as there are processes, more or less: names do not change
def _keys(names: tuple[str, ...]) -> Names:
    return Names({key: PROCESS for name in names if (key := squeezed(normal(name)))})


def _remainder(patterns: Patterns, said: Spoken, line: Line, offset: int) -> str:
    joint = patterns.joint.match(line.text, offset)
    start = joint.end() if joint else offset
    rest = line.text[start:]
    if not rest or patterns.reason.match(line.text, offset) or patterns.reason.match(rest):
        return ""
    return "" if patterns.polite.fullmatch(rest) else said.since(line.places[start])
