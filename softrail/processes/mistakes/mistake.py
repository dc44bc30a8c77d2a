"""One mistake, and where it stands in the source."""

import inspect
from dataclasses import dataclass
from functools import lru_cache
from typing import Any


@dataclass(frozen=True, kw_only=True, slots=True)
class Mistake:
    """What is wrong and what to write instead, as the sentence goes on after the name of the process."""

    what: str
    sure: bool = True  #: it cannot be meant: the start stops
    path: str = ""  #: the file; "" where there is none
    line: int = 0

    @property
    def place(self) -> str:
        """Where it stands, as a sentence; "" where nobody knows."""
        return f" It is line {self.line} of {self.path}." if self.path and self.line else ""


@lru_cache(maxsize=1024)
def source_of(thing: Any) -> tuple[str, int, str]:
    """The file, the first line and the text of a class or function; empty where there is no source."""
    try:
        lines, first = inspect.getsourcelines(thing)
        return inspect.getsourcefile(thing) or "", first, "".join(lines)
    except Exception:  # there is none, or another one than what runs: `inspect` may stumble in many ways
        return "", 0, ""


def place_of(cls: type) -> dict[str, Any]:
    """The file and line of a class, for a Mistake."""
    path, first, _ = source_of(cls)
    return {"path": path, "line": first}


def at(cls: type, name: str, **more: Any) -> dict[str, Any]:
    """The file and line where a name is given its value in a class, for a Mistake."""
    for owner in cls.__mro__:
        if name not in vars(owner) and name not in vars(owner).get("__annotations__", {}):
            continue
        path, first, text = source_of(owner)
        for number, line in enumerate(text.splitlines()):
            words = line.split("#")[0].split(maxsplit=3)
            heads = [w.split("(")[0].split(":")[0].split("=")[0] for w in words[:3]]
            if heads and (heads[0] == name or (heads[0] in ("def", "async", "class") and name in heads)):
                return {"path": path, "line": first + number, **more}
        return {"path": path, "line": first, **more}
    return more
