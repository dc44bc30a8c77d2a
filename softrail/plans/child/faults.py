"""What goes wrong here, as the person is told it."""

import re
from typing import Any, Final, Literal

Code = Literal["query_refused", "limit_reached", "source_unreadable", "not_installed", "failed"]

LONGEST: Final = 400
_KIND: Final = re.compile(r"^[A-Z][A-Za-z ]{2,30} Error: ")


class Refused(Exception):
    """The file or the query is not taken; where that is one place of a file, with its row and column."""

    def __init__(
        self, code: Code, message: str, *, row: int | None = None, column: str | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.row = row
        self.column = column

    @property
    def told(self) -> dict[str, Any]:
        """As it goes out."""
        told: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.row is not None:
            told["row"] = self.row
        if self.column is not None:
            told["column"] = self.column
        return told


def unreadable(message: str, *, row: int | None = None, column: str | None = None) -> Refused:
    """A file that cannot be read as it is."""
    return Refused("source_unreadable", message, row=row, column=column)


def quoted(value: object) -> str:
    """A value of a file in a sentence: short, on one line, and plainly not our own words."""
    text = " ".join(str(value).split())
    return f"“{text if len(text) <= 60 else text[:60] + '…'}”"


def one_line(error: BaseException) -> str:
    """What an error of a library says, without its kind and its pictures of the query."""
    said = " ".join(str(error).split("\n\n")[0].split())
    return _KIND.sub("", said)[:LONGEST]
