"""The learned layer: what the small model marks in a message, as commands of a reading."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import Final

from softrail.core.reading import Act, Bars, Command, Field, Place, Reading, Value, just_below, mean
from softrail.language import Language, choose, is_bulleted, normal
from softrail.reader.agreement import surely_meant, with_a_clear_yes
from softrail.reader.changes.spoken_of import spoken_of
from softrail.reader.changes.taken_back import with_taken_back
from softrail.reader.clauses import clauses_of, head_before, told_by_name
from softrail.reader.fields import (
    BESIDE,
    CLOSED,
    TYPED,
    WORD,
    WORDED,
    Span,
    blanked,
    is_named,
    name_said_last,
    open_query,
)
from softrail.reader.form import FormRead, joint, others, over_the_form
from softrail.reader.hearing import Hearing
from softrail.reader.in_form import in_its_form
from softrail.reader.items import behind_a_nothing, with_the_rest
from softrail.reader.just_before import just_before
from softrail.reader.learned import Marker, Marks, Told, query
from softrail.reader.looked_for import looked_for
from softrail.reader.options import option_meant, words_of
from softrail.reader.overheard import with_overheard, with_what_is_for_later
from softrail.reader.when import as_a_day_or_time, with_its_month

_SURE: Final = 0.95  #: what the reading of the question alone has to be for being believed without the other
_OTHER: Final = 0.3  #: and what anything else may be
_PLACED: Final = 0.9  #: and how sure it has to be of a value and of where it stands
_JOINT: Final = 0.4  #: the share of the joint reading
#: What is about the answers of the form, which the joint reading knows as well; and nobody leaves by one reading.
_OF_A_FORM: Final = frozenset(
    {"inform", "inform_other", "correct", "affirm", "negate", "none", "open", "pause", "leave"}
)
_LEAST: Final = 0.05  #: an act less likely than this is not worth a word
_MORE: Final = 0.3  #: from here on a message is read for other fields, too
#: What may part one thing said from the next.
_PARTED: Final = re.compile(
    r"[,;:)–—.!?](?:\s+\S)|\s(?:-\s|\()|\b(?:and|for|but|with|by|to|on|at|since|from|until|till)\b|\d|\n"
)
_INSIDE: Final = re.compile(r"[,;:–—]\s|\s(?:-\s|\()")
_ACTS: Final[dict[str, Act]] = {"inform_other": "inform"}
_MEANT: Final = 0.8  #: and how likely it must be
_CLEAR: Final = 0.9  #: how sure the place of a value must be where another one stands before it
_UNSURE: Final = 0.6  #: where a number stands is so little sure that another one may be meant
_HARDLY: Final = 0.49  #: what is no more likely than this is asked about
_WHOLE: Final = (
    0.95  #: how sure the joint reading must be of where a value ends, for leaving more than that out
)
_PART: Final = 3  #: words that may be a part of what is told
_MOST: Final = 3  #: answers that are asked about
_INSTEAD: Final[Sequence[Act]] = (
    *("ask", "request", "repeat", "hold", "social", "human"),
    *("none", "open", "affirm", "negate", "pause", "leave"),
)
_AWAY: Final[Sequence[Act]] = ("ask", "request", "hold", "human", "pause", "leave", "affirm")
_WRITTEN: Final = 0.99  #: how sure a list is that is written as one


def marked(reading: Reading, hearing: Hearing) -> Reading:
    """The reading with what the message does in this place, each with its probability, and the values in it."""
    place, bars, language = hearing.place, hearing.bars, hearing.language
    message = reading.message
    told = told_by_name(message, hearing)
    if told is not None:
        read = marked(reading.evolve(message=told.here), hearing)
        return read.evolve(message=message, commands=(*read.commands, *told.others))
    marks = _open_marks(message, hearing)
    here = _value(message, hearing, marks)
    marks, here = _or_does_not_mind(hearing, marks, here)
    form = _form(message, hearing, marks, here)
    if place.asks_back:
        marks = _alone(message, place, marks, language)
    if form is not None and here is not None:
        marks, here = _beside_the_others(message, place, marks, here, form, bars)
        if place.wanted == "list" and any(message[a:b] in here.text for _, (a, b) in form.spans):
            left = blanked(message, [clauses_of(message, span) for _, span in form.spans])
            items = _value(left, hearing, marks)  # "bronze and wax, 60 cm wide"
            here = items if items is not None and WORD.search(items.text) and "…" not in items.text else here
    if here is None and form is not None and form.spans and place.wanted in TYPED:
        here = _in_what_is_left(message, hearing, marks, form)
    if here is not None:
        sure, asked = surely_meant(message, hearing, marks, here), place.open_field()
        if sure >= bars.doubt and asked is not None and place.wanted in TYPED and asked.refuses(here.text):
            sure = max(
                sure, bars.inform
            )  # it is not asked whether that is meant: it is told why it cannot be
        marks = replace(marks, acts={**marks.acts, "inform": sure})
    torn = form.torn if form is not None and here is not None else ()
    if not torn and here is not None and marks.acts.get("inform", 0.0) >= bars.inform:
        torn = just_before(message, hearing, here)
    if torn:  # "oh, yesterday I also fixed the logo": it is asked which answer that is
        marks = replace(marks, acts={**marks.acts, "inform": min(marks.acts.get("inform", 0.0), bars.doubt)})
    commands = [*_commands(message, place, marks, here, language)]
    if place.wanted == "own" or place.lists:
        commands += looked_for(message, hearing, marks)
    read = reading.evolve(
        commands=(*reading.commands, *commands, *(form.commands if form is not None else ()))
    )
    if torn and here is not None:
        return read.evolve(maybe=(*torn, here)[:_MOST])
    if form is None:
        read = with_overheard(read, _by_the_way(message, hearing, marks, here))
    else:
        read = with_overheard(_in_doubt(read, hearing, here, form), form.overheard)
    return with_what_is_for_later(read, hearing) if here is None else read


def _open_marks(message: str, hearing: Hearing) -> Marks:
    """What the message does as an answer to the open question."""
    place, marker, bars, language = hearing.place, hearing.marker, hearing.bars, hearing.language
    if language.waits(message):
        return Marks(acts={"hold": _WRITTEN}, start=0, end=0, value=0.0, span=0.0)
    asked = [open_query(place), *_yes_no_query(place)]
    marks, *also = marker.mark(message, asked)
    if also:
        consent = {act: also[0].acts.get(act, 0.0) for act in ("affirm", "negate")}
        marks = replace(marks, acts={**marks.acts, **consent})
    if place.wanted == "text" and place.question is not None and marks.acts.get("inform", 0.0) < bars.inform:
        marks = as_a_day_or_time(message, place.question.asks, marks, lambda m, q: marker.mark(m, [q])[0])
    marks = _of_both(message, place, marks, marker)
    if place.none and language.is_none(message):
        marks = replace(marks, acts={**marks.acts, "none": _WRITTEN, "inform": _LEAST})
    if language.tells_besides(message):
        marks = replace(marks, acts={**marks.acts, "none": min(marks.acts.get("none", 0.0), bars.doubt)})
    if place.wanted == "list" and language.says_not(message):
        marks = behind_a_nothing(message, hearing, marks)
    # Nothing else is written as a list is, and all of it is the list.
    if place.wanted == "list" and is_bulleted(message, language):
        marks = replace(
            marks, acts={"inform": _WRITTEN}, start=0, end=len(message), value=_WRITTEN, span=_WRITTEN
        )
    marks = in_its_form(message, hearing, marks)
    return with_a_clear_yes(message, hearing, marks)


def _or_does_not_mind(hearing: Hearing, marks: Marks, here: Value | None) -> tuple[Marks, Value | None]:
    """Who gives no answer may mean the option that says so, which is asked: "doesn't matter to me", "no preference"."""
    place, bars = hearing.place, hearing.bars
    question, gives_none = place.question, marks.acts.get("open", 0.0)
    if here is not None or place.wanted != "choice" or place.own or gives_none < bars.other:
        return marks, here
    options = question.options if question is not None else ()
    meant = [option for option in options if hearing.language.is_indifferent(option.label)]
    if len(meant) != 1:
        return marks, here
    acts = {**marks.acts, "inform": max(gives_none, bars.inform), "open": _LEAST}
    return replace(marks, acts=acts), replace(_of(place, meant[0].means, marks), placed=0.0)


def _of_both(message: str, place: Place, marks: Marks, marker: Marker) -> Marks:
    """The mean of both readings where that of the question alone is not sure; the words of the surer one."""
    if place.wanted == "own" or place.offer or _is_sure(marks, place):
        return marks
    read = joint(message, place, marker)
    here = read.told[0]
    does = dict(read.acts)
    if place.wanted in CLOSED:
        does |= {"affirm": mean(does["affirm"], here.yes), "negate": mean(does["negate"], here.no)}
    acts = {
        act: mean(likely, does.get(act, likely), second=_JOINT) if act in _OF_A_FORM else likely
        for act, likely in marks.acts.items()
    }
    value = mean(marks.value, here.given, second=_JOINT)
    marks = replace(marks, acts=acts, value=value)
    if here.placed <= marks.span or _cuts_off(message, place, marks, here):
        return marks
    return replace(marks, start=here.start, end=here.end, span=here.placed)


def _cuts_off(message: str, place: Place, marks: Marks, here: Told) -> bool:
    """It leaves out what may be a part of the value, or deny it: "any day but Monday"."""
    if here.end <= here.start:
        return True
    if place.wanted not in ("text", "list"):
        return marks.start <= here.start and here.end <= marks.end
    left_out = f"{message[marks.start : here.start]} {message[here.end : marks.end]}"
    if any(is_named(field, left_out) for field in others(place)):
        return True
    longer, shorter = message[marks.start : marks.end], message[here.start : here.end]
    return len(WORD.findall(longer)) - len(WORD.findall(shorter)) >= _PART and here.placed < _WHOLE


def _is_sure(marks: Marks, place: Place) -> bool:
    """One thing is done, and it is clear where the value stands."""
    first, second = (*sorted(marks.acts.values(), reverse=True), 0.0, 0.0)[:2]
    answers = marks.acts.get("inform", 0.0) == first and place.wanted not in CLOSED
    return first >= _SURE > _OTHER > second and not (answers and min(marks.value, marks.span) < _PLACED)


def _form(
    message: str,
    hearing: Hearing,
    marks: Marks,
    here: Value | None,
) -> FormRead | None:
    """What it says of the other answers; None where nothing of it can be for them."""
    place, bars = hearing.place, hearing.bars
    if place.wanted == "own" or place.lists:
        return None  # what its author looks for is read for itself
    if not place.shown:
        return None  # what answers it is not to be seen, and so in no other answer
    if hearing.language.takes_back(message) and any(field.given for field in place.fields()):
        pass  # it may be an answer that is taken back
    elif not _asks_further(message, place, marks, bars) and not (
        place.wanted in (*WORDED, "choice", "bool")
        and (_PARTED.search(message) or _hardly_answers(place, marks, here, bars))
        and len(place.fields()) > 1
    ):
        return None
    answers = here is not None and marks.acts.get("inform", 0.0) >= bars.inform
    return over_the_form(message, hearing, marks=marks, reading=answers)


def _by_the_way(
    message: str,
    hearing: Hearing,
    marks: Marks,
    here: Value | None,
) -> Sequence[Value]:
    """The days, times and numbers in a sentence that is the answer, where one that is to come would be read there."""
    place = hearing.place
    if place.wanted != "text" or here is None or not (place.of_a_form and place.shown):
        return ()
    if not any(f.wanted in TYPED and not f.given and f.reads(message) for f in others(place)):
        return ()
    form = over_the_form(message, hearing, marks=marks, reading=True)
    told = [value for c in form.commands if c.act == "inform" for value in c.values]
    return [*told, *form.beside, *form.overheard]


def _hardly_answers(place: Place, marks: Marks, here: Value | None, bars: Bars) -> bool:
    """Nothing of it is clear: people tell what comes to their mind, and it may be another answer."""
    instead = max(marks.acts.get(act, 0.0) for act in _INSTEAD)
    unsure = here is None or marks.acts.get("inform", 0.0) < bars.inform
    return unsure and instead < bars.other and place.wanted not in ("bool", "confirm")


def _beside_the_others(
    message: str, place: Place, marks: Marks, here: Value, form: FormRead, bars: Bars
) -> tuple[Marks, Value]:
    """The open value where the joint reading finds it, without words that are another's; none to be sure of where it finds none."""
    told = form.here
    touched = [span for _, span in form.spans if span[0] < marks.end and marks.start < span[1]]
    if touched and told.given < bars.doubt and place.wanted in (*WORDED, "choice"):
        acts = {**marks.acts, "inform": min(marks.acts.get("inform", 0.0), told.given)}
        return replace(marks, acts=acts), here
    if place.wanted == "text" and _is_rather_for_another(marks, told, form):
        acts = {**marks.acts, "inform": min(marks.acts.get("inform", 0.0), just_below(bars.inform))}
        return replace(marks, acts=acts), here
    if told.given < bars.other or told.end <= told.start or not (touched or place.wanted == "text"):
        return marks, here  # a list is read item by item, and a number by its own reader
    if any(start < told.end and told.start < end for _, (start, end) in form.spans):
        return _cut(message, place, marks, here, touched)
    if not touched and told.placed < max(marks.span, bars.placed):
        return marks, here
    less = len(WORD.findall(message[marks.start : marks.end])) - len(
        WORD.findall(message[told.start : told.end])
    )
    if not touched and less >= _PART and told.placed < _WHOLE:
        return marks, here  # what is left out may be a part of what is told
    text, asked = message[told.start : told.end], place.open_field()
    if place.wanted in TYPED and (asked is None or not asked.reads(text)):
        return marks, here
    return replace(marks, start=told.start, end=told.end, span=told.placed), replace(here, text=text)


