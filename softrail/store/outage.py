"""What a driver says when the database is away, locked or full, in words for people."""

from pathlib import Path
from typing import Literal

from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from softrail.core.errors import StoreUnavailable

_SQLITE = {
    "SQLITE_BUSY": "Another process is writing to the database and did not finish in time.",
    "SQLITE_LOCKED": "Another process is writing to the database and did not finish in time.",
    "SQLITE_FULL": "There is no space left for the database.",
    "SQLITE_READONLY": "The database may only be read here.",
    "SQLITE_PERM": "The database may not be opened by this user.",
    "SQLITE_CANTOPEN": "The database cannot be opened.",
    "SQLITE_IOERR": "The disk of the database failed.",
    "SQLITE_CORRUPT": "The database file is damaged.",
    "SQLITE_NOTADB": "The file is not a SQLite database.",
}


def sqlite_code(error: BaseException) -> str:
    """The first two words of SQLite's name for the error, such as SQLITE_BUSY; empty if it has none."""
    name = getattr(getattr(error, "orig", error), "sqlite_errorname", None) or ""
    return "_".join(str(name).split("_")[:2])


def is_sqlite_outage(error: DBAPIError) -> bool:
    """Whether the file or its disk failed, and not what was asked of it."""
    return isinstance(error, OperationalError) or sqlite_code(error) in _SQLITE


def sqlite_outage(error: BaseException) -> StoreUnavailable:
    """The error as StoreUnavailable, without the file's path: a client may see these words."""
    code = sqlite_code(error)
    words = _SQLITE.get(code, "The database did not do what was asked.")
    return StoreUnavailable(f"{words} Try again in a moment.", reason=code or type(error).__name__)


def sqlite_start_fault(error: BaseException, path: Path) -> StoreUnavailable:
    """Why a file cannot be used, for whoever starts the server: names it and what to do."""
    code = sqlite_code(error)
    folder = path.absolute().parent
    if not folder.is_dir():
        words = f"The folder {folder} does not exist. Make it, or set another SOFTRAIL_DATABASE_URL."
    elif path.is_dir():
        words = f"{path} is a folder. SOFTRAIL_DATABASE_URL has to name a file in it."
    elif code in ("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM"):
        words = (
            f"The database {path} cannot be opened for writing. Check who may write to it and to its folder."
        )
    elif code == "SQLITE_NOTADB":
        words = f"{path} is not a SQLite database. Move it away, or set another SOFTRAIL_DATABASE_URL."
    elif code in ("SQLITE_BUSY", "SQLITE_LOCKED"):
        words = (
            f"Another process holds the database {path} and did not let go in time. Stop it, or start again."
        )
    else:
        words = f"The database {path} cannot be used: {getattr(error, 'orig', error)}."
    return StoreUnavailable(words, reason=code or type(error).__name__, path=str(path))


def sql_state(error: BaseException | None) -> str:
    """The five letters of SQLSTATE, wherever in the error they are; empty if there are none."""
    return str(
        getattr(error, "sqlstate", None) or getattr(getattr(error, "orig", None), "sqlstate", "") or ""
    )


#: States that say nothing about what was asked, and that trying again at once does not change.
_NOT_NOW = {
    "25006": "The database may only be read here.",
    "55P03": "Others kept the database busy for too long.",  # a lock timeout
    "57014": "The database took too long.",  # a statement timeout
    "57P03": "The database is starting up.",
}


#: States of a table or a column that is not there.
NOT_THERE = ("42P01", "42703")


def postgres_trouble(error: BaseException) -> Literal["again", "lost", "away"] | None:
    """What an error of PostgreSQL asks for; None: it is about what was asked, and the caller's to know.

    `again` and `lost` (the connection) want the transaction to be run anew, `away` wants it given up.
    """
    state = sql_state(error)
    if state in ("40001", "40P01"):  # serialization failure, deadlock
        return "again"
    if isinstance(error, PoolTimeout) or state in _NOT_NOW or state.startswith(("53", "28", "3D")):
        return "away"  # out of resources, not let in, no such database
    if isinstance(error, DBAPIError):
        stale = type(error.orig).__name__ == "InvalidCachedStatementError"
        gone = error.connection_invalidated or state.startswith("08") or state in ("57P01", "57P02", "57P05")
        return "lost" if gone or stale else None
    if isinstance(error, ConnectionRefusedError | FileNotFoundError | TimeoutError):
        return "away"  # one that took as long as it may is not asked to take as long again
    return "lost" if isinstance(error, OSError) or state.startswith(("08", "57")) else None


def postgres_outage(error: BaseException) -> StoreUnavailable:
    """The error as StoreUnavailable, without addresses: a client may see these words."""
    state = sql_state(error)
    if state.startswith("28"):
        words = "The database does not let this user in."
    elif state.startswith("3D"):
        words = "There is no database of that name."
    elif state.startswith("53") or isinstance(error, PoolTimeout):
        words = "The database has no connection or no space left."
    elif state in _NOT_NOW:
        words = _NOT_NOW[state]
    elif isinstance(error, TimeoutError):
        words = _NOT_NOW["57014"]
    elif state.startswith("40"):
        words = "Others kept changing the same rows."
    else:
        words = "The database cannot be reached."
    return StoreUnavailable(f"{words} Try again in a moment.", reason=state or type(error).__name__)


def is_unkeepable(error: BaseException) -> bool:
    """Whether the values themselves cannot be kept: a NUL, half of a surrogate pair, a number out of range."""
    if isinstance(error, UnicodeError | OverflowError):
        return True
    if not isinstance(error, DBAPIError) or error.connection_invalidated:
        return False
    driver = getattr(error.orig, "__cause__", None)
    return (
        isinstance(error.orig, ValueError)
        or isinstance(driver, ValueError)
        or sql_state(error).startswith("22")
    )


def is_passing(error: DBAPIError) -> bool:
    """Whether the same statement may work in a moment: it says nothing about what was asked."""
    return postgres_trouble(error) is not None or sqlite_code(error) in _SQLITE
