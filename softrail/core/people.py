"""Who talks."""

from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from softrail.core.errors import BadRequest

LONGEST_EMAIL: Final = 254


@dataclass(frozen=True, kw_only=True, slots=True)
class Person:
    """One person; the session and everything said in it belong to them."""

    id: str
    email: str
    display_name: str | None = None
    companion_name: str | None = None  #: what they call the companion; None: as the settings say
    timezone: str = "UTC"  #: an IANA name; unknown is UTC
    locale: str = "en"
    has_model_key: bool = False  #: a model key of their own is kept, sealed

    @property
    def zone(self) -> ZoneInfo:
        """The person's zone, for reading dates and telling times."""
        try:
            return ZoneInfo(self.timezone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return ZoneInfo("UTC")


def clean_email(text: str) -> str:
    """The address as it is kept: without outer space, in small letters. Raises BadRequest when it is none."""
    email = text.strip().casefold()
    name, at, host = email.partition("@")
    printable = email.isprintable() and not any(c.isspace() for c in email)
    if not (name and at and host) or "@" in host or not printable or len(email) > LONGEST_EMAIL:
        raise BadRequest("That is no e-mail address; one looks like ada@example.org.", field="email")
    return email
