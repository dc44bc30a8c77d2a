"""The companion's routes: announced under `softrail.routes`, and mounted like any other plugin's."""

from fastapi import APIRouter

from softrail.api.failures import SoftrailRoute
from softrail.api.parts import Parts
from softrail.api.routes.artifacts import artifacts
from softrail.api.routes.notes import notes
from softrail.api.routes.projects import projects
from softrail.companion.plugin import Companion


def of_companion(parts: Parts) -> APIRouter:
    """Projects, notes and files."""
    companion = parts.service(Companion)
    router = APIRouter(route_class=SoftrailRoute)
    for routes in (projects, notes, artifacts):
        router.include_router(routes(parts, companion))
    return router
