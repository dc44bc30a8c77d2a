"""Durable changes that a turn makes, each exactly once."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel


@dataclass(frozen=True, kw_only=True, slots=True)
class Effect:
    """A durable change, as a value: what kind, in words, and its JSON payload.

    An effect whose `kind` has a registered handler is applied by it inside the turn's own commit. With
    `after_commit` it becomes an outbox row instead, delivered at least once under a stable key.
    """

    kind: str
    summary: str  #: for the person, e.g. "Project Atlas created"
    payload: dict[str, Any] = field(default_factory=dict)
    ref: str | None = None
    after_commit: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """JSON kept under (person, kind, key) by the store and readable by processes; the newest wins.

    Without `key` the turn itself is the key (``SESSION:SEQ:N``), so every record is kept.
    """

    kind: str
    data: BaseModel | dict[str, Any]
    key: str | None = None
    summary: str = ""  #: for the person; omitted: "Standup saved"

    @property
    def words(self) -> str:
        """What was done, for the person."""
        return self.summary or f"{self.kind.replace('_', ' ').capitalize()} saved"


@dataclass(frozen=True, slots=True)
class Forget:
    """The record under (person, kind, key) is deleted; where there is none, nothing happens."""

    kind: str
    key: str
    summary: str = ""  #: for the person; omitted: "Standup deleted"

    @property
    def words(self) -> str:
        """What was done, for the person."""
        return self.summary or f"{self.kind.replace('_', ' ').capitalize()} deleted"


AnyEffect = Effect | Record | Forget

#: What became of an `after_commit` effect; `failed`: set aside after the last try.
DeliveryStatus = Literal["waiting", "delivered", "failed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredRecord:
    """A record as it is kept."""

    kind: str
    key: str
    data: dict[str, Any]
    session_id: str
    seq: int


@dataclass(frozen=True, kw_only=True, slots=True)
class OutboxItem:
    """An `after_commit` effect on its way; `key` is the same at every try."""

    key: str  #: "SESSION:SEQ:N"
    person_id: str
    session_id: str
    seq: int
    n: int
    kind: str
    payload: dict[str, Any]
    tries: int  #: those before this one that failed, or whose worker ended
    status: DeliveryStatus = "waiting"
    next_at: datetime | None = None  #: when it is to be tried next
    error: str = ""  #: why the last try failed
    instance_id: str | None = None  #: the instance whose step returned it
    claimed_by: str | None = None  #: the worker that has it in hand
    unreported: int | None = None  #: while its instance is still to be told: how often telling it has failed
