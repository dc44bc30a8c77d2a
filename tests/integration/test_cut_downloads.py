"""An answer that is sent piece by piece while the database goes away: one line in the log, and it is no whole answer."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
import uvicorn

from softrail.api import create_app, exporting
from softrail.api.connections import Timed
from softrail.bootstrap import build
from softrail.core.commits import Item
from softrail.core.errors import StoreUnavailable
from softrail.store import MemoryStore
from tests.integration.api_server import settings


class GoesAway(MemoryStore):
    """A store from which so many lists of items can be read, and no more."""

    lists = 1000

    async def items(self, *args: Any, **more: Any) -> Sequence[Item]:
        if not self.lists:
            raise StoreUnavailable("The database cannot be reached.")
        self.lists -= 1
        return await super().items(*args, **more)


@asynccontextmanager
async def served(store: MemoryStore) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of the real web server on loopback, with connections as `softrail serve` has them."""
    chosen = settings()
    app = create_app(build(chosen, store=store, discover=False), chosen)
    config = uvicorn.Config(app, port=0, http=Timed, log_config=None)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - there is nothing to wait on
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        async with httpx2.AsyncClient(
            base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=60
        ) as client:
            yield client
    finally:
        server.should_exit = True
        await serving


def troubles(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    """What the log tells of trouble with answers."""
    ours = ("softrail.api", "uvicorn")
    return [r for r in caplog.records if r.levelno >= logging.WARNING and r.name.startswith(ours)]


async def test_an_export_that_is_cut_in_the_middle_is_one_line_in_the_log_and_never_looks_whole(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "_CHUNK", 1)
    store = GoesAway()
    async with served(store) as client:
        await client.post("/converse", json={"message": "/help"})
        whole = await client.get("/me/export")
        store.lists = 0

        with pytest.raises(httpx2.RemoteProtocolError):
            await client.get("/me/export")

        store.lists = 1000
        assert (await client.get("/me/export")).json() == whole.json()
    [cut] = troubles(caplog)
    assert (cut.levelname, cut.exc_info) == ("WARNING", None)
    assert cut.getMessage() == "A download was cut off in the middle: The database cannot be reached."


async def test_an_export_of_which_nothing_could_be_read_yet_is_503(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = GoesAway()
    async with served(store) as client:
        await client.post("/converse", json={"message": "/help"})
        store.lists = 0

        refused = await client.get("/me/export")

    assert refused.status_code == 503
    assert int(refused.headers["retry-after"]) >= 1
    assert troubles(caplog) == []
