"""What a message says of the other answers of its form: all of them are read at once, so that no word counts twice.

The joint reading tells of each field whether a value of it is there, where, and whether the value there was is called
wrong. What is sure is given, changed or taken back; what is not is kept for asking.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from softrail.core.reading import Act, Bars, Command, Field, Place, Value, log_odds, mean
from softrail.language import Language, normal
from softrail.reader.changes.parts import denies_the_old
from softrail.reader.changes.spoken_of import SPOKEN_OF, likeness
from softrail.reader.clauses import clause_of, clauses, head_before
from softrail.reader.fields import (
    SENTENCE_END,
    TYPED,
    WORD,
    Span,
    beside_its_name,
    blanked,
    field_query,
    is_beside_the_point,
    is_named,
    is_of_the_words_before,
    is_the_same,
    is_typed,
    open_query,
    readable,
    spaced,
)
from softrail.reader.learned import Joint, Marker, Marks, Told
from softrail.reader.named import called_by_name, told_by_clause
from softrail.reader.options import option_called, option_meant

TOLD: Final = 0.6  #: from here on a value for an answer that nobody asked for is kept, and read back
CALLED: Final = 0.5  #: the same, of one that is called by its name
SAYS_SO: Final = 0.6  #: from here on the message tells or changes something, and the question is which field
_FAINT: Final = 0.1  #: what is less likely is nothing
_LEAST: Final = 0.02  #: the same, where something surely changes
SURE_OF_PLACE: Final = 0.9  #: below it a value for another answer ends with its sentence
_SEEN: Final = 0.3  #: from here on a value for an answer that has none may be one
TELLS: Final = 0.15  #: how likely the message must be to tell of anything but what is asked
ASKED: Final = 0.45  #: from here on it is asked whether it is one
REMARK: Final = 0.9  #: the same, where any remark could be the value, and none is needed
PLAINLY: Final = 0.7  #: how likely a message must change something, where nothing speaks of which answer
CHANGED: Final = 0.6  #: from here on an answer is changed
AGREED: Final = 0.85  #: from here on a yes or no to another question is told
NEXT: Final = 1.0  #: log odds by which the answer that is asked for next is preferred
ALONE: Final = 0.7  #: the share of the reading of one field alone, where no answer is called by its name
APART: Final = 0.7  #: log odds by which one must be ahead of another that the same words may give
_SHORT: Final = 3  #: letters of a word that tells nothing: "the", "is"
_FEW: Final = 3  #: words that may be nothing but a value of a type
_MOST: Final = 3  #: answers that are asked about


@dataclass(frozen=True, kw_only=True, slots=True)
class FormRead:
    """What a message says of the answers that are not asked for."""

    here: Told  #: of the open question
    acts: Mapping[str, float]
    commands: tuple[Command, ...] = ()
    spans: tuple[tuple[str, Span], ...] = ()  #: where the values of those commands stand, by field
    beside: tuple[Value, ...] = ()  #: what may be told too, for asking
    torn: tuple[
        Value, ...
    ] = ()  #: answers that are called by their names, and whose words answer what is asked as well
    denied: tuple[tuple[float, Field], ...] = ()  #: how likely each answer given before is called wrong


@dataclass(frozen=True, kw_only=True, slots=True)
class _Seen:
    field: Field
    told: Told
    named: bool
    value: Value
    start: int
    end: int

    @property
    def likely(self) -> float:
        return self.value.confidence

    def touches(self, other: Span) -> bool:
        return self.start < other[1] and other[0] < self.end


def others(place: Place) -> list[Field]:
    """All fields but the one that is asked for."""
    return [f for f in place.fields() if f.name != place.field]


def joint(message: str, place: Place, marker: Marker) -> Joint:
    """The open question and all other fields, read at once."""
    return marker.joint(message, [open_query(place), *map(_put, others(place))])


def over_the_form(
    message: str, place: Place, marker: Marker, bars: Bars, language: Language, *, marks: Marks, reading: bool
) -> FormRead:
    """All other fields, read at once.

    `marks` are what the message does as an answer to the open question; `reading` says whether it has a value for it.
    """
    fields = others(place)
    read = joint(message, place, marker)
    here, *told = read.told
    does = {
        act: mean(marks.acts.get(act, 0.0), read.acts.get(act, 0.0)) for act in ("inform_other", "correct")
    }
    says_no = _says_no(message, language)
    seen: list[_Seen] = []
    denied: list[tuple[float, Field]] = []
    commands: list[Command] = []
    apart: list[tuple[str, Span]] = []  # clauses of other answers
    for field, jointly in zip(fields, told, strict=True):
        one = _called(field, jointly, message, marker, does["inform_other"])
        again = one.given >= one.denied and _said_again(field, one, message)
        if field.given and field.present and field.wanted != "bool" and not again:
            denied.append((one.denied, field))
        if by_clause := told_by_clause(field, one, message, fields, marker, language):
            commands.append(by_clause[0])
            apart.append((field.name, by_clause[1]))
        elif field.wanted == "bool" and (agreed := _agreed(field, one, message)):
            commands += agreed
        elif field.wanted == "bool" and field.given:
            commands += _turned_round(field, message, marker, bars, does["correct"])
        elif (found := _seen(field, one, message, marker, bars, language, does["correct"])) is not None and (
            found.named
            or not _answers_here(
                found, message, here, place, marks, does, bars, says_no=says_no, reading=reading
            )
        ):
            seen.append(found)
    if reading and max(does.values()) < TELLS:  # a remark is no value, whatever it could be
        seen = [one for one in seen if one.named or one.field.given]
    if len(calls := [f for f in fields if f.given and is_named(f, message)]) == 1:  # "the goal should be 600"
        seen = [
            s
            for s in seen
            if is_typed(s.field) or s.field is calls[0] or not is_named(calls[0], s.value.text)
        ]
    if place.wanted == "confirm" and (edit := language.edit(message, {f.name: f.names for f in fields})):
        seen = [one for one in seen if edit.field in (None, one.field.name)]  # "add blocker …" names it
    seen = [_read_twice(one, message, marker) for one in seen]
    seen = [_weighed(_fits_alone(one, fields, message, language), seen, does) for one in seen]
    seen = [_on_evidence(one, fields, message, does["correct"], bars, language) for one in seen]
    seen = [one for one in seen if one.likely >= bars.doubt]
    given, spans, beside, torn = _given(message, seen, here, place, bars, reading=reading)
    if reading and here.given >= bars.other:
        told_too = {value.field for command in (*commands, *given) for value in command.values}
        places = [(here.start, here.end), *(span for _, span in spans)]
        typed = [f for f in fields if is_typed(f) and not f.given and f.wanted != place.wanted]
        like = {f.name: one.given for f, one in zip(fields, told, strict=True)}
        for command, span in _left_over(blanked(message, places), typed, told_too, like, language):
            given.append(command)
            apart.append((command.values[0].field, span))
    found_all = called_by_name(message, [*commands, *given], fields, bars, language)
    return FormRead(
        here=here,
        acts=read.acts,
        commands=tuple(found_all),
        spans=(*spans, *apart),
        beside=beside,
        torn=torn,
        denied=tuple(denied),
    )


def _called(field: Field, one: Told, message: str, marker: Marker, tells: float) -> Told:
    """What is told of a field that has no answer yet and is called by its name, as it is in the mean of both readings."""
    if tells < SAYS_SO or field.given or field.wanted == "bool" or not is_named(field, message):
        return one
    [alone] = marker.mark(message, [field_query(field)])
    if alone.value <= one.given or alone.end <= alone.start:
        return one
    both = mean(one.given, alone.value, second=ALONE)
    return replace(one, given=both, start=alone.start, end=alone.end, placed=alone.span)


def _answers_here(
    one: _Seen,
    message: str,
    here: Told,
    place: Place,
    marks: Marks,
    does: Mapping[str, float],
    bars: Bars,
    *,
    says_no: bool,
    reading: bool,
) -> bool:
    """The words are hardly for another answer: they would answer what is asked, were taken back, or wish for something."""
    if reading and _gives_it_again(one, place, message[marks.start : marks.end]):
        return True
    if one.field.given and reading and does["correct"] < bars.correct and one.touches((here.start, here.end)):
        return True
    if one.field.given:  # any words could be its value, and nothing says that it is to change
        changes = max(does["correct"], one.told.denied if says_no else 0.0)  # "no, call it Foo"
        return one.field.wanted in ("text", "list") and changes < bars.rival
    if not reading and marks.acts.get("inform", 0.0) >= bars.other:
        return True  # it answers the question, in words that its type cannot read
    if is_typed(one.field) and one.field.wanted == place.wanted:
        # "20, no wait, 25": people tell things in order, and one of the two is what was taken back.
        again = one.end <= max(here.start, marks.start) or one.touches((marks.start, marks.end))
        asked = place.open_field()
        if (
            not reading
            and asked is not None
            and not asked.reads(message[slice(*clause_of(message, (one.start, one.end)))])
        ):
            return False  # "25 mins" are no guests
        return again if reading else marks.acts.get("inform", 0.0) >= bars.doubt
    instead = max(marks.acts.get(act, 0.0) for act in ("request", "ask", "hold", "pause", "leave", "human"))
    return not reading and one.field.wanted in ("text", "list") and instead >= bars.doubt


def _gives_it_again(one: _Seen, place: Place, answer: str) -> bool:
    """The number that answers the question, said once more: "five and a bit, call it five"."""
    field = one.field
    if field.wanted != place.wanted or not is_typed(field) or field.parses is None:
        return False
    value = field.parses(answer)
    return value is not None and bool(value == field.parses(one.value.text))


def _read_twice(one: _Seen, message: str, marker: Marker) -> _Seen:
    """A change that calls no answer by its name, as likely as it is in the mean of both readings.

    The joint reading knows best that something changes, the one of a field alone what kind of words that field has.
    """
    if not one.field.given or one.named:
        return one
    [alone] = marker.mark(message, [field_query(one.field)])
    likely = alone.value if one.touches((alone.start, alone.end)) else _LEAST
    both = mean(one.likely, max(likely, _LEAST), second=ALONE)
    value = replace(one.value, confidence=both)
    if (alone.start, alone.end) == (one.start, one.end) and value.placed:
        value = replace(value, placed=max(value.placed, alone.span))
    return replace(one, value=value)


def _weighed(one: _Seen, seen: Sequence[_Seen], does: Mapping[str, float]) -> _Seen:
    """The value, likelier where the message surely tells or changes something and hardly another field has its words."""
    says_so = does["correct"] if one.field.given else does["inform_other"]
    rivals = [r for r in seen if r.field.given == one.field.given and r.touches((one.start, one.end))]
    share = one.likely / max(sum(r.likely for r in rivals), 1e-6)
    likely = min(share, says_so)
    least = _FAINT if one.field.given else _SEEN
    if says_so < SAYS_SO or one.likely < least or likely <= one.likely:
        return one
    return replace(one, value=replace(one.value, confidence=likely))


def _put(field: Field) -> str:
    """The field as it is put to the model: a yes that was given is a yes."""
    if field.wanted != "bool" or field.present is None:
        return field_query(field)
    return field_query(replace(field, present="yes" if field.present == "True" else "no"))


def _left_over(
    left: str, fields: Sequence[Field], told: Collection[str], likely: Mapping[str, float], language: Language
) -> Iterator[tuple[Command, Span]]:
    """The value of one type alone that a clause beside the answer is, and where: "4 tomorrow", "sport, 30 min".

    What may be said once more of a field that has its value, one of `told`, is no other's.
    """
    told = set(told)
    said = [(a, b) for a, b in clauses(left) if WORD.search(left, a, b)]
    for start, end in said:
        words = left[start:end].replace("…", " ").strip(" \t\n,;:.!?-–—")
        kept = " ".join(word for word in words.split() if not language.is_choosing_word(normal(word)))
        few = len(said) == 1 and len(words.split()) <= _FEW
        known = [f for f in fields if kept and (f.options or f.parses) and not (few and f.name in told)]
        times = [f for f in known if f.wanted == "time" and f.name not in told]
        if times and (few or any(f.reads(words) or f.may_read(words) for f in times)):
            known = [f for f in known if f.wanted != "number"]  # "10 sharp" may be that, or a number
        read = [(f, text) for f in known if (text := readable(f, kept if few else words, language))]
        if not read:
            continue
        read.sort(key=lambda one: (not is_named(one[0], words), -likely[one[0].name]))
        (field, text), *rivals = read
        ahead = [log_odds(likely[field.name]) - log_odds(likely[other.name]) for other, _ in rivals]
        sure = few or is_named(field, words) or likely[field.name] >= _SEEN
        if field.name in told or not sure or min(ahead, default=APART) < APART or (few and rivals):
            continue
        told.add(field.name)
        value = Value(field=field.name, text=text, confidence=AGREED, placed=1.0)
        command = Command(act="inform", confidence=AGREED, layer="learned", target="other", values=(value,))
        yield command, (start, end)


def _agreed(field: Field, told: Told, message: str) -> list[Command]:
    """A yes or no to another question."""
    yes = told.yes >= told.no
    likely = told.yes if yes else told.no
    text = "yes" if yes else "no"
    if likely < AGREED or (field.given and _is(field, yes)):
        return []
    named = is_named(field, message)
    if field.given and not named and likely < 0.95:
        return []
    act: Act = "correct" if field.given else "inform"
    value = Value(field=field.name, text=text, confidence=likely, placed=1.0)
    target = "" if field.given else "other"
    return [Command(act=act, confidence=likely, layer="learned", target=target, values=(value,))]


def _turned_round(field: Field, message: str, marker: Marker, bars: Bars, changes: float) -> list[Command]:
    """A yes that becomes a no, or a no a yes, where the message changes something and speaks of what that is about."""
    about = " ".join((field.label, field.about, field.question, *field.names))
    words, own = (set(map(normal, WORD.findall(text))) for text in (message, about))
    if changes < bars.correct or not any(len(word) > _SHORT and word in own for word in words):
        return []
    [alone] = marker.mark(message, [field_query(field)])
    if alone.value < bars.changed:
        return []
    value = Value(field=field.name, text="no" if field.present == "True" else "yes", confidence=alone.value)
    return [Command(act="correct", confidence=alone.value, layer="learned", values=(value,))]


def _is(field: Field, yes: bool) -> bool:
    return (field.present == "True") == yes


def _seen(
    field: Field,
    told: Told,
    message: str,
    marker: Marker,
    bars: Bars,
    language: Language,
    changes: float,
) -> _Seen | None:
    """The value of a field, if it is likely enough to be asked about and its type reads it."""
    least = _LEAST if field.given and changes >= SAYS_SO else _FAINT
    if field.wanted == "bool" or told.given < least or told.end <= told.start:
        return None
    start, end = told.start, told.end
    if told.placed < SURE_OF_PLACE and (ends := SENTENCE_END.search(message, start, end)) is not None:
        end = ends.start()
    start, end = field.widened(message, start, end)
    named = is_named(field, f"{message[:start]} {message[end:]}")
    if not field.given and is_beside_the_point(field, named) and told.given < REMARK:
        return None
    if is_typed(field) and not named and is_of_the_words_before(message, start, language):
        return None
    text, placed, likely = readable(field, message[start:end], language), told.placed, told.given
    if field.options:
        option = option_called(message[start:end], field.options, language)
        if text is None and option is None and told.given >= bars.other:
            option, placed = option_meant(message, field.question, field.options, marker, bars)
        elif option is not None and not field.given and not language.leaves_out(message, option.label):
            whole = f" {spaced(option.label)} " in f" {spaced(message[start:end])} "
            likely = max(
                likely, TOLD if whole or told.given >= _SEEN else 0.0
            )  # its very word is hardly more
        text = text or ((option.value or option.label) if option is not None else None)
    elif text is None and is_typed(field) and not field.given:
        text = readable(
            field, message[slice(*clause_of(message, (start, end)))], language
        )  # "only half an hour"
    if text is None and is_typed(field) and min(told.given, told.denied) >= CHANGED and changes >= SAYS_SO:
        text = message[start:end]  # "start at 3 instead": it is told why that cannot be read
    if text is None or not (field.options or WORD.search(text)):
        return None
    if field.given and not is_typed(field) and (alone := beside_its_name(field, text, language)) != text:
        text, placed = alone, 0.0
    if not field.given and field.wanted in TYPED and language.is_choosing_word(normal(text)):
        return None  # "this one" is no number
    if _said_again(field, told, message):
        return None
    if field.given and field.wanted == "text" and denies_the_old(field.present or "", text, language):
        placed = 0.0  # "Lana no Lena": it is asked what is meant
    if field.given and field.wanted != "list":
        likely = mean(told.given, told.denied)
    value = Value(field=field.name, text=text, confidence=likely, placed=placed)
    if field.wanted == "list" and field.present:
        edit = language.edit(message, {field.name: field.names})
        if edit is not None and edit.op == "remove":
            return None
        if edit is None:
            value = replace(value, rivals=(replace(value, adds=True),))
        elif edit.op == "add":
            value = replace(value, text=edit.text if edit.text in message else text, adds=True)
    return _Seen(field=field, told=told, named=named, value=value, start=start, end=end)


def _fits_alone(one: _Seen, fields: Sequence[Field], message: str, language: Language) -> _Seen:
    """The value of a type, wherever exactly it ends, where no other answer could be those words: "make that seven people".

    An answer of the same type could be, unless the message speaks less of that: how many people come, and how many cars.
    """
    field, text = one.field, one.value.text
    clause = next((c for c in clauses(message) if c[0] <= one.start and one.end <= c[1]), None)
    if not field.given or not is_typed(field) or clause is None or one.value.placed >= SURE_OF_PLACE:
        return one
    if field.parses is not None and is_the_same(field.parses(text), field.present or ""):
        return one
    rest = (message[clause[0] : one.start], message[one.end : clause[1]])
    like = likeness(message, fields, language)
    others = (
        f for f in fields if f.given and is_typed(f) and f is not field and like[f.name] >= like[field.name]
    )
    reads = [(field, words) for words in rest] + [(other, text) for other in others]
    if readable(field, text, language) is None or any(readable(f, w, language) is not None for f, w in reads):
        return one
    return replace(one, value=replace(one.value, placed=1.0))


def _on_evidence(
    one: _Seen, fields: Sequence[Field], message: str, changes: float, bars: Bars, language: Language
) -> _Seen:
    """The value, in doubt where any words could be that answer and nothing speaks of it: "also it has to be cheap"."""
    field = one.field
    if not field.given or field.wanted not in ("text", "list") or one.named or changes >= PLAINLY:
        return one
    rest = f"{message[: one.start]} {message[one.end :]}"
    if _says_no(rest, language) or likeness(rest, fields, language)[field.name] >= SPOKEN_OF:
        return one
    return replace(one, value=replace(one.value, confidence=min(one.likely, bars.changed - 0.01)))


def _says_no(text: str, language: Language) -> bool:
    return any(language.negates(word) or language.consent(word) == "no" for word in normal(text).split())


def _said_again(field: Field, told: Told, message: str) -> bool:
    """The value that there is: "no no, Friday is right"."""
    words = normal(message[told.start : told.end])
    return field.given and bool(words) and words == normal(field.present or "")


def _is_another_number(one: _Seen, seen: Sequence[_Seen], bars: Bars) -> bool:
    """A number beside one for an answer that has none: "about 1500, 1800 if it must be" changes no other 1800."""
    numbers = [other for other in seen if other.field.wanted == "number" and other is not one]
    return one.field.wanted == "number" and any(not o.field.given and o.likely >= bars.doubt for o in numbers)


def _next(place: Place) -> str | None:
    """The field that is asked for after the open one: people tell things in order."""
    fields = place.fields()
    at = next((n for n, f in enumerate(fields) if f.name == place.field), len(fields))
    return next((f.name for f in fields[at + 1 :] if not f.given), None)


def _before_the_typed(one: _Seen, seen: Sequence[_Seen], message: str) -> _Seen:
    """Words without the clause behind them that is a number, a day or an option: "Main Street 5, 1200 EUR"."""
    typed = [
        (o.start, o.end)
        for o in seen
        if is_typed(o.field) and o.likely >= TOLD and one.touches((o.start, o.end))
    ]
    end = head_before(message, one.start, typed) if one.field.wanted in ("text", "list") else None
    if end is None or is_typed(one.field):
        return one
    return replace(one, end=end, value=replace(one.value, text=message[one.start : end]))


def _given(
    message: str, seen: Sequence[_Seen], here: Told, place: Place, bars: Bars, *, reading: bool
) -> tuple[list[Command], tuple[tuple[str, Span], ...], tuple[Value, ...], tuple[Value, ...]]:
    """The values that are sure, where they stand, what else may be told, and what answers the open question as well."""
    following = _next(place)

    def rank(one: _Seen) -> float:
        return log_odds(one.likely) + (NEXT if reading and one.field.name == following else 0.0)

    seen = [_before_the_typed(one, seen, message) for one in seen]
    ranked = sorted(seen, key=lambda one: (not one.named, -rank(one)))
    taken: list[_Seen] = []
    beside: list[Value] = []
    torn: list[Value] = []
    commands: list[Command] = []
    for one in ranked:
        if any(one.touches((other.start, other.end)) for other in taken):
            continue
        rivals = [
            other
            for other in ranked
            if other is not one
            and other not in taken
            and one.touches((other.start, other.end))
            and not (one.named and not other.named)
            and rank(one) - rank(other) < APART
        ]
        least = CALLED if one.named else CHANGED if one.field.given else TOLD
        sure = one.likely >= least and not rivals
        behind = head_before(message, here.start, [(one.start, one.end)]) is not None
        own = is_typed(one.field) or one.end >= here.end
        within = (
            reading
            and not (behind and own and sure)
            and one.touches((here.start, here.end))
            and here.given >= one.likely
            and not (
                one.field.options and place.wanted == "text"
            )  # "the tap in the garden" tells the room, too
        )
        if within and not (one.field.given and not one.value.adds):
            torn += [one.value] if one.named else []
            continue  # the same words answer what is asked
        if one.field.given and not one.value.adds:
            there = [normal(item) for item in (one.field.present or "").split("; ")]  # is not added once more
            adds = [r for r in one.value.rivals if normal(r.text) not in there]
            adds = [replace(r, confidence=one.likely) for r in adds]
            value = replace(one.value, rivals=(*adds, *(replace(r.value, rivals=()) for r in rivals)))
            if not one.named and _is_another_number(one, ranked, bars):
                value = replace(value, confidence=min(value.confidence, CHANGED - 0.01))  # that is asked
            commands.append(
                Command(act="correct", confidence=value.confidence, layer="learned", values=(value,))
            )
            taken.append(one)
            continue
        if sure:
            commands.append(
                Command(
                    act="inform", confidence=one.likely, layer="learned", target="other", values=(one.value,)
                )
            )
            taken.append(one)
        elif one.likely >= ASKED:
            near = [
                r for r in ranked if r is not one and not r.field.given and r.touches((one.start, one.end))
            ]
            beside += [one.value, *(r.value for r in near if r.likely >= bars.doubt)]
            taken.append(one)
    spans = tuple((one.field.name, (one.start, one.end)) for one in taken)
    return commands, spans, tuple(dict.fromkeys(beside))[:_MOST], tuple(torn)
