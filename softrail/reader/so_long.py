"""A length of time that nobody asked for: "ten days" may say how long something takes, or since when it has been so."""

from typing import Final

from softrail.core.reading import Field, Place
from softrail.language import Language
from softrail.reader.changes.spoken_of import likeness
from softrail.reader.fields import TYPED

_WEEK: Final = ("1 week", "7 days")  #: the same, to who asks for a length


def lasts_so_long(field: Field) -> bool:
    """It is asked how long something is, and not how old: a week is as much as seven days to it."""
    if field.wanted != "number" or field.parses is None:
        return False
    week, days = map(field.parses, _WEEK)
    return week is not None and bool(week == days)


def other_of_a_length(
    words: str, length: Field, message: str, place: Place, language: Language
) -> Field | None:
    """The answer of which such words may be as well, the open one first; None where nothing else reads them, or that one is spoken of."""
    if likeness(message, [length], language)[length.name]:
        return None
    fields = sorted(place.fields(), key=lambda field: field.name != place.field)
    may_be = (f for f in fields if f.wanted in TYPED and f.wanted != length.wanted)
    return next((field for field in may_be if field.reads(words)), None)
