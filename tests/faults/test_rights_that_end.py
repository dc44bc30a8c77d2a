"""What a turn may do can end while it runs: its commit looks again, and writes nothing that is not allowed any more (row B11)."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
from pydantic import BaseModel
from sqlalchemy import Table, select

from softrail import Done, Process, Record, Turn, step
from softrail.api import create_app
from softrail.api.identity import Identity
from softrail.companion.memory.service import Notes
from softrail.companion.plugin import companion
from softrail.core.clock import now
from softrail.core.commits import AccessKey
from softrail.core.keys import hash_key, new_key
from softrail.core.people import Person
from softrail.store import SqlStore
from softrail.store.tables import metadata, sessions, workers
from softrail.turns.dispatcher import Dispatcher
from tests.faults.kit import Gate, person_of, settings, worker
from tests.integration.api_server import events
from tests.integration.companion_server import founded


class Noting(Process, name="noting", version=1):
    """Thinks until the gate opens, then writes into the project, and into what is the person's own."""

    starts_on = ("note with me",)

    def __init__(self, gate: Gate, notes: Notes) -> None:
        self.gate = gate
        self.notes = notes

    class Data(BaseModel):
        """Nothing."""

    @step(asks="What?", goes_to=("what",), takes_anything=True)
    async def what(self, said: Turn, data: Data) -> Done:
        await self.gate.wait()
        assert said.project_id is not None
        note = self.notes.saving(said.project_id, said.message)
        return Done("Noted.", effects=[Record("noted", {"said": said.message}), note])


@dataclass(frozen=True, kw_only=True)
class Place:
    """A person with an access key on each worker, in a project of somebody else, in a session where the next turn thinks."""

    gate: Gate
    here: httpx2.AsyncClient  #: the worker that has the turn
    there: httpx2.AsyncClient  #: where the right ends: another one, or the same
    store: SqlStore
    owner: Person
    person: Person
    project: str
    session: str

    @property
    def turn(self) -> dict[str, str]:
        return {"message": "tea", "session_id": self.session, "project_id": self.project, "turn_id": "t1"}

    async def say(self, path: str) -> "asyncio.Task[httpx2.Response]":
        """A turn in the project whose step has begun to think."""
        saying = asyncio.create_task(self.here.post(path, json=self.turn))
        await self.gate.entered.wait()
        return saying


End = Callable[[Place], Awaitable[None]]


async def let_go(at: Place) -> None:
    await companion(at.store).projects.remove_member(at.owner.id, at.project, at.person.email)


async def cancelled(at: Place) -> None:
    (await at.there.post(f"/sessions/{at.session}/cancel")).raise_for_status()


async def left(at: Place) -> None:
    said = {"message": "stop", "session_id": at.session}
    (await at.there.post("/converse", json=said)).raise_for_status()


async def session_erased(at: Place) -> None:
    (await at.there.delete(f"/sessions/{at.session}")).raise_for_status()


async def person_erased(at: Place) -> None:
    (await at.there.delete("/me")).raise_for_status()


LEASE = (sessions.c.holder.name, sessions.c.fence.name)
GONE = "There is no such thing here."
STOPPED = "I stopped that before it was finished"
REFUSED = "I could not save that: There is no such thing here."

#: How a right ends, the words that are answered then, and where the turn may still write at all: what it was and was told.
ENDS: dict[str, tuple[End, str, set[str]]] = {
    "let go from the project": (let_go, REFUSED, {"sessions", "turns", "decisions"}),
    "turn cancelled": (cancelled, STOPPED, set()),
    "process left": (left, STOPPED, set()),
    "session erased": (session_erased, GONE, set()),
    "person erased": (person_erased, GONE, set()),
}


@asynccontextmanager
async def place(url: str, *, others: int, accept_after: float) -> AsyncIterator[Place]:
    """One worker and so many others, a project, and somebody who is in it."""
    gate, changed = Gate(), {"accept_after": accept_after, "step_limit": 60}
    async with AsyncExitStack() as stack:
        made = [
            await stack.enter_async_context(
                worker(url, Noting, services={Gate: gate}, changed=changed, discover=True)
            )
            for _ in range(1 + others)
        ]
        store = made[0].store
        assert isinstance(store, SqlStore)
        owner, person = await person_of(made[0], "owner"), await person_of(made[0])
        project = await founded(store, owner)
        await companion(store).projects.add_member(owner.id, project, person.email, "member")
        clients = [
            await stack.enter_async_context(client(one, url, await key_of(person, store, f"k{n}")))
            for n, one in enumerate(made)
        ]
        begun = await clients[0].post("/converse", json={"message": "note with me"})
        yield Place(
            gate=gate,
            here=clients[0],
            there=clients[-1],
            store=store,
            owner=owner,
            person=person,
            project=project,
            session=begun.json()["session_id"],
        )


