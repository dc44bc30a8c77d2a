"""The inspector in a browser: why a turn was answered as it was, what would have happened, and nobody else's business."""

import asyncio
import json
import os
import shlex
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.request import Request as Sent
from urllib.request import urlopen

import pytest

from softrail import Settings, build
from softrail.api import create_app
from softrail.core.clock import now
from softrail.core.commits import AccessKey
from softrail.core.keys import Right, hash_key
from softrail.processes.builtin.standup import Standup
from softrail.replay.script import Script
from softrail.store import MemoryStore
from tests.browser.conftest import Visit
from tests.browser.kit import Chat, in_the_way, running

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

PICTURE: Final = Path(__file__).parents[2] / "docs" / "pictures" / "inspector.png"
HOSTILE: Final = "<img src=x onerror=\"window.reports.push('run')\"> ${7*7} {{7*7}} <b>bold</b>"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    settings = Settings(database_url="sqlite://", sweep_interval=3600.0)
    dispatcher = build(settings, store=MemoryStore(), processes=[Standup], discover=False)
    with running(create_app(dispatcher, settings)) as address:
        yield address


def said(url: str, person: str, *words: str, session: str | None = None) -> str:
    """What somebody says, in a conversation of their own; its id."""
    for message in words:
        body = {"message": message, **({"session_id": session} if session else {})}
        headers = {"Content-Type": "application/json", "X-Softrail-Person": person}
        with urlopen(Sent(f"{url}/converse", json.dumps(body).encode(), headers)) as answer:  # noqa: S310
            session = json.load(answer)["session_id"]
    assert session is not None
    return session


def region(page: "Page", name: str) -> "Locator":
    return page.get_by_role("region", name=name, exact=True)


def button(page: "Page", name: str) -> "Locator":
    return page.get_by_role("button", name=name, exact=True)


def test_a_turn_says_who_answered_and_why_and_where_the_process_stood(visit: Visit, url: str) -> None:
    session = said(url, "ada@example.org", "start the standup", "fixed the login bug", "stop")
    said(url, "bob@example.org", "hello there")
    page = visit().context.new_page()
    page.goto("/inspect")
    page.get_by_text("hello there").wait_for()
    page.get_by_label("Words").fill("login bug")
    page.get_by_label("Words").press("Enter")
    page.get_by_text("hello there").wait_for(state="detached")
    region(page, "Conversations").get_by_role("button", name="start the standup").click()
    page.wait_for_url(f"{url}/inspect/{session}")

    decision, graph = region(page, "Decision"), region(page, "Graph")
    decision.get_by_role("heading", name="Turn 5").wait_for()  # the newest
    assert decision.get_by_text("registry").first.is_visible()
    region(page, "Turns").get_by_role("button").filter(has_text="3 · standup").click()
    decision.get_by_role("heading", name="Turn 3").wait_for()
    gates = decision.get_by_role("group", name="Gates").get_by_role("row")
    assert gates.filter(has_text="owner").filter(has_text="standup holds the session").count() == 1
    before, after = (
        decision.get_by_text("Before").locator("pre"),
        decision.get_by_text("After").locator("pre"),
    )
    assert "login" not in before.last.inner_text()
    assert "fixed the login bug" in after.last.inner_text()
    assert graph.get_by_text("active, at gathering_today").is_visible()
    picture = graph.get_by_role("img", name="The steps of standup; it is at gathering_today.")
    picture.wait_for()
    assert picture.evaluate("async (image) => { await image.decode(); return image.naturalHeight > 100; }")
    assert graph.get_by_role("group", name="Answers then").get_by_role("row", name="yesterday").is_visible()
    graph.get_by_role("group", name="Timeline").get_by_role("button", name="turn 5").click()
    decision.get_by_role("heading", name="Turn 5").wait_for()

    said(
        url, "ada@example.org", "resume", session=session
    )  # whoever looks at the newest sees the next by itself
    decision.get_by_role("heading", name="Turn 7").wait_for()
    page.reload()
    decision.get_by_role("heading", name="Turn 7").wait_for()


def test_a_search_that_is_answered_late_is_not_shown_over_a_newer_one(visit: Visit, url: str) -> None:
    said(url, "late@example.org", "the slow words")
    said(url, "soon@example.org", "the quick words")
    page = visit().context.new_page()
    page.goto("/inspect")
    held: list[Route] = []
    page.route("**/inspect/sessions?*slow*", lambda route: held.append(route))
    page.get_by_label("Words").fill("slow words")
    page.get_by_label("Words").press("Enter")
    page.get_by_label("Words").fill("quick words")
    page.get_by_label("Words").press("Enter")
    found = region(page, "Conversations").get_by_role("button")
    found.filter(has_text="the quick words").wait_for()
    found.filter(has_text="the slow words").wait_for(state="detached")

    with page.expect_response("**/inspect/sessions?*slow*") as answer:
        held[0].continue_()
    answer.value.finished()
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    assert found.filter(has_text="the slow words").count() == 0


