"""What an intent needs to be told: checked field by field, and asked for in words."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError


def validated(
    model: type[BaseModel] | None, given: Mapping[str, Any]
) -> tuple[Mapping[str, Any], Sequence[str]]:
    """The parameters that are valid, and the names of those that are needed and not there."""
    if model is None:
        return {}, ()
    kept = {name: value for name, value in given.items() if name in model.model_fields and value is not None}
    for _ in range(len(kept) + 1):
        try:
            valid = model.model_validate(kept).model_dump(mode="json", exclude_unset=True)
        except ValidationError as error:
            wrong = {str(e["loc"][0]) for e in error.errors(include_url=False) if e["loc"]} & kept.keys()
            if not wrong:
                missing = {str(e["loc"][0]) for e in error.errors(include_url=False) if e["loc"]}
                return kept, tuple(name for name in model.model_fields if name in missing)
            kept = {name: value for name, value in kept.items() if name not in wrong}
        else:
            return valid, ()
    return {}, tuple(name for name, f in model.model_fields.items() if f.is_required())


def described(model: type[BaseModel] | None, name: str) -> str:
    """What a parameter is called in a question: its description, or else its name with blanks."""
    field = model.model_fields.get(name) if model is not None else None
    description = (field.description or "") if field is not None else ""
    return description.strip().rstrip(".?!:") or name.replace("_", " ")


def choices(model: type[BaseModel] | None, name: str) -> Sequence[str]:
    """The values a parameter is chosen from, when it is one of a few texts."""
    field = model.model_fields.get(name) if model is not None else None
    if field is None or get_origin(field.annotation) is not Literal:
        return ()
    values = get_args(field.annotation)
    return values if all(isinstance(value, str) for value in values) else ()
