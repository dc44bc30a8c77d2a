"""Which option is nearest in meaning to words that name none: for asking, never for taking one."""

import re
from collections.abc import Sequence
from typing import Final

from softrail.core.ports import Likeness
from softrail.core.reading import Act, Bars, Place, Reading, Value
from softrail.language import Language
from softrail.language.text import spoken
from softrail.reader.remarks import is_spoken_ill_of

_OPTIONS: Final = 10  #: of more, nobody reads them all
_MEANING: Final = re.compile(r"[^\W\d_]{3}")
_INSTEAD: Final[Sequence[Act]] = (
    *("hold", "ask", "repeat", "request", "human"),
    *("social", "open", "pause", "leave"),
)


def wants_nearest(reading: Reading, place: Place, bars: Bars, language: Language) -> bool:
    """One option is asked for, the message may choose one, and none was found in it.

    Not at a step of an author's own: what stands on its buttons may be anything, "That is all" beside five companies.
    """
    question, given = place.question, reading.of("inform", target="")
    if question is None or place.own or place.wanted != "choice" or not 1 < len(question.options) <= _OPTIONS:
        return False
    if not all(_MEANING.search(option.label) for option in question.options):
        return False  # "1A" is near to nothing
    if reading.exactly(*_INSTEAD) is not None or any(
        c.act == "inform" and c.values for c in reading.commands
    ):
        return False
    if any(
        language.leaves_out(reading.message, o.label)
        or is_spoken_ill_of(reading.message, o.value or o.label, place, language)
        for o in question.options
    ):
        return False  # "not the bar please" is nearest to the bar
    answers = given.confidence if given is not None else 0.0
    return answers >= bars.doubt or reading.likely(*_INSTEAD) < bars.other


def nearest(message: str, place: Place, likeness: Likeness, language: Language) -> tuple[Value, ...]:
    """All options, the nearest first: message and option are each compared as words behind the question.

    None is nearer than the next where something is denied: what is not wanted is as near as what is.
    """
    assert place.question is not None  # noqa: S101 - wanted before
    asks, options = place.question.asks, place.question.options
    alike = likeness.alike(f"{asks} {message}", [f"{asks} {option.label}" for option in options])
    ranked = sorted(zip(alike, options, strict=True), key=lambda one: -one[0])
    denies = any(language.negates(word.key) for word in spoken(message).words)
    return tuple(
        Value(
            field=place.field or "",
            text=option.value or option.label,
            confidence=0.0 if denies else likely,
        )
        for likely, option in ranked
    )
