"""Values for other fields than the open one: changes of what was given, and answers to what was not asked yet."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from softrail.core.reading import Act, Bars, Command, Field, Place, Value
from softrail.language import Language, normal
from softrail.reader.agreement import is_placed
from softrail.reader.fields import (
    BESIDE,
    TYPED,
    TYPED_VALUE,
    WORD,
    WORDED,
    blanked,
    field_query,
    is_beside_the_point,
    is_named,
    is_of_the_words_before,
    is_typed,
    readable,
)
from softrail.reader.learned import Marker, Marks

MARK: Final = re.compile(r"\s*(?:[,:;(–—]|\s-|,?\s+and\b)[\s\w]{0,12}$")  #: what stands between two values
_SURE: Final = 0.7  #: from here on a value may be cut out of that of the open question
_NO_OTHER: Final = 0.95  #: from here on the small model is as sure of where a value ends as words are
_SHORT: Final = 3  #: letters of a word that tells nothing: "the", "is"
_MOST_AGAIN: Final = 8  #: values of one field in a message, beside the first


@dataclass(frozen=True, kw_only=True, slots=True)
class _Seen:
    """A value for another field than the open one, and where it stands."""

    field: Field
    named: bool  #: the words beside it call the field by its name
    enough: bool  #: it is likely enough to be taken, where no likelier field has its words
    start: int
    end: int
    value: Value


def others(
    message: str,
    place: Place,
    marker: Marker,
    bars: Bars,
    open_marks: Marks,
    here: Value | None,
    language: Language,
) -> list[tuple[Command, int, int]]:
    """Values for other fields: changes of what was given, and answers to what was not asked yet."""
    fields = [f for f in place.fields() if f.name != place.field]
    own = here is not None and open_marks.acts.get("inform", 0.0) >= bars.inform
    if own and place.wanted != "own":
        fields = [f for f in fields if f.given]  # what stands beside the answer is read when that is known
    if place.own and open_marks.acts.get("correct", 0.0) < bars.correct:
        fields = [f for f in fields if not f.given]  # an answer to an author's own question changes no other
    # Where the message says that something is to change, less will do to say what.
    bar = bars.doubt if open_marks.acts.get("correct", 0.0) >= bars.correct else bars.value
    seen: list[_Seen] = []
    claimed: list[Marks] = []  #: where an answer is found that its type cannot read
    for field, marks in zip(fields, marker.mark(message, [field_query(f) for f in fields]), strict=True):
        named = is_named(field, f"{message[: marks.start]} {message[marks.end :]}")
        if own and field.given and not named and open_marks.acts.get("correct", 0.0) < bars.rival:
            continue  # it answers, and nothing says that anything is to change
        says_so = open_marks.acts.get("correct", 0.0)
        says_enough = says_so >= (bars.rival if place.yes_no else bars.doubt) or place.wanted == "own"
        if field.given and not named and field.wanted in ("text", "list") and not says_enough:
            continue  # any words could be its value, and nothing says that it is to change
        if not field.given and place.wanted != "own" and is_beside_the_point(field, named):
            continue
        if field.wanted == "bool" and field.given and _shares_no_word(field, message):
            continue  # the yes before would become a no in words about something else
        least = bars.doubt if named else min(bar, TYPED_VALUE) if is_typed(field) else bar
        if marks.value < min(least, bars.rival) or marks.end <= marks.start:
            continue
        if is_typed(field) and not named and is_of_the_words_before(message, marks.start, language):
            continue
        value = _other_value(field, message, marks, language)
        if value is None and is_typed(field) and not field.given:
            claimed.append(marks)
        if value is not None:
            enough = marks.value >= least
            seen.append(
                _Seen(field=field, named=named, enough=enough, start=marks.start, end=marks.end, value=value)
            )
    seen = [_without_tail(one, seen, message) for one in seen]
    seen.sort(key=lambda one: (not one.named, -one.value.confidence))
    taken: list[tuple[int, int]] = []
    commands: list[tuple[Command, int, int]] = []
    for one in seen:
        if not one.enough:
            continue
        field, start, end, value = one.field, one.start, one.end, one.value
        inside = open_marks.start < start and end == open_marks.end
        behind = inside and MARK.search(message[open_marks.start : start]) is not None
        changes = field.given and value.confidence > open_marks.value  # "no, call it Foo" answers nothing
        beside = place.wanted in TYPED and is_typed(field)  # "2 medium"
        may_cut = beside or (value.confidence >= _SURE and (behind or changes))
        if not own and not behind and _would_answer(one, place, open_marks, bars):
            continue  # nobody said that another is meant: it is asked whether it answers what is open
        likelier = taken if may_cut or not own else [*taken, (open_marks.start, open_marks.end)]
        if any(start < other_end and other_start < end for other_start, other_end in likelier):
            continue  # the same words are the value of a likelier field
        if not one.named and any(
            m.value > value.confidence and m.start < end and start < m.end for m in claimed
        ):
            continue  # a time that cannot be read is no number of people: "around ten"
        taken.append((start, end))
        act: Act = "correct" if field.given and not value.adds else "inform"
        if act == "correct":
            value = _doubted(one, value, seen, message, place, open_marks, marker, bars, language)
        target = "" if act == "correct" else "own" if place.wanted == "own" else "other"
        told = Command(act=act, confidence=value.confidence, layer="learned", target=target, values=(value,))
        commands.append((told, start, end))
    commands = _beside(commands, {one.field.name: one for one in seen}, bars)
    given = {f.name: f.names for f in fields if f.given}
    called = language.correction(message, given) if given else None
    surely = {
        c.values[0].field for c, _, _ in commands if c.act == "correct" and c.confidence >= bars.changed
    }
    if called is not None and (two := _read_in_two_ways(called, commands, fields, language)) is not None:
        commands = [one for one in commands if one[0].act != "correct"]
        commands.append((two, 0, 0))
    elif (
        called is not None
        and not _is_doubted(called[0], commands)
        and not (called[0] in surely and len(surely) > 1)
    ):
        # One answer is called by its name, in words that are certain: what else was seen in them is none.
        commands = [one for one in commands if one[0].act != "correct"]
        commands.append((Command(act="correct", layer="learned"), 0, 0))
    if place.wanted == "own":
        commands += _again(message, commands, fields, taken, marker, bars)
    return commands


def _beside(
    commands: list[tuple[Command, int, int]], seen: Mapping[str, _Seen], bars: Bars
) -> list[tuple[Command, int, int]]:
    """The commands, of which one tells what the others can hardly mean.

    A surer change leaves no yes to be turned into a no that nobody named: "it's for my husband, not me". And a number
    that nobody named is asked about where another one answers: "about 1500, 1800 if it must be" changes no other 1800.
    """
    kept: list[tuple[Command, int, int]] = []
    for command, start, end in commands:
        one = seen[command.values[0].field] if command.values else None
        if command.act != "correct" or one is None or one.named:
            kept.append((command, start, end))
            continue
        beside = [c for c, _, _ in commands if c is not command and c.values]
        if one.field.wanted == "bool" and any(
            c.act == "correct" and c.confidence >= command.confidence for c in beside
        ):
            continue
        kinds = {seen[c.values[0].field].field.wanted for c in beside if c.act == "inform"}
        if one.field.wanted == "number" and "number" in kinds:
            hardly = min(command.confidence, bars.changed - 0.01)
            doubted = tuple(replace(v, confidence=hardly) for v in command.values)
            command = replace(command, confidence=hardly, values=doubted)
        kept.append((command, start, end))
    return kept


def _without_tail(one: _Seen, seen: Sequence[_Seen], message: str) -> _Seen:
    """Words without what another field of few words has behind a mark in them: "Okafor, terrace"."""
    if is_typed(one.field) or one.value.rivals:
        return one
    for other in seen:
        tail = one.start < other.start < one.end <= other.end
        if not tail or not is_typed(other.field) or not other.enough or other.value.confidence < _SURE:
            continue
        behind = MARK.search(message[one.start : other.start])
        if behind is not None and (head := message[one.start : one.start + behind.start()].rstrip()):
            return replace(one, end=one.start + len(head), value=replace(one.value, text=head))
    return one


def _would_answer(one: _Seen, place: Place, marks: Marks, bars: Bars) -> bool:
    """The words would answer the open question as well, and neither a name nor a change says that another is meant."""
    if one.named or place.wanted not in WORDED or one.field.wanted not in ("text", "list", place.wanted):
        return False
    if one.field.given and marks.acts.get("correct", 0.0) >= bars.correct:
        return False
    if one.field.wanted in TYPED and marks.acts.get("inform", 0.0) >= bars.doubt:
        return True  # wherever it stands: "thursday? oh wait, is friday possible instead"
    return 2 * (min(one.end, marks.end) - max(one.start, marks.start)) > marks.end - marks.start


def _other_value(field: Field, message: str, marks: Marks, language: Language) -> Value | None:
    """The value that the words give another field; None where they give it none.

    Of a list it is added to what is there or takes its place, as the words say; where they do not, it may be both.
    """
    text = readable(field, message[marks.start : marks.end], language)
    if text is None:
        return None
    value = Value(field=field.name, text=text, confidence=marks.value, placed=marks.span)
    if field.wanted != "list" or not field.present:
        return value
    edit = language.edit(message, {field.name: field.names})
    if edit is None:
        return replace(value, rivals=(replace(value, adds=True),))
    if edit.op == "add" and edit.text in message:  # "add docker to the skills"
        return replace(value, text=edit.text, adds=True)
    return replace(value, adds=edit.op == "add") if edit.op != "remove" else None


def _read_in_two_ways(
    called: tuple[str, str],
    commands: Sequence[tuple[Command, int, int]],
    fields: Sequence[Field],
    language: Language,
) -> Command | None:
    """A change of the answer that is called by its name, where the small model is sure of fewer words: "be eight though"."""
    name, words = called
    found = [c for c, _, _ in commands if c.act == "correct" and c.values and c.values[0].field == name]
    value = found[0].values[0] if found else None
    if value is None or value.placed < _NO_OTHER or value.text not in words:
        return None
    asked = next(f for f in fields if f.name == name)
    if is_typed(asked) and readable(asked, words, language) and _same(asked, words, value.text, language):
        return None  # "5 then ok" is 5
    as_it_was = {normal(f.present or "") for f in fields if f.name == name}  # which would change nothing
    if normal(value.text) in (normal(words), *as_it_was):
        return None
    more = replace(value, text=words, rivals=())
    return replace(found[0], values=(replace(value, placed=0.0, rivals=(more,)),))


def _same(field: Field, words: str, others: str, language: Language) -> bool:
    if field.options or field.parses is None:
        return readable(field, words, language) == readable(field, others, language)
    return bool(field.parses(words) == field.parses(others))


def _is_doubted(name: str, commands: Sequence[tuple[Command, int, int]]) -> bool:
    """What is found for that answer is surely not its new value alone: "must be Lana no Lena"."""
    found = [v for c, _, _ in commands if c.act == "correct" for v in c.values if v.field == name]
    return any(not value.placed for value in found)


def _doubted(
    one: _Seen,
    value: Value,
    seen: Sequence[_Seen],
    message: str,
    place: Place,
    marks: Marks,
    marker: Marker,
    bars: Bars,
    language: Language,
) -> Value:
    """The new value with what else its words may change; nothing to be sure of where they may not be all of it."""
    rivals = [*value.rivals, *_rivals(one, seen)]
    here, asked = marks.acts.get("inform", 0.0), place.open_field()
    within = marks.start < one.end and one.start < marks.end and is_typed(one.field) and not one.named
    if asked is not None and not asked.given and within and here >= bars.doubt:
        text = message[marks.start : marks.end]  # "half past seven, no, eight": it may answer what is asked
        rivals.append(Value(field=asked.name, text=text, confidence=here, placed=marks.span))
        return replace(value, placed=0.0, rivals=tuple(rivals))
    where = Marks(acts={}, start=one.start, end=one.end, value=value.confidence, span=value.placed)
    sure = is_placed(message, one.field, value, where, marker, language)
    placed = value.placed if sure else 0.0
    return replace(value, placed=placed, rivals=tuple(rivals))


def _shares_no_word(field: Field, message: str) -> bool:
    """Nothing of what it is about is in those words: "scratch the neighbour"."""
    about = " ".join((field.label, field.about, field.question, *field.names))
    words, own = (set(map(normal, WORD.findall(text))) for text in (message, about))
    return not any(len(word) > _SHORT and word in own for word in words)


def _rivals(one: _Seen, seen: Sequence[_Seen]) -> tuple[Value, ...]:
    """What else the same words may change; a field that is called by its name has only such rivals."""
    return tuple(
        replace(value, rivals=())
        for other in seen
        for value in (
            other.value,
            *other.value.rivals,
        )  # of a list: in place of what is there, or added to it
        if other is not one
        and other.field.given
        and (other.named or other.field.wanted != "bool")  # whose yes no words of another's turn round
        and (other.named or not one.named)
        and one.start < other.end
        and other.start < one.end
    )


def _again(
    message: str,
    found: Sequence[tuple[Command, int, int]],
    fields: Sequence[Field],
    taken: list[tuple[int, int]],
    marker: Marker,
    bars: Bars,
) -> list[tuple[Command, int, int]]:
    """Further values of what an author's own step looks for: "one called Thrush and another called Wren".

    The message is read anew with what was found blanked out, until nothing likely is left.
    """
    commands: list[tuple[Command, int, int]] = []
    for field in fields:
        told = [c for c, _, _ in found if c.target == "own" and c.values[0].field == field.name]
        if field.wanted != "text" or not told or told[0].confidence < bars.inform:
            continue
        said = {normal(told[0].values[0].text)}
        for _ in range(_MOST_AGAIN):
            left = blanked(message, taken)
            if len(WORD.findall(left)) < BESIDE:
                break
            [marks] = marker.mark(left, [field_query(field)])
            start, end = marks.start, marks.end
            if marks.value < bars.inform or end <= start or any(start < e and s < end for s, e in taken):
                break
            taken.append((start, end))
            text = message[start:end]
            if not any(one in normal(text) for one in said):
                said.add(normal(text))
                value = Value(field=field.name, text=text, confidence=marks.value)
                more = Command(
                    act="inform", confidence=marks.value, layer="learned", target="own", values=(value,)
                )
                commands.append((more, start, end))
    return commands
