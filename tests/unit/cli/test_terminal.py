import asyncio
import io
import sys
from collections.abc import Iterator

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from softrail.cli.console import Agreed, Interrupted, Leave, Lines, console_for
from softrail.cli.keyboard import Keyboard
from softrail.core.turns import Reply

REPLY = Reply(
    companion_message="Which one?",
    suggested_actions=["Atlas", "CoVa"],
    session_id="s",
    turn_id="t",
    seq=1,
    decision_id="d",
)


class Terminal(io.StringIO):
    """Text that is read and written by a person."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def screen() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def typed(screen: io.StringIO) -> Iterator[PipeInput]:
    output = Vt100_Output(screen, lambda: Size(24, 60), enable_cpr=False)
    with create_pipe_input() as keys, create_app_session(input=keys, output=output):
        yield keys


async def on(screen: io.StringIO, words: str) -> None:
    async with asyncio.timeout(60):
        while words not in screen.getvalue():  # noqa: ASYNC110 - the screen has no event
            await asyncio.sleep(0)


async def test_what_is_typed_is_the_message_and_several_may_be_typed_ahead(typed: PipeInput) -> None:
    keyboard = Keyboard()
    async with keyboard.open():
        typed.send_text("hello there\rand then\r")

        assert [await keyboard.read(), await keyboard.read()] == ["hello there", "and then"]


async def test_ctrl_c_once_drops_what_is_half_typed_and_does_not_leave(typed: PipeInput) -> None:
    keyboard = Keyboard()
    async with keyboard.open():
        typed.send_text("half a sent\x03still here\r")

        assert [await keyboard.read(), await keyboard.read()] == [Interrupted(), "still here"]


async def test_ctrl_c_twice_in_a_row_leaves_and_drops_what_was_typed_ahead(typed: PipeInput) -> None:
    keyboard = Keyboard()
    async with keyboard.open():
        typed.send_text("\x03typed ahead\r\x03\x03")

        assert await keyboard.read() == Interrupted()
        while True:
            try:
                assert await keyboard.read() == Interrupted()
            except Leave:
                break


async def test_ctrl_d_leaves_once_everything_typed_was_read(typed: PipeInput) -> None:
    keyboard = Keyboard()
    async with keyboard.open():
        typed.send_text("goodbye\r\x04")

        assert await keyboard.read() == "goodbye"
        with pytest.raises(Leave):
            await keyboard.read()


@pytest.mark.parametrize("keys", ["\x03", "stop\r"], ids=["Ctrl+C", "a word of leaving"])
async def test_a_turn_that_runs_is_stopped_and_its_reply_is_still_shown(typed: PipeInput, keys: str) -> None:
    stopped = asyncio.Event()
    keyboard = Keyboard(escapes=lambda message: message == "stop")

    async def turn() -> str:
        typed.send_text(f"and by the way\r{keys}")
        await stopped.wait()
        return "I stopped that."

    async def stop() -> None:
        stopped.set()

    async with asyncio.timeout(60), keyboard.open():
        assert await keyboard.working(turn(), stop) == "I stopped that."


async def test_an_empty_line_agrees_once_to_what_is_on_the_screen(
    typed: PipeInput, screen: io.StringIO
) -> None:
    keyboard = Keyboard()
    async with keyboard.open():
        typed.send_text("\rfirst\r")
        assert await keyboard.read() == "first"  # nothing was asked

        keyboard.tell("Plan 1. Shall I go ahead?")
        keyboard.asked("planning:1")
        await on(screen, "Plan 1.")
        typed.send_text("  \r\r\rsecond\r")
        assert [await keyboard.read(), await keyboard.read()] == [Agreed("planning:1"), "second"]

        keyboard.tell("Plan 2. Shall I go ahead?")
        keyboard.asked("planning:2")
        await on(screen, "Plan 2.")
        typed.send_text("third\r\rfourth\r")  # what was typed comes first: the plan may be another one then
        assert [await keyboard.read(), await keyboard.read()] == ["third", "fourth"]


async def test_without_the_line_editor_lines_are_read_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "softrail.cli.keyboard")
    monkeypatch.setitem(sys.modules, "prompt_toolkit", None)
    source, target = Terminal(), Terminal()

    assert isinstance(console_for(source, target, as_json=False), Lines)
    assert "prompt_toolkit is not installed" in target.getvalue()
    assert "pip install prompt-toolkit" in target.getvalue()


@pytest.mark.parametrize("kind", ["dumb", "unknown"])
def test_a_terminal_that_cannot_move_its_cursor_gets_lines(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", kind)

    assert isinstance(console_for(Terminal(), Terminal(), as_json=False), Lines)


async def test_lines_come_in_and_words_go_out_with_what_may_be_said_next() -> None:
    out = io.StringIO()
    lines = Lines(io.StringIO("one\r\ntwo"), out)

    assert [await lines.read(), await lines.read()] == ["one", "two"]
    with pytest.raises(Leave):
        await lines.read()
    lines.show(REPLY, REPLY.to_json())
    assert out.getvalue() == "Which one?\n[Atlas]  [CoVa]\n"


def test_a_pipe_is_never_taken_for_a_keyboard() -> None:
    assert isinstance(console_for(io.StringIO(), io.StringIO(), as_json=False), Lines)
