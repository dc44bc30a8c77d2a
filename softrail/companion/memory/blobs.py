"""Content by its hash, in the database or in a folder, kept before it is anybody's and released afterwards."""

import asyncio
import io
import os
import shutil
import tempfile
from collections.abc import AsyncGenerator, Sequence
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, Final

from sqlalchemy import (
    BigInteger,
    Connection,
    LargeBinary,
    Text,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    text,
    update,
)

from softrail.companion.memory.artifacts import Kept, keep_row
from softrail.companion.memory.tables import artifacts, blob_pieces, blobs
from softrail.plugin import NotFound, OutboxItem, SqlStore, StoreUnavailable, now, stamp

RELEASED: Final = "companion_files_released"  #: kind of the outbox item that removes files
PIECE: Final = 262_144  #: bytes that are written, read and held at once
PROBE: Final = 65_536  #: bytes that have to find room for the folder to be of use
_TRIES: Final = 3
#: Whoever keeps the same content at the same time writes the same.
_KEEP_PIECE: Final = text(
    "INSERT INTO companion_blob_pieces (sha256, n, content) VALUES (:sha256, :n, :content) "
    "ON CONFLICT (sha256, n) DO NOTHING"
).bindparams(
    bindparam("sha256", type_=Text), bindparam("n", type_=BigInteger), bindparam("content", type_=LargeBinary)
)
FORGOTTEN_AFTER: Final = timedelta(
    days=1
)  #: content that nobody described by then came from a turn that failed


