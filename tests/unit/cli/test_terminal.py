import asyncio
import io
import os
import signal
from collections.abc import Iterator

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from softrail.cli.console import Keyboard, Leave, Lines, console_for
from softrail.core.turns import Reply

REPLY = Reply(
    companion_message="Which one?",
    suggested_actions=["Atlas", "CoVa"],
    session_id="s",
    turn_id="t",
    seq=1,
    decision_id="d",
)


@pytest.fixture
def typed() -> Iterator[PipeInput]:
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        yield keys


async def test_what_is_typed_is_the_message(typed: PipeInput) -> None:
    typed.send_text("hello there\r")

    assert await Keyboard().read() == "hello there"


async def test_ctrl_c_once_only_warns(typed: PipeInput, capsys: pytest.CaptureFixture[str]) -> None:
    typed.send_text("half a sent\x03")
    reading = asyncio.create_task(Keyboard().read())
    async with asyncio.timeout(60):
        while "again to leave" not in capsys.readouterr().out:  # noqa: ASYNC110 - the screen has no event
            await asyncio.sleep(0)
    typed.send_text("still here\r")

    assert await reading == "still here"


async def test_ctrl_c_twice_leaves(typed: PipeInput) -> None:
    typed.send_text("\x03\x03")

    with pytest.raises(Leave):
        await Keyboard().read()


async def test_ctrl_d_leaves(typed: PipeInput) -> None:
    typed.send_text("\x04")

    with pytest.raises(Leave):
        await Keyboard().read()


async def test_ctrl_c_while_a_turn_runs_stops_the_turn_and_still_shows_its_reply(typed: PipeInput) -> None:
    stopped = asyncio.Event()

    async def turn() -> str:
        os.kill(os.getpid(), signal.SIGINT)
        await stopped.wait()
        return "I stopped that."

    async def stop() -> None:
        stopped.set()

    async with asyncio.timeout(60):
        assert await Keyboard().working(turn(), stop) == "I stopped that."


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
