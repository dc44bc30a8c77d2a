"""Words that are not taken: where they stay, what is said of them, and that nothing newer stands above them."""

import urllib.request
from collections.abc import Iterator
from typing import Final

import pytest

from softrail import Settings, build
from softrail.api import create_app
from softrail.core.border import LONGEST_MESSAGE
from softrail.store import MemoryStore
from tests.browser.conftest import Visit
from tests.browser.kit import Chat, in_the_way, running
from tests.slow_process import Echo

REFUSAL: Final = '{"error": {"code": "bad_request", "message": "Not like this.", "details": {}}}'


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    settings = Settings(database_url="sqlite://", sweep_interval=3600.0, encoder="none")
    dispatcher = build(settings, store=MemoryStore(), processes=[Echo], discover=False)
    with running(create_app(dispatcher, settings)) as address:
        yield address


def anew(visit: Visit) -> Chat:
    visitor = visit(locale="en-GB", viewport={"width": 320, "height": 568})
    visitor.outages = True
    chat = visitor.open()
    chat.button("New conversation").click()
    return chat


def refuse(chat: Chat, words: str) -> None:
    chat.page.route("**/converse/stream", lambda route: route.fulfill(status=422, body=REFUSAL))
    chat.say(words)
    chat.log.locator("li", has_text=words).get_by_text("Not taken: Not like this.").wait_for()
    chat.page.unroute("**/converse/stream")


def transcript(chat: Chat) -> list[str]:
    return chat.log.locator(".words").all_inner_texts()


def test_what_is_too_long_for_one_message_stays_in_the_box_and_is_told(visit: Visit) -> None:
    chat = anew(visit)
    asked: list[str] = []
    chat.page.on("request", lambda request: asked.append(request.url) if "converse" in request.url else None)
    words = "\N{OWL}" * LONGEST_MESSAGE  # as the server counts them

    chat.say(f"{words}!")
    chat.page.get_by_role("alert").get_by_text(
        f"It can have at most {LONGEST_MESSAGE} characters."
    ).wait_for()
    assert chat.box.input_value() == f"{words}!"
    assert (asked, chat.mine.count()) == ([], 0)
    assert in_the_way(chat.page) == []
    chat.say(words)

    chat.wait("talk.outbox.turns.length === 0 && talk.items.length === 2")
    assert chat.mine.all_inner_texts() == [words]
    assert chat.page.get_by_role("alert").count() == 0


def test_what_was_refused_stands_where_it_was_said_and_the_newest_answer_below_it(visit: Visit) -> None:
    chat = anew(visit)
    refuse(chat, "the first")
    chat.say("the second")
    chat.hears("You said “the second”.")
    refuse(chat, "the third")
    chat.say("the fourth")
    chat.hears("You said “the fourth”.")

    said = ["the first", "the second", "You said “the second”.", "the third"]
    assert transcript(chat) == [*said, "the fourth", "You said “the fourth”."]
    chat.button("Take back").first.click()
    assert chat.box.input_value() == "the first"
    assert transcript(chat) == [*said[1:], "the fourth", "You said “the fourth”."]


def test_words_for_a_conversation_that_was_erased_elsewhere_are_told_so_and_can_be_said_anew(
    visit: Visit,
) -> None:
    chat = anew(visit)
    chat.say("the first")
    chat.hears("You said “the first”.")
    chat.page.context.set_offline(True)
    chat.say("the second")
    chat.log.get_by_text("Not sent yet").wait_for()
    erased = urllib.request.Request(  # noqa: S310
        f"{chat.page.url}sessions/{chat.look('talk.session')}", method="DELETE"
    )
    urllib.request.urlopen(erased).close()  # noqa: S310 - on another device
    chat.page.context.set_offline(False)

    chat.log.get_by_text("Not taken: The conversation that this was for was erased.").wait_for()
    chat.say("the third")
    chat.hears("You said “the third”.")
    assert transcript(chat) == ["the second", "the third", "You said “the third”."]
    chat.button("Take back").click()
    chat.box.press("Enter")
    chat.hears("You said “the second”.")
    assert transcript(chat) == ["the third", "You said “the third”.", "the second", "You said “the second”."]
