"""The chat page where a network is gone and tells nobody, where a server is slow, and where fingers are quick."""

import urllib.request
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import pytest

from softrail import Settings, build
from softrail.api import create_app
from softrail.processes.builtin.standup import Standup
from softrail.store import MemoryStore
from tests.browser.conftest import Visit
from tests.browser.kit import Chat, running, until
from tests.slow_process import Echo, Gate, Slow

if TYPE_CHECKING:
    from playwright.sync_api import Route

#: Of the first answer to such a request only the first piece comes, and after that nothing, not even an end.
STALLS: Final = """(path) => {
    const real = window.fetch;
    let stalled = false;
    window.fetch = async (...asked) => {
        const answer = await real(...asked);
        if (stalled || !String(asked[0]).includes(path)) return answer;
        stalled = true;
        const { value } = await answer.body.getReader().read();
        return new Response(new ReadableStream({ start: (piece) => piece.enqueue(value) }));
    };
}"""
TOO_LONG: Final = "00:46"  # minutes and seconds: three signs of life were due


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    gate = Gate()
    settings = Settings(database_url="sqlite://", sweep_interval=3600.0, step_limit=600.0, encoder="none")
    dispatcher = build(
        settings,
        store=MemoryStore(),
        processes=[Echo, Slow, Standup],
        services={Gate: gate},
        discover=False,
    )
    app = create_app(dispatcher, settings)

    @app.post("/release", include_in_schema=False)
    async def release() -> None:
        gate.open.release()

    with running(app) as address:
        yield address


def anew(visit: Visit) -> Chat:
    """Somebody in a new conversation, whose network may be taken away."""
    visitor = visit(locale="en-GB")
    visitor.outages = True
    chat = visitor.open()
    chat.button("New conversation").click()
    return chat


def settled(chat: Chat, turns: int) -> None:
    chat.wait(f"talk.outbox.turns.length === 0 && talk.items.length === {2 * turns}")


def tries(chat: Chat, path: str) -> list[str]:
    """The requests of such a path from now on."""
    found: list[str] = []
    chat.page.on("request", lambda request: found.append(request.url) if path in request.url else None)
    return found


def test_a_message_of_which_nothing_is_heard_is_sent_again_and_said_once(visit: Visit) -> None:
    chat = anew(visit)
    chat.page.clock.install()
    held: list[Route] = []
    chat.page.route("**/converse/stream", lambda route: route.continue_() if held else held.append(route))
    chat.say("the first")
    chat.wait("talk.busy")
    until(chat.page, lambda: held, "No request came.")
    chat.page.clock.fast_forward(TOO_LONG)

    settled(chat, 1)
    assert chat.mine.all_inner_texts() == ["the first"]


def test_an_answer_that_stops_coming_is_asked_for_again(visit: Visit, url: str) -> None:
    chat = anew(visit)
    chat.page.clock.install()
    chat.page.evaluate(STALLS, "converse/stream")
    asked = tries(chat, "converse/stream")
    chat.say("do the slow thing")
    chat.wait("talk.session")  # the first piece has that in any case; the first words only sometimes
    urllib.request.urlopen(urllib.request.Request(f"{url}/release", method="POST")).close()  # noqa: S310
    chat.answers.get_by_text("All done.").wait_for()  # whoever follows the conversation sees it
    chat.page.clock.fast_forward(TOO_LONG)

    settled(chat, 1)
    assert len(asked) == 2
    assert chat.answers.last.inner_text().split() == ["One", "moment.", "All", "done."]


def test_a_conversation_that_nothing_is_heard_of_is_followed_anew(visit: Visit) -> None:
    visitor = visit(locale="en-GB")
    visitor.outages = True
    chat = visitor.open()
    chat.button("New conversation").click()
    chat.say("the first")
    settled(chat, 1)
    other = visitor.open()
    settled(other, 1)
    other.page.clock.install()
    other.page.evaluate(STALLS, "/events?after=")
    asked = tries(other, "/events?after=")
    other.look("(talk.follow(), true)")

    chat.say("the second")
    settled(chat, 2)
    chat.say("the third")
    settled(chat, 3)
    other.page.clock.fast_forward(TOO_LONG)
    settled(other, 3)
    assert len(asked) >= 2


