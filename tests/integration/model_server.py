"""The whole application with the companion and either provider's double, asked over HTTP."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from softrail.settings import Settings
from tests.integration.claude_server import App, served
from tests.messages_api import MODEL, Line, MessagesApi
from tests.providers import Provider


def settings_for(provider: Provider, api: MessagesApi, patch: pytest.MonkeyPatch, **chosen: Any) -> Settings:
    """The settings of an application that asks this double."""
    given: dict[str, Any] = {"encoder": "none", "sweep_interval": 3600.0, **chosen}
    if provider.name == "claude":
        patch.setenv("ANTHROPIC_BASE_URL", api.url)
        patch.setenv("ANTHROPIC_API_KEY", "key")
        return Settings(model="claude", claude_model=MODEL, **given)
    patch.setenv("OPENAI_API_KEY", "key")
    return Settings(model="openai", openai_model=MODEL, openai_url=api.url, **given)


@asynccontextmanager
async def asking(
    provider: Provider, *lines: Line, structured: Iterable[Line] = (), **chosen: Any
) -> AsyncIterator[App]:
    """The application between its start and its stop, with that provider's double at the other end."""
    async with provider.api(*lines, structured=structured) as api:
        with pytest.MonkeyPatch.context() as patch:
            async with served(settings_for(provider, api, patch, **chosen)) as (client, dispatcher):
                yield App(client, dispatcher, api)
