"""The learned layer: what the small model marks in a message, as commands of a reading."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from softrail.core.questions import Option
from softrail.core.reading import Act, Bars, Command, Field, Place, Value, log_odds
from softrail.language import Language, choose, is_bulleted, normal
from softrail.reader.agreement import value_that_is_meant, with_a_clear_no, with_a_clear_yes
from softrail.reader.clauses import told_by_name
from softrail.reader.fields import BESIDE, TYPED, WORD, WORDED, is_of_another_deed, open_query
from softrail.reader.learned import Marker, Marks, query
from softrail.reader.listing import all_items
from softrail.reader.others import MARK, others
from softrail.reader.when import as_a_day_or_time

_LEAST: Final = 0.05  #: an act less likely than this is not worth a word
_MORE: Final = 0.3  #: from here on a message is read for other fields, too
_INSIDE: Final = re.compile(r"[,:;(–—]\s|\s-\s")
_ACTS: Final[dict[str, Act]] = {"inform_other": "inform"}
_AHEAD: Final = 0.3  #: log odds by which an option that is not named must lead to be asked about
_FAR_AHEAD: Final = 1.0  #: the same to be taken
_MEANT: Final = 0.8  #: and how likely it must be
_CLEAR: Final = 0.9  #: how sure the place of a value must be where another one stands before it
_UNSURE: Final = 0.6  #: where a number stands is so little sure that another one may be meant
_HARDLY: Final = 0.49  #: what is no more likely than this is asked about
_WRITTEN: Final = 0.99  #: how sure a list is that is written as one
_OPTIONS: Final = 8  #: of more, only their own words choose: each takes a reading


def marked(message: str, place: Place, marker: Marker, bars: Bars, language: Language) -> tuple[Command, ...]:
    """What the message does in this place, each with its probability, and the values in it."""
    told = told_by_name(message, place, marker, bars)
    if told is not None:
        return (*marked(told.here, place, marker, bars, language), *told.others)
    asked = [open_query(place), *_yes_no_query(place)]
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
    # Nothing else is written as a list is, and all of it is the list.
    if place.wanted == "list" and is_bulleted(message, language):
        open_marks = replace(
            open_marks, acts={"inform": _WRITTEN}, start=0, end=len(message), value=_WRITTEN, span=_WRITTEN
        )
    if is_of_another_deed(message, place, language):
        hardly = min(open_marks.acts.get("affirm", 0.0), bars.other)  # it is asked what that means
        open_marks = replace(open_marks, acts={**open_marks.acts, "affirm": hardly})
    open_marks = with_a_clear_yes(message, place, open_marks, marker, bars, language)
    read, without_no = open_marks, with_a_clear_no(message, place, open_marks, marker, bars, language)
    if without_no is not read and not _changes_something(message, place, read, marker, bars, language):
        open_marks = without_no
    if place.asks_back:
        open_marks = _asked_back(message, place, open_marks, bars, language)
    commands: list[Command] = []
    here = _value(message, place, open_marks, marker, bars, language)
    if here is not None:
        sure, here = value_that_is_meant(message, place, open_marks, here, marker, bars, language)
        open_marks = replace(open_marks, acts={**open_marks.acts, "inform": sure})
    for act, likely in open_marks.acts.items():
        if likely < _LEAST:
            continue
        kind: Act = _ACTS.get(act, act)  # type: ignore[arg-type] # the model's acts are ours
        target = "other" if act == "inform_other" else ""
        values = (here,) if act == "inform" and here is not None else ()
        if values and place.wanted == "choice" and not _named(here, place, message, language):
            sure = (
                here is not None and here.placed >= _MEANT and not place.own
            )  # whose step acts on it at once
            target = "" if sure else "likely"  # "outside" is near to "inside", too: it is asked
        commands.append(Command(act=kind, confidence=likely, layer="learned", target=target, values=values))
    if _asks_further(message, place, open_marks, bars):
        found = others(message, place, marker, bars, open_marks, here, language)
        commands = [_cut(command, message, place, open_marks, found) for command in commands]
        commands += [command for command, _, _ in found]
    return tuple(commands)


def _changes_something(
    message: str, place: Place, marks: Marks, marker: Marker, bars: Bars, language: Language
) -> bool:
    """Beside the no it gives another answer anew: "no. and bump the salary up to 58k"."""
    found = others(message, place, marker, bars, marks, None, language)
    return any(command.act == "correct" and command.values for command, _, _ in found)


def _asked_back(message: str, place: Place, marks: Marks, bars: Bars, language: Language) -> Marks:
    """What is asked about is about to be done: only a clear yes, or an option and nothing besides, lets it be."""
    acts = dict(marks.acts)
    if acts.get("affirm", 0.0) < bars.agreed or language.has_a_condition(message):
        acts["affirm"] = min(acts.get("affirm", 0.0), _HARDLY)
    options = place.question.options if place.question is not None else ()
    if options and choose(message, options, language=language, alone=True) is None:
        acts["inform"] = min(acts.get("inform", 0.0), _HARDLY)
    return replace(marks, acts=acts)


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
    if place.wanted not in WORDED and place.wanted != "choice":
        return None
    if marks.end <= marks.start or (place.wanted == "choice" and marks.acts.get("inform", 0.0) < bars.doubt):
        return None
    open_field = place.open_field()
    unsure = marks.span < bars.span and place.wanted in ("text", "list")
    text = message.strip() if unsure else message[marks.start : marks.end]  # nothing of it is lost
    if place.wanted == "choice" and place.question is not None:
        chosen, placed = choose(text, place.question.options, language=language), 1.0
        if chosen is None:
            chosen, placed = _begun(text, place.question.options), 0.0
        if chosen is None:
            chosen, placed = _meant(message, place.question.prompt, place.question.options, marker, bars)
        if chosen is None:
            return None
        return replace(_of(place, chosen.value or chosen.label, marks), placed=placed)
    if place.wanted in TYPED and open_field is not None and open_field.parses is not None:
        if _says_another(message, place, open_field, marks, bars):
            return None
        read = next((t for t in (text, message) if open_field.reads(t)), None)
        return _of(place, read, marks) if read is not None else None
    if place.wanted == "list" and not unsure and marks.acts.get("inform", 0.0) >= bars.inform:
        text = all_items(message, open_query(place), marks, marker, bars)
    return _of(place, text, marks)


def _says_another(message: str, place: Place, field: Field, marks: Marks, bars: Bars) -> bool:
    """It is asked which of two is meant: "thursday? oh wait, is friday possible instead", "20 boxes; 900"."""
    if field.parses is None:
        return False
    if marks.acts.get("correct", 0.0) >= bars.doubt:
        rest = message[marks.end :]  # the last word is believed, not one that is taken back behind it
    elif marks.span < _UNSURE and place.wanted == "number":
        rest = f"{message[: marks.start]} … {message[marks.end :]}"  # "six, maybe seven"
    elif marks.span < _CLEAR and any(
        f.wanted == field.wanted and not f.given for f in place.fields() if f.name != field.name
    ):
        rest = message[
            : marks.start
        ]  # people tell things in order: what stands first may be for this question
    else:
        return False
    value, other = field.parses(message[marks.start : marks.end]), field.parses(rest)
    return value is not None and other is not None and other != value


def _begun(text: str, options: Sequence[Option]) -> Option | None:
    """The one option that the words are the beginning of: "l" of "large"; it is asked about."""
    begun = [option for option in options if normal(option.label).startswith(normal(text))]
    return begun[0] if len(begun) == 1 and normal(text) else None


def _meant(
    message: str, question: str, options: Sequence[Option], marker: Marker, bars: Bars
) -> tuple[Option | None, float]:
    """The option that is meant in other words than its own, and how surely; None where none or more than one may be."""
    if not 1 < len(options) <= _OPTIONS:
        return None, 0.0
    asked = [query("option", question, options=(o.label,)) for o in options]
    likely = [(marks.value, at) for at, marks in enumerate(marker.mark(message, asked))]
    (best, at), (second, _) = sorted(likely, reverse=True)[:2]
    ahead = log_odds(best) - log_odds(second)
    if best < bars.other or ahead < _AHEAD:
        return None, 0.0
    return options[at], best if ahead >= _FAR_AHEAD else 0.0


def _named(here: Value | None, place: Place, message: str, language: Language) -> bool:
    """The option that was found is called by words of its own, somewhere in the message, and no other one is."""
    options = place.question.options if place.question is not None else ()
    option = next((o for o in options if here is not None and (o.value or o.label) == here.text), None)
    if option is None or choose(message, options, language=language) is option:
        return option is not None
    said = {word for word in map(normal, WORD.findall(message)) if not language.is_choosing_word(word)}
    own = said & _words_of(option)
    return bool(own) and not any(said & _words_of(other) - own for other in options if other is not option)


def _words_of(option: Option) -> set[str]:
    return {normal(word) for name in (option.label, *option.words) for word in WORD.findall(name)}


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
    if place.wanted in WORDED and len(WORD.findall(rest)) >= BESIDE:
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
    behind = MARK.search(message[marks.start : min(inside)]) if inside else None
    if behind is None or not (head := message[marks.start : marks.start + behind.start()].strip()):
        return command
    return replace(command, values=(replace(command.values[0], text=head),))
