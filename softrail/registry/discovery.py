"""Finds what is announced: by the parts that are bundled, and by installed distributions through their entry points.

Both announce the same groups in the same way, and what uses them makes no difference between the two.
"""

import logging
import sys
import tomllib
import traceback
import typing
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from softrail.core.actions import mark_of
from softrail.core.errors import DefinitionError, SoftrailError
from softrail.core.intents import IntentDefinition
from softrail.processes import Process
from softrail.registry.actions import Actions
from softrail.registry.registry import Registry

PROCESSES: Final = "softrail.processes"
INTENTS: Final = "softrail.intents"
ACTIONS: Final = "softrail.actions"
TABLES: Final = "softrail.tables"
SETTINGS: Final = "softrail.settings"
SERVICES: Final = "softrail.services"
DELIVERERS: Final = "softrail.deliverers"
WORKS: Final = "softrail.works"
ROUTES: Final = "softrail.routes"
EXPORTS: Final = "softrail.exports"
REPLY: Final = "softrail.reply"
GROUPS: Final = (
    PROCESSES,
    INTENTS,
    ACTIONS,
    TABLES,
    SETTINGS,
    SERVICES,
    DELIVERERS,
    WORKS,
    ROUTES,
    EXPORTS,
    REPLY,
)

#: No part of an assistant, but of asking back: it is there whatever else is left out.
ALWAYS: Final = ("clarification",)

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """A bundled part or an installed distribution, with what it announces."""

    name: str
    bundled: bool = False
    announced: Mapping[str, tuple[EntryPoint, ...]] = field(default_factory=dict)  #: by group

    def of(self, group: str) -> tuple[EntryPoint, ...]:
        """What it announces in a group."""
        return self.announced.get(group, ())

    def where(self, entry: EntryPoint) -> str:
        """The place of an announcement, for a sentence about it."""
        of = "" if self.bundled else f" of {self.name}"
        return f"Entry point {entry.name!r} = {entry.value!r}{of}"

    def load(self, entry: EntryPoint) -> Any:
        """What is announced. Raises DefinitionError when it cannot be imported."""
        try:
            return _imported(entry) if self.bundled else entry.load()
        except SoftrailError as error:
            raise DefinitionError(f"{self.where(entry)}: {error.message}") from error
        except Exception as error:
            why = f"{type(error).__name__}: {error}{_line(error)}"
            raise DefinitionError(f"{self.where(entry)} could not be imported: {why}") from error


def found(bundled: Collection[str] | None = None, *, installed: bool = True) -> tuple[Part, ...]:
    """The bundled parts of these names (None: all) and the clarification; then the distributions that announce something."""
    wanted = [p for p in _bundled() if bundled is None or p.name in (*bundled, *ALWAYS)]
    return (*wanted, *(_installed(tuple(sys.path)) if installed else ()))


def entries(parts: Iterable[Part], group: str) -> Iterator[tuple[Part, EntryPoint]]:
    """What is announced in a group, by name."""
    every = [(part, entry) for part in parts for entry in part.of(group)]
    return iter(sorted(every, key=lambda one: (one[1].name, one[1].value)))


def discover(registry: Registry, parts: Iterable[Part] | None = None) -> list[str]:
    """Register the processes and intents of the parts (None: of all); what could not be used, one sentence each.

    A plugin that cannot be imported or is not usable does not stop the others: people in the middle of its
    processes are told, and everything else goes on.
    """
    parts = tuple(parts) if parts is not None else found()
    faults: list[str] = []
    for group, add in ((PROCESSES, _add_process), (INTENTS, _add_intents)):
        for part, entry in entries(parts, group):
            try:
                loaded = part.load(entry)
            except DefinitionError as error:
                faults.append(error.message)
                continue
            try:
                add(registry, loaded)
            except SoftrailError as error:
                faults.append(f"{part.where(entry)}: {error.message}")
            except Exception as error:
                faults.append(f"{part.where(entry)}: {type(error).__name__}: {error}")
    for fault in faults:
        log.error(fault)
    return faults


def discover_actions(actions: Actions, parts: Iterable[Part] | None = None) -> list[str]:
    """Register the actions of the parts (None: of all); what could not be used, one sentence each.

    An entry point names one action, or a module or list with several.
    """
    faults: list[str] = []
    for part, entry in entries(found() if parts is None else parts, ACTIONS):
        try:
            loaded = part.load(entry)
        except DefinitionError as error:
            faults.append(error.message)
            continue
        for one in _actions_in(loaded):
            try:
                actions.register(one)
            except DefinitionError as error:
                faults.append(f"{part.where(entry)}: {error.message}")
    for fault in faults:
        log.error(fault)
    return faults


def _actions_in(found: object) -> list[object]:
    if isinstance(found, ModuleType):
        own = [one for one in vars(found).values() if getattr(one, "__module__", "") == found.__name__]
        marked = {id(one): one for one in own if mark_of(one) is not None}
        return list(marked.values()) or [found]
    return list(found) if isinstance(found, list | tuple) else [found]


def _line(error: Exception) -> str:
    """Where in the plugin it happened, as a sentence: the last line that is neither Python's nor ours."""
    ours = (str(Path(__file__).parents[1]), str(Path(typing.__file__).parent), "<")
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [f for f in frames if "site-packages" in f.filename or not f.filename.startswith(ours)]
    return f" (line {theirs[-1].lineno} of {theirs[-1].filename})" if theirs else ""


def _add_process(registry: Registry, announced: Any) -> None:
    if not (isinstance(announced, type) and issubclass(announced, Process)):
        raise DefinitionError(f"{announced!r} is not a Process class.")
    registry.register(announced)


def _add_intents(registry: Registry, announced: Any) -> None:
    if isinstance(announced, IntentDefinition):
        registry.register_intent(announced)
    else:
        announced(registry)


@cache
def _imported(entry: EntryPoint) -> Any:
    """What a bundled part announces, looked for once; an installed one may be written anew while we run."""
    return entry.load()


@cache
def _bundled() -> tuple[Part, ...]:
    table = tomllib.loads(files("softrail").joinpath("bundled.toml").read_text(encoding="utf-8"))
    return tuple(
        Part(
            name=name,
            bundled=True,
            announced={
                group: tuple(EntryPoint(name, value, group) for name, value in announced.items())
                for group, announced in groups.items()
            },
        )
        for name, groups in table.items()
    )


@cache
def _installed(path: tuple[str, ...]) -> tuple[Part, ...]:
    """What is installed on `path` does not change while we run."""
    by_name: dict[str, dict[str, tuple[EntryPoint, ...]]] = {}
    announced = entry_points()  # asked for each group, it would read what is installed as often
    for group in GROUPS:
        for entry in announced.select(group=group):
            if entry.dist is not None and entry.dist.name == "softrail":
                continue  # an older installation of ours, from when the bundled parts were announced like this
            name = f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else entry.value
            groups = by_name.setdefault(name, {})
            groups[group] = (*groups.get(group, ()), entry)
    return tuple(Part(name=name, announced=groups) for name, groups in sorted(by_name.items()))
