"""Tells a reader what the question of an instance wants, and what its other answers are."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from softrail.core.errors import StepFailed
from softrail.core.frozen import evolved
from softrail.core.instances import Instance
from softrail.core.questions import Question
from softrail.core.reading import Field, Place, Wanted
from softrail.core.turns import Turn
from softrail.language import language
from softrail.processes.definition import Definition, FieldDefinition
from softrail.processes.forms import fits_its_type, part_in_form, pattern_of
from softrail.processes.lists_of_steps import field_of, lists_of
from softrail.processes.none_given import none_of
from softrail.processes.put_right import begun_on, put_right
from softrail.processes.readers import Reading
from softrail.processes.spoken import length_in_units, whole
from softrail.processes.state import State, load
from softrail.processes.telling import labels_of, typed
from softrail.processes.unread import Unread

_WANTED: dict[str, Wanted] = {"consent": "bool", "options": "choice", "own": "text"}


def placed(definition: Definition, instance: Instance, turn: Turn, known: Place) -> Place:
    """The place of a message that answers this instance; its state is read only where `fields` is asked for."""
    step = definition.steps.get(instance.step)
    if step is not None and step.completes is not None:
        return _completing(definition, instance, turn, known, step.completes)
    if step is not None and step.extracts is not None:
        known = extracting(definition, step.name, _state(definition, instance), turn, known)
    asked = (
        definition.fields.get(step.field) if step is not None and step.field and step.kind != "own" else None
    )
    wanted: Wanted = "own"
    if asked is not None:
        wanted = _wanted(asked)
    elif step is not None and step.kind == "confirming":
        wanted = "confirm"
    own = step is not None and step.kind == "own"
    free = instance.question is None or instance.question.takes_anything
    if own and instance.question is not None and instance.question.wants_option:
        wanted = "choice"
    lists = lists_of(step, _state(definition, instance)) if step is not None and step.reads else {}
    if _yes_or_no(instance.question, turn):
        asks = instance.question.kind if instance.question is not None else "ask"
        wanted = "confirm" if wanted == "confirm" or asks in ("confirm", "approve") else "bool"

    def fields() -> tuple[Field, ...]:
        if step is not None and step.extracts is not None:
            return known.fields()
        if step is not None and step.kind == "own":
            looked_for = (
                field_of(name, what, lists[name])
                if name in lists
                else Field(name=name, wanted="text", question=what)
                for name, what in step.reads.items()
            )
            # What was answered before may be changed from here; `takes_anything` means these words, too.
            answers = () if free or not definition.fields else fields_of(definition, instance, turn)
            return (*looked_for, *(f for f in answers if f.given and f.name not in step.reads))
        return fields_of(definition, instance, turn)

    return evolved(
        known,
        {
            "wanted": wanted,
            "field": asked.name if asked is not None else None,
            # What it extracts is said anew, and a list that it has is changed as any answer is.
            "own": own and step is not None and step.extracts is None and not lists,
            "lists": tuple(lists),
            "decides": instance.memo.asked is not None,
            "required": asked is not None and not asked.skippable,
            "none": asked is not None and none_of(asked, Reading.of(turn)) is not None,
            "skip_words": asked.skip_words if asked is not None else (),
            "done_words": definition.ends_on,
            "fields": _once(fields),
            "reads": definition.reads,
            "shown": asked is None or asked.shown,
        },
    )


def _once(find: Callable[[], tuple[Field, ...]]) -> Callable[[], tuple[Field, ...]]:
    """What is found the first time, for every time; to make a `functools.cache` costs more than it saves here."""
    found: list[tuple[Field, ...]] = []

    def again() -> tuple[Field, ...]:
        if not found:
            found.append(find())
        return found[0]

    return again


def extracting(definition: Definition, step: str, state: State | None, turn: Turn, known: Place) -> Place:
    """The place of a message from which a step extracts; `known` has its question."""
    if state is None:
        return known
    kept = state.extracted.get(step, State())
    found = definition.steps[step].extracts
    fields = found.fields.values() if found is not None else ()
    return replace(
        known,
        wanted="own",
        fields=_once(lambda: tuple(field_for(asked, kept, turn) for asked in fields)),
        wants=tuple(f.name for f in fields if f.asked and not f.skippable and f.name not in kept.captured),
        reads=definition.reads,
    )


def _completing(
    definition: Definition, instance: Instance, turn: Turn, known: Place, completes: tuple[str, str]
) -> Place:
    """The place of an answer to the question for what is missing of what a step extracts."""
    step, name = completes
    state = _state(definition, instance)
    if state is None:
        return known
    whole = extracting(definition, step, state, turn, known)
    asked = definition.extracting(step).fields[name]
    return replace(
        whole,
        wanted="bool" if _yes_or_no(instance.question, turn) else _wanted(asked),
        field=name,
        required=not asked.skippable,
        none=none_of(asked, Reading.of(turn)) is not None,
        skip_words=asked.skip_words,
        wants=(),
    )


def _state(definition: Definition, instance: Instance) -> State | None:
    try:
        return load(definition, instance.data)
    except StepFailed:
        return None


def fields_of(definition: Definition, instance: Instance, turn: Turn) -> tuple[Field, ...]:
    """Every answer of a process with the value given before; none where the state cannot be read."""
    state = _state(definition, instance)
    return (
        tuple(field_for(asked, state, turn, definition) for asked in definition.fields.values())
        if state is not None
        else ()
    )


def field_for(
    asked: FieldDefinition, state: State, turn: Turn, definition: Definition | None = None
) -> Field:
    """An answer of a process as a reader sees it, with the value given before."""
    value, reading = state.answers.get(asked.name), _reading(asked, state, turn, definition)
    return Field(
        name=asked.name,
        wanted=_wanted(asked),
        question=asked.question,
        about=asked.about,
        label=asked.label,
        names=asked.names,
        options=() if asked.reader.chooses_several else asked.reader.options,
        present=_present(asked, value),
        given=asked.name in state.captured,
        required=not asked.skippable,
        begun=asked.name in state.begun,
        parses=_parses(asked, reading),
        past=reading.past,
        away=_away(asked, reading),
        either=_either(asked, reading),
        fits=fits_its_type(asked),
        formed=_formed(asked, reading),
        whole=_whole(asked, turn),
    )


def _wanted(asked: FieldDefinition) -> Wanted:
    kind = asked.reader.kind
    return _WANTED.get(kind) or kind  # type: ignore[return-value] # the other kinds have the same names


def _present(asked: FieldDefinition, value: Any) -> str | None:
    """What was given before, as the person knows it."""
    if asked.reader.chooses_several and isinstance(value, list):
        value = labels_of(asked, value)
    return _shown(typed(asked, value) if asked.reader.kind == "number" else value)


def _shown(value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, timedelta):
        return length_in_units(value)
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)


def _reading(asked: FieldDefinition, state: State, turn: Turn, definition: Definition | None) -> Reading:
    """What its words are read with, where nothing but the words is asked for."""
    reading = Reading.of(turn).asked(asked.question, asked.name, asked.label)
    if asked.reader.kind not in ("date", "number"):
        return reading
    reading = put_right(asked, state, reading)
    if asked.reader.kind != "date" or definition is None:
        return reading
    return replace(reading, after=begun_on(definition, state, asked, reading.language))


def _parses(asked: FieldDefinition, reading: Reading) -> Callable[[str], Any] | None:
    """The value that words alone give; not asked of an author's own function, which runs under limits."""
    if asked.reader.own:
        return None

    def parses(words: str) -> Any:
        try:
            return asked.reader.read(words, reading)
        except (Unread, ValueError):
            return None

    return parses