def test_what_would_have_happened_is_tried_and_the_conversation_is_taken_along(
    visit: Visit, url: str
) -> None:
    session = said(url, "kim@example.org", "start the standup", "fixed the login bug")
    page = visit().context.new_page()
    page.goto(f"/inspect/{session}")
    button(page, "Try from here").click()
    sandbox = region(page, "Sandbox")
    sandbox.get_by_text("Everything up to here goes as it was recorded.").wait_for()
    page.get_by_label("Say there").fill("ship v2")
    page.get_by_label("Say there").press("Enter")
    sandbox.get_by_text("Any blockers?").wait_for()
    button(page, "Let time pass").click()
    sandbox.get_by_text("31 minutes pass: 1 suspended.").wait_for()
    button(page, "Drop the last").click()
    sandbox.get_by_text("31 minutes pass").wait_for(state="detached")
    sandbox.get_by_text("Any blockers?").wait_for()
    button(page, "End").click()
    sandbox.get_by_text("Choose a turn").wait_for()

    with page.expect_download() as download:
        button(page, "Export as .talk").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert [line.text for line in Script.parse(text).lines if line.word == "person"] == [
        "start the standup",
        "fixed the login bug",
    ]
    page.get_by_text("As curl", exact=True).click()
    line = region(page, "Decision").get_by_text("curl -s").inner_text()
    assert f'"session_id":"{session}"' in line
    assert "'X-Softrail-Person: kim@example.org'" in line
    button(page, "Say it again in a new conversation").click()
    page.get_by_role("heading", name="fixed the login bug").wait_for()
    assert not page.url.endswith(session)


def sent_by_shell(line: str) -> tuple[str, dict[str, str], bytes]:
    """The address, the headers and the body of a line of curl, as a shell and curl read it."""
    command, *words = shlex.split(line.replace("\\\n", ""))  # JSON has no line of its own
    assert (command, words.pop(0)) == ("curl", "-s")
    address, headers, body = words.pop(0), dict[str, str](), b""
    for option, value in zip(words[::2], words[1::2], strict=True):
        if option == "-H":
            name, _, content = value.partition(": ")
            headers[name] = content
        else:
            assert option == "-d"
            assert not value.startswith("@")  # it would be the name of a file
            body = value.encode()
    return address, headers, body


@pytest.mark.parametrize(
    "words", ["fixed the login bug", 'Kim\'s `id` "$HOME" \\n; true && $(reboot) ünïcode']
)
def test_what_is_copied_as_curl_says_the_same_for_the_same_person(words: str, visit: Visit, url: str) -> None:
    session = said(url, "jo@example.org", "start the standup", words)
    page = visit().context.new_page()
    page.goto(f"/inspect/{session}")
    page.get_by_text("As curl", exact=True).click()
    shown = region(page, "Decision").get_by_text("curl -s").inner_text()

    address, headers, body = sent_by_shell(shown)
    with urlopen(Sent(address, body, headers)) as answer:  # noqa: S310 - the address of this server
        reply = json.load(answer)

    assert reply["session_id"] == session
    assert (reply["process"]["name"], reply["process"]["state"]) == ("standup", "active")
    hers = {"X-Softrail-Person": "jo@example.org"}
    turns = Sent(f"{url}/sessions/{session}/turns", headers=hers)  # noqa: S310
    with urlopen(turns) as answer:  # noqa: S310
        items = json.load(answer)["items"]
    assert [item["content"] for item in items][2::2] == [words, words]
    decision = region(page, "Decision")
    decision.get_by_role("heading", name=f"Turn {reply['seq']}").wait_for()  # it came to the page by itself


def test_words_that_look_like_code_stay_words(visit: Visit, url: str) -> None:
    session = said(url, "eve@example.org", HOSTILE, "start the standup", HOSTILE)
    visitor = visit()
    page = visitor.context.new_page()
    page.goto(f"/inspect/{session}")
    region(page, "Decision").get_by_text("The whole record").click()
    button(page, "Try from here").click()
    region(page, "Sandbox").get_by_text("goes as it was recorded").wait_for()
    page.get_by_label("Say there").fill(HOSTILE)
    page.get_by_label("Say there").press("Enter")
    region(page, "Sandbox").get_by_text("<b>bold</b>").first.wait_for()

    assert page.locator("img:not(.graph)").count() == 0
    assert page.locator("b").count() == 0
    assert page.evaluate("window.reports.length") == 0


