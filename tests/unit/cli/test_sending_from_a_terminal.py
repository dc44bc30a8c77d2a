"""`/upload FILE` in a chat: the answer where a question asks for a file."""

import io
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from softrail import Attachment, Done, Process, Turn, ask
from softrail.cli.chatting import Talk
from softrail.cli.console import Lines
from softrail.cli.sending import Sending
from softrail.core.turns import Request
from softrail.testing import Conversation, FrozenClock, conversation


class Scan(Process, name="scan", version=1):
    """Takes a file in."""

    starts_on = ("scan it",)
    confirm = False

    class Answers(BaseModel):
        page: Attachment = ask("Send me the page.", media=("text/plain",))

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"{answers.page}: {len(await turn.read(answers.page))} bytes.")


@pytest.fixture
async def talk(frozen: FrozenClock) -> AsyncIterator[Conversation]:
    async with conversation(Scan, clock=frozen) as opened:
        yield opened


async def typed(talk: Conversation, *lines: str, as_json: bool = False) -> list[str]:
    """What is shown to whoever types that."""
    shown = io.StringIO()
    console = Lines(io.StringIO("".join(f"{line}\n" for line in lines)), shown, as_json=as_json)
    sending = Sending(talk.dispatcher, talk.person, limit=1_000)
    await Talk(talk.dispatcher, talk.person, Request(message="-"), console, sending).run()
    return shown.getvalue().splitlines()


async def test_a_file_of_this_machine_is_the_answer(talk: Conversation, tmp_path: Path) -> None:
    (tmp_path / "my page.txt").write_bytes(b"x" * 700)

    shown = await typed(talk, "scan it", f'/upload "{tmp_path / "my page.txt"}"')

    assert shown == ["Send me the page.", "my page.txt: 700 bytes."]


async def test_what_cannot_be_sent_is_told_and_asked_for_again(talk: Conversation, tmp_path: Path) -> None:
    (tmp_path / "large.txt").write_bytes(b"x" * 1_001)
    (tmp_path / "page.pdf").write_bytes(b"x")

    shown = await typed(
        talk,
        "scan it",
        "/upload",
        f"/upload {tmp_path / 'nothing.txt'}",
        f"/upload {tmp_path / 'large.txt'}",
        f"/upload {tmp_path / 'page.pdf'}",
    )

    assert shown[1] == "! Write: /upload FILE [TITLE]"
    assert "cannot be read: No such file" in shown[2]
    assert "is too large: a file may have 1000 bytes" in shown[3]
    assert shown[4].startswith("I can't take page.pdf: I need one of these kinds: TXT.")


async def test_without_plans_nothing_takes_data_and_that_is_said(talk: Conversation, tmp_path: Path) -> None:
    (tmp_path / "sales.csv").write_text("Region,Net\n", encoding="utf-8")

    shown = await typed(talk, f"/attach {tmp_path / 'sales.csv'}")

    assert shown == ["! This application makes no plans, so it takes no data."]


async def test_before_anything_was_said_it_opens_the_session(talk: Conversation, tmp_path: Path) -> None:
    (tmp_path / "page.txt").write_bytes(b"abc")

    first, _ = await typed(talk, f"/upload {tmp_path / 'page.txt'}", "scan it", as_json=True)

    assert "I keep page.txt in this conversation." in json.loads(first)["companion_message"]
