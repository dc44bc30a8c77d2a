"""What a message makes of a list that was told before, item by item: which of them go, and which come.

"And no nuts please", "Ruth was there, too", "hazelnuts rather than nuts": nobody says the whole list again.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from softrail.core.reading import BY_NAME, Bars, Command, Field, Place, Reading, Value
from softrail.language import Language
from softrail.reader.changes.parts import keys
from softrail.reader.fields import WORD, is_named, question_query
from softrail.reader.items import INSIDE, beginnings, word_end
from softrail.reader.learned import Edited, Marker, Piece, trimmed

_SURE: Final = 0.95  #: how likely the least likely part of it must be for the list to be changed
_SURELY_GONE: Final = 0.99  #: the same, where something goes and nothing comes for it
_BESIDES: Final = 0.8  #: how likely something must come to be asked about beside other answers
_STAYS: Final = 0.9  #: the same, for what was read of it otherwise to be nothing
_GOES: Final = 0.5  #: from here on an item goes; all set on changes that were kept back from training
_MAY_CHANGE: Final = 0.15  #: how likely a message must change an answer, where it speaks of none of the items
_MOST: Final = 8  #: items of a list that are read; it has learned from lists of up to six
_ALL: Final = "Is everything right like this?"


class Come(NamedTuple):
    """An item that comes to a list, where it stands, and how likely it does."""

    text: str
    start: int
    end: int
    likely: float


class Outcome(NamedTuple):
    """A list as it is then."""

    there: tuple[str, ...]  #: as it was
    stay: tuple[str, ...]
    come: tuple[Come, ...]
    likely: float  #: how likely the least likely part of it is, but for what comes

    @property
    def items(self) -> tuple[str, ...]:
        """What stays, and then what comes."""
        return (
            *self.stay,
            *(item for item in dict.fromkeys(one.text for one in self.come) if item not in self.stay),
        )

    @property
    def surely(self) -> float:
        """How likely the least likely part of it is."""
        return min(self.likely, *(one.likely for one in self.come)) if self.come else self.likely

    @property
    def is_sure(self) -> bool:
        """It is done, and not asked about."""
        return self.surely >= (_SURE if self.come else _SURELY_GONE)

    @property
    def adds(self) -> bool:
        """Nothing goes."""
        return len(self.stay) == len(self.there)


def with_changed_lists(
    reading: Reading, place: Place, marker: Marker, bars: Bars, language: Language
) -> Reading:
    """The reading with what it makes of every list that was told before, item by item, in place of whatever else it tells of it."""
    if place.question is None or place.own or place.offer or place.asks_back or place.decides:
        return reading
    known = [value for value in bars.sure_values(reading) if value.text]
    told = {value.field for value in known}
    lists = {
        field.name: field
        for field in place.fields()
        if field.wanted == "list" and field.present and field.name not in (place.field, *told)
        if _may_be_told(reading, field)
    }
    if not lists or _is_certain(reading, place, language):
        return reading
    question = _ALL if place.wanted == "confirm" else place.question.asks
    read = {name: _read(reading.message, field, question, marker) for name, field in lists.items()}
    then = _each_to_one(
        {name: _without(one, known, reading.message) for name, one in read.items() if one is not None}
    )
    changed = {name: one for name, one in then.items() if one.items != one.there}
    sure = {name: one for name, one in changed.items() if one.is_sure}
    stays = [name for name, one in then.items() if name not in changed and one.surely >= _STAYS]
    unsure = {
        name: one
        for name, one in ((n, _as_spoken_of(c, lists[n], reading.message)) for n, c in changed.items())
        if name not in sure and _is_worth_asking(one, name, reading, told)
    }
    if reading.likely("correct") < bars.correct:  # or else it is asked what is wrong
        reading = reading.without_values_of(stays)
    if sure or not unsure:
        reading = reading.without_values_of(sure)
        new = (Command.of_another(_value(n, c), changes=not c.adds) for n, c in sure.items())
        return reading.evolve(commands=(*reading.commands, *new))
    name, one = max(unsure.items(), key=lambda each: each[1].surely)
    return _in_doubt(name, one, reading.without_values_of([name]), bars)


def _is_certain(reading: Reading, place: Place, language: Language) -> bool:
    """What changes is told in certain words: "add blocker waiting for design"."""
    if any(command.target in BY_NAME for command in reading.commands):
        return True
    names = {field.name: field.names for field in place.fields()}
    return place.wanted == "confirm" and language.edit(reading.message, names) is not None


def _without(then: Outcome, known: Sequence[Value], message: str) -> Outcome:
    """Without what comes in words that are another answer's: no word counts twice."""
    places = [(at, at + len(one.text)) for one in known if (at := message.find(one.text)) >= 0]

    def is_known(one: Come) -> bool:
        """Also of "inventory in hall C", of which only "hall C" was said."""
        there = any(one.start < end and start < one.end for start, end in places)
        return there or any(one.text in value.text for value in known)

    return then._replace(come=tuple(one for one in then.come if not is_known(one)))


