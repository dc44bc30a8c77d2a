"""Names, titles, labels, hints, schemas and file names that look like code: on every page they are words."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from enum import StrEnum
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
    from playwright.sync_api import Locator, Page

#: As much of each as is taken for a name: one line, nothing that is only to be sent and never to be seen.
NAMES: Final = list(
    dict.fromkeys(
        name
        for text in [MARKUP, *TEXTS.values()]
        if (name := " ".join("".join(c if c.isprintable() else " " for c in text[:90]).split()))
    )
)
PLAIN: Final = TEXTS["html"]
KIM: Final = "kim@example.org"
MOST: Final = 10  #: files that one message may bring
#: A form of each kind, with that text wherever a schema may have one.
SCHEMAS: Final = """(text) => {
    const odd = Object.fromEntries(
        ["title", "description", "default", "pattern", "contentMediaType", "$comment", text].map((name) => [name, text]),
    );
    const of = (more) => ({ ...odd, ...more });
    return [
        of({ type: "string" }), of({ type: "number" }), of({ type: "string", format: text }), of({ type: text }), of({}),
        of({ type: "string", format: "date" }), of({ type: "string", format: "attachment", accept: [text], maxBytes: 9 }),
        of({ const: text }), of({ enum: [text, `${text} too`] }), of({ anyOf: [{ enum: [text] }, { type: "null" }] }),
        of({ type: "array", items: of({ enum: [text, `${text} too`] }) }), of({ type: "array", items: of({ type: "string" }) }),
    ];
}"""
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
#: Ask that with each of those schemas, with a form where there is one, and with a reason at its field: how many forms
#: there were, and what has grown.
ASKED: Final = f"""async (text) => {{
    const schemas = {SCHEMAS}, grown = {GROWN}, found = [];
    const chat = document.querySelector("softrail-chat"), {{ talk }} = chat;
    let forms = 0;
    for (const [n, schema] of schemas(text).entries()) {{
        const pending = {{ id: `${{text}} ${{n}}`, kind: "ask", prompt: text, options: [], choices: [], schema }};
        talk.state = {{ ...talk.state, pending, ways: [{{ label: text, message: text }}], suggested: [text] }};
        talk.changed();
        await chat.updateComplete;
        const question = chat.renderRoot.querySelector("softrail-question");
        Object.assign(question, {{ open: Boolean(question.field), wrong: text, sending: text }});
        await question.updateComplete;
        forms += question.querySelectorAll("form").length;
        found.push(...grown());
    }}
    return [forms, found];
}}"""


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


Named = StrEnum("Named", {f"n{n}": name for n, name in enumerate(NAMES)})  # type: ignore[misc] # its names are made


def chosen(said: str) -> list[str]:
    """What a form chose comes as JSON to a reader of one's own."""
    found: list[str] = json.loads(said)
    return found


class Form(Process, name="form", version=1):
    """An author who writes markup everywhere."""

    title = "<i>odd</i> things"
    starts_on = ("fill it in",)

    class Answers(BaseModel):
        """<b>What</b> is asked."""

        day: date = ask("<b>Which</b> day?", label="<i>day</i>", description=MARKUP)
        some: list[Named] = ask("<b>Which</b> of them?", label="<i>some</i>", read=chosen)
        which: str = ask("<b>Which</b> one?", label=MARKUP, pattern=".*<b>.*")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Done.", effects=[Record("form", answers)])


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    settings = Settings(database_url="sqlite://", sweep_interval=3600.0, encoder="none")
    dispatcher = build(settings, store=MemoryStore(), processes=[Odd, Form], discover=False)
    with running(create_app(dispatcher, settings)) as address:
        with ThreadPoolExecutor() as people:  # each name is a conversation of Kim's
            list(people.map(lambda name: said(address, KIM, name), NAMES))
        yield address


def watched(visitor: Visitor) -> list[str]:
    """The servers that the pages of a visitor ask from now on."""
    asked: list[str] = []
    visitor.context.on("request", lambda request: asked.append(urlsplit(request.url).netloc))
    return asked


def grown(page: "Page") -> Any:
    """What is in the page that only markup can have brought there."""
    return page.evaluate(GROWN)


def twice(button: "Locator") -> None:
    """Pressed again before the first can have been answered."""
    button.evaluate("(one) => { one.click(); one.click(); }")


