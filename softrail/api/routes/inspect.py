"""Everybody's conversations, for those who may look into them."""

from typing import Annotated, Final

from fastapi import APIRouter, Path, Query, Response

from softrail.api.border import bad_cursor
from softrail.api.failures import documented
from softrail.api.inspected import (
    InspectedLine,
    InspectedSession,
    PersonView,
    texts_of,
    turn_views,
    wanted_of,
)
from softrail.api.inspecting import HiddenRoute, Inspecting, seen_by
from softrail.api.parts import Parts
from softrail.api.routes.sessions import Limit, history, session_view
from softrail.api.schemas import Page
from softrail.core.border import is_id
from softrail.core.instances import State
from softrail.core.people import Person
from softrail.core.turns import pending_view
from softrail.replay.recorded import answered_turns, recorded
from softrail.replay.writing import script
from softrail.store import SqlStore
from softrail.store.inspecting import Conversations, Seen

SessionId = Annotated[str, Path(description="The id of a session, whosever it is.")]
TURNS: Final = 100


def inspect(parts: Parts, who: Inspecting, store: SqlStore) -> APIRouter:
    """The routes of the inspector."""
    router = APIRouter(route_class=HiddenRoute, tags=["Inspector"], responses=documented(404, 422, 429, 503))
    Looker = Annotated[Person, who.person]  # noqa: N806 - a type, made here because it needs `who`
    everything = Conversations(store)

    def line(seen: Seen) -> InspectedLine:
        view = session_view(parts, seen.overview)
        return InspectedLine(**view.model_dump(), person=PersonView.of(seen.person), trouble=seen.trouble)

    @router.get("/inspect/sessions", summary="Everybody's sessions, the last spoken in first")
    async def list_all(
        _: Looker,
        before: Annotated[str | None, Query(description="`next` of the page before.")] = None,
        limit: Limit = 50,
        person: Annotated[str, Query(max_length=254, description="A part of an e-mail address.")] = "",
        process: Annotated[str, Query(max_length=128, description="A process that ran in it.")] = "",
        state: Annotated[State | None, Query(description="Where a process in it stands.")] = None,
        trouble: Annotated[bool, Query(description="Only where something went wrong.")] = False,
        text: Annotated[str, Query(max_length=200, description="Words that were said in it.")] = "",
    ) -> Page[InspectedLine]:
        """Words and trouble are looked for in what is not archived."""
        if before is not None and not (is_id(before) and await everything.session(before)):
            raise bad_cursor()
        wanted = wanted_of(person, process, state, trouble, text)
        seen = await everything.latest(wanted, before=before, limit=limit + 1)
        items = [line(one) for one in seen[:limit]]
        return Page(items=items, next=items[-1].id if len(seen) > limit else None)

    @router.get(
        "/inspect/sessions/{session_id}", summary="A session with every turn and why it went as it did"
    )
    async def get_one(
        session_id: SessionId,
        looker: Looker,
        before: Annotated[int | None, Query(ge=1, le=2**62, description="`next` of the page before.")] = None,
        limit: Limit = TURNS,
    ) -> InspectedSession:
        """The whole decision record of each turn, with what its person is not told of it."""
        seen = await seen_by(looker, everything, session_id)
        session = seen.overview.session
        turns = turn_views(await answered_turns(store, everything, session.person_id, session.id))
        earlier = [turn for turn in turns if before is None or turn.seq < before]
        shown = earlier[-limit:]
        runs = await store.instances(session.id)
        moves = await store.transitions([run.id for run in runs])
        return InspectedSession(
            **line(seen).model_dump(),
            pending=pending_view(session.pending),
            turns=shown,
            next=str(shown[0].seq) if len(earlier) > limit else None,
            processes=[history(parts, run, moves) for run in runs],
            texts=texts_of(shown, parts.dispatcher.parts.prompts),
            sandboxes=await who.has_sandboxes(parts.dispatcher),
        )

    @router.get(
        "/inspect/sessions/{session_id}/talk",
        summary="A session as a script, which is a test",
        response_class=Response,
        responses={200: {"content": {"text/plain": {}}, "description": "The `.talk` file"}},
    )
    async def get_talk(session_id: SessionId, looker: Looker) -> Response:
        """It passes when it is played by the same application. What it lacks stands in its first lines."""
        kept = await recorded(parts.dispatcher, everything, await seen_by(looker, everything, session_id))
        return Response(script(kept), media_type="text/plain; charset=utf-8")

    return router
