"""What planning keeps of a person, for `GET /me/export`: announced under `softrail.exports`."""

from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import Any

from pydantic_core import to_json
from sqlalchemy import select

from softrail.plans.data.files import listed
from softrail.plans.data.keeping import source_of
from softrail.plans.plan import Plan
from softrail.plans.records import fact_of, plan_of, run_of, standing
from softrail.plans.routes.schemas import fact_view, source_view
from softrail.plans.tables import facts, plans, runs, sessions, sources, wishes
from softrail.plans.work import Plans
from softrail.plugin import Parts, moment

Values = AsyncIterator[Any]


def of_person(parts: Parts, person_id: str) -> Mapping[str, AsyncIterator[bytes]]:
    """The person's plans with their runs, what is still to come, facts, attached data, and what was drawn of it."""
    service = parts.service(Plans)
    return {
        "plans": _listed(_plans(service, person_id)),
        "planning": _listed(_planning(service, person_id)),
        "wishes": _listed(_wishes(service, person_id)),
        "facts": _listed(_facts(service, person_id)),
        "sources": _listed(_sources(service, person_id)),
        "charts": _listed(_charts(service, person_id)),
    }


async def _listed(values: Values) -> AsyncIterator[bytes]:
    between = b"["
    async for value in values:
        yield between + to_json(value)
        between = b","
    yield b"[]" if between == b"[" else b"]"


async def _plans(service: Plans, person_id: str) -> Values:
    query = select(plans.c.id).where(plans.c.person_id == person_id).order_by(plans.c.created_at, plans.c.id)
    for plan_id in await service.store.read(lambda conn: list(conn.scalars(query))):
        yield await _plan(service, plan_id)


async def _plan(service: Plans, plan_id: str) -> Mapping[str, Any]:
    def read(conn: Any) -> Mapping[str, Any]:
        row = conn.execute(select(plans).where(plans.c.id == plan_id)).first()
        if row is None:
            return {}  # erased since
        known = list(
            conn.scalars(
                select(runs.c.id).where(runs.c.plan_id == plan_id).order_by(runs.c.begun_at, runs.c.id)
            )
        )
        _, plan = plan_of(conn, plan_id)
        return {
            "session_id": row.session_id,
            "created_at": moment(row.created_at),
            "plan": plan,
            "runs": [run_of(conn, run_id) for run_id in known],
        }

    return await service.store.read(read)


async def _planning(service: Plans, person_id: str) -> Values:
    query = select(sessions.c.session_id).where(sessions.c.person_id == person_id)
    for session_id in await service.store.read(
        lambda conn: list(conn.scalars(query.order_by(sessions.c.session_id)))
    ):
        stands = await service.store.read(partial(standing, session_id=session_id))
        yield {
            "session_id": session_id,
            "mode": stands.mode,
            "queued": stands.queued,
            "later": stands.later,
        }


async def _wishes(service: Plans, person_id: str) -> Values:
    query = select(wishes).where(wishes.c.person_id == person_id).order_by(wishes.c.created_at, wishes.c.id)
    for row in await service.store.read(lambda conn: list(conn.execute(query))):
        yield {
            "session_id": row.session_id,
            "created_at": moment(row.created_at),
            "message": row.message,
            "plan": Plan.model_validate_json(row.body) if row.body else None,
            "trouble": row.trouble or None,
        }


async def _facts(service: Plans, person_id: str) -> Values:
    query = select(facts).where(facts.c.person_id == person_id).order_by(facts.c.made_at, facts.c.id)
    for row in await service.store.read(lambda conn: list(conn.execute(query))):
        yield {
            "session_id": row.session_id,
            **fact_view(fact_of(row), replaced=bool(row.replaced)).model_dump(),
        }


async def _sources(service: Plans, person_id: str) -> Values:
    whole = (sources.c.person_id == person_id) & sources.c.tables.is_not(None)
    query = select(sources).where(whole).order_by(sources.c.made_at, sources.c.id)
    for row in await service.store.read(lambda conn: list(conn.execute(query))):
        view = source_view(source_of(row)).model_dump()
        yield {"session_id": row.session_id, "attached_at": moment(row.made_at), **view}


async def _charts(service: Plans, person_id: str) -> Values:
    for row in await service.store.read(lambda conn: listed(conn, person_id)):
        yield {
            "session_id": row.session_id,
            "name": row.name,
            "made_at": moment(row.made_at),
            "href": f"/sessions/{row.session_id}/artifacts/{row.id}",
        }
