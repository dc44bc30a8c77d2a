"""What somebody else asks of a person: seen wherever they are, and answered in a conversation of its own."""

from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import pytest
from pydantic import BaseModel

from softrail import Assign, Done, Process, Settings, Turn, ask, build, step
from softrail.api import create_app
from softrail.store import MemoryStore
from tests.browser.conftest import Visit
from tests.browser.kit import in_the_way, running, until
from tests.browser.test_inspector_page import said
from tests.slow_process import Nothing

if TYPE_CHECKING:
    from playwright.sync_api import Route

ADA: Final = "ada@example.org"
BOB: Final = {"X-Softrail-Person": "bob@example.org"}


class Approval(Process, name="approval", version=1):
    """Decides about days off."""

    title = "the approval of a leave"
    confirm = False

    class Answers(BaseModel):
        """What is asked."""

        agreed: bool = ask("Do you agree?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.", value=answers.agreed)


class Leave(Process, name="leave", version=1):
    """Days off."""

    starts_on = ("a day off",)

    @step(first=True, goes_to=("decided",))
    async def begin(self, said: Turn, data: Nothing) -> Assign:
        return Assign("approval", to="bob@example.org", then="decided", until=timedelta(days=1))

    @step()
    async def decided(self, said: Turn, data: Nothing) -> Done:
        return Done("Decided.")


@pytest.fixture
def url() -> Iterator[str]:
    settings = Settings(database_url="sqlite://", sweep_interval=3600.0, encoder="none")
    dispatcher = build(settings, store=MemoryStore(), processes=[Approval, Leave], discover=False)
    with running(create_app(dispatcher, settings)) as address:
        yield address


def test_what_somebody_asks_is_seen_wherever_the_person_is_and_answered(visit: Visit, url: str) -> None:
    chat = visit(extra_http_headers=BOB, locale="en-GB").open()
    offer = f"{ADA} asks you for the approval of a leave. Shall we do it now?"
    asked = chat.page.locator(".asked")
    chat.say("hello")
    chat.hears("Hello")
    said(url, ADA, "a day off")
    chat.hears(offer)
    with chat.page.expect_response("**/me/questions"):
        chat.page.reload()
    chat.hears(offer)
    chat.wait("talk.asked.length === 1")
    assert asked.count() == 0  # here it is the open question

    chat.button("New conversation").click()
    asked.get_by_text(offer).wait_for()
    assert asked.inner_text().count(ADA) == 1
    assert in_the_way(chat.page) == []
    asked.get_by_role("button", name="Answer").click()
    chat.hears("Do you agree?")
    assert asked.count() == 0
    chat.button("New conversation").click()
    asked.get_by_text(f"{ADA} asks you: Do you agree?").wait_for()
    asked.get_by_role("button", name="Answer").click()
    chat.button("Yes").click()
    chat.hears("Noted.")

    with chat.page.expect_response("**/me/questions") as told:
        chat.page.reload()
    chat.hears("Noted.")
    assert told.value.json()["items"] == []
    assert asked.count() == 0


def test_what_was_taken_up_is_not_offered_again_by_a_list_that_comes_late(visit: Visit, url: str) -> None:
    chat = visit(extra_http_headers=BOB, locale="en-GB").open()
    asked = chat.page.locator(".asked")
    chat.say("hello")
    chat.hears("Hello")
    said(url, ADA, "a day off")
    chat.hears("Shall we do it now?")
    chat.page.reload()
    chat.wait("talk.asked.length === 1")
    held: list[Route] = []
    chat.page.route("**/me/questions", lambda route: held.append(route))
    chat.button("New conversation").click()
    until(chat.page, lambda: held, "No request came.")
    before = held[0].fetch()
    asked.get_by_role("button", name="Answer").click()
    chat.hears("Do you agree?")

    with chat.page.expect_response("**/me/questions") as late:
        held[0].fulfill(response=before)
    late.value.finished()
    chat.page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    assert len(before.json()["items"]) == 1
    assert asked.count() == 0
