"""A worker under which a newer Softrail makes tables that it may not run on stops, and nothing is lost (row H5)."""

from collections.abc import AsyncIterator

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Connection, text

from softrail.api import create_app
from softrail.bootstrap import build
from softrail.store import schema, upgrade
from tests.faults.old_schemas import PLUGINS, within
from tests.integration.api_server import here, settings
from tests.postgres import databases

COMPANION = next(plugin for plugin in PLUGINS if plugin.name == "companion")
NEWER = (
    "UPDATE softrail_version SET version_num = '9999'",
    "UPDATE facts SET value = '9999' WHERE name = 'runs_from'",
)
MANY = 1_000  #: turns, in which a worker gives some signs of life
AS_BEFORE = f"UPDATE softrail_version SET version_num = '{schema.HEAD}'"  # noqa: S608 - ours

#: What comes under a worker, and what takes it back.
CHANGES = {
    "it is said": (NEWER, (AS_BEFORE,)),
    "a column is gone": (
        (*NEWER, "ALTER TABLE turns RENAME COLUMN reply TO answer"),
        ("ALTER TABLE turns RENAME COLUMN answer TO reply", AS_BEFORE),
    ),
    "a plugin's": (
        (
            f"UPDATE {COMPANION.version_table} SET version_num = 'b2'",  # noqa: S608 - ours
            "UPDATE facts SET value = 'b2' WHERE name = 'runs_from:companion'",
        ),
        (f"UPDATE {COMPANION.version_table} SET version_num = '{COMPANION.head}'",),  # noqa: S608 - ours
    ),
}


@pytest.fixture
async def url(where: str) -> AsyncIterator[str]:
    """A database with all tables that is nobody else's."""
    async with databases(where, "older") as [url]:
        await upgrade(url, plugins=[COMPANION])
        yield url


async def changed(url: str, *statements: str) -> None:
    def change(conn: Connection) -> None:
        for statement in statements:
            conn.execute(text(statement))

    await within(url, change)


async def turns(url: str) -> int:
    return await within(url, lambda conn: int(conn.scalar(text("SELECT count(*) FROM turns")) or 0))


def refusal(client: TestClient) -> str:
    """Why the server is not ready; nothing when it is."""
    answer = client.get("/readyz")
    return "" if answer.status_code == 200 else str(answer.json()["error"]["message"])


@pytest.mark.parametrize(("newer", "before"), CHANGES.values(), ids=CHANGES)
async def test_a_worker_stops_where_tables_come_that_forbid_it_and_goes_on_where_they_go(
    url: str, newer: tuple[str, ...], before: tuple[str, ...]
) -> None:
    bundled = ("companion",) if COMPANION.version_table in newer[0] else ()
    chosen = settings(database_url=url, bundled=bundled, beat_interval=0.02)
    with here(create_app(build(chosen, discover=False), chosen)) as client:
        session = client.post("/converse", json={"message": "hello"}).json()["session_id"]
        said = {"message": "hello again", "session_id": session}

        await changed(url, *newer)

        statuses = [client.post("/converse", json=said).status_code]
        while "does not know" not in refusal(client) and len(statuses) < MANY:  # until its next sign of life
            statuses.append(client.post("/converse", json=said).status_code)
        assert "does not know" in refusal(client)
        assert client.post("/converse", json=said).status_code == 503
        assert set(statuses) <= {200, 503}
        answered = 1 + statuses.count(200)
        assert await turns(url) == answered

        await changed(url, *before)

        while client.get("/readyz").status_code != 200:
            assert client.get("/healthz").status_code == 200
        assert client.post("/converse", json=said).json()["seq"] == 2 * answered + 1
