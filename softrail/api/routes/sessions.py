"""A person's sessions: list, open, read, cancel, erase."""

from collections.abc import Sequence
from textwrap import shorten
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic_core import to_json

from softrail.api.background import background
from softrail.api.border import bad_cursor, clean_text, known_id, parse, read, read_json
from softrail.api.decisions import shown
from softrail.api.parts import Parts
from softrail.api.schemas import (
    Cancelled,
    InstanceHistory,
    InstanceView,
    Move,
    OpenSession,
    Page,
    RunningView,
    SentFile,
    SessionChange,
    SessionDetail,
    SessionView,
    TurnItem,
    requests,
)
from softrail.core.attachments import Attachment
from softrail.core.border import is_id, unusable
from softrail.core.clock import now
from softrail.core.commits import Item, Overview
from softrail.core.decisions import Decision
from softrail.core.errors import NotFound
from softrail.core.ids import TimeOrderedIds
from softrail.core.instances import Instance, State, Transition
from softrail.core.people import Person
from softrail.core.sessions import Session
from softrail.core.turns import Request as Said
from softrail.core.turns import pending_view

SessionId = Annotated[str, Path(description="The id of a session of yours.")]
Limit = Annotated[int, Query(ge=1, le=200, description="How many at most.")]


def sessions(parts: Parts) -> APIRouter:
    """The routes of sessions."""
    router = parts.router("Sessions", 404, 422)
    dispatcher, store, ids = parts.dispatcher, parts.store, TimeOrderedIds()
    Asker = Annotated[Person, parts.person]  # noqa: N806 - a type, made here because it needs `parts`

    async def own(person: Person, session_id: str) -> Session:
        """The person's session of that id, or NotFound."""
        session = await store.session(person.id, known_id(session_id))
        if session is None:
            raise NotFound()
        return session

    async def overview(person: Person, session_id: str) -> SessionView:
        found = await store.overviews(person.id, [session_id])
        if not found:
            raise NotFound()
        return session_view(parts, found[0])

    @router.get("/sessions", summary="Your sessions, newest first")
    async def list_sessions(
        person: Asker,
        before: Annotated[str | None, Query(description="`next` of the page before.")] = None,
        limit: Limit = 50,
    ) -> Page[SessionView]:
        """Each with what you call it, what was answered last, who holds it and whether it waits for you."""
        if before is not None and not (is_id(before) and await store.session(person.id, before)):
            raise bad_cursor()
        found = await store.sessions(person.id, before=before, limit=limit + 1)
        shown = await store.overviews(person.id, [session.id for session in found[:limit]])
        items = [session_view(parts, one) for one in shown]
        return Page(items=items, next=found[limit - 1].id if len(found) > limit else None)

    @router.post("/sessions", status_code=201, summary="Open a session")
    async def open_session(request: Request, person: Asker) -> SessionView:
        raw = await read(request, parts.body_limit)
        if raw.strip():
            parse(raw, OpenSession)
        session = Session(id=ids.new(), person_id=person.id, created_at=now())
        await store.open_session(session)
        return SessionView(id=session.id, created_at=session.created_at)

    @router.patch(
        "/sessions/{session_id}", summary="Call a session something", openapi_extra=requests(SessionChange)
    )
    async def change_session(session_id: SessionId, request: Request, person: Asker) -> SessionView:
        """It is called that in lists, and nowhere else; what runs in it does not notice."""
        change = await read_json(request, SessionChange, parts.body_limit)
        title = None if change.title is None else clean_text("title", change.title, 100)
        if not await store.call_session(person.id, known_id(session_id), title):
            raise NotFound()
        return await overview(person, session_id)

    @router.get("/sessions/{session_id}", summary="Who holds it, what is pending, what is suspended")
    async def get_session(session_id: SessionId, person: Asker) -> SessionDetail:
        """With what goes on in the background and which turns run. How far that is, only the worker knows that does it."""
        session = await own(person, session_id)
        running = dispatcher.running_in(person.id, session.id)
        instances = await store.instances(session.id)
        return SessionDetail(
            **(await overview(person, session.id)).model_dump(),
            pending=pending_view(session.pending),
            suspended=[instance_view(parts, i) for i in instances if i.state is State.SUSPENDED],
            ways=list(await dispatcher.ways(session, instances)),
            background=background(parts, session.id, instances),
            running=[
                RunningView(turn_id=run.turn_id, message=run.request.message, created_at=run.at)
                for run in running
                if isinstance(run.request, Said)
            ],
        )

    @router.delete("/sessions/{session_id}", status_code=204, summary="Erase a session")
    async def delete_session(session_id: SessionId, person: Asker) -> Response:
        """Erases the session with its turns, decisions and processes. It cannot be undone."""
        session = await own(person, session_id)
        if not await dispatcher.erase_session(person.id, session.id):
            raise NotFound()
        return Response(status_code=204)

    @router.post("/sessions/{session_id}/cancel", summary="Stop what is running")
    async def cancel(session_id: SessionId, person: Asker) -> Cancelled:
        """Interrupts the running turn and what is queued; asking again is harmless."""
        return Cancelled(cancelled=bool(await dispatcher.cancel(person, known_id(session_id))))

    @router.get("/sessions/{session_id}/turns", summary="The turns in order")
    async def list_turns(
        session_id: SessionId,
        person: Asker,
        after: Annotated[int | None, Query(ge=0, le=2**62, description="The `seq` you have already.")] = None,
        before: Annotated[
            int | None,
            Query(ge=1, le=2**62, description="The last ones before this `seq`, instead of `after`."),
        ] = None,
        limit: Limit = 50,
    ) -> Page[TurnItem]:
        """Beginning with the first, or after `after`; with `before` the page before that, for reading backwards.

        Every page is in order; its `next` goes into the parameter that it was asked for with.
        """
        session = await own(person, session_id)
        if before is not None and after is not None:
            raise unusable("before", "it cannot be there beside `after`")
        found = await store.items(
            person.id, session_id=session.id, after=after or 0, before=before, limit=limit + 1
        )
        items = await item_views(parts, person.id, found[:limit] if before is None else found[-limit:])
        if len(found) <= limit:
            return Page(items=items)
        return Page(items=items, next=str(items[-1].seq if before is None else items[0].seq))

    @router.get("/sessions/{session_id}/processes", summary="Processes with every move they made")
    async def list_processes(session_id: SessionId, person: Asker) -> Page[InstanceHistory]:
        session = await own(person, session_id)
        instances = await store.instances(session.id)
        moves = await store.transitions([i.id for i in instances])
        return Page(items=[history(parts, instance, moves) for instance in instances])

    @router.get(
        "/sessions/{session_id}/decisions/{turn_id:path}",
        response_model=Decision,
        summary="Why a turn was answered the way it was",
    )
    async def get_decision(session_id: SessionId, turn_id: str, person: Asker) -> Response:
        session = await own(person, session_id)
        found = await store.decision(person.id, session.id, turn_id) if turn_id.isprintable() else None
        if found is None:
            raise NotFound()
        return Response(to_json(shown(found)), media_type="application/json")

    return router


