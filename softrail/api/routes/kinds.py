"""`GET /processes`: which kinds of guided processes are registered."""

from typing import Annotated

from fastapi import APIRouter

from softrail.api.parts import Parts
from softrail.api.schemas import KindDetail, KindView, Page, StepView
from softrail.core.people import Person
from softrail.processes import Definition
from softrail.processes.graph import mermaid


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
        diagram=mermaid(definition),
    )
