"""A real browser on the machine, and servers on loopback for it."""

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
import uvicorn
from fastapi import FastAPI

if TYPE_CHECKING:  # whoever has none is told so, test by test
    from playwright.sync_api import Browser, BrowserContext, Locator, Page

HOW: Final = "Install Debian's package chromium, or say where one is: SOFTRAIL_CHROMIUM=/path/to/chromium."
AXE: Final = Path(__file__).parents[1] / "clients" / "node_modules" / "axe-core" / "axe.min.js"
PATIENCE: Final = 120_000.0  #: milliseconds; only what never comes takes that long
_FLAGS: Final = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
)
#: How people see a page: each is put on over the page as it stands.
LOOKS: Final[dict[str, dict[str, Any]]] = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "forced colours": {"forced_colors": "active"},
    "narrow": {"width": 320},
    "right to left": {"width": 320, "dir": "rtl"},
}
#: In that direction from now on; in which it was before.
_DIRECTED: Final = """(dir) => {
    const one = document.querySelector("softrail-chat") ?? document.documentElement;
    const before = one.dir;
    one.dir = dir ?? before;
    return before;
}"""
#: What has to be scrolled sideways, but for tables and code, which have a place of their own for that.
_WIDER: Final = """() => {
    const all = (root) => [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
    const scrolls = (one) => ["auto", "scroll"].includes(getComputedStyle(one).overflowX) && !one.matches("pre, .wide, textarea");
    return [document.documentElement, ...all(document.body).filter(scrolls)]
        .filter((one) => one.scrollWidth > one.clientWidth)
        .map((one) => `${one.localName}.${one.className} is ${one.scrollWidth} wide in ${one.clientWidth}`);
}"""
_BROKEN: Final = """async () => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.map((one) => `${one.id}: ${one.nodes[0].html}`);
}"""
_REPORTS: Final = """
    window.reports = [];
    addEventListener("securitypolicyviolation", (event) => reports.push(`${event.violatedDirective} ${event.blockedURI}`));
"""


def chromium() -> str | None:
    """Where the machine's browser is."""
    given = os.environ.get("SOFTRAIL_CHROMIUM")
    if given:
        return given if Path(given).is_file() else None
    return shutil.which("chromium") or shutil.which("chromium-browser")


def missing() -> str:
    """Why there can be no browser here; "" when there can."""
    if find_spec("playwright") is None:
        return "The tests in a browser need playwright: pip install --require-hashes -r requirements-dev.txt."
    return "" if chromium() else f"The tests in a browser need Chromium. {HOW}"


@contextmanager
def launched() -> "Iterator[Browser]":
    """The browser, with a folder of its own that is new and empty."""
    if why := missing():
        if os.environ.get("SOFTRAIL_BROWSER_TESTS") == "required":
            pytest.fail(why)
        pytest.skip(why)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=_FLAGS)
        yield browser
        browser.close()


class Visitor:
    """Somebody with a browser: a context of their own, whose pages must say nothing wrong."""

    def __init__(self, browser: "Browser", url: str, **options: Any) -> None:
        self.context: BrowserContext = browser.new_context(base_url=url, **options)
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(_REPORTS)
        self.said: list[str] = []
        self.outages = False  #: the network is taken away on purpose, which a browser always writes down
        self.context.on("console", lambda message: self._note(message.type, message.text))
        self.context.on("weberror", lambda error: self._note("error", str(error.error)))

    def _note(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not (self.outages and text.startswith("Failed to load resource")):
            self.said.append(f"{kind}: {text}")

    def open(self, path: str = "/") -> "Chat":
        """A page of its own, once something can be written there."""
        page = self.context.new_page()
        page.goto(path)
        chat = Chat(page)
        chat.box.wait_for()
        chat.wait("chat.begun && talk.link === 'ok'")
        return chat

    def close(self) -> None:
        """Whatever a page said, or its policy reported, is a failure."""
        found = [report for page in self.context.pages for report in page.evaluate("window.reports ?? []")]
        self.context.close()
        wrong = [*self.said, *found]
        assert not wrong, "\n".join(wrong)


class Chat:
    """The chat page, by the names that people and their tools know."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self.box = page.get_by_role("textbox", name="Message")
        self.log = page.get_by_role("log", name="Conversation")
        self.answers = self.log.locator(".answer .words")
        self.mine = self.log.locator(".person .words")

    def button(self, name: str) -> "Locator":
        """The button of that very name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def say(self, words: str) -> None:
        """Write it and press Enter."""
        self.box.fill(words)
        self.box.press("Enter")

    def hears(self, words: str) -> None:
        """It is the newest answer, whole."""
        self.answers.last.filter(has_text=words).wait_for()
        self.wait("talk.outbox.turns.length === 0")

    def look(self, expression: str) -> Any:
        """What that is in the page, where `talk` is what it knows and `chat` its element."""
        known = "const chat = document.querySelector('softrail-chat'), talk = chat.talk"
        return self.page.evaluate(f"() => {{ {known}; return {expression}; }}")

    def wait(self, expression: str) -> None:
        """Until that is so, and drawn. Playwright's own way makes code of text, which the page's policy forbids."""
        last = time.monotonic() + PATIENCE / 1000
        while not self.look(f"chat.texts && ({expression})"):  # nothing is drawn before its words are there
            assert time.monotonic() < last, f"{expression} is never so"
            self.page.wait_for_timeout(20)


def until(page: "Page", so: Callable[[], object], never: str) -> None:
    """Until that is so for the test, which hears of requests and messages of the page by and by."""
    last = time.monotonic() + PATIENCE / 1000
    while not so():
        assert time.monotonic() < last, never
        page.wait_for_timeout(20)


def in_the_way(page: "Page") -> list[str]:
    """What is wrong with the page as it stands, in any look: what axe finds, and what has to be scrolled sideways."""
    if not AXE.is_file():
        why = "axe is not installed. Install it with Node 18 or newer: cd tests/clients && npm ci"
        if os.environ.get("SOFTRAIL_CLIENT_TESTS") == "required":
            pytest.fail(why)
        pytest.skip(why)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    size, direction = page.viewport_size, page.evaluate(_DIRECTED, None)
    assert size is not None
    found: list[str] = []
    for name, look in LOOKS.items():
        page.emulate_media(
            color_scheme=look.get("color_scheme", "light"), forced_colors=look.get("forced_colors", "none")
        )
        page.set_viewport_size({"width": look.get("width", size["width"]), "height": size["height"]})
        page.evaluate(_DIRECTED, look.get("dir", direction))
        found += [f"{name}: {one}" for one in [*page.evaluate(_BROKEN), *page.evaluate(_WIDER)]]
    page.emulate_media(color_scheme="null", forced_colors="null")
    page.set_viewport_size(size)
    page.evaluate(_DIRECTED, direction)
    return found


@contextmanager
def running(app: FastAPI) -> Iterator[str]:
    """The address of a server on loopback, in a thread of its own."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, timeout_graceful_shutdown=1))
    serving = threading.Thread(target=server.run, daemon=True)
    serving.start()
    while not server.started:
        serving.join(0.005)  # not at once again: it needs the processor itself
        assert serving.is_alive(), "The server could not be started."
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    serving.join()
