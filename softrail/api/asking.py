"""From an identity dependency, ours or a team's own, to the Person who asks."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import Depends, Request

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


def asking(identity: IdentityDependency, people: People, limit: RateLimit, origins: Origins) -> Asking:
    """A dependency that gives the Person; `identity` may give a Person or just an e-mail address."""

    async def person(request: Request, found: Annotated[Any, Depends(identity)]) -> Person:
        origins.check(request)
        who = found if isinstance(found, Person) else await people.of(str(found))
        await limit.check(who.id)
        return who

    return person
