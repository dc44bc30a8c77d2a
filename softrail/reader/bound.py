"""What stands behind an answer, binds it, and is no answer: "yes but only plates", "half an hour, and please no mornings".

A yes, an option, a number or a day cannot hold it. Whoever says so is told, or asked again where remarks are asked for.
"""

import re
from bisect import bisect_left
from typing import Final

from softrail.core.reading import Reading
from softrail.reader.fields import TYPED, WORD
from softrail.reader.hearing import Hearing

_INSTEAD: Final = ("ask", "request", "repeat", "hold", "human", "leave", "pause", "correct")
_FEWEST: Final = 2  #: words of it
_MOST: Final = 14


def with_what_binds_it(reading: Reading, hearing: Hearing) -> Reading:
    """The reading with the words at the end of the message that bind its answer, and that no answer takes."""
    place, bars = hearing.place, hearing.bars
    if not place.of_a_form or place.begins or place.wanted not in (*TYPED, "choice", "bool"):
        return reading
    if reading.maybe or reading.beside or reading.likely(*_INSTEAD) >= bars.doubt:
        return reading
    values = [value for value in bars.sure_values(reading) if value.text]
    agreed = reading.of("affirm", "negate")
    consents = place.wanted == "bool" and agreed is not None and agreed.confidence >= bars.consent
    if not (consents or place.field in [value.field for value in values]):
        return reading
    told = _behind(reading.message, hearing)
    if not told or any(word in told for value in values for word in value.text.splitlines()):
        return reading
    return reading.evolve(bound=told)


def _behind(message: str, hearing: Hearing) -> str:
    """The words that bind what is said before them; "" where none do, or they ask."""
    if message.rstrip().endswith("?"):
        return ""
    begins = [word.start() for word in WORD.finditer(message)]
    for word in list(re.finditer(r"\w[\w'’]*", message))[1:]:
        if not _FEWEST <= len(begins) - bisect_left(begins, word.start()) <= _MOST:
            continue
        told = message[word.start() :].strip(" .!,;")
        if hearing.language.binds(told):
            return told[len(word[0]) :].strip() if hearing.language.adds(word[0]) else told
    return ""
