"""The chat page on a bad network: nothing is lost, and nothing is said twice."""

import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from softrail import Settings, build
from softrail.api import create_app
from softrail.core.clock import now
from softrail.core.commits import AccessKey
from softrail.core.keys import hash_key, new_key
from softrail.store import MemoryStore
from tests.browser.conftest import Visit
from tests.browser.kit import Chat, Visitor, in_the_way, running
from tests.forked import begun
from tests.slow_process import Echo

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

KEY = new_key()
BOTH = ["the first", "You said “the first”.", "the second", "You said “the second”."]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    settings = Settings(database_url="sqlite://", sweep_interval=3600.0)
    with running(
        create_app(build(settings, store=MemoryStore(), processes=[Echo], discover=False), settings)
    ) as address:
        yield address


def transcript(chat: Chat) -> list[str]:
    """Everything that was said, as it stands one below the other."""
    return chat.log.locator(".words").all_inner_texts()


def settled(chat: Chat, turns: int) -> None:
    chat.wait(f"talk.outbox.turns.length === 0 && talk.items.length === {2 * turns}")


def test_two_turns_written_offline_are_said_once_and_in_order(visit: Visit) -> None:
    visitor = visit()
    chat = visitor.open()
    chat.button("New conversation").click()
    visitor.outages = True
    chat.page.clock.install()
    visitor.context.set_offline(True)

    chat.say("the first")
    chat.say("the second")
    chat.page.get_by_role("status").get_by_text("2 messages are not sent yet.").wait_for()
    for _ in range(10):  # five minutes, and every try in them
        chat.page.clock.fast_forward("00:30")
        assert chat.log.get_by_text("Not sent yet").count() == 2
    visitor.context.set_offline(False)  # at once, whatever the clock says

    settled(chat, 2)
    assert transcript(chat) == BOTH
    chat.page.reload()
    settled(chat, 2)
    assert transcript(chat) == BOTH


def test_what_was_written_offline_survives_a_reload(visit: Visit) -> None:
    visitor = visit()
    chat = visitor.open()
    chat.button("New conversation").click()
    visitor.outages = True
    chat.page.route("**/converse/stream", lambda route: route.abort())
    chat.say("the first")
    chat.say("the second")
    chat.page.get_by_role("status").get_by_text("2 messages are not sent yet.").wait_for()
    chat.page.unroute("**/converse/stream")
    chat.page.reload()

    settled(chat, 2)
    assert transcript(chat) == BOTH


def test_what_never_left_the_page_may_be_taken_back(visit: Visit) -> None:
    visitor = visit()
    chat = visitor.open()
    chat.button("New conversation").click()
    visitor.outages = True
    visitor.context.set_offline(True)
    chat.say("not this")
    chat.button("Take back").click()
    assert chat.box.input_value() == "not this"
    chat.say("but that")
    visitor.context.set_offline(False)

    settled(chat, 1)
    assert chat.mine.all_inner_texts() == ["but that"]


def test_a_busy_server_is_asked_again_and_a_refusal_is_told(visit: Visit) -> None:
    visitor = visit()
    chat = visitor.open()
    chat.button("New conversation").click()
    visitor.outages = True
    answers = [
        {"status": 503, "headers": {"Retry-After": "1"}, "body": "{}"},
        {"status": 502, "body": "<b>a proxy</b>"},
    ]
    chat.page.route(
        "**/converse/stream",
        lambda route: route.fulfill(**answers.pop(0)) if answers else route.fallback(),
    )
    chat.say("hello")
    settled(chat, 1)
    assert answers == []

    refusal = '{"error": {"code": "bad_request", "message": "Not like this.", "details": {}}}'
    chat.page.route("**/converse/stream", lambda route: route.fulfill(status=422, body=refusal))
    chat.say("hello again")
    chat.log.get_by_text("Not taken: Not like this.").wait_for()
    assert chat.look("talk.outbox.turns.length") == 0


