"""What a message makes of a list that was told before, item by item: which of them go, and which come.

"And no nuts please", "Ruth was there, too", "hazelnuts rather than nuts": nobody says the whole list again.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from softrail.core.reading import (
    APART,
    Bars,
    Command,
    Field,
    Place,
    Reading,
    Value,
    at_most,
    just_below,
    log_odds,
)
from softrail.language import Language
from softrail.reader.changes.besides import Besides, telling, told_astray
from softrail.reader.changes.outcome import STAYS, Outcome, outcome
from softrail.reader.changes.parts import only_points
from softrail.reader.changes.renamed import renamed
from softrail.reader.fields import Span, is_for_a_name, is_named, meets, question_query
from softrail.reader.hearing import Hearing
from softrail.reader.items import Marked
from softrail.reader.learned import Marker

_BESIDES: Final = 0.9  #: how likely something must come to be asked about beside other answers
_MAY_CHANGE: Final = 0.15  #: how likely a message must change an answer, where it speaks of none of the items
_MOST: Final = 8  #: items of a list that are read; it has learned from lists of up to six
ALL: Final = "Is everything right like this?"


def with_changed_lists(reading: Reading, hearing: Hearing) -> Reading:
    """The reading with what it makes of every list that was told before, item by item, in place of whatever else it tells of it."""
    place, marker, bars, language = hearing.place, hearing.marker, hearing.bars, hearing.language
    if place.question is None or not place.of_a_form:
        return reading
    anew = {*_told_anew(reading, place), *_of_which_more_is_said(reading, place, language)}
    known = [value for value in bars.sure_values(reading) if value.text and value.field not in anew]
    # A change that is asked about has its words for itself, too: "not my brother, my sister".
    apart = [c for c in reading.commands if c.act == "correct" and c.target == APART]
    known += [v for c in apart for v in c.values if v.text and v not in known and v.field not in anew]
    astray = told_astray(reading.message, known, place.fields())
    known = [value for value in known if value.field not in astray]
    told = {value.field for value in known}
    lists = {
        field.name: field
        for field in place.fields()
        if field.wanted == "list" and field.present and field.name not in (place.field, *told)
        if _may_be_told(reading, field, language)
    }
    if not lists or _is_certain(reading, place, language):
        return reading
    for field in lists.values():
        if (called := _renamed(field, reading, language)) is not None:
            return called
    question = ALL if place.wanted == "confirm" else place.question.asks
    read = {name: _read(reading.message, field, question, marker, language) for name, field in lists.items()}
    besides = Besides(reading.message, known, place.fields(), language)
    there = {name: besides.without(name, one) for name, one in read.items() if one is not None}
    then = _each_to_one({name: besides.without_what_comes_elsewhere(name, there) for name in there})
    meant = {name: besides.without_what_goes_elsewhere(name, then) for name in then}
    reading = reading.without_values_of(
        [n for n, one in meant.items() if one.items == one.there != then[n].items]
    )
    then = meant
    changed = {name: one for name, one in then.items() if one.items != one.there}
    sure = {
        name: one
        for name, one in changed.items()
        if one.is_sure and (one.items or _is_spoken_of(lists[name], reading.message, language))
    }
    stays = [name for name, one in then.items() if name not in changed and one.surely >= STAYS]
    unsure = {
        name: one
        for name, one in (
            (n, _as_spoken_of(c, lists[n], reading.message, language)) for n, c in changed.items()
        )
        if name not in sure and _is_worth_asking(one, name, reading, told)
    }
    if reading.likely("correct") < bars.correct:  # or else it is asked what is wrong
        reading = reading.without_values_of(stays)
    if astray and any(name in besides.called for name in sure):
        reading = reading.without_values_of(astray)
    of_either = _of_either(sure, there, besides.called, bars) if place.wanted == "confirm" else ()
    if of_either:
        sure |= {name: there[name] for name in of_either}
        return _asked_which(of_either, sure, reading.without_values_of(sure), bars)
    if torn := besides.torn(sure):
        return _asked_which(torn, sure, reading.without_values_of(sure), bars)
    if sure or not unsure:
        reading = reading.without_values_of(sure)
        told_of = (
            replace(_value(n, c), none=not c.items and _is_none(reading.message, lists[n], marker, bars))
            for n, c in sure.items()
        )
        new = (Command.of_another(value, changes=not value.adds) for value in told_of)
        return reading.evolve(commands=(*reading.commands, *new))
    name, one = max(unsure.items(), key=lambda each: each[1].surely)
    return _in_doubt(name, one, reading.without_values_of([name]), bars)


def _of_either(
    sure: Mapping[str, Outcome], there: Mapping[str, Outcome], called: Collection[str], bars: Bars
) -> Sequence[str]:
    """Lists of which one gets the same words as another would, nearly as likely, and none is called: the likeliest first."""
    for name, one in sure.items():
        if not one.adds or name in called or len(one.come) != 1:
            continue
        new = one.come[0]
        near = [
            other
            for other, then in there.items()
            if other not in sure
            and then.adds
            and len(then.come) == 1
            and meets(new.span, [then.come[0].span])
            if log_odds(new.likely) - log_odds(then.come[0].likely) < bars.apart
        ]
        if near:
            return [name, *near]
    return []


def _renamed(field: Field, reading: Reading, language: Language) -> Reading | None:
    """The reading in which one of a list of names is called otherwise; its new name is the value of nothing else."""
    there = field.items
    new = renamed(reading.message, there, language) if is_for_a_name(field, language) else None
    if new is None:
        return None
    stay = tuple(item for at, item in enumerate(there) if at != new.at)
    then = Outcome(tuple(there), stay, (Marked(new.name, new.span, 1.0, 1.0),), 1.0)
    same = {
        value.field
        for value in (v for command in reading.commands for v in command.values)
        if value.field == field.name or value.text in new.name or new.name in value.text
    }
    left = reading.without_values_of(same)
    changed = Command.of_another(_value(field.name, then), changes=True)
    return left.evolve(commands=(*left.commands, changed))


def _told_anew(reading: Reading, place: Place) -> Collection[str]:
    """The lists of which one item was read as all of it: of "skip the quince jam" the jam."""
    items = {field.name: field.items for field in place.fields() if field.wanted == "list" and field.present}
    changes = [c for c in reading.commands if c.act == "correct" and c.layer == "learned"]
    told = [value for command in changes for value in command.values if not value.adds]
    return {value.field for value in told if value.text in items.get(value.field, ())}


def _of_which_more_is_said(reading: Reading, place: Place, language: Language) -> Collection[str]:
    """The lists that something comes to, where other words say that an item goes: "forget the paper, but add rulers"."""
    items = {field.name: field.items for field in place.fields() if field.wanted == "list" and field.present}
    found = set[str]()
    for value in (v for command in reading.commands for v in command.values if v.field in items and v.text):
        rest = reading.message.replace(value.text, "")
        goes = language.takes_back(rest)
        denied = language.says_not(rest) and bool(_spoken_of(items[value.field], rest, language))
        if rest != reading.message and (goes or (value.adds and denied)):
            found.add(value.field)
    return found


def _is_certain(reading: Reading, place: Place, language: Language) -> bool:
    """What changes is told in certain words: "add blocker waiting for design"."""
    names = {field.name: field.names for field in place.fields()}
    return place.wanted == "confirm" and language.edit(reading.message, names) is not None


def _as_spoken_of(then: Outcome, field: Field, message: str, language: Language) -> Outcome:
    """With what goes, where nothing comes for it, only where a word of the message is of it, or calls the list."""
    if then.come:
        return then
    spoken = then.there if is_named(field, message) else _spoken_of(then.there, message, language)
    return then._replace(stay=tuple(one for one in then.there if one in then.stay or one not in spoken))


def _is_worth_asking(then: Outcome, name: str, reading: Reading, told: Collection[str]) -> bool:
    """Something of it changes, and it is no remark beside what is `told` of other answers."""
    values = (value for command in reading.commands for value in command.values)
    doubted = any(value.field == name for value in (*values, *reading.maybe, *reading.beside))
    changes = then.items != then.there
    return changes and (not told or not then.adds or doubted or then.surely >= _BESIDES)


def _may_be_told(reading: Reading, field: Field, language: Language) -> bool:
    """Something speaks of it."""
    told = (value for command in reading.commands for value in command.values)
    spoken = any(value.field == field.name for value in (*told, *reading.maybe, *reading.beside))
    more = max((c.confidence for c in reading.commands if c.target == "other"), default=0.0)
    return (
        spoken
        or max(more, reading.likely("correct")) >= _MAY_CHANGE
        or _is_spoken_of(field, reading.message, language)
    )


def _is_spoken_of(field: Field, message: str, language: Language) -> bool:
    """The message calls the list, or has a word of an item: "wait, I made a mistake" empties none."""
    return is_named(field, message) or bool(_spoken_of(field.items, message, language))


def _spoken_of(items: Sequence[str], message: str, language: Language) -> list[str]:
    """Those that share a word with the message."""
    said = telling(message, language)
    return [item for item in items if said & telling(item, language)]


def _read(message: str, field: Field, question: str, marker: Marker, language: Language) -> Outcome | None:
    """What becomes of the list; of a long one, of the items that are spoken of most, beside which all others stay."""
    there = field.items
    spoken = there if len(there) <= _MOST else _spoken_of_most(there, message, language)
    some = spoken or there[:_MOST]
    read = marker.edited(message, question_query(field), some, question)
    if read is None:
        return None
    then = outcome(message, some, read)
    gone = {*spoken} - {*then.stay}  # what nobody speaks of in a long list stays
    come = tuple(one for one in then.come if not only_points(one.text, language))
    return then._replace(there=tuple(there), stay=tuple(i for i in there if i not in gone), come=come)


def _spoken_of_most(items: Sequence[str], message: str, language: Language) -> list[str]:
    """Those that share most words with the message: "the tuna one" is no other of ten sandwiches."""
    said = telling(message, language)
    shared = {item: len(said & telling(item, language)) for item in items}
    most = max(shared.values())
    return [item for item in items if most and shared[item] == most][:_MOST]


def _each_to_one(read: dict[str, Outcome]) -> dict[str, Outcome]:
    """Every item that comes in one list: one from which something goes, or else the likeliest."""
    ranked = sorted(
        read, key=lambda name: (read[name].adds, -max((c.likely for c in read[name].come), default=0.0))
    )
    taken: list[Span] = []
    found = dict(read)
    for name in ranked:
        one = read[name]
        rest = tuple(c for c in one.come if not meets(c.span, taken))
        found[name] = one._replace(come=rest)
        taken += [c.span for c in rest]
    return found


def _value(name: str, then: Outcome) -> Value:
    added = [item for item in then.items if item not in then.there]
    text = "\n".join(added if then.adds else then.items)
    return Value(field=name, text=text, confidence=then.surely, placed=1.0, adds=then.adds)


def _is_none(message: str, field: Field, marker: Marker, bars: Bars) -> bool:
    """It would say to the question for the list that there is none: "no blockers any more"; else that is asked again."""
    [read] = marker.mark(message, [question_query(field)])
    return read.acts.get("none", 0.0) >= bars.none


def _asked_which(torn: Collection[str], sure: Mapping[str, Outcome], reading: Reading, bars: Bars) -> Reading:
    """The reading of a change of which it is asked which list is meant; what surely changes besides goes with it."""
    first, *others = (
        replace(_value(n, sure[n]), confidence=just_below(bars.changed)) for n in sure if n in torn
    )
    besides = [_value(name, one) for name, one in sure.items() if name not in torn]
    says = max(reading.likely("correct"), bars.correct)
    values = (replace(first, rivals=tuple(others)), *besides)
    command = Command(act="correct", confidence=says, layer="learned", values=values)
    return reading.evolve(commands=(*reading.commands, command))


def _in_doubt(name: str, then: Outcome, reading: Reading, bars: Bars) -> Reading:
    """The reading with a change that is asked about: beside the answer, where there is one."""
    value, given = _value(name, then), reading.of("inform", target="")
    if given is not None and given.values and given.confidence >= bars.inform:
        return reading.evolve(beside=(*reading.beside, value))
    value = at_most(value, just_below(bars.changed))
    if value.adds:
        value = replace(value, rivals=(*reading.maybe, replace(value, adds=False)))
    says = max(reading.likely("correct"), bars.correct)
    command = Command(act="correct", confidence=says, layer="learned", values=(value,))
    return reading.evolve(commands=(*reading.commands, command))
