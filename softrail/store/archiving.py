"""Old turns, packed: a few hundred of them in one compressed row, with their decisions and settled effects.

What is packed is always the beginning of a session, whole turns without a gap, so that every `seq` in its archive
lies below every one outside. The rows are the session's like any others: they are read with it, exported with
it, and gone with it.
"""

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from types import SimpleNamespace
from typing import Any, Final

from sqlalchemy import Connection, Table, and_, delete, func, insert, select

from softrail.core.commits import Archived
from softrail.store.rows import stamp
from softrail.store.tables import archived, decisions, effects, sessions, turns

MOST: Final = 200  #: turns in one row; reading a page unpacks at most two

NEVER: Final = 2**62  #: beyond every sequence number
_COLUMNS: Final = [column.name for column in turns.columns]
_ANSWERED: Final = func.coalesce(turns.c.replied_at, turns.c.accepted_at)
_SETTLED: Final = and_(effects.c.status.in_(("applied", "delivered")), effects.c.unreported.is_(None))


def archivable(conn: Connection, before: datetime, after: str, limit: int) -> Sequence[str]:
    """Sessions, by id after that one, whose oldest turn was answered before then."""
    earlier = turns.alias("earlier")
    oldest = select(func.min(earlier.c.seq)).where(earlier.c.session_id == sessions.c.id).scalar_subquery()
    there = and_(turns.c.session_id == sessions.c.id, turns.c.seq == oldest)
    query = (
        select(sessions.c.id)
        .join_from(sessions, turns, there)
        .where(sessions.c.id > after, stamp(before) > _ANSWERED)
    )
    query = query.where(turns.c.status != "accepted").order_by(sessions.c.id).limit(limit)
    return list(conn.scalars(query))


def archive(conn: Connection, session_id: str, before: datetime) -> Archived:
    """Pack the oldest turns of a session as far as they were answered before then, at most `MOST`."""
    locked = select(sessions.c.id).where(sessions.c.id == session_id).with_for_update()
    if conn.execute(locked).first() is None:
        return Archived()
    packed, until = list[Any](), 0
    for row in conn.execute(select(turns).where(_of(turns, session_id)).order_by(turns.c.seq).limit(MOST)):
        answered = row.accepted_at if row.replied_at is None else row.replied_at
        if row.status == "accepted" or answered >= stamp(before):
            break
        packed.append(row)
        until = max(until, answered)
    if not packed:
        return Archived()
    first, last = packed[0].seq, packed[-1].seq
    reasons = _rows(conn, decisions, session_id, last)
    settled = _rows(conn, effects, session_id, last, _SETTLED)
    texts = [_text(rows) for rows in (packed, reasons, settled)]
    bodies = [zlib.compress(text, 6) for text in texts]
    values = {"session_id": session_id, "first": first, "last": last, "until": until}
    values |= dict(zip(("turns", "decisions", "effects"), bodies, strict=True))
    conn.execute(insert(archived), values)
    conn.execute(delete(decisions).where(_of(decisions, session_id, last)))
    conn.execute(delete(effects).where(_of(effects, session_id, last), _SETTLED))
    conn.execute(delete(turns).where(_of(turns, session_id, last)))
    return Archived(turns=len(packed), taken=sum(map(len, texts)), kept=sum(map(len, bodies)))


def forget(conn: Connection, session_id: str, before: datetime) -> int:
    """Erase what is archived of a session and was answered before then; how many rows of the archive that was."""
    old = and_(archived.c.session_id == session_id, archived.c.until < stamp(before))
    return conn.execute(delete(archived).where(old)).rowcount


def forgettable(conn: Connection, before: datetime, limit: int) -> Sequence[str]:
    """Sessions with a row of the archive that was answered before then."""
    query = select(archived.c.session_id).where(archived.c.until < stamp(before)).distinct().limit(limit)
    return list(conn.scalars(query))


# -- reading


def archived_turns(
    conn: Connection, person_id: str, session_id: str, after: int, before: int
) -> Iterator[Any]:
    """The packed turns of the person's session from `after` to below `before`, unpacked as they are asked for."""
    for row in _packed(conn, person_id, session_id, after, before):
        yield from (turn for turn in _turns(row) if after <= turn.seq < before)


def archived_backwards(conn: Connection, person_id: str, session_id: str, before: int) -> Iterator[Any]:
    """The packed turns of the person's session below `before`, the newest first."""
    for row in _packed(conn, person_id, session_id, 0, before, newest=True):
        yield from (turn for turn in reversed(list(_turns(row))) if turn.seq < before)


def with_archive(conn: Connection, session_ids: Sequence[str]) -> set[str]:
    """Those of these sessions that have packed turns."""
    query = select(archived.c.session_id).where(archived.c.session_id.in_(session_ids))
    return set(conn.scalars(query.distinct()))


def archived_decisions(
    conn: Connection, person_id: str, session_id: str, after: int, before: int
) -> Iterator[tuple[int, str]]:
    """The `seq` and the decision record of each packed turn between the two, in order."""
    for row in _packed(conn, person_id, session_id, after + 1, before):
        yield from ((seq, body) for _, seq, body in _unpacked(row.decisions) if after < seq < before)


def archived_decision(conn: Connection, person_id: str, session_id: str, turn_id: str) -> str | None:
    """The decision record of a packed turn."""
    for row in _packed(conn, person_id, session_id, 0, NEVER):
        seq = next((turn.seq for turn in _turns(row) if turn.turn_id == turn_id), None)
        if seq is not None:
            return next((body for _, at, body in _unpacked(row.decisions) if at == seq), None)
    return None


def _turns(row: Any) -> Iterable[Any]:
    return (SimpleNamespace(**dict(zip(_COLUMNS, values, strict=True))) for values in _unpacked(row.turns))


def _packed(
    conn: Connection, person_id: str, session_id: str, after: int, before: int, *, newest: bool = False
) -> Iterable[Any]:
    mine = and_(sessions.c.id == archived.c.session_id, sessions.c.person_id == person_id)
    query = select(archived).join(sessions, mine).where(archived.c.session_id == session_id)
    between = query.where(archived.c.last >= after, archived.c.first < before)
    return conn.execute(between.order_by(archived.c.first.desc() if newest else archived.c.first))


def _unpacked(body: bytes) -> list[Any]:
    found: list[Any] = json.loads(zlib.decompress(body))
    return found


# -- writing


def _of(table: Table, session_id: str, last: int | None = None) -> Any:
    here = table.c.session_id == session_id
    return here if last is None else and_(here, table.c.seq <= last)


def _rows(conn: Connection, table: Table, session_id: str, last: int, *where: Any) -> list[Any]:
    query = select(table).where(_of(table, session_id, last), *where).order_by(*table.primary_key.columns)
    return list(conn.execute(query))


def _text(rows: Iterable[Any]) -> bytes:
    return json.dumps([list(row) for row in rows], ensure_ascii=False, separators=(",", ":")).encode()