def test_an_answer_lost_on_the_way_is_asked_for_again(visit: Visit) -> None:
    visitor = visit()
    chat = visitor.open()
    chat.button("New conversation").click()
    visitor.outages = True
    ids: list[str] = []

    def lose_the_first(route: "Route") -> None:
        ids.append((route.request.post_data_json or {})["turn_id"])
        if len(ids) == 1:
            route.fetch()  # the server answers, and nobody hears
            route.abort()
        else:
            route.continue_()

    chat.page.route("**/converse/stream", lose_the_first)
    chat.say("the first")
    settled(chat, 1)

    assert ids == [ids[0], ids[0]]
    assert transcript(chat) == BOTH[:2]


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


class Server:
    """A server of its own process, at one address for all its lives."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.begin()

    def begin(self) -> None:
        """Start it, and wait until it can be asked."""
        self.process = begun("tests.browser.crashing", str(self.folder), str(self.port))
        while True:
            try:
                urllib.request.urlopen(f"{self.url}/readyz").close()  # noqa: S310
            except (urllib.error.URLError, ConnectionError):
                with suppress(subprocess.TimeoutExpired):  # not at once again: it needs the processor itself
                    self.process.wait(0.02)
                    raise AssertionError("The server could not be started.") from None
            else:
                return

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait()


def test_a_server_killed_in_mid_turn_says_each_turn_once_and_in_order(
    browser: "Browser", tmp_path: Path
) -> None:
    server = Server(tmp_path)
    try:
        visitor = Visitor(browser, server.url)
        visitor.outages = True
        chat = visitor.open()
        chat.say("do the slow thing")
        chat.answers.get_by_text("One moment.").wait_for()
        chat.say("the first")
        chat.wait("talk.outbox.turns.length === 2 && talk.outbox.turns[1].tried")
        server.kill()
        chat.page.get_by_role("status").get_by_text("There is no connection just now.").wait_for()
        chat.say("the second")
        (tmp_path / "open").touch()
        server.begin()

        settled(chat, 3)
        chat.page.reload()
        settled(chat, 3)
        asked, answered, *rest = transcript(chat)
        assert (asked, answered.split()) == ("do the slow thing", ["One", "moment.", "All", "done."])
        assert rest == BOTH
        visitor.close()
    finally:
        server.kill()


@pytest.fixture
def keyed() -> Iterator[str]:
    """The address of a server that wants a key; `KEY` is Ada's."""
    settings = Settings(database_url="sqlite://", sweep_interval=3600.0, access="keys")
    store = MemoryStore()
    app = create_app(build(settings, store=store, discover=False), settings)

    @app.post("/prepare", include_in_schema=False)
    async def prepare() -> None:
        ada = await store.ensure_person("ada@example.org", id="ada", at=now())
        await store.add_key(
            AccessKey(id="k", person_id=ada.id, name="", hash=hash_key(KEY), created_at=now())
        )

    with running(app) as address:
        urllib.request.urlopen(urllib.request.Request(f"{address}/prepare", method="POST")).close()  # noqa: S310
        yield address


def test_a_key_is_asked_for_where_one_is_needed_and_kept_in_the_tab(browser: "Browser", keyed: str) -> None:
    visitor = Visitor(browser, keyed)
    visitor.outages = True  # 401 is written down by the browser
    page = visitor.context.new_page()
    page.goto("/")
    page.get_by_label("Access key").fill("wrong-key")
    page.keyboard.press("Enter")
    page.get_by_text("This key is not taken.").wait_for()
    assert in_the_way(page) == []
    page.get_by_label("Access key").fill(KEY)
    page.keyboard.press("Enter")
    chat = Chat(page)
    chat.say("hello")
    settled(chat, 1)
    page.reload()
    settled(chat, 1)

    other = visitor.context.new_page()
    other.goto("/")
    other.get_by_label("Access key").wait_for()
    visitor.close()
