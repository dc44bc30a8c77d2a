"""The chat page as people use it: first words, buttons, keys, other tabs, hostile words."""

import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Settings, Turn, ask, build
from softrail.api import create_app
from softrail.processes.builtin.standup import Standup
from softrail.store import MemoryStore
from tests.browser.conftest import Visit
from tests.browser.kit import PATIENCE, Chat, Visitor, in_the_way, running
from tests.integration.test_api_hostile import TEXTS
from tests.slow_process import Gate, Slow

if TYPE_CHECKING:
    from playwright.sync_api import Route

MARKUP: Final = "<img src=/x onerror=alert(1)> **b** [x](https://evil.example) <script>alert(1)</script>"


class Lunch(Process, name="lunch", version=1):
    """Orders lunch."""

    title = "your lunch"
    starts_on = ("order lunch",)

    class Answers(BaseModel):
        """What is asked."""

        dish: Literal["Soup", "Salad"] = ask("What would you like?")
        notes: str = ask("Anything to add?", default="")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Ordered.", effects=[Record("lunch", answers)])


class Odd(Process, name="odd", version=1):
    """An author who writes markup everywhere."""

    title = "<i>odd</i> things"
    starts_on = ("be odd",)
    confirm = False

    class Answers(BaseModel):
        """What is asked."""

        which: Literal["<img src=/x onerror=alert(1)>", "plain"] = ask("<b>Which</b> one?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Done.", effects=[Record("odd", answers)])


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    gate = Gate()
    settings = Settings(database_url="sqlite://", sweep_interval=3600.0, step_limit=600.0)
    dispatcher = build(
        settings,
        store=MemoryStore(),
        processes=[Lunch, Odd, Slow, Standup],
        services={Gate: gate},
        discover=False,
    )
    app = create_app(dispatcher, settings)

    @app.post("/release", include_in_schema=False)
    async def release() -> None:
        gate.open.release()

    with running(app) as address:
        yield address


def release(url: str) -> None:
    urllib.request.urlopen(urllib.request.Request(f"{url}/release", method="POST")).close()  # noqa: S310


def anew(visit: Visit) -> Chat:
    """Somebody new, in a conversation of their own."""
    chat = visit(locale="en-GB").open()
    chat.button("New conversation").click()
    return chat


def ordering(visitor: Visitor) -> Chat:
    """A new conversation of somebody who is asked what to eat."""
    chat = visitor.open()
    chat.button("New conversation").click()
    chat.say("order lunch")
    chat.hears("What would you like?")
    return chat


def test_whoever_comes_first_just_talks(visit: Visit) -> None:
    chat = anew(visit)
    assert chat.page.get_by_role("heading", name="What would you like to do?").is_visible()

    chat.say("order lunch")
    chat.hears("What would you like?")
    assert chat.page.get_by_text("0 of 2").is_visible()
    chat.button("Soup").click()
    chat.hears("Anything to add?")
    assert chat.page.get_by_text("1 of 2").is_visible()
    chat.button("Skip").click()
    chat.hears("Soup")
    chat.button("Looks good").click()
    chat.hears("Ordered.")

    assert chat.log.get_by_text("✓").count() == 1
    assert chat.button("Soup").count() == 0
    assert chat.mine.all_inner_texts() == ["order lunch", "Soup", "skip", "Looks good"]


def test_what_may_be_begun_is_on_buttons_before_anything_is_said(visit: Visit) -> None:
    chat = anew(visit)
    chat.button("be odd").wait_for()
    chat.button("order lunch").click()
    chat.hears("What would you like?")
    assert chat.mine.all_inner_texts() == ["order lunch"]
    assert chat.button("be odd").count() == 0


def test_an_answer_that_is_longer_than_the_screen_is_read_from_its_beginning(visit: Visit) -> None:
    chat = anew(visit)
    chat.say("order lunch")
    chat.hears("What would you like?")
    chat.page.evaluate(
        """(text) => {
            const { talk } = document.querySelector("softrail-chat");
            talk.put({ key: "k", role: "answer", seq: 99, text, effects: [] });
            talk.changed();
        }""",
        "one line\n\n" * 60,
    )
    newest = "[...chat.log.querySelectorAll('.item')].pop().getBoundingClientRect()"
    chat.wait(f"{newest}.height > chat.log.clientHeight")

    chat.wait(f"Math.abs({newest}.top - chat.log.getBoundingClientRect().top - 8) < 2")
    chat.page.reload()  # whoever comes back sees what is asked
    chat.button("Soup").wait_for()
    chat.wait("chat.log.scrollHeight - chat.log.scrollTop - chat.log.clientHeight < 2")


