"""Servers that are broken on purpose, each in one place, so that the black box can prove it would notice.

    python -m tests.faults.mutants early --port 8000

`early` answers before it commits, `fenceless` commits whatever has happened meanwhile, `forgetful` ignores turn
ids, `leaky` shows a traceback.
"""

import argparse
import asyncio
import json
import traceback
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from softrail.api import create_app
from softrail.bootstrap import build
from softrail.core.commits import CommitResult, Committed, Fenced, Loaded, Moved, TurnCommit
from softrail.core.people import Person
from softrail.core.turns import Request
from softrail.settings import load_settings
from softrail.store import open_store
from softrail.turns.dispatcher import Dispatcher
from softrail.turns.running import RunningTurn

MUTANTS = ("early", "fenceless", "forgetful", "leaky")


class Wrapped:
    """A store that passes everything on."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class EarlyStore(Wrapped):
    """Says that turns are committed a moment before they are. While it lives, nobody can tell."""

    def __init__(self, inner: Any) -> None:
        super().__init__(inner)
        self._late: dict[str, asyncio.Task[Any]] = {}

    async def commit(self, commits: Sequence[TurnCommit]) -> Sequence[CommitResult]:
        [commit] = commits
        if commit.turn is None or commit.fence is not None:
            return await self._settled(commit)
        self._late[commit.session.id] = asyncio.create_task(self._commit_soon(commit))
        return [Committed(seq=commit.turn.seq, rev=commit.session.rev + 1, reply=commit.turn.reply or "")]

    async def load(self, person: Person, session_id: str | None, turn_id: str | None = None) -> Loaded:
        for task in list(self._late.values()):
            await task
        loaded: Loaded = await self._inner.load(person, session_id, turn_id)
        return loaded

    async def _commit_soon(self, commit: TurnCommit) -> None:
        await asyncio.sleep(0.3)
        await self._settled(commit)

    async def _settled(self, commit: TurnCommit) -> Sequence[CommitResult]:
        results: Sequence[CommitResult] = await self._inner.commit([commit])
        return results


class FencelessStore(Wrapped):
    """Commits what was computed from an old snapshot as if nothing had happened since. It takes its time between the
    two, so that another worker comes in between on every machine, with one core as with many."""

    async def load(self, person: Person, session_id: str | None, turn_id: str | None = None) -> Loaded:
        loaded: Loaded = await self._inner.load(person, session_id, turn_id)
        await asyncio.sleep(0.2)
        return loaded

    async def commit(self, commits: Sequence[TurnCommit]) -> Sequence[CommitResult]:
        [commit] = commits
        results: Sequence[CommitResult] = await self._inner.commit([commit])
        for _ in range(20):
            if not isinstance(results[0], Moved | Fenced) or commit.turn is None:
                return results
            session = await self._inner.session(commit.session.person_id, commit.session.id)
            if session is None:
                return results
            stored = {i.id: i.rev for i in await self._inner.instances(session.id)}
            commit = replace(
                commit,
                fence=None,
                turn=replace(commit.turn, seq=session.next_seq),
                session=commit.session.evolve(rev=session.rev),
                instances=tuple(i.evolve(rev=stored.get(i.id, 0)) for i in commit.instances),
                transitions=(),
            )
            results = await self._inner.commit([commit])
        return results


def forget_turn_ids(dispatcher: Dispatcher) -> None:
    """Let the dispatcher take every turn for a new one."""
    submit = dispatcher.submit

    def forgetful(request: Request, person: Person, *, streaming: bool = False) -> RunningTurn:
        return submit(request.model_copy(update={"turn_id": None}), person, streaming=streaming)

    setattr(dispatcher, "submit", forgetful)  # noqa: B010 - a method on purpose replaced


class Leaky:
    """An application that tells clients more about bad JSON than they should know."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        message = await receive()
        try:
            json.loads(message.get("body", b""))
        except ValueError:
            shown = json.dumps({"error": traceback.format_exc()}).encode()
            headers = [(b"content-type", b"application/json")]
            await send({"type": "http.response.start", "status": 422, "headers": headers})
            await send({"type": "http.response.body", "body": shown})
            return
        given = [message]

        async def replayed() -> Any:
            return given.pop() if given else await receive()

        await self._app(scope, replayed, send)


def application(mutant: str) -> ASGIApp:
    """The server with one part broken."""
    settings = load_settings()
    if mutant in (
        "early",
        "fenceless",
    ):  # what was accepted first is kept, and in order: no mutant on a slow machine
        settings = settings.model_copy(update={"accept_after": 60.0})
    inner = open_store(settings.database_url, busy_timeout=settings.busy_timeout)
    broken = {"early": EarlyStore, "fenceless": FencelessStore}.get(mutant)
    store: Any = broken(inner) if broken else inner
    dispatcher = build(settings, store=store)
    if mutant == "forgetful":
        forget_turn_ids(dispatcher)
    app: ASGIApp = create_app(dispatcher, settings)
    return Leaky(app) if mutant == "leaky" else app


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mutant", choices=MUTANTS)
    parser.add_argument("--port", type=int, required=True)
    given = parser.parse_args()
    uvicorn.run(application(given.mutant), port=given.port, log_level="warning", access_log=False)


if __name__ == "__main__":
    main()
