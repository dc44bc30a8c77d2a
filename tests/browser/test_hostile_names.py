"""Names, titles, labels, hints, schemas and file names that look like code: on every page they are words."""

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import pytest
from pydantic import BaseModel

from softrail import Ask, Done, Option, Process, Record, Settings, Turn, ask, build, step
from softrail.api import create_app
from softrail.store import MemoryStore
from tests.browser.conftest import Visit
from tests.browser.kit import Chat, Visitor, running
from tests.browser.test_chat_page import MARKUP
from tests.browser.test_inspector_page import button, region, said
from tests.integration.test_api_hostile import TEXTS
from tests.slow_process import Nothing

if TYPE_CHECKING:
    from playwright.sync_api import Page

#: As much of each as is taken for a name: one line, nothing that is only to be sent and never to be seen.
NAMES: Final = list(
    dict.fromkeys(
        name
        for text in [MARKUP, *TEXTS.values()]
        if (name := " ".join("".join(c if c.isprintable() else " " for c in text[:90]).split()))
    )
)
PLAIN: Final = TEXTS["html"]
SAYS: Final = """(one) => ["aria-labelledby", "aria-describedby"]
    .map((name) => one.getRootNode().getElementById(one.getAttribute(name)).textContent.trim())"""
GROWN: Final = """() => {
    const all = (root) => [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
    const grown = "img:not(.graph), iframe, object, embed, base, b, i, x, script:not([src]), [onerror], [onload], [onclick]";
    const styled = "style, [style]:not(textarea)";
    return all(document)
        .filter((one) => one.matches(grown) || one.matches(styled) || (one.href && new URL(one.href).host !== location.host))
        .filter((one) => one.parentNode !== document.head)
        .map((one) => one.outerHTML);
}"""


class Odd(Process, name="odd", version=1):
    """<script>alert(1)</script>"""

    title = MARKUP
    starts_on = ("be odd",)

    @step(first=True, goes_to=("chosen",))
    async def choose(self, said: Turn, data: Nothing) -> Ask:
        options = [Option(label=f"{n} {name}", hint=name) for n, name in enumerate(NAMES)]
        return Ask("<b>Which</b> one?", options=options, step="chosen", payload={MARKUP: NAMES})

    @step()
    async def chosen(self, said: Turn, data: Nothing) -> Done:
        return Done("Chosen.")


class Form(Process, name="form", version=1):
    """An author who writes markup everywhere."""

    title = "<i>odd</i> things"
    starts_on = ("fill it in",)

    class Answers(BaseModel):
        """<b>What</b> is asked."""

        day: date = ask("<b>Which</b> day?", label="<i>day</i>", description=MARKUP)
        which: str = ask("<b>Which</b> one?", label=MARKUP, pattern=".*<b>.*")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Done.", effects=[Record("form", answers)])


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    settings = Settings(database_url="sqlite://", sweep_interval=3600.0, encoder="none")
    dispatcher = build(settings, store=MemoryStore(), processes=[Odd, Form], discover=False)
    with running(create_app(dispatcher, settings)) as address:
        yield address


def watched(visitor: Visitor) -> list[str]:
    """The servers that the pages of a visitor ask from now on."""
    asked: list[str] = []
    visitor.context.on("request", lambda request: asked.append(urlsplit(request.url).netloc))
    return asked


def grown(page: "Page") -> Any:
    """What is in the page that only markup can have brought there."""
    return page.evaluate(GROWN)


def ours(chat: Chat, method: str, path: str, body: Any) -> None:
    """A request of the page's own."""
    chat.page.evaluate(
        "([method, path, body]) => document.querySelector('softrail-chat').talk.client.json(method, path, body)",
        [method, path, body],
    )


def test_names_titles_labels_and_files_are_words_on_the_chat_page(visit: Visit, url: str) -> None:
    for name in NAMES:
        said(url, "kim@example.org", name)
    visitor = visit(extra_http_headers={"X-Softrail-Person": "kim@example.org"})
    asked = watched(visitor)
    chat = visitor.open()
    chat.button("New conversation").click()
    # An answer is Markdown, where a link to a page says where it leads; nothing else in a name is more than words.
    ours(chat, "PATCH", "me", {"display_name": TEXTS["html"], "companion_name": MARKUP[:90].strip()})
    chat.page.reload()
    chat.page.get_by_role("heading", name=MARKUP[:90].strip()).wait_for()
    chat.say("hello")
    chat.say("be odd")
    choices = chat.page.locator(".choice")
    choices.nth(len(NAMES) - 1).wait_for()  # those of the greeting were there before
    assert choices.count() == len(NAMES)
    one = choices.nth(NAMES.index(PLAIN))  # its hint is no part of its name: a screen reader says each once
    assert one.evaluate(SAYS) == [f"{NAMES.index(PLAIN)} {PLAIN}", PLAIN]
    found = grown(chat.page)
    for name in NAMES:
        chat.page.evaluate(
            "(name) => { const chat = document.querySelector('softrail-chat'); chat.heading = name; return chat.updateComplete; }",
            name,
        )
        found += grown(chat.page)
    choices.first.click()
    chat.hears("Chosen.")
    found += grown(chat.page)
    chat.say("fill it in")
    chat.page.get_by_label("<b>Which</b> day?").fill("2027-03-01")
    found += grown(chat.page)
    chat.button("Answer").click()
    chat.page.get_by_text("1 of 2").wait_for()

    chat.page.evaluate(
        """async (names) => {
            const { talk } = document.querySelector("softrail-chat");
            for (const name of names) {
                const body = new FormData();
                body.append("file", new File(["x"], name));
                await talk.client.ask("POST", `sessions/${talk.session}/attachments`, { body }).catch(() => {});
            }
        }""",
        NAMES[:20],
    )
    chat.button("Conversations").click()
    drawer = chat.page.get_by_role("dialog")
    drawer.locator(".files li").first.wait_for()
    drawer.get_by_role("button", name="Show more").click()
    drawer.locator(".sessions > li").nth(30).wait_for()
    found += grown(chat.page)

    assert found == []
    assert set(asked) == {urlsplit(url).netloc}


def test_names_titles_and_labels_are_words_in_the_inspector_and_in_pictures(visit: Visit, url: str) -> None:
    for name in NAMES[:30]:
        session = said(url, "eve@example.org", name)
    said(url, "eve@example.org", "be odd", NAMES[1], "fill it in", MARKUP, session=session)
    visitor = visit()
    asked = watched(visitor)
    page = visitor.context.new_page()
    page.goto("/inspect")
    page.get_by_text("eve@example.org").first.wait_for()
    found = grown(page)
    page.goto(f"/inspect/{session}")
    region(page, "Graph").get_by_role("img").wait_for()
    button(page, "Try from here").click()
    region(page, "Sandbox").get_by_text("Say there").wait_for()
    for row in region(page, "Turns").get_by_role("button").filter(has_text="·").all():
        row.click()
        found += grown(page)
    for process in ("odd", "form"):
        page.goto(f"/processes/{process}/graph.svg")
        found += page.evaluate(
            "[...document.querySelectorAll('a, script, image, use, foreignObject, [href], [onload], [onerror]')].map((one) => one.outerHTML)"
        )

    assert found == []
    assert set(asked) == {urlsplit(url).netloc}
