"""Plain values that the suites commit: people, turns, instances, at fixed times."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Protocol

from softrail.core.commits import Acceptance, TurnCommit, TurnRow
from softrail.core.instances import Instance, State, Transition, Trigger
from softrail.core.people import Person
from softrail.core.ports import EffectHandler, Store
from softrail.core.sessions import Session, Snapshot

AT = datetime(2026, 3, 2, 9, 30, 0, 123456, tzinfo=UTC)


class MakeStore(Protocol):
    """Opens and starts a store; the fixture closes it. Every call opens the same database, if there is one."""

    async def __call__(self, *, effect_handlers: Mapping[str, EffectHandler] | None = None) -> Store: ...


async def someone(store: Store, name: str = "ada") -> Person:
    """A person who is known to the store."""
    return await store.ensure_person(f"{name}@example.org", id=f"person-{name}", at=AT)


def fresh(person: Person, session_id: str = "s1") -> Snapshot:
    """A session that is not stored yet."""
    return Snapshot(person=person, session=Session(id=session_id, person_id=person.id, created_at=AT))


async def loaded(store: Store, person: Person, session_id: str = "s1") -> Snapshot:
    """The snapshot of a session that must be there."""
    snapshot = (await store.load(person, session_id)).snapshot
    assert snapshot is not None
    return snapshot


def row(snapshot: Snapshot, turn_id: str, **changes: Any) -> TurnRow:
    """A person's turn on a snapshot, answered."""
    said = TurnRow(
        session_id=snapshot.session.id,
        seq=snapshot.session.next_seq,
        person_id=snapshot.person.id,
        turn_id=turn_id,
        hash=f"hash of {turn_id}",
        request=json.dumps({"message": f"{turn_id} says"}),
        status="committed",
        accepted_at=AT,
        replied_at=AT,
        reply=json.dumps({"companion_message": f"{turn_id} is answered"}),
    )
    return replace(said, **changes)


def turn_on(snapshot: Snapshot, turn_id: str, *, status: str = "committed", **changes: Any) -> TurnCommit:
    """A turn computed from a snapshot, to be committed at once."""
    turn = row(snapshot, turn_id, status=status)
    commit = TurnCommit(turn=turn, session=snapshot.session, decision=json.dumps({"of": turn_id}))
    return replace(commit, **changes)


def own_item(snapshot: Snapshot, key: str, **changes: Any) -> TurnCommit:
    """An item of the companion's own, such as a finished plan."""
    turn = row(snapshot, key, origin="companion", request=None)
    return replace(TurnCommit(turn=turn, session=snapshot.session), **changes)


def acceptance(snapshot: Snapshot, turn_id: str, worker: str = "w1", **changes: Any) -> Acceptance:
    """A turn to be written down before it is answered."""
    turn = row(snapshot, turn_id, status="accepted", reply=None, replied_at=None)
    return replace(Acceptance(turn=turn, session=snapshot.session, worker=worker), **changes)


def answer_to(
    snapshot: Snapshot, turn: TurnRow, fence: int, *, status: str = "committed", **changes: Any
) -> TurnCommit:
    """The commit of an accepted turn, under the lease of that fence."""
    reply = json.dumps({"companion_message": f"{turn.turn_id} is answered"})
    answered = replace(turn, status=status, reply=reply, replied_at=AT)  # type: ignore[arg-type]  # any status
    return replace(TurnCommit(turn=answered, session=snapshot.session, fence=fence), **changes)


def running(snapshot: Snapshot, instance_id: str = "i1", **changes: Any) -> Instance:
    """An instance that holds the session of a snapshot and is not stored yet."""
    instance = Instance(
        id=instance_id,
        person_id=snapshot.person.id,
        session_id=snapshot.session.id,
        process="standup",
        version=1,
        step="gathering_today",
        state=State.ACTIVE,
        holds=True,
        data='{"today": ["Grüße", "日本"]}',
        moves=1,
        moved_at=AT,
    )
    return instance.evolve(**changes)


def started(instance: Instance, n: int = 1) -> Transition:
    """The first move of an instance."""
    assert instance.state is not None
    return Transition(
        instance_id=instance.id,
        n=n,
        trigger=Trigger.START,
        source=None,
        dest=instance.state,
        session_id=instance.session_id,
        seq=1,
        at=AT,
        process=instance.process,
        step=instance.step,
    )


async def opened(store: Store, person: Person, session_id: str = "s1", **changes: Any) -> Snapshot:
    """A session with one committed turn."""
    [result] = await store.commit([turn_on(fresh(person, session_id), f"{session_id}-first", **changes)])
    assert result.__class__.__name__ == "Committed", result
    return await loaded(store, person, session_id)


def contents(items: Sequence[Any]) -> list[tuple[int, str, str]]:
    """What a reader of items sees of them."""
    return [(item.seq, item.role, item.content) for item in items]
