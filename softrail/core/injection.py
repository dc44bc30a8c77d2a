"""Finds what a function wants besides its own arguments: services, by annotation."""

import inspect
import types
from collections.abc import Callable, Mapping
from typing import Any, Union, get_args, get_origin, get_type_hints

from softrail.core.errors import DefinitionError


def type_hints(function: Callable[..., Any], owner: type) -> dict[str, Any]:
    """The annotations of a function of a class; names of the class itself are known. May raise NameError."""
    return get_type_hints(function, localns={**dict(vars(owner)), owner.__name__: owner})


def needs(
    function: Callable[..., Any], owner: type, services: Mapping[type, object], *, skip: int
) -> dict[str, type]:
    """The parameters after the first `skip`, each with the type of the service that fills it.

    One that may be None, or has a default, is left out where there is no such service. Raises
    DefinitionError for any other that nothing can fill.
    """
    wanted = list(inspect.signature(function).parameters.values())[skip:]
    wanted = [p for p in wanted if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    if not wanted:
        return {}
    hints = type_hints(function, owner)
    found: dict[str, type] = {}
    for parameter in wanted:
        kind, optional = without_none(hints.get(parameter.name))
        if (isinstance(kind, type) and kind in services) or (
            optional and parameter.default is parameter.empty and isinstance(kind, type)
        ):
            found[parameter.name] = kind
        elif parameter.default is parameter.empty:
            known = ", ".join(sorted(k.__name__ for k in services)) or "none"
            named = getattr(kind, "__name__", repr(kind)) if kind is not None else "no annotation"
            raise DefinitionError(
                f"the parameter {parameter.name!r} ({named}), for which there is no service. Services: {known}."
            )
    return found


def fill(wanted: Mapping[str, type], services: Mapping[type, object]) -> dict[str, object]:
    """The services for those parameters; None for one that is not there and need not be."""
    return {name: services.get(kind) for name, kind in wanted.items()}


def without_none(annotation: Any) -> tuple[Any, bool]:
    """The annotation without "or None", and whether it allowed that."""
    if get_origin(annotation) in (Union, types.UnionType):
        rest = [a for a in get_args(annotation) if a is not type(None)]
        if len(rest) == 1:
            return rest[0], len(get_args(annotation)) > 1
    return annotation, False
