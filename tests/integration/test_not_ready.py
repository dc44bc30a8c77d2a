"""A worker that cannot start yet is there, says why, and tries again; older code runs on newer tables that allow it."""

import os
import socket
import sqlite3
from collections.abc import AsyncIterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import MetaData
from typer.testing import CliRunner
from uvicorn.config import STARTUP_FAILURE, Config

from softrail.api import create_app
from softrail.api.recycling import RELOADED
from softrail.api.serving import running_until_signal
from softrail.bootstrap import build
from softrail.cli import app
from softrail.cli.serving import _keyed
from softrail.core.errors import NotReady, ServiceNotStarted, StoreUnavailable
from softrail.core.execution import Host
from softrail.core.people import Person
from softrail.core.turns import Request
from softrail.settings import Settings
from softrail.store import MemoryStore, PluginTables, schema, schema_status, upgrade
from tests.faults.server import ROOT, SERVE
from tests.forked import ran
from tests.integration.api_server import here, settings
from tests.postgres import databases, run_sql

AWAY = "postgresql://nobody@127.0.0.1:1/nothing"


def change(path: Path, *statements: str) -> None:
    raw = sqlite3.connect(path)
    with raw:
        for statement in statements:
            raw.execute(statement)
    raw.close()


async def changed(url: str, *statements: str) -> None:
    if url.startswith("postgresql"):
        await run_sql(url, *statements)
    else:
        change(Path(url.removeprefix("sqlite:///")), *statements)


async def newer(url: str, runs_from: str) -> None:
    """A database that a later Softrail has migrated: the tables of turns have more columns than ours."""
    await upgrade(url)
    await changed(
        url,
        "ALTER TABLE sessions ADD COLUMN mood TEXT",
        "ALTER TABLE turns ADD COLUMN mood TEXT DEFAULT 'fine'",
        "UPDATE softrail_version SET version_num = '9999'",
        f"UPDATE facts SET value = '{runs_from}' WHERE name = 'runs_from'",  # noqa: S608 - ours
    )


@pytest.fixture
async def url(where: str) -> AsyncIterator[str]:
    """A database without tables that is nobody else's."""
    async with databases(where, "newer") as [url]:
        yield url


def answer_of(chosen: Settings, path: str = "/readyz") -> tuple[int, str]:
    dispatcher = build(chosen, discover=False)
    app = create_app(dispatcher, chosen, running=running_until_signal(chosen, again=60.0))
    with here(app) as client:
        assert client.get("/healthz").status_code == 200
        answer = client.get(path)
        assert client.post("/converse", json={"message": "hi"}).status_code == 503
        return answer.status_code, answer.json()["error"]["message"]


async def test_a_worker_on_tables_it_cannot_run_on_says_so_and_becomes_ready(url: str) -> None:
    await newer(url, "9999")
    chosen = settings(database_url=url, bundled=())
    dispatcher = build(chosen, discover=False)
    app = create_app(dispatcher, chosen, running=running_until_signal(chosen, again=0.01))
    with here(app) as client:
        unready = client.get("/readyz")
        assert unready.status_code == 503
        assert "9999, which this Softrail does not know" in unready.json()["error"]["message"]
        assert client.post("/converse", json={"message": "hi"}).status_code == 503

        await changed(url, f"UPDATE softrail_version SET version_num = '{schema.HEAD}'")  # noqa: S608 - ours

        while client.get("/readyz").status_code != 200:
            assert client.get("/healthz").status_code == 200
        assert client.post("/converse", json={"message": "hi"}).status_code == 200


class Pool:
    """A service that cannot be started at first."""

    tries = 0

    async def start(self, host: Host) -> None:
        self.tries += 1
        if self.tries == 1:
            raise ConnectionError("nobody listens")

    async def stop(self, grace: float) -> None: ...


