"""What a client is told.

ClientError
├── Refused    the server answered, and said no
└── NoAnswer   nothing came, or not the whole, however often it was tried
"""

from collections.abc import Mapping
from typing import Any, Final

#: Statuses after which the same request may be taken later.
PASSING: Final = frozenset({408, 429, 500, 502, 503, 504})


class ClientError(Exception):
    """A request brought no answer that is of use."""


class Refused(ClientError):
    """The server answered, and said no: `status`, its `code`, and what it says besides."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        details: Mapping[str, Any] | None = None,
        retry_after: float = 0.0,
    ) -> None:
        super().__init__(message or f"The server answered {status}.")
        self.status = status
        self.code = code
        self.details = dict(details or {})
        self.retry_after = retry_after  #: seconds that the server asks to be left alone
        fields = self.details.get("fields")
        first = fields[0] if isinstance(fields, list) and fields and isinstance(fields[0], dict) else {}
        self.path = str(
            first.get("field", "")
        )  #: of the first field that is not usable, "value.1" say; "" where it is none
        self.reason = str(
            first.get("reason", "")
        )  #: why, in words for people where it is a `value` that does not fit

    @property
    def passes(self) -> bool:
        """The same request may be taken later."""
        return self.status in PASSING


class NoAnswer(ClientError):
    """No whole answer came. A turn may have been said all the same: with `turn_id` it is asked for again, and said once."""

    def __init__(self, message: str, *, turn_id: str | None = None) -> None:
        super().__init__(message)
        self.turn_id = turn_id
