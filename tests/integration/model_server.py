"""The whole application with the companion and either provider's double, asked over HTTP."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest

from softrail.api import create_app
from softrail.bootstrap import build, plugin_tables
from softrail.settings import Settings
from softrail.store import MemoryStore
from tests.integration.claude_server import App
from tests.messages_api import MODEL, Line
from tests.providers import Provider


@asynccontextmanager
async def asking(
    provider: Provider, *lines: Line, structured: Iterable[Line] = (), **chosen: Any
) -> AsyncIterator[App]:
    """The application between its start and its stop, with that provider's double at the other end."""
    async with provider.api(*lines, structured=structured) as api:
        with pytest.MonkeyPatch.context() as patch:
            given: dict[str, Any] = {"encoder": "none", "sweep_interval": 3600.0, **chosen}
            if provider.name == "claude":
                patch.setenv("ANTHROPIC_BASE_URL", api.url)
                patch.setenv("ANTHROPIC_API_KEY", "key")
                settings = Settings(model="claude", claude_model=MODEL, **given)
            else:
                patch.setenv("OPENAI_API_KEY", "key")
                settings = Settings(model="openai", openai_model=MODEL, openai_url=api.url, **given)
            store = MemoryStore(plugins=plugin_tables(discover=False))
            dispatcher = build(settings, store=store)
            app = create_app(dispatcher, settings)
            transport = httpx2.ASGITransport(app=app)
            async with (
                app.router.lifespan_context(app),
                httpx2.AsyncClient(transport=transport, base_url="http://localhost", timeout=60.0) as client,
            ):
                yield App(client, dispatcher, api)
