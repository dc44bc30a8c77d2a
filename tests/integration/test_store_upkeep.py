"""The file of a SQLite store: its log stays short, and another file in its place is noticed."""

import os
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from softrail.core.errors import StoreUnavailable
from softrail.store import SqliteStore, compact
from softrail.store.upkeep import LOG_MOST
from softrail.testing.contracts.values import fresh, loaded, opened, someone, turn_on

GONE = "moved, removed or replaced"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "softrail.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(path, durability="normal")
    await store.start()
    yield store
    await store.close()


def log_of(path: Path) -> int:
    return Path(f"{path}-wal").stat().st_size


def content(path: Path) -> bytes:
    return path.read_bytes() + Path(f"{path}-wal").read_bytes()


def made_anew(path: Path) -> None:
    path.touch()


async def test_the_log_that_grew_behind_a_long_reader_is_short_again_when_the_reader_is_gone(
    store: SqliteStore, path: Path
) -> None:
    store._own._upkeep._every = 0  # type: ignore[attr-defined]
    await store.write(lambda conn: conn.exec_driver_sql("CREATE TABLE filler (words TEXT)"))
    reader = sqlite3.connect(path)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM filler").fetchall()
    for _ in range(12):
        await store.write(
            lambda conn: conn.exec_driver_sql("INSERT INTO filler VALUES (?)", ("x" * 2**20,)).rowcount
        )
    assert log_of(path) > LOG_MOST

    reader.close()
    await store.check()

    assert log_of(path) <= 2**16


async def test_what_is_erased_while_somebody_reads_leaves_the_log_with_a_later_write(
    store: SqliteStore, path: Path
) -> None:
    store._own._upkeep._every = 0  # type: ignore[attr-defined]
    ada = await someone(store)
    reader = sqlite3.connect(path)
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM persons").fetchone() == (1,)

    await store.delete_person(ada.id)
    assert ada.email.encode() in content(path)
    reader.close()
    await store.check()

    assert ada.email.encode() not in content(path)


@pytest.mark.parametrize("then", ["moved", "removed", "replaced"])
async def test_a_file_that_is_not_there_any_more_is_written_to_by_nobody(
    store: SqliteStore, path: Path, tmp_path: Path, then: str
) -> None:
    ada = await someone(store)
    snapshot = await opened(store, ada)
    aside = tmp_path / "aside.db"
    os.rename(path, aside)
    if then == "removed":
        aside.unlink()
    if then == "replaced":
        made_anew(path)

    for what in (store.commit([turn_on(snapshot, "t1")]), store.check(), store.person(ada.id)):
        with pytest.raises(StoreUnavailable, match=GONE):
            await what
    with pytest.raises(StoreUnavailable, match=GONE):
        await loaded(store, ada)


async def test_a_file_that_is_put_back_is_used_again(store: SqliteStore, path: Path, tmp_path: Path) -> None:
    ada = await someone(store)
    os.rename(path, tmp_path / "aside.db")
    with pytest.raises(StoreUnavailable, match=GONE):
        await store.check()

    os.rename(tmp_path / "aside.db", path)

    await store.check()
    await store.commit([turn_on(fresh(ada), "t1")])
    assert (await loaded(store, ada)).session.next_seq > 1


def test_an_old_file_is_compacted_and_gives_pages_back_from_then_on(path: Path, tmp_path: Path) -> None:
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA auto_vacuum = NONE")
    raw.execute("CREATE TABLE filler (words TEXT)")
    raw.execute("INSERT INTO filler VALUES (?)", ("x" * 2**20,))
    raw.execute("DELETE FROM filler")
    raw.commit()
    raw.close()

    done = compact(f"sqlite:///{path}")

    assert done.before > 2**20
    assert done.after == path.stat().st_size < 2**16
    raw = sqlite3.connect(path)
    assert raw.execute("PRAGMA auto_vacuum").fetchone() == (2,)
    raw.close()


@pytest.mark.parametrize("url", ["sqlite:///{}/nothing.db", "sqlite://", "postgresql://nobody@127.0.0.1:1/x"])
def test_what_is_no_file_is_not_compacted(url: str, tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="Only a SQLite file"):
        compact(url.format(tmp_path))


def test_a_file_that_is_no_database_is_not_compacted(path: Path) -> None:
    path.write_bytes(b"This is a letter to a friend. " * 100)
    with pytest.raises(StoreUnavailable, match="is not a SQLite database"):
        compact(f"sqlite:///{path}")


async def test_a_new_file_gives_pages_back_and_overwrites_what_is_erased(
    store: SqliteStore, path: Path
) -> None:
    pragma = await store.read(
        lambda conn: [
            conn.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("auto_vacuum", "secure_delete")
        ]
    )
    assert pragma == [2, 1]