def test_a_conversation_that_cannot_be_opened_now_comes_as_soon_as_it_can(visit: Visit) -> None:
    chat = anew(visit)
    chat.say("the first")
    settled(chat, 1)
    session = chat.look("talk.session")
    chat.button("New conversation").click()
    chat.button("Conversations").click()
    drawer = chat.page.get_by_role("dialog", name="Conversations")
    chat.page.route(f"**/sessions/{session}*", lambda route: route.fulfill(status=503, body="{}"))
    drawer.get_by_role("button", name="the first").first.click()
    chat.page.get_by_role("status").get_by_text("There is no connection just now.").wait_for()
    assert chat.page.get_by_text("What would you like to do?").count() == 0
    chat.page.unroute(f"**/sessions/{session}*")

    settled(chat, 1)
    chat.wait("talk.link === 'ok'")
    chat.say("the second")
    settled(chat, 2)


def test_what_is_refused_of_a_conversation_that_was_left_is_not_lost(visit: Visit) -> None:
    chat = anew(visit)
    chat.say("the first")
    settled(chat, 1)
    session = chat.look("talk.session")
    chat.page.context.set_offline(True)
    chat.say("many words")
    chat.log.get_by_text("Not sent yet").wait_for()
    chat.button("New conversation").click()
    assert chat.mine.count() == 0
    erased = urllib.request.Request(f"{chat.page.url}sessions/{session}", method="DELETE")  # noqa: S310
    urllib.request.urlopen(erased).close()  # noqa: S310 - on another device
    chat.page.context.set_offline(False)

    chat.log.get_by_text("Not taken: ").wait_for()
    assert chat.mine.all_inner_texts() == ["many words"]
    chat.button("New conversation").click()
    chat.button("Take back").click()
    assert chat.box.input_value() == "many words"
    chat.box.press("Enter")
    settled(chat, 1)


def test_what_was_being_written_survives_a_reload(visit: Visit) -> None:
    chat = anew(visit)
    chat.box.press_sequentially("half a sen")
    chat.page.reload()
    chat.wait("chat.begun")
    assert chat.box.input_value() == "half a sen"
    chat.box.press_sequentially("tence")
    chat.box.press("Enter")
    settled(chat, 1)
    chat.page.reload()
    chat.wait("chat.begun")

    assert chat.box.input_value() == ""
    assert chat.mine.all_inner_texts() == ["half a sentence"]


def test_a_button_that_is_held_down_or_pressed_again_before_its_answer_says_it_once(visit: Visit) -> None:
    chat = anew(visit)
    chat.say("start the standup")
    chat.hears("yesterday?")
    chat.button("Skip").focus()
    for _ in range(5):
        chat.page.keyboard.down("Enter")
    chat.page.keyboard.up("Enter")
    chat.hears("today?")
    settled(chat, 2)

    held: list[Route] = []
    chat.page.route("**/converse/stream", lambda route: held.append(route))
    chat.button("Skip").click()
    chat.wait("talk.busy")
    chat.button("Skip").click()  # no second click of one double click
    chat.button("Skip").click()
    until(chat.page, lambda: held, "No request came.")
    for route in held:
        route.continue_()
    chat.hears("blockers?")
    settled(chat, 3)
    assert chat.mine.all_inner_texts() == ["start the standup", "skip", "skip"]


def test_a_form_that_is_sent_twice_while_what_judges_it_is_on_its_way_is_said_once(visit: Visit) -> None:
    visitor = visit(locale="en-GB")
    held: list[Route] = []
    visitor.context.route("**/values.js", lambda route: held.append(route))
    chat = visitor.open()
    chat.button("New conversation").click()
    chat.say("start the standup")
    chat.hears("yesterday?")
    chat.button("Use a form").click()
    chat.page.get_by_label("yesterday?").fill("wrote the tests")
    chat.button("Answer").click()
    chat.button("Answer").click()
    until(chat.page, lambda: held, "No request came.")
    for route in held:
        route.continue_()

    chat.hears("today?")
    settled(chat, 2)
    assert chat.mine.all_inner_texts() == ["start the standup", "wrote the tests"]


def test_a_dialog_that_is_opened_before_it_is_known_who_is_looking_keeps_its_words(visit: Visit) -> None:
    chat = anew(visit)
    chat.say("the first")
    settled(chat, 1)
    held: list[Route] = []
    chat.page.route("**/me", lambda route: held.append(route))
    chat.page.reload()
    chat.button("Conversations").click()
    erase = chat.page.get_by_role("dialog").get_by_role("button", name="Erase “the first”").first
    erase.wait_for()
    until(chat.page, lambda: held, "No request came.")
    for route in held:
        route.continue_()

    chat.wait("chat.begun")
    erase.click()
    chat.page.get_by_text("This cannot be undone.").wait_for()
