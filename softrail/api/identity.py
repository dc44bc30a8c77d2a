"""Who is asking: an access key, or in local mode the one person of this machine.

Which of the two holds is a fact that the database keeps, or a setting; never whether there happen to be rows of keys.
"""

import asyncio
import hmac
import re
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Final
from urllib.parse import urlsplit

from fastapi import Request
from fastapi.openapi.models import HTTPBearer as BearerModel
from fastapi.security.base import SecurityBase

from softrail.api.asking import OwnIdentity, People
from softrail.api.failures import Unauthorized
from softrail.api.memory import Memory
from softrail.api.standing import LOOK_EVERY, Standing
from softrail.api.tokens import Tokens
from softrail.core.commits import AccessKey
from softrail.core.errors import BadRequest, Forbidden
from softrail.core.hosts import host_of, is_listed, is_loopback
from softrail.core.keys import Right, hash_key
from softrail.core.people import Person, clean_email
from softrail.core.ports import Store
from softrail.core.tokens import is_token
from softrail.settings import Access

PERSON_HEADER: Final = "x-softrail-person"
LONGEST_KEY: Final = 512
NO_KEY: Final = ""  #: the credential of local mode
#: Names of headers that proxies, tunnels and networks add to a request that they hand on.
HANDED_ON: Final = re.compile(
    rb"forward|proxy|client[-_]?ip|real[-_]ip|user[-_]ip|original[-_]|external[-_]address|^(?:x[-_])?scheme$"
    rb"|^(?:via|front-end-https)$|^(?:cdn|cf|fastly|fly|ngrok|tailscale|surrogate)-"
    rb"|^x-(?:amzn|appengine|arr|azure|envoy|nf|varnish|vercel)\b"
)
#: What web servers that hand requests on speak unless they are told otherwise; no browser, and hardly a program, does.
OF_PROXIES: Final = "1.0"


