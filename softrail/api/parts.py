"""What every group of routes is handed."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from fastapi import APIRouter, Depends

from softrail.api.asking import Asking
from softrail.api.direct import DirectRoute
from softrail.api.failures import documented
from softrail.api.limits import RateLimit, Streams
from softrail.api.standing import Follow, for_ever
from softrail.core.border import checked, is_id
from softrail.core.errors import NotFound
from softrail.core.files import UPLOAD_LIMIT
from softrail.core.people import Person
from softrail.core.ports import Project, Store
from softrail.core.sessions import Session
from softrail.core.turns import Request
from softrail.turns.dispatcher import Dispatcher

T = TypeVar("T")

STREAM_LIMIT: Final = 1000


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The dispatcher, who is asking, and how much may come in."""

    dispatcher: Dispatcher
    asking: Asking
    body_limit: int
    forget: Callable[[str], None]  #: a person was changed or erased: drop what is remembered of them
    upload_limit: int = UPLOAD_LIMIT  #: of one file
    limit: RateLimit = field(default_factory=lambda: RateLimit(0))  #: how often a person may ask
    follow: Follow = for_ever  #: tells an event stream when its access is taken back
    streams: Streams = field(default_factory=lambda: Streams(STREAM_LIMIT))  #: how many a person has open

    @property
    def door_limit(self) -> int:
        """Of a body that may hold a file in base64, which takes a third more."""
        return self.body_limit + self.upload_limit * 4 // 3

    @property
    def store(self) -> Store:
        """Where things are read."""
        return self.dispatcher.store

    @property
    def reply(self) -> Any:
        """The form of a reply, with the fields that plugins add: for the OpenAPI document."""
        return self.dispatcher.parts.reply.model

    @property
    def person(self) -> Any:
        """The dependency that gives the person who asks."""
        return Depends(self.asking)

    def service(self, wanted: type[T]) -> T:
        """A service of the application; raises DefinitionError when there is none."""
        return self.dispatcher.registry.service(wanted)

    async def own_session(self, person: Person, session_id: str) -> Session:
        """That session; raises NotFound when it is not the person's, exactly as when there is none."""
        session = await self.store.session(person.id, session_id) if is_id(session_id) else None
        if session is None:
            raise NotFound()
        return session

    async def own_project(self, person: Person, project_id: str) -> Project:
        """That project; raises NotFound when the person is not in it, exactly as when there is none."""
        projects = self.dispatcher.parts.projects
        project = await projects.get(person.id, project_id) if projects and is_id(project_id) else None
        if project is None:
            raise NotFound()
        return project

    async def say(self, person: Person, session_id: str, message: str, *, turn_id: str | None = None) -> str:
        """Say something in a session for the person, as a turn of theirs; the reply as JSON. Rights come first."""
        request = Request(message=message, session_id=session_id, turn_id=turn_id)
        return await self.dispatcher.converse(checked(request), person)

    def router(self, tag: str, *statuses: int, of_stream: bool = False) -> APIRouter:
        """A router whose errors have our shape; every route knows 401, 429 and 503, and these."""
        responses = documented(401, *statuses, 429, 503, of_stream=of_stream)
        return APIRouter(route_class=DirectRoute, tags=[tag], responses=responses)
