"""`GET /sessions/{id}/events`: a session as it goes on, from whichever worker."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic_core import to_json

from softrail.api.background import progress_data
from softrail.api.border import known_id
from softrail.api.events import Event, EventStream
from softrail.api.parts import Parts
from softrail.api.routes.converse import LastEventId, event_number
from softrail.api.routes.sessions import item_views
from softrail.api.schemas import Move
from softrail.core.errors import NotFound
from softrail.core.people import Person
from softrail.core.sessions import Session
from softrail.turns.aloud import Listening
from softrail.turns.progress import Following

BATCH: Final = 6  #: items; each reader that is slow holds as many in memory, of 16 KB each at most


class Watch:
    """What happens in a session after item `after`, told once."""

    def __init__(self, parts: Parts, person: Person, session: Session, after: int) -> None:
        self._parts = parts
        self._person = person
        self._session_id = session.id
        self._after = after
        self._moves: dict[str, int] = {}  #: the last move told, by instance

    async def begin(self) -> None:
        """Moves up to here are known to the client; it has read the items they belong to."""
        for move in await self._transitions():
            if move.seq is None or move.seq <= self._after:
                self._moves[move.instance_id] = max(move.n, self._moves.get(move.instance_id, 0))

    def events(self) -> AsyncGenerator[Event, None]:
        """Everything that is told, as one of the person's streams."""
        return self._parts.streams.counted(self._person.id, self._events())

    async def _events(self) -> AsyncGenerator[Event, None]:
        """Items and moves as they are committed, in order; ends with the session or the server."""
        dispatcher = self._parts.dispatcher
        progress, aloud, watched = dispatcher.progress, dispatcher.aloud, dispatcher.watched
        with (
            progress.follow(self._session_id) as following,
            aloud.follow(self._session_id) as listening,
            watched.watch(self._session_id),
        ):
            while not dispatcher.stopping:
                news = asyncio.create_task(dispatcher.notifier.wait(self._session_id))
                try:
                    await asyncio.sleep(0)  # listen before looking, or what comes in between is missed
                    async for event in self._look():
                        yield event
                    if await self._parts.store.session(self._person.id, self._session_id) is None:
                        return
                    async for event in self._meanwhile(following, listening, news):
                        yield event
                finally:
                    news.cancel()

    async def _look(self) -> AsyncGenerator[Event, None]:
        while True:
            items = await self._parts.store.items(
                self._person.id, session_id=self._session_id, after=self._after, limit=BATCH
            )
            # After the items: whatever turn one of them is of, its moves are there by now.
            moves = deque(m for m in await self._transitions() if m.n > self._moves.get(m.instance_id, 0))
            for item in await item_views(self._parts, self._person.id, items):
                while moves and (
                    moves[0].seq is None or moves[0].seq <= item.seq
                ):  # those of its own turn, too
                    yield self._moved(moves.popleft())
                self._after = item.seq
                yield Event("item", item.model_dump_json(), id=str(item.seq))
            if len(items) < BATCH:
                break
        for move in moves:  # of turns without an item, and of those whose item is told by the next look
            yield self._moved(move)

    def _moved(self, move: Any) -> Event:
        self._moves[move.instance_id] = max(move.n, self._moves.get(move.instance_id, 0))
        data = {"process": move.process, "instance_id": move.instance_id}
        view = Move.model_validate(move, from_attributes=True)
        told = to_json({**data, **view.model_dump(mode="json")})
        return Event("process.transition", told.decode())

    async def _transitions(self) -> list[Any]:
        store = self._parts.store
        instances = await store.instances(self._session_id)
        moves = await store.transitions([i.id for i in instances]) if instances else []
        return sorted(moves, key=lambda move: (move.at, move.instance_id, move.n))

    async def _meanwhile(
        self, following: Following, listening: Listening, news: "asyncio.Task[bool]"
    ) -> AsyncGenerator[Event, None]:
        """What is said before a turn is over, and how far long work is, until there is news in the store."""
        while True:
            for said in listening.take():
                if said.seq > self._after:  # else its item, which has it, was told already
                    body = {"turn_id": said.turn_id, "seq": said.seq, "text": said.text}
                    yield Event("text.said", to_json(body).decode())
            for told in following.take():
                yield Event("process.progress", to_json(progress_data(told)).decode())
            if news.done():
                return
            more = {asyncio.create_task(one.wait()) for one in (following.news, listening.news)}
            try:
                await asyncio.wait({news, *more}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for waiting in more:
                    waiting.cancel()


def live(parts: Parts) -> APIRouter:
    """The route that follows a session."""
    router = parts.router("Sessions", 404, 422, of_stream=True)
    store = parts.store

    async def watched(
        session_id: str,
        person: Annotated[Person, parts.person],
        last_event_id: LastEventId = None,
        after: Annotated[int | None, Query(ge=0, le=2**62, description="The `seq` you have already.")] = None,
    ) -> Watch:
        parts.streams.check(person.id)
        session = await store.session(person.id, known_id(session_id))
        if session is None:
            raise NotFound()
        known = event_number(last_event_id)
        start = known if known is not None else after
        watch = Watch(parts, person, session, session.next_seq - 1 if start is None else start)
        await watch.begin()
        return watch

    @router.get(
        "/sessions/{session_id}/events",
        response_class=EventStream,
        status_code=200,
        summary="Follow a session",
    )
    async def follow(request: Request, watch: Annotated[Watch, Depends(watched)]) -> Response:
        """Server-sent events: `item` (its id is the item's `seq`), `process.transition`, `process.progress`, `text.said`.

        With `Last-Event-ID`, or `after` for the first time, everything after that item; with neither, only
        what is said from now on. It ends with the session, and with `error` when the access is taken back. How far long
        work is, and what is said before its item is there, comes from the worker that answers, and is never repeated.
        """
        return EventStream(watch.events(), follow=parts.follow(request))

    return router
