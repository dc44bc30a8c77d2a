"""Log lines as JSON, one object a line, so that nothing a person types can forge a line."""

import json
import logging
from datetime import UTC, datetime
from typing import Any, Final

#: What every LogRecord has; anything else was given as `extra=` and belongs into the line.
_USUAL: Final = frozenset(vars(logging.makeLogRecord({}))) | {
    "message",
    "asctime",
    "taskName",
    "color_message",
}


class JsonLines(logging.Formatter):
    """Writes each record as one line of JSON."""

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

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is logging's
        """The line, with every line break of its message escaped."""
        record.message = record.message.replace("\r", "\\r").replace("\n", "\\n")
        return super().formatMessage(record)
