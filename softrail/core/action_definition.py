"""An action, checked when it is registered: what it takes, what it gives, and how it is run."""

import inspect
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from difflib import get_close_matches
from functools import partial
from typing import Any, Final, get_type_hints

from pydantic import BaseModel, ConfigDict, PydanticUserError, TypeAdapter, ValidationError, create_model
from pydantic_core import ErrorDetails

from softrail.core.actions import ActionMark, Attempt, mark_of
from softrail.core.calling import call
from softrail.core.errors import DefinitionError, StepFailed, WrongArguments
from softrail.core.injection import fill, without_none

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
_UNTYPED: Final = (Any, object, inspect.Parameter.empty)
#: Actions without a fault as they were checked, what they were like then, and the services they name: a server
#: checks its actions more than once. By identity, for not every callable can be hashed; the last ones only.
_checked: OrderedDict[int, tuple[tuple[object, ...], "ActionDefinition", Mapping[str, type]]] = OrderedDict()
_MOST_CHECKED: Final = 1024
_LISTED: Final = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


@dataclass(frozen=True, kw_only=True)
class ActionDefinition:
    """An action as others see it; `schema` is the JSON schema of its arguments."""

    name: str
    description: str  #: the first line of its docstring
    function: Callable[..., Any]
    arguments: type[BaseModel]
    schema: Mapping[str, Any]
    result: TypeAdapter[Any]
    repeatable: bool
    confirm: bool
    limit: timedelta
    services: Mapping[str, object]  #: what fills its other parameters
    attempt: str | None  #: the parameter that is handed the try

    def checked(self, given: Mapping[str, Any]) -> BaseModel:
        """The arguments as a value of `arguments`.

        Raises:
            WrongArguments: They do not fit; the message and `details["fields"]` say which and why.
        """
        try:
            return self.arguments.model_validate(dict(given), by_name=True)
        except ValidationError as error:
            faults = error.errors(include_url=False, include_context=False, include_input=False)
        fields = [{"path": _path(one), "message": self._reason(one)} for one in faults[:20]]
        told = "; ".join(f"{one['path']}: {one['message']}" for one in fields[:3])
        takes = ", ".join(self.arguments.model_fields) or "nothing"
        raise WrongArguments(
            f"The action {self.name!r} cannot be called with these arguments. {told}. It takes: {takes}.",
            action=self.name,
            fields=fields,
        )

    async def run(self, given: Mapping[str, Any], attempt: Attempt, *, limit: timedelta | None = None) -> Any:
        """What the action gives for these arguments, of its declared type.

        It runs at most as long as its own limit, or `limit` where that is shorter. An `async` action is cancelled
        with whoever waits for it; a plain one runs in a thread that cannot be, and its late result is dropped.

        Raises:
            WrongArguments: The arguments do not fit; it was not called.
            StepFailed: It raised, ran too long, or gave something else than it declares.
        """
        arguments = self.checked(given)
        named = {name: getattr(arguments, name) for name in self.arguments.model_fields}
        tried = {} if self.attempt is None else {self.attempt: attempt}
        where = f"The action {self.name!r}"
        longest = self.limit if limit is None else min(limit, self.limit)
        bound = partial(self.function, **named, **tried)  # its arguments may have any names
        found = await call(where, bound, limit=longest, services=self.services)
        try:
            return self.result.validate_python(found)
        except ValidationError as error:
            raise StepFailed(
                f"{where} gave a {type(found).__name__}, which is not what it declares: "
                f"{error.errors(include_url=False)[0]['msg']}.",
                kind="not_an_outcome",
            ) from error

    def _reason(self, fault: ErrorDetails) -> str:
        if fault["type"] == "extra_forbidden" and len(fault["loc"]) == 1:
            close = get_close_matches(str(fault["loc"][0]), list(self.arguments.model_fields), n=1)
            return "there is no such argument" + (f"; did you mean {close[0]!r}?" if close else "")
        return fault["msg"].removeprefix("Value error, ")


def define_action(function: Any, *, services: Mapping[type, object] | None = None) -> ActionDefinition:
    """The action checked; raises DefinitionError that says what is wrong with it and what to write."""
    mark = mark_of(function)
    if mark is None:
        raise DefinitionError(f"{function!r} is no action. Put @action above the function.")
    there = dict(services or {})
    seen = _seen(function, mark, there)
    was, definition, wanted = _checked.pop(id(function), (None, None, None))
    if definition is None or wanted is None or was != seen or definition.function is not function:
        definition, wanted = _Check(function, mark, there).definition()
    _checked[id(function)] = seen, definition, wanted
    if len(_checked) > _MOST_CHECKED:
        _checked.popitem(last=False)
    return replace(definition, services=fill(wanted, there))