def _is_rather_for_another(marks: Marks, told: Told, form: FormRead) -> bool:
    """All of its words are told of another answer, and likelier: "for beachcombers" to what it is called."""
    likely = {value.field: value.confidence for command in form.commands for value in command.values}
    return any(
        a <= marks.start and marks.end <= b and told.given < likely.get(field, 0.0)
        for field, (a, b) in form.spans
    )


def _in_what_is_left(
    message: str,
    hearing: Hearing,
    marks: Marks,
    form: FormRead,
) -> Value | None:
    """The value of a type in words that no other answer takes: "2, eight frames of brood".

    What of them cannot be read is the value all the same: it is told why.
    """
    spans = [span for _, span in form.spans]
    if any(start < marks.end and marks.start < end for start, end in spans):
        return None
    if marks.acts.get("inform", 0.0) < hearing.bars.inform or marks.end <= marks.start:
        return None
    alone = _value(blanked(message, spans), hearing, marks)
    return alone or _of(hearing.place, message[marks.start : marks.end], marks)


def _cut(
    message: str, place: Place, marks: Marks, here: Value, others: Sequence[Span]
) -> tuple[Marks, Value]:
    """The open value without the clauses behind it that are another's: "Nettle: recipe costing", "parking, 18 francs"."""
    end = head_before(message, marks.start, others) if place.wanted in ("text", "list") else None
    if end is None:
        return marks, here
    return replace(marks, end=end), replace(here, text=message[marks.start : end])


