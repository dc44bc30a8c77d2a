"""What a listener is told of a conversation: every answer once, however it came, and what is old never again."""

import urllib.request
from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

import pytest

from softrail import Done, Process, Settings, Turn, Wait, build, step
from softrail.api import create_app
from softrail.store import MemoryStore
from tests.browser.conftest import Visit
from tests.browser.kit import Chat, running
from tests.slow_process import Gate, Nothing, Slow

if TYPE_CHECKING:
    from playwright.sync_api import Route

LISTEN: Final = """() => {
    const root = document.querySelector("softrail-chat").shadowRoot;
    window.heard = [];
    new MutationObserver((changes) => {
        for (const change of changes) for (const node of change.addedNodes)
            if (node.nodeName === "P") heard.push(node.textContent);
    }).observe(root.querySelector("[aria-live=polite]"), { childList: true, subtree: true });
}"""
#: A turn that was computed again after its first words had been sent.
SUPERSEDED: Final = """event: turn.accepted
data: REPLY

event: text.delta
data: {"text": "The first words."}

event: turn.superseded
data: {}

event: text.delta
data: {"text": "The other words."}

event: turn.committed
data: REPLY

"""


class Later(Process, name="later", version=1):
    """Says something when its time comes."""

    starts_on = ("tell me later",)

    @step(first=True, goes_to=("over",))
    async def begin(self, said: Turn, data: Nothing) -> Wait:
        return Wait(say="I will.", step="over", until=timedelta(milliseconds=1))

    @step()
    async def over(self, said: Turn, data: Nothing) -> Done:
        return Done("It is time.")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    gate = Gate()
    settings = Settings(database_url="sqlite://", sweep_interval=3600.0, step_limit=600.0, encoder="none")
    dispatcher = build(
        settings, store=MemoryStore(), processes=[Slow, Later], services={Gate: gate}, discover=False
    )
    app = create_app(dispatcher, settings)

    @app.post("/release", include_in_schema=False)
    async def release() -> None:
        gate.open.release()

    @app.post("/sweep", include_in_schema=False)
    async def sweep() -> None:
        await dispatcher.sweep()

    with running(app) as address:
        yield address


def told(url: str, path: str) -> None:
    urllib.request.urlopen(urllib.request.Request(f"{url}/{path}", method="POST")).close()  # noqa: S310


def heard(chat: Chat, count: int) -> Any:
    """What a listener has heard, once it is that much."""
    chat.wait(f"heard.length >= {count}")
    return chat.page.evaluate("heard")


def test_each_answer_is_told_once_however_it_came(visit: Visit, url: str) -> None:
    visitor = visit(locale="en-GB")
    chat = visitor.open()
    chat.button("New conversation").click()
    chat.page.evaluate(LISTEN)

    chat.say("do the slow thing")  # it comes in pieces
    chat.answers.get_by_text("One moment.").wait_for()
    assert chat.page.evaluate("heard") == []
    told(url, "release")
    assert heard(chat, 1) == ["One moment.\n\nAll done."]

    visitor.outages = True
    tries: list[str] = []

    def lose_the_first(route: "Route") -> None:
        tries.append(route.request.url)
        if len(tries) == 1:
            route.fetch()  # the server answers, and nobody hears
            route.abort()
        else:
            route.continue_()

    chat.page.route("**/converse/stream", lose_the_first)
    chat.say("hello")
    chat.wait("talk.outbox.turns.length === 0")
    assert len(heard(chat, 2)) == 2
    chat.page.unroute("**/converse/stream")

    other = visitor.open()
    other.say("hello again")
    other.wait("talk.outbox.turns.length === 0")
    assert len(heard(chat, 3)) == 3

    chat.say("tell me later")
    # The sweep soon after a start may come as late as now: then the next answer is here as well.
    assert heard(chat, 4)[3] == "I will."
    told(url, "sweep")
    assert heard(chat, 5)[4] == "It is time."

    chat.say("hello")  # whatever had been told twice would have been by now
    assert len(heard(chat, 6)) == 6
    assert chat.answers.count() == 6
    chat.page.reload()
    chat.wait("talk.items.length === 11 && talk.link === 'ok'")
    live = chat.look("[...chat.shadowRoot.querySelectorAll('[aria-live]')].map((one) => one.ariaLive)")
    assert sorted(live) == ["off", "polite"]
    assert chat.log.get_attribute("aria-live") == "off"
    assert chat.look("chat.shadowRoot.querySelector('[aria-live=polite]').textContent.trim()") == ""
    assert chat.page.get_by_role("status").all_inner_texts() == [""]


def test_words_that_were_taken_back_are_not_told(visit: Visit, url: str) -> None:
    chat = visit(locale="en-GB").open()
    chat.button("New conversation").click()
    chat.say("hello")
    chat.wait("talk.outbox.turns.length === 0")
    chat.page.evaluate(LISTEN)

    def superseded(route: "Route") -> None:
        reply = route.fetch().text().rpartition("event: turn.committed")[2].partition("data: ")[2].strip()
        route.fulfill(body=SUPERSEDED.replace("REPLY", reply), content_type="text/event-stream")

    chat.page.route("**/converse/stream", superseded)
    chat.say("hello again")
    chat.wait("talk.outbox.turns.length === 0")
    [only] = heard(chat, 1)

    assert only == chat.answers.last.inner_text()
    assert "The first words." not in chat.log.inner_text()
