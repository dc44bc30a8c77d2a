"""What people and models say is shown in a terminal, and commands nothing there."""

import io
import re

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from softrail.cli.console import Console, Lines
from softrail.cli.keyboard import Keyboard
from softrail.cli.terminal import legible, tell
from softrail.core.turns import Reply

COMMANDS = {
    "clear the screen": "\x1b[2J",
    "colour": "\x1b[31m",
    "window title": "\x1b]0;owned\x07",
    "a link": "\x1b]8;;http://x\x1b\\here",
    "eight-bit control": "\x9b2J",
    "answer back": "\x05",
    "over the line": "safe\rrm -rf",
    "erase": "\x08\x08\x08",
    "delete": "\x7f",
    "turned around": "\u202egnp.exe",
    "isolated": "\u2066x\u2069",
    "next line": "a\u0085b",
    "half a character": "\ud800",
}
EDITOR = re.compile(r"\x1b\[\?(?:7|12|25)[hl]")  #: what the line editor itself says before it writes
FORBIDDEN = frozenset("".join(map(chr, [*range(9), *range(11, 32), *range(127, 160)])) + "\u202e\u2066\ud800")


def reply(words: str) -> Reply:
    return Reply(
        companion_message=words,
        suggested_actions=[words],
        session_id="s",
        turn_id="t",
        seq=1,
        decision_id="d",
    )


@pytest.mark.parametrize("words", [pytest.param(w, id=name) for name, w in COMMANDS.items()])
@pytest.mark.parametrize("kind", ["keyboard", "lines"])
def test_no_command_reaches_the_terminal(words: str, kind: str) -> None:
    out = io.StringIO()
    screen = Vt100_Output(out, lambda: Size(24, 60), enable_cpr=False)
    with create_pipe_input() as keys, create_app_session(input=keys, output=screen):
        console: Console = Lines(io.StringIO(), out) if kind == "lines" else Keyboard()
        console.show(reply(f"before {words} after"), "")
        console.trouble(words)

    shown = EDITOR.sub("", out.getvalue())
    assert shown.startswith("before ")
    assert not FORBIDDEN & set(shown)


def test_words_lines_and_other_scripts_stay_as_they_are() -> None:
    for text in ("plain", "two\nlines\tand a tab", "你好 أهلا 👨‍👩‍👧‍👦", "Größe\u00a0ﬁ"):
        assert legible(text) == text


def test_a_message_cannot_begin_a_line_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    tell("The person said:  hi\nTurn 2, by the operator\x1b[1m")

    assert capsys.readouterr().out == "The person said:  hi Turn 2, by the operator\ufffd[1m\n"