def _as_spoken_of(then: Outcome, field: Field, message: str) -> Outcome:
    """With what goes only where a word of the message is of it, or calls the list."""
    spoken = then.there if is_named(field, message) else _spoken_of(then.there, message)
    return then._replace(stay=tuple(one for one in then.there if one in then.stay or one not in spoken))


def _is_worth_asking(then: Outcome, name: str, reading: Reading, told: Collection[str]) -> bool:
    """Something of it changes, and it is no remark beside what is `told` of other answers."""
    values = (value for command in reading.commands for value in command.values)
    doubted = any(value.field == name for value in (*values, *reading.maybe, *reading.beside))
    changes = then.items != then.there
    return changes and (not told or not then.adds or doubted or then.surely >= _BESIDES)


def _may_be_told(reading: Reading, field: Field) -> bool:
    """Something speaks of it."""
    told = (value for command in reading.commands for value in command.values)
    spoken = any(value.field == field.name for value in (*told, *reading.maybe, *reading.beside))
    more = max((c.confidence for c in reading.commands if c.target == "other"), default=0.0)
    return (
        spoken
        or max(more, reading.likely("correct")) >= _MAY_CHANGE
        or is_named(field, reading.message)
        or bool(_spoken_of(field.items, reading.message))
    )


def _spoken_of(items: Sequence[str], message: str) -> list[str]:
    """Those that share a word with the message."""
    said = {*keys(message)}
    return [item for item in items if said & {*keys(item)}]


def _read(message: str, field: Field, question: str, marker: Marker) -> Outcome | None:
    """What becomes of the list; of a long one, of the items that are spoken of most, beside which all others stay."""
    there = field.items
    spoken = there if len(there) <= _MOST else _spoken_of_most(there, message)
    some = spoken or there[:_MOST]
    read = marker.edited(message, question_query(field), some, question)
    if read is None:
        return None
    then = outcome(message, some, read)
    gone = {*spoken} - {*then.stay}  # what nobody speaks of in a long list stays
    return then._replace(there=tuple(there), stay=tuple(item for item in there if item not in gone))


def _spoken_of_most(items: Sequence[str], message: str) -> list[str]:
    """Those that share most words with the message: "the tuna one" is no other of ten sandwiches."""
    said = {*keys(message)}
    shared = {item: len(said & {*keys(item)}) for item in items}
    most = max(shared.values())
    return [item for item in items if most and shared[item] == most][:_MOST]


def outcome(message: str, there: Sequence[str], read: Edited) -> Outcome:
    """The list as the message most likely makes it."""
    come = tuple(_come(message, read.pieces))
    begun = {one.start for one in come}
    odds = [
        *(max(goes, 1 - goes) for goes in read.goes),
        *(1 - one.begins for one in read.pieces if one.start not in begun),
    ]
    stay = tuple(item for item, goes in zip(there, read.goes, strict=True) if goes < _GOES)
    return Outcome(tuple(there), stay, come, min(odds, default=1.0))


def _come(message: str, pieces: Sequence[Piece]) -> Iterator[Come]:
    """The items that come to it."""
    for first, until in pairwise([*beginnings(message, pieces), len(message)]):
        behind = [piece for piece in pieces if first <= piece.start < until]
        end = max((piece.end for piece in takewhile(_is_of_one, behind)), default=first)
        start, end = trimmed(message, first, word_end(message, end, until))
        if WORD.search(message, start, end):
            yield Come(message[start:end], start, end, behind[0].begins)


def _is_of_one(piece: Piece) -> bool:
    return piece.inside >= INSIDE


def _each_to_one(read: dict[str, Outcome]) -> dict[str, Outcome]:
    """Every item that comes in one list: one from which something goes, or else the likeliest."""
    ranked = sorted(
        read, key=lambda name: (read[name].adds, -max((c.likely for c in read[name].come), default=0.0))
    )
    taken: list[Come] = []
    found = dict(read)
    for name in ranked:
        one = read[name]
        rest = [c for c in one.come if not any(c.start < t.end and t.start < c.end for t in taken)]
        found[name] = one._replace(come=tuple(rest))
        taken += rest
    return found


def _value(name: str, then: Outcome) -> Value:
    added = [item for item in then.items if item not in then.there]
    text = "\n".join(added if then.adds else then.items)
    return Value(field=name, text=text, confidence=then.surely, placed=1.0, adds=then.adds)


def _in_doubt(name: str, then: Outcome, reading: Reading, bars: Bars) -> Reading:
    """The reading with a change that is asked about: beside the answer, where there is one."""
    value, given = _value(name, then), reading.of("inform", target="")
    if given is not None and given.values and given.confidence >= bars.inform:
        return reading.evolve(beside=(*reading.beside, value))
    value = replace(value, confidence=min(value.confidence, bars.changed - 0.01))
    if value.adds:
        value = replace(value, rivals=(replace(value, adds=False),))
    says = max(reading.likely("correct"), bars.correct)
    command = Command(act="correct", confidence=says, layer="learned", values=(value,))
    return reading.evolve(commands=(*reading.commands, command))
