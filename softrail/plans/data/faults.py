"""What goes wrong with data, as the person and a client are told it."""

from collections.abc import Mapping
from typing import Any, Final

from softrail.plugin import BadRequest, ConversationError

INSTALL: Final = "pip install 'softrail[plans]'"
MISSING: Final = f"This server cannot read data: packages are missing. Its operator runs {INSTALL}."


class SourceUnreadable(BadRequest):
    """A file that cannot be read as a table; `details` has the row and the column where it is one place."""

    code = "source_unreadable"


class QueryRefused(BadRequest):
    """A query that is not run: it is more than one SELECT, or uses what it may not, or is none."""

    code = "query_refused"


class LimitReached(BadRequest):
    """It takes more memory, time, rows or sources than there may be."""

    code = "limit_reached"


class TookTooLong(LimitReached):
    """It takes more time than there may be."""


class NotCopied(ConversationError):
    """A table of an operator's database that could not be copied, with what to do; nothing was attached."""

    code = "not_copied"
    final = True


class DataNotInstalled(ConversationError):
    """The packages that read data are not installed here."""

    code = "data_not_installed"

    def __init__(self, message: str = MISSING) -> None:
        super().__init__(message)


_KNOWN: Final[Mapping[str, type[BadRequest]]] = {
    one.code: one for one in (SourceUnreadable, QueryRefused, LimitReached)
}


def fault_of(told: Mapping[str, Any]) -> Exception:
    """What a child says went wrong, as an error of ours."""
    if told["code"] == "not_installed":
        return DataNotInstalled()
    known = _KNOWN.get(str(told["code"]), QueryRefused)
    return known(str(told["message"]), **{name: told[name] for name in ("row", "column") if name in told})
