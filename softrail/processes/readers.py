"""Turns a person's words into the value a field wants, by the field's type."""

import enum
import re
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import AnyUrl, EmailStr, HttpUrl

from softrail.core.attachments import Attachment
from softrail.core.questions import Option
from softrail.core.turns import Turn
from softrail.language import Language, choose, choose_several, items, language, options_named
from softrail.processes.spoken import (
    Money,
    asks_how_many,
    counts_otherwise,
    read_day,
    read_in_units,
    read_length,
    read_moment,
    read_money,
    read_number,
    read_time,
    refuse_rates,
    refuse_things,
    tells_a_time,
    unit_asked_for,
)
from softrail.processes.unread import Unread

_KEPT = 1024  #: questions of which it is known still what they ask for
_T = TypeVar("_T")
Kind = Literal["text", "list", "consent", "number", "date", "time", "options", "file", "own"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """What a reader may look at besides the words themselves."""

    language: Language
    locale: str
    today: date
    turn: Turn
    past: bool = False  #: it is asked when something was
    after: date | None = None  #: the first day that can be meant
    month: date | None = None  #: the month that the number of a day alone is of
    given: date | None = None  #: the day, or the moment, that is put right
    begun: str = ""  #: what was told already of a value that was not all there: the day of a moment
    currency: str = ""  #: the one of the amount that is put right
    unit: str | None = None  #: the unit of time that the question counts: "How many minutes?"
    counts: bool = False  #: the question asks how many there are
    takes_end: bool = False  #: of what is told from one to another, the end that is asked for is the answer
    question: str = ""  #: what is asked, and the name of the field: an age or an address may be

    @classmethod
    def of(cls, turn: Turn) -> "Reading":
        """As it is for this turn: the person's language, and their day when they said it."""
        person = turn.person
        return cls(
            language=language(person.locale),
            locale=person.locale,
            today=turn.at.astimezone(person.zone).date(),
            turn=turn,
        )

    def asked(self, question: str, name: str, label: str = "") -> "Reading":
        """As it is for the answer to a question: of the past or of what is to come, a count, and in which unit.

        The label of the answer may say the unit, too: “Distance in km”.
        """
        past, unit, counts = _asked(question, name, label, self.locale)
        told = f"{question} {name.replace('_', ' ')}"
        return replace(self, past=past, unit=unit, counts=counts, question=told)


@dataclass(frozen=True, kw_only=True, slots=True)
class Reader:
    """How the words for one field are read."""

    kind: Kind
    read: Callable[[str, Reading], Any]
    options: tuple[Option, ...] = ()
    own: bool = False  #: written by the author: runs under the limits of plugin code
    leaves: Callable[[str, Reading], bool] | None = (
        None  #: words say more than the value holds: a time beside a day
    )

    @property
    def chooses_several(self) -> bool:
        """It reads a list, and the items are options."""
        return self.kind == "list" and bool(self.options)


@lru_cache(_KEPT)
def _asked(question: str, name: str, label: str, locale: str) -> tuple[bool, str | None, bool]:
    """Whether a question is for what has been, the unit that it counts, and whether it counts; asked on every turn."""
    past = asks_for_the_past(question, language(locale))
    unit = unit_asked_for(f"{question} {label}".strip(), name, locale)
    return past, unit, asks_how_many(question, locale)


def asks_for_the_past(question: str, known: Language) -> bool:
    """The question is for a day that has been: "Since when?", "When did it happen?"."""
    asks = known.asks_for(question)
    return "has_been" in asks or ("may_have_been" in asks and "is_to_be" not in asks)


def reader_for(annotation: Any, options: tuple[Option, ...] = ()) -> Reader | None:
    """The reader of a type; None when no reader knows it."""
    plain = _without_none(annotation)
    if plain is Attachment:
        return None if options else Reader(kind="file", read=_no_file)
    if plain is bool and not options:
        return Reader(kind="consent", read=_consent)
    if get_origin(plain) is list and len(get_args(plain)) == 1:
        return _reader_of_list(get_args(plain)[0], options)
    values = _values(plain)
    if values is not None:
        offered = options or tuple(_option(v) for v in values)
        by_value = {key_of(v): v for v in values}
        if any(o.means not in by_value for o in offered):
            return None
        return Reader(kind="options", read=_choosing(offered, by_value), options=offered)
    if options:
        inner = _scalar(plain)
        if inner is None:
            return None
        return Reader(kind="options", read=_choosing(options, None, inner), options=options)
    scalar = _scalar(plain)
    if scalar is None:
        return None
    return Reader(kind=_kind(plain), read=scalar, leaves=_leaves(scalar))


def _reader_of_list(item: Any, options: tuple[Option, ...]) -> Reader | None:
    """The reader of a list: of several options where its items have some, else of what is said."""
    plain = _without_none(item)
    if options or _values(plain) is not None:
        one = reader_for(plain, options)
        return one and Reader(kind="list", read=_choosing_several(one), options=one.options)
    each = _scalar(plain)
    return Reader(kind="list", read=_listing(each), leaves=_leaves(each)) if each else None


def _leaves(read: Callable[[str, Reading], Any]) -> Callable[[str, Reading], bool] | None:
    return _told_a_time if read is _DAY else None


def _told_a_time(message: str, reading: Reading) -> bool:
    return tells_a_time(message, reading.locale)


def _kind(annotation: Any) -> Kind:
    if annotation is time:
        return "time"
    if _is(annotation, date):  # a datetime is one
        return "date"
    return "number" if annotation in (float, Decimal, timedelta, Money) or _is(annotation, int) else "text"


def _without_none(annotation: Any) -> Any:
    if get_origin(annotation) in (Union, types.UnionType):
        rest = [a for a in get_args(annotation) if a is not type(None)]
        if len(rest) == 1:
            return _without_none(rest[0])
    if hasattr(annotation, "__metadata__"):  # Annotated[T, …]
        return _without_none(annotation.__origin__)
    return annotation


def _is(annotation: Any, kind: type) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, kind)