def test_what_is_said_early_is_seen_early_and_stop_stops(visit: Visit, url: str) -> None:
    chat = anew(visit)
    chat.say("do the slow thing")
    chat.answers.get_by_text("One moment.").wait_for()
    assert "All done." not in chat.log.inner_text()
    release(url)
    chat.hears("All done.")
    late = "{ turn_id: talk.items.at(-1).turn, seq: talk.items.at(-1).seq, text: 'One moment.' }"
    chat.look(
        f"void talk.happened({{ name: 'text.said', data: {late} }})"
    )  # by whoever follows it, more slowly
    assert chat.answers.last.inner_text().split() == ["One", "moment.", "All", "done."]

    chat.say("do the slow thing")
    chat.answers.filter(has_text="One moment.").nth(1).wait_for()
    chat.button("Stop").click()
    chat.wait("talk.outbox.turns.length === 0")
    assert chat.answers.count() == 2
    assert "All done." not in chat.answers.last.inner_text()
    assert chat.button("Stop").count() == 0


def test_all_of_it_goes_by_keyboard(visit: Visit) -> None:
    chat = anew(visit)
    keys = chat.page.keyboard

    def focused() -> str:
        found: str = chat.page.evaluate(
            "(() => { const one = document.querySelector('softrail-chat').shadowRoot.activeElement;"
            " return one && (one.ariaLabel || one.textContent.trim()); })()"
        )
        return found

    def reach(name: str, key: str) -> None:
        for _ in range(30):
            if focused() == name:
                return
            keys.press(key)
        raise AssertionError(f"{key} does not lead to {name!r}")

    chat.box.focus()
    keys.type("order lunch")
    keys.press("Enter")
    chat.hears("What would you like?")
    reach("Salad", "Shift+Tab")
    keys.press("Enter")
    chat.hears("Anything to add?")
    assert focused() == "Message"  # the button is gone, the place is not

    reach("Why this answer?", "Shift+Tab")
    keys.press("Enter")
    dialog = chat.page.get_by_role("dialog", name="Why this answer?")
    dialog.get_by_text("Kept as “dish”: Salad").wait_for()
    keys.press("Escape")
    dialog.wait_for(state="hidden")
    assert focused() == "Why this answer?"
    assert chat.page.get_by_text("1 of 2").is_visible()  # and nothing was paused

    reach("Message", "Tab")
    keys.type("no onions,")
    keys.press("Shift+Enter")
    keys.type("no salt")
    chat.box.dispatch_event("keydown", {"key": "Enter", "isComposing": True})
    assert chat.box.input_value() == "no onions,\nno salt"
    keys.press("Enter")
    chat.wait("talk.outbox.turns.length === 0 && talk.items.length === 6")
    assert chat.mine.last.inner_text() == "no onions,\nno salt"


def test_whoever_stands_on_a_way_stays_on_it_or_goes_to_the_message(visit: Visit) -> None:
    chat = anew(visit)
    chat.say("start the standup")
    chat.hears("yesterday?")
    chat.button("Skip").focus()
    chat.page.keyboard.press("Enter")
    chat.hears("today?")
    assert chat.look("chat.shadowRoot.activeElement.textContent") == "Skip"
    chat.button("Pause").focus()
    chat.page.keyboard.press("Enter")
    chat.button("Resume").wait_for()
    assert chat.look("chat.shadowRoot.activeElement.ariaLabel") == "Message"


def test_an_answer_is_told_to_a_listener_once_with_its_choices(visit: Visit) -> None:
    chat = anew(visit)
    chat.page.evaluate(
        """() => {
            window.heard = [];
            const region = document.querySelector("softrail-chat").shadowRoot.querySelector("[aria-live=polite]:not([role])");
            new MutationObserver((changes) => {
                for (const change of changes) for (const node of change.addedNodes)
                    if (node.nodeName === "P") heard.push(node.textContent);
            }).observe(region, { childList: true, subtree: true });
        }"""
    )
    chat.say("order lunch")
    chat.hears("What would you like?")
    chat.wait("heard.length === 1")
    chat.button("Soup").click()
    chat.hears("Anything to add?")
    chat.wait("heard.length === 2")

    first, second = chat.page.evaluate("heard")
    assert first == "What would you like?\nYou can choose: Soup, Salad."
    assert second.endswith("Anything to add?")


def test_two_tabs_show_the_same_and_an_old_button_does_no_harm(visit: Visit) -> None:
    visitor = visit()
    one = ordering(visitor)
    other = visitor.open()
    other.button("Salad").wait_for()

    # The other tab hears of nothing any more, so that its button is an old one.
    other.page.evaluate("document.querySelector('softrail-chat').talk.following.abort()")
    one.button("Soup").click()
    one.hears("Anything to add?")
    other.button("Salad").click()
    other.hears("Anything to add?")
    one.answers.nth(2).wait_for()
    assert one.page.get_by_text("1 of 2").is_visible()
    assert "Salad" not in one.answers.last.inner_text()

    one.say("no onions")
    one.hears("no onions")
    other.page.reload()
    other.button("Looks good").wait_for()
    assert other.answers.all_inner_texts() == one.answers.all_inner_texts()


