"""What a turn found, as a language model is told of it: in few words."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

_LONGEST: Final = 300  #: characters of one text
_MOST: Final = 50  #: entries of one list


def brief(value: Any) -> Any:
    """The same without what says nothing; a note is a line."""
    if isinstance(value, Mapping):
        if "number" in value and "text" in value:
            return note(value)
        told = {str(name): brief(one) for name, one in value.items()}
        return {name: one for name, one in told.items() if one is not None and one != ""}
    if isinstance(value, str):
        return cut(value)
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [brief(one) for one in value[:_MOST]]
    return value


def note(value: Mapping[str, Any]) -> str:
    """A note as a line: number, state where it is not saved, who told it where it was somebody else, text."""
    state = value.get("state")
    marks = [str(mark) for mark in (None if state == "saved" else state, value.get("told_by")) if mark]
    marked = f" ({', '.join(marks)})" if marks else ""
    return f"#{value['number']}{marked}: {cut(str(value['text']))}"


def cut(text: str, longest: int = _LONGEST) -> str:
    """The text on one line, and no longer than that."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"
