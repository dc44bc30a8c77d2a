"""Who may look into everybody's conversations; for everybody else there is nothing there."""

import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Request, Response
from starlette.exceptions import HTTPException

from softrail.api.asking import IdentityDependency, People
from softrail.api.failures import SoftrailRoute
from softrail.api.limits import RateLimit
from softrail.api.origins import Origins
from softrail.core.border import is_id
from softrail.core.errors import NotFound
from softrail.core.people import Person
from softrail.replay.sandbox import Sandboxes
from softrail.store.inspecting import Conversations, Seen
from softrail.turns.dispatcher import Dispatcher

log = logging.getLogger("softrail.api.inspect")

METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")

#: Says whether this is local mode, where there are sandboxes.
IsLocal = Callable[[], Awaitable[bool]]


async def nowhere() -> bool:
    """In an application that is not ours there is no local mode."""
    return False


@dataclass(frozen=True, kw_only=True)
class Inspecting:
    """Who may look, and whether sandboxes may be opened."""

    asking: Callable[..., Awaitable[Person]]
    is_local: IsLocal = nowhere
    sandboxes: Sandboxes = field(default_factory=Sandboxes)  #: to be closed with the server

    @property
    def person(self) -> Any:
        """The dependency that gives the person who looks; else there is nothing there."""
        return Depends(self.asking)

    async def has_sandboxes(self, dispatcher: Dispatcher) -> bool:
        """Sandboxes may be opened: this is local mode, and it is known how the application was made."""
        return dispatcher.again is not None and await self.is_local()


def inspecting(
    inspector: IdentityDependency,
    people: People,
    limit: RateLimit,
    origins: Origins,
    *,
    is_local: IsLocal = nowhere,
) -> Inspecting:
    """What the inspector's routes ask of whoever comes; `inspector` gives a Person or an e-mail address, or raises."""

    async def person(request: Request, found: Annotated[Any, Depends(inspector)]) -> Person:
        if not found:
            raise HTTPException(404)
        request.state.inspects = True
        origins.check(request)
        who = found if isinstance(found, Person) else await people.of(str(found))
        await limit.check(who.id)
        return who

    return Inspecting(asking=person, is_local=is_local)


class HiddenRoute(SoftrailRoute):
    """A route that is answered as an unknown path is, unless it has been settled that one may look."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler; what the application answers where there is nothing, it answers here."""
        handle = super().get_route_handler()

        async def hidden(request: Request) -> Response:
            answer = await handle(request)
            if answer.status_code < 500 and not getattr(request.state, "inspects", False):
                raise HTTPException(404)
            return answer

        return hidden


def hide_the_rest(router: APIRouter) -> None:
    """Every other method and path below is unknown, too, and says so: which methods there are tells what there is."""

    @router.api_route("/inspect", methods=list(METHODS), include_in_schema=False)
    @router.api_route("/inspect/{rest:path}", methods=list(METHODS), include_in_schema=False)
    async def unknown() -> None:
        raise HTTPException(404)


async def seen_by(person: Person, everything: Conversations, session_id: str) -> Seen:
    """That session, whosever it is; a look into another person's is written down. Raises NotFound where there is none."""
    seen = await everything.session(session_id) if is_id(session_id) else None
    if seen is None:
        raise NotFound()
    if person.id != seen.person.id:
        log.info("inspected session=%s of=%s by=%s", session_id, seen.person.id, person.id)
    return seen
