"""Who is asking: an access key, or in local mode the one person of this machine."""

import hmac
from typing import Final
from urllib.parse import urlsplit

from fastapi import Request
from fastapi.openapi.models import HTTPBearer as BearerModel
from fastapi.security.base import SecurityBase

from softrail.api.asking import People
from softrail.api.failures import Unauthorized
from softrail.api.memory import Memory
from softrail.core.errors import BadRequest
from softrail.core.hosts import is_loopback
from softrail.core.keys import hash_key
from softrail.core.people import Person, clean_email
from softrail.core.ports import Store

PERSON_HEADER: Final = "x-softrail-person"
LONGEST_KEY: Final = 512


class Identity(SecurityBase):
    """The identity dependency of `softrail serve`: gives the Person who asks or raises Unauthorized.

    As soon as one access key exists, every request needs one. Until then this is local mode: one local person,
    and the header `X-Softrail-Person` may pick another.
    """

    def __init__(self, store: Store, *, local_person: str, people: People | None = None) -> None:
        self.model = BearerModel(description="An access key made with `softrail keys create --person EMAIL`.")
        self.scheme_name = "AccessKey"
        self._store = store
        self._local_person = clean_email(local_person)
        self._people = people or People(store)
        self._by_key: Memory[Person] = Memory()
        self._keyed: Memory[bool] = Memory()

    async def __call__(self, request: Request) -> Person:
        """The person behind the request."""
        given = request.headers.get("authorization")
        if given is not None:
            scheme, _, key = given.strip().partition(" ")
            return await self._by_access_key(scheme, key.strip())
        if await self.keyed():
            raise _unauthorized()
        _only_from_here(request)
        try:
            return await self._people.of(request.headers.get(PERSON_HEADER) or self._local_person)
        except BadRequest as error:
            raise BadRequest(error.message, field="X-Softrail-Person") from None

    async def keyed(self) -> bool:
        """An access key was made, revoked or not. Once seen it stays so: revoking all keys opens nothing."""
        known = self._keyed.get("keyed")
        if known is None:
            known = bool(await self._store.keys())
            self._keyed.put("keyed", known, lasting=known)
        return known

    def forget(self, person_id: str) -> None:
        """Drop what is remembered of a person: they were changed or erased."""
        self._by_key.drop(lambda person: person.id == person_id)
        self._people.forget(person_id)

    async def _by_access_key(self, scheme: str, key: str) -> Person:
        if scheme.lower() != "bearer" or not key or len(key) > LONGEST_KEY:
            raise _unauthorized()
        digest = hash_key(key)
        person = self._by_key.get(digest)
        if person is not None:
            return person
        found = await self._store.key_by_hash(digest)
        if found is None or found.revoked_at is not None or not hmac.compare_digest(found.hash, digest):
            raise _unauthorized()
        person = found.person or await self._store.person(found.person_id)
        if person is None:
            raise _unauthorized()
        self._by_key.put(digest, person)
        return person


def _unauthorized() -> Unauthorized:
    return Unauthorized("Send an access key: Authorization: Bearer KEY.")


def _only_from_here(request: Request) -> None:
    """Local mode trusts the machine, not every page its browser shows: another site's page is refused."""
    origin = request.headers.get("origin")
    foreign = origin is not None and not is_loopback(_host(origin))
    host = _host(f"//{request.headers.get('host', '')}")
    # A public name that was made to point here has a dot; "localhost" and a test's own name have none.
    if foreign or ("." in host and not is_loopback(host)):
        raise Unauthorized("Without an access key this server answers only its own machine.")


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""
