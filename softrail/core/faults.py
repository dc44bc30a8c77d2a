"""Something wrong in a file that people write: which file, which line, what to do."""

from typing import NamedTuple


class Fault(NamedTuple):
    """One finding of a check; `line` is 1 for the first line, 0 when the whole file is meant."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}" if self.line else f"{self.path}: {self.message}"
