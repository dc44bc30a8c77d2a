"""What the dispatcher hands the store, and what the store answers."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from softrail.core.effects import AnyEffect
from softrail.core.instances import Instance, Transition
from softrail.core.keys import Right
from softrail.core.people import Person
from softrail.core.sessions import Session, Snapshot
from softrail.core.turns import Origin, SideEffect

#: "silent": committed, and nothing was said; it is no item of the session's history.
Status = Literal["accepted", "committed", "silent", "interrupted", "failed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class TurnRow:
    """A stored turn: the person's item at `seq`, the answer's at `seq` + 1.

    An item of the companion's own takes one number: it has origin "companion" and no request, or origin "signal"
    and the signal that it came from.
    """

    session_id: str
    seq: int
    person_id: str
    turn_id: str
    hash: str
    request: str | None  #: the Request, or SignalRequest, as JSON; None where a clock struck
    origin: Origin | Literal["companion"] = "person"
    status: Status = "accepted"
    starts: int = 0  #: how often it was begun under a lease by a process that is gone, and by the present one
    begun_by: tuple[str, ...] = ()  #: those processes
    accepted_at: datetime
    replied_at: datetime | None = None
    reply: str | None = None  #: the Reply as JSON, byte for byte what the client got
    intent: str | None = None
    process: str | None = None  #: name of the process that owned it
    project_id: str | None = None


def numbers(turn: TurnRow | None) -> int:
    """How many sequence numbers a turn takes: its item and the answer's, or one of the companion's own."""
    if turn is None:
        return 0
    return 2 if turn.origin == "person" else 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Acceptance:
    """A turn to be written down before anything outside can notice it.

    `session` is what the turn was computed from. If the session's revision is still that and nobody has
    its lease and no earlier turn waits, the worker takes the lease in the same write.
    """

    turn: TurnRow  #: its `seq` is ignored: the store gives the next one
    session: Session  #: with rev 0 it is opened
    worker: str
    take: bool = True  #: False: it only stands in line, whatever the session's state


@dataclass(frozen=True, kw_only=True, slots=True)
class Accepted:
    """The turn has its number; `fence` is the token of the lease, or None when it has to wait."""

    seq: int
    fence: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """A turn of this person and id is stored already; nothing was written."""

    turn: TurnRow


@dataclass(frozen=True, kw_only=True, slots=True)
class TurnCommit:
    """Reply, session, instances, transitions, effects and decision of one turn: all or nothing.

    Without `fence` it is accepted and committed at once, if the session is still at `session.rev`, nobody
    has its lease and no turn waits. With `fence` the lease of that token must still stand; it is given back
    unless `keep_lease`. `session` and every instance carry the revision they were loaded with (0: new); the
    store saves them one higher, and `next_seq` as the store counts it.
    """

    turn: TurnRow | None  #: status, reply, intent and process filled in; `seq` as computed from the snapshot
    #: None: a timer or an administrator changed the session and nothing is said; no number is taken
    session: Session
    instances: Sequence[Instance] = ()
    transitions: Sequence[Transition] = ()
    effects: Sequence[AnyEffect] = ()
    made_by: Sequence[
        str | None
    ] = ()  #: beside `effects`: the instance whose step returned each; (): none did
    decision: str = "{}"
    fence: int | None = None
    keep_lease: bool = False
    alone: bool = False  #: no other turn is under way on this worker: there is nobody to be committed with
    seal: Callable[[Sequence[str | None]], str] | None = None
    #: called with the refs that effect handlers gave, returns the final reply; None: `turn.reply` as it is


@dataclass(frozen=True, kw_only=True, slots=True)
class Committed:
    """The turn is durable; `reply` is what the client gets."""

    seq: int  #: of the turn; 0 when there was none
    rev: int  #: of the session, after the commit
    reply: str  #: "" when there was none


@dataclass(frozen=True, kw_only=True, slots=True)
class Moved:
    """Something the turn was computed from has changed; load again and run again. Nothing was written.

    `revision` is the session's now, or None when the session or one of its rows is gone.
    """

    revision: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Fenced:
    """Another writer took the session meanwhile. Nothing was written."""

    fence: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Refused:
    """An effect's handler refused it. Nothing was written."""

    kind: str
    reason: str


CommitResult = Committed | Moved | Fenced | Seen | Refused
AcceptResult = Accepted | Seen | Moved


@dataclass(frozen=True, kw_only=True, slots=True)
class Loaded:
    """What a turn starts from: the snapshot (None: no such session of this person), a turn of that id."""

    snapshot: Snapshot | None
    seen: TurnRow | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Taken:
    """The worker has the lease of the session now; `waiting` are its accepted turns, oldest first."""

    fence: int
    snapshot: Snapshot
    waiting: tuple[TurnRow, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Glimpse:
    """How far a session is, and whether a worker that is there has its lease."""

    rev: int
    held: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Signs:
    """What a worker that beats sees of itself and of the others."""

    registered: bool  #: False: it was declared dead and must register anew
    beats: Mapping[str, int]  #: every registered worker's last one; its own may be the one before
    leases: Mapping[str, int]  #: the sessions whose lease it has, with their fences
    said: Collection[str] = frozenset()  #: what the store is told of the versions that may run on it


@dataclass(frozen=True, kw_only=True, slots=True)
class Occupied:
    """A live worker has the lease of the session."""

    worker: str
    fence: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """One item of a session's history as it is read: a person's or the companion's."""

    session_id: str
    seq: int
    role: Literal["operator", "companion"]
    content: str
    turn_id: str
    created_at: datetime
    classified_intent: str | None = None
    process: str | None = None
    project_id: str | None = None
    side_effects: tuple[SideEffect, ...] = ()  #: of the companion's: what was done
    decision_id: str | None = None  #: of the companion's
    brought: tuple[str, ...] = ()  #: of the person's: ids of files that came with it


@dataclass(frozen=True, kw_only=True, slots=True)
class Overview:
    """A session as it stands in a list."""

    session: Session
    title: str | None  #: as its person calls it
    first: str | None  #: what was said first in it
    last: str | None  #: what was answered last
    holder: Instance | None  #: what holds it


@dataclass(frozen=True, kw_only=True, slots=True)
class Due:
    """An instance whose time is over."""

    instance_id: str
    session_id: str
    person_id: str


@dataclass(frozen=True, kw_only=True, slots=True)
class AccessKey:
    """An access key as it is kept: only its hash."""

    id: str
    person_id: str
    name: str
    hash: str
    created_at: datetime
    revoked_at: datetime | None = None
    rights: tuple[Right, ...] = ()  #: what it may besides what its person may
    person: Person | None = field(default=None)


@dataclass(frozen=True, kw_only=True, slots=True)
class Archived:
    """How many turns were packed, and what their texts took before and after, in bytes."""

    turns: int = 0
    taken: int = 0
    kept: int = 0

    def __add__(self, other: "Archived") -> "Archived":
        return Archived(
            turns=self.turns + other.turns, taken=self.taken + other.taken, kept=self.kept + other.kept
        )
