"""The data that people attach for plans: read once, in a process of its own, and kept with what is known of it."""

import asyncio
import io
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any, BinaryIO, Final

from softrail.plans.data import keeping
from softrail.plans.data.children import Children, own_folder
from softrail.plans.data.copying import copy
from softrail.plans.data.databases import Catalogue
from softrail.plans.data.faults import LimitReached, NotCopied
from softrail.plans.data.profile import DataTable, Source
from softrail.plugin import ConversationError, NotFound, OutboxItem, SqlStore, TimeOrderedIds, now, safe_name

MEGABYTE: Final = 1_000_000
_KEPT: Final = 16  #: conversations whose sources are kept in memory


class Sources:
    """The sources of conversations. A service: whoever plans asks it what is there."""

    def __init__(
        self,
        store: SqlStore,
        children: Children,
        *,
        most: int,
        megabytes: int,
        catalogue: Catalogue | None = None,
    ) -> None:
        self._store = store
        self._catalogue = catalogue or Catalogue({})
        self._children = children
        self._most = most
        self._largest = megabytes * MEGABYTE
        self._ids = TimeOrderedIds()
        #: By their ids, which are others once anything is attached: a turn asks several times.
        self._lately: dict[tuple[str, ...], tuple[Source, ...]] = {}

    @property
    def largest(self) -> int:
        """Bytes that a source may have."""
        return self._largest

    async def of(self, session_id: str) -> tuple[Source, ...]:
        """The sources of a conversation, the oldest first, each as it was attached last."""
        ids = tuple(await self._store.glance(lambda conn: keeping.attached(conn, session_id)))
        if not ids:
            return ()
        if (known := self._lately.get(ids)) is not None:
            return known
        found = await self._store.read(lambda conn: keeping.whole(conn, session_id))
        self._lately[tuple(one.id for one in found)] = found
        while len(self._lately) > _KEPT:
            self._lately.pop(next(iter(self._lately)))
        return found

    async def attach(self, session_id: str, person_id: str, name: str, stream: BinaryIO | bytes) -> Source:
        """Read a file and keep it in a conversation; one of the same name is replaced.

        Raises:
            SourceUnreadable: It is no table, or has a cell that cannot be meant.
            LimitReached: It is too large, takes too much to be read, or there are as many as may be.
            DataNotInstalled: What reads files is missing here.
            NotFound: The conversation is not there, or not the person's.
        """
        called = await self._room_for(session_id, person_id, name)
        async with own_folder() as folder:
            digest, size = await asyncio.to_thread(self._copied, stream, folder / "source")
            told = await self._children.one("read", {"file": "source", "name": called}, folder)
            return await self._made(told, called, session_id, person_id, folder, (digest, size))

    async def attach_table(self, session_id: str, person_id: str, name: str) -> Source:
        """Copy a table of an operator's database and keep it in a conversation; an older copy is replaced.

        Raises:
            NotCopied: No such table is named by the operator, or it cannot be copied.
            LimitReached: It takes too much to be read, or there are as many sources as may be.
            DataNotInstalled: What reads data is missing here.
            NotFound: The conversation is not there, or not the person's.
        """
        named = self._catalogue.find(name)
        database = self._catalogue.database(named) if named is not None else None
        if named is None or database is None:
            raise NotCopied(f"There is no table “{name}” here that could be copied.")
        called = await self._room_for(session_id, person_id, named.name)
        async with own_folder() as folder:
            path = folder / "source"
            await copy(named, database, path, largest=self._largest)
            measured = await asyncio.to_thread(_measured, path)
            job = {"file": "source", "name": called, "copied": True}
            told = await self._children.one("read", job, folder)
            return await self._made(told, called, session_id, person_id, folder, measured)

    async def erase(self, session_id: str, source_id: str) -> bool:
        """Erase one source of a conversation; whether it was there."""
        found = [one.id for one in await self.of(session_id) if one.id == source_id]
        await self._store.write(lambda conn: keeping.erase(conn, found))
        return bool(found)

    async def laid_out(self, source: Source, table: DataTable, folder: Path) -> Mapping[str, str]:
        """Write one table of a source into a folder, as it was read; what a query has to know of it."""
        part = source.tables.index(table) + 1
        path = folder / f"{source.id}-{part}.parquet"
        if not await self._written(source.id, part, path):
            raise NotFound(f"The source {source.name!r} is not there any more.")
        return {"name": table.name, "file": path.name}

    async def original(self, digest: str, path: Path) -> bool:
        """Write a file as it was attached, known by its sha256; whether it is there, whoever's it is."""
        found = await self._store.read(partial(keeping.with_hash, digest=digest))
        return found is not None and await self._written(found, keeping.ORIGINAL, path)

    async def _written(self, source_id: str, part: int, path: Path) -> bool:
        """Write a part of a source into a file; whether all of it was there."""
        count = await self._store.read(partial(keeping.length, source_id=source_id, part=part))
        with await asyncio.to_thread(path.open, "wb") as file:
            for n in range(count):
                content = await self._store.read(partial(keeping.piece, source_id=source_id, part=part, n=n))
                if content is None:
                    return False
                await asyncio.to_thread(file.write, content)
        return count > 0

    # -- keeping

    async def _room_for(self, session_id: str, person_id: str, name: str) -> str:
        """What a new source is called. Raises NotFound and LimitReached."""
        await self._must_be_there(session_id, person_id)
        called = safe_name(name)
        if len([one for one in await self.of(session_id) if one.name != called]) >= self._most:
            raise self._too_many()
        return called

    async def _made(
        self,
        told: Mapping[str, Any],
        called: str,
        session_id: str,
        person_id: str,
        folder: Path,
        measured: tuple[str, int],
    ) -> Source:
        """Keep what was read in a folder; `measured`: the hash and the size of the file that it was read of."""
        source = Source(
            id=self._ids.new(),
            name=called,
            format=told["format"],
            sha256=measured[0],
            bytes=measured[1],
            tables=tuple(_table(one) for one in told["tables"]),
        )
        files = [folder / "source", *(folder / str(one["file"]) for one in told["tables"])]
        return await self._keep(source, session_id, person_id, files)

    async def _keep(self, source: Source, session_id: str, person_id: str, files: Sequence[Path]) -> Source:
        at = now()
        await self._store.write(lambda conn: keeping.begin(conn, source, session_id, person_id, at))
        try:
            # Whoever erases the conversation from now on sees the row, and takes it along.
            await self._must_be_there(session_id, person_id)
            for part, path in enumerate(files):
                await self._keep_part(source.id, part, path)
            kept = await self._store.write(
                lambda conn: keeping.end(conn, source, session_id, person_id, self._most)
            )
            if kept is None:
                raise self._too_many()
        except BaseException:
            await asyncio.shield(self._store.write(lambda conn: keeping.erase(conn, [source.id])))
            raise
        return kept

    async def _keep_part(self, source_id: str, part: int, path: Path) -> None:
        size = (await asyncio.to_thread(path.stat)).st_size
        for n in range(-(-size // keeping.PIECE)):
            content = await asyncio.to_thread(keeping.from_file, path, n)
            add = partial(keeping.add, source_id=source_id, part=part, n=n, content=content)
            await self._store.write(add)

    async def _must_be_there(self, session_id: str, person_id: str) -> None:
        if await self._store.session(person_id, session_id) is None:
            raise NotFound()

    def _copied(self, stream: BinaryIO | bytes, path: Path) -> tuple[str, int]:
        """Lay the bytes where they are read, and measure them. Raises LimitReached."""
        incoming = io.BytesIO(stream) if isinstance(stream, bytes) else stream
        digest, size = sha256(), 0
        with path.open("wb") as file:
            while piece := incoming.read(keeping.PIECE):
                size += len(piece)
                if size > self._largest:
                    raise LimitReached(f"A source has at most {self._largest // MEGABYTE} MB.")
                digest.update(piece)
                file.write(piece)
        return digest.hexdigest(), size

    def _too_many(self) -> LimitReached:
        return LimitReached(
            f"There are {self._most} sources in this conversation, and more are not kept. Attach one under the name of "
            "another, or begin a new conversation."
        )


class TableCopies:
    """Attaches copies of tables that were asked for; what cannot be done is told once, and in words for people."""

    def __init__(self, sources: Sources, *, limit: float) -> None:
        self._sources = sources
        self.limit = limit  #: seconds that copying and reading may take

    async def __call__(self, item: OutboxItem) -> None:
        try:
            await self._sources.attach_table(item.session_id, item.person_id, str(item.payload["table"]))
        except NotCopied:
            raise
        except ConversationError as error:  # too many sources, too large to be read, a package missing
            raise NotCopied(error.message) from error


def _table(told: Mapping[str, Any]) -> DataTable:
    known = {name: value for name, value in told.items() if name != "file"}
    return DataTable.model_validate(known)


def _measured(path: Path) -> tuple[str, int]:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest(), path.stat().st_size
