"""From an identity dependency, ours or a team's own, to the Person who asks."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.security.base import SecurityBase

from softrail.api.limits import RateLimit
from softrail.api.memory import Memory
from softrail.api.origins import Origins
from softrail.core.clock import now
from softrail.core.ids import Ids, TimeOrderedIds
from softrail.core.people import Person, clean_email
from softrail.core.ports import Store

IdentityDependency = Callable[..., Any]
Asking = Callable[..., Awaitable[Person]]


class People:
    """People by e-mail address, made when first seen and remembered for a few seconds."""

    def __init__(self, store: Store, ids: Ids | None = None) -> None:
        self._store = store
        self._ids = ids or TimeOrderedIds()
        self._known: Memory[Person] = Memory()

    async def of(self, email: str) -> Person:
        """The person of that address. Raises BadRequest when it is none."""
        person = self._known.get(email)
        if person is None:
            person = await self._store.ensure_person(clean_email(email), id=self._ids.new(), at=now())
            self._known.put(email, person)
        return person

    def forget(self, person_id: str) -> None:
        """Drop what is remembered of a person: they were changed or erased."""
        self._known.drop(lambda person: person.id == person_id)


class OwnIdentity(SecurityBase):
    """An identity that depends on nothing but the request, and that no application replaces."""

    async def __call__(self, request: Request) -> Person:
        """The person behind the request."""
        raise NotImplementedError


class Asked(SecurityBase):
    """Asks such an identity itself: one more dependency is seventy calls of each request in FastAPI."""

    def __init__(self, identity: OwnIdentity, allowed: Callable[[Request, Any], Awaitable[Person]]) -> None:
        self.model, self.scheme_name = identity.model, identity.scheme_name
        self._identity = identity
        self._allowed = allowed

    async def __call__(self, request: Request) -> Person:
        """The person, once they may ask."""
        return await self._allowed(request, await self._identity(request))


def asking(identity: IdentityDependency, people: People, limit: RateLimit, origins: Origins) -> Asking:
    """A dependency that gives the Person; `identity` may give a Person or just an e-mail address."""

    async def allowed(request: Request, found: Any) -> Person:
        origins.check(request)
        who = found if isinstance(found, Person) else await people.of(str(found))
        await limit.check(who.id)
        return who

    async def person(request: Request, found: Annotated[Any, Depends(identity)]) -> Person:
        return await allowed(request, found)

    return Asked(identity, allowed) if isinstance(identity, OwnIdentity) else person
