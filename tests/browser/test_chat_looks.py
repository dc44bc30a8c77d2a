"""How the chat page looks and what it weighs: for every eye, every screen, every tool that reads it aloud."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from softrail import Settings, build
from softrail.api import create_app
from softrail.processes.builtin.standup import Standup
from softrail.store import MemoryStore
from tests.browser.conftest import Visit
from tests.browser.kit import Chat, Visitor, in_the_way, running, until

if TYPE_CHECKING:
    from playwright.sync_api import Route

PICTURE: Final = Path(__file__).parents[2] / "docs" / "pictures" / "chat.png"
#: From left to right, where the first and the last sign of what is found in the chat are painted.
PAINTED: Final = """(selector) => {
    const text = document.createTreeWalker(document.querySelector("softrail-chat").shadowRoot.querySelector(selector), NodeFilter.SHOW_TEXT);
    let found = text.nextNode();
    while (!found.data.trim()) found = text.nextNode();
    const at = (from) => {
        const one = document.createRange();
        one.setStart(found, from);
        one.setEnd(found, from + 1);
        return one.getBoundingClientRect().left;
    };
    const { data } = found;
    return [at(data.length - data.trimStart().length), at(data.trimEnd().length - 1)];
}"""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    settings = Settings(database_url="sqlite://", sweep_interval=3600.0)
    with running(
        create_app(build(settings, store=MemoryStore(), processes=[Standup], discover=False), settings)
    ) as address:
        yield address


def talked(visitor: Visitor) -> Chat:
    """A conversation with a summary, choices and ways."""
    chat = visitor.open()
    chat.button("New conversation").click()
    for said, heard in (
        ("start the standup", "yesterday?"),
        ("fixed the login bug", "today?"),
        ("ship v2", "Any blockers?"),
        ("skip", "Is that right?"),
    ):
        chat.say(said)
        chat.hears(heard)
    return chat


def test_nothing_stands_in_the_way_of_anybody(visit: Visit) -> None:
    chat = talked(visit())
    found = in_the_way(chat.page)
    chat.button("Why this answer?").last.click()
    chat.page.get_by_text("No language model was asked.").wait_for()
    found += in_the_way(chat.page)
    chat.button("Close").click()
    chat.button("Conversations").click()
    chat.page.get_by_role("dialog").get_by_role("button", name="Rename").first.click()
    found += in_the_way(chat.page)
    chat.page.keyboard.press("Escape")
    chat.say("forget it")
    chat.button("Undo").wait_for()
    chat.say("start the standup")
    chat.button("Use a form").click()
    chat.button("Answer").click()
    chat.page.get_by_text("This is needed.").wait_for()
    found += in_the_way(chat.page)

    assert found == []


def test_nor_where_nothing_was_said_yet_or_where_something_goes_wrong(visit: Visit) -> None:
    visitor = visit()
    chat = visitor.open()
    page = chat.page
    chat.button("New conversation").click()
    found = in_the_way(page)  # the first page of all
    with page.expect_file_chooser() as chooser:
        chat.button("Attach a file").click()
    chooser.value.set_files({"name": f"{'n' * 90}.txt", "mimeType": "text/plain", "buffer": b"x"})
    chat.wait("chat.tray.files?.[0]?.standing === 'ready'")  # what is said before then is held back
    found += in_the_way(page)
    chat.say("hello")
    chat.wait("talk.outbox.turns.length === 0 && talk.items.length === 2")
    chat.button("Conversations").click()
    page.get_by_role("dialog").get_by_role("button", name="Erase “").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Erase", exact=True).wait_for()
    found += in_the_way(page)
    page.keyboard.press("Escape")

    visitor.outages = True
    refusal = '{"error": {"code": "bad_request", "message": "Not like this.", "details": {}}}'
    page.route("**/converse/stream", lambda route: route.fulfill(status=422, body=refusal))
    chat.say("hello again")
    chat.log.get_by_text("Not taken: Not like this.").wait_for()
    visitor.context.set_offline(True)
    chat.say("and this")
    page.get_by_role("status").get_by_text("One message is not sent yet.").wait_for()
    found += in_the_way(page)
    visitor.context.set_offline(False)

    page.evaluate("document.querySelector('softrail-chat').lock()")
    page.get_by_label("Access key").wait_for()
    found += in_the_way(page)

    assert found == []


def test_nor_in_another_language(visit: Visit) -> None:
    visitor = visit(extra_http_headers={"X-Softrail-Person": "uwe@example.org"})
    headers = {"Content-Type": "application/json", "X-Softrail-Person": "uwe@example.org"}
    visitor.context.request.patch("/me", data={"locale": "de-AT"}, headers=headers)
    page = visitor.context.new_page()
    page.goto("/")
    page.get_by_role("heading", name="Was möchten Sie tun?").wait_for()
    found = in_the_way(page)
    page.get_by_role("textbox", name="Nachricht").fill("start the standup")
    page.get_by_role("button", name="Senden").click()
    page.get_by_role("button", name="Als Formular").click()
    page.get_by_role("button", name="Antworten").click()
    page.get_by_text("Das wird gebraucht.").wait_for()
    found += in_the_way(page)
    page.get_by_role("button", name="Warum diese Antwort?").click()
    page.get_by_text("Kein Sprachmodell wurde gefragt.").wait_for()
    found += in_the_way(page)
    page.get_by_role("button", name="Schließen").click()
    page.get_by_role("button", name="Gespräche", exact=True).click()
    for one in ("umbenennen", "löschen"):
        page.get_by_role("dialog").get_by_role("button", name=one).first.click()
        page.get_by_role("button", name="Abbrechen").wait_for()
        found += in_the_way(page)
        page.get_by_role("button", name="Abbrechen").click()

    assert found == []


def test_what_stands_in_the_way_in_one_look_alone_is_found(visit: Visit) -> None:
    page = visit().context.new_page()
    page.set_content(
        """<!doctype html><html lang="en"><title>Wrong</title><main><h1 dir="auto">Wrong</h1><p>Here</p></main><style>
            @media (prefers-color-scheme: dark) { p { color: #eee; background: #fff } }
            @media (forced-colors: active) { h1 { display: none } }
            @media (max-width: 320px) { [dir=rtl] p { width: 400px } }
        </style>"""
    )

    assert [one.partition(": ")[0] for one in in_the_way(page)] == ["dark", "forced colours", "right to left"]
    assert page.evaluate("[innerWidth, document.documentElement.dir]") == [1280, ""]


@pytest.mark.parametrize("width", [320, 1280])
def test_nothing_has_to_be_scrolled_sideways_and_every_target_is_large(width: int, visit: Visit) -> None:
    chat = talked(visit(viewport={"width": width, "height": 640}))
    chat.say("a" * 300)
    chat.wait("talk.outbox.turns.length === 0")

    assert chat.look("document.documentElement.scrollWidth") == width
    assert chat.look("chat.log.scrollWidth <= chat.log.clientWidth")
    small = chat.look(
        "[...chat.shadowRoot.querySelectorAll('button, textarea')].map((one) => one.getBoundingClientRect())"
        ".filter((box) => box.width && (box.width < 44 || box.height < 44)).length"
    )
    assert small == 0


def test_the_page_is_small_and_says_what_it_is_at_once(visit: Visit, url: str) -> None:
    talked(visit()).page.close()
    visitor = visit()  # somebody with a conversation, on a device that has never been here
    page = visitor.context.new_page()
    network = visitor.context.new_cdp_session(page)
    network.send("Network.enable")
    sizes: list[int] = []
    asked: list[str] = []
    network.on("Network.requestWillBeSent", lambda event: asked.append(event["request"]["url"]))
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto("/")
    Chat(page).wait("talk.items.length > 0 && talk.link === 'ok' && talk.asked && talk.me")
    page.wait_for_load_state("load")

    assert sum(sizes) <= 60_000, sizes
    assert len(asked) <= 20, asked


def test_a_language_has_its_own_words_and_its_own_direction(visit: Visit, url: str) -> None:
    visitor = visit()
    chat = visitor.open()
    chat.page.evaluate(
        "fetch('/me', { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: '{\"locale\": \"de-AT\"}' })"
    )
    chat.page.reload()
    chat.page.get_by_role("textbox", name="Nachricht").wait_for()
    assert chat.look("chat.lang") == "de"
    chat.page.evaluate(
        "fetch('/me', { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: '{\"locale\": \"ar\"}' })"
    )
    chat.page.reload()
    chat.wait("chat.dir === 'rtl'")
    assert chat.look("chat.lang") == "en"
    assert chat.box.is_visible()
    chat.page.evaluate(
        "fetch('/me', { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: '{\"locale\": \"en\"}' })"
    )


def test_what_the_page_says_is_read_in_its_own_direction_where_the_rest_goes_the_other_way(
    visit: Visit,
) -> None:
    chat = talked(visit(viewport={"width": 320, "height": 568}))
    chat.say("forget it")
    chat.say("start the standup")
    chat.hears("yesterday?")
    chat.button("Use a form").click()
    chat.button("Answer").click()
    chat.page.get_by_text("This is needed.").wait_for()
    chat.page.evaluate("document.querySelector('softrail-chat').dir = 'rtl'")

    def ends(selector: str) -> tuple[float, float]:
        """Where the first and the last sign of a text are painted."""
        found: list[float] = chat.page.evaluate(PAINTED, selector)
        return found[0], found[1]

    for selector in (".under-way span:nth-child(2)", "#answer-wrong", ".ways button", "h1"):
        first, last = ends(selector)
        assert first < last, selector
    assert ends("h1")[0] > 160, "A name stands where the lines of that direction begin."


def test_a_low_screen_shows_a_form_with_its_button_and_some_of_the_talk_beside_a_long_draft(
    visit: Visit,
) -> None:
    chat = visit(viewport={"width": 568, "height": 320}).open()
    chat.button("New conversation").click()
    chat.say("start the standup")
    chat.hears("yesterday?")
    chat.button("Use a form").click()
    chat.look("void talk.changed()")  # whoever follows the conversation hears again of what is shown already

    top, bottom = chat.look("[chat.log.getBoundingClientRect().top, chat.log.getBoundingClientRect().bottom]")
    box = chat.button("Answer").bounding_box()
    assert box is not None
    assert top <= box["y"]
    assert box["y"] + box["height"] <= bottom
    chat.box.fill("one line\n" * 40)
    assert chat.look("chat.log.clientHeight") > 100


def test_why_says_that_it_is_on_its_way(visit: Visit) -> None:
    chat = talked(visit())
    held: list[Route] = []
    chat.page.route("**/decisions/*", lambda route: held.append(route))
    chat.button("Why this answer?").last.click()
    dialog = chat.page.get_by_role("dialog", name="Why this answer?")
    dialog.get_by_text("Connecting …").wait_for()
    assert in_the_way(chat.page) == []
    until(chat.page, lambda: held, "No request came.")
    for route in held:
        route.continue_()

    dialog.get_by_text("No language model was asked.").wait_for()
    assert dialog.get_by_text("Connecting …").count() == 0


def test_the_description_of_the_interface_is_a_page_of_our_own(visit: Visit) -> None:
    visitor = visit()
    page = visitor.context.new_page()
    page.goto("/docs")
    page.get_by_role("heading", name="Turns").wait_for()
    page.get_by_label("Search").fill("converse/stream")
    page.get_by_text("POST /converse/stream", exact=True).click()
    assert page.get_by_role("cell", name="What the person said").count() >= 1
    assert page.get_by_text("curl -s -X POST").is_visible()
    assert in_the_way(page) == []


def test_the_picture_in_the_docs_is_of_this_page(visit: Visit, tmp_path: Path) -> None:
    chat = talked(visit(viewport={"width": 720, "height": 640}, color_scheme="light"))
    chat.page.mouse.move(0, 0)
    taken = tmp_path / "chat.png"
    chat.page.screenshot(path=taken)
    if os.environ.get("SOFTRAIL_PICTURES") == "write":
        PICTURE.write_bytes(taken.read_bytes())

    assert PICTURE.is_file()
    assert taken.stat().st_size < 80_000
