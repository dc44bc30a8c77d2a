"""Seals people's model keys, so that the database alone gives none away; the only door to cryptography."""

import base64
from collections.abc import Sequence
from typing import Final

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

_PURPOSE: Final = b"softrail model key\0"


class Vault:
    """Seals texts with the first of its secrets and opens what any of them has sealed.

    Every owner has a key derived for them alone: what was sealed for one person does not open as another's, even if
    somebody moves it there in the database.
    """

    def __init__(self, secrets: Sequence[str]) -> None:
        if not secrets:
            raise ValueError("a vault needs a secret")
        self._secrets = tuple(secrets)

    def seal(self, owner: str, text: str) -> str:
        """`text` as it may be stored; sealing it twice gives two different results."""
        return self._of(owner).encrypt(text.encode()).decode("ascii")

    def open(self, owner: str, sealed: str) -> str | None:
        """What was sealed for that owner; None when none of the secrets fits."""
        try:
            return self._of(owner).decrypt(sealed.encode()).decode()
        except (InvalidToken, ValueError):
            return None

    def _of(self, owner: str) -> MultiFernet:
        return MultiFernet([Fernet(_derived(secret, owner)) for secret in self._secrets])


def _derived(secret: str, owner: str) -> bytes:
    derive = HKDF(algorithm=SHA256(), length=32, salt=None, info=_PURPOSE + owner.encode())
    return base64.urlsafe_b64encode(derive.derive(secret.encode()))
