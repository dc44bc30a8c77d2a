"""Content by its hash, in the database or in a folder, kept before it is anybody's and released afterwards."""

import asyncio
import os
import tempfile
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, delete, exists, insert, select

from softrail.companion.artifacts import Kept, keep_row
from softrail.companion.tables import artifacts, blobs
from softrail.plugin import OutboxItem, SqlStore, StoreUnavailable, now, stamp

RELEASED: Final = "companion_files_released"  #: kind of the outbox item that removes files
FORGOTTEN_AFTER: Final = timedelta(
    days=1
)  #: content that nobody described by then came from a turn that failed


class Blobs:
    """Keeps content once, under its hash: in the database, or in `folder` when there is one."""

    def __init__(self, store: SqlStore, folder: Path | None = None) -> None:
        self._store = store
        self._folder = folder

    async def keep(self, content: bytes) -> Kept:
        """Keep it. It is nobody's until a file is described with it. Raises StoreUnavailable."""
        digest = await asyncio.to_thread(lambda: sha256(content).hexdigest())
        kept = Kept(sha256=digest, size=len(content))
        at, in_row = now(), content if self._folder is None else None
        await self._store.write(lambda conn: keep_row(conn, kept, in_row, at=at))
        if self._folder is not None:
            # After the row: removing a file waits for the row's key, and so comes before us or not at all.
            try:
                await asyncio.to_thread(_write, self._place(digest), content)
            except OSError as error:  # no space left, or not to be written to
                raise StoreUnavailable("The file cannot be kept just now. Try again in a moment.") from error
        return kept

    async def read(self, digest: str) -> bytes:
        """Content that lies in the folder. Raises StoreUnavailable when it cannot be read."""
        if self._folder is None:
            raise StoreUnavailable("The content of this file lies in a folder that is not set up here.")
        try:
            return await asyncio.to_thread(_read, self._place(digest), digest)
        except OSError as error:
            raise StoreUnavailable(
                "The content of this file cannot be read. Try again in a moment."
            ) from error

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
    wanted = select(blobs.c.sha256, blobs.c.content.is_(None).label("on_disk")).where(
        ~used, blobs.c.sha256.in_(digests) | old
    )
    found = conn.execute(wanted).all()
    conn.execute(delete(blobs).where(blobs.c.sha256.in_([row.sha256 for row in found])))
    return [row.sha256 for row in found if row.on_disk]


def _read(path: Path, digest: str) -> bytes:
    """The content that was kept there. Raises OSError when something else lies there now, a link not followed."""
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as file:
        content = file.read()
    if sha256(content).hexdigest() != digest:
        raise OSError(f"The content of {path.name} is not what was kept.")
    return content


def _write(path: Path, content: bytes) -> None:
    """Write it whole or not at all; a power cut leaves no half of it under its name."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
