"""One turn in a transaction of its own: what its group could not do is resolved here into an answer."""

from collections.abc import Callable

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from softrail.core.commits import CommitResult, Moved, Refused, TurnCommit
from softrail.store import sql
from softrail.store.commit import commit_turns, seen_instead
from softrail.store.effects import Handlers, Refusal
from softrail.store.outage import is_unkeepable

_UNKEEPABLE = "The turn holds text that the database cannot keep (a NUL or half of a surrogate pair)."


def commit_alone(conn: Connection, commit: TurnCommit, handlers: Handlers) -> CommitResult:
    """Commit one turn, its id looked up first. Whatever it raises, its transaction must be rolled back."""
    return commit_turns(conn, [commit], handlers, careful=True)[0]


def answer(error: Exception) -> Callable[[Connection, TurnCommit], CommitResult] | None:
    """How to answer for a turn that failed alone with `error`, after its rollback; None: it is not the turn's.

    A unique index that still clashes means that something it was computed from has changed: another
    instance holds the session or took the slot.
    """
    if isinstance(error, Refusal):
        refused = Refused(kind=error.kind, reason=error.reason)
        return lambda conn, commit: refused
    if isinstance(error, IntegrityError):
        return _moved
    if is_unkeepable(error):
        unkeepable = Refused(kind="text", reason=_UNKEEPABLE)
        return lambda conn, commit: unkeepable
    return None


def _moved(conn: Connection, commit: TurnCommit) -> CommitResult:
    # On PostgreSQL another worker may have used the turn id after it was looked up.
    row = sql.standing(conn, {commit.session.id}).get(commit.session.id)
    return seen_instead(conn, commit, Moved(revision=row.rev if row else None))
