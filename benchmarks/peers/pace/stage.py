"""What all share: the six turns, many sessions at once in one process, and the same behind FastAPI.

python -m benchmarks.peers.pace.on_burr FOLDER --sessions 32 --laps 4
python -m benchmarks.peers.pace.on_burr FOLDER --port 8123
"""

import argparse
import asyncio
import json
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from time import perf_counter, process_time
from typing import Protocol

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

SAID = ("book a table", "Ada Lovelace", "4", "Outside", "Vegetarian, please", "yes")
ASKED = ("Who is it for?", "How many people?", "Inside or outside?", "Any wishes?", "Is that right?")
NAMES = ("name", "people", "place", "wishes")
BOOKED = "Your table is booked."


class Talker(Protocol):
    """A framework with one booking form in it."""

    async def say(self, session: str, message: str) -> str:
        """One turn, on disk when it returns; the words of the answer."""
        ...


#: Opens a framework on a folder of its own.
Opened = Callable[[Path], AbstractAsyncContextManager[Talker]]


def full(path: Path) -> None:
    """Make it a SQLite file in WAL mode, as everybody's documentation recommends; the mode stays with the file."""
    conn = sqlite3.connect(path)
    conn.execute("PRAGMA journal_mode = WAL")
    conn.close()


#: Every commit is on disk before it is answered: what `synchronous` is by default, said for each connection all the same.
FULL = "PRAGMA synchronous = FULL"


async def lap(talker: Talker, session: str) -> None:
    """The six turns. An answer other than planned measures nothing: it raises."""
    for message, wanted in zip(SAID, (*ASKED, BOOKED), strict=True):
        heard = await talker.say(session, message)
        if wanted not in heard:
            raise RuntimeError(f"To {message!r} the answer was {heard!r}, and not {wanted!r}.")


async def together(opened: Opened, folder: Path, sessions: int, laps: int) -> dict[str, float]:
    """That many sessions at once, each one lap after the other, in this process."""
    async with opened(folder) as talker:
        await lap(talker, "warm")
        began, used = perf_counter(), process_time()
        await asyncio.gather(*(_laps(talker, f"session-{n}", laps) for n in range(sessions)))
        wall, cpu = perf_counter() - began, process_time() - used
    return {"turns": sessions * laps * len(SAID), "wall": wall, "cpu": cpu}


async def _laps(talker: Talker, session: str, laps: int) -> None:
    for number in range(laps):
        await lap(talker, f"{session}-{number}")


class Turn(BaseModel):
    """The body of a turn."""

    session: str
    message: str


def behind(opened: Opened, folder: Path) -> FastAPI:
    """The same behind FastAPI: `POST /turn`."""
    talkers: list[Talker] = []

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with opened(folder) as talker:
            talkers.append(talker)
            yield

    app = FastAPI(lifespan=lifespan)

    @app.get("/healthz")
    async def healthz() -> dict[str, str]:
        return {"status": "ok"}

    @app.post("/turn")
    async def turn(said: Turn) -> dict[str, str]:
        return {"text": await talkers[0].say(said.session, said.message)}

    return app


def main(opened: Opened, application: Callable[[Path], FastAPI] | None = None) -> None:
    """Run it from the command line; `application` serves it in a way of its own."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sessions", type=int, default=32)
    parser.add_argument("--laps", type=int, default=4)
    parser.add_argument("--port", type=int)
    given = parser.parse_args()
    if given.port is not None:
        app = application(given.folder) if application else behind(opened, given.folder)
        uvicorn.run(app, host="127.0.0.1", port=given.port, access_log=False, log_level="warning")
    else:
        json.dump(asyncio.run(together(opened, given.folder, given.sessions, given.laps)), sys.stdout)
