"""The learned layer: what the small model marks in a message, as commands of a reading."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from softrail.core.questions import Option
from softrail.core.reading import Act, Bars, Command, Field, Place, Value, Wanted, log_odds
from softrail.language import Language, choose, normal
from softrail.reader.learned import Marks, query
from softrail.reader.when import as_a_day_or_time

_LEAST: Final = 0.05  #: an act less likely than this is not worth a word
_MORE: Final = 0.3  #: from here on a message is read for other fields, too
_LEFT: Final = 2  #: words beside a value from which on they may be another's
_SURE: Final = 0.7  #: from here on a value may be cut out of that of the open question
_WORD: Final = re.compile(r"[^\W\d_]{2,}|\d+")
_MARK: Final = re.compile(r"\s*(?:[,:;(–—]|\s-|,?\s+and\b)[\s\w]{0,12}$")
_INSIDE: Final = re.compile(r"[,:;(–—]\s|\s-\s")
_KINDS: Final[dict[Wanted, str]] = {"own": "text", "file": "text"}
_ACTS: Final[dict[str, Act]] = {"inform_other": "inform"}
_AHEAD: Final = 0.3  #: log odds by which an option that is not named must lead
_TYPED_VALUE: Final = 0.4  #: as likely is enough for a value where its type must fit, too
_MOST_AGAIN: Final = 8  #: values of one field in a message, beside the first
_OPTIONS: Final = 8  #: of more, only their own words choose: each takes a reading
_TYPED: Final = frozenset({"number", "date", "time", "file"})
_WORDED: Final = frozenset({"text", "list", "number", "date", "time"})  #: answered by words of a message


@dataclass(frozen=True, kw_only=True, slots=True)
class _Seen:
    """A value for another field than the open one, and where it stands."""

    field: Field
    named: bool  #: the words beside it call the field by its name
    enough: bool  #: it is likely enough to be taken, where no likelier field has its words
    start: int
    end: int
    value: Value


class Marker(Protocol):
    """The small model, or what stands for it in a test."""

    def mark(self, message: str, queries: Sequence[str]) -> Sequence[Marks]:
        """What the message does and gives, for each query. It computes for milliseconds."""
        ...


def marked(message: str, place: Place, marker: Marker, bars: Bars, language: Language) -> tuple[Command, ...]:
    """What the message does in this place, each with its probability, and the values in it."""
    asked = [_open_query(place), *_yes_no_query(place)]
    open_marks, *also = marker.mark(message, asked)
    if also:
        consent = {act: also[0].acts.get(act, 0.0) for act in ("affirm", "negate")}
        open_marks = replace(open_marks, acts={**open_marks.acts, **consent})
    if (
        place.wanted == "text"
        and place.question is not None
        and open_marks.acts.get("inform", 0.0) < bars.inform
    ):
        prompt = place.question.prompt
        open_marks = as_a_day_or_time(message, prompt, open_marks, lambda m, q: marker.mark(m, [q])[0])
    commands: list[Command] = []
    here = _value(message, place, open_marks, marker, bars, language)
    for act, likely in open_marks.acts.items():
        if likely < _LEAST:
            continue
        kind: Act = _ACTS.get(act, act)  # type: ignore[arg-type] # the model's acts are ours
        target = "other" if act == "inform_other" else ""
        values = (here,) if act == "inform" and here is not None else ()
        if values and place.own and place.wanted == "choice" and not _named(here, place, message, language):
            target = "likely"  # a step acts on it at once, nothing is read back: it is asked
        commands.append(Command(act=kind, confidence=likely, layer="learned", target=target, values=values))
    if _asks_further(message, place, open_marks, bars):
        found = _others(message, place, marker, bars, open_marks, here, language)
        commands = [_cut(command, message, place, open_marks, found) for command in commands]
        commands += [command for command, _, _ in found]
    return tuple(commands)


def _open_query(place: Place) -> str:
    question = place.question
    options = (
        [o.label for o in question.options] if question is not None and place.wanted not in ("bool",) else []
    )
    kind = "choice" if place.wanted == "own" and options else _KINDS.get(place.wanted, place.wanted)
    if place.wanted == "confirm" and not place.offer:
        return query("confirm", "Is that right?")
    return query(kind, question.prompt if question is not None else "", options=options)


def _yes_no_query(place: Place) -> list[str]:
    """An author's own question may be one for yes or no as well: it is asked as such, too."""
    question = place.question
    if place.wanted != "own" or question is None or question.options:
        return []
    return [query("bool", question.prompt)]


