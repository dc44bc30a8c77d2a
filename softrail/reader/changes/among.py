"""What was told, put otherwise among the answers: "move the report to today", "swap yesterday and today", "rename Bob to Rob".

The words of a deed are certain; what they are said of is looked for in what was told, and where that is not certain it is asked.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from softrail.core.reading import SETTLED, Command, Field, Place, Reading, Value, just_below
from softrail.language import Language, Rearranged, enumerated, normal, without_part
from softrail.reader.changes.parts import keys, runs, tells, with_part
from softrail.reader.changes.spoken_of import spoken_of
from softrail.reader.clauses import clauses
from softrail.reader.fields import is_named, names_of, words_of_names
from softrail.reader.hearing import Hearing

_PHRASED: Final = frozenset({"text", "list"})  #: answers that are words


class _Thing(NamedTuple):
    """An item of a list that was told, or one of several things that it names."""

    field: Field
    at: int
    part: int
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of the answers, each as a whole, and whether that is certain."""

    values: tuple[Value, ...]
    sure: bool


def rearranged(message: str, place: Place, language: Language, *, by_name: bool = False) -> Change | None:
    """The change that all of the message asks for, in words that are certain; None where it asks for none, or of nothing that was told.

    `by_name`: only one that calls an answer by its name.
    """
    fields = place.fields()
    names = {field.name: (field.label, *field.names) for field in fields}
    for said in language.rearranged(message, names):
        field = next((field for field in fields if field.name == said.field), None)
        given = [one for one in fields if one.given]
        if field is None and by_name:
            continue
        if any(len(list(clauses(words))) > 1 for words in (said.text, said.new)):
            continue  # "swap Ann for Bob, 32 for 39" is more than one change
        if (change := _changed(said, field, given, language)) is not None:
            return change
    return None


def settled_among(message: str, place: Place, language: Language) -> Command | None:
    """The command of such a change, where it is certain."""
    if not place.of_a_form or place.takes_anything or place.wanted in _PHRASED:
        return None  # there it may be the answer
    change = rearranged(message, place, language)
    if change is None or not change.sure:
        return None
    return Command(act="correct", target=SETTLED, values=change.values)


def with_rearranged(reading: Reading, hearing: Hearing) -> Reading:
    """The reading of such a change that is not certain, in place of whatever else was read of its words: it is asked."""
    place, bars = hearing.place, hearing.bars
    if not place.of_a_form or place.takes_anything:
        return reading
    if place.wanted in _PHRASED and reading.likely("correct") < bars.correct:
        return reading
    change = rearranged(reading.message, place, hearing.language, by_name=place.wanted in _PHRASED)
    if change is None:
        return reading
    hardly = just_below(bars.changed)
    values = tuple(replace(value, confidence=hardly, placed=0.0) for value in change.values)
    command = Command(act="correct", confidence=bars.sure, layer="learned", values=values)
    return Reading(message=reading.message, commands=(command,))


def _changed(
    said: Rearranged, field: Field | None, given: Sequence[Field], language: Language
) -> Change | None:
    told = [one for one in given if one.present]
    match said.way:
        case "swapped":
            return _swapped(field, said.text, given)
        case "emptied":
            return _emptied(field, told)
        case "exchanged":
            return (
                _exchanged(said.text, said.new, told, language)
                if field is None
                else _exchanged_in(field, said, language)
            )
        case "moved" | "belonging":
            return _moved(said, field, told, language)
        case "not_there":
            return _not_there(said, field, told, language)


def _swapped(one: Field | None, name: str, given: Sequence[Field]) -> Change | None:
    """Each of two answers of one kind is the other; one of two lists may be empty."""
    other = next((field for field in given if normal(name) in names_of(field)), None)
    if one is None or other is None or one is other or one.wanted != other.wanted or not one.given:
        return None
    if one.wanted not in _PHRASED or (one.wanted == "text" and not (one.present and other.present)):
        return None
    return Change((_as(one, _items(other)), _as(other, _items(one))), sure=True)


def _emptied(field: Field | None, told: Sequence[Field]) -> Change | None:
    """All items of a list go: what is one answer alone is asked for anew by those who hear that it goes."""
    if field is None or field.wanted != "list" or field.required or field not in told:
        return None
    return Change((_as(field, []),), sure=True)


def _exchanged(old: str, new: str, told: Sequence[Field], language: Language) -> Change | None:
    """The words give way wherever they stand; where they stand in more than one place, it is asked."""
    found = [
        (field, at, item, now)
        for field in told
        if field.wanted in _PHRASED and not field.options
        for at, item in enumerate(_items(field))
        if (now := _in_place_of(old, new, item, language)) is not None
    ]
    if not found or any(is_named(field, old) for field in told):
        return None
    values = []
    for field in dict.fromkeys(one[0].name for one in found):
        of = [one for one in found if one[0].name == field]
        items = _items(of[0][0])
        for _, at, _, now in of:
            items[at] = now
        values.append(
            _as(of[0][0], [each for item in items for each in _each(item, new, of[0][0], language)])
        )
    several = any(len(_each(now, new, field, language)) > 1 for field, _, _, now in found)
    return Change(tuple(values), sure=len(found) == 1 and not several)


