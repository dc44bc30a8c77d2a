"""Access keys: made once, shown once, kept only as a hash. And the words for people's own model keys."""

import hashlib
import secrets
from enum import StrEnum
from typing import Final, Literal

PREFIX: Final = "sr_"

#: Whose account a call of a language model is paid from.
Account = Literal["system", "person"]

#: What becomes of a person's own model key: there is none, their turns are paid with it, it is kept but cannot be
#: read with the server's present secret, or the server uses no model that takes keys.
KeyStanding = Literal["none", "used", "unreadable", "unused"]


class Right(StrEnum):
    """What an access key may be given besides what its person may."""

    INSPECT = "inspect"  #: look into everybody's conversations
    TOKENS = "tokens"  #: make tokens for the pages of an application, for any person


def new_key() -> str:
    """A new access key: 256 random bits that nobody can guess."""
    return PREFIX + secrets.token_urlsafe(32)


def hash_key(key: str) -> str:
    """What is kept of a key. It is random and long, so one plain SHA-256 is as good as a slow hash."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