def test_an_old_yes_of_another_tab_consents_to_nothing_and_is_told_why(visit: Visit) -> None:
    visitor = visit(locale="en-GB")
    one = visitor.open()
    one.button("New conversation").click()
    for said, heard in (("order lunch", "like?"), ("Soup", "Anything to add?"), ("skip", "Soup")):
        one.say(said)
        one.hears(heard)
    other = visitor.open()
    other.button("Looks good").wait_for()
    other.page.evaluate("document.querySelector('softrail-chat').talk.following.abort()")
    one.button("Go back").click()
    one.hears("Anything to add?")

    other.button("Looks good").click()
    other.hears("That question is no longer open")
    one.answers.filter(has_text="That question is no longer open").wait_for()
    assert one.log.get_by_text("✓").count() == 0
    assert one.look("talk.state.process.state") == "active"
    one.say("no onions")
    one.hears("no onions")
    one.button("Looks good").click()
    one.hears("Ordered.")


def test_an_answer_that_comes_after_a_later_one_does_not_take_its_question_away(visit: Visit) -> None:
    visitor = visit()
    here = ordering(visitor)
    there = visitor.open()
    there.answers.filter(has_text="What would you like?").wait_for()
    visitor.outages = True

    def lose(route: "Route") -> None:
        route.fetch()  # the server answers, and nobody hears
        with suppress(Exception):  # on a slow machine it may be let go of before it is lost
            route.abort()

    here.page.route("**/converse/stream", lose)
    here.say("forget it")
    there.hears("I've stopped")
    there.say("order lunch")
    there.wait("talk.outbox.turns.length === 0")
    here.answers.filter(has_text="What would you like?").nth(1).wait_for()
    here.wait(f"talk.state.pending?.id === '{there.look('talk.state.pending.id')}'")  # not the one of before
    here.page.unroute("**/converse/stream")
    here.page.evaluate(
        "window.dispatchEvent(new Event('online'))"
    )  # it is tried again, and answered as it was then
    here.wait("talk.outbox.turns.length === 0")

    here.button("Soup").click()
    here.hears("Anything to add?")


def test_what_is_said_in_one_tab_appears_in_the_other(visit: Visit) -> None:
    visitor = visit()
    one = ordering(visitor)
    other = visitor.open()
    other.button("Soup").wait_for()

    one.button("Soup").click()
    other.answers.filter(has_text="Anything to add?").wait_for()
    other.button("Skip").wait_for()
    assert other.button("Soup").count() == 0


def test_conversations_are_named_left_and_erased(visit: Visit) -> None:
    chat = anew(visit)
    chat.say("order lunch")
    chat.hears("What would you like?")
    chat.button("New conversation").click()
    chat.say("hello there")
    chat.wait("talk.outbox.turns.length === 0 && talk.items.length === 2")

    chat.button("Conversations").click()
    drawer = chat.page.get_by_role("dialog", name="Conversations")
    drawer.get_by_role("button", name="Rename “hello there”").click()
    chat.page.get_by_role("textbox", name="Name").fill(MARKUP)
    chat.page.keyboard.press("Enter")
    drawer.get_by_role("button", name=f"Erase “{MARKUP}”").click()
    drawer.get_by_role("button", name="Erase", exact=True).click()
    drawer.wait_for(state="hidden")
    assert chat.answers.count() == 0

    chat.button("Conversations").click()
    drawer.get_by_role("button", name="order lunch What would you like?").first.click()
    chat.button("Soup").wait_for()
    assert chat.log.locator("img, script, b").count() == 0


def test_a_long_conversation_opens_at_its_end_and_goes_back(visit: Visit) -> None:
    chat = anew(visit)
    for n in range(30):
        chat.page.evaluate(
            "(words) => document.querySelector('softrail-chat').talk.say({ message: words })", f"word {n}"
        )
    chat.wait("talk.outbox.turns.length === 0 && talk.items.length === 60")
    chat.page.reload()
    chat.wait("talk.items.length === 50")
    assert chat.mine.last.inner_text() == "word 29"
    chat.wait("chat.begun && chat.log.scrollTop > 0")  # it goes to its end by itself no more

    chat.log.evaluate("(log) => log.scrollTo(0, 0)")
    chat.wait("talk.items.length === 60")
    assert chat.mine.all_inner_texts() == [f"word {n}" for n in range(30)]


