"""Names that nobody reads: a misspelt attribute, an answer beside `Answers`, a mark that was forgotten."""

import ast
import inspect
import types
from collections.abc import Iterator, Mapping
from datetime import timedelta
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from softrail.core.outcomes import Outcome
from softrail.processes.asking import Asked, CheckMark, StepMark, Wrong, check_of, mark_of
from softrail.processes.mistakes.mistake import Mistake, at
from softrail.processes.process import OfferPolicy, Process

_CLOSE = 0.8  #: how like a known name one must be to be taken for it
_MODELS = ("Answers", "Data")


def _runs(value: object) -> bool:
    return isinstance(value, types.FunctionType | classmethod | staticmethod)


def hooks() -> list[str]:
    """The methods that a process may have."""
    return [n for n, v in vars(Process).items() if not n.startswith("_") and _runs(v)]


def settings() -> list[str]:
    """The attributes that a process may set."""
    return [*(n for n, v in vars(Process).items() if not n.startswith("_") and not _runs(v)), "confirm"]


def marks(cls: type[Process]) -> Mapping[str, StepMark | CheckMark]:
    """The methods marked as steps and checks."""
    found = {name: mark_of(value) or check_of(value) for name, value in own(cls).items()}
    return {name: mark for name, mark in found.items() if mark is not None}


def own(cls: type[Process]) -> dict[str, Any]:
    """What the class and those it is derived from define, beside `Process` itself."""
    found: dict[str, Any] = {}
    for owner in reversed(cls.__mro__):
        if owner not in (object, Process):
            found.update(vars(owner))
    return {name: value for name, value in found.items() if not name.startswith("_")}


def mistakes(cls: type[Process], steps: Mapping[str, StepMark]) -> Iterator[Mistake]:
    """Everything in the class that stands under a name that nobody reads."""
    defined, used = own(cls), names_used(cls)
    for name, value in defined.items():
        if isinstance(value, FieldInfo) and any(isinstance(m, Asked) for m in value.metadata):
            yield Mistake(
                what=f"asks for {name!r} outside of its Answers, where nobody is asked. Put it into: class Answers(BaseModel).",
                **at(cls, name),
            )
        elif name not in used and mark_of(value) is None and check_of(value) is None:
            yield from _misspelt(cls, name, value, steps)
            yield from _unmarked(cls, name, value)
    yield from _annotated(cls)


def _misspelt(cls: type[Process], name: str, value: Any, steps: Mapping[str, StepMark]) -> Iterator[Mistake]:
    if isinstance(value, type):
        known = [] if steps or not issubclass(value, BaseModel) else list(_MODELS)
    else:
        known = hooks() if _runs(value) else settings()
    if name in known or name in _MODELS:
        return
    plain = {k.lower(): k for k in known}
    close = get_close_matches(name.lower(), plain, n=1, cutoff=_CLOSE)
    meant = plain[close[0]] if close else ""
    owner = next(c for c in cls.__mro__ if name in vars(c))
    if not meant or meant in vars(owner):  # beside the known name it is one of the author's own
        return
    what = f"{name}()" if _runs(value) else name
    yield Mistake(
        what=f"has {what}, which nobody reads. Did you mean {meant}? If it is your own, call it _{name}.",
        **at(cls, name),
    )


def _unmarked(cls: type[Process], name: str, value: Any) -> Iterator[Mistake]:
    """A method that looks like a step or a check, and is called by nobody."""
    if not isinstance(value, types.FunctionType) or name in hooks():
        return
    try:
        gives = str(inspect.signature(value).return_annotation)
        count = len(inspect.signature(value).parameters)
    except (ValueError, TypeError):
        return
    names = set(gives.replace("'", " ").replace("|", " ").replace(".", " ").replace(">", " ").split())
    for mark, kinds in (("check", {Wrong.__name__}), ("step", {k.__name__ for k in _outcomes()})):
        if names & kinds and count >= 3:
            yield Mistake(
                what=f"has {name}(), which is called by nobody. Put @{mark}(…) above it if it is one.",
                sure=False,
                **at(cls, name),
            )
            return


def _outcomes() -> list[type]:
    return [Outcome, *Outcome.__subclasses__()]


def _annotated(cls: type[Process]) -> Iterator[Mistake]:
    """`idle_timeout: timedelta(minutes=5)` says what type it is, and sets nothing."""
    for owner in cls.__mro__:
        if owner in (object, Process):
            continue
        for name, said in vars(owner).get("__annotations__", {}).items():
            if name in settings() and name not in vars(owner) and _is_value(said):
                yield Mistake(
                    what=f"has a colon behind {name} where it is to be set. Write: {name} = …",
                    **at(owner, name),
                )


def _is_value(annotation: Any) -> bool:
    if not isinstance(annotation, str):
        return isinstance(annotation, timedelta | tuple | list | int | OfferPolicy)
    try:
        found = ast.parse(annotation, mode="eval").body
    except SyntaxError:
        return False
    return isinstance(found, ast.Call | ast.Tuple | ast.List | ast.Constant) and annotation != "None"


def names_in(function: Any) -> frozenset[str]:
    """Every name and every text in the code of a function."""
    found: set[str] = set()
    plain = getattr(function, "__func__", getattr(function, "fget", function))
    if isinstance(plain, types.FunctionType):
        _names_in(plain.__code__, found)
    return frozenset(found)


def names_used(cls: type[Process]) -> frozenset[str]:
    """Every name and every text in the methods of a class."""
    found: set[str] = set()
    for owner in cls.__mro__:
        if owner in (object, Process):
            continue
        for value in vars(owner).values():
            found |= names_in(value)
    return frozenset(found)


def _names_in(code: types.CodeType, found: set[str]) -> None:
    found.update(code.co_names)
    found.update(c for c in code.co_consts if isinstance(c, str))  # getattr(self, "name")
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            _names_in(inner, found)
