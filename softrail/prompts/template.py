"""A text with places in it: `{name}`, a plain identifier, filled once.

Nothing else is special. `{0}`, `{x.y}`, `{x:>9}` and the braces of a JSON example are text, and a value is never
looked at again, so whatever a person typed appears as typed.
"""

import re
from functools import lru_cache
from typing import Final

from softrail.core.errors import DefinitionError

_PLACE: Final = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


class Template:
    """A text cut at its places, ready to be filled."""

    __slots__ = ("_parts", "places")

    def __init__(self, text: str) -> None:
        self._parts = _PLACE.split(text)  # text, name, text, name, …, text
        self.places = frozenset(self._parts[1::2])

    def fill(self, label: str, values: dict[str, str]) -> str:
        """The text with every place filled; `label` names it when a value is missing or not wanted."""
        if values.keys() != self.places:
            raise DefinitionError(self._fault(label, values), prompt=label)
        if not values:
            return self._parts[0]
        filled = list(self._parts)
        for at in range(1, len(filled), 2):
            value = values[filled[at]]
            if not isinstance(value, str):
                raise DefinitionError(
                    f"Prompt {label} needs text for {{{filled[at]}}}, not {type(value).__name__}.",
                    prompt=label,
                )
            filled[at] = value
        return "".join(filled)

    def _fault(self, label: str, values: dict[str, str]) -> str:
        missing = sorted(self.places - values.keys())
        if missing:
            return f"Prompt {label} needs {_braced(missing)}, which was not given."
        extra = sorted(values.keys() - self.places)
        return f"Prompt {label} has no place for {_braced(extra)}."


def _braced(names: list[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in names)


@lru_cache(maxsize=4096)
def template(text: str) -> Template:
    """The text cut at its places, once. For texts of ours only: what people type is a value, never a template."""
    return Template(text)
