"""The chat on a page of somebody else's: another origin, a strict policy, tokens that run out."""

import json
import os
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import pytest
from fastapi import Cookie, FastAPI, HTTPException
from fastapi.responses import HTMLResponse, Response

from softrail import Settings, build, create_router
from softrail.api import create_app
from softrail.core.clock import now
from softrail.core.commits import AccessKey
from softrail.core.keys import Right, hash_key, new_key
from softrail.core.tokens import Token, sign
from softrail.processes.builtin.standup import Standup
from softrail.store import MemoryStore
from tests.browser.kit import Chat, Visitor, in_the_way, running, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

KEY: Final = new_key()
SECRET: Final = "a secret that nobody has guessed and nobody will"
PICTURE: Final = Path(__file__).parents[2] / "docs" / "pictures" / "embedded.png"
STYLED: Final = """(part) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`softrail-chat::part(${part}) { border-radius: 7px }`);
    document.adoptedStyleSheets = [sheet];
}"""
POLICY: Final = (
    "default-src 'none'; script-src 'self' {chat}; connect-src 'self' {chat}; img-src data:; "
    "require-trusted-types-for 'script'; trusted-types lit-html"
)
PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<title>A shop</title>
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<script type="module" src="page.js"></script>
<script type="module" src="{chat}/ui/chat.js"></script>
</head>
<body>
<main><h1>A shop</h1><p>Bread and butter.</p></main>
<softrail-chat heading="Help" {attributes}></softrail-chat>
</body>
</html>
"""
SCRIPT: Final = """
const chat = (window.chat = document.querySelector("softrail-chat"));
window.heard = [];
for (const name of ["ready", "reply", "process"]) {
  chat.addEventListener(name, (event) => heard.push([name, event.detail?.message ?? event.detail?.state ?? null]));
}
chat.token = async () => (await fetch("token")).text();
"""


@dataclass
class Host:
    """The server of the other page: it knows who is looking, and gives its page what it asks for."""

    tokens: list[str] = field(default_factory=list)  #: what is given first; then good ones
    given: int = 0
    attributes: str = ""
    chat: str = ""
    fresh: Callable[[], str] = str

    def app(self) -> FastAPI:
        """Its page, the script of it, and the token."""
        app = FastAPI()

        @app.get("/")
        async def page() -> HTMLResponse:
            policy = {"Content-Security-Policy": POLICY.format(chat=self.chat)}
            return HTMLResponse(PAGE.format(chat=self.chat, attributes=self.attributes), headers=policy)

        @app.get("/page.js")
        async def script() -> Response:
            return Response(SCRIPT, media_type="text/javascript")

        @app.get("/token")
        async def token() -> Response:
            self.given += 1
            return Response(self.tokens.pop(0) if self.tokens else self.fresh(), media_type="text/plain")

        return app


@dataclass
class Embedded:
    """A page with the chat in it, and the two servers behind."""

    host: Host
    url: str
    browser: "Browser"
    made: list[Visitor] = field(default_factory=list)

    def visit(self, **options: Any) -> "Page":
        """Somebody who opens the page."""
        visitor = Visitor(self.browser, self.url, **options)
        visitor.outages = True  # what is refused is written down by the browser
        self.made.append(visitor)
        page = visitor.context.new_page()
        page.goto("/")
        return page


def ask(url: str, key: str, body: str) -> str:
    """What `POST /tokens` gives: the way of any server behind a page."""
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{url}/tokens", data=body.encode(), headers=headers)  # noqa: S310
    with urllib.request.urlopen(request) as answer:  # noqa: S310
        return str(json.loads(answer.read())["token"])


@pytest.fixture(params=[True])
def embedded(browser: "Browser", request: pytest.FixtureRequest) -> Iterator[Embedded]:
    host = Host()
    with running(host.app()) as page:
        # The host's page has another name than the chat's server: for a browser that is another site.
        origin = page.replace("127.0.0.1", "localhost")
        listed = (origin,) if request.param else ()
        settings = Settings(
            database_url="sqlite://",
            sweep_interval=3600.0,
            access="keys",
            secret_key=SECRET,
            allowed_origins=listed,
        )
        store = MemoryStore()
        app = create_app(build(settings, store=store, processes=[Standup], discover=False), settings)

        @app.post("/prepare", include_in_schema=False)
        async def prepare() -> None:
            made = await store.ensure_person("host@example.org", id="host", at=now())
            await store.add_key(
                AccessKey(
                    id="k",
                    person_id=made.id,
                    name="",
                    hash=hash_key(KEY),
                    created_at=now(),
                    rights=(Right.TOKENS,),
                )
            )

        with running(app) as chat:
            urllib.request.urlopen(urllib.request.Request(f"{chat}/prepare", method="POST")).close()  # noqa: S310
            host.chat = chat
            host.fresh = lambda: ask(chat, KEY, f'{{"person": "ada@example.org", "origin": "{origin}"}}')
            if not listed:
                host.fresh = lambda: ask(chat, KEY, '{"person": "ada@example.org"}')
            ready = Embedded(host, origin, browser)
            yield ready
            for visitor in ready.made:
                visitor.close()


def expired() -> str:
    """A token that this very server signed, and whose time is over."""
    token = Token(person_id="host", key_hash=hash_key(KEY), origin=None, expires_at=now())
    return sign(token, SECRET)


def begun(page: "Page") -> Chat:
    chat = Chat(page)
    chat.wait("chat.begun && talk.link === 'ok'")
    return chat


def settled(chat: Chat, turns: int) -> None:
    chat.wait(f"talk?.outbox.turns.length === 0 && talk.items.length === {2 * turns}")


def test_it_talks_from_another_origin_under_a_strict_policy_and_tells_the_page(embedded: Embedded) -> None:
    page = embedded.visit()
    chat = begun(page)
    chat.say("start the standup")
    chat.hears("What did you work on yesterday?")

    assert page.get_by_role("region", name="Help").is_visible()
    assert page.get_by_role("heading", name="Help").is_visible()
    assert page.evaluate("heard.map(([name]) => name)") == ["ready", "reply", "process"]
    assert page.evaluate("heard.slice(1)") == [
        ["reply", "What did you work on yesterday?"],
        ["process", "active"],
    ]
    assert embedded.host.given == 1

    page.reload()
    settled(chat, 1)
    assert chat.mine.all_inner_texts() == ["start the standup"]
    assert page.evaluate("Object.keys(sessionStorage)") == ["softrail.conversation"]


def test_a_token_that_ran_out_is_renewed_and_nothing_is_said_twice(embedded: Embedded) -> None:
    embedded.host.tokens = [expired()]
    page = embedded.visit()
    chat = begun(page)
    chat.say("hello")
    settled(chat, 1)
    assert embedded.host.given == 2

    chat.look("(talk.client.kept = Promise.resolve('srt_of.long-ago'), true)")
    chat.say("hello again")
    settled(chat, 2)
    assert chat.mine.all_inner_texts() == ["hello", "hello again"]
    assert embedded.host.given == 3


def test_a_stream_whose_token_ran_out_goes_on_with_another(embedded: Embedded) -> None:
    page = embedded.visit()
    chat = begun(page)
    chat.say("hello")
    settled(chat, 1)
    over = 'event: error\\ndata: {"error": {"code": "unauthorized", "message": "It is over.", "details": {}}}\\n\\n'
    followed: list[str] = []

    def once(route: Any) -> None:
        followed.append(route.request.url)
        if len(followed) == 1:
            cors = {"Access-Control-Allow-Origin": embedded.url, "Content-Type": "text/event-stream"}
            route.fulfill(status=200, headers=cors, body=over.replace("\\n", "\n"))
        else:
            route.continue_()

    page.route("**/events?*", once)
    chat.look("(talk.follow(), true)")
    until(page, lambda: len(followed) >= 2, "It is not followed on.")

    assert chat.box.is_visible()
    chat.say("still here")
    settled(chat, 2)


def test_who_is_not_known_is_told_so_and_asked_for_no_key(embedded: Embedded) -> None:
    embedded.host.fresh = lambda: ""
    page = embedded.visit()
    page.get_by_text("You are not signed in here.").wait_for()
    assert page.get_by_label("Access key").count() == 0

    embedded.host.fresh = lambda: ask(embedded.host.chat, KEY, '{"person": "ada@example.org"}')
    page.evaluate("() => { chat.token = async () => (await fetch('token')).text(); }")
    chat = begun(page)
    chat.say("hello")
    settled(chat, 1)


def test_the_next_person_on_a_page_begins_anew_and_meets_nothing_of_the_first(embedded: Embedded) -> None:
    page = embedded.visit()
    chat = begun(page)
    chat.say("hello from Ada")
    settled(chat, 1)
    ada = chat.look("talk.session")
    chat.box.fill("half a sen")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.url} {request.post_data}"))
    bob = json.dumps({"person": "bob@example.org", "origin": embedded.url})
    embedded.host.fresh = lambda: ask(embedded.host.chat, KEY, bob)
    page.evaluate("() => { chat.token = async () => (await fetch('token')).text(); }")

    page.get_by_role("status").get_by_text("Somebody else was here before you.").wait_for()
    assert "Ada" not in str(chat.look("chat.shadowRoot.textContent"))
    assert chat.box.input_value() == ""
    chat.say("hello from Bob")
    settled(chat, 1)
    assert page.get_by_text("Somebody else was here").count() == 0
    assert [one for one in asked if ada in one] == []
    assert chat.look("talk.session") != ada

    page.evaluate(
        "() => { chat.box.value = 'half a sen'; chat.token = async () => (await fetch('token')).text(); }"
    )
    settled(chat, 1)  # another token of the same person: what was being written is not lost
    chat.wait("chat.begun")
    assert chat.box.input_value() == "half a sen"
    assert page.get_by_text("Somebody else was here").count() == 0


def test_a_refusal_that_comes_late_locks_out_nobody_who_came_since(embedded: Embedded) -> None:
    page = embedded.visit()
    chat = begun(page)
    later = "new Promise((go) => { window.late = go; })"
    page.evaluate(f"() => {{ window.good = chat.token; chat.token = () => {later}; }}")
    chat.wait("window.late !== undefined")
    page.evaluate("() => { chat.token = good; }")
    chat = begun(page)
    page.evaluate("late('')")
    chat.say("hello")
    settled(chat, 1)
    assert chat.look("chat.locked") is False


@pytest.mark.parametrize("embedded", [False], indirect=True)
def test_a_page_that_is_not_listed_gets_not_even_the_element(embedded: Embedded) -> None:
    page = embedded.visit()
    [visitor] = embedded.made
    page.get_by_text("Bread and butter.").wait_for()
    answer = page.evaluate(
        """async (url) => fetch(url + "/me", { headers: { Authorization: `Bearer ${await chat.token()}` } })
            .then((response) => response.status, (error) => error.name)""",
        embedded.host.chat,
    )

    assert answer == "TypeError"  # the browser keeps the answer from the page
    assert page.evaluate("customElements.get('softrail-chat') === undefined")
    kept = (
        "error: Access to script at ",
        "error: Access to fetch at ",
    )  # it writes down that it did, by and by
    until(page, lambda: len(visitor.said) >= len(kept), "The browser never wrote it down.")
    assert all(line.startswith(what) for what, line in zip(kept, visitor.said, strict=True)), visitor.said
    visitor.said.clear()


def test_a_launcher_is_a_button_until_it_is_opened(embedded: Embedded) -> None:
    embedded.host.attributes = "launcher"
    page = embedded.visit(viewport={"width": 320, "height": 568})
    chat = Chat(page)
    chat.button("Open the chat").wait_for()
    assert embedded.host.given == 0  # nothing is asked for before somebody wants to talk
    assert in_the_way(page) == []

    chat.button("Open the chat").click()
    chat.box.wait_for()
    assert chat.look("chat.box === chat.renderRoot.activeElement")
    chat.wait("talk?.link === 'ok'")
    chat.say("hello")
    settled(chat, 1)
    assert in_the_way(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    chat.button("Close").click()
    assert chat.look("chat.renderRoot.activeElement.className.includes('launch')")
    chat.button("Open the chat").press("Enter")
    assert chat.mine.all_inner_texts() == ["hello"]


def test_nothing_stands_in_the_way_on_the_page_of_somebody_else(embedded: Embedded) -> None:
    embedded.host.attributes = "launcher"
    page = embedded.visit()
    chat = Chat(page)
    chat.button("Open the chat").wait_for()
    found = in_the_way(page)
    chat.button("Open the chat").click()
    chat.wait("talk?.link === 'ok'")
    chat.say("start the standup")
    settled(chat, 1)
    found += in_the_way(page)
    embedded.host.fresh = lambda: ""
    page.reload()
    chat.button("Open the chat").click()
    page.get_by_text("You are not signed in here.").wait_for()
    found += in_the_way(page)

    assert found == []


def test_the_page_may_say_something(embedded: Embedded) -> None:
    embedded.host.attributes = "launcher"
    page = embedded.visit()
    page.get_by_role("button", name="Open the chat").wait_for()
    assert page.evaluate("chat.say('hello').then((turn) => turn.length)") == 32
    settled(Chat(page), 1)


def test_the_page_looks_after_its_colours_and_parts(embedded: Embedded) -> None:
    page = embedded.visit()
    chat = begun(page)
    chat.say("hello")
    settled(chat, 1)
    page.evaluate("chat.style.setProperty('--softrail-ground', 'rgb(1, 2, 3)')")
    assert chat.look("getComputedStyle(chat).backgroundColor") == "rgb(1, 2, 3)"
    parts = "[...chat.renderRoot.querySelectorAll('[part]')].map((one) => one.part.value)"
    assert chat.look(parts) == ["frame", "header", "log", "said", "answer", "composer"]
    page.evaluate(STYLED, "answer")
    assert chat.look("getComputedStyle(chat.renderRoot.querySelector('[part=answer]')).borderRadius") == "7px"


def test_the_page_looks_after_its_launcher(embedded: Embedded) -> None:
    embedded.host.attributes = "launcher"
    page = embedded.visit()
    page.get_by_role("button", name="Open the chat").wait_for()
    page.evaluate(STYLED, "launcher")

    assert Chat(page).look("getComputedStyle(chat.renderRoot.querySelector('.launch')).borderRadius") == "7px"


def test_the_page_is_told_which_process_is_under_way_and_when_none_is(embedded: Embedded) -> None:
    page = embedded.visit()
    chat = begun(page)
    chat.say("start the standup")
    settled(chat, 1)
    chat.say("cancel")
    settled(chat, 2)
    chat.say("what can you do?")
    settled(chat, 3)

    told = page.evaluate("heard.filter(([name]) => name === 'process').map(([, state]) => state)")
    assert told == ["active", "suspended", None]


def test_below_the_prefix_of_a_host_it_talks_by_its_cookie(browser: "Browser") -> None:
    async def who(session: Annotated[str, Cookie()] = "") -> str:
        if session != "ada":
            raise HTTPException(401)
        return "ada@example.org"

    settings = Settings(database_url="sqlite://", sweep_interval=3600.0)
    dispatcher = build(settings, store=MemoryStore(), processes=[Standup], discover=False)
    app = FastAPI()
    app.include_router(create_router(dispatcher, identity=who), prefix="/assistant")

    @app.get("/")
    async def page_of_the_host() -> HTMLResponse:
        words = PAGE.format(chat="/assistant", attributes="").replace("page.js", "data:text/javascript,")
        return HTMLResponse(words)

    with running(app) as url:
        visitor = Visitor(browser, url)
        visitor.context.add_cookies([{"name": "session", "value": "ada", "url": url}])
        page = visitor.context.new_page()
        page.goto("/")
        chat = begun(page)
        chat.say("start the standup")
        chat.hears("yesterday")
        page.reload()
        begun(page).hears("yesterday")
        visitor.close()


def test_the_picture_in_the_docs_is_one_of_it(embedded: Embedded, tmp_path: Path) -> None:
    page = embedded.visit(viewport={"width": 720, "height": 560}, color_scheme="light")
    chat = begun(page)
    chat.say("start the standup")
    settled(chat, 1)
    page.mouse.move(0, 0)
    taken = tmp_path / "embedded.png"
    page.screenshot(path=taken)
    if os.environ.get("SOFTRAIL_PICTURES") == "write":
        PICTURE.write_bytes(taken.read_bytes())

    assert PICTURE.is_file()
    assert taken.stat().st_size < 80_000
