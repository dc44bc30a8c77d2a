"""What a turn's effects become: plugin writes in the turn's own transaction, records, and effect rows."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from pydantic_core import to_json
from sqlalchemy import Connection, Executable
from sqlalchemy.exc import DBAPIError

from softrail.core.clock import now
from softrail.core.commits import TurnCommit
from softrail.core.effects import Effect, Forget, Record
from softrail.core.errors import SoftrailError
from softrail.core.ports import EffectHandler
from softrail.store.outage import is_passing
from softrail.store.rows import stamp

Handlers = Mapping[str, EffectHandler]

OURS: Final = "something went wrong on our side"

log = logging.getLogger(__name__)


class Refusal(Exception):
    """A turn cannot be written as it is; it alone is given up, and told so."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(f"{kind}: {reason}")
        self.kind = kind
        self.reason = reason


class Transaction:
    """The narrow transaction of an effect handler: whose turn it is, and `execute`."""

    def __init__(self, conn: Connection, place: "_Place") -> None:
        self._conn = conn
        self.person_id = place.person_id
        self.session_id = place.session_id
        self.seq = place.seq
        self.at = place.at
        self.turn_id = place.turn_id

    def execute(self, statement: Executable, parameters: Any = None) -> Any:
        """Run an SQLAlchemy Core statement on the plugin's own tables."""
        return self._conn.execute(statement, parameters)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Place:
    """Where and when a turn's effects happen."""

    person_id: str
    session_id: str
    seq: int
    at: datetime
    turn_id: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Applied:
    """The rows of one turn's effects, and its final reply."""

    reply: str | None
    effects: list[dict[str, Any]] = field(default_factory=list)
    records: list[dict[str, Any]] = field(
        default_factory=list
    )  #: in order; one without data is to be deleted


def apply(conn: Connection, commit: TurnCommit, seq: int, handlers: Handlers) -> Applied:
    """Run the handlers of a turn's effects and work out the rows that are left to write.

    Raises:
        Refusal: A handler raised, or an effect cannot be kept as JSON. The transaction has to be rolled back.
    """
    reply = None if commit.turn is None else commit.turn.reply
    if not commit.effects:
        return Applied(reply=reply)
    place = _Place(
        person_id=commit.session.person_id,
        session_id=commit.session.id,
        seq=seq,
        at=_time(commit),
        turn_id=None if commit.turn is None else commit.turn.turn_id,
    )
    rows, records, given = [], [], list[str | None]()
    for n, effect in enumerate(commit.effects, start=1):
        ref = None
        if isinstance(effect, Record):
            kept = _record(place, effect, n)
            records.append(kept)
            rows.append(_row(place, n, f"{effect.kind}_saved", "{}", effect.words, ref=kept["key"]))
        elif isinstance(effect, Forget):
            records.append({"person_id": place.person_id, "kind": effect.kind, "key": effect.key})
            rows.append(_row(place, n, f"{effect.kind}_deleted", "{}", effect.words, ref=effect.key))
        else:
            payload = _json(effect.kind, effect.payload)
            ref = _handled(conn, place, effect, handlers)
            row = _row(place, n, effect.kind, payload, effect.summary, ref=effect.ref or ref)
            if effect.after_commit:
                row |= {"status": "waiting", "next_at": stamp(place.at)}
            rows.append(row)
        if commit.made_by:
            rows[-1]["instance_id"] = commit.made_by[n - 1]
        given.append(ref)
    if commit.seal is not None and any(ref is not None for ref in given):
        reply = _sealed(commit.seal, given)
    return Applied(reply=reply, effects=rows, records=records)


def _time(commit: TurnCommit) -> datetime:
    if commit.turn is None:
        return now()
    return commit.turn.replied_at or commit.turn.accepted_at


def _handled(conn: Connection, place: _Place, effect: Effect, handlers: Handlers) -> str | None:
    handler = None if effect.after_commit else handlers.get(effect.kind)
    if handler is None:
        return None
    try:
        return handler(Transaction(conn, place), effect)
    except DBAPIError as error:
        if is_passing(error):  # a deadlock, a lost connection: the runner's to try again, no refusal
            raise
        raise Refusal(effect.kind, _told(error)) from error
    except BaseException as error:  # not even SystemExit of a plugin may end the thread that writes
        raise Refusal(effect.kind, _told(error)) from error


def _sealed(seal: Callable[[Sequence[str | None]], str], refs: Sequence[str | None]) -> str:
    try:
        return seal(refs)
    except Exception as error:
        raise Refusal("reply", _told(error)) from error


def _told(error: BaseException) -> str:
    """Why, in words for the person: those of an error of ours or of a plain ValueError, and nothing of any other."""
    if isinstance(error, SoftrailError):
        return error.message
    if type(error) is ValueError and str(error):
        return str(error)
    log.error("An effect failed inside its commit.", exc_info=error)
    return OURS


def _record(place: _Place, record: Record, n: int) -> dict[str, Any]:
    return {
        "person_id": place.person_id,
        "kind": record.kind,
        "key": record.key if record.key is not None else f"{place.session_id}:{place.seq}:{n}",
        "data": _json(record.kind, record.data),
        "session_id": place.session_id,
        "seq": place.seq,
        "made_at": stamp(place.at),
    }


def _row(place: _Place, n: int, kind: str, payload: str, summary: str, *, ref: str | None) -> dict[str, Any]:
    return {
        "session_id": place.session_id,
        "seq": place.seq,
        "n": n,
        "person_id": place.person_id,
        "kind": kind,
        "payload": payload,
        "summary": summary,
        "ref": ref,
        "status": "applied",
        "tries": 0,
        "next_at": None,
        "instance_id": None,
        "claimed_by": None,
        "error": None,
        "unreported": None,
        "delivered_at": None,
    }


def _json(kind: str, value: Any) -> str:
    try:
        return to_json(value).decode()
    except Exception as error:
        log.error("What an effect of kind %s carries cannot be kept as JSON.", kind, exc_info=error)
        raise Refusal(kind, OURS) from error
