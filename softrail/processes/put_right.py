"""A day or a moment that takes the place of one that was given, or was begun: what of that one stays."""

from dataclasses import replace
from datetime import date, datetime

from softrail.processes.definition import FieldDefinition
from softrail.processes.readers import Reading
from softrail.processes.state import State
from softrail.processes.telling import typed


def put_right(asked: FieldDefinition, state: State, reading: Reading) -> Reading:
    """What a day or a moment is read with: the one that was given before, and what was told of one not all there."""
    now = typed(asked, state.answers.get(asked.name)) if asked.name in state.captured else None
    if isinstance(now, datetime) and now.tzinfo is not None:
        now = now.astimezone(reading.turn.person.zone)
    given = now if isinstance(now, date) else None
    return replace(
        reading,
        given=given,
        month=given.replace(day=1) if type(given) is date else None,
        begun=state.begun.get(asked.name, ""),
    )
