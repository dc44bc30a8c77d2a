"""Processes that call each other, as their source names them: what is not there, circles, and more calls than there may be."""

import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from softrail.core.outcomes import DEEPEST, Assign, Call
from softrail.processes.definition import Definition
from softrail.processes.mistakes.mistake import Mistake
from softrail.processes.mistakes.source import given, source, text_of
from softrail.processes.process import Process


@dataclass(frozen=True, slots=True)
class Called:
    """A process that is named in a `Call` or an `Assign`."""

    name: str
    by: str  #: the method
    assigned: bool
    here: Mapping[str, Any]


def called(cls: type[Process]) -> Iterator[Called]:
    """The processes that the methods of a class call by a name that is written out."""
    methods: dict[str, Any] = {}  # what is overridden is not run
    for owner in reversed(cls.__mro__):
        methods |= vars(owner) if issubclass(owner, Process) and owner is not Process else {}
    for by, method in methods.items():
        plain = getattr(method, "__func__", method)
        written = source(plain) if isinstance(plain, types.FunctionType) else None
        if written is None:
            continue
        for call in written.calls(Call, Assign):
            name = text_of(given(call, "process", 0))
            if name is not None:
                yield Called(name, by, written.means(call.func) is Assign, written.here(call))


def unknown(definitions: Sequence[Definition]) -> Iterator[tuple[Definition, Mistake]]:
    """Calls of processes that are not registered: each fails the step that makes it."""
    names = sorted(d.name for d in definitions)
    for definition in definitions:
        for one in called(type(definition.process)):
            if one.name in names:
                continue
            close = get_close_matches(one.name, names, n=1)
            cure = f"Did you mean {close[0]!r}?" if close else f"There are: {', '.join(names)}."
            verb = "assigns" if one.assigned else "calls"
            what = f"{verb} {one.name!r} in {one.by}(), and no process of that name is registered. {cure}"
            yield definition, Mistake(what=what, **one.here)


def circles(definitions: Sequence[Definition]) -> Iterator[tuple[Definition, Mistake]]:
    """Calls that lead back to where they began, and rows of them that are too long; each is told once."""
    calls = {d.name: {c.name: c for c in called(type(d.process)) if not c.assigned} for d in definitions}
    by_name = {d.name: d for d in definitions}
    told: set[frozenset[str]] = set()
    for name in calls:
        for path, closed in _ways(name, calls):
            if frozenset(path) in told or (closed and path[0] != min(path)):
                continue
            told.add(frozenset(path))
            row = " → ".join([*path, path[0]] if closed else path)
            why = (
                "A process that is under way already cannot be called: the last of these calls fails."
                if closed
                else f"Calls may be {DEEPEST} deep: the last of these fails."
            )
            last = calls[path[0]][path[1] if len(path) > 1 else path[0]]
            what = f"calls in a {'circle' if closed else 'row'}: {row}. {why}"
            yield by_name[name], Mistake(what=what, sure=False, **last.here)


def _ways(name: str, calls: Mapping[str, Mapping[str, Called]]) -> Iterator[tuple[tuple[str, ...], bool]]:
    """Ways along calls from a process: those that close a circle with it, and the first that are too long."""
    ahead: list[tuple[str, ...]] = [(name,)]
    while ahead:
        path = ahead.pop()
        for following in calls.get(path[-1], {}):
            if following == name:
                yield path, True
            elif following not in path and len(path) <= DEEPEST:
                ahead.append((*path, following))
            elif following not in path:
                yield (*path, following), False
                return