class Blobs:
    """Keeps content once, under its hash: in the database, or in `folder` when there is one."""

    def __init__(self, store: SqlStore, folder: Path | None = None) -> None:
        self._store = store
        self._folder = folder
        self._at_once = asyncio.Semaphore(2)

    async def keep(self, content: bytes | BinaryIO) -> Kept:
        """Keep it. It is nobody's until a file is described with it. Raises StoreUnavailable."""
        file = io.BytesIO(content) if isinstance(content, bytes) else content
        kept = await asyncio.to_thread(_measured, file)
        if self._folder is None:
            await self._keep_in_rows(kept, file)
            return kept
        at = now()
        await self._store.write(lambda conn: keep_row(conn, kept, None, at=at))
        # After the row: removing a file waits for the row's key, and so comes before us or not at all.
        try:
            await asyncio.to_thread(_write, self._place(kept.sha256), file)
        except OSError as error:  # no space left, or not to be written to
            raise StoreUnavailable("The file cannot be kept just now. Try again in a moment.") from error
        return kept

    async def _keep_in_rows(self, kept: Kept, file: BinaryIO) -> None:
        at = now()
        if kept.size <= PIECE:
            whole = await asyncio.to_thread(_from, file, 0)
            await self._store.write(lambda conn: keep_row(conn, kept, whole, at=at))
            return
        for _ in range(_TRIES):
            await self._store.write(lambda conn: keep_row(conn, kept, None, at=at))
            for n in range(-(-kept.size // PIECE)):
                async with self._at_once:  # turns are written between the pieces, however many come in
                    piece = await asyncio.to_thread(_from, file, n)
                    await self._store.write(partial(_keep_piece, sha256=kept.sha256, n=n, content=piece))
            if await self._store.write(lambda conn: _all_there(conn, kept)):
                return
        raise StoreUnavailable("The file cannot be kept just now. Try again in a moment.")  # erased each time

    async def check_ready(self) -> None:
        """Raises StoreUnavailable while the folder takes no file: it is full, gone or may only be read."""
        if self._folder is None:
            return
        try:
            await asyncio.to_thread(_try_out, self._folder)
        except OSError as error:
            raise StoreUnavailable(
                "The folder of files takes none just now. Try again in a moment."
            ) from error

    async def read(self, digest: str, pieces: int = 0) -> AsyncGenerator[bytes, None]:
        """The content, piece by piece. Raises StoreUnavailable when it cannot be read, NotFound when it was erased."""
        whole = None
        if not pieces:
            query = select(blobs.c.content).where(blobs.c.sha256 == digest)
            row = await self._store.read(lambda conn: conn.execute(query).first())
            if row is None:
                raise NotFound()  # erased meanwhile
            whole = row.content
        if pieces or whole is not None:
            return self._of_rows(digest, pieces, whole)
        if self._folder is None:
            raise StoreUnavailable("The content of this file lies in a folder that is not set up here.")
        try:
            return _of_file(await asyncio.to_thread(_opened, self._place(digest), digest))
        except OSError as error:
            raise StoreUnavailable(
                "The content of this file cannot be read. Try again in a moment."
            ) from error

    async def _of_rows(self, digest: str, pieces: int, whole: bytes | None) -> AsyncGenerator[bytes, None]:
        if whole is not None:
            yield whole
        for n in range(pieces):
            query = select(blob_pieces.c.content).where(blob_pieces.c.sha256 == digest, blob_pieces.c.n == n)
            piece = await self._store.read(partial(_scalar, query=query))
            if piece is None:
                raise NotFound()  # erased meanwhile
            yield piece

    async def deliver(self, item: OutboxItem) -> None:
        """Remove from the folder what was erased from the database; doing it again is harmless."""
        folder = self._folder
        if folder is None:
            return

        def remove(conn: Connection, digest: str) -> None:
            if conn.execute(select(blobs.c.sha256).where(blobs.c.sha256 == digest)).first() is not None:
                return  # given again meanwhile
            values = {"sha256": digest, "size": 0, "content": None, "kept_at": 0}
            conn.execute(insert(blobs).values(values))  # whoever gives it now waits for our commit
            self._place(digest).unlink(missing_ok=True)
            conn.execute(delete(blobs).where(blobs.c.sha256 == digest))

        for digest in item.payload["hashes"]:
            await self._store.write(partial(remove, digest=str(digest)))

    def _place(self, digest: str) -> Path:
        assert self._folder is not None  # noqa: S101 - every caller has looked
        return self._folder / digest[:2] / digest[2:]


def release(conn: Connection, digests: Sequence[str], at: datetime) -> Sequence[str]:
    """Erase content that no file has any more, and what was never described; the hashes of what lay on disk."""
    used = exists().where(artifacts.c.sha256 == blobs.c.sha256)
    old = blobs.c.kept_at < stamp(at - FORGOTTEN_AFTER)
    elsewhere = blobs.c.content.is_(None) & (blobs.c.pieces == 0)
    free = and_(~used, blobs.c.sha256.in_(digests) | old)
    # Whoever is about to describe a file with one of them ends first, and it is not free any more; or comes after us.
    conn.execute(select(blobs.c.sha256).where(free).order_by(blobs.c.sha256).with_for_update()).all()
    found = conn.execute(select(blobs.c.sha256, elsewhere.label("on_disk")).where(free)).all()
    gone = [row.sha256 for row in found]
    conn.execute(delete(blobs).where(blobs.c.sha256.in_(gone)))
    conn.execute(delete(blob_pieces).where(blob_pieces.c.sha256.in_(gone)))
    return [row.sha256 for row in found if row.on_disk]


def _scalar(conn: Connection, query: Any) -> bytes | None:
    found: bytes | None = conn.scalar(query)
    return found


def _keep_piece(conn: Connection, sha256: str, n: int, content: bytes) -> None:
    here = (blob_pieces.c.sha256 == sha256) & (blob_pieces.c.n == n)
    if conn.execute(select(blob_pieces.c.n).where(here)).first() is None:
        conn.execute(_KEEP_PIECE, {"sha256": sha256, "n": n, "content": content})


def _all_there(conn: Connection, kept: Kept) -> bool:
    """Note how many pieces there are, when all of them are."""
    wanted = -(-kept.size // PIECE)
    here = blobs.c.sha256 == kept.sha256
    row = conn.execute(select(blobs.c.content.is_not(None)).where(here).with_for_update()).first()
    count = select(func.count()).where(blob_pieces.c.sha256 == kept.sha256)
    if row is None or (conn.scalar(count) != wanted and not row[0]):
        return False
    conn.execute(update(blobs).where(here, blobs.c.content.is_(None)).values(pieces=wanted))
    return True


def _measured(file: BinaryIO) -> Kept:
    digest, size = sha256(), 0
    file.seek(0)
    while piece := file.read(PIECE):
        digest.update(piece)
        size += len(piece)
    return Kept(sha256=digest.hexdigest(), size=size)


def _from(file: BinaryIO, n: int) -> bytes:
    file.seek(n * PIECE)
    return file.read(PIECE)


def _opened(path: Path, digest: str) -> BinaryIO:
    """The content that was kept there. Raises OSError when something else lies there now, a link not followed."""
    file = os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb")
    try:
        if _measured(file).sha256 != digest:
            raise OSError(f"The content of {path.name} is not what was kept.")
    except BaseException:
        file.close()
        raise
    return file


async def _of_file(file: BinaryIO) -> AsyncGenerator[bytes, None]:
    n = 0
    try:
        while piece := await asyncio.to_thread(_from, file, n):
            yield piece
            n += 1
    finally:
        file.close()


def _try_out(folder: Path) -> None:
    """Write a small file there, which is gone afterwards."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(PROBE))
        file.flush()


def _write(path: Path, content: BinaryIO) -> None:
    """Write it whole or not at all; a power cut leaves no half of it under its name."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            content.seek(0)
            shutil.copyfileobj(content, file, PIECE)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
