"""What the companion says of its own accord, shown when it is said: a plan is over, something came from outside."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from softrail.core.people import Person

if TYPE_CHECKING:
    from softrail.turns.dispatcher import Dispatcher


class Hearing:
    """Listens to a session for one person at one terminal."""

    def __init__(self, application: "Dispatcher", person: Person) -> None:
        self._application = application
        self._person = person
        self._seen = 0  #: the number of the last item that was shown

    async def answered(self, session_id: str, seq: int, say: Callable[[str], None]) -> None:
        """The turn of that number is answered: what was said of its own accord before it is told first."""
        if self._seen:
            await self._told(session_id, say, before=seq)
        self._seen = seq + 1  # its answer, which is shown as a reply

    async def tell(self, session_id: str | None, say: Callable[[str], None]) -> None:
        """Say each item that comes, until this is cancelled."""
        if session_id is None or not self._seen:
            return  # nothing was said here yet
        with self._application.watched.watch(session_id):
            while True:
                news = asyncio.create_task(self._application.notifier.wait(session_id))
                try:
                    await asyncio.sleep(0)  # it listens before it is looked
                    await self._told(session_id, say)
                    await news
                finally:
                    news.cancel()

    async def _told(self, session_id: str, say: Callable[[str], None], before: int | None = None) -> None:
        found = await self._application.store.items(self._person.id, session_id=session_id, after=self._seen)
        for item in found:
            if before is not None and item.seq >= before:
                return
            self._seen = item.seq
            if item.role == "companion":
                say(item.content)

    async def runs(self, session_id: str | None) -> bool:
        """A plan is being carried out in the session."""
        from softrail.plans.records import standing
        from softrail.plans.work import Plans

        plans = self._application.registry.find_service(Plans)
        if plans is None or session_id is None:
            return False
        run = (await plans.store.read(lambda conn: standing(conn, session_id))).run
        return run is not None and run.state == "running"
