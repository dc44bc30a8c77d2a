"""A day, a moment or an amount that takes the place of one that was given, or was begun: what of that one stays."""

from dataclasses import replace
from datetime import date, datetime

from softrail.language import Language
from softrail.processes.definition import Definition, FieldDefinition
from softrail.processes.readers import Reading
from softrail.processes.spoken import Money
from softrail.processes.state import State, applies
from softrail.processes.telling import typed


def begun_on(definition: Definition, state: State, asked: FieldDefinition, known: Language) -> date | None:
    """The first of two days of which `asked` is the second, as it is kept."""
    first = first_of(definition, state, asked, known)
    kept = typed(first, state.answers.get(first.name)) if first is not None else None
    return kept if type(kept) is date else None


def first_of(
    definition: Definition, state: State, asked: FieldDefinition, known: Language
) -> FieldDefinition | None:
    """The answer that is the first of two days of which `asked` is the second; None where it is none."""
    days = [one for one in definition.fields.values() if one.reader.kind == "date"]
    at = days.index(asked) if asked in days else 0
    first = days[at - 1] if at else None
    if first is None or first.reader.own or not applies(definition, state, first):
        return None
    return first if known.belong_together(_called(first), _called(asked)) else None


def _called(asked: FieldDefinition) -> str:
    """What it is asked with, and what it is called: "pick-up day" begins something, whatever its question says."""
    return " ".join((asked.question, asked.label, asked.name.replace("_", " "), *asked.names))


def put_right(asked: FieldDefinition, state: State, reading: Reading) -> Reading:
    """What a value is read with: the one that was given before, and what was told of one not all there."""
    now = typed(asked, state.answers.get(asked.name)) if asked.name in state.captured else None
    if isinstance(now, datetime) and now.tzinfo is not None:
        now = now.astimezone(reading.turn.person.zone)
    given = now if isinstance(now, date) else None
    return replace(
        reading,
        given=given,
        month=given.replace(day=1) if type(given) is date else None,
        begun=state.begun.get(asked.name, ""),
        currency=now.currency if isinstance(now, Money) else "",
    )
