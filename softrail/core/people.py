"""Who talks."""

import re
from dataclasses import dataclass
from typing import Final
from unicodedata import normalize
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from softrail.core.errors import BadRequest

LONGEST_EMAIL: Final = 254

#: Characters that count as printable and show nothing: joiners, fillers, selectors of a variant.
_UNSEEN: Final = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")


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
    """The address as it is kept, and compared: without outer space, in small letters, its domain as IDNA has it.

    Raises BadRequest when it is none, or when it could be taken for somebody else's: a Kelvin sign is no k.
    """
    name, at, host = text.strip().partition("@")
    host = host.removesuffix(".")
    printable = text.strip().isprintable() and not any(c.isspace() for c in text.strip())
    if not (name and at and host) or "@" in host or not printable:
        raise _no_email()
    email = f"{_kept_name(name)}@{_kept_host(host)}"
    if len(email) > LONGEST_EMAIL:
        raise _no_email()
    return email


def _kept_name(name: str) -> str:
    if name.isascii():
        return name.lower()
    if any(normalize("NFKC", char) != char or _UNSEEN.match(char) for char in name):
        raise BadRequest(
            "That e-mail address has letters that are taken for others. Write it in plain letters.",
            field="email",
        )
    # Small letters and no more: folding would make one of two, such as ss of ß.
    return normalize("NFC", normalize("NFC", name).lower())


def _kept_host(host: str) -> str:
    if host.isascii() and "xn--" not in host.lower():
        return host.lower()
    import idna  # its tables are large, and seldom needed

    try:
        return idna.decode(idna.encode(host, uts46=True))
    except idna.IDNAError:
        raise _no_email() from None


def _no_email() -> BadRequest:
    return BadRequest("That is no e-mail address; one looks like ada@example.org.", field="email")
