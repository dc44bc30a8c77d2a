"""Mounts the routes that plugins announce under the entry-point group `softrail.routes`."""

import logging
from collections.abc import Iterator

from fastapi import APIRouter

from softrail.api.parts import Parts
from softrail.core.errors import SoftrailError
from softrail.registry.discovery import ROUTES, entries

log = logging.getLogger(__name__)


def announced_routers(parts: Parts) -> Iterator[APIRouter]:
    """The routers of the plugins in use; one that cannot be used is left out, and named among the dispatcher's faults."""
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
            yield made
            continue
        log.error(fault)
        if fault not in dispatcher.faults:
            dispatcher.faults = (*dispatcher.faults, fault)
