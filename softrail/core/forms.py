"""The form of an answer, in the part of JSON schema that every provider of structured output takes."""

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from typing import Any, Final, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic.errors import PydanticUserError

from softrail.core.errors import StepFailed

M = TypeVar("M", bound=BaseModel)
_KEPT: Final = frozenset({"type", "description", "enum", "format"})
_FORMATS: Final = frozenset({"date-time", "time", "date", "duration", "email", "uri", "uuid"})
_DEEPEST: Final = 8  #: models within models


def form(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of a model: every field required, null where it may be left out, limits left to the model itself."""
    return deepcopy(_form(model))


@lru_cache(maxsize=256)
def _form(model: type[BaseModel]) -> dict[str, Any]:
    try:
        whole = model.model_json_schema()
    except PydanticUserError as error:
        raise StepFailed(
            f"{model.__name__} has no JSON schema, so no model can answer in it: {error}"
        ) from error
    return _plain(whole, whole.get("$defs", {}), model.__name__, 0)


def formed(model: type[M], text: str) -> M:
    """An answer in that form; a null that only stands for "left out" is left out. Raises ValueError for any other."""
    found = json.loads(text, parse_constant=_no_number)
    try:
        return model.model_validate(found)
    except ValidationError as error:
        nulls = [e["loc"] for e in error.errors(include_url=False) if e["input"] is None and e["loc"]]
        if not nulls:
            raise
        for loc in nulls:
            _leave_out(found, loc)
        return model.model_validate(found)


def _leave_out(found: Any, loc: Sequence[int | str]) -> None:
    for step in loc[:-1]:
        inside = isinstance(found, list) and isinstance(step, int) and step < len(found)
        if inside or (isinstance(found, dict) and step in found):
            found = found[step]
    if isinstance(found, dict) and found.get(str(loc[-1]), "") is None:
        del found[str(loc[-1])]


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number of JSON")


def _plain(schema: Mapping[str, Any], known: Mapping[str, Any], name: str, depth: int) -> dict[str, Any]:
    if depth > _DEEPEST:
        raise StepFailed(
            f"{name} holds itself or goes deeper than {_DEEPEST} levels: no model can answer in it."
        )
    if "$ref" in schema:
        inner = known[schema["$ref"].rpartition("/")[2]]
        told = {"description": schema["description"]} if "description" in schema else {}
        return _plain({**inner, **told}, known, name, depth + 1)
    if "const" in schema:
        return {"type": schema.get("type", "string"), "enum": [schema["const"]]}
    if "allOf" in schema and len(schema["allOf"]) == 1:
        return _plain({**schema["allOf"][0], **_only(schema)}, known, name, depth)
    ways = schema.get("anyOf") or schema.get("oneOf")
    if ways:
        return {
            "anyOf": [_plain(way, known, name, depth + 1) for way in ways],
            **_only(schema, "description"),
        }
    found = _only(schema)
    if schema.get("type") == "object" or "properties" in schema:
        return {**found, **_object(schema, known, name, depth)}
    if schema.get("type") == "array":
        found["items"] = _plain(schema.get("items", {"type": "string"}), known, name, depth + 1)
    if not found.keys() & {"type", "enum"}:
        raise StepFailed(f"{name} has a field of any type: no model can answer in it. Give it a type.")
    return found


def _object(schema: Mapping[str, Any], known: Mapping[str, Any], name: str, depth: int) -> dict[str, Any]:
    if "properties" not in schema:
        raise StepFailed(
            f"{name} has a field with keys of any name: no model can answer in it. Make it a model."
        )
    needed = schema.get("required", ())
    fields: dict[str, Any] = {}
    for field, inner in schema["properties"].items():
        plain = _plain(inner, known, name, depth + 1)
        fields[field] = plain if field in needed or _nullable(plain) else {"anyOf": [plain, {"type": "null"}]}
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _nullable(schema: Mapping[str, Any]) -> bool:
    return any(way.get("type") == "null" for way in schema.get("anyOf", ()))


def _only(schema: Mapping[str, Any], *names: str) -> dict[str, Any]:
    kept = {k: v for k, v in schema.items() if k in (names or _KEPT)}
    if kept.get("format") not in _FORMATS:
        kept.pop("format", None)
    return kept
