"""Two options of one question where one can be taken: "my money back and an apology", "driver or, if not, picker".

Read as a whole, such a message is surely the one or surely the other. Each of its parts is read by itself instead, and where
two of them mean different options, it is asked which.
"""

import re
from collections.abc import Sequence
from typing import Final

from softrail.core.questions import Option
from softrail.language import Language
from softrail.reader.fields import sentences, spaced
from softrail.reader.learned import Marker
from softrail.reader.options import MOST

_MEANT: Final = 0.75  #: how likely a part must mean an option by itself
_JOINING: Final = re.compile(r"[^\W_]+|[/&+]")  #: words, and signs that join as a word does


def called_in(message: str, option: Option) -> bool:
    """All of its label is said, or all of something else that it is called."""
    said = f" {spaced(message)} "
    return any(name and f" {name} " in said for name in map(spaced, (option.label, *option.words)))


def both_meant(
    message: str,
    asks: str,
    options: Sequence[Option],
    marker: Marker,
    language: Language,
    *,
    beside: bool = False,
) -> list[Option]:
    """The options that its parts mean, two or more; none where it is not more than one.

    `beside`: something else is asked.
    """
    if not 1 < len(options) <= MOST or any(_is_joined(message, option, language) for option in options):
        return []
    for begin, end in sentences(message):  # of two sentences the last one is what was meant
        parts = [part for part in _joined(message[begin:end], language) if _counts(part, language)]
        found = [_meant(part, asks, options, marker, beside=beside) for part in dict.fromkeys(parts)]
        meant = [option for option in options if option in found]
        if len(meant) > 1:
            another = any(called_in(message, option) for option in options if option not in meant)
            return [] if another else meant  # "team lead, I was a driver and picker before"
        if language.wants_both(message[begin:end]) and (meant or not beside):
            return [*meant, *(option for option in options if option not in meant)]
    return []


def _is_joined(message: str, option: Option, language: Language) -> bool:
    """It is two things by itself: "fish and chips"."""
    return called_in(message, option) and bool(_joined(option.label, language))


def _meant(part: str, asks: str, options: Sequence[Option], marker: Marker, *, beside: bool) -> Option | None:
    called = [option for option in options if called_in(part, option)]
    if called:
        return called[0] if len(called) == 1 else None
    likely = marker.choose(part, asks, [option.label for option in options], beside=beside).options
    best = max(likely)
    return options[likely.index(best)] if best >= _MEANT else None


def _counts(part: str, language: Language) -> bool:
    """It says of nothing that it is not meant; "if not, picker" is what is meant then."""
    bound = language.has_a_proviso(part) or language.has_a_condition(part)
    return bound or not language.says_not(part)


def _joined(sentence: str, language: Language) -> list[str]:
    """What stands on both sides of each word or sign that joins two things, up to the next comma."""
    joins = [m for m in _JOINING.finditer(sentence) if not m[0][0].isalpha() or language.joins(m[0])]
    ends = [0, *(m.end() for m in joins)], [*(m.start() for m in joins), len(sentence)]
    parts = [sentence[a:b].strip(" ,") for a, b in zip(*ends, strict=True)]
    if len(parts) < 2:
        return []
    first, *between, last = parts
    return [first.rpartition(",")[2].strip(), *between, last.partition(",")[0].strip()]
