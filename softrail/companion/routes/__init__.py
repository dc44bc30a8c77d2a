"""The companion over HTTP: projects, notes, files and what is exported of them.

The only part of the companion that knows FastAPI. It uses what `softrail.plugin` gives to any plugin's routes, nothing
of the room `api`, and is loaded by the door `softrail.routes` alone.
"""

from fastapi import APIRouter

from softrail.companion.plugin import Companion
from softrail.companion.routes.artifacts import artifacts
from softrail.companion.routes.notes import notes
from softrail.companion.routes.projects import projects
from softrail.plugin import Parts


def routes(parts: Parts) -> APIRouter:
    """Projects, notes and files; the entry point of `softrail.routes`."""
    companion = parts.service(Companion)
    groups = (projects, notes, artifacts)
    return APIRouter(routes=[route for group in groups for route in group(parts, companion).routes])
