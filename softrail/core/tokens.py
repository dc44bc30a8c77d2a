"""Tokens for pages: short-lived, for one person, signed and not kept. A page has one where it must never have a key."""

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final

PREFIX: Final = "srt_"
LONGEST: Final = 900  #: seconds that a token is good for, at most
_LONGEST_TEXT: Final = 1024
_PURPOSE: Final = (
    b"softrail token 1"  #: the same secret seals other things: what it signs here is nothing else
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Token:
    """For whom it speaks, which access key made it, from which pages it may come, and until when."""

    person_id: str
    key_hash: str  #: as the key is kept; a token is worth nothing once that key was taken back
    origin: str | None  #: of the pages that may use it; None: whoever has it
    expires_at: datetime


def sign(token: Token, secret: str) -> str:
    """The token as it is handed out: everybody can read it, nobody can change it."""
    told = [token.person_id, token.key_hash, token.origin, int(token.expires_at.timestamp())]
    body = json.dumps(told, separators=(",", ":")).encode()
    return f"{PREFIX}{_text(body)}.{_text(_mac(body, secret))}"


def is_token(text: str) -> bool:
    """It says that it is one, true or not."""
    return text.startswith(PREFIX)


def read(text: str, secrets: Sequence[str]) -> Token | None:
    """The token, when one of the secrets signed it as it stands; expired or not."""
    if len(text) > _LONGEST_TEXT or not text.isascii():
        return None
    try:
        body, mac = (urlsafe_b64decode(f"{part}===") for part in text.removeprefix(PREFIX).split("."))
    except ValueError:
        return None
    if not any(hmac.compare_digest(_mac(body, secret), mac) for secret in secrets):
        return None
    person_id, key_hash, origin, expires = json.loads(body)
    return Token(
        person_id=person_id,
        key_hash=key_hash,
        origin=origin,
        expires_at=datetime.fromtimestamp(expires, UTC),
    )


def _mac(body: bytes, secret: str) -> bytes:
    key = hmac.digest(secret.encode(), _PURPOSE, sha256)
    return hmac.digest(key, body, sha256)


def _text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()
