"""Tokens at the door: what one is good for, and why one is refused."""

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Final

from fastapi import Request

from softrail.api.failures import TokenExpired, Unauthorized
from softrail.api.memory import Memory
from softrail.core.clock import now
from softrail.core.commits import AccessKey
from softrail.core.errors import Forbidden, TokensOff
from softrail.core.people import Person
from softrail.core.ports import Store
from softrail.core.tokens import Token, read, sign

#: What a page may do with a token: talk. The first part of a route's path, and the methods it takes then.
_TALK: Final = frozenset({"converse", "sessions", "agui", "api"})
_LOOK: Final = frozenset({"me", "processes", "projects", "artifacts"})
_NEVER: Final = frozenset({"/me/export"})  #: everything at once is more than a page needs


class Tokens:
    """Makes tokens and knows them again. Nothing is kept: any worker with the same secrets knows them."""

    def __init__(self, store: Store, secrets: Sequence[str], allowed_origins: Collection[str]) -> None:
        self._store = store
        self._secrets = secrets
        self._origins = frozenset(allowed_origins)
        self._owners: Memory[Person] = Memory()

    def make(self, person: Person, key: AccessKey, origin: str | None, seconds: int) -> tuple[str, Token]:
        """A token for that person, as it is handed out and as it is; `check` has let it."""
        expires = now().replace(microsecond=0) + timedelta(seconds=seconds)
        token = Token(person_id=person.id, key_hash=key.hash, origin=origin, expires_at=expires)
        return sign(token, self._secrets[0]), token

    def check(self, origin: str | None) -> None:
        """Raises TokensOff without a secret, Forbidden for pages that may not use this server."""
        if not self._secrets:
            raise TokensOff("This server signs no tokens: its operator has to set SOFTRAIL_SECRET_KEY.")
        if origin is not None and origin not in self._origins:
            raise Forbidden(
                f"Pages of {origin} may not use this server. SOFTRAIL_ALLOWED_ORIGINS lists those that may."
            )

    async def owner(self, text: str, request: Request) -> Person:
        """For whom the token speaks. Raises Unauthorized, TokenExpired or Forbidden."""
        token = read(text, self._secrets)
        if token is None:
            raise _unknown()
        if token.expires_at <= now():
            raise TokenExpired("This token has expired. Ask your own server for a new one.")
        origin = request.headers.get("origin")
        if token.origin is not None and origin != token.origin:
            raise Forbidden(f"This token is for pages of {token.origin} alone.")
        _only_for_talking(request)
        person = self._owners.get(text)
        if person is None:
            stands = await self._store.keys_in_use([token.key_hash])
            person = await self._store.person(token.person_id) if stands else None
            if person is None:
                raise _unknown()
            self._owners.put(text, person)
        return person

    async def still(self, texts: Collection[str]) -> Collection[str]:
        """Those of the tokens that would be let in now."""
        known = {text: read(text, self._secrets) for text in texts}
        good = {text: one for text, one in known.items() if one is not None and one.expires_at > now()}
        stand = set(await self._store.keys_in_use({token.key_hash for token in good.values()}))
        return [text for text, token in good.items() if token.key_hash in stand]

    def forget(self, person_id: str) -> None:
        """Drop what is remembered of a person: they were changed or erased."""
        self._owners.drop(lambda person: person.id == person_id)


def _only_for_talking(request: Request) -> None:
    path: str = request.scope["route"].path
    first = path.split("/")[1]
    reads = request.method in ("GET", "HEAD") and first in _LOOK and path not in _NEVER
    if first not in _TALK and not reads:
        raise Forbidden("A token is for talking. This needs an access key, which no page should have.")


def _unknown() -> Unauthorized:
    return Unauthorized(
        "This token is not valid here: it was not made by this server, was changed, or has been taken back."
    )
