"""Copies of frozen values."""

from collections.abc import Mapping
from typing import Any, TypeVar

T = TypeVar("T")


def evolved(value: T, changes: Mapping[str, Any]) -> T:
    """A copy of a frozen dataclass with `changes`, made without its constructor: a turn makes a dozen of them.

    For classes of our own without slots, whose constructor does nothing but keep what it is given. Raises TypeError for
    a name that is no field.
    """
    kept = value.__dict__
    fields = {**kept, **changes}
    if len(fields) > len(kept):
        unknown = ", ".join(changes.keys() - kept.keys())
        raise TypeError(f"{type(value).__name__} has no field {unknown}.")
    copy = object.__new__(type(value))
    object.__setattr__(copy, "__dict__", fields)
    return copy
