"""What the Messages API accepts as the schema of a structured output, as its documentation has it."""

from collections.abc import Mapping
from typing import Any

_KEYWORDS = {"type", "description", "enum", "properties", "required", "additionalProperties", "items"}
_KEYWORDS |= {"anyOf", "format"}
_KINDS = {"string", "number", "integer", "boolean", "null", "object", "array"}
_FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}


def accepted(schema: Mapping[str, Any]) -> list[str]:
    """What is wrong with a schema, with where; empty when it would be accepted."""
    wrong = _wrong(schema, "answer")
    wrong += [] if schema.get("type") == "object" else ["answer is no object"]
    text = str(schema)
    unions, optional = text.count("'anyOf'"), _optional(schema)
    return (
        wrong + ([f"{unions} unions"] * (unions > 16)) + ([f"{optional} optional fields"] * (optional > 24))
    )


def _wrong(schema: Mapping[str, Any], at: str) -> list[str]:
    found = [f"{at}: {word}" for word in schema.keys() - _KEYWORDS]
    if not schema.keys() & {"type", "enum", "anyOf"}:
        found.append(f"{at} has no type")
    if schema.get("type", "null") not in _KINDS or schema.get("format", "date") not in _FORMATS:
        found.append(f"{at} is of an unknown kind")
    if any(not isinstance(value, str | int | float | bool | None) for value in schema.get("enum", ())):
        found.append(f"{at} has values that are not simple")
    if schema.get("type") == "object":
        fields = schema["properties"]
        if schema.get("additionalProperties") is not False or not set(schema["required"]) <= set(fields):
            found.append(f"{at} is open")
        for name, field in fields.items():
            found += _wrong(field, f"{at}.{name}")
    if schema.get("type") == "array":
        found += _wrong(schema["items"], f"{at}[]")
    for i, choice in enumerate(schema.get("anyOf", ())):
        found += _wrong(choice, f"{at}|{i}")
    return found


def _optional(schema: Any) -> int:
    if isinstance(schema, list):
        return sum(map(_optional, schema))
    if not isinstance(schema, Mapping):
        return 0
    here = len(schema["properties"]) - len(schema["required"]) if schema.get("type") == "object" else 0
    return here + sum(map(_optional, schema.values()))
