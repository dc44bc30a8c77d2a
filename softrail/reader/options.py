"""The option that a part of a message calls by its own words, or that all of it means in others."""

from collections.abc import Sequence
from typing import Final

from softrail.core.questions import Option
from softrail.core.reading import Bars
from softrail.language import Language, normal
from softrail.reader.changes.parts import runs, tells
from softrail.reader.fields import WORD
from softrail.reader.learned import Marker

_TELLS: Final = 4  #: letters from which on a word of a label of several stands for it
MOST: Final = 12  #: options of which one can be meant in other words than its own


def option_meant(
    message: str,
    asks: str,
    options: Sequence[Option],
    marker: Marker,
    bars: Bars,
    language: Language,
    *,
    beside: bool,
) -> tuple[Option | None, float]:
    """The option that is meant in other words than its own, and how surely; None where hardly one is.

    `beside`: something else is asked. "That is all" beside three companies is no answer like theirs, and read by its own words.
    """
    options = [option for option in options if not language.is_done_word(option.label)]
    if not 1 < len(options) <= MOST:
        return None, 0.0
    likely = marker.choose(message, asks, [option.label for option in options], beside=beside).options
    best = max(likely)
    if best < (bars.other if beside else bars.chosen):
        return None, 0.0
    return options[likely.index(best)], best if best >= bars.chosen else 0.0


def option_called(words: str, options: Sequence[Option], language: Language) -> Option | None:
    """The one option that the words call by its label, or by a word that no other has; whatever else they say."""
    if language.says_not(words):
        return None
    said = {run.key for run in runs(words)}
    known = [
        {run.key for run in runs(o.label) if tells(run, language) or normal(o.label) == run.key}
        for o in options
    ]
    called = [
        option
        for at, (option, own) in enumerate(zip(options, known, strict=True))
        if own
        and (own <= said or any(len(word) >= _TELLS for word in own & said))
        and own & said - set().union(*(other for n, other in enumerate(known) if n != at))
    ]
    return called[0] if len(called) == 1 else None


def words_of(option: Option) -> set[str]:
    """Every word of its label and of what else it is called."""
    return {normal(word) for name in (option.label, *option.words) for word in WORD.findall(name)}
