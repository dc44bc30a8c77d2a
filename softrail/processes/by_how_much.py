"""The new number of an answer that was told by how far it is from the one before."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from softrail.core.questions import Option
from softrail.processes.definition import FieldDefinition
from softrail.processes.readers import Reading
from softrail.processes.spoken import Money, Moved, length_in_units, length_in_words, moved, times_in
from softrail.processes.spoken.numbers import either_number
from softrail.processes.spoken.said import plain
from softrail.processes.telling import typed
from softrail.processes.unread import Unread


def says_how(asked: FieldDefinition, words: str, message: str, old: Any, reading: Reading) -> Moved | None:
    """How the words move the number that was there; None where they do not, or none was there.

    `words` stand in the message; where they are none, or stand elsewhere, they are looked at by themselves.
    """
    if asked.reader.own or asked.reader.kind != "number" or not _is_number(typed(asked, old)):
        return None
    at = message.find(words) if words else 0
    whole, start, end = (message, at, at + len(words)) if at >= 0 else (words, 0, len(words))
    return moved(whole, start, end, reading.locale, question=reading.question)


def moved_on(asked: FieldDefinition, words: str, how: Moved, old: Any, reading: Reading) -> Any:
    """The new value. Raises Unread with both readings where what is said may as well be the number itself."""
    was = typed(asked, old)
    if how.by == 0:
        return _as(asked, was, _times(was, how.times))
    said = _read(asked, words, reading)
    new = _as(asked, was, _added(was, said, how.by))
    if how.sure:
        return new
    raise either_number(_option(new), _option(said))


def plain_or_times(asked: FieldDefinition, words: str, message: str, value: Any, reading: Reading) -> Any:
    """The value, unless the message has words by which it may be the value so many times: "this time double"."""
    times = times_in(message, reading.locale) if words in message and asked.reader.kind == "number" else None
    if times is None or not _is_number(value):
        return value
    raise either_number(_option(_as(asked, value, _times(value, times))), _option(value))


def _read(asked: FieldDefinition, words: str, reading: Reading) -> Any:
    """What is said, and no less than nothing."""
    said = asked.reader.read(words, reading)
    return said if isinstance(said, Money) else abs(said)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal | timedelta | Money) and not isinstance(value, bool)


def _added(was: Any, said: Any, by: int) -> Any:
    if isinstance(was, Money):
        if was.currency != said.currency:
            raise Unread("no_money")
        return Money(amount=was.amount + by * said.amount, currency=was.currency)
    if isinstance(was, timedelta):
        return was + by * said
    return Decimal(str(was)) + by * Decimal(str(said))


def _times(was: Any, times: Decimal) -> Any:
    if isinstance(was, Money):
        return Money(amount=Decimal(plain(was.amount * times)), currency=was.currency)
    return was * float(times) if isinstance(was, timedelta) else Decimal(plain(Decimal(str(was)) * times))


def _as(asked: FieldDefinition, was: Any, new: Any) -> Any:
    """As a value of the type that it was."""
    if not isinstance(was, int | float):
        return new
    if isinstance(was, int) and new != new.to_integral_value():
        raise Unread("whole_number")
    return type(was)(new)


def _option(value: Any) -> Option:
    if isinstance(value, timedelta):
        return Option(label=length_in_words(value), value=length_in_units(value))
    return Option(label=str(value) if isinstance(value, Money) else plain(Decimal(str(value))))
