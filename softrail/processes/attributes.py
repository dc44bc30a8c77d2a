"""Which attributes a function reads off one of its arguments, from its compiled form: no source is needed."""

import dis
import types
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from pydantic import BaseModel

_READS = ("LOAD_ATTR", "LOAD_METHOD")


def read_off(function: Any, place: int) -> Iterator[tuple[str, int]]:
    """Each attribute that is read off the argument at `place`, with its line; nothing where it cannot be told."""
    if not isinstance(function, types.FunctionType) or function.__code__.co_argcount <= place:
        return
    name = function.__code__.co_varnames[place]
    found = list(dis.get_instructions(function))
    if any(i.opname.startswith("STORE_FAST") and _names(i) == name for i in found):
        return  # it stands for something else from there on
    line = function.__code__.co_firstlineno
    for one, following in pairwise(found):
        line = (one.positions.lineno if one.positions else None) or line
        if one.opname.startswith("LOAD_FAST") and _names(one) == name and following.opname in _READS:
            yield str(following.argval), line


def _names(instruction: dis.Instruction) -> Any:
    """The variable; of two that are loaded at once the one on top."""
    value = instruction.argval
    return value[-1] if isinstance(value, tuple) else value


def lacks(model: type[BaseModel] | None, attribute: str) -> bool:
    """Reading that attribute of an instance would raise."""
    if model is None or model.model_config.get("extra") == "allow" or hasattr(model, attribute):
        return False
    known = {*model.model_fields, *model.__private_attributes__}
    return attribute not in known and "__getattr__" not in {n for c in model.__mro__[:-2] for n in vars(c)}
