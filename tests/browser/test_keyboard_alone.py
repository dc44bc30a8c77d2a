"""Without a mouse: what is renamed, erased, filled in and stopped in the chat, and looked into and exported in the inspector."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Settings, Turn, ask, build
from softrail.api import create_app
from softrail.store import MemoryStore
from tests.browser.conftest import Visit
from tests.browser.kit import running
from tests.browser.test_inspector_page import region, said
from tests.slow_process import Gate, Slow

if TYPE_CHECKING:
    from playwright.sync_api import Page

FOCUSED: Final = """() => {
    let one = document.activeElement;
    while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
    const named = one.labels?.[0]?.textContent ?? one.textContent;
    return (one.ariaLabel || named || "").trim();
}"""


class Leave(Process, name="leave", version=1):
    """Asks for a day."""

    starts_on = ("ask for leave",)
    confirm = False

    class Answers(BaseModel):
        """What is asked."""

        day: date = ask("Which day?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"Leave on {answers.day}.")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    settings = Settings(database_url="sqlite://", sweep_interval=3600.0, step_limit=600.0, encoder="none")
    dispatcher = build(
        settings, store=MemoryStore(), processes=[Leave, Slow], services={Gate: Gate()}, discover=False
    )
    with running(create_app(dispatcher, settings)) as address:
        yield address


def reach(page: "Page", name: str, key: str = "Tab", most: int = 60) -> None:
    """Go from control to control until that one has the focus, by the beginning of its name."""
    found: list[Any] = []
    for _ in range(most):
        found.append(page.evaluate(FOCUSED))
        if found[-1].startswith(name):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead to {name!r}, but to {found}")


def test_a_form_is_filled_in_and_a_turn_is_stopped(visit: Visit) -> None:
    chat = visit(locale="en-GB").open()
    chat.button("New conversation").focus()
    keys = chat.page.keyboard
    keys.press("Enter")
    chat.box.focus()
    keys.type("ask for leave")
    keys.press("Enter")
    chat.page.get_by_label("Which day?").wait_for()
    reach(chat.page, "Which day?", "Shift+Tab")
    for _ in ("the year", "the second part", "the first part"):
        keys.press("Shift+Tab")
    assert chat.page.evaluate(FOCUSED) == "Which day?"
    keys.type("01012027")  # the same day in every order
    reach(chat.page, "Answer")
    keys.press("Enter")
    chat.hears("Leave on 2027-01-01.")
    assert chat.page.evaluate(FOCUSED) == "Message"  # the form is gone, the place is not

    keys.type("do the slow thing")
    keys.press("Enter")
    chat.answers.get_by_text("One moment.").wait_for()
    chat.button("Stop").wait_for()  # it comes when an answer takes its time
    reach(chat.page, "Stop")
    keys.press("Enter")
    chat.wait("talk.outbox.turns.length === 0")
    assert "All done." not in chat.log.inner_text()
    reach(chat.page, "Message", "Shift+Tab", most=3)


def test_a_conversation_is_renamed_and_erased(visit: Visit) -> None:
    chat = visit(locale="en-GB").open()
    chat.button("New conversation").focus()
    keys = chat.page.keyboard
    keys.press("Enter")
    chat.box.focus()
    keys.type("hello there")
    keys.press("Enter")
    chat.wait("talk.outbox.turns.length === 0 && talk.items.length === 2")

    reach(chat.page, "Conversations", "Shift+Tab")
    keys.press("Enter")
    drawer = chat.page.get_by_role("dialog", name="Conversations")
    drawer.get_by_text("hello there").first.wait_for()
    reach(chat.page, "Rename “hello there”")
    keys.press("Enter")
    reach(chat.page, "Name")
    keys.press("Control+A")
    keys.type("A talk")
    keys.press("Enter")
    drawer.get_by_role("button", name="Erase “A talk”").wait_for()
    reach(chat.page, "Erase “A talk”")
    keys.press("Enter")
    drawer.get_by_text("Erase").first.wait_for()
    reach(chat.page, "Erase")
    keys.press("Enter")
    drawer.wait_for(state="hidden")
    assert chat.answers.count() == 0
    assert chat.page.evaluate(FOCUSED) == "Message"


def test_a_turn_is_found_tried_and_exported(visit: Visit, url: str) -> None:
    said(url, "ada@example.org", "ask for leave", "stop")
    page = visit().context.new_page()
    page.goto("/inspect")
    page.get_by_text("ada@example.org").wait_for()
    keys = page.keyboard
    reach(page, "ask for leave")
    keys.press("Enter")
    region(page, "Decision").get_by_role("heading", name="Turn 3").wait_for()
    reach(page, "Export as .talk")
    with page.expect_download() as download:
        keys.press("Enter")
    assert "person: ask for leave" in Path(download.value.path()).read_text(encoding="utf-8")
    reach(page, "ask for leave")
    keys.press("Enter")
    region(page, "Decision").get_by_role("heading", name="Turn 1").wait_for()
    reach(page, "Try from here")
    keys.press("Enter")
    region(page, "Sandbox").get_by_text("goes as it was recorded").wait_for()
    reach(page, "Say there")
    keys.type("stop")
    keys.press("Enter")
    region(page, "Sandbox").get_by_text("leave suspended").wait_for()
    reach(page, "Let time pass")
    reach(page, "End")
    keys.press("Enter")
    region(page, "Sandbox").get_by_text("Choose a turn").wait_for()