def test_nothing_stands_in_the_way_of_whoever_looks(visit: Visit, url: str) -> None:
    session = said(url, "lee@example.org", "start the standup", "fixed the login bug", "what is the weather?")
    visitor = visit()
    visitor.outages = True  # nobody answers at the end, and a browser writes that down
    page = visitor.context.new_page()
    page.goto("/inspect")
    button(page, "Show more").or_(page.get_by_text("Something went wrong")).first.wait_for()
    region(page, "Conversations").get_by_role("button").filter(has_text="lee@").first.wait_for()
    found = in_the_way(page)
    page.goto(f"/inspect/{session}")
    button(page, "Try from here").click()
    region(page, "Sandbox").get_by_text("goes as it was recorded").wait_for()
    region(page, "Graph").get_by_role("img").wait_for()
    for folded in ("As curl", "The whole record"):
        page.get_by_text(folded, exact=True).click()
    found += in_the_way(page)
    for status, seen in ((503, "503"), (404, "Nothing to look into")):
        page.route("**/inspect/sessions?*", partial(refused, status=status))
        page.goto("/inspect")
        page.get_by_text(seen).first.wait_for()
        found += in_the_way(page)

    assert found == []


def refused(route: "Route", status: int) -> None:
    """Nothing is told."""
    route.fulfill(status=status, body="{}")


@pytest.fixture
def keyed(browser: Any) -> Iterator[str]:
    """The address of a server that wants a key: `sr_looks` may look into everything, `sr_plain` may not."""
    settings = Settings(database_url="sqlite://", sweep_interval=3600.0, access="keys")
    store = MemoryStore()

    async def keyed() -> None:
        ops = await store.ensure_person("ops@example.org", id="ops", at=now())
        for name, rights in {"looks": (Right.INSPECT,), "plain": ()}.items():
            key = hash_key(f"sr_{name}")
            await store.add_key(
                AccessKey(id=name, person_id=ops.id, name=name, hash=key, created_at=now(), rights=rights)
            )

    with ThreadPoolExecutor() as beside:  # on this thread the browser's loop runs
        beside.submit(asyncio.run, keyed()).result()
    dispatcher = build(settings, store=store, processes=[Standup], discover=False)
    with running(create_app(dispatcher, settings)) as address:
        yield address


def test_with_keys_the_inspector_stands_behind_the_chat_page_and_asks_for_one(
    visit: Visit, keyed: str
) -> None:
    visitor = visit()
    visitor.outages = True  # a refusal is written down by the browser
    page = visitor.context.new_page()
    answer = page.goto(f"{keyed}/inspect")
    assert answer is not None
    assert answer.status == 404
    page.goto(f"{keyed}/#inspect")
    for key, status in {"sr_plain": 404, "sr_looks": 200}.items():
        page.get_by_role("heading", name="Nothing to look into").wait_for()
        page.get_by_label("Access key").fill(key)
        with page.expect_response("**/inspect/sessions?*") as told:
            button(page, "Open").click()
        assert told.value.status == status
    page.get_by_text("There are none.").wait_for()
    page.get_by_role("link", name="Chat").click()
    Chat(page).box.wait_for()
    page.goto("about:blank")  # nothing is followed any more when the server ends


def test_a_key_that_is_refused_late_locks_out_nobody_who_gave_another_since(visit: Visit, keyed: str) -> None:
    visitor = visit()
    visitor.outages = True
    page = visitor.context.new_page()
    held: list[Route] = []

    def hold(route: "Route") -> None:
        if route.request.headers.get("authorization") == "Bearer sr_plain":
            held.append(route)
        else:
            route.continue_()

    page.route("**/inspect/sessions?*", hold)
    page.goto(f"{keyed}/#inspect")
    page.get_by_role(
        "heading", name="Nothing to look into"
    ).wait_for()  # until then the chat page asks for one
    for key in ("sr_plain", "sr_looks"):
        page.get_by_label("Access key").fill(key)
        button(page, "Open").click()
    page.get_by_text("There are none.").wait_for()
    with page.expect_response(lambda response: response.status == 404) as late:
        held[0].continue_()
    late.value.finished()
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")

    assert page.get_by_text("There are none.").is_visible()
    assert page.get_by_role("alert").count() == 0
    page.goto("about:blank")


def test_the_picture_in_the_docs_is_of_this_page(visit: Visit, url: str, tmp_path: Path) -> None:
    session = said(
        url, "ada@example.org", "start the standup", "fixed the login bug", "stop", "resume", "ship v2"
    )
    page = visit(viewport={"width": 1000, "height": 600}, color_scheme="light").context.new_page()
    page.goto(f"/inspect/{session}")
    region(page, "Graph").get_by_role("img").wait_for()
    page.mouse.move(0, 0)
    taken = tmp_path / "inspector.png"
    page.screenshot(path=taken)
    if os.environ.get("SOFTRAIL_PICTURES") == "write":
        PICTURE.write_bytes(taken.read_bytes())

    assert PICTURE.is_file()
    assert taken.stat().st_size < 150_000
