"""What "none" stands for: an empty list, or 0 where it is asked how many. The type decides whether it may."""

from typing import Any, Final

from pydantic import TypeAdapter
from pydantic.fields import FieldInfo

from softrail.processes.definition import FieldDefinition
from softrail.processes.readers import Reader, Reading

_EMPTY: Final[dict[str, Any]] = {"list": [], "number": 0}


def empty_of(reader: Reader, info: FieldInfo, adapter: TypeAdapter[Any]) -> Any:
    """The empty value of a list or a number, as JSON; None where its type does not take it, or it is there unasked."""
    empty = _EMPTY.get(reader.kind)
    left_out = [] if info.default_factory is list else info.default
    if empty is None or left_out == empty or (reader.kind == "list" and left_out is None):
        return None
    try:
        return adapter.dump_python(adapter.validate_python(empty), mode="json")
    except Exception:  # at least one is wanted; a validator is a plugin's code
        return None


def none_of(asked: FieldDefinition, reading: Reading) -> Any:
    """What "none" stands for at this question; None where it is no answer."""
    if asked.reader.kind == "number" and not reading.asked(asked.question, asked.name).counts:
        return None  # nobody is 0 years old for having said "none"
    return asked.empty
