"""The rows of files, over a connection: a file is described in one row, its bytes lie in pieces of their own."""

from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, Select, delete, insert, select, update

from softrail.core.attachments import Attachment, StoredAttachment
from softrail.core.errors import NotFound
from softrail.store.rows import moment, stamp
from softrail.store.tables import attachment_pieces, attachments, sessions

LEFT_AFTER: Final = timedelta(hours=6)  #: what has not come in by then comes no more


def erase_files(conn: Connection, which: Any) -> None:
    """Erase files with their bytes, whole ones and those that are coming in."""
    chosen = select(attachments.c.id).where(which)
    conn.execute(delete(attachment_pieces).where(attachment_pieces.c.attachment_id.in_(chosen)))
    conn.execute(delete(attachments).where(which))


def begin(conn: Connection, values: dict[str, Any], at: datetime) -> None:
    """Note a file that is coming in; what was left half way long ago is removed. Raises NotFound."""
    mine = select(sessions.c.id).where(
        sessions.c.id == values["session_id"], sessions.c.person_id == values["person_id"]
    )
    if conn.execute(mine.with_for_update()).first() is None:
        raise NotFound()
    left = attachments.c.size.is_(None) & (attachments.c.created_at < stamp(at - LEFT_AFTER))
    erase_files(conn, left | (attachments.c.id == values["id"]))  # a first try whose outcome nobody knows
    conn.execute(insert(attachments), values)


def add(conn: Connection, id: str, n: int, content: bytes) -> None:
    """One piece more, unless the session was erased meanwhile."""
    if conn.execute(select(attachments.c.id).where(attachments.c.id == id).with_for_update()).first() is None:
        raise NotFound()
    there = (attachment_pieces.c.attachment_id == id) & (attachment_pieces.c.n == n)
    conn.execute(delete(attachment_pieces).where(there))  # a first try whose outcome nobody knows
    conn.execute(insert(attachment_pieces), {"attachment_id": id, "n": n, "content": content})


def end(conn: Connection, id: str, size: int) -> StoredAttachment:
    """All of it is there: from now on it can be seen. Raises NotFound when it was erased meanwhile."""
    conn.execute(update(attachments).where(attachments.c.id == id).values(size=size))
    row = conn.execute(select(attachments).where(attachments.c.id == id)).first()
    if row is None:
        raise NotFound()
    return stored_file(row)


def piece(conn: Connection, id: str, n: int) -> bytes | None:
    """One piece of a file; None: it is not there any more."""
    query = select(attachment_pieces.c.content).where(
        attachment_pieces.c.attachment_id == id, attachment_pieces.c.n == n
    )
    found: bytes | None = conn.scalar(query)
    return found


def whole_files(person_id: str, session_id: str) -> Select[Any]:
    """The files of a session of the person that can be seen."""
    return select(attachments).where(
        attachments.c.session_id == session_id,
        attachments.c.person_id == person_id,
        attachments.c.size.is_not(None),
    )


def attachment_of(row: Any) -> Attachment:
    """The file of a row of `attachments`."""
    return Attachment(id=row.id, name=row.name, media_type=row.media_type, size=row.size)


def stored_file(row: Any) -> StoredAttachment:
    """The same, with whose it is and since when."""
    return StoredAttachment(
        attachment=attachment_of(row), session_id=row.session_id, created_at=moment(row.created_at)
    )