def test_hostile_words_stay_words(visit: Visit) -> None:
    visitor = visit()
    chat = visitor.open()
    chat.button("New conversation").click()
    before = chat.page.evaluate("document.querySelectorAll('*').length")
    asked: list[str] = []
    visitor.context.on("request", lambda request: asked.append(request.url))
    # Several in one message, for each is read whole; alone they are answers in `test_hostile_text_as_an_answer_is_kept_as_sent`.
    apart = [text.strip() for text in [*TEXTS.values(), MARKUP] if text.strip() and len(text) < 2_000]
    hostile = [*("\n".join(apart[n : n + 8]) for n in range(0, len(apart), 8)), MARKUP]

    chat.say("order lunch")
    chat.button("Soup").click()
    chat.hears("Anything to add?")
    for text in hostile:  # said back in the summary, and put right again
        chat.page.evaluate(
            "(words) => document.querySelector('softrail-chat').talk.say({ message: words })", text
        )
    chat.wait("talk.outbox.turns.length === 0")

    log = chat.log
    assert log.locator("img, script, iframe, style, link, object, embed, base, form[action]").count() == 0
    assert log.locator("a").count() == 0
    assert log.locator(".words [style], .words [onerror], .words [onclick]").count() == 0
    assert chat.page.evaluate("document.querySelectorAll('*').length") == before
    assert {url.split("/")[2] for url in asked} == {visitor.context.pages[0].url.split("/")[2]}
    assert chat.page.title() == "Softrail"


def test_titles_labels_and_schemas_with_markup_are_words_too(visit: Visit) -> None:
    chat = anew(visit)
    chat.say("be odd")
    choice = chat.page.get_by_role("button", name="<img src=/x onerror=alert(1)>")
    choice.wait_for()
    assert chat.page.get_by_text("<i>odd</i> things").is_visible()
    assert chat.page.locator("img, i, b").count() == 0
    choice.click()
    chat.hears("Done.")


def test_the_name_of_a_conversation_with_markup_is_words_wherever_it_stands(visit: Visit) -> None:
    visitor = visit()
    chat = visitor.open()
    chat.button("New conversation").click()
    chat.say("hello")
    chat.wait("talk.outbox.turns.length === 0 && talk.session")
    asked: list[str] = []
    visitor.context.on("request", lambda request: asked.append(request.url))
    named = MARKUP[:100].strip()
    chat.page.evaluate(
        """(title) => {
            const { talk } = document.querySelector("softrail-chat");
            return talk.client.json("PATCH", `sessions/${talk.session}`, { title });
        }""",
        named,
    )

    chat.button("Conversations").click()
    drawer = chat.page.get_by_role("dialog")
    drawer.get_by_text(named).first.wait_for()
    assert drawer.locator("img, script, iframe, b, i, a, svg [onload], [onerror], [onclick]").count() == 0
    looking = visitor.context.new_page()
    looking.goto("/inspect")
    looking.get_by_text(named).first.wait_for()
    assert looking.locator("img, script:not([src]), iframe, b, i, [onerror], [onclick]").count() == 0
    assert {url.split("/")[2] for url in asked} == {chat.page.url.split("/")[2]}


def test_markdown_becomes_elements_and_never_markup(visit: Visit) -> None:
    chat = anew(visit)
    chat.page.evaluate(
        "(text) => document.querySelector('softrail-chat').talk.put({ key: 'k', role: 'answer', seq: 1, text, effects: [] })",
        "\n\n".join(
            [
                "A **bold** word, `code` & <b>no</b> element",
                "- one\n- two",
                "1. first\n2. second\nbehind the list",
                "| a | b |\n|---|---|\n| 1 | 2 |",
                "```\n- <i>x</i>\ny\n```",
                "[fine](https://example.org/x) [bad](javascript:alert(1)) ![pic](https://evil.example/p.png)",
                "<img src=x onerror=alert(1)>",
                "https://bare.example/ is no link",
                ">" * 400 + " deep",
            ]
        ),
    )
    chat.page.evaluate("document.querySelector('softrail-chat').talk.changed()")
    words = chat.answers.last
    words.locator("table").wait_for(timeout=PATIENCE)

    assert words.locator("strong").all_inner_texts() == ["bold"]
    assert words.locator("li").all_inner_texts() == ["one", "two", "first", "second"]
    assert words.locator("pre").inner_text().strip() == "- <i>x</i>\ny"
    links = words.locator("a")
    assert [links.nth(n).get_attribute("href") for n in range(links.count())] == ["https://example.org/x"]
    assert links.first.get_attribute("rel") == "noopener noreferrer nofollow"
    assert words.locator("b, i, img").count() == 0
    assert "<b>no</b>" in words.inner_text()
    assert in_the_way(chat.page) == []
