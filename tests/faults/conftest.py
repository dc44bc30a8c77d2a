"""Faults are about what is kept and how often: here what people say is taken as it is, by exact words alone."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from softrail.store import SqliteStore, SqlStore
from softrail.store.postgres import PostgresStore
from tests.faults.kit import file_url
from tests.faults.statements import NOTED, noted


@pytest.fixture(autouse=True, scope="module")
def exact_words() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOFTRAIL_READER", "exact")
        yield


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database that several workers may share."""
    if request.param == "sqlite":
        return file_url(tmp_path)
    return str(request.getfixturevalue("empty_postgres_url"))


@pytest.fixture(params=["sqlite", "postgres"])
def unopened(request: pytest.FixtureRequest, tmp_path: Path) -> SqlStore:
    """A store of either kind, over an empty database."""
    handlers = {NOTED: noted}
    if request.param == "sqlite":
        return SqliteStore(tmp_path / "softrail.db", durability="normal", effect_handlers=handlers)
    url = request.getfixturevalue("empty_postgres_url")
    return PostgresStore(url, pool_size=2, effect_handlers=handlers)


@pytest.fixture
async def store(unopened: SqlStore) -> AsyncIterator[SqlStore]:
    """The same, started."""
    await unopened.start()
    yield unopened
    await unopened.close()