def _commands(
    message: str, place: Place, marks: Marks, here: Value | None, language: Language
) -> Iterator[Command]:
    for act, likely in marks.acts.items():
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
        yield Command(act=kind, confidence=likely, layer="learned", target=target, values=values)


def _in_doubt(
    read: Reading,
    hearing: Hearing,
    here: Value | None,
    form: FormRead,
) -> Reading:
    """The reading with what is to be asked: which answers may be told, too, or may be wrong."""
    bars, language = hearing.bars, hearing.language
    given = read.of("inform", target="")
    sure = given is not None and bool(given.values) and given.confidence >= bars.inform
    away, changes = read.likely(*_AWAY), form.acts.get("correct", 0.0)
    back = partial(with_taken_back, read, hearing, form.denied, away, changes=changes)
    taken = back() if language.takes_back(read.message) and not (sure and form.beside) else None
    if taken is not None and taken.commands != read.commands:
        return taken
    if sure:
        return read.evolve(beside=(*form.beside, *_may_change(read, hearing))[:_MOST])
    told = any(c.values and (c.act == "correct" or c.confidence >= bars.inform) for c in read.commands)
    instead = read.likely(*_INSTEAD)
    if not told and form.beside and instead < bars.other:
        first = [replace(here, confidence=given.confidence)] if here is not None and given is not None else []
        likely = [v for v in (*first, *form.beside) if v.confidence >= bars.doubt]
        return read.evolve(maybe=tuple(sorted(likely, key=lambda v: -v.confidence)[:_MOST]))
    called = any(c.act == "correct" and not c.values for c in form.commands)  # by its name, in certain words
    if told or called or (changes < bars.doubt and _is_a_remark(read.message, hearing.place, language)):
        return read
    return taken if taken is not None else back()


