"""Files that steps make, charts and tables: in the library of the conversation's project, else with the conversation."""

from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import Connection, delete, insert, select

from softrail.companion.memory.service import Artifacts
from softrail.plans.tables import files
from softrail.plugin import (
    Forbidden,
    NotFound,
    SqlStore,
    TimeOrderedIds,
    media_type,
    now,
    safe_name,
    stamp,
    turns_table,
)

MOST: Final = 200  #: files of a conversation; the oldest go


class Files:
    """The files that were made in conversations."""

    def __init__(self, store: SqlStore, library: Artifacts | None) -> None:
        self._store = store
        self._library = library
        self._ids = TimeOrderedIds()

    async def keep(self, session_id: str, person_id: str, title: str, ending: str, content: bytes) -> str:
        """Keep a file; where it is downloaded. The same one kept again is the same. Raises NotFound."""
        name = safe_name(f"{title}.{ending}")
        project_id = await self._store.read(lambda conn: _project(conn, session_id))
        if self._library is not None and project_id is not None:
            with suppress(NotFound, Forbidden):  # they have left it, or may only read there
                return await self._in_library(self._library, person_id, project_id, title, name, content)
        return await self._with_session(session_id, person_id, name, content)

    async def find(self, session_id: str, file_id: str) -> tuple[str, str, bytes] | None:
        """The name, the kind and the content of a file of a conversation; None where there is none."""
        query = select(files).where(files.c.id == file_id, files.c.session_id == session_id)
        row = await self._store.read(lambda conn: conn.execute(query).first())
        return None if row is None else (row.name, media_type(row.name), row.content)

    async def _in_library(
        self, library: Artifacts, person_id: str, project_id: str, title: str, name: str, content: bytes
    ) -> str:
        digest = sha256(content).hexdigest()
        for one in await library.list(person_id, project_id, limit=50):
            if one.sha256 == digest and one.file_name == name:
                return one.href
        kind = name.rpartition(".")[2]
        made = await library.store(
            person_id, project_id, title=title[:200], type=kind, file_name=name, content=content
        )
        return made.href

    async def _with_session(self, session_id: str, person_id: str, name: str, content: bytes) -> str:
        if await self._store.session(person_id, session_id) is None:
            raise NotFound("The conversation is not there any more.")
        digest, file_id, at = sha256(content).hexdigest(), self._ids.new(), stamp(now())
        same = (files.c.session_id == session_id) & (files.c.name == name) & (files.c.sha256 == digest)

        def keep(conn: Connection) -> str:
            there = conn.execute(select(files.c.id).where(same)).first()
            if there is not None:
                return str(there.id)
            values = {"session_id": session_id, "person_id": person_id, "made_at": at}
            conn.execute(
                insert(files).values(id=file_id, name=name, sha256=digest, content=content, **values)
            )
            older = select(files.c.id).where(files.c.session_id == session_id)
            gone = conn.scalars(older.order_by(files.c.made_at.desc(), files.c.id.desc()).offset(MOST)).all()
            conn.execute(delete(files).where(files.c.id.in_(gone)))
            return file_id

        kept = await self._store.write(keep)
        if await self._store.session(person_id, session_id) is None:  # erased meanwhile
            await self._store.write(lambda conn: conn.execute(delete(files).where(files.c.id == kept)))
            raise NotFound("The conversation is not there any more.")
        return f"/sessions/{session_id}/artifacts/{kept}"


def _project(conn: Connection, session_id: str) -> str | None:
    """The project that the conversation was about last."""
    here = (turns_table.c.session_id == session_id) & turns_table.c.project_id.is_not(None)
    query = select(turns_table.c.project_id).where(here).order_by(turns_table.c.seq.desc()).limit(1)
    found: str | None = conn.scalar(query)
    return found


def listed(conn: Any, person_id: str) -> Sequence[Any]:
    """What is known of a person's files, for the export."""
    columns = (files.c.id, files.c.session_id, files.c.name, files.c.sha256, files.c.made_at)
    return list(
        conn.execute(select(*columns).where(files.c.person_id == person_id).order_by(files.c.made_at))
    )
