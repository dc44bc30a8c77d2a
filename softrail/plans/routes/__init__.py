"""Plans over HTTP: given, looked at, and the facts they found.

The only part of planning that knows FastAPI. It uses what `softrail.plugin` gives to any plugin's routes, and is loaded
by the door `softrail.routes` alone.
"""

import json
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query, Request
from starlette.exceptions import HTTPException

from softrail import Actions, Person
from softrail.plans.aside import Aside
from softrail.plans.reading import read_plan
from softrail.plans.records import facts_of, standing
from softrail.plans.routes.found import found
from softrail.plans.routes.schemas import FactView, PlanMade, PlanView, fact_view, plan_view
from softrail.plans.routes.sources import sources
from softrail.plans.values import Standing
from softrail.plans.work import Plans
from softrail.plugin import BadRequest, Limit, Page, Parts, bad_cursor, known_id

YAML_TYPES = ("application/yaml", "application/x-yaml", "text/yaml")
EXAMPLE = {
    "problem": "What do three baskets cost?",
    "steps": [
        {"id": "price", "action": "compute", "arguments": {"expression": "12.50", "unit": "EUR"}},
        {"id": "total", "action": "compute", "arguments": {"expression": "price * 3"}, "needs": ["price"]},
    ],
}
_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            kind: {"schema": {"type": "object"}, "example": EXAMPLE}
            for kind in ("application/json", *YAML_TYPES)
        },
    }
}
SessionId = Annotated[str, Path(description="The id of a session of yours.")]
TurnId = Annotated[
    str | None,
    Header(alias="Idempotency-Key", description="Your id of this turn: sent again it is the same plan."),
]


def routes(parts: Parts) -> APIRouter:
    """A conversation's plan and its facts; the entry point of `softrail.routes`."""
    router = parts.router("Plans", 404, 413, 422)
    plans, actions, aside = parts.service(Plans), parts.service(Actions), parts.service(Aside)
    Asker = Annotated[Person, parts.person]  # noqa: N806 - a type, made here because it needs `parts`

    async def now_in(session_id: str) -> PlanView:
        here: Standing = await plans.store.read(lambda conn: standing(conn, session_id))
        return plan_view(here, await plans.phase(session_id))

    @router.post("/sessions/{session_id}/plan", status_code=201, summary="Give a plan", openapi_extra=_BODY)
    async def give_plan(
        session_id: SessionId, request: Request, person: Asker, idempotency_key: TurnId = None
    ) -> PlanMade:
        """A plan of your own, as YAML or JSON; it waits for a yes, or for the plan that runs to be over.

        It is a turn of yours like any other: `/plan` and the text, in the order of the session.
        """
        session = await parts.own_session(person, known_id(session_id))
        text = await _text(request, parts.body_limit)
        await aside.run(read_plan, text, actions)
        reply = await parts.say(person, session.id, f"/plan\n{text}", turn_id=idempotency_key)
        return PlanMade(plan=await now_in(session.id), reply=json.loads(reply))

    @router.get("/sessions/{session_id}/plan", summary="The plan, and how far it is")
    async def get_plan(session_id: SessionId, person: Asker) -> PlanView:
        session = await parts.own_session(person, known_id(session_id))
        return await now_in(session.id)

    @router.get("/sessions/{session_id}/facts", summary="What was found out, with what it rests on")
    async def list_facts(
        session_id: SessionId,
        person: Asker,
        history: Annotated[bool, Query(description="Those that were replaced, instead.")] = False,
        after: Annotated[str | None, Query(description="`next` of the page before.")] = None,
        limit: Limit = 50,
    ) -> Page[FactView]:
        session = await parts.own_session(person, known_id(session_id))
        every = await plans.store.read(lambda conn: facts_of(conn, session.id, replaced=history))
        ids = [fact.id for fact in every]
        if after is not None and after not in ids:
            raise bad_cursor()
        first = ids.index(after) + 1 if after is not None else 0
        shown = every[first : first + limit]
        more = len(every) > first + limit
        items = [fact_view(fact, replaced=history) for fact in shown]
        return Page(items=items, next=shown[-1].id if more else None)

    router.routes.extend(sources(parts).routes)
    router.routes.extend(found(parts).routes)
    return router


async def _text(request: Request, limit: int) -> str:
    """The body as text: JSON is YAML, too. A page of another origin can send neither without being asked."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("application/json", *YAML_TYPES):
        raise BadRequest(
            "Send the plan as YAML or JSON, with the header Content-Type: application/yaml or application/json.",
            field="Content-Type",
        )
    pieces, size = list[bytes](), 0
    async for piece in request.stream():
        size += len(piece)
        if size > limit:
            raise HTTPException(413)
        pieces.append(piece)
    try:
        return b"".join(pieces).decode()
    except UnicodeDecodeError as error:
        raise BadRequest("The plan is no text in UTF-8.") from error