def _may_change(read: Reading, hearing: Hearing) -> Sequence[Value]:
    """What may be a new value of another answer, and is not surely one, beside what answers: "12 June. oh and the code was AB7"."""
    bars, fields = hearing.bars, {field.name: field for field in hearing.place.fields()}
    told = [v for c in read.commands if c.act == "correct" for v in c.values if v.text and not v.adds]
    return [
        replace(value, rivals=())
        for value in told
        if not bars.is_sure(value) and value.confidence >= bars.doubt
        if read.likely("correct") >= bars.doubt or is_named(fields[value.field], read.message)
    ]


def _is_a_remark(message: str, place: Place, language: Language) -> bool:
    """Any words may be the answer, and these speak of no other: "your driver swore at me" calls none of them wrong."""
    free = place.wanted == "text" and not place.required and not language.takes_back(message)
    return free and not spoken_of(message, [field for field in place.fields() if field.given], language)


def _alone(message: str, place: Place, marks: Marks, language: Language) -> Marks:
    """What is asked about is about to be done: only an option and nothing besides lets it be."""
    options = place.question.options if place.question is not None else ()
    if not options or choose(message, options, language=language, alone=True) is not None:
        return marks
    return replace(marks, acts={**marks.acts, "inform": min(marks.acts.get("inform", 0.0), _HARDLY)})


