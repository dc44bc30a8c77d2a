"""Sandboxes: what would happen if something else were said, or nothing at all. In local mode only."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response
from pydantic_core import from_json

from softrail.api.border import read_json
from softrail.api.failures import documented
from softrail.api.inspected import (
    AdvanceBody,
    AdvancedView,
    SandboxBody,
    SandboxView,
    SayBody,
    TriedView,
)
from softrail.api.inspecting import HiddenRoute, Inspecting, seen_by
from softrail.api.parts import Parts
from softrail.api.schemas import requests
from softrail.core.border import unusable
from softrail.core.errors import NotFound
from softrail.core.people import Person
from softrail.replay.recorded import recorded
from softrail.replay.sandbox import MOST_EVENTS, Sandbox
from softrail.store import SqlStore
from softrail.store.inspecting import Conversations


def sandboxes(parts: Parts, who: Inspecting, store: SqlStore) -> APIRouter:
    """The routes of sandboxes."""
    router = APIRouter(
        route_class=HiddenRoute, tags=["Inspector"], responses=documented(404, 409, 413, 422, 429, 503)
    )
    everything, open_ones = Conversations(store), who.sandboxes

    async def looker(request: Request, person: Annotated[Person, who.person]) -> Person:
        if not await who.has_sandboxes(parts.dispatcher):
            request.state.inspects = False
            raise NotFound()
        return person

    async def opened(
        sandbox_id: Annotated[str, Path(description="The id of a sandbox.")],
        _: Annotated[Person, Depends(looker)],
    ) -> Sandbox:
        sandbox = await open_ones.get(sandbox_id)
        if sandbox is None:
            raise NotFound()
        return sandbox

    Looker = Annotated[Person, Depends(looker)]  # noqa: N806 - types, made here because they need `who`
    Opened = Annotated[Sandbox, Depends(opened)]  # noqa: N806

    @router.post(
        "/inspect/sandboxes",
        status_code=201,
        summary="Try from there",
        openapi_extra=requests(SandboxBody),
    )
    async def open_sandbox(request: Request, person: Looker) -> SandboxView:
        """The conversation is played again, each turn at its time, in an application of its own with a store in memory.

        Nothing that changes anything outside the store is delivered from there, and no language model is asked unless what is said there asks for it.
        """
        body = await read_json(request, SandboxBody, parts.body_limit)
        seen = await seen_by(person, everything, body.session_id)
        kept = await recorded(parts.dispatcher, everything, seen, until=body.until)
        if body.until is not None and not any(
            event.answered and event.answered.row.turn_id == body.until for event in kept.events
        ):
            raise unusable("until", "no turn of that id was answered in this session")
        if sum(not event.worked for event in kept.events) > MOST_EVENTS:
            raise unusable(
                "until", f"more than {MOST_EVENTS} turns would have to be played; name an earlier one"
            )
        return SandboxView.of(await open_ones.open(parts.dispatcher, kept))

    @router.post(
        "/inspect/sandboxes/{sandbox_id}/say", summary="Say something there", openapi_extra=requests(SayBody)
    )
    async def say(request: Request, sandbox: Opened) -> TriedView:
        body = await read_json(request, SayBody, parts.body_limit)
        said = await sandbox.say(body.message, by_model=body.model)
        return TriedView(now=sandbox.now, reply=from_json(said.raw), decision=said.decision)

    @router.post(
        "/inspect/sandboxes/{sandbox_id}/advance",
        summary="Let time pass there",
        openapi_extra=requests(AdvanceBody),
    )
    async def advance(request: Request, sandbox: Opened) -> AdvancedView:
        """The clock of the sandbox goes on, and what is due by then is done. No other clock does."""
        body = await read_json(request, AdvanceBody, parts.body_limit)
        report = await sandbox.advance(body.seconds)
        return AdvancedView(
            now=sandbox.now,
            suspended=report.suspended,
            expired=report.expired,
            defaulted=report.defaulted,
        )

    @router.delete("/inspect/sandboxes/{sandbox_id}", status_code=204, summary="End it")
    async def end(sandbox: Opened) -> Response:
        await open_ones.end(sandbox.id)
        return Response(status_code=204)

    return router
