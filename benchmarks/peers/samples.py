"""Plays the samples of the pages “Coming from …” in an environment that has their library, and prints the talk.

`PYTHON -m benchmarks.peers.samples aiogram` runs the blocks marked `peer=aiogram` of `docs/howto/coming-from-aiogram.md`
and says what the page says (`> words`). `tests/house/test_peer_samples.py` compares that with what the page shows. Nothing of
Softrail is needed where it runs; libraries are imported by name, for they are not there where types are checked.
"""

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

HOWTO = Path(__file__).parents[2] / "docs" / "howto"
_FENCE = re.compile(r"^```(\w+) peer=(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
Tell = Callable[[str], Awaitable[list[str]]]


def page(name: str) -> Path:
    """The page of a framework."""
    return HOWTO / f"coming-from-{name}.md"


def sample(name: str) -> tuple[str, str]:
    """What a page shows of a framework: its code, and the talk with it."""
    found = _FENCE.findall(page(name).read_text(encoding="utf-8"))
    code = "\n\n".join(text for kind, peer, text in found if (kind, peer) == ("python", name))
    talk = "".join(text for kind, peer, text in found if (kind, peer) == ("text", name))
    return code, talk


def langgraph(names: dict[str, Any]) -> Tell:
    """The sample has a function that says something in a thread."""

    async def tell(text: str) -> list[str]:
        return [names["say"]("sam", text)]

    return tell


def aiogram(names: dict[str, Any]) -> Tell:
    """A dispatcher with the sample's router, and a bot that keeps what it sends."""
    library, types = import_module("aiogram"), import_module("aiogram.types")
    session = import_module("benchmarks.peers.aiogram_scenes").Offline()
    bot, dispatcher = library.Bot("1:offline", session=session), library.Dispatcher()
    dispatcher.include_router(names["router"])

    async def tell(text: str) -> list[str]:
        session.sent.clear()
        sam, chat = types.User(id=3, is_bot=False, first_name="Sam"), types.Chat(id=2, type="private")
        message = types.Message(message_id=1, date=datetime.now(UTC), chat=chat, from_user=sam, text=text)
        await dispatcher.feed_update(bot, types.Update(update_id=1, message=message))
        return list(session.sent)

    return tell


def botframework(names: dict[str, Any]) -> Tell:
    """The sample's bot behind the adapter for tests."""
    adapter = import_module("botbuilder.core.adapters").TestAdapter(names["on_turn"])

    async def tell(text: str) -> list[str]:
        adapter.activity_buffer.clear()
        await adapter.receive_activity(text)
        return [activity.text or "" for activity in adapter.activity_buffer]

    return tell


#: By the name of the page: the module that must be there, and how it is talked to.
PEERS: dict[str, tuple[str, Callable[[dict[str, Any]], Tell]]] = {
    "langgraph": ("langgraph", langgraph),
    "aiogram": ("aiogram", aiogram),
    "bot-framework": ("botbuilder.dialogs", botframework),
}


async def played(name: str) -> str:
    """The talk of a page, with the answers that came."""
    code, talk = sample(name)
    names: dict[str, Any] = {"__name__": "sample"}
    exec(compile(code, str(page(name)), "exec", dont_inherit=True), names)
    tell = PEERS[name][1](names)
    lines: list[str] = []
    for said in re.findall(r"^> (.*)$", talk, re.MULTILINE):
        lines += [f"> {said}", *await tell(said)]
    return "".join(f"{line}\n" for line in lines)


if __name__ == "__main__":
    sys.stdout.write(asyncio.run(played(sys.argv[1])))
