"""A clause of a message, what it tells by itself, and what that is beside all of the message."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from softrail.core.reading import Bars, Field, Place, Reading, Value
from softrail.language import Language
from softrail.reader.both_options import called_in
from softrail.reader.changes.besides import telling
from softrail.reader.fields import TYPED, Span, fewest_words, is_typed, meets, places_of
from softrail.reader.learned import Marker
from softrail.reader.looked_again import remarks
from softrail.reader.meant_for import comes_to_it, is_called, is_said_again

#: Answers that a clause beside a sure change changes by their names alone.
_VAGUE: Final = frozenset({"number", "text", "list", "bool"})


@dataclass(kw_only=True, slots=True)
class Part:
    """A clause, what it surely tells, and what it may tell besides."""

    span: Span
    text: str
    told: list[Value] = field(default_factory=list)
    maybe: list[Value] = field(default_factory=list)
    faintly: list[str] = field(default_factory=list)  #: answers of which something may be wrong
    covered: bool = False  #: what all of the message was read as has its words

    @property
    def heard(self) -> bool:
        return self.covered or bool(self.told or self.maybe)


@dataclass(frozen=True, kw_only=True, slots=True)
class Whole:
    """What all of the message was read as, in its place."""

    reading: Reading
    place: Place
    fields: Mapping[str, Field]
    known: Mapping[str, Value]  #: what it surely tells
    marker: Marker
    bars: Bars
    language: Language

    def is_new(self, value: Value) -> bool:
        """Nothing was surely told of that answer, and it is another one by then."""
        one = self.fields.get(value.field)
        return one is not None and value.field not in self.known and not is_said_again(value, one)

    @property
    def doubted(self) -> set[str]:
        """Answers of words that may change, as all of it was read."""
        read = (v for c in self.reading.commands if c.act == "correct" for v in c.values)
        texts = {v.field for v in read if v.text and v.field not in self.known}
        return {name for name in texts if name in self.fields and self.fields[name].wanted == "text"}

    @property
    def anew(self) -> set[str]:
        """Answers that it calls wrong, and nothing else."""
        read = (v for c in self.reading.commands if c.act == "correct" for v in c.values)
        return {v.field for v in read if not v.text and not v.none and v.field in self.fields}

    @property
    def sums_up(self) -> bool:
        """All answers are shown: it is about nothing but them."""
        return self.place.wanted == "confirm"


def stands_in(
    value: Value, one: Field, parts: Sequence[Part], message: str, language: Language
) -> Sequence[Part]:
    """The clauses in which it stands; none where an option or a yes is said in other words."""
    there = one.items if one.wanted == "list" and one.present else []
    new = [item for item in value.text.splitlines() if item not in there]
    places = places_of(new, message)
    if one.wanted in TYPED and one.parses is not None:
        least = [fewest_words(message, span, one.parses) for span in places]
        places = [span for span in least if span is not None]
    if places:
        return [part for part in parts if meets(part.span, places)]
    if one.wanted == "bool":
        return ()
    if one.wanted in TYPED and one.parses is not None:
        new, reads = one.parses(value.text), one.parses
        same = [part for part in parts if new is not None and reads(part.text) == new]
        return same[:1] or [part for part in parts if is_called(one, part.text, language)] or parts
    if one.options:
        called = [option for option in one.options if option.means == value.text]
        return [part for part in parts if any(called_in(part.text, option) for option in called)][:1]
    gone = {word for item in there if item not in value.text.splitlines() for word in telling(item, language)}
    return [part for part in parts if gone & telling(part.text, language)] or parts


def hear(part: Part, read: Reading, whole: Whole) -> None:
    """What the clause alone was read as. Beside an answer it changes another that it calls; what else it may change is asked."""
    fields, language = whole.fields, whole.language
    adds = comes_to_it(part.text, language) or language.takes_back(part.text)
    read_sure = [v for v in whole.bars.sure_values(read) if (v.text or v.none) and v.field in fields]
    sure = [v for v in read_sure if whole.is_new(v)]
    changes = [v for c in read.commands if c.act == "correct" for v in c.values]
    named = {name for name, one in fields.items() if is_called(one, part.text, language)}
    if whole.sums_up and whole.known:  # "leave Lucy out of it, she is only nine": that tells why
        sure = [v for v in sure if v.field in named or adds or fields[v.field].wanted not in _VAGUE]
        changes = [v for v in changes if v.field in named or fields[v.field].wanted not in _VAGUE]
    doubted = [
        v for v in sure if not (v.field in named or adds) and _says_little(v, fields[v.field], language)
    ]
    doubted += [v for v in sure if v.field in whole.doubted]
    if not whole.sums_up:
        turns = whole.reading.likely("correct") >= whole.bars.correct
        sure = [v for v in sure if fields[v.field].given and (v.field in named or turns)]
        doubted += [v for v in sure if v.field not in named]
    part.told = [v for v in sure if v not in doubted]
    if part.told or (whole.sums_up and read_sure and not sure):
        part.covered = True
        return
    for value in (v for one in (*doubted, *changes, *read.maybe, *read.beside) for v in (one, *one.rivals)):
        one = fields.get(value.field)
        if one is None or not value.text or value in part.maybe or is_said_again(value, one):
            continue
        if not whole.sums_up and value not in doubted and value.field not in named:
            continue
        if (same := whole.known.get(value.field)) is not None and same.text == value.text:
            part.told.append(same)  # all of the message says so, too
        elif adds or value in doubted or is_typed(one) or one.wanted == "bool" or value.field in named:
            part.maybe.append(value)
    part.maybe = [] if part.told else part.maybe
    part.faintly = [value.field for value in read.maybe]
    new = next((v for v in part.maybe if v.adds and v.field not in named), None)
    if new is not None:  # which of the lists it is for is not said
        lists = {one.name for one in fields.values() if one.given and one.wanted == "list"}
        lists -= {value.field for value in part.maybe}
        part.maybe += [replace(new, field=name, rivals=()) for name in lists]
        part.maybe += remarks(fields.values(), part.text, whole.marker, whole.bars)


def _says_little(value: Value, one: Field, language: Language) -> bool:
    """A clause alone is no proof of that: an item more, all of a list anew, or the number in "one entry"."""
    if one.wanted == "list":
        return value.adds or not {*one.items} & {*value.text.splitlines()}
    return one.wanted == "number" and not telling(value.text, language)


def both(before: Value | None, value: Value, one: Field) -> Value:
    """What two clauses make of one list: what goes from it, and what comes to it."""
    if before is None or one.wanted != "list":
        return value
    there = one.items if one.present else []
    said = [each.text.splitlines() for each in (before, value)]
    new = [item for items in said for item in items if item not in there]
    stay = [
        item
        for item in there
        if all(each.adds or item in items for each, items in zip((before, value), said, strict=True))
    ]
    adds = before.adds and value.adds
    return replace(value, text="\n".join(dict.fromkeys([*([] if adds else stay), *new])), adds=adds)
