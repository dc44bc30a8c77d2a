"""What of an old answer stays, where the new words leave it out: the half of the day, the rest of a name."""

from dataclasses import replace
from datetime import time
from re import finditer
from typing import Final

from softrail.core.reading import Field, Reading, Value
from softrail.language import Language
from softrail.language.slips import slips
from softrail.reader.changes.parts import Run, halves_of_the_day, is_shaped_like, runs, tells
from softrail.reader.fields import is_named, is_there, is_typed
from softrail.reader.hearing import Hearing

_HOURS: Final = 3  #: which a time moves at most where nobody says which half of the day it is
_SLIPS: Final = 2  #: letters in which a word differs from the one that it puts right


def with_what_was(reading: Reading, hearing: Hearing) -> Reading:
    """The reading with new values as wholes; where a part says no more than is there, it is asked about."""
    place, language = hearing.place, hearing.language
    fields = {field.name: field for field in place.fields() if field.given and field.present}
    if place.own or not any(c.act == "correct" for c in reading.commands):
        return reading

    changed = {v.field: v.text for c in reading.commands if c.act == "correct" for v in c.values}
    stays = {name for name, text in changed.items() if name in fields and _is_there(fields[name], text)}

    def whole(value: Value) -> Value:
        value = replace(value, rivals=tuple(map(whole, value.rivals))) if value.rivals else value
        field = fields.get(value.field)
        if field is None or not value.text:
            return value
        if stays and value.field not in stays and is_typed(field) and not is_named(field, reading.message):
            value = replace(value, placed=0.0)  # "you wrote 3 December, I told the 4!!" is no other number
        if field.wanted == "time":
            return replace(value, text=_in_the_same_half(field, value.text, language))
        return _respelled(value, field, language) if field.wanted == "text" and not field.options else value

    return reading.evolve(
        commands=tuple(c.with_each(whole) if c.act == "correct" else c for c in reading.commands)
    )


def _in_the_same_half(field: Field, text: str, language: Language) -> str:
    """Of "ten past five": it is in the afternoon where half past five was; as it was said where that is far from both."""
    if field.parses is None or not _is_of_either_half(field, text, language):
        return text
    was = _clock(field.present or "")
    halves = halves_of_the_day(language)
    if was is None:
        return text
    for end in (word.end() for word in reversed([*finditer(r"\w+", text)])):
        said = {one: field.parses(one) for half in halves if (one := f"{text[:end]} {half}{text[end:]}")}
        if read := {one: value for one, value in said.items() if isinstance(value, time)}:
            near = [one for one, at in read.items() if abs(_minutes(at) - _minutes(was)) <= 60 * _HOURS]
            return near[0] if len(near) == 1 else text
    return text


def _is_of_either_half(field: Field, text: str, language: Language) -> bool:
    """No half of the day is told in it, whichever it would be read as alone."""
    if field.parses is None or not field.reads(text):
        return field.may_read(text)
    halves = halves_of_the_day(language)
    told = {str(at) for half in halves if (at := field.parses(f"{text} {half}")) is not None}
    return len(told) == len(halves)


def _is_there(field: Field, text: str) -> bool:
    """What was read is what there was: it is said once more."""
    return is_typed(field) and field.parses is not None and is_there(field, text)


def _clock(present: str) -> time | None:
    try:
        return time.fromisoformat(present)
    except ValueError:
        return None


def _minutes(at: time) -> int:
    return 60 * at.hour + at.minute


def _respelled(value: Value, field: Field, language: Language) -> Value:
    """One word that puts one of several right is in the place of that; one that was there already is no change."""
    was = [run for run in runs(field.present or "") if tells(run, language)]
    now = [run for run in runs(value.text) if tells(run, language)]
    if len(now) != 1 or len(was) < 2 or is_shaped_like(value.text, field.present or ""):
        return value
    if now[0].key in (run.key for run in was):
        return replace(value, placed=0.0)
    wrong = [run for run in was if _puts_right(now[0], run)]
    if len(wrong) != 1:
        return value
    [old], old_text = wrong, field.present or ""
    said = value.text[now[0].start : now[0].end]
    return replace(value, text=f"{old_text[: old.start]}{said}{old_text[old.end :]}")


def _puts_right(new: Run, old: Run) -> bool:
    """It is that word, spelled another way, or another number."""
    if new.key.isdecimal():
        return old.key.isdecimal()
    return min(len(new.key), len(old.key)) > 2 * _SLIPS and slips(new.key, old.key, _SLIPS) <= _SLIPS
