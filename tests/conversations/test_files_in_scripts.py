"""The line `file:` of a script sends a file."""

from pathlib import Path

import pytest
from pydantic import BaseModel

from softrail import Attachment, Done, Process, Turn, ask
from softrail.replay.script import Script, ScriptError
from softrail.testing import FrozenClock, conversation


class Scan(Process, name="scan", version=1):
    """Takes a file in."""

    starts_on = ("scan it",)

    class Answers(BaseModel):
        page: Attachment = ask("Send me the page.")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"{answers.page}: {len(await turn.read(answers.page))} bytes")


async def test_a_file_beside_the_script_is_sent_as_it_is_and_any_other_is_made(
    frozen: FrozenClock, tmp_path: Path
) -> None:
    (tmp_path / "real one.txt").write_bytes(b"12345")
    text = """
        person: scan it
        file: real one.txt
        us: …- Page: real one.txt…
        file: other.png 2.5 kB
        | change the page
        us: …- Page: other.png…
        person: yes
        us: other.png: 2500 bytes
        person: scan it
        file: made.pdf
        person: yes
        us: made.pdf: 8 bytes
    """
    async with conversation(Scan, clock=frozen) as talk:
        await Script.parse(text, folder=tmp_path).play(talk)


async def test_a_line_without_a_file_is_named(frozen: FrozenClock) -> None:
    async with conversation(Scan, clock=frozen) as talk:
        with pytest.raises(ScriptError, match=r"script:1: write for example 'file: contract\.pdf'"):
            await talk.play("file: ")
