"""A conversation of any length opens alike: as many requests, bytes and elements, and as much work for the store."""

import json
import urllib.request
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import pytest
from sqlalchemy import Connection, insert, select, update

from softrail import Settings, build
from softrail.api import create_app
from softrail.core.clock import now
from softrail.core.turns import Reply, Request
from softrail.store import MemoryStore
from softrail.store.tables import sessions, turns
from tests.browser.conftest import Visit
from tests.browser.kit import Chat, running

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from playwright.sync_api import Request as Asked

SHORT, LONG = "short@example.org", "long@example.org"
TURNS: Final = {SHORT: 60, LONG: 2000}  # what is shown first are 25


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    settings = Settings(database_url="sqlite://", sweep_interval=3600.0)
    store = MemoryStore()
    dispatcher = build(settings, store=store, discover=False)
    app = create_app(dispatcher, settings)
    steps = 0

    def done() -> None:
        nonlocal steps
        steps += 1

    def counting(conn: Connection) -> None:
        raw: Any = conn.connection.driver_connection
        raw.set_progress_handler(done, 1)

    @app.post("/prepare", include_in_schema=False)
    async def prepare() -> None:
        for email, count in TURNS.items():
            person = await store.ensure_person(email, id=email[:4], at=now())
            said = Reply.model_validate_json(await dispatcher.converse(Request(message="/help"), person))
            await store.write(partial(lengthen, session_id=said.session_id, count=count - 2))
            last = await dispatcher.converse(Request(message="/help", session_id=said.session_id), person)
            assert Reply.model_validate_json(last).seq == 2 * count - 1
        await store.read(counting)

    @app.get("/steps", include_in_schema=False)
    async def told() -> int:
        return steps

    with running(app) as address:
        urllib.request.urlopen(urllib.request.Request(f"{address}/prepare", method="POST")).close()  # noqa: S310
        yield address


def lengthen(conn: Connection, session_id: str, count: int) -> None:
    """The newest turn of the session, so many times more."""
    here = turns.c.session_id == session_id
    newest = conn.execute(select(turns).where(here).order_by(turns.c.seq.desc()).limit(1)).one()._asdict()

    def again(n: int) -> dict[str, object]:
        seq, turn_id = newest["seq"] + 2 * n, f"{newest['turn_id']}-{n}"
        reply = json.dumps({**json.loads(newest["reply"]), "seq": seq, "turn_id": turn_id})
        return {**newest, "seq": seq, "turn_id": turn_id, "reply": reply}

    conn.execute(insert(turns), [again(n) for n in range(1, count + 1)])
    more = {"next_seq": sessions.c.next_seq + 2 * count}
    conn.execute(update(sessions).where(sessions.c.id == session_id).values(more))


class Opened:
    """The page of that person's conversation as it was opened, and what that took."""

    def __init__(self, visit: Visit, url: str, email: str) -> None:
        self.page: Page = visit(extra_http_headers={"X-Softrail-Person": email}).context.new_page()
        asked: list[Asked] = []
        self.page.on("request", lambda request: asked.append(request))
        before = steps(url)
        # The last that it asks for by itself: it is asked, and answered.
        with self.page.expect_response("**/me/questions"), self.page.expect_response("**/events?after=*"):
            self.page.goto("/")
        Chat(self.page).wait("chat.begun && talk.link === 'ok' && talk.items.length > 0")
        self.steps = steps(url) - before
        self.requests = len(asked)
        self.items = self.page.locator(".log li.item").count()
        self.elements = self.page.locator("softrail-chat *").count()
        told = [one.response() for one in asked if "/turns?" in one.url]
        self.bytes = sum(len(one.body()) for one in told if one is not None)


def steps(url: str) -> int:
    """How many steps the store's engine has made until now."""
    with urllib.request.urlopen(f"{url}/steps") as answer:  # noqa: S310
        return int(answer.read())


def test_a_long_conversation_takes_no_more_than_a_short_one(visit: Visit, url: str) -> None:
    short, long = Opened(visit, url, SHORT), Opened(visit, url, LONG)

    assert (long.requests, long.items, long.elements) == (short.requests, short.items, short.elements)
    assert long.items == 50
    assert long.bytes < 1.1 * short.bytes  # longer numbers
    assert (
        long.steps < 1.5 * short.steps
    )  # what is looked for now and then; reading every turn would be many times as much

    page = long.page
    Chat(page).button("Show what was said before").click()
    Chat(page).wait("talk.items.length >= 100")


def test_what_scrolls_is_the_conversation_and_not_the_page_around_it(visit: Visit, url: str) -> None:
    page = Opened(visit, url, LONG).page

    higher = "(one) => one.scrollHeight > one.clientHeight"
    assert page.locator(".log").evaluate(higher)
    assert not page.evaluate(f"({higher})(document.documentElement)")
