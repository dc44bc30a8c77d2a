"""One person's run of a guided process, and the moves it has made."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from pydantic import BaseModel, ConfigDict

from softrail.core.assignments import Assigned, Part
from softrail.core.frozen import evolved
from softrail.core.questions import Question
from softrail.core.signals import Result, Signal


class State(StrEnum):
    """The lifecycle of an instance."""

    OFFERED = "offered"
    ACTIVE = "active"
    SUSPENDED = "suspended"
    COMPLETED = "completed"
    DECLINED = "declined"
    LAPSED = "lapsed"
    ABANDONED = "abandoned"
    EXPIRED = "expired"
    FAILED = "failed"

    @property
    def ended(self) -> bool:
        """No trigger but an undo on the very next turn leaves this state."""
        return self not in (State.OFFERED, State.ACTIVE, State.SUSPENDED)


class Trigger(StrEnum):
    """What can move an instance."""

    OFFER = "offer"
    START = "start"
    ACCEPT = "accept"
    DECLINE = "decline"
    LAPSE = "lapse"
    COMPLETE = "complete"
    ESCAPE = "escape"
    TIMEOUT = "timeout"
    TROUBLE = "trouble"
    CLOSE = "close"
    FAIL = "fail"
    RESUME = "resume"
    EXPIRE = "expire"
    UNDO = "undo"


class DueKind(StrEnum):
    """What happens to an instance when its time comes."""

    IDLE = "idle"  #: suspend: the person has been silent too long
    EXPIRE = "expire"  #: a suspended instance ends
    DEFAULT = "default"  #: the default answer of its question is taken


class InstanceMemo(BaseModel):
    """What an instance waits for besides a person's answer, and whom it answers to."""

    model_config = ConfigDict(frozen=True)

    waits: bool = False  #: at its step, for something outside: it holds nothing and asks nothing
    waits_until: datetime | None = None  #: then its step runs with a turn of origin "timer"
    kept: tuple[Signal, ...] = ()  #: signals that came while it was paused, oldest first
    paused: str | None = None  #: the instance that was paused for this one, and comes back after it
    calls: str | None = None  #: the instance that does a part for it
    caller: str | None = None  #: the instance it does a part for
    then: str = ""  #: the step of the caller that is told what came of it
    returned: bool = False  #: what came of it was told to its caller
    result: Result | None = None  #: what came of the one it called, until its step has taken it
    assigned: Assigned | None = None  #: the part that another person does for it
    asked: Part | None = None  #: it is a part that another person's process asked for
    shown: bool = False  #: its person was told that it is asked for
    outcome: Result | None = None  #: what came of the part, told to whoever asked for it


NO_MEMO = InstanceMemo()


@dataclass(frozen=True, kw_only=True)
class Instance:
    """One person's run of a process, as stored. `data` is JSON text, so no two holders share a state."""

    id: str
    person_id: str
    session_id: str
    process: str
    version: int
    slot: str = ""
    step: str = ""
    state: State | None = None  #: None only before its first move
    holds: bool = False  #: at most one instance of a session holds it
    covers: str | None = None  #: the instance that waits underneath and holds again when this one ends
    data: str = "{}"
    question: Question | None = None  #: its own open question, to be asked again
    failures: int = 0  #: failed steps in a row
    due_at: datetime | None = None
    due_kind: DueKind | None = None
    moves: int = 0  #: transitions stored so far
    moved_at: datetime | None = None
    handled_at: datetime | None = None  #: acceptance of the person's last turn that it handled
    offered_back: bool = False  #: resuming was offered since the last suspension
    memo: InstanceMemo = NO_MEMO
    rev: int = 0  #: rises by one with every save; 0 is not yet saved

    def evolve(self, **changes: Any) -> Self:
        """A copy with `changes`."""
        return evolved(self, changes)

    def note(self, **changes: Any) -> Self:
        """A copy with changes to its memo."""
        return evolved(self, {"memo": self.memo.model_copy(update=changes)})


@dataclass(frozen=True, kw_only=True, slots=True)
class Transition:
    """One recorded move of an instance."""

    instance_id: str
    n: int  #: 1, 2, 3 … within its instance
    trigger: Trigger
    source: State | None
    dest: State
    reason: str = ""
    session_id: str = ""
    seq: int | None = None  #: the turn it happened in; None: a timer or an administrator
    at: datetime = field(kw_only=True)
    process: str = ""
    step: str = ""