def _value(
    message: str, place: Place, marks: Marks, marker: Marker, bars: Bars, language: Language
) -> Value | None:
    """The value of the open field: the span, if a reader of the wanted type reads it."""
    if place.wanted not in _WORDED and place.wanted != "choice":
        return None
    if marks.end <= marks.start or (place.wanted == "choice" and marks.acts.get("inform", 0.0) < bars.doubt):
        return None
    open_field = place.open_field()
    unsure = marks.span < bars.span and place.wanted in ("text", "list")
    text = message.strip() if unsure else message[marks.start : marks.end]  # nothing of it is lost
    if place.wanted == "choice" and place.question is not None:
        chosen = choose(text, place.question.options, language=language)
        if chosen is None:
            chosen = _meant(message, place.question.prompt, place.question.options, marker, bars)
        return _of(place, chosen.value or chosen.label, marks) if chosen is not None else None
    if place.wanted in _TYPED and open_field is not None and open_field.reads is not None:
        read = next((t for t in (text, message) if open_field.reads(t)), None)
        return _of(place, read, marks) if read is not None else None
    return _of(place, text, marks)


def _meant(
    message: str, question: str, options: Sequence[Option], marker: Marker, bars: Bars
) -> Option | None:
    """The option that is meant in other words than its own; None where none or more than one may be."""
    if not 1 < len(options) <= _OPTIONS:
        return None
    asked = [query("option", question, options=(o.label,)) for o in options]
    likely = [(marks.value, at) for at, marks in enumerate(marker.mark(message, asked))]
    (best, at), (second, _) = sorted(likely, reverse=True)[:2]
    return options[at] if best >= bars.other and log_odds(best) - log_odds(second) >= _AHEAD else None


def _named(here: Value | None, place: Place, message: str, language: Language) -> bool:
    """The option that was found is called by words of its own, somewhere in the message, and no other one is."""
    options = place.question.options if place.question is not None else ()
    option = next((o for o in options if here is not None and (o.value or o.label) == here.text), None)
    if option is None or choose(message, options, language=language) is option:
        return option is not None
    said = {word for word in map(normal, _WORD.findall(message)) if not language.is_choosing_word(word)}
    own = said & _words_of(option)
    return bool(own) and not any(said & _words_of(other) - own for other in options if other is not option)


def _words_of(option: Option) -> set[str]:
    return {normal(word) for name in (option.label, *option.words) for word in _WORD.findall(name)}


def _of(place: Place, text: str, marks: Marks) -> Value:
    return Value(field=place.field or "", text=text, confidence=marks.value * marks.span)


def _asks_further(message: str, place: Place, marks: Marks, bars: Bars) -> bool:
    """Whether the message may give other fields, too: it says so, or words are left beside the value."""
    answers = marks.acts.get("inform", 0.0) >= bars.inform
    rest = f"{message[: marks.start]} {message[marks.end :]}" if answers and marks.value >= _MORE else ""
    if (
        answers
        and place.wanted == "text"
        and (within := _INSIDE.search(message[marks.start : marks.end])) is not None
    ):
        rest += message[marks.start + within.end() : marks.end]  # "Nettle: recipe costing"
    if place.wanted in _WORDED and len(_WORD.findall(rest)) >= _LEFT:
        return len(place.fields()) > 1
    further = max(marks.acts.get("inform_other", 0.0), marks.acts.get("correct", 0.0))
    if place.wanted == "own":
        fields = place.fields()
        return any(further >= _MORE or not field.given for field in fields)
    if (
        place.wanted == "confirm" and not place.offer
    ):  # what may change is seen before a yes lets anything be done
        return max(further, marks.acts.get("inform", 0.0)) >= bars.rival
    return further >= _MORE


def _cut(
    command: Command, message: str, place: Place, marks: Marks, found: Sequence[tuple[Command, int, int]]
) -> Command:
    """The open value without what is another field's, behind a mark: "Nettle: recipe costing"."""
    if command.act != "inform" or not command.values or command.target:
        return command
    for other, start, end in found:
        if (
            other.act == "correct" and start < marks.end and marks.start < end
        ):  # the same words, meant otherwise
            command = replace(command, confidence=min(command.confidence, 1 - other.confidence))
    if place.wanted not in ("text", "list"):
        return command
    inside = [start for _, start, end in found if marks.start < start and end == marks.end]
    behind = _MARK.search(message[marks.start : min(inside)]) if inside else None
    if behind is None or not (head := message[marks.start : marks.start + behind.start()].strip()):
        return command
    return replace(command, values=(replace(command.values[0], text=head),))


