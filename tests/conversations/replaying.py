"""Conversations played, written down as scripts and played again, in a sandbox and as a test.

    python -m tests.conversations.replaying

does it with every `.talk` file here and says what went another way, as the suite does.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from softrail.replay.clock import FrozenClock
from softrail.replay.conversation import Conversation, Said, conversation
from softrail.replay.recorded import Recorded, recorded
from softrail.replay.sandbox import Sandbox
from softrail.replay.script import Mismatch, Script
from softrail.replay.writing import script
from softrail.store import SqlStore
from softrail.store.inspecting import Conversations, Seen, Wanted
from tests.conversations.golden import TALKS, script_of

#: Conversations that cannot go the same way: why not.
KNOWN: Final = {
    "companion_groups": "somebody asks for groups while they are not made yet; a script makes them at once, a sandbox never",
}


class InOrder:
    """Identifiers in the order in which they were made, also within a thousandth of a second."""

    def __init__(self) -> None:
        self._made = 0

    def new(self) -> str:
        """The next one."""
        self._made += 1
        return str(UUID(int=self._made))


class Ticking(Conversation):
    """Its clock never stands still between two turns, as none does outside of tests."""

    _last: Any = None

    async def say(self, *args: Any, **kwargs: Any) -> Said:
        """A thousandth of a second after what was said before, at least."""
        if self.clock() == self._last:
            self.advance(milliseconds=1)
        self._last = self.clock()
        return await super().say(*args, **kwargs)


@asynccontextmanager
async def played(talk: Path) -> AsyncIterator[Conversation]:
    """A script, played to its end."""
    told = script_of(talk)
    used = told.uses()
    async with conversation(*used, clock=FrozenClock(), discover=not used, ids=InOrder()) as spoken:
        ticking = Ticking(spoken.dispatcher, spoken.person, spoken.clock)
        await told.play(ticking)
        yield ticking


async def sessions_of(talk: Conversation) -> Sequence[Seen]:
    """Every conversation there was."""
    return await everything(talk).latest(Wanted(), before=None, limit=50)


def everything(talk: Conversation) -> Conversations:
    """All conversations of its application."""
    store = talk.dispatcher.store
    assert isinstance(store, SqlStore)
    return Conversations(store)


async def faults(talk: Path) -> list[str]:
    """What goes another way when the conversations of a script are played again."""
    found: list[str] = []
    async with played(talk) as spoken:
        for seen in await sessions_of(spoken):
            kept = await recorded(spoken.dispatcher, everything(spoken), seen)
            found += [f"sandbox: {one}" for one in await _differences(spoken, kept)]
            found += await _again(talk, script(kept))
    return found


async def _differences(spoken: Conversation, kept: Recorded) -> Sequence[object]:
    sandbox = Sandbox(spoken.dispatcher, kept)
    await sandbox.begin()
    await sandbox.end()
    return sandbox.differences


async def _again(talk: Path, text: str) -> list[str]:
    used = script_of(talk).uses()
    async with conversation(*used, clock=FrozenClock(), discover=not used, ids=InOrder()) as spoken:
        try:
            await Script.parse(text, name=f"{talk.stem}, exported").play(spoken)
        except Mismatch as error:
            return [f"{error}\n{text}"]
    return []


async def _all() -> None:
    logging.disable(logging.CRITICAL)  # some processes fail on purpose
    for talk in TALKS:
        found = await faults(talk)
        if found and talk.stem in KNOWN:
            print(f"{talk.stem}: {KNOWN[talk.stem]}")
            continue
        print(f"{talk.stem}: {len(found) or 'no'} difference{'' if len(found) == 1 else 's'}")
        for one in found:
            print(one)


if __name__ == "__main__":
    asyncio.run(_all())
