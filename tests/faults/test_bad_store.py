"""A database that is locked, missing, read-only or shared, and one with few connections (rows C4, C6, C8, C9)."""

import asyncio
import sqlite3
import time
from contextlib import AsyncExitStack
from pathlib import Path

import httpx2
import pytest
from sqlalchemy import event

from softrail.api import create_app
from softrail.bootstrap import build
from softrail.core.errors import StoreUnavailable
from softrail.core.turns import Request
from softrail.store.postgres import PostgresStore
from tests.faults.client import LEAKS
from tests.faults.kit import Gate, contents, file_url, person_of, say, settings, worker
from tests.faults.test_races import Counting, GatedModel


@pytest.mark.parametrize("patience", [0.1, 0.3, 0.6])
async def test_a_locked_file_is_waited_for_and_then_answered_503(patience: float, tmp_path: Path) -> None:
    url, changed = file_url(tmp_path), {"busy_timeout": patience, "beat_interval": 30, "dead_after": 60}
    async with worker(url, Counting, changed=changed) as one:
        person = await person_of(one, "me")
        app = create_app(one, settings(url, local_person=person.email))
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as http:
            opened = await http.post("/converse", json={"message": "count with me"})
            session = opened.json()["session_id"]
            body = {"message": "1", "session_id": session, "turn_id": "t1"}
            other = sqlite3.connect(tmp_path / "softrail.db", isolation_level=None)
            other.execute("BEGIN IMMEDIATE")

            begun = time.monotonic()
            refused = await http.post("/converse", json=body)
            waited = time.monotonic() - begun

            assert refused.status_code == 503
            assert int(refused.headers["Retry-After"]) >= 1
            assert not [leak for leak in LEAKS if leak in refused.text]
            assert waited >= patience * 0.9
            assert (await http.get(f"/sessions/{session}/turns")).status_code == 200  # reading goes on
            other.execute("ROLLBACK")
            other.close()
            assert (await http.post("/converse", json=body)).status_code == 200
        assert await contents(one, person, session) == ["count with me", "1"]


async def test_a_locked_file_that_is_let_go_in_time_is_noticed_by_nobody(tmp_path: Path) -> None:
    changed = {"busy_timeout": 60.0, "beat_interval": 30, "dead_after": 60}
    async with worker(file_url(tmp_path), Counting, changed=changed) as one:
        person = await person_of(one, "me")
        session = (await say(one, person, "count with me")).session_id
        other = sqlite3.connect(tmp_path / "softrail.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        waiting = asyncio.create_task(say(one, person, "1", session_id=session))
        done, _ = await asyncio.wait({waiting}, timeout=0.1)
        assert not done
        other.execute("ROLLBACK")
        other.close()
        await waiting
        assert await contents(one, person, session) == ["count with me", "1"]


def unusable(kind: str, folder: Path) -> str:
    """A database URL that cannot be used, and why."""
    if kind == "missing folder":
        return f"sqlite:///{folder}/nowhere/softrail.db"
    if kind == "a folder":
        (folder / "softrail.db").mkdir()
    if kind == "no database":
        (folder / "softrail.db").write_bytes(b"This is a letter to a friend. " * 100)
    if kind == "read-only file system":
        return "sqlite:////sys/softrail.db"  # not even root may write there
    return file_url(folder)


@pytest.mark.parametrize("kind", ["missing folder", "a folder", "no database", "read-only file system"])
async def test_a_file_that_cannot_be_used_stops_the_start_with_one_line(kind: str, tmp_path: Path) -> None:
    dispatcher = build(settings(unusable(kind, tmp_path)), discover=False)
    with pytest.raises(StoreUnavailable) as refused:
        await dispatcher.start()
    assert "\n" not in refused.value.message
    assert (str(tmp_path) if kind != "read-only file system" else "/sys") in refused.value.message
    assert "Traceback" not in refused.value.message


async def test_no_connection_is_held_while_a_model_thinks(empty_postgres_url: str) -> None:
    gate = Gate()
    store = PostgresStore(empty_postgres_url, pool_size=5)
    out: set[int] = set()
    engine = store._runner.engine.sync_engine  # type: ignore[attr-defined] # nothing else knows the pool
    event.listen(engine, "checkout", lambda raw, record, proxy: out.add(id(record)))
    event.listen(engine, "checkin", lambda raw, record: out.discard(id(record)))
    changed = {"beat_interval": 30, "dead_after": 60, "model": "plain"}
    async with worker(empty_postgres_url, store=store, model=GatedModel(gate), changed=changed) as one:
        people = [await person_of(one, f"client-{n}") for n in range(200)]
        runs = [one.submit(Request(message=f"tell me of the sea, {n}"), p) for n, p in enumerate(people)]
        async with asyncio.timeout(60):
            while gate.times < len(runs) and not all(run.finished for run in runs):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            while out:  # noqa: ASYNC110 - a sweep may have one for a moment, a turn would keep it for ever
                await asyncio.sleep(0.01)
            thinking = [run for run in runs if not run.finished]
            assert len(thinking) >= 190  # they all wait for the model, and none of them holds a connection
            gate.opened.set()
            replies = [await run.result() for run in runs]
        assert len(replies) == 200


async def test_four_workers_on_one_file_lose_and_double_nothing(tmp_path: Path) -> None:
    url = file_url(tmp_path)
    async with AsyncExitStack() as stack:
        workers = [await stack.enter_async_context(worker(url, Counting)) for _ in range(4)]
        people = [await person_of(workers[0], f"p{n}") for n in range(5)]
        sessions = [(await say(workers[0], p, "count with me")).session_id for p in people]
        await asyncio.gather(
            *(
                say(workers[n % 4], p, f"{n}", session_id=s, turn_id=f"t{n}")
                for p, s in zip(people, sessions, strict=True)
                for n in range(20)
            )
        )
        for person, session in zip(people, sessions, strict=True):
            items = await workers[3].store.items(person.id, session_id=session, limit=100)
            assert [i.seq for i in items] == list(range(1, 43))
            kept = (await workers[2].store.list(person.id, "counted"))[-1].data["said"]
            assert kept == (await contents(workers[1], person, session))[1:]
            assert sorted(kept, key=int) == [f"{n}" for n in range(20)]
