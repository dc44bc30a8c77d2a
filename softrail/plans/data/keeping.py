"""The rows of sources: what is known of each, and its bytes in pieces that are written and read alone."""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter
from sqlalchemy import bindparam, delete, func, insert, select, update

from softrail.plans.data.profile import DataTable, Source
from softrail.plans.tables import sessions, source_pieces, sources
from softrail.plugin import NotFound, Statement, stamp

PIECE: Final = 262_144  #: bytes of one row
LEFT_AFTER: Final = timedelta(hours=6)  #: what has not come in by then comes no more
ORIGINAL: Final = 0  #: the part that is the file as it came; its tables are 1, 2 …

_TABLES: Final = TypeAdapter(tuple[DataTable, ...])
_ATTACHED: Final = Statement(
    select(sources.c.id)
    .where(sources.c.session_id == bindparam("of_session"), sources.c.tables.is_not(None))
    .order_by(sources.c.made_at, sources.c.id)
)
_WHOLE: Final = (
    select(sources)
    .where(sources.c.session_id == bindparam("of_session"), sources.c.tables.is_not(None))
    .order_by(sources.c.made_at, sources.c.id)
)


def attached(db: Any, session_id: str) -> Sequence[str]:
    """The ids of the sources of a conversation that are all there: what is attached again has another one."""
    return [source_id for (source_id,) in _ATTACHED.rows(db, {"of_session": session_id})]


def whole(db: Any, session_id: str) -> tuple[Source, ...]:
    """The sources of a conversation that are all there, the oldest first."""
    return tuple(source_of(row) for row in db.execute(_WHOLE, {"of_session": session_id}))


def source_of(row: Any) -> Source:
    """A source from its row."""
    return Source(
        id=row.id,
        name=row.name,
        format=row.format,
        sha256=row.sha256,
        bytes=row.bytes,
        tables=_TABLES.validate_json(row.tables),
    )


def begin(db: Any, source: Source, session_id: str, person_id: str, at: datetime) -> None:
    """Note a source that is coming in; what was left half way long ago is removed."""
    late = sources.c.tables.is_(None) & (sources.c.made_at < stamp(at - LEFT_AFTER))
    erase(db, list(db.scalars(select(sources.c.id).where(late))))
    values = {
        "id": source.id,
        "session_id": session_id,
        "person_id": person_id,
        "name": source.name,
        "format": source.format,
        "sha256": source.sha256,
        "bytes": source.bytes,
        "made_at": stamp(at),
    }
    db.execute(insert(sources).values(values))


def add(db: Any, source_id: str, part: int, n: int, content: bytes) -> None:
    """One piece more, unless it was erased meanwhile. Raises NotFound."""
    here = select(sources.c.id).where(sources.c.id == source_id).with_for_update()
    if db.execute(here).first() is None:
        raise NotFound("The conversation is not there any more.")
    there = (
        (source_pieces.c.source_id == source_id) & (source_pieces.c.part == part) & (source_pieces.c.n == n)
    )
    db.execute(delete(source_pieces).where(there))  # a first try whose outcome nobody knows
    db.execute(insert(source_pieces).values(source_id=source_id, part=part, n=n, content=content))


def end(db: Any, source: Source, session_id: str, person_id: str, most: int) -> Source | None:
    """All of it is there: it takes the place of one with its name; None: there are as many as may be.

    Names of its tables that another source has already are changed. Raises NotFound when it was erased meanwhile.
    """
    _lock(db, session_id, person_id)
    others = [one for one in whole(db, session_id) if one.name != source.name]
    if len(others) >= most:
        return None
    here = (
        (sources.c.session_id == session_id) & (sources.c.name == source.name) & (sources.c.id != source.id)
    )
    erase(db, list(db.scalars(select(sources.c.id).where(here, sources.c.tables.is_not(None)))))
    named = source.model_copy(update={"tables": _named(source, others)})
    told = json.dumps([table.model_dump(mode="json") for table in named.tables], ensure_ascii=False)
    done = db.execute(update(sources).where(sources.c.id == source.id).values(tables=told))
    if not done.rowcount:
        raise NotFound("The conversation is not there any more.")
    return named


def _lock(db: Any, session_id: str, person_id: str) -> None:
    """Whoever attaches something to the same conversation waits until this is done."""
    here = sessions.c.session_id == session_id
    if db.execute(select(sessions.c.session_id).where(here).with_for_update()).first() is None:
        new = {"mode": "exploratory", "chosen": 0, "later": "[]"}
        db.execute(insert(sessions).values(session_id=session_id, person_id=person_id, **new))


def _named(source: Source, others: Sequence[Source]) -> tuple[DataTable, ...]:
    """Its tables, each with a name that no other table of the conversation has."""
    taken = {table.name for one in others for table in one.tables}
    found = []
    for table in source.tables:
        name, n = table.name or "table_", 2
        while name in taken:
            name, n = f"{(table.name or 'table').rstrip('_')}_{n}", n + 1
        taken.add(name)
        found.append(table.model_copy(update={"name": name}))
    return tuple(found)


def length(db: Any, source_id: str, part: int) -> int:
    """In how many pieces a part lies; 0: it is not there any more."""
    here = (source_pieces.c.source_id == source_id) & (source_pieces.c.part == part)
    return int(db.scalar(select(func.count()).select_from(source_pieces).where(here)) or 0)


def piece(db: Any, source_id: str, part: int, n: int) -> bytes | None:
    """One piece of a part; None: it is not there any more."""
    here = (
        (source_pieces.c.source_id == source_id) & (source_pieces.c.part == part) & (source_pieces.c.n == n)
    )
    found: bytes | None = db.scalar(select(source_pieces.c.content).where(here))
    return found


def with_hash(db: Any, digest: str) -> str | None:
    """The id of a source that is all there and was attached with these bytes, whoever's it is."""
    here = (sources.c.sha256 == digest) & sources.c.tables.is_not(None)
    found: str | None = db.scalar(select(sources.c.id).where(here).limit(1))
    return found


def erase(db: Any, ids: Sequence[str]) -> None:
    """Erase sources with their bytes."""
    db.execute(delete(source_pieces).where(source_pieces.c.source_id.in_(ids)))
    db.execute(delete(sources).where(sources.c.id.in_(ids)))


def from_file(path: Path, n: int) -> bytes:
    """The n-th piece of a file."""
    with path.open("rb") as file:
        file.seek(n * PIECE)
        return file.read(PIECE)
