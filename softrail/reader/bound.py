"""What stands behind an answer and is no answer: "yes but only plates" binds it, "yes, and tell her I am late" is for another.

A yes, an option, a number or a day cannot hold it. Whoever says so is told, or asked again where remarks are asked for.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from softrail.core.reading import Reading
from softrail.reader.fields import TYPED, WORD
from softrail.reader.hearing import Hearing

_INSTEAD: Final = ("repeat", "hold", "leave", "pause", "correct")
_WISHES: Final = ("ask", "request", "human")  #: what is to be passed on is read so, too
_FEWEST: Final = 2  #: words of it
_MOST: Final = 14


def with_what_binds_it(reading: Reading, hearing: Hearing) -> Reading:
    """The reading with the words at the end of the message that bind its answer, and that no answer takes."""
    place, bars = hearing.place, hearing.bars
    if not place.of_a_form or place.begins or place.wanted not in (*TYPED, "choice", "bool"):
        return reading
    if reading.maybe or reading.beside or reading.likely(*_INSTEAD) >= bars.doubt:
        return reading
    passed = _passed_on(reading.message, hearing)
    if not passed and reading.likely(*_WISHES) >= bars.doubt:
        return reading
    values = [value for value in bars.sure_values(reading) if value.text]
    agreed = reading.of("affirm", "negate")
    consents = place.wanted == "bool" and agreed is not None and agreed.confidence >= bars.consent
    if not (consents or place.field in [value.field for value in values]):
        return reading
    told = passed or _behind(reading.message, hearing)
    if not told or any(word in told for value in values for word in value.text.splitlines()):
        return reading
    kept = [c for c in reading.commands if not (passed and c.act in _WISHES and c.layer == "learned")]
    return reading.evolve(commands=tuple(kept), bound=told)


def _passed_on(message: str, hearing: Hearing) -> str:
    """What somebody else is to be told, behind the answer."""
    return next((told for _, end in _ends(message) if (told := hearing.language.to_pass_on(end))), "")


def _behind(message: str, hearing: Hearing) -> str:
    """The words that bind what is said before them; "" where none do."""
    for word, told in _ends(message):
        if hearing.language.binds(told):
            return told[len(word) :].strip() if hearing.language.adds(word) else told
    return ""


def _ends(message: str) -> Iterator[tuple[str, str]]:
    """Each end of the message that may be said besides, with its first word; none where it asks."""
    if message.rstrip().endswith("?"):
        return
    begins = [word.start() for word in WORD.finditer(message)]
    for word in list(re.finditer(r"\w[\w'’]*", message))[1:]:
        if _FEWEST <= len(begins) - bisect_left(begins, word.start()) <= _MOST:
            yield word[0], message[word.start() :].strip(" .!,;")