def _values(annotation: Any) -> list[Any] | None:
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    if _is(annotation, enum.Enum):
        return list(annotation)
    return None


def key_of(value: Any) -> str:
    """What the option of a value is known by, a member of an Enum by its own value."""
    return str(value.value) if isinstance(value, enum.Enum) else str(value)


def _option(value: Any) -> Option:
    """The option for one value of a Literal or an Enum; an Enum is chosen by its name, too."""
    key = key_of(value)
    if isinstance(value, enum.Enum):
        named = value.name.replace("_", " ").capitalize()
        label = key.replace("_", " ") if isinstance(value.value, str) else named
        return Option(label=label, value=key, words=() if named.lower() == label.lower() else (named,))
    label = key.replace("_", " ")
    return Option(label=label, value=key)


def _scalar(annotation: Any) -> Callable[[str, Reading], Any] | None:
    if _is(annotation, enum.Enum) or annotation is bool:
        return None
    if _is(annotation, str):
        return _text
    if _is(annotation, int):
        return _whole
    if annotation is float:
        return lambda message, reading: float(_number(message, reading))
    if annotation is Decimal:
        return _number
    if _is(annotation, datetime):
        return _moment
    if _is(annotation, date):
        return _DAY
    return _OTHERS.get(annotation) if isinstance(annotation, type) else None


def _no_file(message: str, reading: Reading) -> Any:
    raise Unread("file_wanted")


def _day(message: str, reading: Reading) -> date:
    return read_day(
        message,
        reading.today,
        reading.locale,
        past=reading.past,
        after=reading.after,
        month=reading.month,
        week=reading.given,
        lasts="day_back" in reading.language.asks_for(reading.question),
        question=reading.question,
    )


def _at_end(read: Callable[[str, Reading], Any]) -> Callable[[str, Reading], Any]:
    """The end that is asked for of what is told from one to another: "Until when?" - "from two to four"."""

    def of_both(message: str, reading: Reading) -> Any:
        try:
            return read(message, reading)
        except Unread as unread:
            if unread.ends is None or not reading.takes_end:
                raise
            asks = reading.language.asks_for(reading.question)
            first, last = "day_begins" in asks, "day_ends" in asks
            if first == last:
                raise
            return unread.ends[1 if last else 0]

    return of_both


def _moment(message: str, reading: Reading) -> datetime:
    def read(words: str) -> datetime:
        return read_moment(
            words,
            reading.turn.at.astimezone(reading.turn.person.zone),
            reading.locale,
            past=reading.past,
            given=reading.given,
            question=reading.question,
        )

    return _with_what_is_begun(read, message, reading, "no_moment")


def _money(message: str, reading: Reading) -> Money:
    def read(words: str) -> Money:
        return read_money(words, reading.locale, question=reading.question, currency=reading.currency)

    return _with_what_is_begun(read, message, reading, "no_money")


def _length(message: str, reading: Reading) -> timedelta:
    def read(words: str) -> timedelta:
        try:
            return read_length(words, reading.locale, question=reading.question)
        except Unread as unread:
            if unread.sentence != "no_length":
                raise
            return _length_without_unit(words, reading)

    return _with_what_is_begun(read, message, reading, "no_length")


