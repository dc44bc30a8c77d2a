"""Files in the chat page: attached, shown on their way, sent once, refused in words, given by answers."""

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, unquote

import pytest
from pydantic import BaseModel

from softrail import Attachment, Done, Process, Settings, Turn, ask, build
from softrail.api import create_app
from softrail.bootstrap import plugin_tables
from softrail.store import MemoryStore
from tests.browser.conftest import Visit
from tests.browser.kit import Chat, in_the_way, running

LIMIT: Final = 100_000
HOSTILE: Final = "<img src=x onerror=alert(1)> \u202etxt.exe"
DROP: Final = """([name, text]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], name, { type: "text/plain" }));
    const frame = document.querySelector("softrail-chat").shadowRoot.querySelector(".frame");
    for (const kind of ["dragover", "drop"])
        frame.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
}"""
PASTE: Final = """([name, text]) => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([text], name, { type: "image/png" }));
    const box = document.querySelector("softrail-chat").shadowRoot.querySelector("textarea");
    box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""


class Letter(Process, name="letter", version=1):
    """Takes a letter."""

    starts_on = ("hand in a letter",)
    confirm = False

    class Answers(BaseModel):
        """What is asked."""

        letter: Attachment = ask("Send me the letter.", media=("text/plain",))

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"Thank you for {answers.letter}.")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    settings = Settings(
        database_url="sqlite://",
        sweep_interval=3600.0,
        upload_limit=LIMIT,
        bundled=("plans",),
        encoder="none",
    )
    dispatcher = build(settings, store=MemoryStore(plugins=plugin_tables()), processes=[Letter])
    with running(create_app(dispatcher, settings)) as address:
        yield address


def anew(visit: Visit, **options: Any) -> Chat:
    """Somebody new, in a conversation of their own."""
    chat = visit(locale="en-GB", **options).open()
    chat.button("New conversation").click()
    return chat


def choose(chat: Chat, *files: Path) -> None:
    """By the button, as a person does."""
    with chat.page.expect_file_chooser() as chooser:
        chat.button("Attach a file").click()
    chooser.value.set_files(list(files))


def note(folder: Path, name: str = "note.txt", text: str = "hello") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def kept(url: str, chat: Chat) -> list[str]:
    """The names of the files that the session has on the server."""
    path = f"{url}/sessions/{chat.look('talk.session')}/attachments"
    with urllib.request.urlopen(path) as answer:  # noqa: S310
        return [one["name"] for one in json.load(answer)["items"]]


def tray(chat: Chat) -> Any:
    return chat.page.get_by_role("list", name="Files for your next message").get_by_role("listitem")


def there(chat: Chat, count: int = 1) -> None:
    """So many files are on the server, and wait for the message."""
    chat.wait(f"chat.tray.files?.filter((file) => file.standing === 'ready').length === {count}")


def test_a_file_is_attached_by_the_button_and_goes_with_the_next_message(
    visit: Visit, url: str, tmp_path: Path
) -> None:
    chat = anew(visit)
    choose(chat, note(tmp_path), note(tmp_path, "other.txt"))
    there(chat, 2)
    assert tray(chat).first.inner_text().split("\n")[0].split() == ["note.txt", "5", "B"]

    chat.button("Take out other.txt").focus()
    chat.page.keyboard.press("Enter")
    tray(chat).get_by_text("other.txt").wait_for(state="hidden")
    assert chat.look("chat.shadowRoot.activeElement.ariaLabel") == "Take out note.txt"
    chat.say("keep this for me")
    chat.hears("note.txt")

    assert tray(chat).count() == 0
    assert kept(url, chat) == ["note.txt"]
    said = chat.mine.last
    said.get_by_role("button", name="Download note.txt, 5 B").wait_for()
    chat.page.reload()
    with chat.page.expect_download() as download:
        chat.mine.last.get_by_role("button", name="Download note.txt, 5 B").click()
    assert Path(download.value.path()).read_text() == "hello"
    assert download.value.suggested_filename == "note.txt"
    assert chat.mine.count() == 1


def test_a_file_is_dropped_or_pasted_and_may_be_the_whole_message(visit: Visit, url: str) -> None:
    chat = anew(visit)
    chat.page.evaluate(DROP, ["dropped.txt", "one"])
    there(chat)
    chat.page.evaluate(PASTE, ["pasted.png", "two"])
    there(chat, 2)
    chat.button("Send").click()
    chat.hears("dropped.txt, pasted.png")

    assert kept(url, chat) == ["pasted.png", "dropped.txt"]
    assert chat.mine.count() == 1
    assert [one.split() for one in chat.mine.last.inner_text().strip().split("\n") if one.strip()] == [
        ["↓", "dropped.txt", "3", "B"],
        ["↓", "pasted.png", "3", "B"],
    ]


def test_an_attached_file_answers_the_question_for_one(visit: Visit, tmp_path: Path) -> None:
    chat = anew(visit)
    chat.say("hand in a letter")
    chat.hears("Send me the letter.")
    choose(chat, note(tmp_path, "letter.pdf"))
    there(chat)
    chat.box.press("Enter")
    chat.hears("I can't take letter.pdf")  # the wrong kind, and what is wanted
    choose(chat, note(tmp_path, "letter.txt"))
    there(chat)
    chat.box.press("Enter")
    chat.hears("Thank you for letter.txt.")


def test_what_is_refused_is_told_with_the_reason_and_the_message_is_kept(
    visit: Visit, url: str, tmp_path: Path
) -> None:
    visitor = visit(locale="en-GB")
    visitor.outages = True  # a browser writes every refusal down
    chat = visitor.open()
    chat.button("New conversation").click()
    large = note(tmp_path, "large.txt", "x" * (LIMIT + 1))
    choose(chat, large)
    tray(chat).get_by_text("Not taken: The file is too large: 100 kB is the most.").wait_for()
    chat.button("Take out large.txt").click()
    assert chat.look("chat.shadowRoot.activeElement.ariaLabel") == "Message"

    chat.page.route(
        "**/attachments", lambda route: route.abort() if route.request.method == "POST" else route.continue_()
    )
    chat.page.evaluate("document.querySelector('softrail-chat').talk.me.upload_limit = 1e9")
    choose(chat, large)
    tray(chat).get_by_text("large.txt is not sent yet").wait_for()
    chat.say("look at this")
    assert chat.box.input_value() == "look at this"
    chat.page.get_by_text("It is sent as soon as its files are there.").wait_for()
    chat.page.unroute("**/attachments")
    tray(chat).get_by_text("Not taken: ").wait_for()  # now by the server
    assert chat.box.input_value() == "look at this"
    assert chat.mine.count() == 0
    assert kept(url, chat) == []


def test_without_a_network_a_file_waits_and_is_sent_once(visit: Visit, url: str, tmp_path: Path) -> None:
    visitor = visit(locale="en-GB")
    visitor.outages = True
    chat = visitor.open()
    chat.button("New conversation").click()
    chat.box.focus()
    chat.wait("chat.tray.add && chat.texts.files_next")  # what shows and sends files, and its words
    visitor.context.set_offline(True)
    choose(chat, note(tmp_path))
    tray(chat).get_by_text("note.txt is not sent yet: there is no connection.").wait_for()
    chat.say("here it is")
    assert chat.mine.count() == 0
    visitor.context.set_offline(False)
    chat.hears("note.txt")
    assert chat.mine.all_inner_texts()[0].startswith("here it is")

    # An answer that is lost on its way: the file is there, the page cannot know, and sends it again.
    lost: list[int] = []

    def lose(route: Any) -> None:
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()

    chat.page.route("**/attachments", lose)
    choose(chat, note(tmp_path, "second.txt"))
    there(chat)
    chat.say("and another")
    chat.hears("second.txt")

    assert lost == [201]
    assert kept(url, chat) == ["second.txt", "note.txt"]
    chat.page.reload()
    chat.mine.nth(1).get_by_role("button", name="Download second.txt").wait_for()
    assert chat.mine.count() == 2


def test_files_for_the_next_message_survive_a_reload_or_are_asked_for_again(
    visit: Visit, url: str, tmp_path: Path
) -> None:
    visitor = visit(locale="en-GB")
    visitor.outages = True
    chat = visitor.open()
    chat.button("New conversation").click()
    chat.say("hello")
    chat.wait("talk.outbox.turns.length === 0 && talk.session")
    choose(chat, note(tmp_path))
    there(chat)
    chat.page.route("**/attachments", lambda route: route.abort())
    choose(chat, note(tmp_path, "late.txt"))
    tray(chat).get_by_text("late.txt is not sent yet").wait_for()
    chat.page.reload()

    chat.page.get_by_text("Please choose it again: late.txt").wait_for()
    chat.page.unroute("**/attachments")  # not before: the next try may come before the reload
    there(chat)
    chat.say("with the note")
    chat.wait("talk.outbox.turns.length === 0")
    assert kept(url, chat) == ["note.txt"]
    assert chat.look("sessionStorage.getItem('softrail.files')") is None


def test_a_hostile_name_is_words_everywhere(visit: Visit, tmp_path: Path) -> None:
    visitor = visit(locale="en-GB")
    chat = visitor.open()
    chat.button("New conversation").click()
    asked: list[str] = []
    visitor.context.on("request", lambda request: asked.append(request.url))
    chat.page.evaluate(DROP, [HOSTILE, "x"])
    there(chat)
    chat.say("one more")
    chat.hears("img src=x")
    chat.page.reload()
    chat.mine.last.get_by_role("button", name="Download").wait_for()

    assert chat.page.locator("img, script:not([src]), iframe, [onerror]").count() == 0
    assert "\u202e" not in chat.mine.last.inner_text()
    assert all(one.startswith(visitor.context.pages[0].url) for one in asked)


@pytest.mark.usefixtures("quick_data")
def test_data_for_plans_is_attached_as_data_and_its_table_and_chart_can_be_saved(
    visit: Visit, tmp_path: Path
) -> None:
    visitor = visit(locale="en-GB")
    visitor.outages = True
    chat = visitor.open()
    chat.button("New conversation").click()
    choose(chat, note(tmp_path, "broken.json", "{"))
    tray(chat).get_by_text("Not taken: ").wait_for()
    chat.button("Take out broken.json").click()
    choose(
        chat, note(tmp_path, "sales.csv", "Region;Revenue (EUR)\nNorth;1.234,56\nSouth;99,00\n=West;1,00\n")
    )
    tray(chat).get_by_text("data, 3 rows").wait_for()
    tray(chat).get_by_text("“Revenue (EUR)” is read with a decimal comma.").wait_for()

    chat.page.reload()  # it is in the conversation, whatever was said
    chat.wait("chat.begun")  # the page knows again which one it is
    chat.button("Conversations").click()
    chat.button("Erase sales.csv").wait_for()
    chat.page.keyboard.press("Escape")
    chat.say("analyze revenue by region")
    chat.hears("Shall I go ahead?")
    chat.button("Yes").first.click()
    chat.answers.get_by_role("button", name=".svg").first.wait_for()
    drawing = chat.answers.get_by_role("img", name="Revenue by Region, drawn")
    drawing.wait_for()
    assert drawing.evaluate("(one) => one.decode().then(() => one.naturalWidth)") > 100
    told = chat.answers.get_by_text("Drawn: ")
    assert told.inner_text() == "Drawn: bar chart “Revenue by Region”, Revenue by Region.png"
    assert told.evaluate("(one) => one.closest('li.item li')") is None, "It is no part of the list above it."
    assert "artifacts/" not in chat.log.inner_text()
    newest = "[...chat.log.querySelectorAll('.item')].pop().getBoundingClientRect()"
    # Nothing is hidden below, unless it is longer than the screen: then its beginning is seen.
    chat.wait(
        "chat.log.scrollHeight - chat.log.scrollTop - chat.log.clientHeight < 2"
        f" || Math.abs({newest}.top - chat.log.getBoundingClientRect().top - 8) < 2"
    )

    taken = {}
    for save in chat.answers.get_by_role("button", name="Download").all():
        assert "B" in (save.get_attribute("aria-label") or "").rpartition(" ")[2]
        with chat.page.expect_download() as download:
            save.click()
        name = download.value.suggested_filename
        assert name in (save.get_attribute("aria-label") or "")
        taken[name.rpartition(".")[2]] = Path(download.value.path()).read_bytes()
    lines = chat.answers.get_by_role("list", name="Files").get_by_role("listitem")
    assert max(line.evaluate("(one) => one.offsetHeight") for line in lines.all()) < 60
    assert taken["png"].startswith(b"\x89PNG")
    assert taken["svg"].startswith(b"<svg")
    assert taken["csv"].decode("utf-8-sig").splitlines()[1:] == [
        "North,1234.56",
        "South,99.00",
        "'=West,1.00",
    ]
    assert in_the_way(chat.page) == []


def test_a_drawing_with_a_hostile_name_and_content_is_a_picture_and_words(visit: Visit) -> None:
    visitor = visit(locale="en-GB")
    chat = visitor.open()
    chat.button("New conversation").click()
    path = "/artifacts/7a0c8b7e-9b7a-4f6e-8f4b-0d9c2f6b1a11/download"
    named = quote("[x](mailto:a@b.example) **b** <b>c</b>.svg")
    drawn = (
        "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='100' onload='reports.push(1)'>"
        "<image href='https://evil.example/x.png'/><script>top.reports.push(2)</script></svg>"
    )
    headers = {
        "Content-Type": "image/svg+xml",
        "Content-Disposition": f"attachment; filename*=UTF-8''{named}",
        "Content-Length": str(len(drawn)),
    }
    chat.page.route(f"**{path}", lambda route: route.fulfill(body=drawn, headers=headers))
    chat.page.evaluate(
        "(text) => document.querySelector('softrail-chat').talk.put({ key: 'k', role: 'answer', seq: 1, text, effects: [] })",
        f"Drawn: a chart, {path}",
    )
    chat.page.evaluate("document.querySelector('softrail-chat').talk.changed()")
    chat.answers.last.get_by_role("img").wait_for()

    words = chat.answers.last.get_by_text("Drawn: a chart, ")
    assert words.inner_text() == f"Drawn: a chart, {unquote(named)}"
    assert chat.answers.last.locator("a, b, strong, svg, script").count() == 0
    width = "(one) => one.decode().then(() => one.naturalWidth)"
    assert chat.answers.last.get_by_role("img").evaluate(width) == 300


def test_files_stand_in_nobodys_way(visit: Visit, tmp_path: Path) -> None:
    chat = anew(visit)
    choose(chat, note(tmp_path, f"{'long' * 30}.txt"), note(tmp_path, "large.txt", "x" * (LIMIT + 1)))
    there(chat)
    assert in_the_way(chat.page) == []
    chat.say("here")
    chat.mine.get_by_role("button", name="Download").wait_for()
    assert in_the_way(chat.page) == []
