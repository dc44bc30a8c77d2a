"""Softrail: a process with four answers and a summary, in the application that `softrail serve` runs."""

import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

from fastapi import FastAPI
from pydantic import BaseModel

from benchmarks.peers.pace.stage import ASKED, BOOKED, SAID, main
from softrail import Done, Process, Settings, Turn, ask, build
from softrail.api import create_app
from softrail.core.clock import now
from softrail.core.people import Person
from softrail.core.turns import Reply, Request
from softrail.turns.dispatcher import Dispatcher


class BookTable(Process, name="book_table", version=1):
    """Books a table."""

    starts_on = (SAID[0],)

    class Answers(BaseModel):
        """What is asked."""

        name: str = ask(ASKED[0])
        people: int = ask(ASKED[1])
        place: Literal["Inside", "Outside"] = ask(ASKED[2])
        wishes: str = ask(ASKED[3])

    async def summary(self, answers: Answers, turn: Turn) -> str:
        """What is shown before it is booked."""
        return f"{answers.people} for {answers.name}, {answers.place.lower()}. {ASKED[4]}"

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        """Books it."""
        return Done(BOOKED)


class Softrail:
    """The dispatcher; a session of the benchmark is a conversation of a person."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        self._people: dict[str, Person] = {}
        self._sessions: dict[str, str] = {}
        self._turns = itertools.count()

    async def say(self, session: str, message: str) -> str:
        """A turn with an id, as every careful client sends it."""
        name = session.rpartition("-")[0] or session
        person = self._people.get(name)
        if person is None:
            store, ids = self._dispatcher.store, self._dispatcher.parts.ids
            person = await store.ensure_person(f"{name}@example.org", id=ids.new(), at=now())
            self._people[name] = person
        request = Request(
            message=message, session_id=self._sessions.get(session), turn_id=f"turn-{next(self._turns)}"
        )
        raw = await self._dispatcher.converse(request, person)
        if request.session_id is None:
            self._sessions[session] = Reply.model_validate_json(raw).session_id
        return str(json.loads(raw)["companion_message"])


def _built(folder: Path) -> tuple[Dispatcher, Settings]:
    settings = Settings(database_url=f"sqlite:///{folder / 'softrail.db'}", durability="full")
    return build(settings, processes=[BookTable]), settings


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Softrail]:
    """The dispatcher, started."""
    dispatcher, _ = _built(folder)
    async with dispatcher:
        yield Softrail(dispatcher)


def application(folder: Path) -> FastAPI:
    """What `softrail serve` serves."""
    return create_app(*_built(folder))


if __name__ == "__main__":
    main(opened, application)
