"""The option that is meant in other words than its own: each is put to the small model by itself."""

from collections.abc import Sequence
from typing import Final

from softrail.core.questions import Option
from softrail.core.reading import Bars, log_odds
from softrail.reader.learned import Marker, query

_AHEAD: Final = 0.3  #: log odds by which an option that is not named must lead to be asked about
_FAR_AHEAD: Final = 1.0  #: the same to be taken
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
