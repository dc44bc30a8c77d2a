"""Mounts the routes that plugins announce under the entry-point group `softrail.routes`."""

import logging

from fastapi import APIRouter

from softrail.api.parts import Parts
from softrail.core.errors import SoftrailError
from softrail.registry.discovery import ROUTES, entries

log = logging.getLogger(__name__)


def mount_announced(into: APIRouter, parts: Parts) -> None:
    """Add the routers of the plugins in use; one that cannot be used is left out, and named among the dispatcher's faults.

    Those that are bundled have routes and nothing else. They are taken as they are: a router that is included works all
    its routes out at the first request, whichever that asks for.
    """
    dispatcher = parts.dispatcher
    for part, entry in entries(dispatcher.announced, ROUTES):
        try:
            made = part.load(entry)(parts)
            if not isinstance(made, APIRouter):
                raise TypeError(f"it gave a {type(made).__name__}, and not a fastapi.APIRouter")
        except SoftrailError as error:
            fault = error.message
        except Exception as error:
            fault = f"{part.where(entry)} failed: {type(error).__name__}: {error}"
        else:
            if part.bundled:
                into.routes.extend(made.routes)
            else:
                into.include_router(made)
            continue
        log.error(fault)
        if fault not in dispatcher.faults:
            dispatcher.faults = (*dispatcher.faults, fault)
