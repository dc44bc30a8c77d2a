"""Log lines as JSON, one object a line, so that nothing a person types can forge a line."""

import json
import logging
import os
import traceback
from datetime import UTC, datetime
from typing import Any, Final

from softrail.core.errors import SoftrailError, StepFailed

#: What every LogRecord has; anything else was given as `extra=` and belongs into the line.
_USUAL: Final = frozenset(vars(logging.makeLogRecord({}))) | {
    "message",
    "asctime",
    "taskName",
    "color_message",
}


#: Libraries whose lines below a warning hold what they send, receive or look up: words of people, keys, rows.
TALKATIVE: Final = (
    "anthropic",
    "openai",
    "httpx",
    "httpx2",
    "httpcore",
    "httpcore2",
    "pydantic_ai",
    "sqlalchemy",
    "asyncpg",
    "dbos",
    "psycopg",
    "transitions",
)


class NoWordsOfPeople(logging.Filter):
    """Lets nothing below a warning through of libraries that log what they work with, whatever level they are set to."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line may be written."""
        return record.levelno >= logging.WARNING or record.name.partition(".")[0] not in TALKATIVE


def in_places(error: BaseException | None) -> str:
    """A traceback without the words of errors, which may be what a person said; those of our own are told.

    Not of `StepFailed`: it repeats what a plugin raised or returned.
    """
    lines: list[str] = []
    while error is not None:
        trace = traceback.format_tb(error.__traceback__)
        told = ["Traceback (most recent call last):\n", *trace, f"{_named(error)}\n"]
        within = [in_places(one) for one in error.exceptions] if isinstance(error, BaseExceptionGroup) else []
        before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        lines = [*told, *within, *([_AFTER] if lines else []), *lines]
        error = before
    return "".join(lines).rstrip("\n")


def _named(error: BaseException) -> str:
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    if isinstance(error, StepFailed):
        return f"{name}: {error.kind}"
    if isinstance(error, SoftrailError):
        return f"{name}: {error.message}"
    if isinstance(error, OSError) and isinstance(error.errno, int):
        return f"{name}: {os.strerror(error.errno)}"
    return name


_AFTER: Final = "\nAfter that:\n\n"


class JsonLines(logging.Formatter):
    """Writes each record as one line of JSON; with `words`, also what errors say, which may be what a person said."""

    def __init__(self, words: bool = False) -> None:
        super().__init__()
        self._words = words

    def formatException(self, ei: Any) -> str:  # noqa: N802 - the name is logging's
        """Where the error came from, and of our own errors what they say."""
        return super().formatException(ei) if self._words else in_places(ei[1])

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON; control characters are escaped by the encoding itself, all text as ASCII."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        line.update({k: v for k, v in vars(record).items() if k not in _USUAL})
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


class PlainLines(logging.Formatter):
    """Writes each record as one readable line; line breaks inside a message are escaped."""

    def __init__(self, words: bool = False) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._words = words

    def formatException(self, ei: Any) -> str:  # noqa: N802 - the name is logging's
        """Where the error came from, and of our own errors what they say."""
        return super().formatException(ei) if self._words else in_places(ei[1])

    def format(self, record: logging.LogRecord) -> str:
        """The line, and where its error came from."""
        kept, record.exc_text = record.exc_text, None  # what another handler made of the error is not ours
        try:
            return super().format(record)
        finally:
            record.exc_text = kept

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is logging's
        """The line, with every line break of its message escaped."""
        record.message = record.message.replace("\r", "\\r").replace("\n", "\\n")
        return super().formatMessage(record)
