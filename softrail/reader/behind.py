"""What stands behind the first clause of a message and may be meant in spite of it: "dunno, it just stopped".

Who says first that they do not know, or do not mind, often tells all the same. What they tell is put to them, and kept by
nobody before they have said so.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from softrail.core.reading import APART, Bars, Command, Reading, at_most, just_below
from softrail.language import normal
from softrail.reader.clauses import clauses
from softrail.reader.fields import TYPED
from softrail.reader.hearing import Hearing

_ENDS: Final = (".", ";", "!")
_Read = Callable[[str], Reading]
_Exactly = Callable[[str], Sequence[Command]]


def with_what_is_behind(reading: Reading, hearing: Hearing, read: _Read) -> Reading:
    """The reading with an answer that is told behind words for having none, and with leaving where they begin with that."""
    place, bars, language = hearing.place, hearing.bars, hearing.language
    if not place.of_a_form:
        return reading
    said = list(clauses(reading.message))
    if language.stays(reading.message):
        return reading.without("pause", "leave")
    if len(said) < 2:
        return reading
    head, rest = reading.message[said[0][0] : said[0][1]], reading.message[said[1][0] :]
    if language.is_escape(head) and language.consent(rest) not in ("yes", "no"):
        return _led_by_leaving(reading, bars)
    if (
        place.wanted != "text"
        or reading.likely("open") < bars.doubt
        or reading.likely("inform") >= bars.inform
    ):
        return reading
    told = read(rest).of("inform", target="")
    if told is None or not told.values or told.confidence < bars.inform:
        return reading
    hardly = replace(told, confidence=just_below(bars.inform))
    left = reading.without("inform", "social", "leave")
    return left.evolve(commands=(*left.commands, hardly))


def with_none_before_a_question(reading: Reading, hearing: Hearing) -> Reading:
    """The reading in which there is surely none, where a clause of its own says so and a question follows: "none. who reads this?"."""
    place, language = hearing.place, hearing.language
    if not place.of_a_form or place.takes_anything or place.yes_no or not (place.none or not place.required):
        return reading
    said = list(clauses(reading.message))
    if len(said) < 2 or reading.of("inform", target="other") is not None:
        return reading
    head, rest = reading.message[said[0][0] : said[0][1]], reading.message[said[1][0] :]
    ended = (
        reading.message[said[0][1] : said[1][0]].strip()[:1] in _ENDS
    )  # "no, what do you mean?" denies what was meant
    no = language.consent(head) == "no" and ended
    none = normal(head) in place.skip_words or language.is_none(head) or language.is_skip(head) or no
    asks = language.is_question(rest) or language.asks_so_far(rest)
    if not none or not asks:
        return reading
    left = reading.without("inform", "negate", "none", "open")
    return left.evolve(commands=(*left.commands, Command(act="none", layer="learned", target=APART)))


def with_an_answer_of_its_own(reading: Reading, hearing: Hearing, exactly: _Exactly) -> Reading:
    """The reading with an answer that is all of the last sentence, behind one that asks, or all that stands before a question.

    "Why the hell do you need that. 55", "since Sunday, why do you ask?".
    """
    place, bars = hearing.place, hearing.bars
    if not place.of_a_form or place.takes_anything or place.wanted not in TYPED | {"choice"}:
        return reading
    given = reading.of("inform", target="")
    if reading.likely("ask") < bars.other or (given is not None and given.confidence >= bars.sure):
        return reading
    *before, (start, end) = clauses(reading.message)
    if not before:
        return reading
    alone = ""
    if hearing.language.is_question(reading.message[before[0][1] :].lstrip(" ,;.!:–—-")):
        alone = reading.message[slice(*before[0])]
    elif reading.message[before[-1][1] : start].strip()[:1] in (*_ENDS, "?"):
        alone = reading.message[start:end]
    told = [replace(c, layer="learned") for c in exactly(alone) if c.values]
    if not told:
        return reading
    return reading.evolve(commands=(*reading.without("inform", "social").commands, *told))


def _led_by_leaving(reading: Reading, bars: Bars) -> Reading:
    """Who begins with a word of leaving may want to leave, and says no clear yes or no: "never mind, sorted"."""
    kept = [
        at_most(c, just_below(bars.consent)) if c.act in ("affirm", "negate") and c.layer != "exact" else c
        for c in reading.commands
    ]
    if reading.likely("leave", "pause") < bars.other:
        kept.append(Command(act="leave", confidence=bars.other, layer="learned"))
    return reading.evolve(commands=tuple(kept))
