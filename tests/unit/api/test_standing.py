"""What lasts longer than a request ends soon after the access that began it is taken back."""

import asyncio
from collections.abc import Collection
from contextlib import AbstractContextManager, nullcontext

import pytest
from fastapi import FastAPI, Request

from softrail.api import create_router
from softrail.api.events import EventStream
from softrail.api.identity import Identity
from softrail.api.standing import LOOK_EVERY, Standing
from softrail.bootstrap import build
from softrail.core.clock import now
from softrail.core.commits import AccessKey
from softrail.core.errors import StoreUnavailable
from softrail.core.keys import hash_key, new_key
from softrail.core.sessions import Session
from softrail.store import MemoryStore
from tests.integration.api_server import settings
from tests.unit.api.test_events import SCOPE, Client, counting


class Keys:
    """Credentials that stand, and how often they were looked for."""

    def __init__(self, *stand: str) -> None:
        self.stand = set(stand)
        self.away = False
        self.looks: list[list[str]] = []
        self.looked = asyncio.Event()

    async def look(self, asked: Collection[str]) -> Collection[str]:
        self.looks.append(sorted(asked))
        self.looked.set()
        if self.away:
            raise StoreUnavailable("The database is away.")
        return self.stand


async def test_only_those_whose_access_was_taken_back_are_told() -> None:
    keys = Keys("ada", "bob")
    standing = Standing(keys.look, every=0.001)
    with standing.follow("ada") as one, standing.follow("ada") as other, standing.follow("bob") as bob:
        keys.stand.discard("ada")
        await asyncio.wait_for(asyncio.gather(one, other), 20)
        assert not bob.done()
    assert all(look == ["ada", "bob"] for look in keys.looks)  # one look for all of them


async def test_nobody_is_cut_off_because_the_database_is_away() -> None:
    keys = Keys()
    keys.away = True
    standing = Standing(keys.look, every=0.001)
    with standing.follow("ada") as ada:
        await keys.looked.wait()
        keys.looked.clear()
        await keys.looked.wait()  # it goes on looking
        assert not ada.done()
        keys.away = False
        await asyncio.wait_for(ada, 20)


async def test_a_stream_says_why_it_ends_and_closes_what_it_followed() -> None:
    client, closed, over = Client(), asyncio.Event(), asyncio.get_running_loop().create_future()

    async def taken_back() -> None:
        if not over.done():
            over.set_result(None)
        await asyncio.Event().wait()

    events = counting(closed, taken_back)
    await EventStream(events, follow=nullcontext(over))(SCOPE, client.receive, client.send)

    assert closed.is_set()
    [piece] = client.pieces
    assert b"event: error" in piece
    assert b'"code":"unauthorized"' in piece


async def followed(store: MemoryStore, headers: dict[str, str]) -> tuple[Client, "asyncio.Task[None]"]:
    """A client that follows a session of its own on a real application."""
    dispatcher = build(settings(), store=store, discover=False)
    identity = Identity(store, local_person="me@localhost", look_every=0.001)
    app, begun = FastAPI(), asyncio.Event()

    def follow(request: Request) -> AbstractContextManager["asyncio.Future[None] | None"]:
        begun.set()
        return identity.follow(request)

    app.include_router(create_router(dispatcher, identity=identity, follow=follow))
    person = await store.ensure_person("me@localhost", id="me", at=now())
    await store.open_session(Session(id="s1", person_id=person.id, created_at=now()))
    client = Client()
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": "/sessions/s1/events",
        "raw_path": b"/sessions/s1/events",
        "query_string": b"",
        "headers": [(n.lower().encode(), v.encode()) for n, v in {"Host": "localhost", **headers}.items()],
        "client": ("127.0.0.1", 50000),
        "server": ("localhost", 80),
        "asgi": {"version": "3.0", "spec_version": "2.3"},
    }
    stream = asyncio.ensure_future(app(scope, client.receive, client.send))
    await asyncio.wait_for(begun.wait(), 20)
    return client, stream


async def key_of(store: MemoryStore) -> str:
    person = await store.ensure_person("me@localhost", id="me", at=now())
    key = new_key()
    made = AccessKey(id="k1", person_id=person.id, name="", hash=hash_key(key), created_at=now())
    await store.add_key(made)
    return key


async def test_the_stream_of_a_revoked_key_ends_and_so_does_that_of_local_mode(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("softrail.api.memory.REMEMBERED", 0.0)
    store = MemoryStore()
    await store.start()
    _, local = await followed(store, {})
    key = await key_of(store)  # from now on a key is needed
    await asyncio.wait_for(local, 20)

    client, mine = await followed(store, {"Authorization": f"Bearer {key}"})
    await store.revoke_key("k1", at=now())
    await asyncio.wait_for(mine, 20)
    assert b"The access was taken back." in client.pieces[-1]
    await store.close()


def test_what_is_promised_is_kept_by_the_pace_of_looking() -> None:
    assert LOOK_EVERY <= 3  # and the look itself has two seconds, for "within five"


async def test_a_stream_that_begins_in_the_moment_the_last_one_ends_is_looked_after() -> None:
    keys = Keys()
    standing = Standing(keys.look, every=0.001)
    with standing.follow("ada"):
        await asyncio.sleep(0)
    with standing.follow("bob") as bob:
        await asyncio.wait_for(bob, 20)


async def test_a_look_that_fails_for_a_reason_nobody_thought_of_is_tried_again() -> None:
    keys = Keys()

    async def look(asked: Collection[str]) -> Collection[str]:
        if not keys.looks:
            keys.looks.append(sorted(asked))
            raise ValueError("Nobody thought of this.")
        return await keys.look(asked)

    standing = Standing(look, every=0.001)
    with standing.follow("ada") as ada:
        await asyncio.wait_for(ada, 20)
