"""Everybody's conversations as every store finds them."""

from datetime import timedelta
from pathlib import Path

from softrail.core.decisions import Decision
from softrail.core.instances import State
from softrail.store import MemoryStore, SqliteStore, SqlStore
from softrail.store.inspecting import Conversations, Wanted
from softrail.store.postgres import PostgresStore
from softrail.testing.contracts.values import AT, fresh, opened, row, running, someone, turn_on

LATER = AT + timedelta(minutes=5)


async def finds_what_is_looked_for(store: SqlStore) -> None:
    ada, bob = await someone(store, "ada"), await someone(store, "bob")
    await opened(store, ada, "quiet")
    new = fresh(ada, "held")
    await opened(store, ada, "held", instances=[running(new)])
    trouble = Decision(id="d", turn_id="t", session_id="broken", seq=1, at=AT, trouble="it broke")
    await opened(store, bob, "broken", decision=trouble.to_json())
    said = turn_on(fresh(bob, "late"), "50% off_")
    await store.commit([said, turn_on(fresh(bob, "later"), "plain")])
    last = (await store.load(bob, "later")).snapshot
    assert last is not None
    await store.commit([turn_on(last, "again", turn=row(last, "again", accepted_at=LATER))])
    everything = Conversations(store)

    async def found(before: str | None = None, limit: int = 50, **wanted: object) -> list[str]:
        seen = await everything.latest(Wanted(**wanted), before=before, limit=limit)  # type: ignore[arg-type]
        return [one.overview.session.id for one in seen]

    assert await found() == ["later", "quiet", "late", "held", "broken"]
    assert await found(limit=2) == ["later", "quiet"]
    assert await found(before="quiet", limit=2) == ["late", "held"]
    assert await found(before="nobody") == []
    assert await found(person="ada@") == ["quiet", "held"]
    assert await found(person="a_a@") == []
    assert await found(process="standup", state=State.ACTIVE.value) == ["held"]
    assert await found(process="standup", state=State.SUSPENDED.value) == []
    assert await found(trouble=True) == ["broken"]
    assert await found(text="50% OFF_") == ["late"]
    assert await found(text="50_ off") == []
    broken = await everything.session("broken")
    assert broken is not None
    assert (broken.trouble, broken.person) == (True, bob)
    assert await everything.session("nobody") is None
    assert [run.session_id for run in await everything.runs(ada.id)] == ["held"]
    assert [turn.turn_id for turn in await everything.turns("later")] == ["plain", "again"]
    assert await everything.turns("nobody") == []
    assert await everything.delivered("later") == set()


async def test_memory_finds_what_is_looked_for() -> None:
    await finds_what_is_looked_for(MemoryStore())


async def test_sqlite_finds_what_is_looked_for(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "softrail.db")
    await store.start()
    await finds_what_is_looked_for(store)
    await store.close()


async def test_postgresql_finds_what_is_looked_for(empty_postgres_url: str) -> None:
    store = PostgresStore(empty_postgres_url, pool_size=2)
    await store.start()
    await finds_what_is_looked_for(store)
    await store.close()
