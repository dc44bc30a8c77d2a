"""Actions: typed functions that long work, a pipeline or a model may call by name."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final, Protocol, TypeVar, overload

from softrail.core.errors import DefinitionError

F = TypeVar("F", bound=Callable[..., Any])

#: How long an action may run that says nothing about it.
LIMIT: Final = timedelta(minutes=10)


class Tell(Protocol):
    """Says how far something is."""

    def __call__(self, done: float, total: float | None = None, text: str = "") -> None:
        """So much of it is done."""
        ...


def _nobody(done: float, total: float | None = None, text: str = "") -> None:
    """Nobody follows it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Attempt:
    """One try of an action. An action that names a parameter of this type is handed it.

    `key` is the same at every try of the same call, so a service outside that knows such keys does it once.
    """

    key: str
    number: int = 1  #: 1 for the first try
    tell: Tell = field(default=_nobody, compare=False, repr=False)  #: how far it is, for whoever watches


@dataclass(frozen=True, kw_only=True, slots=True)
class ActionMark:
    """What `@action` says about a function."""

    name: str
    repeatable: bool
    confirm: bool
    limit: timedelta


@overload
def action(function: F, /) -> F: ...
@overload
def action(
    *,
    name: str | None = None,
    repeatable: bool = False,
    confirm: bool = False,
    limit: timedelta = LIMIT,
) -> Callable[[F], F]: ...
def action(
    function: F | None = None,
    /,
    *,
    name: str | None = None,
    repeatable: bool = False,
    confirm: bool = False,
    limit: timedelta = LIMIT,
) -> F | Callable[[F], F]:
    """Makes a typed function, plain or `async`, an action. It stays the function that it was.

    Every parameter and the result have a type; the first line of the docstring is the description. A parameter
    whose type is a service is filled with that service, one of type `Attempt` with the try; all others are arguments.

    Args:
        function: The function, where `@action` stands without brackets.
        name: What it is called by; omitted: the function's own name.
        repeatable: Running it twice does no harm: a try that was cut off may simply be made again. Otherwise it
            has to use the key of its `Attempt`, or whoever calls it has to ask before trying again.
        confirm: A person has to agree to just these arguments first. Whoever calls it sees to that.
        limit: How long it may run.
    """

    def marked(function: F) -> F:
        if not (inspect.isfunction(function) or inspect.iscoroutinefunction(function)):
            raise DefinitionError(
                f"@action stands above {function!r}, which is no function. Put it above a `def` or an `async def`."
            )
        function.__dict__["softrail_action"] = ActionMark(
            name=function.__name__ if name is None else name,
            repeatable=repeatable,
            confirm=confirm,
            limit=limit,
        )
        return function

    return marked if function is None else marked(function)


def mark_of(function: object) -> ActionMark | None:
    """What `@action` said about this function; None when it is no action."""
    mark = getattr(function, "softrail_action", None)
    return mark if isinstance(mark, ActionMark) else None