def _exchanged_in(field: Field, said: Rearranged, language: Language) -> Change | None:
    """One thing of the list that is called gives way: "take the first one out of the extras and put …"."""
    found, sure = _meant(said.text, [field], language) if field.wanted == "list" else (None, False)
    if found is None:
        return None
    new = _each(said.new, said.new, field, language)
    return Change((_as(field, [*_without(found, language), *new]),), sure=sure and len(new) == 1)


def _each(item: str, new: str, field: Field, language: Language) -> list[str]:
    """What comes in place of an item, one by one: "aldi and lidl" in a list may be two."""
    return enumerated(item, language) if item == new and field.wanted == "list" else [item]


def _in_place_of(old: str, new: str, item: str, language: Language) -> str | None:
    """The item with the new words where the old ones stand in it; None where they do not."""
    was, gone = keys(item), keys(old)
    if not gone or not any(was[at : at + len(gone)] == gone for at in range(len(was))):
        return None
    if {run.key for run in runs(item) if tells(run, language)} <= {*gone}:
        return new
    if (part := with_part(item, old, new, language)) is not None:
        return part
    at = re.search(r"\W+".join(map(re.escape, old.split())), item, re.IGNORECASE)
    return f"{item[: at.start()]}{new}{item[at.end() :]}" if at is not None else new


def _moved(said: Rearranged, to: Field | None, told: Sequence[Field], language: Language) -> Change | None:
    """One thing goes from its list to another; what nothing like it was told of comes to it, where that is what was said."""
    if to is None or to.wanted != "list":
        return None
    others = [field for field in told if field.wanted == "list" and field is not to]
    if said.way == "moved" and (all_of := _all_of(said.text, others, language)) is not None:
        return Change((_as(all_of, []), _as(to, [*_items(to), *_items(all_of)])), sure=True)
    found, sure = _meant(said.text, others, language)
    if found is None:
        if said.way == "belonging":
            return None
        return Change((replace(_as(to, [said.text]), adds=True),), sure=False)
    goes = _as(found.field, _without(found, language))
    comes = replace(_as(to, [*_items(to), found.text]))
    return Change((goes, comes), sure=sure and said.way == "moved")


def _all_of(words: str, others: Sequence[Field], language: Language) -> Field | None:
    """The list of which everything is meant: the one that is called, or the only other one."""
    called = [field for field in others if is_named(field, words)]
    own = words_of_names(called)
    rest = " ".join(key for key in keys(words) if key not in own and not language.parts_from(key))
    among = called or others
    return among[0] if len(among) == 1 and language.is_everything(rest) else None


def _not_there(
    said: Rearranged, off: Field | None, told: Sequence[Field], language: Language
) -> Change | None:
    """One thing goes from a list; to another one where that is called as what it is instead."""
    if off is None or off.wanted != "list" or off not in told:
        return None
    found, sure = _meant(said.text, [off], language)
    if found is None:
        return None
    goes = _as(off, _without(found, language))
    to = [
        field for field in told if field is not off and field.wanted == "list" and is_named(field, said.new)
    ]
    if len(to) == 1:
        return Change((goes, _as(to[0], [*_items(to[0]), found.text])), sure=sure)
    return Change((goes,), sure=sure)


def _meant(words: str, fields: Sequence[Field], language: Language) -> tuple[_Thing | None, bool]:
    """The thing that the words call, by its place or by its own words, and whether that is certain."""
    called = [field for field in fields if is_named(field, words)]
    among = called or fields
    own = words_of_names(called)
    said = [run.key for run in runs(words) if tells(run, language) and run.key not in own]
    things = [thing for field in among for thing in _things(field, language)]
    ordinals = [key for key in said if language.ordinal(key, 1) is not None]
    if ordinals and len(said) <= len(ordinals) + 1 and len(among) == 1:
        items = _items(among[0])
        at = language.ordinal(ordinals[0], len(items))
        return (
            (_Thing(among[0], at, -1, items[at]), True)
            if at is not None and at < len(items)
            else (None, False)
        )
    exact = [thing for thing in things if said and {*said} <= {*keys(thing.text)}]
    if exact:
        return (exact[0], True) if len(exact) == 1 else (None, False)
    like = [
        Field(name=str(at), wanted="text", question="", label=thing.text) for at, thing in enumerate(things)
    ]
    near = spoken_of(" ".join(said), like, language)
    return (things[int(near[0].name)], False) if len(near) == 1 else (None, False)


def _things(field: Field, language: Language) -> Iterator[_Thing]:
    for at, item in enumerate(_items(field)):
        parts = enumerated(item, language)
        if len(parts) == 1:
            yield _Thing(field, at, -1, item)
        else:
            yield from (_Thing(field, at, n, part) for n, part in enumerate(parts))


def _without(thing: _Thing, language: Language) -> list[str]:
    """The items of its list without it."""
    items = _items(thing.field)
    left = [without_part(items[thing.at], thing.part, language)] if thing.part >= 0 else []
    return [*items[: thing.at], *left, *items[thing.at + 1 :]]


def _items(field: Field) -> list[str]:
    if field.wanted != "list":
        return [field.present] if field.present else []
    return field.items if field.present else []


def _as(field: Field, items: Sequence[str]) -> Value:
    """The answer as a whole; without items there is none."""
    return Value(field=field.name, text="\n".join(items), none=not items)
