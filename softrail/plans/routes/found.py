"""Tables that steps found, whole, as files for spreadsheets."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Response

from softrail import Person
from softrail.plans.data.presenting import written
from softrail.plans.records import facts_of
from softrail.plans.showing import is_table
from softrail.plans.work import Plans
from softrail.plugin import INERT, NotFound, Parts, disposition, known_id, safe_name


def found(parts: Parts) -> APIRouter:
    """The route of tables that were found."""
    router = parts.router("Plans", 404, 422)
    plans = parts.service(Plans)
    Asker = Annotated[Person, parts.person]  # noqa: N806 - a type, made here because it needs `parts`

    @router.get(
        "/sessions/{session_id}/facts/{fact_id}.csv",
        summary="Take a table that was found",
        response_class=Response,
        responses={
            200: {"content": {"text/csv": {}}, "description": "Every row, as a file for spreadsheets"}
        },
    )
    async def take_table(
        session_id: Annotated[str, Path(description="The id of a session of yours.")],
        fact_id: Annotated[
            str, Path(description="The id of a fact whose value has `columns` and `rows`, and no `verdict`.")
        ],
        person: Asker,
    ) -> Response:
        """A fact that is a table, with all of its rows: of many an answer tells the first. To be saved, never shown or run.

        What came of a claim is none, though it has rows: they are examples, not every case.
        """
        session, wanted = await parts.own_session(person, known_id(session_id)), known_id(fact_id)
        every = await plans.store.read(
            lambda conn: [*facts_of(conn, session.id), *facts_of(conn, session.id, replaced=True)]
        )
        fact = next((one for one in every if one.id == wanted), None)
        if fact is None or not is_table(fact.value):
            raise NotFound()
        content = await asyncio.to_thread(written, fact.value["columns"], fact.value["rows"])
        named = disposition(safe_name(f"{fact.name}.csv"))
        return Response(content, media_type="text/csv", headers={**INERT, "Content-Disposition": named})

    # For whoever offers it, by its name and its size: a server sends no body in answer to this method.
    router.head("/sessions/{session_id}/facts/{fact_id}.csv", include_in_schema=False)(take_table)

    return router
