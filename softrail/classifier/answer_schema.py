"""The JSON schema a model's answer is bound to, in the part of JSON Schema that structured outputs accept.

The parameters of each intent are an object of their own, as its Pydantic model describes them. What that part of JSON
Schema has no words for (recursion, free mappings) is left out: it comes from the message's words or is asked for.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from pydantic import BaseModel
from pydantic.errors import PydanticUserError

from softrail.core.intents import IntentDefinition

MOST_UNIONS, MOST_OPTIONAL = 16, 24  #: of one schema; with more of either, a request is refused
_NULL = {"type": "null"}
_FORMATS = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}
)
#: Limits that may not stand in the schema; the model reads them, the intent's Pydantic model enforces them.
_LIMITS = (
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"),
    *("pattern", "minItems", "maxItems", "uniqueItems"),
)

Schema = Mapping[str, Any]


class _Unsayable(Exception):
    """A schema that structured outputs have no form for."""


def answer_schema(names: Sequence[str], definitions: Sequence[IntentDefinition]) -> dict[str, Any]:
    """An answer: one of the intents, how sure, what it was told for that intent, and the second best reading."""
    reading = {"intent": {"type": "string", "enum": list(names)}, "confidence": {"type": "number"}}
    alternative = {"anyOf": [_closed(reading), _NULL]}
    return _closed({**reading, "parameters": _parameters(definitions), "alternative": alternative})


def unions(schema: Any) -> int:
    """How many alternatives a schema has."""
    if isinstance(schema, Mapping):
        return ("anyOf" in schema) + sum(map(unions, schema.values()))
    return sum(map(unions, schema)) if isinstance(schema, list) else 0


def _parameters(definitions: Iterable[IntentDefinition]) -> dict[str, Any]:
    """One object for each intent that has parameters, or null; an object without fields where none has."""
    left, optional = MOST_UNIONS - 2, MOST_OPTIONAL  # this choice itself and the alternative are unions
    found = []
    for definition in definitions:
        fields = fields_of(definition.parameters) if definition.parameters is not None else {}
        whole, loose = (
            _closed({n: _or_null(s) for n, s in fields.items()}),
            {**_closed(fields), "required": []},
        )
        if fields and (cost := unions(whole)) <= left:
            chosen = whole
        elif fields and (cost := unions(loose)) <= left and len(fields) <= optional:
            chosen, optional = loose, optional - len(fields)
        else:
            continue
        left -= cost
        found.append({**chosen, "description": f"The parameters of {definition.name}."})
    return {"anyOf": [*found, _NULL]} if found else _closed({})


def fields_of(model: type[BaseModel]) -> dict[str, dict[str, Any]]:
    """The schema of each field of a model, nothing referred to; a field that cannot be put so is not there."""
    try:
        whole = model.model_json_schema()
    except PydanticUserError:  # some types have no JSON schema
        return {}
    defs = whole.get("$defs", {})
    found = {}
    for name, field in _followed(whole, defs).get("properties", {}).items():
        with suppress(_Unsayable):
            found[name] = _sayable(field, defs)
    return found


def _sayable(schema: Schema, defs: Schema, above: tuple[str, ...] = ()) -> dict[str, Any]:
    """The same values in the accepted part of JSON Schema, with what that part cannot say in the description."""
    if (reference := schema.get("$ref")) is not None:
        if reference in above:
            raise _Unsayable
        told = {"description": schema["description"]} if "description" in schema else {}
        return {**_sayable(_followed(schema, defs), defs, (*above, reference)), **told}
    if len(every := schema.get("allOf", ())) == 1:
        return _sayable({**every[0], **{k: v for k, v in schema.items() if k != "allOf"}}, defs, above)
    if isinstance(kinds := schema.get("type"), list):
        return _sayable({"anyOf": [{**schema, "type": kind} for kind in kinds]}, defs, above)
    if (choices := schema.get("anyOf") or schema.get("oneOf")) is not None:
        found: dict[str, Any] = {"anyOf": _each(choices, defs, above)}
    elif "const" in schema or "enum" in schema:
        found = {"enum": _constants([schema["const"]] if "const" in schema else schema["enum"])}
    else:
        found = _of_kind(schema, defs, above)
    return {**found, **_described(schema)}


def _each(choices: Iterable[Schema], defs: Schema, above: tuple[str, ...]) -> list[dict[str, Any]]:
    """Those of the choices that can be put so; a choice of null alone is none."""
    found = []
    for choice in choices:
        with suppress(_Unsayable):
            found.append(_sayable(choice, defs, above))
    if all(choice == _NULL for choice in found):
        raise _Unsayable
    return found


def _of_kind(schema: Schema, defs: Schema, above: tuple[str, ...]) -> dict[str, Any]:
    kind = schema.get("type", "string")  # any value at all is asked for as text
    if "allOf" in schema or "not" in schema:
        raise _Unsayable
    if kind == "array":
        items = list({str(i): i for i in schema.get("prefixItems", [schema.get("items", {})])}.values())
        return {
            "type": kind,
            "items": _sayable(items[0] if len(items) == 1 else {"anyOf": items}, defs, above),
        }
    if kind == "object":
        if not (fields := schema.get("properties")):
            raise _Unsayable
        needed = schema.get("required", ())
        said = {name: _sayable(field, defs, above) for name, field in fields.items()}
        return _closed({name: s if name in needed else _or_null(s) for name, s in said.items()})
    return {"type": kind, "format": schema["format"]} if schema.get("format") in _FORMATS else {"type": kind}


def _followed(schema: Schema, defs: Schema) -> Schema:
    reference = schema.get("$ref")
    return defs[reference.removeprefix("#/$defs/")] if reference is not None else schema


def _described(schema: Schema) -> dict[str, str]:
    limits = [f"{name} {schema[name]}" for name in _LIMITS if name in schema]
    if schema.get("format") not in (None, *_FORMATS):
        limits.append(f"format {schema['format']}")
    said = [
        *([schema["description"]] if "description" in schema else []),
        *([f"({', '.join(limits)})"] if limits else []),
    ]
    return {"description": " ".join(said)} if said else {}


def _constants(values: Sequence[Any]) -> list[Any]:
    if not all(value is None or isinstance(value, str | int | float | bool) for value in values):
        raise _Unsayable
    return list(values)


def _or_null(schema: Schema) -> dict[str, Any]:
    """The same or null, which stands for what the message does not say; the description stays outside."""
    inner = {name: value for name, value in schema.items() if name != "description"}
    choices = inner.get("anyOf", [inner])
    if not any(c == _NULL or None in c.get("enum", ()) for c in choices):
        choices = [*choices, _NULL]
    told = {"description": schema["description"]} if "description" in schema else {}
    return {"anyOf": choices, **told}


def _closed(fields: Schema) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(fields),
        "required": list(fields),
        "additionalProperties": False,
    }
