"""Keeps the files of sessions, each piece written and read alone.

No transaction is open while bytes travel, and nothing holds a file as a whole. A file can be seen once all of it is
there; whatever was left half way is removed by one that comes later.
"""

import asyncio
import builtins
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Final

from sqlalchemy import Connection, and_, or_, select

from softrail.core.attachments import Attachment, StoredAttachment
from softrail.core.clock import now
from softrail.core.errors import NotFound
from softrail.core.files import media_type, safe_name
from softrail.store import attachments as rows
from softrail.store.rows import stamp
from softrail.store.sqlstore import SqlStore
from softrail.store.tables import attachments

PIECE: Final = 262_144  #: bytes of one row
AT_ONCE: Final = 2  #: pieces that are read at once: each thread that reads one keeps room for it


class SqlAttachments:
    """Files over any SQL database. Implements `Attachments`."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store
        self._loop: asyncio.AbstractEventLoop | None = None
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def find(self, person_id: str, session_id: str, ids: Sequence[str]) -> builtins.list[Attachment]:
        """Those of the ids that are whole files of that session of that person, in the order of the ids."""
        if not ids:
            return []
        query = rows.whole_files(person_id, session_id).where(attachments.c.id.in_(ids))
        there = await self._store.read(lambda conn: conn.execute(query).all())
        found = {row.id: rows.attachment_of(row) for row in there}
        return [found[one] for one in ids if one in found]

    async def here(self, attachment: Attachment) -> bool:
        """The file has not been erased."""
        query = select(attachments.c.id).where(
            attachments.c.id == attachment.id, attachments.c.size.is_not(None)
        )
        return await self._store.read(lambda conn: conn.execute(query).first()) is not None

    async def pieces(self, attachment: Attachment) -> AsyncIterator[bytes]:
        """Its bytes, piece by piece. Raises NotFound when it was erased, also in between."""
        if not await self.here(attachment):
            raise NotFound(f"The file {attachment.name!r} is not there any more.")
        for n in range(-(-attachment.size // PIECE)):
            async with self._few():
                content = await self._store.read(partial(rows.piece, id=attachment.id, n=n))
            if content is None:
                raise NotFound(f"The file {attachment.name!r} is not there any more.")
            yield content

    def _few(self) -> asyncio.Semaphore:
        """Lets few read at once; of this event loop, for a store may be used in one after the other."""
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._loop, self._turns = loop, asyncio.Semaphore(AT_ONCE)
        return self._turns

    async def read(self, attachment: Attachment) -> bytes:
        """All its bytes at once. Raises NotFound when it was erased."""
        return b"".join([piece async for piece in self.pieces(attachment)])

    async def keep(
        self, person_id: str, session_id: str, name: str, content: AsyncIterator[bytes], *, id: str
    ) -> StoredAttachment:
        """Keep a file in a session of the person. Raises NotFound when there is no such session, or not any more."""
        at, called = now(), safe_name(name)
        values = {
            "id": id,
            "person_id": person_id,
            "session_id": session_id,
            "name": called,
            "media_type": media_type(called),
            "size": None,
            "created_at": stamp(at),
        }
        await self._store.write(lambda conn: rows.begin(conn, values, at))
        n = size = 0
        try:
            async for piece in _sliced(content):
                await self._store.write(partial(rows.add, id=id, n=n, content=piece))
                n, size = n + 1, size + len(piece)
            return await self._store.write(lambda conn: rows.end(conn, id, size))
        except BaseException:
            await self._store.write(lambda conn: rows.erase_files(conn, attachments.c.id == id))
            raise

    async def list(
        self, person_id: str, session_id: str, *, before: str | None, limit: int
    ) -> builtins.list[StoredAttachment]:
        """The files of a session, newest first; after the one of id `before`, which is in it."""
        query = rows.whole_files(person_id, session_id)
        if before is not None:
            last = select(attachments.c.created_at).where(attachments.c.id == before).scalar_subquery()
            at = attachments.c.created_at
            query = query.where(or_(at < last, and_(at == last, attachments.c.id < before)))
        query = query.order_by(attachments.c.created_at.desc(), attachments.c.id.desc()).limit(limit)
        there = await self._store.read(lambda conn: conn.execute(query).all())
        return [rows.stored_file(row) for row in there]

    async def erase(self, person_id: str, session_id: str, id: str) -> bool:
        """Erase one file of a session, its bytes with it; whether it was there."""

        def erase(conn: Connection) -> bool:
            there = conn.execute(
                rows.whole_files(person_id, session_id).where(attachments.c.id == id)
            ).first()
            if there is not None:
                rows.erase_files(conn, attachments.c.id == id)
            return there is not None

        return await self._store.write(erase)


async def _sliced(content: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same bytes in pieces of one size, the last one smaller."""
    held = bytearray()
    async for piece in content:
        held += piece
        while len(held) >= PIECE:
            yield bytes(held[:PIECE])
            del held[:PIECE]
    if held:
        yield bytes(held)
