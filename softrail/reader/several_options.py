"""Several options that a message calls by their names, where it was hardly read as an answer at all.

The words of the options are certain. Where a clause chooses some of them, and the clauses behind it speak of none, that clause is
the answer: "everything but the dinner, nobody wants to be snapped chewing". Where the message only names some of them among what
is no option, all of it is the answer, and it is asked whether those are meant.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from softrail.core.questions import Option
from softrail.core.reading import Act, Command, Reading, Value
from softrail.language import Language, choose_several, options_named, speaks_of_options
from softrail.reader.clauses import clauses
from softrail.reader.fields import WORD, asked_with
from softrail.reader.hearing import Hearing

_ELSE: Final[Sequence[Act]] = ("request", "human", "pause", "leave", "ask", "repeat", "correct")
_REMARK: Final = 3  #: words of a clause that says something of its own


def several_called(reading: Reading, hearing: Hearing) -> Command | None:
    """The answer by the options that the message calls; None where it was read as one, or as something else."""
    place, bars, language = hearing.place, hearing.bars, hearing.language
    options = place.question.options if place.question is not None else ()
    if not options or reading.likely(*_ELSE) >= bars.other:
        return None
    message, asks = reading.message, asked_with(place)
    given = reading.of("inform", target="")
    told = given.values[0] if given is not None and given.values else None
    sure = told is not None and told.confidence >= bars.other
    if sure and told and choose_several(told.text, options, language=language, asks=asks) is not None:
        return None
    text = _before_a_remark(message, options, asks, language)
    text = text or (message if options_named(message, options, language=language) else "")
    if not text:
        return None
    likely = max(bars.chosen, reading.likely("inform"))
    value = Value(field=place.field or "", text=text, confidence=likely)
    return Command(act="inform", confidence=likely, layer="learned", values=(value,))


def _before_a_remark(message: str, options: Sequence[Option], asks: str, language: Language) -> str:
    """The clauses that choose, where those behind them name no option and take nothing back; "" where that is not so."""
    for (_, end), (begin, _) in reversed([*pairwise(clauses(message))]):
        rest = message[begin:]
        if not _is_a_remark(rest, language) or speaks_of_options(rest, options, language=language):
            continue
        if choose_several(message[:end], options, language=language, asks=asks) is not None:
            return message[:end]
    return ""


def _is_a_remark(rest: str, language: Language) -> bool:
    """It says something of its own, and puts nothing right: "nobody wants that", not "no wait", "not after all"."""
    words = WORD.findall(rest)
    if len(words) < _REMARK or language.negates(words[0].lower()) or language.takes_back(rest):
        return False
    return not (language.misspoke(rest) or language.is_mistaken(rest) or language.puts_right(rest))
