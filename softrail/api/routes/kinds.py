"""`GET /processes`: which kinds of guided processes are registered."""

from typing import Annotated, Final

from fastapi import APIRouter, Query, Response

from softrail.api.parts import Parts
from softrail.api.schemas import EdgeView, KindDetail, KindView, Page, StepView
from softrail.core.border import unusable
from softrail.core.people import Person
from softrail.processes import Definition
from softrail.processes.graph import END, mermaid

#: A picture that is opened by itself runs nothing and loads nothing; its own style is all it needs.
INERT_PICTURE: Final = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
}


def kinds(parts: Parts) -> APIRouter:
    """The routes of registered processes."""
    router = parts.router("Processes", 404)
    registry = parts.dispatcher.registry
    Asker = Annotated[Person, parts.person]  # noqa: N806 - a type, made here because it needs `parts`

    @router.get("/processes", summary="What is registered")
    async def list_kinds(_: Asker) -> Page[KindView]:
        return Page(items=[kind_view(d) for d in registry.definitions()])

    @router.get("/processes/{name}", summary="One kind with its steps and its diagram")
    async def get_kind(name: str, _: Asker) -> KindDetail:
        return kind_detail(registry.get(name))

    @router.get(
        "/processes/{name}/graph.svg",
        summary="The graph of one kind as a picture",
        response_class=Response,
        responses={200: {"content": {"image/svg+xml": {}}, "description": "The picture"}},
    )
    async def get_graph(
        name: str, _: Asker, step: Annotated[str | None, Query(description="The step that is marked.")] = None
    ) -> Response:
        """Its steps down the page, in light or dark as the reader likes it. It needs nothing else."""
        definition = registry.get(name)
        if step is not None and step not in definition.steps:
            raise unusable("step", f"{definition.name!r} has these: {', '.join(definition.steps)}")
        return Response(definition.svg(step), media_type="image/svg+xml", headers=INERT_PICTURE)

    return router


def kind_view(definition: Definition) -> KindView:
    """A kind as it stands in a list."""
    timeout = definition.idle_timeout
    return KindView(
        name=definition.name,
        version=definition.version,
        title=definition.title,
        description=definition.description,
        contract=definition.contract,
        idle_timeout=None if timeout is None else timeout.total_seconds(),
        priority=definition.priority,
        starts_on=list(definition.starts_on),
    )


def kind_detail(definition: Definition) -> KindDetail:
    """A kind with its steps."""
    steps = [
        StepView(
            name=name,
            contract=definition.contract_of(name),
            goes_to=list(step.goes_to),
            skippable=step.skippable,
        )
        for name, step in definition.steps.items()
    ]
    return KindDetail(
        **kind_view(definition).model_dump(),
        first_step=definition.first,
        steps=steps,
        edges=[
            EdgeView(source=_end(source), label=label, dest=_end(dest))
            for source, label, dest in definition.edges()
        ],
        diagram=mermaid(definition),
    )


def _end(name: str) -> str | None:
    return None if name == END else name
