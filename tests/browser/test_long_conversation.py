"""A conversation of any length opens alike: as many requests, as many elements."""

import urllib.request
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import pytest

from softrail import Settings, build
from softrail.api import create_app
from softrail.core.clock import now
from softrail.core.turns import Reply, Request
from softrail.store import MemoryStore
from tests.browser.conftest import Visit
from tests.browser.kit import Chat, running

if TYPE_CHECKING:
    from playwright.sync_api import Page

SHORT, LONG = "short@example.org", "long@example.org"
TURNS: Final = {SHORT: 30, LONG: 300}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    settings = Settings(database_url="sqlite://", sweep_interval=3600.0)
    store = MemoryStore()
    dispatcher = build(settings, store=store, discover=False)
    app = create_app(dispatcher, settings)

    @app.post("/prepare", include_in_schema=False)
    async def prepare() -> None:
        for email, turns in TURNS.items():
            person = await store.ensure_person(email, id=email[:4], at=now())
            session = None
            for _ in range(turns):
                said = await dispatcher.converse(Request(message="/help", session_id=session), person)
                session = Reply.model_validate_json(said).session_id

    with running(app) as address:
        urllib.request.urlopen(urllib.request.Request(f"{address}/prepare", method="POST")).close()  # noqa: S310
        yield address


def opened(visit: Visit, email: str) -> tuple["Page", int, int]:
    """The page of that person's conversation, and how many requests and elements that took."""
    page = visit(extra_http_headers={"X-Softrail-Person": email}).context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/")
    Chat(page).wait("talk?.link === 'ok' && talk.items.length > 0")
    return page, len(asked), page.locator(".log li.item").count()


def test_a_long_conversation_takes_no_more_than_a_short_one(visit: Visit) -> None:
    _, few, shown = opened(visit, SHORT)
    page, asked, elements = opened(visit, LONG)

    assert (asked, elements) == (few, shown)
    assert elements == 50
    Chat(page).button("Show what was said before").click()
    Chat(page).wait("talk.items.length >= 100")