def _others(
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
    if place.own and open_marks.acts.get("correct", 0.0) < bars.correct:
        fields = [f for f in fields if not f.given]  # an answer to an author's own question changes no other
    # Where the message says that something is to change, less will do to say what.
    bar = bars.doubt if open_marks.acts.get("correct", 0.0) >= bars.correct else bars.value
    seen: list[_Seen] = []
    for field, marks in zip(fields, marker.mark(message, [field_query(f) for f in fields]), strict=True):
        named = _is_named(field, f"{message[: marks.start]} {message[marks.end :]}")
        least = bars.doubt if named else min(bar, _TYPED_VALUE) if _is_typed(field) else bar
        if marks.value < min(least, bars.rival) or marks.end <= marks.start:
            continue
        value = _other_value(field, message, marks, language)
        if value is not None:
            enough = marks.value >= least
            seen.append(
                _Seen(field=field, named=named, enough=enough, start=marks.start, end=marks.end, value=value)
            )
    seen.sort(key=lambda one: (not one.named, -one.value.confidence))
    own = here is not None and open_marks.acts.get("inform", 0.0) >= bars.inform
    taken: list[tuple[int, int]] = []
    commands: list[tuple[Command, int, int]] = []
    for one in seen:
        if not one.enough:
            continue
        field, start, end, value = one.field, one.start, one.end, one.value
        inside = open_marks.start < start and end == open_marks.end
        behind = inside and _MARK.search(message[open_marks.start : start]) is not None
        changes = field.given and value.confidence > open_marks.value  # "no, call it Foo" answers nothing
        beside = place.wanted in _TYPED and _is_typed(field)  # "2 medium"
        may_cut = beside or (value.confidence >= _SURE and (behind or changes))
        if not own and not behind and _would_answer(one, place, open_marks, bars):
            continue  # nobody said that another is meant: it is asked whether it answers what is open
        likelier = taken if may_cut or not own else [*taken, (open_marks.start, open_marks.end)]
        if any(start < other_end and other_start < end for other_start, other_end in likelier):
            continue  # the same words are the value of a likelier field
        taken.append((start, end))
        act: Act = "correct" if field.given and not value.adds else "inform"
        if act == "correct":
            value = replace(value, rivals=(*value.rivals, *_rivals(one, seen)))
        target = "" if act == "correct" else "own" if place.wanted == "own" else "other"
        told = Command(act=act, confidence=value.confidence, layer="learned", target=target, values=(value,))
        commands.append((told, start, end))
    given = {f.name: f.names for f in fields if f.given}
    called = language.correction(message, given) if given else None
    surely = {
        c.values[0].field for c, _, _ in commands if c.act == "correct" and c.confidence >= bars.changed
    }
    if called is not None and not (called[0] in surely and len(surely) > 1):
        # One answer is called by its name, in words that are certain: what else was seen in them is none.
        commands = [one for one in commands if one[0].act != "correct"]
        commands.append((Command(act="correct", layer="learned"), 0, 0))
    if place.wanted == "own":
        commands += _again(message, commands, fields, taken, marker, bars)
    return commands


def _would_answer(one: _Seen, place: Place, marks: Marks, bars: Bars) -> bool:
    """The words would answer the open question as well, and neither a name nor a change says that another is meant."""
    if one.named or place.wanted not in _WORDED or one.field.wanted not in ("text", "list", place.wanted):
        return False
    if one.field.given and marks.acts.get("correct", 0.0) >= bars.correct:
        return False
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
    return replace(value, adds=edit.op == "add") if edit.op != "remove" else None


def _rivals(one: _Seen, seen: Sequence[_Seen]) -> tuple[Value, ...]:
    """What else the same words may change; a field that is called by its name has only such rivals."""
    return tuple(
        replace(other.value, rivals=())
        for other in seen
        if other is not one
        and other.field.given
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
            left = _blanked(message, taken)
            if len(_WORD.findall(left)) < _LEFT:
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


def _blanked(message: str, taken: Sequence[tuple[int, int]]) -> str:
    """The message with a mark in place of each of those parts; every other letter stays where it is."""
    for start, end in taken:
        message = message[:start] + "…".ljust(end - start) + message[end:]
    return message


def _is_typed(field: Field) -> bool:
    """Its value is one of few words: there is less to mistake for it."""
    return bool(field.options) or field.wanted in _TYPED


def _is_named(field: Field, rest: str) -> bool:
    """The words beside a value call the field by its name: "the audience is …"."""
    said = f" {_spaced(rest)} "
    return any(f" {_spaced(name)} " in said for name in (field.label, *field.names) if name)


def _spaced(text: str) -> str:
    """Its words alone: "check-in date" is "check in date"."""
    return " ".join(re.findall(r"\w+", normal(text)))


def field_query(field: Field) -> str:
    """What the small model is asked of a field that is not the open one."""
    about = field.about or f"{field.label}: {field.question}" if field.label else field.question
    options: Sequence[Option] = field.options
    kind = _KINDS.get(field.wanted, field.wanted)
    return query(kind, about, options=[o.label for o in options], present=field.present)


def readable(field: Field, text: str, language: Language) -> str | None:
    """The words, if they give a value of the field's type."""
    if field.wanted == "bool":  # what was said before is turned round: the words say that it is to change
        return None if field.present is None else "no" if field.present == "True" else "yes"
    if field.options:
        chosen = choose(text, field.options, language=language)
        return (chosen.value or chosen.label) if chosen is not None else None
    if field.wanted in _TYPED and field.reads is not None and not field.reads(text):
        return None
    return text
