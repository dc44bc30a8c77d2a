"""A new value that is told by how far it is from the old one: "a day earlier", "one tape less"."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from re import finditer
from typing import Final

from softrail.core.reading import APART, Command, Field, Value
from softrail.language import Language, normal
from softrail.processes.spoken import asks_how_many, in_digits, read_length
from softrail.processes.unread import Unread
from softrail.processes.words import words as words_of
from softrail.reader.changes.numbers import is_number
from softrail.reader.changes.spoken_of import likeness, spoken_of
from softrail.reader.clauses import clauses
from softrail.reader.fields import is_named, open_query, spaced
from softrail.reader.hearing import Hearing
from softrail.reader.ranges import SURE, Parted
from softrail.reader.so_long import lasts_so_long

_MOST: Final = 4  #: words that say by how much
_DAY: Final = timedelta(days=1)
_FAR: Final = timedelta(days=365)  #: from any day on, to which a time of day moves


def by_how_much(message: str, hearing: Hearing) -> Parted | None:
    """The change that is told so; None where it is not clear of which answer, or nothing changes."""
    place, bars, language = hearing.place, hearing.bars, hearing.language
    if place.own or place.offer:
        return None
    given = [f for f in place.fields() if f.given and f.present and f.wanted != place.wanted]
    for start, end in clauses(message):
        for kind, by, thing in _moves(message[start:end], language):
            counts = [f for f in given if not thing or f.wanted != kind or _counts(f, thing, language)]
            field = _meant(message, message[start:end], kind, counts, language)
            changes = (
                hearing.marker.mark(message, [open_query(place)])[0].acts.get("correct", 0.0)
                if field
                else 0.0
            )
            if field is None or changes < bars.doubt:
                continue
            text = _moved(field, by) if field.wanted == kind else ""  # "one size up": it is asked which
            rest = f"{message[:start]} {message[end:]}".strip(" \t\n,;.!?-–—")
            if text is None or field.refuses(text) or _says(rest, text, field):
                continue
            value = Value(field=field.name, text=text, confidence=SURE, placed=float(changes >= bars.correct))
            told = Command(act="correct", confidence=SURE, layer="learned", target=APART, values=(value,))
            return Parted(message=rest, told=(told,), fields=frozenset({field.name}))
    return None


def _meant(message: str, clause: str, kind: str, given: Sequence[Field], language: Language) -> Field | None:
    """The answer of that kind that moves, or what is counted, where that is the name of another one."""
    counted = [f for f in given if f.options and is_named(f, clause)] if kind == "number" else []
    fields = counted or [f for f in given if f.wanted == kind]
    named = [f for f in fields if is_named(f, message)] or fields
    meant = named if len(named) == 1 else spoken_of(message, fields, language)
    lasts = [f for f in given if kind != "number" and lasts_so_long(f)]  # "the session an hour longer"
    if len(meant) != 1 or (lasts and spoken_of(message, [*meant, *lasts], language)[:1] != meant):
        return None
    return meant[0]


def _counts(field: Field, thing: str, language: Language) -> bool:
    """Such things are what the answer counts: "one more pupil" is, and "one more thing" is none."""
    if asks_how_many(field.question, language.code):
        return likeness(thing, [field], language)[field.name] > 0
    head = spaced(field.label or field.name).rpartition(" ")[2]  # a "driver's age" counts no drivers
    return language.is_plural(thing, head) or language.is_plural(head, thing)


def _says(rest: str, text: str, field: Field) -> bool:
    """The rest has the new value itself: "an hour earlier would be better, so nine"."""
    if field.parses is None or (said := field.parses(rest)) is None:
        return False
    return bool(said == field.parses(text))


def _moves(clause: str, language: Language) -> Iterator[tuple[str, timedelta | Decimal, str]]:
    """By how much something moves, of which kind that is, of "a week later" a day, and what is counted, of "one more pupil" pupils."""
    words = [normal(word.group()) for word in finditer(r"\w+", clause)]
    for at, word in enumerate(words):
        way = language.moves(word)
        if not way or not at or language.negates(words[at - 1]):
            continue  # "300 or more", "no more"
        before = [words[first:at] for first in range(max(0, at - _MOST), at)]
        length = next(
            (one for said in (*before, ["1", words[at - 1]]) if (one := _length(said, language))), None
        )
        if length is not None:
            yield "date" if length % _DAY == timedelta() else "time", way * length, ""
        elif word in words_of(language.code)["kinds"]["beside"]:
            continue  # "not that Friday, the one after"
        elif counts := [n for one in before[-2:] if (n := in_digits(one[0], language.code)).isdecimal()]:
            together = _of_more(words[at - 1 : at + 2], language)
            yield (
                "number",
                way * Decimal(together or counts[-1]),
                _thing(words, at + bool(together), language),
            )


def _thing(words: Sequence[str], at: int, language: Language) -> str:
    """What is counted, before the word that says in which direction or behind it: "one tape less", "one more tape"; else ""."""
    before, behind = words[at - 1], words[at + 1] if at + 1 < len(words) else ""
    if not (is_number(before, language) or language.moves(before) or language.is_choosing_word(before)):
        return before
    return "" if language.ends(behind) or language.moves(behind) else behind


def _of_more(said: Sequence[str], language: Language) -> str:
    """The number that they are together, where they are one: "one more hundred"; else ""."""
    together = in_digits(" ".join(said), language.code).split()
    return together[-1] if len(together) < len(said) and together[-1].isdecimal() else ""


def _length(said: Sequence[str], language: Language) -> timedelta | None:
    """So long in units that are always as long: a month later is no 30 days later."""
    if not words_of(language.code)["values"]["span"].keys().isdisjoint(said):
        return None
    try:
        return read_length(" ".join(said), language.code)
    except Unread:
        return None


def _moved(field: Field, by: timedelta | Decimal) -> str | None:
    """The old value, so much further; None where it is no plain number, day or time, or there is none so far off."""
    present = field.present or ""
    try:
        if isinstance(by, Decimal):
            moved = Decimal(present) + by
            return f"{moved:f}" if moved >= 0 else None
        if field.wanted == "date":
            return (date.fromisoformat(present) + by).isoformat()
        at = datetime.combine(date.min + _FAR, time.fromisoformat(present)) + by
    except (ValueError, ArithmeticError):
        return None
    return f"{at:%I:%M %p}"
