"""What the companion says of its own accord, shown when it is said: a plan is over, something came from outside."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from softrail.cli.console import Console
from softrail.cli.watching import PlanWatch
from softrail.core.commits import Item
from softrail.core.people import Person
from softrail.core.sessions import Session

if TYPE_CHECKING:
    from softrail.turns.dispatcher import Dispatcher

APPROVE: Final = "approve"  #: the kind of the question about a plan


class Hearing:
    """Listens to a session for one person at one terminal."""

    def __init__(
        self, application: "Dispatcher", person: Person, console: Console, watch: PlanWatch | None
    ) -> None:
        self._application = application
        self._person = person
        self._console = console
        self._watch = watch
        self._seen = 0  #: the number of the last item that was shown

    async def resumed(self, session_id: str) -> None:
        """A session is gone on with: what is open in it is asked again, and what comes from now on is said."""
        here = await self._application.store.session(self._person.id, session_id)
        if here is not None:
            self._seen = here.next_seq - 1
            if here.pending is not None:
                self._console.tell(here.pending.question.prompt)
            self._ask(here)

    async def answered(self, session_id: str, seq: int) -> None:
        """The turn of that number is answered: what was said of its own accord before it is told first."""
        if self._seen:
            await self._told(session_id, before=seq)
        self._seen = seq + 1  # its answer, which is shown as a reply

    async def tell(self, session_id: str | None) -> None:
        """Say each item that comes, until this is cancelled."""
        if session_id is None or not self._seen:
            return  # nothing was said here yet
        with self._application.watched.watch(session_id):
            while True:
                news = asyncio.create_task(self._application.notifier.wait(session_id))
                try:
                    await asyncio.sleep(0)  # it listens before it is looked
                    await self._told(session_id)
                    await news
                finally:
                    news.cancel()

    async def _told(self, session_id: str, before: int | None = None) -> None:
        # The question before the items: one that is newer than they are was not shown, and nobody agrees to it.
        here = await self._application.store.session(self._person.id, session_id)
        items = await self._application.store.items(self._person.id, session_id=session_id, after=self._seen)
        found = [one for one in items if before is None or one.seq < before]
        if any(one.role == "companion" for one in found):
            if self._watch is not None:
                await self._watch.look(session_id)  # steps end before their plan does
            self._show(found, here)

    def _show(self, found: Sequence[Item], here: Session | None) -> None:
        for item in found:
            self._seen = item.seq
            if item.role == "companion":
                self._console.tell(item.content)
        self._ask(here)

    def _ask(self, here: Session | None) -> None:
        pending = here.pending if here is not None else None
        approval = pending is not None and pending.question.kind == APPROVE
        self._console.asked(pending.id if pending is not None and approval else None)

    async def runs(self, session_id: str | None) -> bool:
        """A plan is being carried out in the session."""
        from softrail.plans.work import Plans

        plans = self._application.registry.find_service(Plans)
        return plans is not None and session_id is not None and await plans.phase(session_id) == "executing"