def ours(chat: Chat, method: str, path: str, body: Any) -> None:
    """A request of the page's own."""
    chat.page.evaluate(
        "([method, path, body]) => document.querySelector('softrail-chat').talk.client.json(method, path, body)",
        [method, path, body],
    )


def anew(visit: Visit, person: str, *, outages: bool = False) -> tuple[Chat, list[str]]:
    """Somebody in a new conversation, and the servers that their pages ask from now on."""
    visitor = visit(extra_http_headers={"X-Softrail-Person": person})
    visitor.outages = outages
    asked = watched(visitor)
    chat = visitor.open()
    chat.button("New conversation").click()
    return chat, asked


def test_names_titles_and_labels_are_words_on_the_chat_page(visit: Visit, url: str) -> None:
    chat, asked = anew(visit, KIM)
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
    chat.button("Conversations").click()
    drawer = chat.page.get_by_role("dialog")
    sessions = drawer.locator(".sessions > li")
    for shown in range(20, len(NAMES), 20):  # a page of them, once however often it is asked for
        sessions.nth(shown - 1).wait_for()
        twice(drawer.get_by_role("button", name="Show more"))
    sessions.nth(len(NAMES)).wait_for()
    assert sessions.count() == len(NAMES) + 1
    found += grown(chat.page)

    assert found == []
    assert set(asked) == {urlsplit(url).netloc}


def test_schemas_are_words_whatever_is_in_them(visit: Visit, url: str) -> None:
    chat, asked = anew(visit, "sam@example.org")
    chat.say("fill it in")
    chat.page.get_by_label("<b>Which</b> day?").fill("2027-03-01")
    found = grown(chat.page)
    chat.button("Answer").click()
    boxes = chat.page.get_by_role("group", name="<b>Which</b> of them?").get_by_role("checkbox")
    boxes.last.wait_for()
    assert boxes.count() == len(NAMES)
    found += grown(chat.page)
    boxes.nth(NAMES.index(PLAIN)).check()
    chat.button("Answer").click()
    chat.page.get_by_text("2 of 3").wait_for()
    assert chat.mine.last.inner_text() == PLAIN

    for text in TEXTS.values():
        forms, more = chat.page.evaluate(ASKED, text)
        assert forms == 10, "The other two are better answered in words."
        found += more
    assert found == []
    assert set(asked) == {urlsplit(url).netloc}


def test_names_of_files_are_words_wherever_they_stand(visit: Visit, url: str) -> None:
    chat, asked = anew(
        visit, "lou@example.org", outages=True
    )  # a name that is refused is written down by the browser
    names = [MARKUP, *TEXTS.values()]
    found, taken = [], 0
    for first in range(0, len(names), MOST):
        chat.page.evaluate(
            "(names) => document.querySelector('softrail-chat').files((tray) => tray.add(names.map((name) => new File(['x'], name))))",
            names[first : first + MOST],
        )
        chat.wait("chat.tray.files?.length && !chat.tray.busy")
        taken += chat.look("chat.tray.files.filter((file) => file.standing === 'ready').length")
        found += grown(chat.page)
        chat.look("(chat.send(new Event('submit')), true)")
        chat.wait("talk.outbox.turns.length === 0")
        chat.look("(chat.tray.clear(), true)")  # a name that is not taken stays there
    assert taken > 50
    saved = chat.mine.get_by_role("button", name="Download")
    saved.nth(taken - 1).wait_for()
    assert saved.count() == taken
    found += grown(chat.page)
    chat.button("Conversations").click()
    files = chat.page.get_by_role("dialog").locator(".files li")
    files.nth(taken - 1).wait_for()
    assert files.count() == taken
    found += grown(chat.page)

    chat.page.goto(f"/inspect/{chat.look('talk.session')}")
    rows = region(chat.page, "Turns").get_by_role("button").filter(has_text="·")
    rows.first.wait_for()
    for row in rows.all():
        row.click()
        found += grown(chat.page)
    assert found == []
    assert set(asked) == {urlsplit(url).netloc}


def test_names_titles_and_labels_are_words_in_the_inspector_and_in_pictures(visit: Visit, url: str) -> None:
    session = said(url, "eve@example.org", "be odd", NAMES[1], "fill it in", MARKUP)
    visitor = visit()
    asked = watched(visitor)
    page = visitor.context.new_page()
    page.goto("/inspect")
    page.get_by_text("eve@example.org").first.wait_for()
    conversations = region(page, "Conversations").get_by_role("listitem")
    twice(button(page, "Show more"))
    conversations.nth(len(NAMES)).wait_for()
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
