"""The option that a part of a message calls by its own words, or means in other words: each is put to the small model."""

from collections.abc import Sequence
from typing import Final

from softrail.core.questions import Option
from softrail.core.reading import Bars, log_odds
from softrail.language import Language, normal
from softrail.reader.changes.parts import runs, tells
from softrail.reader.learned import Marker, query

_AHEAD: Final = 0.3  #: log odds by which an option that is not named must lead to be asked about
_FAR_AHEAD: Final = 1.0  #: the same to be taken
_TELLS: Final = 4  #: letters from which on a word of a label of several stands for it
_OPTIONS: Final = 8  #: of more, only their own words choose: each takes a reading


def option_meant(
    message: str, question: str, options: Sequence[Option], marker: Marker, bars: Bars
) -> tuple[Option | None, float]:
    """The option that is meant in other words than its own, and how surely; None where none or more than one may be."""
    if not 1 < len(options) <= _OPTIONS:
        return None, 0.0
    asked = [query("option", question, options=(o.label,)) for o in options]
    likely = [(marks.value, at) for at, marks in enumerate(marker.mark(message, asked))]
    (best, at), (second, _) = sorted(likely, reverse=True)[:2]
    ahead = log_odds(best) - log_odds(second)
    if best < bars.other or ahead < _AHEAD:
        return None, 0.0
    return options[at], best if ahead >= _FAR_AHEAD else 0.0


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
