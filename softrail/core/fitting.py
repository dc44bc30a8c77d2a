"""Whether a JSON value is of the form that a JSON schema says, and if not, where it is not, and why.

jsonschema-rs reads the schema, offline; it is imported when the first value is looked at.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from pydantic import AnyUrl, TypeAdapter, ValidationError

if TYPE_CHECKING:
    import jsonschema_rs

Path = tuple[str | int, ...]
_PATIENCE: Final = 100_000  #: steps of a pattern that goes back and forth; people write the texts


@dataclass(frozen=True, kw_only=True, slots=True)
class Unfit:
    """One place of a value that does not fit: the sentence of the process kit that says why, and what fills it."""

    path: Path
    sentence: str
    values: Mapping[str, str] = field(default_factory=dict)


def unfit(schema: Any, value: Any) -> list[Unfit]:
    """What of the value does not fit; nothing where it does.

    What is no schema (an author may write what they like) or points elsewhere stands against nothing.
    """
    import jsonschema_rs

    try:
        validator = jsonschema_rs.Draft202012Validator(
            schema,
            formats={name: fits for name, (_, fits) in _FORMATS.items()},
            validate_formats=True,
            pattern_options=jsonschema_rs.FancyRegexOptions(backtrack_limit=_PATIENCE),
            offline=True,
        )
        # Of a value of another kind its bounds say nothing: one thing is told of each place.
        errors = sorted(validator.iter_errors(value), key=lambda error: error.kind.name != "type")
        found = [one for error in errors for one in _told(error, schema)]
        return list({one.path: one for one in reversed(found)}.values())[::-1]
    except (ValueError, LookupError, TypeError):  # jsonschema-rs raises errors of values for schemas, too
        return []


def _told(error: "jsonschema_rs.ValidationError", schema: Any) -> Iterator[Unfit]:
    kind, path = error.kind.name, tuple(error.instance_path)
    more: Mapping[str, Any] = error.kind.as_dict()
    if type(error.kind).__name__ in _UNDECIDED:
        return  # a pattern that takes its time
    if kind in ("anyOf", "oneOf") and more.get("context"):
        yield from _nearest(more["context"], schema, path)
    elif kind == "required":
        yield Unfit(path=(*path, more["property"]), sentence="missing")
    elif kind == "additionalProperties":
        yield from (Unfit(path=(*path, name), sentence="not_usable") for name in more["unexpected"])
    elif kind in ("enum", "const"):
        options = more["options"] if kind == "enum" else [more["expected_value"]]
        yield Unfit(path=path, sentence="no_option", values={"options": ", ".join(map(str, options))})
    elif kind in ("type", "format"):
        yield Unfit(path=path, sentence=_wanted(more.get("types", ("string",)), _of(schema, error)))
    elif kind in _BOUNDS:
        sentence, place = _BOUNDS[kind]
        bound = more.get("limit", more.get("multiple_of"))
        yield Unfit(path=path, sentence=sentence, values={place: str(bound)} if place else {})
    else:
        yield Unfit(path=path, sentence="not_usable")


def _nearest(
    ways: Sequence[Sequence["jsonschema_rs.ValidationError"]], schema: Any, path: Path
) -> Iterator[Unfit]:
    """What the way says that the value comes nearest to; nothing of it where it is of none of their kinds."""
    wrong = [way for way in ways if way and way[0].kind.as_dict().get("types") != ["null"]]
    near = [way for way in wrong if not (way[0].kind.name == "type" and tuple(way[0].instance_path) == path)]
    if near or len(wrong) == 1:
        yield from (found for error in (near or wrong)[0] for found in _told(error, schema))
    else:
        yield Unfit(path=path, sentence="not_usable")


def _of(schema: Any, error: "jsonschema_rs.ValidationError") -> Mapping[str, Any]:
    """The part of the schema that the value does not fit."""
    found: Any = schema
    for step in error.schema_path[:-1]:
        found = found[step]
    return found if isinstance(found, Mapping) else {}


def _wanted(kinds: Sequence[str], schema: Mapping[str, Any]) -> str:
    """What to say to whoever gave something of another kind."""
    kind = next((kind for kind in kinds if kind != "null"), "null")
    if kind == "string" and schema.get("format") in _FORMATS:
        return _FORMATS[schema["format"]][0]
    return _SAYS.get(kind, "not_usable")


def _is(kind: Any) -> Callable[[str], bool]:
    """Whether a text is taken for one, exactly as an answer of that type takes it."""
    adapter = TypeAdapter[Any](kind)

    def fits(text: str) -> bool:
        try:
            adapter.validate_strings(text, strict=True)
        except ValidationError:
            return False
        return True

    return fits


def _is_address(text: str) -> bool:
    name, sign, host = text.rpartition("@")
    return bool(name and sign and host) and not any(c.isspace() for c in text)


_UNDECIDED: Final = frozenset({"BacktrackLimitExceeded", "RegexEngineFailure"})
_SAYS: Final = {
    "boolean": "yes_or_no",
    "integer": "whole_number",
    "number": "no_number",
    "string": "text_wanted",
    "array": "list_wanted",
}
_FORMATS: Final[Mapping[str, tuple[str, Callable[[str], bool]]]] = {
    "date": ("no_date", _is(date)),
    "time": ("no_time", _is(time)),
    "date-time": ("no_moment", _is(datetime)),
    "duration": ("no_length", _is(timedelta)),
    "uri": ("no_link", _is(AnyUrl)),
    "uuid": ("not_usable", _is(UUID)),
    "email": ("no_address", _is_address),
    "attachment": ("file_wanted", lambda text: True),
}
#: What a schema calls a bound, the sentence that says so, and the place in it.
_BOUNDS: Final[Mapping[str, tuple[str, str]]] = {
    "minimum": ("greater_than_equal", "ge"),
    "maximum": ("less_than_equal", "le"),
    "exclusiveMinimum": ("greater_than", "gt"),
    "exclusiveMaximum": ("less_than", "lt"),
    "multipleOf": ("multiple_of", "multiple_of"),
    "minLength": ("string_too_short", "min_length"),
    "maxLength": ("string_too_long", "max_length"),
    "pattern": ("string_pattern_mismatch", ""),
    "minItems": ("too_short", "min_length"),
    "maxItems": ("too_long", "max_length"),
    "minProperties": ("too_short", "min_length"),
    "maxProperties": ("too_long", "max_length"),
    "uniqueItems": ("there_twice", ""),
}
