"""Burr: an action for each answer, halted before the next one; the application is loaded and saved at every request."""

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from burr.core import ApplicationBuilder, GraphBuilder, State, action
from burr.integrations.persisters.b_aiosqlite import AsyncSQLitePersister

from benchmarks.peers.pace.stage import ASKED, BOOKED, FULL, full, main


@action(reads=[], writes=["text"])
async def begin(state: State, message: str) -> State:
    """Asks who it is for."""
    return state.update(text=ASKED[0])


@action(reads=[], writes=["name", "text"])
async def name(state: State, message: str) -> State:
    """Keeps who, asks how many."""
    return state.update(name=message, text=ASKED[1])


@action(reads=[], writes=["people", "text"])
async def people(state: State, message: str) -> State:
    """Keeps how many, asks where."""
    return state.update(people=int(message), text=ASKED[2])


@action(reads=[], writes=["place", "text"])
async def place(state: State, message: str) -> State:
    """Keeps where, asks for wishes."""
    return state.update(place=message, text=ASKED[3])


@action(reads=[], writes=["wishes", "text"])
async def wishes(state: State, message: str) -> State:
    """Keeps them, asks whether all is right."""
    return state.update(wishes=message, text=ASKED[4])


@action(reads=["name", "people", "place", "wishes"], writes=["text"])
async def book(state: State, message: str) -> State:
    """Books it on yes."""
    return state.update(text=BOOKED if message == "yes" else "Cancelled.")


STEPS = ("begin", "name", "people", "place", "wishes", "book")
GRAPH = (
    GraphBuilder()
    .with_actions(begin, name, people, place, wishes, book)
    .with_transitions(*itertools.pairwise(STEPS))
    .build()
)


class Burr:
    """One persister for all requests."""

    def __init__(self, persister: AsyncSQLitePersister) -> None:
        self._persister = persister

    async def say(self, session: str, message: str) -> str:
        """Load the application of that id, run one action, which saves the state."""
        application: Any = await (
            ApplicationBuilder()
            .with_graph(GRAPH)
            .with_identifiers(app_id=session)
            .initialize_from(
                self._persister, resume_at_next_action=True, default_state={}, default_entrypoint="begin"
            )
            .with_state_persister(self._persister)
            .abuild()
        )
        _, _, state = await application.astep(inputs={"message": message})
        return str(state["text"])


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Burr]:
    """The persister with its table."""
    path = folder / "burr.db"
    full(path)
    async with AsyncSQLitePersister.from_values(str(path)) as persister:
        await persister.connection.execute(FULL)
        await persister.initialize()
        yield Burr(persister)


if __name__ == "__main__":
    main(opened)
