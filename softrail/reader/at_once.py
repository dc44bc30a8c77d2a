"""What a message tells of a form of which nobody has asked anything yet: "catering for 14 on Friday, max 250 euros".

It answers no question, so all fields are read at once and alike; no word counts for two of them. What is not sure is
overheard: it is put with its question.
"""

from collections.abc import Sequence
from typing import Final

from softrail.core.reading import Place, Reading, Value
from softrail.reader.closed import with_what_is_told_besides
from softrail.reader.fields import RUN
from softrail.reader.form import over_the_form
from softrail.reader.hearing import Hearing
from softrail.reader.items import with_items
from softrail.reader.learned import Marks

_PLACED: Final = 0.5  #: how likely a number must be these words, where the message has others
_NOTHING: Final = Marks(
    acts={}, start=0, end=0, value=0.0, span=0.0
)  #: no question is asked that it would answer


def told_at_once(reading: Reading, hearing: Hearing) -> Reading:
    """The reading with every value that the message gives for a field, and with what it may give besides as overheard."""
    form = over_the_form(reading.message, hearing, marks=_NOTHING, reading=False)
    read = with_items(reading.evolve(commands=(*reading.commands, *form.commands)), hearing)
    unsure = _which_number(read, hearing.place)
    read = with_what_is_told_besides(read.without_values_of([value.field for value in unsure]), hearing)
    told = {value.field for command in read.commands for value in command.values}
    may_be = {
        value.field: value for value in (*form.overheard, *form.beside, *unsure) if value.field not in told
    }
    return read.evolve(overheard=tuple(may_be.values()))


def _which_number(reading: Reading, place: Place) -> Sequence[Value]:
    """Numbers that are not surely the words that were found, where others stand in the message: "14 ppl 3 veg"."""
    fields = {field.name: field for field in place.fields() if field.wanted == "number"}
    found = []
    for value in (value for command in reading.commands for value in command.values):
        parses = fields[value.field].parses if value.field in fields else None
        if parses is not None and value.placed < _PLACED:
            numbers = {read for word in RUN.findall(reading.message) if (read := parses(word)) is not None}
            found += [value] if len(numbers) > 1 else []
    return found
