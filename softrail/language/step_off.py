"""Stepping off: does a message leave the process that holds the session, and how?"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from softrail.language.patterns import Pattern, Patterns, matches, named_form
from softrail.language.phrases import PROCESS
from softrail.language.text import Line, Names, Spoken, normal, spoken, squeezed

Layer = Literal["escape", "exit", "refusal", "off_intent"]

_BULLET: Final = re.compile(r"\s*(?:[-*•‣–—]|\d{1,3}[.)])\s")
_LEAST: Final = 3  # under three characters is never off-topic
_TITLE: Final = 4


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


def off_topic(
    patterns: Patterns, said: Spoken, names: Sequence[str], subject: Sequence[str]
) -> StepOff | None:
    """Layer 4: a clear command or question that is no answer. What is unclear is on-topic."""
    if sum(len(word.key) for word in said.words) < _LEAST or _is_list(said.message) or _is_title(said):
        return None
    if said.named(keys((*names, *subject))):
        return None
    line = said.line(clauses=True)
    if _asks_for_something_else(patterns, said, line):
        return StepOff("off_intent")
    # "forget it, restore CoVa" closes; "stop. what's the weather?" pauses, as the escape word alone would.
    heads: tuple[tuple[Pattern, Layer], ...] = (
        (patterns.left, "off_intent"),
        (patterns.exit_unnamed, "refusal"),
    )
    for pattern, layer in heads:
        found = pattern.match(line.text)
        remainder = _remainder(patterns, said, line, found.end()) if found else ""
        rest = spoken(remainder)
        if rest.words and _asks_for_something_else(patterns, rest, rest.line(clauses=True)):
            return StepOff(layer, remainder)
    return None


def _asks_for_something_else(patterns: Patterns, said: Spoken, line: Line) -> bool:
    opened = patterns.openers.match(line.text)
    starts = {0, opened.end() if opened else 0}
    if any(patterns.on_topic.match(line.text, at) for at in starts):
        return False
    asks = said.whole and said.asks
    return any(
        patterns.commands.match(line.text, at) or (asks and patterns.questions.match(line.text, at))
        for at in starts
    )


def _is_list(message: str) -> bool:
    # Several lines are several items of an answer, unless the first one introduces the others.
    lines = [line for line in message[:4000].splitlines() if line.strip()]
    if not lines or _BULLET.match(lines[0]):
        return bool(lines)
    return len(lines) > 1 and not lines[0].rstrip().endswith((":", "："))


def _is_title(said: Spoken) -> bool:
    # "Remind Me Later App" is the name of something. Short commands are typed like that too, so four words.
    first = [said.message[word.start] for word in said.words]
    return len(first) >= _TITLE and all(map(str.isupper, first)) and not said.message.isupper()


def _remainder(patterns: Patterns, said: Spoken, line: Line, offset: int) -> str:
    joint = patterns.joint.match(line.text, offset)
    start = joint.end() if joint else offset
    rest = line.text[start:]
    if not rest or patterns.reason.match(line.text, offset) or patterns.reason.match(rest):
        return ""
    return "" if patterns.polite.fullmatch(rest) else said.since(line.places[start])
