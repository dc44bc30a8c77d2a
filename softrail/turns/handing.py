"""Hands parts and what came of them from one person's session to another's, each in a turn of its own."""

import asyncio
import logging
from collections.abc import Callable, Mapping

from softrail.core.assignments import ANSWERED, ASKED, PartRequest
from softrail.core.effects import OutboxItem
from softrail.core.errors import NotFound
from softrail.core.people import Person
from softrail.core.ports import Deliverer, Store
from softrail.core.signals import Result
from softrail.turns.running import RunningTurn

log = logging.getLogger(__name__)

Enter = Callable[[PartRequest, Person, str | None], RunningTurn]

PATIENCE = 5.0  #: seconds that a turn is waited for; once it is written down it runs without us


class Handing:
    """Delivers the effects by which a part is asked for and answered: again and again, until each has happened once."""

    def __init__(self, store: Store, enter: Enter) -> None:
        self._store = store
        self._enter = enter

    @property
    def deliverers(self) -> Mapping[str, Deliverer]:
        """By kind of effect."""
        return {ASKED: self._asked, ANSWERED: self._answered}

    async def _asked(self, item: OutboxItem) -> None:
        """Ask, in the newest session of the person of that address, or in one that is opened for it."""
        request = PartRequest.model_validate(item.payload)
        person = await self._store.person_by_email(request.part.to)
        if person is None:
            left = Result(process=request.part.process, left="nobody")
            await self._tell(PartRequest(news="result", part=request.part, result=left))
            return
        newest = await self._store.sessions(person.id, before=None, limit=1)
        # Gone meanwhile: NotFound. The next try finds another session, or nobody.
        await self._ended(self._enter(request, person, newest[0].id if newest else None))

    async def _answered(self, item: OutboxItem) -> None:
        await self._tell(PartRequest.model_validate(item.payload))

    async def _tell(self, request: PartRequest) -> None:
        """Tell whoever asked; where they, or their session, are gone, nobody is to be told."""
        caller = await self._store.instance(request.part.caller)
        person = await self._store.person(caller.person_id) if caller is not None else None
        if caller is None or person is None:
            return
        try:
            await self._ended(self._enter(request, person, caller.session_id))
        except NotFound:
            log.info("What came of part %s has nobody to be told to.", request.part.key)

    async def _ended(self, run: RunningTurn) -> None:
        """Returns when the turn has ended, or is written down and waits for its place."""
        await asyncio.wait({run.done}, timeout=PATIENCE)
        if run.done.done():
            run.done.result()
        else:
            await run.accepted()
