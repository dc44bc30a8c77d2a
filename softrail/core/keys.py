"""Access keys: made once, shown once, kept only as a hash."""

import hashlib
import secrets
from typing import Final

PREFIX: Final = "sr_"


def new_key() -> str:
    """A new access key: 256 random bits that nobody can guess."""
    return PREFIX + secrets.token_urlsafe(32)


def hash_key(key: str) -> str:
    """What is kept of a key. It is random and long, so one plain SHA-256 is as good as a slow hash."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
