"""The lifecycle of every instance: one table, one machine, no other way to move."""

from datetime import datetime
from functools import cache
from typing import Any

from transitions import Machine, MachineError

from softrail.core.errors import SoftrailError
from softrail.core.instances import Instance, State, Transition, Trigger

BEGINNING = "new"  #: the state of an instance that has not made its first move

#: (from, trigger, to): the whole lifecycle. A move that is not here cannot be made.
TABLE: tuple[tuple[State | None, Trigger, State], ...] = (
    (None, Trigger.OFFER, State.OFFERED),
    (None, Trigger.START, State.ACTIVE),
    (State.OFFERED, Trigger.ACCEPT, State.ACTIVE),
    (State.OFFERED, Trigger.DECLINE, State.DECLINED),
    (State.OFFERED, Trigger.LAPSE, State.LAPSED),
    (State.ACTIVE, Trigger.COMPLETE, State.COMPLETED),
    (State.ACTIVE, Trigger.DECLINE, State.DECLINED),
    (State.ACTIVE, Trigger.ESCAPE, State.SUSPENDED),
    (State.ACTIVE, Trigger.TIMEOUT, State.SUSPENDED),
    (State.ACTIVE, Trigger.TROUBLE, State.SUSPENDED),
    (State.ACTIVE, Trigger.CLOSE, State.ABANDONED),
    (State.ACTIVE, Trigger.FAIL, State.FAILED),
    (State.SUSPENDED, Trigger.RESUME, State.ACTIVE),
    (State.SUSPENDED, Trigger.DECLINE, State.DECLINED),
    (State.SUSPENDED, Trigger.CLOSE, State.ABANDONED),
    (State.SUSPENDED, Trigger.EXPIRE, State.EXPIRED),
    (State.ABANDONED, Trigger.UNDO, State.ACTIVE),
    (State.DECLINED, Trigger.UNDO, State.ACTIVE),
    (State.SUSPENDED, Trigger.UNDO, State.ACTIVE),
)


class IllegalMove(SoftrailError):
    """The lifecycle has no such move from this state."""

    code = "illegal_move"


class _Place:
    """What the machine moves: a state and nothing else, thrown away after one trigger."""

    __slots__ = ("state",)

    def __init__(self, state: str) -> None:
        self.state: Any = state


def _build() -> Machine:
    machine = Machine(
        model=None,
        states=[BEGINNING, *(str(state) for state in State)],
        initial=BEGINNING,
        auto_transitions=False,
        send_event=False,
    )
    for source, trigger, dest in TABLE:
        machine.add_transition(str(trigger), str(source) if source else BEGINNING, str(dest))
    return machine


_machine = _build()


@cache
def _after(state: State | None, trigger: Trigger) -> State:
    """Where the machine gets to; raises MachineError where it gets nowhere."""
    place = _Place(str(state) if state else BEGINNING)
    _machine.events[str(trigger)].trigger(place)
    return State(place.state)


def triggers(state: State | None) -> tuple[Trigger, ...]:
    """What can move an instance in `state`."""
    return tuple(trigger for source, trigger, _ in TABLE if source is state)


def move(
    instance: Instance, trigger: Trigger, *, at: datetime, seq: int | None, reason: str = ""
) -> tuple[Instance, Transition]:
    """The instance after `trigger`, and the record of the move; raises IllegalMove outside the table.

    An instance that is no longer active holds nothing. Whether one that became active holds its session is
    the registry's to say. That an undo comes on the very next turn is the registry's to check, too.
    """
    try:
        dest = _after(instance.state, trigger)
    except MachineError as error:
        known = ", ".join(triggers(instance.state)) or "nothing: it has ended"
        raise IllegalMove(
            f"Instance {instance.id} of process {instance.process!r} is {instance.state or 'new'} and cannot "
            f"{trigger}. From there it can: {known}.",
            instance_id=instance.id,
            trigger=str(trigger),
            state=str(instance.state) if instance.state else None,
        ) from error
    moved = instance.evolve(
        state=dest,
        holds=instance.holds and dest is State.ACTIVE,
        moves=instance.moves + 1,
        moved_at=at,
    )
    transition = Transition(
        instance_id=instance.id,
        n=moved.moves,
        trigger=trigger,
        source=instance.state,
        dest=dest,
        reason=reason,
        session_id=instance.session_id,
        seq=seq,
        at=at,
        process=instance.process,
        step=instance.step,
    )
    return moved, transition