def session_view(parts: Parts, found: Overview) -> SessionView:
    """A session as it stands in a list."""
    session = found.session
    return SessionView(
        id=session.id,
        created_at=session.created_at,
        last_turn_at=session.last_turn_at,
        title=found.title or _beginning(found.first, 60),
        last_message=_beginning(found.last, 200),
        process=None if found.holder is None else instance_view(parts, found.holder),
        waits=session.pending is not None,
    )


def _beginning(text: str | None, most: int) -> str | None:
    """The first words of a text, in one line; None where there are none."""
    return shorten(text, most, placeholder="…") or None if text else None


async def item_views(parts: Parts, person_id: str, items: Sequence[Item]) -> list[TurnItem]:
    """Items of one session's history, each with the files that came with it and are still there."""
    wanted, kept = [one for item in items for one in item.brought], parts.dispatcher.parts.attachments
    files: dict[str, Attachment] = {}
    if kept is not None and wanted:
        files = {one.id: one for one in await kept.find(person_id, items[0].session_id, wanted)}
    return [item_view(item, [files[one] for one in item.brought if one in files]) for item in items]


def item_view(item: Item, files: Sequence[Attachment] = ()) -> TurnItem:
    """An item of the history; what was understood stands with the answer, not with the person's words."""
    view = TurnItem.model_validate(item, from_attributes=True)
    if item.role == "companion":
        return view
    sent = [SentFile(**file.model_dump()) for file in files]
    return view.model_copy(update={"classified_intent": None, "attachments": sent})


def instance_view(parts: Parts, instance: Instance) -> InstanceView:
    """One run of a process as it stands."""
    view = parts.dispatcher.parts.describe(instance)
    return InstanceView(**view.model_dump(), moved_at=instance.moved_at, due_at=instance.due_at)


def history(parts: Parts, instance: Instance, moves: Sequence[Transition]) -> InstanceHistory:
    """One run of a process with its own among these moves."""
    own = [Move.model_validate(m, from_attributes=True) for m in moves if m.instance_id == instance.id]
    return InstanceHistory(**instance_view(parts, instance).model_dump(), transitions=own)