def _yes_no_query(place: Place) -> list[str]:
    """An author's own question may be one for yes or no as well: it is asked as such, too."""
    question = place.question
    if place.wanted != "own" or question is None or question.options:
        return []
    return [query("bool", question.asks)]


def _value(message: str, hearing: Hearing, marks: Marks) -> Value | None:
    """The value of the open field: the span, if a reader of the wanted type reads it."""
    place, marker, bars, language = hearing.place, hearing.marker, hearing.bars, hearing.language
    if place.wanted not in WORDED and place.wanted != "choice":
        return None
    if marks.end <= marks.start or (place.wanted == "choice" and marks.acts.get("inform", 0.0) < bars.doubt):
        return None
    open_field = place.open_field()
    unsure = marks.span < bars.span and place.wanted in ("text", "list")
    text = message.strip() if unsure else message[marks.start : marks.end]  # nothing of it is lost
    if place.wanted == "choice" and place.question is not None:
        chosen, placed = choose(text, place.question.options, language=language), 1.0
        if chosen is None and (place.own or place.asks_back):  # of any other it is read where all is read
            options = place.question.options
            chosen, placed = option_meant(
                message, place.question.asks, options, marker, bars, language, beside=False
            )
        if chosen is None:
            return None
        return replace(_of(place, chosen.means, marks), placed=placed)
    if place.wanted in TYPED and open_field is not None and open_field.parses is not None:
        if _says_another(message, hearing, open_field, marks):
            return None
        start, end = open_field.widened(message, marks.start, marks.end)
        text = with_its_month(message, start, end, open_field.parses)
        read = next((t for t in (text, message) if open_field.reads(t)), None)
        return _of(place, read, marks) if read is not None else None
    if (
        place.wanted == "text"
        and place.question is not None
        and language.asks_for_a_name(place.question.asks)
    ):
        text = name_said_last(text, language)
    if place.wanted == "list" and not unsure and marks.acts.get("inform", 0.0) >= bars.inform:
        text = with_the_rest(message, open_query(place), marks, marker, bars)
    return _of(place, text, marks)


