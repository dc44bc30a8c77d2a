"""Whether a JSON value is of the form that a JSON schema says, and if not, where it is not, and why."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Annotated, Any, Final
from uuid import UUID

from pydantic import AnyUrl, StringConstraints, TypeAdapter, ValidationError
from pydantic_core import SchemaError, to_json

Path = tuple[str | int, ...]
_DEEPEST: Final = 50  #: values within values; what is deeper is left to whoever takes the value
_LONGEST: Final = (
    100  #: characters that a pattern is held against which only Python knows: it may take its time
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Unfit:
    """One place of a value that does not fit: the sentence of the process kit that says why, and what fills it."""

    path: Path
    sentence: str
    values: Mapping[str, str] = field(default_factory=dict)
    kind: bool = False  #: it is of another kind altogether: text in place of a number


def unfit(schema: Any, value: Any) -> list[Unfit]:
    """What of the value does not fit; nothing where it does.

    What is not known here of a schema, or is no schema at all (an author may add to it what they like), is not looked at.
    """
    try:
        return list(_unfit(schema, value, ()))
    except (TypeError, ValueError, AttributeError, ArithmeticError, RecursionError):
        return []


def _unfit(schema: Any, value: Any, path: Path) -> Iterator[Unfit]:
    if schema is False:
        yield Unfit(path=path, sentence="not_usable")
    if not isinstance(schema, Mapping) or len(path) > _DEEPEST:
        return
    for every in schema.get("allOf", ()):
        yield from _unfit(every, value, path)
    for ways in (schema.get("anyOf"), schema.get("oneOf")):
        if ways:
            yield from _of_ways(ways, value, path)
    kinds = schema.get("type", ())
    kinds = (kinds,) if isinstance(kinds, str) else kinds
    if kinds and not any(_KINDS.get(kind, _anything)(value) for kind in kinds):
        yield Unfit(path=path, sentence=_wanted(schema, kinds), kind=True)
        return  # its bounds say nothing of another kind
    offered = [schema["const"]] if "const" in schema else schema.get("enum")
    if offered is not None and not any(_same(value, one) for one in offered):
        yield Unfit(path=path, sentence="no_option", values={"options": ", ".join(map(str, offered))})
    if isinstance(value, str):
        yield from _of_text(schema, value, path)
    elif isinstance(value, list):
        yield from _of_list(schema, value, path)
    elif isinstance(value, dict):
        yield from _of_object(schema, value, path)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from _of_number(schema, value, path)


def _of_ways(ways: Sequence[Any], value: Any, path: Path) -> Iterator[Unfit]:
    """One of them has to fit; if none does, the one that is nearest says why."""
    wrong = []
    for way in ways:
        found = list(_unfit(way, value, path))
        if not found:
            return
        if not (isinstance(way, Mapping) and way.get("type") == "null"):
            wrong.append(found)
    near = [found for found in wrong if not (found[0].kind and found[0].path == path)]
    if near or len(wrong) == 1:
        yield from (near or wrong)[0]
    else:
        yield Unfit(path=path, sentence="not_usable", kind=True)


def _of_text(schema: Mapping[str, Any], text: str, path: Path) -> Iterator[Unfit]:
    least, most = schema.get("minLength", 0), schema.get("maxLength")
    if len(text) < least:
        yield Unfit(path=path, sentence="string_too_short", values={"min_length": str(least)})
    if most is not None and len(text) > most:
        yield Unfit(path=path, sentence="string_too_long", values={"max_length": str(most)})
    if "pattern" in schema and not _matches(schema["pattern"], text):
        yield Unfit(path=path, sentence="string_pattern_mismatch")
    known = _FORMATS.get(schema.get("format", ""))
    if known is not None and not known[1](text):
        yield Unfit(path=path, sentence=known[0])


def _of_number(schema: Mapping[str, Any], number: float, path: Path) -> Iterator[Unfit]:
    for name, holds, sentence, place in _BOUNDS:
        if name in schema and not holds(number, schema[name]):
            yield Unfit(path=path, sentence=sentence, values={place: str(schema[name])})


def _of_list(schema: Mapping[str, Any], items: list[Any], path: Path) -> Iterator[Unfit]:
    yield from _of_size(schema.get("minItems", 0), schema.get("maxItems"), len(items), path)
    if schema.get("uniqueItems") and len({to_json(item) for item in items}) < len(items):
        yield Unfit(path=path, sentence="there_twice")
    first = schema.get("prefixItems", ())
    for at, item in enumerate(items):
        yield from _unfit(first[at] if at < len(first) else schema.get("items"), item, (*path, at))


def _of_object(schema: Mapping[str, Any], given: dict[str, Any], path: Path) -> Iterator[Unfit]:
    yield from _of_size(schema.get("minProperties", 0), schema.get("maxProperties"), len(given), path)
    known = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in given:
            yield Unfit(path=(*path, name), sentence="missing")
    for name, one in given.items():
        yield from _unfit(schema.get("propertyNames"), name, (*path, name))
        yield from _unfit(known.get(name, schema.get("additionalProperties")), one, (*path, name))


def _of_size(least: int, most: int | None, size: int, path: Path) -> Iterator[Unfit]:
    if size < least:
        yield Unfit(path=path, sentence="too_short", values={"min_length": str(least)})
    if most is not None and size > most:
        yield Unfit(path=path, sentence="too_long", values={"max_length": str(most)})


def _wanted(schema: Mapping[str, Any], kinds: Sequence[str]) -> str:
    """What to say to whoever gave something of another kind."""
    kind = next((kind for kind in kinds if kind != "null"), "null")
    if kind == "string" and schema.get("format") in _FORMATS:
        return _FORMATS[schema["format"]][0]
    return _SAYS.get(kind, "not_usable")


def _same(one: Any, other: Any) -> bool:
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def _anything(value: Any) -> bool:
    return True


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_multiple(number: float, of: float) -> bool:
    return not of or Decimal(str(number)) % Decimal(str(of)) == 0


def _matches(pattern: str, text: str) -> bool:
    """Held against it in time that grows as the text does; a pattern that needs more is tried on short ones alone."""
    try:
        _linear(pattern).validate_python(text)
    except ValidationError:
        return False
    except SchemaError:
        try:
            return len(text) > _LONGEST or re.search(pattern, text) is not None
        except re.error:
            return True
    return True


@lru_cache(maxsize=256)
def _linear(pattern: str) -> TypeAdapter[str]:
    return TypeAdapter(Annotated[str, StringConstraints(pattern=pattern)])


def _of(kind: Any) -> Callable[[str], bool]:
    """Whether a text is taken for one, exactly as an answer of that type takes it."""
    adapter = TypeAdapter[Any](kind)

    def fits(text: str) -> bool:
        try:
            adapter.validate_strings(text, strict=True)
        except ValidationError:
            return False
        return True

    return fits


_KINDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: _is_number(value) and float(value).is_integer(),
    "number": _is_number,
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}
_SAYS: Final = {
    "boolean": "yes_or_no",
    "integer": "whole_number",
    "number": "no_number",
    "string": "text_wanted",
    "array": "list_wanted",
}
_FORMATS: Final[Mapping[str, tuple[str, Callable[[str], bool]]]] = {
    "date": ("no_date", _of(date)),
    "time": ("no_time", _of(time)),
    "date-time": ("no_moment", _of(datetime)),
    "duration": ("no_length", _of(timedelta)),
    "uri": ("no_link", _of(AnyUrl)),
    "uuid": ("not_usable", _of(UUID)),
    "email": ("no_address", lambda text: re.fullmatch(r"[^\s@]+@[^\s@]+", text) is not None),
    "attachment": ("file_wanted", _anything),
}
#: What a schema calls a bound, whether a number keeps it, and the sentence that says so.
_BOUNDS: Final[Sequence[tuple[str, Callable[[float, float], bool], str, str]]] = (
    ("minimum", lambda n, bound: n >= bound, "greater_than_equal", "ge"),
    ("maximum", lambda n, bound: n <= bound, "less_than_equal", "le"),
    ("exclusiveMinimum", lambda n, bound: n > bound, "greater_than", "gt"),
    ("exclusiveMaximum", lambda n, bound: n < bound, "less_than", "lt"),
    ("multipleOf", _is_multiple, "multiple_of", "multiple_of"),
)