def _away(asked: FieldDefinition, reading: Reading) -> Callable[[str], int | None] | None:
    """How far from today a day is that words give."""
    parses = _parses(asked, reading) if asked.reader.kind == "date" else None
    if parses is None:
        return None

    def away(words: str) -> int | None:
        day = parses(words)
        return (day - reading.today).days if type(day) is date else None

    return away


def _either(asked: FieldDefinition, reading: Reading) -> Callable[[str], bool] | None:
    """Whether words may give two values, which are asked for on buttons."""
    if asked.reader.own or asked.reader.kind not in ("number", "date", "time"):
        return None

    def either(words: str) -> bool:
        try:
            asked.reader.read(words, reading)
        except Unread as unread:
            return bool(unread.either)
        except ValueError:
            return False
        return False

    return either


def _whole(asked: FieldDefinition, turn: Turn) -> Callable[[str, int, int], tuple[int, int]] | None:
    """What widens a place to all of the value there, of the types whose values are made of several words."""
    kind = asked.reader.kind
    if asked.reader.own or kind not in ("number", "date", "time"):
        return None
    reading = Reading.of(turn).asked(asked.question, asked.name, asked.label)

    def widened(message: str, start: int, end: int) -> tuple[int, int]:
        return whole(message, start, end, kind, reading.locale, reading.question, past=reading.past)

    return widened


def _formed(asked: FieldDefinition, reading: Reading) -> Callable[[str], str | None] | None:
    """The words of a message that alone have the form which its pattern wants; None where it has none."""
    if asked.reader.own or not pattern_of(asked):
        return None
    fits = fits_its_type(asked)

    def formed(message: str) -> str | None:
        if fits(message):
            return message
        part = part_in_form(asked, message, fits, reading.locale)
        return part.words if part is not None else None

    return formed


def _yes_or_no(question: Question | None, turn: Turn) -> bool:
    if question is None:
        return False
    if (
        question.kind in ("confirm", "offer", "approve")
        or (question.answer_schema or {}).get("type") == "boolean"
    ):
        return True
    words = language(turn.person.locale)
    # "Yes, begin a project with it" is a yes.
    return {"yes", "no"} <= {words.consent(option.label.partition(",")[0]) for option in question.options}