def _length_without_unit(words: str, reading: Reading) -> timedelta:
    """The number alone, of the unit that is asked for; where none is, it is begun."""
    try:
        number = read_number(words, reading.locale, question=reading.question)
    except Unread as unread:
        if reading.unit is not None and unread.either:
            raise
        raise Unread("no_length") from None
    if reading.unit is None:
        raise Unread("no_unit", begun=f"{number:f}", number=f"{number:f}")
    return read_length(f"{number:f} {reading.unit}", reading.locale)


def _with_what_is_begun(read: Callable[[str], _T], message: str, reading: Reading, lacking: str) -> _T:
    """What is read of the message, or else of it behind what was told of the value before."""
    try:
        return read(message)
    except Unread as unread:
        if unread.sentence != lacking or not reading.begun:
            raise
        return read(f"{reading.begun} {message}")


def _address(message: str, reading: Reading) -> str:
    found = _ADDRESS.search(message)
    if found is None:
        raise Unread("no_address")
    return found[0].rstrip(".")


def _link(message: str, reading: Reading) -> AnyUrl:
    found = _LINK.search(message)
    if found is None:
        raise Unread("no_link")
    link = found[0].rstrip(".,;:!?)")
    try:
        return AnyUrl(link if "://" in link else f"https://{link}")
    except ValueError:
        raise Unread("no_link") from None


_ADDRESS = re.compile(r"[^\s@<>(),;:\"“”]+@[^\s@<>(),;:\"“”]+\.[^\s@<>(),;:\"“”]+")
_LINK = re.compile(
    r"(?:https?://|www\.)\S+|(?<![\w@.])[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:/\S*)?", re.IGNORECASE
)
_DAY = _at_end(_day)
_OTHERS: Mapping[Any, Callable[[str, Reading], Any]] = {
    time: _at_end(lambda message, reading: read_time(message, reading.locale, question=reading.question)),
    timedelta: _length,
    Money: _money,
    EmailStr: _address,
    AnyUrl: _link,
    HttpUrl: _link,
}


def _text(message: str, reading: Reading) -> str:
    text = message.strip()
    if not text:
        raise Unread("empty")
    return text


def _number(message: str, reading: Reading) -> Decimal:
    """The number, counted in the unit that is asked for: "an hour" is 60 minutes."""
    known, asked = reading.locale, reading.question
    refuse_rates(message, known, question=asked)
    counted = (
        read_in_units(message, reading.unit, known, question=asked) if reading.unit is not None else None
    )
    if counted is not None:
        return counted
    if reading.unit is not None and counts_otherwise(message, reading.unit, known):
        raise Unread("other_unit", unit=reading.unit)
    if reading.unit is not None:
        refuse_things(message, reading.unit, known, question=asked)
    return read_number(message, known, question=asked)


def _whole(message: str, reading: Reading) -> int:
    number = _number(message, reading)
    if number == number.to_integral_value():
        return int(number)
    if reading.unit is None:
        raise Unread("whole_number")
    near = Option(label=f"{round(number)}")  # "five miles" are 8.05 kilometres
    raise Unread("nearly", either=[near], value=near.label, exact=f"{number:.2f}", unit=reading.unit)


def _consent(message: str, reading: Reading) -> bool:
    said = reading.language.consent(message)
    if said not in ("yes", "no"):
        raise Unread("yes_or_no")
    return said == "yes"


def _listing(each: Callable[[str, Reading], Any]) -> Callable[[str, Reading], list[Any]]:
    def read(message: str, reading: Reading) -> list[Any]:
        return [each(item, reading) for item in items(message, reading.language)]

    return read


def _choosing_several(one: Reader) -> Callable[[str, Reading], list[Any]]:
    def read(message: str, reading: Reading) -> list[Any]:
        chosen = choose_several(message, one.options, language=reading.language, asks=reading.question)
        if chosen is None:
            raise some_options(options_named(message, one.options, language=reading.language), one.options)
        return [one.read(option.means, reading) for option in chosen]

    return read


def some_options(named: Sequence[Option], options: Sequence[Option]) -> Unread:
    """Why a message chooses nothing: none of it is an option, or not all of it."""
    labels = ", ".join(option.label for option in options)
    if not named:
        return Unread("no_option", options=labels)
    some = Option(label="; ".join(option.label for option in named))
    return Unread("some_options", either=[some], value=some.label, options=labels)


def _choosing(
    options: tuple[Option, ...],
    by_value: dict[str, Any] | None,
    inner: Callable[[str, Reading], Any] | None = None,
) -> Callable[[str, Reading], Any]:
    def read(message: str, reading: Reading) -> Any:
        chosen = choose(message, options, language=reading.language)
        if chosen is None:
            raise Unread("no_option", options=", ".join(o.label for o in options))
        value = chosen.value if chosen.value is not None else chosen.label
        if by_value is not None:
            return by_value[value]
        return inner(value, reading) if inner is not None else value

    return read
