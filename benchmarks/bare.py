"""The floor over HTTP: bare FastAPI that writes the recorded rows with the raw driver and returns the recorded reply.

    python -m benchmarks.bare DATABASE_FILE SESSIONS PORT

The rows of that many sessions are made before it listens. It reads nothing and checks nothing; it commits whatever waits together, as a careful author would by hand.
"""

import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Response
from pydantic import BaseModel

from benchmarks.floors import GroupWriter, person_statement, statements
from benchmarks.writes import Recording, record


class Said(BaseModel):
    """The body of a turn."""

    message: str
    session_id: str | None = None
    turn_id: str | None = None


def bare(path: Path, recordings: Sequence[Recording]) -> FastAPI:
    """The application."""
    left = list(recordings)
    sessions: dict[str, tuple[Recording, int]] = {}
    writers: list[GroupWriter] = []

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        writers.append(GroupWriter(path))
        yield
        writers.pop().close()

    app = FastAPI(lifespan=lifespan)

    @app.post("/converse")
    async def converse(said: Said) -> Response:
        if said.session_id is None:
            copy, place = left.pop(), 0
            rows = [person_statement(copy), *statements(copy.turns[0])]
        else:
            copy, place = sessions[said.session_id]
            rows = list(statements(copy.turns[place]))
        await writers[0].commit(rows)
        sessions[copy.ids[1]] = copy, place + 1
        return Response(copy.replies[place], media_type="application/json")

    @app.get("/healthz")
    async def healthz() -> dict[str, str]:
        return {"status": "ok"}

    return app


def main() -> None:
    """Serve it."""
    path, sessions, port = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    recording = record()
    app = bare(path, [recording.copy() for _ in range(sessions)])
    uvicorn.run(app, host="127.0.0.1", port=port, access_log=False, log_level="warning")


if __name__ == "__main__":
    main()