async def key_of(person: Person, store: SqlStore, id: str) -> str:
    key = new_key()
    made = AccessKey(id=id, person_id=person.id, name="", hash=hash_key(key), created_at=now())
    await store.add_key(made)
    return key


def client(dispatcher: Dispatcher, url: str, key: str) -> httpx2.AsyncClient:
    transport = httpx2.ASGITransport(app=create_app(dispatcher, settings(url)), raise_app_exceptions=False)
    return httpx2.AsyncClient(
        transport=transport, base_url="http://localhost", headers={"Authorization": f"Bearer {key}"}
    )


async def everything(store: SqlStore) -> Mapping[str, Any]:
    """Every row of every table, those of plugins too, but for what says only which worker is there, and has a lease."""
    tables: list[Table] = [*metadata.sorted_tables]
    for plugin in store.plugins:
        tables += plugin.metadata.sorted_tables
    wanted = {
        table.name: select(*(column for column in table.c if column.name not in LEASE))
        for table in tables
        if table is not workers
    }
    return await store.read(
        lambda conn: {name: sorted(map(repr, conn.execute(query))) for name, query in wanted.items()}
    )


async def written(store: SqlStore, before: Mapping[str, Any]) -> set[str]:
    """The tables that are not as they were."""
    after = await everything(store)
    return {name for name in before if after[name] != before[name]}


@pytest.mark.parametrize("how", ENDS)
async def test_what_a_lone_worker_computes_under_a_right_that_ends_is_not_written(how: str, url: str) -> None:
    end, words, may_change = ENDS[how]
    # But for those that are stopped, which takes a number, the turn is known to its worker alone.
    async with place(url, others=0, accept_after=0.05 if words == STOPPED else 60.0) as at:
        saying = await at.say("/converse")
        await end(at)
        before = await everything(at.store)
        at.gate.opened.set()
        answer = await saying

        assert await written(at.store, before) <= may_change
        if words == GONE:
            assert answer.status_code == 404
            assert answer.json()["error"]["message"] == words
        else:
            assert answer.status_code == 200
            assert words in answer.json()["companion_message"]


@pytest.mark.parametrize("how", ENDS)
async def test_what_was_accepted_under_a_right_that_ends_elsewhere_is_not_written(how: str, url: str) -> None:
    end, words, may_change = ENDS[how]
    async with place(url, others=1, accept_after=0.0) as at:
        saying = await at.say("/converse/stream")
        await end(at)
        before = await everything(at.store)
        at.gate.opened.set()
        last = events((await saying).text)[-1]

        assert await written(at.store, before) <= may_change
        told = json.loads(last["data"])
        if words == GONE:
            assert (last["event"], told["error"]["message"]) == ("error", words)
        else:
            assert last["event"] == "turn.committed"
            assert words in told["companion_message"]


async def test_a_turn_whose_key_is_revoked_is_told_to_nobody_with_that_key_and_is_finished_for_its_person(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("softrail.api.memory.REMEMBERED", 0.0)
    quick = {**(Identity.__init__.__kwdefaults__ or {}), "look_every": 0.001}
    monkeypatch.setattr(Identity.__init__, "__kwdefaults__", quick)
    async with place(url, others=1, accept_after=0.0) as at:
        saying = await at.say("/converse/stream")
        await at.store.revoke_key("k0", at=now())

        async with asyncio.timeout(60):
            told = events((await saying).text)  # it ends while the step thinks
        refused = [await at.here.post("/converse", json={"message": "x"}), await at.here.get("/me")]
        at.gate.opened.set()
        found = await at.there.post("/converse", json=at.turn)

        assert [event["event"] for event in told] == ["turn.accepted", "error"]
        assert json.loads(told[-1]["data"])["error"]["code"] == "unauthorized"
        assert [answer.status_code for answer in refused] == [401, 401]
        assert found.json()["companion_message"] == "Noted."
        assert len(await at.store.list(at.person.id, "noted")) == 1
