"""A number that is told by what it is made of: "me, my wife and the twins", "four by the door and three in the cellar"."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from softrail.core.reading import Bars, Command, Field, Reading, Value, at_most
from softrail.language import Language
from softrail.processes.spoken import (
    counts_things,
    is_cut,
    is_measured,
    leaves_a_number,
    leaves_open,
    more_than_one,
    number_ahead,
    tells_the_total,
    weighs_up,
)
from softrail.reader.fields import blanked, meets, places_of, question_query
from softrail.reader.hearing import Hearing
from softrail.reader.items import Marked, all_read, marked, surely
from softrail.reader.learned import Piece
from softrail.reader.ranges import SURE

_BEGUN: Final = 0.9  #: how sure it must be of every word, whether a part begins with it
_AND: Final = "+"  #: between numbers that are told one by one
_ONE: Final = 0.9  #: how sure it must be that a part counts for one


def with_what_it_comes_to(reading: Reading, hearing: Hearing) -> Reading:
    """The reading with the number that the parts of the message come to, where the model is sure which parts there are.

    A single number that was read stays. It is asked about where the model sees another one, or several, in the message;
    and so are several numbers: they may be of two cases, "seven on a good night, five on a bad one".
    """
    place, bars, language = hearing.place, hearing.bars, hearing.language
    field, message = place.open_field(), reading.message
    if field is None or field.wanted != "number" or field.parses is None:
        return reading
    if leaves_open(message, language.code) and not field.reads(message):
        return reading  # who reads numbers asks which it is
    if tells_the_total(message, field.question, language.code) and _answered(
        reading.of("inform", target=""), field
    ):
        return _with(reading, Value(field=field.name, text=message, confidence=SURE), ())
    if place.begins and not (field.reads(message) or field.may_read(message)):
        return reading  # nobody has asked how many: "storm damage" is no one of anything
    if weighs_up(message, language.code) or not any(map(str.isalpha, message)):
        return reading
    pieces = hearing.marker.items(message, question_query(field))
    if not all_read(message, pieces):
        return reading
    parts = [*marked(message, pieces)]
    if any(is_cut(message, *part.span, language.code) for part in parts):
        return reading
    others = [
        v.text
        for c in reading.commands
        for v in c.values
        if v.field != field.name and v.confidence >= bars.inform
    ]
    if parts and all(meets(part.span, places_of(others, message)) for part in parts):
        return reading  # "the harbour room" is no night
    if parts and _leaves_another(parts, message, others, field, language):
        return _with(reading, Value(field=field.name, text=message, confidence=SURE), ())
    many = [_many(part, field, language) for part in parts]
    text = _told(message, parts, many, field) if surely_begun(pieces) else None
    was = reading.of("inform", target="")
    read = _answered(was, field)
    if text is not None and (read is None or len(parts) > 1):
        counts = len(parts) > 1 or field.reads(parts[0].text) or reading.likely("inform") >= bars.doubt
        likely = (
            SURE if counts else bars.doubt
        )  # "it was the wind" hardly answers how many: whether it is 1, is asked
        return _with(reading, Value(field=field.name, text=text, confidence=SURE), parts, likely=likely)
    if read is None or not parts:
        return reading
    if len(parts) > 1:
        either = _either(many, field)
        if either is not None:
            return _with(reading, replace(read, text=either), parts)
    elif many[0] in (None, field.parses(read.text)):
        return reading
    return _doubted(reading, was, bars)


def _leaves_another(
    parts: Sequence[Marked], message: str, others: Sequence[str], field: Field, language: Language
) -> bool:
    """Another number stands by itself beside them, and is no other answer's: "in the morning 8 but when I lie down 4".

    A length or an amount of money is one wherever it stands: "a fortnight I'd say, maybe three weeks".
    """
    rest = blanked(message, [*(part.span for part in parts), *places_of(others, message)])
    if field.parses is None or not field.may_read(message):
        return False
    other = field.parses(rest)
    if isinstance(other, (int, float, Decimal)) and not leaves_a_number(rest, language.code):
        return False
    alone = field.parses(parts[0].text) if len(parts) == 1 else Decimal(0)
    return other is not None and alone is not None and other != alone


def _answered(answer: Command | None, field: Field) -> Value | None:
    """The number that was read as the answer."""
    values = answer.values if answer is not None else ()
    return next((v for v in values if v.field == field.name and field.reads(v.text)), None)


def _doubted(reading: Reading, answer: Command | None, bars: Bars) -> Reading:
    """The reading with its answer asked about."""
    doubted = [at_most(c, bars.doubt) if c is answer else c for c in reading.commands]
    return reading.evolve(commands=tuple(doubted))


def _with(reading: Reading, value: Value, parts: Sequence[Marked], *, likely: float = SURE) -> Reading:
    """The reading with that value alone for its answer, and no question where the words of the parts may belong."""
    spans, left = [part.span for part in parts], reading.without_values_of([value.field])
    kept = [c for c in left.commands if c.values or c.act not in ("inform", "open", "none")]
    inform = Command(act="inform", confidence=likely, layer="learned", values=(value,))
    maybe = tuple(
        v for v in left.maybe if not any(meets(at, spans) for at in places_of([v.text], left.message))
    )
    return left.evolve(commands=(*kept, inform), maybe=maybe)


def _told(message: str, parts: Sequence[Marked], many: Sequence[Decimal | None], field: Field) -> str | None:
    """What they come to, or the words of a single one; None where one of them is no number that is known."""
    if len(parts) == 1 and field.reads(parts[0].text):
        return parts[0].text
    known = [one for one in many if one is not None]
    if not known or len(known) < len(many):
        return None
    if len(known) > 1 and all(part.one < _ONE for part in parts):
        # Who reads numbers asks which of them is meant, with what they come to.
        return None if field.reads(message) else message
    text = f"{sum(known, Decimal(0)):f}"
    return text if field.reads(text) else None


def _either(many: Sequence[Decimal | None], field: Field) -> str | None:
    """Those numbers in words of which it is asked which is meant, with what they come to; None where that cannot be."""
    text = f" {_AND} ".join(f"{one:f}" for one in many if one is not None)
    return text if text and None not in many and not field.reads(text) else None


def _many(part: Marked, field: Field, language: Language) -> Decimal | None:
    """How many a part counts; None where that is not known, or the model and the words do not agree."""
    more = more_than_one(part.text, language.code)
    number = field.parses(part.text) if field.parses is not None else None
    measured = is_measured(part.text, language.code)
    measured = measured or counts_things(part.text, field.question, language.code)
    if number is None and not (field.may_read(part.text) or measured):
        number = number_ahead(part.text, language.code)
    if number is not None and more is not None:
        return None  # "two couples"
    number = number if number is not None else more
    if part.one >= _ONE:
        return Decimal(1) if number in (None, 1) else None
    return Decimal(str(number)) if isinstance(number, (int, float, Decimal)) else None


def surely_begun(pieces: Sequence[Piece]) -> bool:
    """The model is sure of every word whether a part begins with it."""
    return min(surely(piece.begins) for piece in pieces) >= _BEGUN