class Identity(OwnIdentity):
    """The identity dependency of `softrail serve`: gives the Person who asks or raises Unauthorized.

    From the first access key on, every request needs one, whatever becomes of that key. Until then this is local
    mode: one local person, asking from this machine itself, and the header `X-Softrail-Person` may pick another.
    `access` may settle it beforehand. `hosts` are names of this machine besides its own. `tokens` knows what pages
    have in place of a key.
    """

    def __init__(
        self,
        store: Store,
        *,
        local_person: str,
        access: Access = "auto",
        people: People | None = None,
        hosts: Sequence[str] = (),
        tokens: Tokens | None = None,
        look_every: float = LOOK_EVERY,
    ) -> None:
        self.model = BearerModel(description="An access key made with `softrail keys create --person EMAIL`.")
        self.scheme_name = "AccessKey"
        self._store = store
        self._access = access
        self._local_person = clean_email(local_person)
        self._people = people or People(store)
        self._by_key: Memory[AccessKey] = Memory()
        self._hosts = hosts
        self._keyed: Memory[bool] = Memory()
        self.tokens = tokens or Tokens(store, (), ())
        self._standing = Standing(self._still, every=look_every)

    async def __call__(self, request: Request) -> Person:
        """The person behind the request."""
        given = request.headers.get("authorization")
        if given is not None:
            scheme, key = _credential(given)
            if scheme == "bearer" and is_token(key):
                return await self.tokens.owner(key, request)
            return _owner(await self._by_access_key(scheme, key))
        if await self.keyed():
            raise _unauthorized()
        _only_from_here(request, self._hosts)
        try:
            return await self._people.of(request.headers.get(PERSON_HEADER) or self._local_person)
        except BadRequest as error:
            raise BadRequest(error.message, field="X-Softrail-Person") from None

    async def may_inspect(self, request: Request) -> Person:
        """Who asks, where they may look into everybody's conversations; else raises Unauthorized.

        In local mode everybody may who asks from this machine; else it is a right of the access key.
        """
        given = request.headers.get("authorization")
        if given is None:
            return await self(request)
        found = await self._by_access_key(*_credential(given))
        if Right.INSPECT not in found.rights:
            raise _unauthorized()
        return _owner(found)

    async def maker(self, request: Request) -> AccessKey:
        """The access key that asks, where it has the right to make tokens; else raises Unauthorized or Forbidden."""
        found = await self._by_access_key(*_credential(request.headers.get("authorization") or ""))
        if Right.TOKENS not in found.rights:
            raise Forbidden(
                "This access key may make no tokens. One that may: softrail keys create --person EMAIL --right tokens."
            )
        return found

    async def local(self) -> bool:
        """This is local mode."""
        return not await self.keyed()

    async def keyed(self) -> bool:
        """Every request needs an access key."""
        if self._access != "auto":
            return self._access == "keys"
        known = self._keyed.get("keyed")
        if known is None:
            known = await self._store.keyed()
            self._keyed.put("keyed", known, lasting=known)
        return known

    def follow(self, request: Request) -> "AbstractContextManager[asyncio.Future[None] | None]":
        """Within the block the future is done once the request would not be let in any more; for event streams."""
        given = request.headers.get("authorization")
        if given is None:
            return self._standing.follow(NO_KEY)
        _, key = _credential(given)
        return self._standing.follow(key if is_token(key) else hash_key(key))

    async def _still(self, credentials: Collection[str]) -> Collection[str]:
        tokens = [one for one in credentials if is_token(one)]
        keys = [one for one in credentials if one != NO_KEY and not is_token(one)]
        stand = set(await self._store.keys_in_use(keys)) if keys else set()
        if tokens:
            stand.update(await self.tokens.still(tokens))
        if NO_KEY in credentials and not await self.keyed():
            stand.add(NO_KEY)
        return stand

    def forget(self, person_id: str) -> None:
        """Drop what is remembered of a person: they were changed or erased."""
        self._by_key.drop(lambda key: key.person_id == person_id)
        self._people.forget(person_id)
        self.tokens.forget(person_id)

    async def _by_access_key(self, scheme: str, key: str) -> AccessKey:
        if scheme != "bearer" or not key or len(key) > LONGEST_KEY:
            raise _unauthorized()
        digest = hash_key(key)
        known = self._by_key.get(digest)
        if known is not None:
            return known
        found = await self._store.key_by_hash(digest)
        if found is None or found.revoked_at is not None or not hmac.compare_digest(found.hash, digest):
            raise _unauthorized()
        person = found.person or await self._store.person(found.person_id)
        if person is None:
            raise _unauthorized()
        found = replace(found, person=person)
        self._by_key.put(digest, found)
        return found


class Inspectors(SecurityBase):
    """The inspector dependency of `softrail serve`: gives the Person who may look, or raises Unauthorized."""

    def __init__(self, identity: Identity) -> None:
        self.model, self.scheme_name = identity.model, identity.scheme_name
        self._identity = identity

    async def __call__(self, request: Request) -> Person:
        """The person behind the request."""
        return await self._identity.may_inspect(request)


def _credential(header: str) -> tuple[str, str]:
    """The scheme, in small letters, and what follows it."""
    scheme, _, credential = header.strip().partition(" ")
    return scheme.lower(), credential.strip()


def _owner(key: AccessKey) -> Person:
    assert key.person is not None  # noqa: S101 - it is kept with its person
    return key.person


def _unauthorized() -> Unauthorized:
    return Unauthorized("Send an access key: Authorization: Bearer KEY.")


def _only_from_here(request: Request, hosts: Sequence[str]) -> None:
    """Local mode trusts the machine: not what a proxy on it hands on, nor every page that its browser shows."""
    peer, headers = request.client, request.headers
    origins, host = headers.getlist("origin"), host_of(headers.get("host", ""))
    here = (
        peer is not None
        and is_loopback(peer.host)
        and request.scope.get("http_version") != OF_PROXIES
        and not any(HANDED_ON.search(name) for name, _ in headers.raw)
        and (is_loopback(host) or is_listed(host, hosts))  # no name that somebody else made to point here
        and all(is_loopback(_host(origin)) for origin in origins)
    )
    if not here:
        raise Unauthorized("Without an access key this server answers only its own machine, asked directly.")


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""
