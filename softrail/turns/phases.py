"""The machine of one turn on this worker: where it stands between its arrival and its reply.

A phase is a value, and a running turn has one at a time. `MOVES` is every way from one to another, with its reason;
`move` goes it. The diagram in `docs/reference/durability.md` is drawn from this table, and a test compares the two.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from softrail.core.sessions import Session


@dataclass(frozen=True, slots=True)
class Arrived:
    """It stands in line, and no attempt of it is under way."""

    basis: Session | None = None  #: its session, once that was looked up and the rights were checked


@dataclass(frozen=True, slots=True)
class Thinking:
    """An attempt is computed from `basis`; nothing is written, and others may change the session."""

    basis: Session


@dataclass(frozen=True, slots=True)
class Accepted:
    """It is written down under a number, survives this worker, and waits for its place."""

    seq: int


@dataclass(frozen=True, slots=True)
class Leased:
    """An attempt is computed under the session's lease: nobody else may write."""

    seq: int
    fence: int
    since: float = field(default_factory=time.monotonic)


@dataclass(frozen=True, slots=True)
class Committing:
    """Its draft is on the way to the store, which alone decides what comes of it."""

    seq: int | None
    fence: int | None


@dataclass(frozen=True, slots=True)
class Done:
    """It has its reply, or will get none from this worker."""


Phase = Arrived | Thinking | Accepted | Leased | Committing | Done

MOVES: Final[Mapping[tuple[type[Phase], type[Phase]], str]] = {
    (Arrived, Arrived): "its session was looked up",
    (Arrived, Thinking): "nothing before it is unfinished",
    (Arrived, Accepted): "written down in line, or by an earlier try",
    (Arrived, Done): "answered before, or refused",
    (Thinking, Arrived): "superseded, answered elsewhere, or the session is gone",
    (Thinking, Accepted): "superseded, written down, but not the next",
    (Thinking, Leased): "written down as the next",
    (Thinking, Committing): "computed before it was written down",
    (Thinking, Done): "failed, or the worker stops",
    (Accepted, Leased): "the oldest of those that wait",
    (Accepted, Done): "answered by another, or the worker stops",
    (Leased, Accepted): "superseded, interrupted, or the lease is lost",
    (Leased, Committing): "computed",
    (Leased, Done): "failed, or the worker stops",
    (Committing, Arrived): "lost, the session has moved",
    (Committing, Accepted): "lost, another has the lease",
    (Committing, Done): "committed, or nobody can tell",
}

#: The moves that make the attempt under way void.
BACK: Final = frozenset(
    {
        (Thinking, Arrived),
        (Thinking, Accepted),
        (Leased, Accepted),
        (Committing, Arrived),
        (Committing, Accepted),
    }
)


class IllegalMove(RuntimeError):
    """A turn was sent on a way that is not in the table: a fault of this room."""


def number(phase: Phase) -> int | None:
    """The turn's number, where the phase has one."""
    return getattr(phase, "seq", None)


def move(before: Phase, after: Phase) -> Phase:
    """`after`; raises IllegalMove when the table has no such move or the number would change."""
    if (type(before), type(after)) not in MOVES:
        raise IllegalMove(f"There is no way from {before} to {after}.")
    known = number(before)
    if known is not None and not isinstance(after, Done) and number(after) != known:
        raise IllegalMove(f"A number is given once: {before} cannot become {after}.")
    return after
