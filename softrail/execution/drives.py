"""What engines share: the runs that a worker sees to, its looks at its claims, its end."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

from softrail.core.errors import DefinitionError, SoftrailError
from softrail.core.execution import Claims, Host, Work
from softrail.execution.driven import LAST_WORDS, DrivenRun, Later

log = logging.getLogger(__name__)

BATCH: Final = 100


class Drives:
    """The runs that this worker sees to. How others come here is each engine's own: `_woken`, `_abandoned`, `_left`.

    Args:
        claims: Where runs are claimed.
        at_once: Runs that this worker drives at the same time; the others wait in order.
        look_every: Seconds between two looks for claims that were lost, wakes from other workers, and runs of
            workers that are gone.
        poll_every: Seconds between two rounds of `Work.left`, for whatever nobody was woken for.
        slowest_retry: Seconds that the pause after a failure grows to.
    """

    def __init__(
        self,
        claims: Claims,
        *,
        at_once: int = 4,
        look_every: float = 0.5,
        poll_every: float = 60.0,
        slowest_retry: float = 300.0,
    ) -> None:
        self._claims = claims
        self._at_once = at_once
        self._look_every = look_every
        self._poll_every = poll_every
        self._slowest_retry = slowest_retry
        self._works: Mapping[str, Work] = {}
        self._host: Host | None = None
        self._runs: dict[tuple[str, str], DrivenRun] = {}
        self._slots = asyncio.Semaphore(at_once)
        self._later: Later | None = None  #: how a run that failed is put off; None: it waits here
        self._looking: asyncio.Task[None] | None = None
        self._poll_at = 0.0  #: on the clock of the event loop
        self._stopping = False

    async def start(self, works: Mapping[str, Work], host: Host) -> None:
        """Begin to drive what is left, of each of these kinds."""
        self._works, self._host, self._stopping = dict(works), host, False
        self._slots = asyncio.Semaphore(self._at_once)
        self._poll_at = 0.0
        if works:
            self._looking = asyncio.create_task(self._live(), name="softrail-execution")

    def wake(self, kind: str, run_id: str) -> None:
        """There is something to do for a run; must be called in the event loop.

        Before the start, and while the worker stops, it is left to whoever polls next.
        """
        if self._host is None or self._stopping:
            return
        if kind not in self._works:
            known = ", ".join(sorted(self._works)) or "none"
            raise DefinitionError(
                f"There is no work of kind {kind!r} to drive. There is: {known}. Pass build(works={{{kind!r}: …}})."
            )
        run = self._runs.get((kind, run_id))
        if run is not None:
            run.wake()
        else:
            self._woken(kind, run_id)

    async def stop(self, grace: float) -> None:
        """Begin no more runs, let drives come to an end for `grace` seconds, cut off and hand on the others."""
        self._stopping = True
        driving = [run.task for run in self._runs.values() if run.driving and run.task is not None]
        for run in list(self._runs.values()):
            run.wake()  # it may end where it is well: `host.stopping`
            if not run.driving and run.task is not None:
                run.task.cancel()
        if driving:
            await asyncio.wait(driving, timeout=grace)
        rest = [run.task for run in self._runs.values() if run.task is not None]
        for task in rest:
            task.cancel()
        if rest:
            await asyncio.wait(rest, timeout=2 * LAST_WORDS)
        if self._looking is not None:
            self._looking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._looking
            self._looking = None

    async def settled(self) -> None:
        """Wait until no run is seen to on this worker, for a test or a script."""
        while tasks := [run.task for run in self._runs.values() if run.task is not None]:
            await asyncio.wait(tasks)

    # -- what each engine does in its own way

    def _woken(self, kind: str, run_id: str) -> None:
        """There is something to do for a run that is not here."""
        raise NotImplementedError

    async def _abandoned(self, runs: Sequence[tuple[str, str]]) -> None:
        """Workers left these runs behind; none of them is here."""
        raise NotImplementedError

    async def _left(self, kind: str, runs: Sequence[str]) -> None:
        """There is something to do for these runs, whether or not somebody drives them; none of them is here."""
        raise NotImplementedError

    # -- runs

    def _begin(
        self, kind: str, run_id: str, host: Host, *, woken: bool, failures: int = 0
    ) -> "asyncio.Task[None]":
        run = DrivenRun(
            kind,
            run_id,
            work=self._works[kind],
            claims=self._claims,
            host=host,
            slots=self._slots,
            stopping=lambda: self._stopping,
            slowest_retry=self._slowest_retry,
            woken=woken,
            failures=failures,
            later=self._later,
        )
        self._runs[kind, run_id] = run
        run.task = asyncio.create_task(self._see_to(run, host), name=f"softrail-run-{kind}-{run_id}")
        return run.task

    async def _see_to(self, run: DrivenRun, host: Host) -> None:
        try:
            await run.see_to()
        except Exception:
            log.exception("Run %s of %r is not seen to any more.", run.run_id, run.kind)
        finally:
            # Nothing is awaited since `see_to` found nothing more: a wake from here on begins anew.
            del self._runs[run.kind, run.run_id]
            host.progress.over(run.kind, run.run_id)
            if run.unheard and not self._stopping:
                self._woken(run.kind, run.run_id)

    # -- looking

    async def _live(self) -> None:
        await self._over_and_over(self._look, self._find)

    async def _over_and_over(self, *looks: Callable[[], Awaitable[None]]) -> None:
        while True:
            for look in looks:
                try:
                    await look()
                except SoftrailError as error:
                    log.warning("Nobody could look for long work just now: %s", error)
                except Exception:
                    log.exception("Looking for long work failed.")
            await asyncio.sleep(self._look_every)

    async def _look(self) -> None:
        """Claims that were lost, and wakes from other workers."""
        assert self._host is not None  # noqa: S101 - it was started
        mine = [run for run in self._runs.values() if run.claim is not None]
        if not mine:
            return
        asked = asyncio.get_running_loop().time()
        found = await self._claims.claims_of(await self._host.worker())
        for run in mine:
            # What was claimed, or given up, while we asked is not in question.
            if run.claim is None or run.claimed_at >= asked:
                continue
            wakes = found.get(run.claim.fence)
            if wakes is None:
                run.lose()
            else:
                run.woken_by_others(wakes)

    async def _find(self) -> None:
        """Runs of workers that are gone; and, now and then, what nobody was woken for."""
        if self._stopping:
            return
        abandoned = await self._claims.abandoned_runs(sorted(self._works), BATCH)
        if elsewhere := [one for one in abandoned if one not in self._runs]:
            await self._abandoned(elsewhere)
        time = asyncio.get_running_loop().time()
        if time >= self._poll_at:
            self._poll_at = time + self._poll_every
            await self._poll()

    async def _poll(self) -> None:
        """What nobody was woken for, such as runs whose worker died before anyone claimed them."""
        for kind, work in self._works.items():
            try:
                left = await work.left()
                await self._left(kind, [run_id for run_id in left if (kind, run_id) not in self._runs])
            except SoftrailError as error:
                log.warning("The work %r cannot tell what is left: %s", kind, error)
            except Exception:
                log.exception("The work %r cannot tell what is left.", kind)
