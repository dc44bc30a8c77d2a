"""What somebody else asks of a person: seen wherever they are, and answered in a conversation of its own."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

import pytest
from pydantic import BaseModel

from softrail import Assign, Done, Process, Settings, Turn, ask, build, step
from softrail.api import create_app
from softrail.store import MemoryStore
from tests.browser.conftest import Visit
from tests.browser.kit import in_the_way, running
from tests.browser.test_inspector_page import said
from tests.slow_process import Nothing

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
    chat.page.reload()
    chat.hears(offer)
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

    chat.page.reload()
    chat.hears("Noted.")
    assert asked.count() == 0
