"""Conversations played over HTTP, exported by the inspector and played again, in a sandbox and as a test.

In each sandbox half an hour passes, too: what is active there is suspended, and nothing outside is another.

    python -m tests.conversations.replaying

does it with every `.talk` file here and says what went another way, as the suite does.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx2

from softrail.api import create_app
from softrail.core.attachments import Attachment
from softrail.core.errors import NotFound
from softrail.core.instances import Instance, State
from softrail.replay.clock import FrozenClock
from softrail.replay.conversation import Conversation, Said, conversation
from softrail.replay.script import Mismatch, Script
from softrail.settings import Settings
from softrail.store import SqlStore
from softrail.store.inspecting import Conversations, Seen, Wanted
from softrail.turns.sweeper import SweepReport
from tests.conversations.golden import TALKS, script_of


class InOrder:
    """Identifiers in the order in which they were made, also within a thousandth of a second."""

    def __init__(self) -> None:
        self._made = 0

    def new(self) -> str:
        """The next one."""
        self._made += 1
        return str(UUID(int=self._made))


class OverHttp(Conversation):
    """A conversation by requests alone. Its clock never stands still between two turns, as none does outside of tests."""

    client: httpx2.AsyncClient
    _last: Any = None

    async def asked(self, method: str, path: str, **sent: Any) -> httpx2.Response:
        """What the server answers to this person; anything but success is a mistake of the test."""
        answer = await self.client.request(
            method, path, headers={"X-Softrail-Person": self.person.email}, **sent
        )
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer

    async def upload(self, name: str, content: bytes = b"A file.\n") -> Attachment:
        """As a client does it: the session first, then the file."""
        if self.session_id is None:
            self.session_id = (await self.asked("POST", "/sessions", json={})).json()["id"]
        path = f"/sessions/{self.session_id}/attachments"
        kept = (await self.asked("POST", path, files={"file": (name, content)})).json()
        return Attachment(id=kept["id"], name=kept["name"], media_type=kept["media_type"], size=kept["size"])

    def _tick(self) -> None:
        if self.clock() == self._last:
            self.advance(milliseconds=1)
        self._last = self.clock()

    async def sweep(self) -> SweepReport:
        """A thousandth of a second after what was done before, at least."""
        self._tick()
        return await super().sweep()

    async def say(self, message: str = "", **given: Any) -> Said:
        """A thousandth of a second after what was done before, at least."""
        self._tick()
        files = [one if isinstance(one, str) else one.id for one in given.pop("attachments", ())]
        body = {
            "message": message or None,
            "session_id": self.session_id,
            "attachments": files or None,
            **given,
        }
        said = await self._said((await self.asked("POST", "/converse", json=_without_nothing(body))).text)
        self.session_id = said.reply.session_id
        return said

    async def signal(
        self, process: str, name: str, data: dict[str, Any] | None = None, *, key: str | None = None
    ) -> Said:
        """To the person's last run of it, as a host that keeps its id."""
        runs = await self.dispatcher.store.past(self.person.id, process)
        if not runs:
            raise NotFound(f"{self.person.email} has no run of process {process!r}.")
        body = {"name": name, "key": key or self.dispatcher.parts.ids.new(), "data": data}
        path = f"/instances/{runs[0].id}/signals"
        return await self._said((await self.asked("POST", path, json=_without_nothing(body))).text)


def _without_nothing(body: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if value is not None}


@asynccontextmanager
async def spoken_over_http(used: Sequence[Any]) -> AsyncIterator[OverHttp]:
    """The whole server, in this process and with a clock that stands still."""
    settings = Settings(database_url="sqlite://", sweep_interval=3600.0)
    async with conversation(
        *used, clock=FrozenClock(), discover=not used, ids=InOrder(), settings=settings
    ) as spoken:
        app = create_app(spoken.dispatcher, settings)
        there = httpx2.ASGITransport(app, client=("127.0.0.1", 50_000))
        async with httpx2.AsyncClient(transport=there, base_url="http://localhost") as client:
            talk = OverHttp(spoken.dispatcher, spoken.person, spoken.clock)
            talk.client = client
            yield talk


@asynccontextmanager
async def played(talk: Path) -> AsyncIterator[OverHttp]:
    """A script, played to its end."""
    told = script_of(talk)
    async with spoken_over_http(told.uses()) as spoken:
        await told.play(spoken)
        yield spoken


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
        outside, before = spoken.clock(), await _runs(spoken)
        for session_id, runs in before.items():
            found += [f"sandbox: {one}" for one in await _tried(spoken, session_id, runs)]
            exported = await spoken.asked("GET", f"/inspect/sessions/{session_id}/talk")
            found += await _again(talk, exported.text)
        if (spoken.clock(), await _runs(spoken)) != (outside, before):
            found.append("A sandbox changed something outside.")
    return found


async def _runs(talk: Conversation) -> dict[str, Sequence[Instance]]:
    """The runs of processes as their rows have them, by the session that they are in."""
    ids = [seen.overview.session.id for seen in await sessions_of(talk)]
    return {one: await talk.dispatcher.store.instances(one) for one in ids}


async def _tried(spoken: OverHttp, session_id: str, runs: Sequence[Instance]) -> Sequence[object]:
    """What goes another way in a sandbox of it, and half an hour later in what was active."""
    sandbox = await opened(spoken, session_id)
    differences: Sequence[object] = sandbox["differences"]
    passed = await half_an_hour_later(spoken, sandbox["id"])
    until = datetime.fromisoformat(passed["now"])
    waited = [one for one in runs if one.state is State.ACTIVE and one.due_at and one.due_at <= until]
    if waited:
        said = await spoken.asked(
            "POST", f"/inspect/sandboxes/{sandbox['id']}/say", json={"message": "resume"}
        )
        process = said.json()["reply"]["process"] or {}
        back = [process.get("name"), process.get("state")]
        if not passed["suspended"] or back != [waited[0].process, "active"]:
            differences = [*differences, f"half an hour later: {passed}, then {back}"]
    await spoken.asked("DELETE", f"/inspect/sandboxes/{sandbox['id']}")
    return differences


async def opened(spoken: OverHttp, session_id: str) -> Any:
    """A sandbox of that conversation."""
    return (await spoken.asked("POST", "/inspect/sandboxes", json={"session_id": session_id})).json()


async def half_an_hour_later(spoken: OverHttp, sandbox_id: str) -> Any:
    """What 31 minutes did there."""
    path = f"/inspect/sandboxes/{sandbox_id}/advance"
    return (await spoken.asked("POST", path, json={"seconds": 31 * 60})).json()


async def _again(talk: Path, text: str) -> list[str]:
    async with spoken_over_http(script_of(talk).uses()) as spoken:
        try:
            await Script.parse(text, name=f"{talk.stem}, exported").play(spoken)
        except Mismatch as error:
            return [f"{error}\n{text}"]
    return []


async def _all() -> None:
    logging.disable(logging.CRITICAL)  # some processes fail on purpose
    for talk in TALKS:
        found = await faults(talk)
        print(f"{talk.stem}: {len(found) or 'no'} difference{'' if len(found) == 1 else 's'}")
        for one in found:
            print(one)


if __name__ == "__main__":
    asyncio.run(_all())
