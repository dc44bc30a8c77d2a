"""How the plan of the session that is talked in stands, shown whenever something of it may have changed."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from softrail.cli.plan_status import PlanStatus, status_in
from softrail.core.errors import ServiceError

if TYPE_CHECKING:
    from softrail.plans.work import Plans
    from softrail.turns.dispatcher import Dispatcher

ELSEWHERE: Final = 1.0  #: seconds until another look while something is done, which may be on another worker


class PlanWatch:
    """Looks at the plan of one session after the other, for one terminal."""

    def __init__(
        self, application: "Dispatcher", show: Callable[[PlanStatus], None], tell: Callable[[str], None]
    ) -> None:
        self._application = application
        self._show = show
        self._tell = tell
        self._followed: str | None = None  #: the session that is watched
        self._session_id: str | None = None  #: the session that was looked at last
        self._status = PlanStatus()
        self._told: set[int] = set()  #: steps of the run of whose end nobody need hear any more
        self._looking = asyncio.Lock()
        self._following: asyncio.Task[None] | None = None

    @property
    def _plans(self) -> "Plans | None":
        from softrail.plans.work import Plans

        return self._application.registry.find_service(Plans)

    def begin(self, session_id: str | None) -> None:
        """Watch this session from now on; None: none is open yet."""
        if self._plans is None:
            return
        if session_id is None:
            self._show(self._status)
        elif session_id != self._followed:
            self._end()
            self._followed = session_id
            self._following = asyncio.create_task(self._follow(session_id), name="softrail-plan-watch")

    async def end(self) -> None:
        """Watch nothing any more."""
        following = self._end()
        if following is not None:
            await asyncio.wait({following})

    def _end(self) -> asyncio.Task[None] | None:
        following, self._following = self._following, None
        if following is not None:
            following.cancel()
        return following

    async def look(self, session_id: str) -> PlanStatus:
        """How the plan stands now, which is shown; steps that have ended are told first, each once."""
        plans = self._plans
        if plans is None:
            return self._status
        async with self._looking:
            with contextlib.suppress(ServiceError):  # the line stays as it was until the store is back
                status = await status_in(plans, session_id)
                if session_id != self._session_id:
                    self._told = {n for n, _ in status.done}
                elif status.run_id != self._status.run_id:
                    self._told = set()
                self._session_id, self._status = session_id, status
                self._tell_ended(status)
                self._show(status)
        return self._status

    def _tell_ended(self, status: PlanStatus) -> None:
        for n, name in status.done:
            if n not in self._told:
                self._told.add(n)
                self._tell(" ".join(f"✓ step {n}/{status.steps} {name}".split()))

    async def _follow(self, session_id: str) -> None:
        """Look whenever something is told, or committed, there."""
        application = self._application
        with application.progress.follow(session_id) as progress, application.watched.watch(session_id):
            while True:
                committed = asyncio.create_task(application.notifier.wait(session_id))
                told = asyncio.create_task(progress.news.wait())
                try:
                    await asyncio.sleep(0)  # it listens before it looks
                    progress.take()
                    status = await self.look(session_id)
                    limit = ELSEWHERE if status.working else None
                    await asyncio.wait({committed, told}, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    committed.cancel()
                    told.cancel()