def _seen(function: Any, mark: ActionMark, services: Iterable[type]) -> tuple[object, ...]:
    """What tells whether an action would be checked otherwise now."""
    written = (
        getattr(function, name, None) for name in ("__doc__", "__code__", "__defaults__", "__kwdefaults__")
    )
    hints = getattr(function, "__annotations__", {})
    return (mark, frozenset(services), *map(id, written), *((name, id(hint)) for name, hint in hints.items()))


class _Check:
    """One action being checked."""

    def __init__(self, function: Callable[..., Any], mark: ActionMark, services: dict[type, object]) -> None:
        self._function = function
        self._mark = mark
        self._services = services
        self._where = f"{function.__module__}.{function.__qualname__}"

    def _wrong(self, what: str) -> DefinitionError:
        return DefinitionError(
            f"Action {self._mark.name!r} ({self._where}) {what}", action=self._mark.name, where=self._where
        )

    def definition(self) -> tuple[ActionDefinition, Mapping[str, type]]:
        """The action without its services, and the parameters that services fill."""
        mark, function = self._mark, self._function
        if _NAME.fullmatch(mark.name) is None:
            raise self._wrong("has a name that is not usable: small letters, digits and _, at most 64.")
        description = (inspect.getdoc(function) or "").split("\n")[0].strip()
        if not description:
            raise self._wrong("has no docstring. Its first line says what the action does.")
        if not isinstance(mark.limit, timedelta) or mark.limit <= timedelta(0):
            raise self._wrong(f"has limit = {mark.limit!r}. It is a timedelta longer than nothing.")
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise self._wrong("yields. An action returns its one result.")
        hints = self._hints()
        arguments, wanted, attempt = self._parameters(hints)
        definition = ActionDefinition(
            name=mark.name,
            description=description,
            function=function,
            arguments=arguments,
            schema=arguments.model_json_schema(by_alias=False),
            result=self._result(hints),
            repeatable=mark.repeatable,
            confirm=mark.confirm,
            limit=mark.limit,
            services={},
            attempt=attempt,
        )
        return definition, wanted

    def _hints(self) -> dict[str, Any]:
        try:
            return get_type_hints(self._function, include_extras=True)
        except Exception as error:
            raise self._wrong(f"has an annotation that cannot be read: {error}.") from error

    def _parameters(self, hints: Mapping[str, Any]) -> tuple[type[BaseModel], Mapping[str, type], str | None]:
        fields: dict[str, Any] = {}
        wanted: dict[str, type] = {}
        attempt: str | None = None
        for name, parameter in inspect.signature(self._function).parameters.items():
            if parameter.kind not in _LISTED:
                raise self._wrong(
                    f"has the parameter {parameter}. Name every argument: they are given by name."
                )
            hint = hints.get(name, inspect.Parameter.empty)
            kind, optional = without_none(hint)
            if kind is Attempt:
                attempt = name
            elif isinstance(kind, type) and kind in self._services:
                wanted[name] = kind
            elif hint in _UNTYPED:
                raise self._wrong(
                    f"has the parameter {name!r} without a type. Write, for example, {name}: str."
                )
            elif self._is_data(hint):
                self._check_name(name)
                fields[name] = (hint, ... if parameter.default is parameter.empty else parameter.default)
            elif isinstance(kind, type) and parameter.default is parameter.empty and optional:
                wanted[name] = kind
            elif parameter.default is parameter.empty:
                known = ", ".join(sorted(k.__name__ for k in self._services)) or "none"
                named = getattr(kind, "__name__", repr(kind))
                raise self._wrong(
                    f"has the parameter {name!r} ({named}), which is neither a type that JSON can be read into nor a "
                    f"service. Services: {known}."
                )
        title = "".join(part.title() for part in self._mark.name.split("_")) + "Arguments"
        config = ConfigDict(extra="forbid", protected_namespaces=())
        return create_model(title, __config__=config, **fields), wanted, attempt

    def _check_name(self, name: str) -> None:
        if name.startswith("_") or hasattr(BaseModel, name):
            raise self._wrong(
                f"has an argument {name!r}, a name that Pydantic keeps for itself. Choose another."
            )

    def _is_data(self, hint: Any) -> bool:
        try:
            TypeAdapter(hint).json_schema()
        except (PydanticUserError, NameError, TypeError):
            return False
        return True

    def _result(self, hints: Mapping[str, Any]) -> TypeAdapter[Any]:
        hint = hints.get("return", inspect.Parameter.empty)
        if hint in _UNTYPED:
            raise self._wrong("does not say what it returns. Write, for example, -> str, or -> None.")
        try:
            found = TypeAdapter[Any](hint)
            found.json_schema(mode="serialization")
        except (PydanticUserError, TypeError) as error:
            raise self._wrong(
                f"returns {getattr(hint, '__name__', hint)!r}, which cannot be written as JSON. Return a Pydantic "
                "model or plain values."
            ) from error
        return found


def _path(fault: ErrorDetails) -> str:
    return ".".join(str(part) for part in fault["loc"])[:100] or "arguments"
