"""Finds plugins that other distributions announce by entry point."""

import logging
import sys
import traceback
import typing
from collections.abc import Collection, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from softrail.core.errors import DefinitionError, SoftrailError
from softrail.core.intents import IntentDefinition
from softrail.processes import Process
from softrail.registry.registry import Registry

PROCESSES = "softrail.processes"
INTENTS = "softrail.intents"

log = logging.getLogger(__name__)


def discover(registry: Registry, *, but: Collection[str] = ()) -> list[str]:
    """Register every installed process but those named; returns what could not be used, one sentence each.

    A plugin that cannot be imported or is not usable does not stop the others: people in the middle of its
    processes are told, and everything else goes on.
    """
    faults: list[str] = []
    for entry in _announced(PROCESSES, but):
        where = f"Entry point {entry.name!r} = {entry.value!r}"
        if entry.dist is not None:
            where += f" of {entry.dist.name} {entry.dist.version}"
        try:
            found = entry.load()
            if not (isinstance(found, type) and issubclass(found, Process)):
                raise DefinitionError(f"{found!r} is not a Process class.")
            registry.register(found)
        except SoftrailError as error:
            faults.append(f"{where}: {error.message}")
        except Exception as error:
            faults.append(f"{where} could not be imported: {type(error).__name__}: {error}{_line(error)}")
    for entry in _announced(INTENTS, but):
        try:
            brought = entry.load()
            if isinstance(brought, IntentDefinition):
                registry.register_intent(brought)
            else:
                brought(registry)
        except Exception as error:
            faults.append(f"Entry point {entry.name!r} = {entry.value!r}: {error}")
    for fault in faults:
        log.error(fault)
    return faults


def _line(error: Exception) -> str:
    """Where in the plugin it happened, as a sentence: the last line that is neither Python's nor ours."""
    ours = (str(Path(__file__).parents[1]), str(Path(typing.__file__).parent), "<")
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [f for f in frames if "site-packages" in f.filename or not f.filename.startswith(ours)]
    return f" (line {theirs[-1].lineno} of {theirs[-1].filename})" if theirs else ""


def _announced(group: str, but: Collection[str]) -> list[EntryPoint]:
    return [entry for entry in announced(group, tuple(sys.path)) if entry.name not in but]


@cache
def announced(group: str, path: tuple[str, ...]) -> Sequence[EntryPoint]:
    """What installed distributions announce under a group; what is installed on `path` does not change while we run."""
    return sorted(entry_points(group=group), key=lambda entry: (entry.name, entry.value))
