"""The whole application with the companion, and Claude's double at the other end of a real connection."""

import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest

from softrail.api import create_app
from softrail.bootstrap import build, plugin_tables
from softrail.companion.plugin import Companion
from softrail.core.decisions import Decision
from softrail.settings import Settings
from softrail.store import MemoryStore, SqlStore
from softrail.turns.dispatcher import Dispatcher
from tests.integration.api_server import events
from tests.integration.companion_server import founded, headers, person
from tests.messages_api import MODEL, Line, MessagesApi, messages_api

TALK = "general_conversation"
NOTE = "add_knowledge"
UNCLEAR = "could the thing with the barns be put somewhere"  #: the examples alone are not sure of it
SYSTEM = "the-key-of-the-system"
OWN = "sk-own-canary-5f1c9e"
SECRET = "a-secret-of-the-server-that-is-long-enough"
TROUBLE = "I'm having trouble thinking right now — can you try again in a moment?"


class App:
    """A running application, asked over HTTP, and the double it asks."""

    def __init__(self, client: httpx2.AsyncClient, dispatcher: Dispatcher, api: MessagesApi) -> None:
        self.client = client
        self.dispatcher = dispatcher
        self.api = api

    @property
    def store(self) -> SqlStore:
        """Where it keeps things."""
        assert isinstance(self.dispatcher.store, SqlStore)
        return self.dispatcher.store

    @property
    def companion(self) -> Companion:
        """The companion inside."""
        return self.dispatcher.registry.service(Companion)

    async def say(self, message: str, hint: str | None = TALK, *, who: str = "ada", **more: Any) -> Any:
        """One turn; its reply."""
        body = {"message": message, **({"intent_hint": hint} if hint else {}), **more}
        response = await self.client.post("/converse", json=body, headers=headers(who))
        assert response.status_code == 200, response.text
        return response.json()

    async def stream(self, message: str, hint: str = TALK, **more: Any) -> tuple[str, Any]:
        """One streamed turn: the text as it came, and the committed reply."""
        body = {"message": message, "intent_hint": hint, **more}
        response = await self.client.post("/converse/stream", json=body, headers=headers("ada"))
        found = [(event["event"], json.loads(event["data"])) for event in events(response.text)]
        seen = "".join(data["text"] for name, data in found if name == "text.delta")
        return seen, next(data for name, data in found if name == "turn.committed")

    async def decision(self, reply: Any, *, who: str = "ada") -> Any:
        """The decision record of a turn."""
        path = f"/sessions/{reply['session_id']}/decisions/{reply['turn_id']}"
        return (await self.client.get(path, headers=headers(who))).json()

    async def stored(self, reply: Any, *, who: str = "ada") -> Decision:
        """The decision record as an operator sees it."""
        owner = await person(self.store, who)
        body = await self.store.decision(owner.id, reply["session_id"], reply["turn_id"])
        assert body is not None
        return Decision.from_json(body)

    async def me(self, who: str = "ada") -> Any:
        """What the person sees of themselves."""
        return (await self.client.get("/me", headers=headers(who))).json()

    async def set_key(self, key: str = OWN, who: str = "ada") -> httpx2.Response:
        """Give a model key of one's own."""
        return await self.client.put("/me/model-key", json={"key": key}, headers=headers(who))

    async def project(self, who: str = "ada") -> str:
        """A project of the person's own; its id."""
        return await founded(self.store, await person(self.store, who), name="FarmGuard")


@asynccontextmanager
async def served(
    settings: Settings, store: SqlStore | None = None
) -> AsyncIterator[tuple[httpx2.AsyncClient, Dispatcher]]:
    """The application with the companion between its start and its stop, and a client of it."""
    dispatcher = build(settings, store=store or MemoryStore(plugins=plugin_tables(discover=False)))
    app = create_app(dispatcher, settings)
    transport = httpx2.ASGITransport(app=app)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url="http://localhost", timeout=60.0) as client,
    ):
        yield client, dispatcher


@asynccontextmanager
async def claude_app(
    *lines: Line,
    structured: Iterable[Line] = (),
    key: str | None = SYSTEM,
    store: SqlStore | None = None,
    **chosen: Any,
) -> AsyncIterator[App]:
    """The application between its start and its stop; `key` is the system's, None: it has none."""
    async with messages_api(*lines, structured=structured) as api:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("ANTHROPIC_BASE_URL", api.url)
            if key is not None:
                patch.setenv("ANTHROPIC_API_KEY", key)
            values = {"claude_model": MODEL, "encoder": "none", "sweep_interval": 3600.0, **chosen}
            settings = Settings(**values)
            async with served(settings, store) as (client, dispatcher):
                yield App(client, dispatcher, api)
