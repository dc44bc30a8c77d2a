"""Files in the databases: in pieces, whole or not to be seen, gone with whose they are."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, func, select

from softrail.core.attachments import Attachment
from softrail.core.errors import NotFound
from softrail.core.sessions import Session
from softrail.store import MemoryStore, SqliteStore, SqlStore
from softrail.store.files import PIECE, SqlAttachments
from softrail.store.postgres import PostgresStore
from softrail.store.tables import attachment_pieces, attachments, sessions
from softrail.testing import FrozenClock
from softrail.testing.contracts.values import AT, someone


@pytest.fixture(params=["memory", "sqlite"])
async def store(
    request: pytest.FixtureRequest, tmp_path: Path, frozen: FrozenClock
) -> AsyncIterator[SqlStore]:
    made: SqlStore = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "softrail.db")
    await made.start()
    yield made
    await made.close()


@pytest.fixture
async def mine(store: SqlStore) -> tuple[str, str]:
    """A person and a session of theirs."""
    person = await someone(store)
    await store.open_session(Session(id="s1", person_id=person.id, created_at=AT))
    return person.id, "s1"


async def bytes_of(content: bytes, step: int = 100_000) -> AsyncIterator[bytes]:
    for at in range(0, len(content), step):
        yield content[at : at + step]


async def rows(store: SqlStore) -> tuple[int, int]:
    def count(conn: Connection) -> tuple[int, int]:
        files, pieces = (
            conn.scalar(select(func.count()).select_from(table)) for table in (attachments, attachment_pieces)
        )
        return files or 0, pieces or 0

    return await store.read(count)


@pytest.mark.parametrize("size", [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE])
async def test_a_file_of_any_size_comes_back_as_it_was_piece_by_piece(
    store: SqlStore, mine: tuple[str, str], size: int
) -> None:
    files = SqlAttachments(store)
    content = bytes(n % 251 for n in range(1_000)) * (size // 1_000 + 1)
    content = content[:size]

    kept = await files.keep(*mine, "a.bin", bytes_of(content), id="f1")

    assert kept.attachment.size == size
    pieces = [piece async for piece in files.pieces(kept.attachment)]
    assert b"".join(pieces) == content == await files.read(kept.attachment)
    assert all(len(piece) <= PIECE for piece in pieces)


async def test_a_file_that_breaks_off_leaves_nothing(store: SqlStore, mine: tuple[str, str]) -> None:
    async def broken() -> AsyncIterator[bytes]:
        yield b"x" * 2 * PIECE
        raise ConnectionError("gone")

    with pytest.raises(ConnectionError):
        await SqlAttachments(store).keep(*mine, "a.bin", broken(), id="f1")

    assert await rows(store) == (0, 0)


async def test_a_session_erased_while_its_file_comes_in_takes_it_along(
    store: SqlStore, mine: tuple[str, str]
) -> None:
    files = SqlAttachments(store)

    async def erased_between() -> AsyncIterator[bytes]:
        yield b"x" * PIECE
        assert await files.find(*mine, ["f1"]) == [], "nobody sees half of it"
        assert await store.delete_session(*mine)
        yield b"y" * PIECE

    with pytest.raises(NotFound):
        await files.keep(*mine, "a.bin", erased_between(), id="f1")

    assert await rows(store) == (0, 0)


async def test_what_a_killed_worker_left_half_way_goes_with_the_next_that_comes_later(
    store: SqlStore, mine: tuple[str, str], frozen: FrozenClock
) -> None:
    files = SqlAttachments(store)
    left = {"id": "f0", "person_id": mine[0], "session_id": mine[1], "name": "a", "media_type": "a/b"}
    at = {"size": None, "created_at": 1}
    await store.write(lambda conn: conn.execute(attachments.insert(), left | at) and None)
    await store.write(
        lambda conn: (
            conn.execute(attachment_pieces.insert(), {"attachment_id": "f0", "n": 0, "content": b"x"})
            and None
        )
    )

    await files.keep(*mine, "b", bytes_of(b"b"), id="f1")

    assert await rows(store) == (1, 1)
    assert [one.attachment.id for one in await files.list(*mine, before=None, limit=9)] == ["f1"]


async def test_nobody_keeps_a_file_in_a_session_of_others(store: SqlStore, mine: tuple[str, str]) -> None:
    files = SqlAttachments(store)
    for person, session in (("somebody", mine[1]), (mine[0], "nowhere")):
        with pytest.raises(NotFound):
            await files.keep(person, session, "a", bytes_of(b"a"), id="f1")
    await files.keep(*mine, "a", bytes_of(b"a"), id="f1")
    assert await files.find("somebody", mine[1], ["f1"]) == []
    assert not await files.erase("somebody", mine[1], "f1")
    assert await files.erase(*mine, "f1")
    gone = Attachment(id="f1", name="a", media_type="a/b", size=1)
    with pytest.raises(NotFound, match="not there any more"):
        await files.read(gone)
    assert await rows(store) == (0, 0)


async def test_the_database_itself_erases_files_with_their_session(
    store: SqlStore, mine: tuple[str, str]
) -> None:
    """A worker of the version before knows nothing of files."""
    await SqlAttachments(store).keep(*mine, "a", bytes_of(b"a"), id="f1")

    await store.write(lambda conn: conn.execute(sessions.delete()) and None)

    assert await rows(store) == (0, 0)


async def test_postgresql_keeps_them_alike(empty_postgres_url: str, frozen: FrozenClock) -> None:
    store = PostgresStore(empty_postgres_url, pool_size=2)
    await store.start()
    try:
        mine = (await someone(store)).id, "s1"
        await store.open_session(Session(id="s1", person_id=mine[0], created_at=AT))
        files = SqlAttachments(store)
        content = bytes(range(256)) * 2_000
        kept = await files.keep(*mine, "a.bin", bytes_of(content), id="f1")
        assert await files.read(kept.attachment) == content
        assert await files.find(*mine, ["f1"]) == [kept.attachment]
        assert await files.list(*mine, before=None, limit=2) == [kept]
        assert await store.delete_session(*mine)
        assert await rows(store) == (0, 0)
    finally:
        await store.close()
