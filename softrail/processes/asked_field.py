"""A question as Pydantic sees it, which notices where its name hides the type it is meant to have."""

import ast
from typing import Annotated, Any, Self, get_args, get_origin

from pydantic.fields import FieldInfo

from softrail.core.errors import DefinitionError


class AskedField(FieldInfo):  # type: ignore[misc] # final for readers of types; it is one only until it has its name
    """What `ask` gives: a field that is told its name before Pydantic looks at its type.

    In `time: time = ask("When?")` Python has given the name to the question before it reads the type: the type is
    the question itself then, and Pydantic complains without saying of what.
    """

    __slots__ = ()

    def __set_name__(self, owner: type, name: str) -> None:
        annotations = vars(owner).get("__annotations__", {})
        hides = _hides(owner, name, annotations.get(name))
        if hides:
            # What is raised here, Python 3.11 would wrap; the type is looked at next.
            annotations[name] = _Hidden(owner, name, hides)
        self.__class__ = FieldInfo  # type: ignore[assignment] # from here on it is a field like any other

    def __or__(self, other: Any) -> Self:
        return self  # `date: date | None`: found as above

    __ror__ = __or__


class _Hidden:
    """Stands for a type that cannot be known; to be asked for it is the mistake."""

    def __init__(self, owner: type, name: str, hides: str) -> None:
        self._owner, self._name, self._hides = owner, name, hides

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        raise DefinitionError(
            f"{self._owner.__module__}.{self._owner.__qualname__} asks for {self._name!r} with a type that is hidden: "
            f"{self._hides!r} is the name of an answer there as well. Call the answer {self._hides!r} something else, or "
            f"write the type by its module, for example: import datetime as dt and dt.{self._hides}."
        )


def _hides(owner: type, name: str, annotation: Any) -> str:
    """The answer whose name stands where a type is meant; "" where the type is one."""
    if isinstance(annotation, str):
        return name if name in _names(annotation) else ""
    if get_origin(annotation) is Annotated:  # what stands beside the type is meant to be a field: Field(gt=3)
        annotation = get_args(annotation)[0]
    for part in (annotation, *get_args(annotation)):
        if isinstance(part, FieldInfo):
            return next((known for known, value in vars(owner).items() if value is part), name)
    return ""


def _names(annotation: str) -> set[str]:
    """The names that stand by themselves in a type that is kept as text."""
    try:
        tree = ast.parse(annotation, mode="eval")
    except SyntaxError:
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
