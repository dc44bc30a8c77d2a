"""A server with the companion, projects with people in every role, and turns that carry effects."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from softrail.bootstrap import plugin_tables
from softrail.companion.memory.values import NewProject
from softrail.companion.plugin import Companion, companion
from softrail.core.clock import now
from softrail.core.commits import CommitResult, TurnCommit, TurnRow
from softrail.core.effects import AnyEffect
from softrail.core.ids import TimeOrderedIds
from softrail.core.people import Person
from softrail.core.sessions import Session
from softrail.store import MemoryStore, SqlStore
from tests.integration.api_server import Served

IDS = TimeOrderedIds()


def memory() -> MemoryStore:
    """A store in memory with the tables of all bundled parts."""
    return MemoryStore(plugins=plugin_tables(discover=False))


def headers(name: str) -> dict[str, str]:
    """Who asks, in local mode."""
    return {"X-Softrail-Person": f"{name}@example.org"}


async def person(store: SqlStore, name: str) -> Person:
    """A person of that name."""
    return await store.ensure_person(f"{name}@example.org", id=IDS.new(), at=now())


async def turn(
    store: SqlStore,
    who: Person,
    *effects: AnyEffect,
    session_id: str | None = None,
    turn_id: str | None = None,
) -> CommitResult:
    """One turn in a session of its own, committed with these effects; its result."""
    [result] = await store.commit([commit_of(who, effects, session_id, turn_id)])
    return result


def commit_of(
    who: Person, effects: Sequence[AnyEffect], session_id: str | None = None, turn_id: str | None = None
) -> TurnCommit:
    """A turn as the dispatcher would hand it over."""
    session = Session(id=session_id or IDS.new(), person_id=who.id, created_at=now())
    row = TurnRow(
        session_id=session.id,
        seq=1,
        person_id=who.id,
        turn_id=turn_id or IDS.new(),
        hash="",
        request='{"message": "hello"}',
        status="committed",
        accepted_at=now(),
        replied_at=now(),
        reply='{"companion_message": "Noted."}',
    )
    sealed = TurnCommit(turn=row, session=session, effects=effects)
    return replace(sealed, seal=lambda refs: f'{{"companion_message": "{refs}"}}')


async def founded(store: SqlStore, who: Person, **values: Any) -> str:
    """A project of that person's, made by a turn."""
    new = NewProject(**{"id": IDS.new(), "name": "Blue Harbor", **values})
    result = await turn(store, who, companion(store).projects.found(new))
    assert type(result).__name__ == "Committed", result
    return new.id


def assistant(server: Served) -> Companion:
    """The companion inside a running server."""
    return server.dispatcher.registry.service(Companion)