def _says_another(message: str, hearing: Hearing, field: Field, marks: Marks) -> bool:
    """It is asked which of two is meant: "thursday? oh wait, is friday possible instead", "20 boxes; 900"."""
    place = hearing.place
    if field.parses is None:
        return False
    if place.wanted == "number" and hearing.language.has_a_reserve(message) and field.may_read(message):
        return True  # "the rent is 650, but I gave him 50 already"
    if _hedges(message, hearing, field, marks):
        return True
    start, end = field.widened(message, marks.start, marks.end)
    if marks.acts.get("correct", 0.0) >= hearing.bars.doubt:
        rest = message[end:]  # the last word is believed, not one that is taken back behind it
    elif marks.span < _UNSURE and place.wanted == "number":
        rest = f"{message[:start]} … {message[end:]}"  # "six, maybe seven"
    elif marks.span < _CLEAR and any(
        f.wanted == field.wanted and not f.given for f in place.fields() if f.name != field.name
    ):
        rest = message[:start]  # people tell things in order: what stands first may be for this question
    else:
        return False
    value, other = field.parses(message[start:end]), field.parses(rest)
    return value is not None and other is not None and other != value


def _hedges(message: str, hearing: Hearing, field: Field, marks: Marks) -> bool:
    """Its place is hardly clear, and all of it may be either of two, none of which is for another answer: "a fortnight, maybe three weeks"."""
    if marks.span >= _CLEAR or marks.acts.get("correct", 0.0) >= hearing.bars.doubt:
        return False
    if field.wanted not in ("number", "time") or field.reads(message) or not field.may_read(message):
        return False
    value = field.parses(message[marks.start : marks.end]) if field.parses is not None else None
    if isinstance(value, timedelta):
        return True  # a number of hours is nothing else
    if isinstance(value, (int, float, Decimal)):
        return False  # "six and a bit, if that is how one counts"
    others = (f for f in hearing.place.fields() if f.wanted == field.wanted and f.name != field.name)
    return not any(not f.given and (f.reads(message) or f.may_read(message)) for f in others)


def _named(here: Value | None, place: Place, message: str, language: Language) -> bool:
    """The option that was found is called by words of its own, somewhere in the message, and no other one is."""
    options = place.question.options if place.question is not None else ()
    option = next((o for o in options if here is not None and o.means == here.text), None)
    if option is None or choose(message, options, language=language) is option:
        return option is not None
    said = {word for word in map(normal, WORD.findall(message)) if not language.is_choosing_word(word)}
    own = said & words_of(option)
    return bool(own) and not any(said & words_of(other) - own for other in options if other is not option)


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