async def test_a_service_that_cannot_be_started_yet_is_tried_again_with_the_database(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "softrail.db"
    await newer(f"sqlite:///{path}", "9999")
    chosen = settings(database_url=f"sqlite:///{path}")
    pool = Pool()
    dispatcher = build(chosen, discover=False, services={Pool: pool})
    app = create_app(dispatcher, chosen, running=running_until_signal(chosen, again=0.01))
    with here(app) as client:
        change(path, f"UPDATE softrail_version SET version_num = '{schema.HEAD}'")  # noqa: S608 - ours

        while client.get("/readyz").status_code != 200 or pool.tries < 2:
            assert client.get("/healthz").status_code == 200
        assert client.post("/converse", json={"message": "hi"}).status_code == 200
    assert "Pool could not be started. ConnectionError: nobody listens" in caplog.text


def test_a_service_that_cannot_be_started_ends_the_first_start() -> None:
    chosen = settings()
    app = create_app(
        build(chosen, store=MemoryStore(), discover=False, services={Pool: Pool()}),
        chosen,
        running=running_until_signal(chosen),
    )
    with pytest.raises(ServiceNotStarted, match=r"Pool could not be started\. ConnectionError"), here(app):
        pass


def test_beside_others_it_is_tried_again_and_no_turn_is_taken_meanwhile(
    caplog: pytest.LogCaptureFixture,
) -> None:
    chosen, pool = settings(), Pool()
    dispatcher = build(chosen, store=MemoryStore(), discover=False, services={Pool: pool})
    running = running_until_signal(chosen, again=3600.0, alone=False)
    with here(create_app(dispatcher, chosen, running=running)) as client:
        unready = client.get("/readyz")
        assert (unready.status_code, unready.json()["error"]["code"]) == (503, "not_ready")
        assert "Pool" not in unready.text  # what exactly is the log's to tell
        assert unready.headers["Retry-After"] == "5"
        assert client.get("/healthz").status_code == 200
        assert client.post("/converse", json={"message": "hi"}).status_code == 503
    assert "Pool could not be started. ConnectionError: nobody listens" in caplog.text


async def test_a_worker_without_its_services_takes_no_turn() -> None:
    chosen = settings()
    dispatcher = build(chosen, store=MemoryStore(), discover=False, services={Pool: Pool()})
    async with running_until_signal(chosen, again=3600.0, alone=False)(dispatcher):
        with pytest.raises(NotReady):
            await dispatcher.converse(Request(message="hi"), Person(id="p", email="ada@example.org"))


BROKEN = """
from softrail import build


class Pool:
    async def start(self, host):
        raise ConnectionError("nobody listens")

    async def stop(self, grace):
        pass


def make():
    return build(discover=False, services={Pool: Pool()})
"""


def test_a_server_that_could_not_start_ends_with_an_error(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(BROKEN)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SOFTRAIL_")}
    done = ran(
        [*SERVE, "--port", "0"],
        cwd=tmp_path,
        env={**environment, "PYTHONPATH": str(ROOT), "SOFTRAIL_APP": "shop:make"},
    )
    assert (done.status, done.stderr.splitlines()[-1]) == (
        1,
        "The server could not start. The lines above say why.",
    )


class NeverBegun:
    """A process of the server that failed at its start."""

    exitcode = STARTUP_FAILURE


class NoWorkers:
    """What starts workers, when each of them fails at its start."""

    def __init__(self, config: Config, sockets: list[socket.socket]) -> None:
        self.sockets = sockets
        self.processes: list[NeverBegun] = []

    def run(self) -> None:
        self.processes = [NeverBegun()]
        for one in self.sockets:
            one.close()


def test_workers_that_could_not_start_end_it_with_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("uvicorn.supervisors.Multiprocess", NoWorkers)
    monkeypatch.setattr(
        "softrail.cli.serving.log_config", lambda _: None
    )  # the logging of the tests stays as it is
    result = CliRunner().invoke(app, ["serve", "--port", "0", "--workers", "2"])
    assert (result.exit_code, "could not start" in result.stderr) == (1, True)


def test_a_server_that_reloads_tells_its_process_that_nobody_replaces_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(RELOADED, "")  # so that it is put back
    monkeypatch.delenv(RELOADED)
    found: list[bool] = []
    monkeypatch.setattr("uvicorn.run", lambda *_, **__: found.append(RELOADED in os.environ))
    CliRunner().invoke(app, ["serve", "--port", "0"])
    CliRunner().invoke(app, ["serve", "--port", "0", "--reload"])
    assert found == [False, True]


def test_a_worker_whose_database_is_away_is_there_and_not_ready() -> None:
    status, said = answer_of(settings(database_url=AWAY))
    assert (status, "\n" in said) == (503, False)


async def test_the_command_line_lets_workers_wait_for_a_server_but_not_for_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    away = settings(database_url=AWAY)
    assert await _keyed(build(away, discover=False), away)
    assert "ready when it is" in capsys.readouterr().err
    nowhere = settings(database_url=f"sqlite:///{tmp_path}/nowhere/softrail.db")
    with pytest.raises(StoreUnavailable):
        await _keyed(build(nowhere, discover=False), nowhere)


async def test_older_code_takes_turns_on_newer_tables_that_allow_it_and_on_no_others(url: str) -> None:
    await newer(url, schema.HEAD)
    assert (await schema_status(url)).standing == "ahead"
    chosen = settings(database_url=url, bundled=())
    running = running_until_signal(chosen, again=60.0)
    with here(create_app(build(chosen, discover=False), chosen, running=running)) as client:
        assert client.get("/readyz").status_code == 200
        opened = client.post("/converse", json={"message": "hi", "turn_id": "t"}).json()
        again = {"message": "and again", "session_id": opened["session_id"]}
        assert client.post("/converse", json=again).json()["seq"] == 3
        assert client.post("/converse", json={"message": "hi", "turn_id": "t"}).json() == opened
    assert "may still run on it" in (await upgrade(url)).sentence

    await changed(url, "UPDATE facts SET value = '9998' WHERE name = 'runs_from'")

    status, said = answer_of(chosen)
    assert (status, "does not know" in said) == (503, True)


SHOP_FIRST = """
import sqlalchemy as sa
from alembic import op

revision = "a7f3"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table("shop_orders", sa.Column("number", sa.Text(), primary_key=True))
"""
SHOP_SECOND = """
import sqlalchemy as sa
from alembic import op

revision = "02c9"
down_revision = "a7f3"
branch_labels = None
depends_on = None
older_code_may_run = {may_run}


def upgrade() -> None:
    op.add_column("shop_orders", sa.Column("note", sa.Text(), nullable=True))
"""


@pytest.mark.parametrize(("may_run", "standing"), [(True, "current"), (False, "unknown")])
async def test_older_code_of_a_plugin_runs_on_its_newer_tables_if_they_allow_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, may_run: bool, standing: str
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    versions = tmp_path / f"shop_of_a_test_{standing}" / "versions"
    versions.mkdir(parents=True)
    (versions.parent / "__init__.py").touch()
    (versions / "first.py").write_text(SHOP_FIRST)
    folder, url = f"{versions.parent.name}:versions", f"sqlite:///{tmp_path}/softrail.db"
    old = PluginTables(name="shop", metadata=MetaData(), migrations=folder, head="a7f3")
    await upgrade(url, plugins=[old])
    (versions / "second.py").write_text(SHOP_SECOND.format(may_run=may_run))
    await upgrade(url, plugins=[replace(old, head="02c9")])
    (versions / "second.py").unlink()  # the release before does not have it

    status = await schema_status(url, plugins=[old])

    assert status.standing == standing
    if not may_run:
        assert "02c9, which the one installed does not know" in status.sentence


async def test_the_database_keeps_the_oldest_code_that_may_run(tmp_path: Path) -> None:
    await upgrade(f"sqlite:///{tmp_path}/softrail.db")
    raw = sqlite3.connect(tmp_path / "softrail.db")
    assert raw.execute("SELECT value FROM facts WHERE name = 'runs_from'").fetchone() == ("0003",)
    raw.close()


def test_every_migration_says_whether_older_code_may_run() -> None:
    for script in ScriptDirectory.from_config(schema._config()).walk_revisions():
        if script.revision >= "0004":
            module = import_module(f"softrail.store.migrations.versions.{Path(script.path).stem}")
            assert isinstance(module.older_code_may_run, bool)
