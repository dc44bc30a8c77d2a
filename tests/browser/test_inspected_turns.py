"""What the inspector shows of a turn: everything that its record holds, and what would be different today."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Settings, Turn, ask, build
from softrail.api import create_app
from softrail.store import MemoryStore
from tests import on_record
from tests.browser.conftest import Visit
from tests.browser.kit import in_the_way, running
from tests.browser.test_inspector_page import button, region, said

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


class Order(Process, name="order", version=1):
    """Orders tea."""

    starts_on = ("order tea",)

    class Answers(BaseModel):
        """What is asked."""

        cups: int = ask("How many cups?", ge=1)
        when: str = ask("When?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Ordered.", effects=[Record("order", answers)])


class Dearer(Order, name="order", version=2):
    """The same, as it is sold today."""

    class Answers(BaseModel):
        """What is asked."""

        cups: int = ask("How many cups of tea?", ge=1)
        when: str = ask("When?")


class Wish(Process, name="wish", version=1):
    """Keeps a wish."""

    starts_on = ("make a wish",)
    confirm = False

    class Answers(BaseModel):
        """What is asked."""

        wish: str = ask("Which one?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("wish", answers)])


@contextmanager
def serving(folder: Path, *processes: type[Process]) -> Iterator[str]:
    """A server with its conversations in that folder, for as long as one version of the code is the newest."""
    settings = Settings(database_url=f"sqlite:///{folder / 'talk.db'}", sweep_interval=3600.0, encoder="none")
    dispatcher = build(settings, processes=processes, discover=False)
    with running(create_app(dispatcher, settings)) as address:
        yield address


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    settings = Settings(database_url="sqlite://", sweep_interval=3600.0)
    dispatcher = build(settings, store=MemoryStore(), discover=False, **on_record.parts())
    with running(create_app(dispatcher, settings)) as address:
        yield address


def lines(page: "Page", title: str) -> list[str]:
    """The rows of a table of the decision, with one blank between cells."""
    rows = region(page, "Decision").get_by_role("group", name=title, exact=True).locator("tbody tr")
    return [" ".join(row.split()) for row in rows.all_inner_texts()]


def turn(page: "Page", seq: int) -> "Locator":
    """The decision of that turn, once it is shown."""
    region(page, "Turns").locator("small").filter(has_text=re.compile(rf"^{seq} · ")).click()
    region(page, "Decision").get_by_role("heading", name=f"Turn {seq}", exact=True).wait_for()
    return region(page, "Decision")


def test_what_a_language_model_did_and_what_went_wrong_is_seen(visit: Visit, url: str) -> None:
    session = said(url, "ada@example.org", *on_record.SAID)
    said(url, "bob@example.org", "start the standup")
    page = visit().context.new_page()
    page.goto("/inspect")
    page.get_by_text("bob@example.org").wait_for()
    page.get_by_label("Something went wrong").check()
    page.get_by_text("bob@example.org").wait_for(state="detached")
    region(page, "Conversations").get_by_role("button").filter(has_text="ada@").click()
    page.wait_for_url(f"{url}/inspect/{session}")

    broken = turn(page, 13)
    assert "the kettle is empty" in broken.locator(".bad").inner_text()
    assert region(page, "Turns").get_by_text("trouble", exact=True).count() == 1
    found = in_the_way(page)
    assert "Kept from the person\nengagement" in turn(page, 11).locator("dl").inner_text()
    assert lines(page, "How it was read as an answer")[0].startswith("own affirm learned 90 % 85 %")
    found += in_the_way(page)
    [away] = (turn(page, 7), lines(page, "Calls of a language model"))[1]
    assert away.startswith("respond scripted 0 0 not known ")
    assert away.endswith(" failed. The model is away.")

    rain = turn(page, 5)
    [call] = lines(page, "Calls of a language model")
    assert call.startswith("respond scripted 1234 7 0.0021 ")
    assert call.endswith(" answered")
    assert lines(page, "What was thought of")[0].startswith("general_conversation ")
    rain.locator("summary").filter(has_text="responder/respond@").click()
    assert rain.get_by_text("You are the assistant of this product.").is_visible()
    found += in_the_way(page)
    turn(page, 1)
    likeliest, *_, last = lines(page, "What was thought of")
    assert likeliest == "start_standup 100 % let's do my standup"
    assert re.match(r"start_\w+ 0 % ", last), last  # which of them is last, a rounding decides
    button(page, "Try from here").click()  # where the server has a model, it may be asked there
    assert not region(page, "Sandbox").get_by_label("Ask scripted").is_checked()
    found += in_the_way(page)
    assert found == []


def weighed(visit: Visit, path: str, seen: str) -> int:
    """The bytes of that page over the wire, for a device that has never been here."""
    visitor = visit()
    page = visitor.context.new_page()
    network = visitor.context.new_cdp_session(page)
    network.send("Network.enable")
    sizes: list[int] = []
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(path)
    page.get_by_text(seen).first.wait_for()
    page.wait_for_load_state("networkidle")
    return sum(sizes)


def test_the_inspector_weighs_little_more_than_the_chat(visit: Visit, url: str) -> None:
    session = said(url, "kim@example.org", "start the standup", "fixed the login bug")
    chat = weighed(visit, "/", "What would you like to do?")
    inspector = weighed(visit, f"/inspect/{session}", "gathering_today")

    assert chat <= 60_000
    assert inspector <= chat + 40_000


def test_a_sandbox_says_what_goes_another_way_today_and_what_it_lacks(visit: Visit, tmp_path: Path) -> None:
    with serving(tmp_path, Order, Wish) as before:
        said(before, "ada@example.org", "make a wish", "a boat")
        session = said(before, "ada@example.org", "order tea", "two cups")
    with serving(tmp_path, Dearer, Wish) as today:
        page = visit().context.new_page()
        page.goto(f"{today}/inspect/{session}")
        button(page, "Try from here").click()
        sandbox = region(page, "Sandbox")
        changed = sandbox.get_by_role("group", name="What goes another way now").locator("tbody tr")
        changed.first.wait_for()
        assert changed.all_inner_texts() == ["1\twords\tHow many cups?\tHow many cups of tea?"]
        assert sandbox.get_by_text("It has to do without records of other conversations.").is_visible()
        assert in_the_way(page) == []

        button(page, "Sweep").click()
        sandbox.get_by_text("A sweep: nothing was due.").wait_for()
        button(page, "Let time pass").click()
        sandbox.get_by_text("31 minutes pass: 1 suspended.").wait_for()
        page.get_by_label("Say there").fill("resume")
        button(page, "Say").click()
        sandbox.get_by_text("order active gathering_when").wait_for()
        assert in_the_way(page) == []
        page.goto("about:blank")  # nothing is followed any more when the server ends
