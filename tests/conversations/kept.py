"""What a process has kept of what was said to it."""

import json
from typing import Any

from softrail import Process
from softrail.testing import Conversation, FrozenClock, Said, conversation


async def kept(talk: Conversation, said: Said) -> dict[str, Any]:
    """The answers that were given, by name, as the one run of that session keeps them."""
    loaded = await talk.dispatcher.store.load(talk.person, said.reply.session_id)
    assert loaded.snapshot is not None
    [instance] = loaded.snapshot.instances
    data = json.loads(instance.data)
    return {name: data["answers"][name] for name in data["captured"] if name in data["answers"]}


async def told(process: type[Process], *lines: str) -> tuple[dict[str, Any], str]:
    """The answers after those lines, on Monday, the 2nd of March 2026, and the last words."""
    async with conversation(process, clock=FrozenClock()) as talk:
        for line in (process.starts_on[0], *lines):
            said = await talk.say(line)
        return await kept(talk, said), said.text
