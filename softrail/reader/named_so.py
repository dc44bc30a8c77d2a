"""A name with what it is behind it: "Nettle: recipe costing", "Gull's Nest (a holiday flat manager)", "Toolshed, tool lending for streets".

Names have such marks in them, too ("Dune: Part Two"), and what stands behind may answer more than one question to come. Where
that is not surely read it is asked where it belongs.
"""

import re
from dataclasses import replace
from typing import Final

from softrail.core.reading import Reading
from softrail.reader.fields import WORD, is_for_a_name
from softrail.reader.hearing import Hearing
from softrail.reader.told_elsewhere import likely_for

_APART: Final = re.compile(r"^(?P<name>[^:,(–—]+?)\s*(?::\s+|,\s+|\s[-–—]\s|\s\()(?P<what>[^()]+)\)?[.!]?$")
_NAME: Final = 4  #: words of a name
_FEWEST: Final = 2  #: words that say what something is
_SURE: Final = 0.9  #: how likely they must answer another question, alone
_READ: Final = 0.9  #: from here on it is read for sure


def with_what_is_named_so(reading: Reading, hearing: Hearing) -> Reading:
    """The reading of a name in which it is asked where the words behind it belong, if they would answer a question to come."""
    place, bars, language = hearing.place, hearing.bars, hearing.language
    asked, given = place.open_field(), reading.of("inform", target="")
    if not place.of_a_form or place.wanted != "text" or asked is None or given is None or not given.values:
        return reading
    if not (is_for_a_name(asked, language) or language.asks_for_a_name(asked.question)):
        return reading
    apart = _APART.match(reading.message.strip())
    if apart is None or reading.maybe or reading.beside or given.confidence < bars.inform:
        return reading
    name, what = apart["name"].strip(), apart["what"].strip()
    if len(WORD.findall(what)) < _FEWEST or len(WORD.findall(name)) > _NAME:
        return reading
    told = [v for c in reading.commands if c.act == "inform" and c.target == "other" for v in c.values]
    whole = what in given.values[0].text
    if not whole and any(value.confidence >= _READ for value in told):
        return reading
    found = likely_for(what, hearing, value=_SURE, inform=_SURE, wanted=("text",))
    if not found and not told and not whole and ":" in apart[0]:  # "Dune: Part Two"
        value = replace(given.values[0], text=apart[0].strip(" .!"))
        return reading.with_other(given, replace(given, values=(value,)))
    if not found or (told and {v.field for v in told} == {v.field for v in found}):
        return reading
    left = reading.without_values_of([value.field for value in told])
    text = name if whole else given.values[0].text
    value = replace(given.values[0], text=text)
    return left.with_other(given, replace(given, values=(value,))).evolve(beside=found, overheard=())
