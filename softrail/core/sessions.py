"""The durable thread of turns of one person, and the snapshot a turn is computed from."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field

from softrail.core.focus import Focus
from softrail.core.frozen import evolved
from softrail.core.instances import Instance, State
from softrail.core.people import Person
from softrail.core.questions import NOT_SO, Pending


class Undo(BaseModel):
    """What the very next turn may take back: the step off that turn `seq` made."""

    model_config = ConfigDict(frozen=True)

    instance_id: str
    seq: int
    did: bool = Field(default=False, exclude_if=NOT_SO)  #: that turn did something besides


class Memo(BaseModel):
    """Small durable facts of a session that belong to no process."""

    model_config = ConfigDict(frozen=True)

    undo: Undo | None = None
    ended: bool = False  #: the person left with /exit; the next turn opens it again
    paused: bool = False  #: something was paused in it, and may still be
    lapsed: str | None = None  #: the run that was paused while its summary was open; until the next turn
    before: Pending | None = (
        None  #: what the turn before found open in doubt: its buttons are known once more
    )
    focus: Focus = Focus()
    extra: dict[str, Any] = {}


@dataclass(frozen=True, kw_only=True)
class Session:
    """The durable thread of turns of one person (SQLAlchemy's is written `orm.Session`)."""

    id: str
    person_id: str
    rev: int = 0  #: rises by one with every save; 0 is not yet saved
    next_seq: int = 1
    leased_to: str | None = None  #: the worker that may write now
    fence: int = 0  #: rises whenever the lease changes hands
    waiting: int = 0  #: accepted turns that are not committed
    pending: Pending | None = None
    memo: Memo = field(default_factory=Memo)
    created_at: datetime
    last_turn_at: datetime | None = None

    def evolve(self, **changes: Any) -> Self:
        """A copy with `changes`."""
        return evolved(self, changes)

    @property
    def is_new(self) -> bool:
        """Nothing of it is stored yet: one whose first turn is written down has no revision, but numbers are taken."""
        return self.rev == 0 and self.next_seq == 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Snapshot:
    """Everything of a session that a turn may need at once: computed from, never written through.

    `instances` are those offered or active in the session, what `pending` and `memo.undo` name, and what
    they cover.
    """

    person: Person
    session: Session
    instances: tuple[Instance, ...] = ()

    @property
    def holder(self) -> Instance | None:
        """The instance that holds the session."""
        return next((i for i in self.instances if i.holds and i.state is State.ACTIVE), None)

    def instance(self, instance_id: str) -> Instance | None:
        """The instance of that id, when it is part of the snapshot."""
        return next((i for i in self.instances if i.id == instance_id), None)


def named(session: Session, instances: Iterable[Instance]) -> set[str]:
    """The ids of what belongs into a snapshot because the session, or those instances, name it."""
    found = {name for i in instances for name in (i.covers, i.memo.paused, i.memo.calls, i.memo.caller)}
    if session.pending is not None:
        found.add(session.pending.instance_id)
    if session.memo.undo is not None:
        found.add(session.memo.undo.instance_id)
    return {name for name in found if name is not None}
