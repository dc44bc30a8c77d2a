"""A companion to talk to, and short ways to what it keeps."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from softrail import Process
from softrail.bootstrap import plugin_tables
from softrail.companion.memory.values import Note
from softrail.companion.plugin import Companion
from softrail.core.clock import now
from softrail.core.ids import TimeOrderedIds
from softrail.core.ports import Project
from softrail.settings import Settings
from softrail.testing import Conversation, FrozenClock, MemoryStore, Said, conversation

#: What the required questions are answered with after the idea of an app for booking tennis courts.
ANSWERS = ("Court Finder", "members of two clubs", "bookings take under a minute")


class Talk:
    """A conversation with the companion."""

    def __init__(self, talk: Conversation) -> None:
        self.talk = talk
        self.companion: Companion = talk.dispatcher.registry.service(Companion)

    @property
    def me(self) -> str:
        """The id of the person who talks."""
        return self.talk.person.id

    async def say(self, message: str, hint: str | None = None, **more: Any) -> Said:
        """Say it, with a hint of what is meant."""
        return await self.talk.say(message, intent_hint=hint, **more)

    async def project(self, name: str = "FarmGuard") -> str:
        """A project of the person's own; its id."""
        project_id = TimeOrderedIds().new()
        effect = self.companion.projects.create(Project(id=project_id, name=name))
        store = self.talk.dispatcher.store
        handler = next(p.handlers["project_created"] for p in store.plugins)  # type: ignore[attr-defined]
        self.talk.advance(seconds=1)  # the order of projects is that of their making
        tx = _Outside(self.me)
        await store.write(lambda conn: handler(tx.over(conn), effect))  # type: ignore[attr-defined]
        return project_id

    async def notes(self, project_id: str) -> list[Note]:
        """Every note of a project."""
        states: Any = ("waiting", "saved", "withdrawn")
        return list(await self.companion.notes.list(self.me, project_id, states=states))

    async def file(self, project_id: str, title: str, kind: str = "report") -> None:
        """A file in the project."""
        await self.companion.artifacts.store(
            self.me, project_id, title=title, type=kind, file_name="file.txt", content=title.encode()
        )


class _Outside:
    """The transaction of an effect, outside of any turn."""

    def __init__(self, person_id: str) -> None:
        self.person_id = person_id
        self.session_id, self.seq, self.at = "", 0, now()
        self.turn_id = ""
        self._conn: Any = None

    def over(self, conn: Any) -> "_Outside":
        self._conn = conn
        return self

    def execute(self, statement: Any, parameters: Any = None) -> Any:
        return self._conn.execute(statement, parameters)


@asynccontextmanager
async def companion_talk(
    frozen: FrozenClock, *used: type[Process], settings: Settings | None = None, **parts: Any
) -> AsyncIterator[Talk]:
    """A companion on a memory store, with these processes beside its own.

    Words are read exactly unless a `reader` is given: whether the small model is there changes nothing.
    """
    store = MemoryStore(plugins=plugin_tables(discover=False))
    async with conversation(
        *used,
        clock=frozen,
        discover=True,
        store=store,
        settings=settings or Settings(reader="exact"),
        **parts,
    ) as talk:
        yield Talk(talk)


async def reviewed(c: Talk) -> Said:
    """Everything that is required is told, and shown for review."""
    await described(c)
    return await c.say("that's all")


async def described(c: Talk) -> None:
    """Everything that is required is told; the first optional part is asked for."""
    await c.say("I want to build an app for booking tennis courts", "create_project")
    for answer in ANSWERS:
        await c.say(answer)
