"""One run on this worker: it waits for a place, is claimed, driven, and given up or handed on."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from softrail.core.errors import SoftrailError
from softrail.core.execution import Claim, Claims, Host, Work

log = logging.getLogger(__name__)

#: Seconds that a drive gets to end once it is cancelled; then it is left behind, and nothing it writes stands.
LAST_WORDS: Final = 5.0


#: Has a run driven again, here or elsewhere, after so many seconds; with how often it has failed by then.
Later = Callable[[str, str, float, int], Awaitable[None]]


class DrivenRun:
    """A run that this worker was asked to see to. `see_to` ends when there is nothing left to do here.

    With `later` it does not wait here for its next try: its claim is given up, and the try is put down for later.
    """

    def __init__(
        self,
        kind: str,
        run_id: str,
        *,
        work: Work,
        claims: Claims,
        host: Host,
        slots: asyncio.Semaphore,
        stopping: Callable[[], bool],
        slowest_retry: float,
        woken: bool,
        failures: int = 0,
        later: Later | None = None,
    ) -> None:
        self.kind = kind
        self.run_id = run_id
        self.claim: Claim | None = None
        self.claimed_at = 0.0  #: on the clock of the event loop
        self.driving = False  #: a drive is under way
        self.task: asyncio.Task[None] | None = None
        self._work = work
        self._claims = claims
        self._host = host
        self._slots = slots
        self._stopping = stopping
        self._slowest_retry = slowest_retry
        self._failures = failures  #: tries that failed one after the other, those elsewhere with them
        self._later = later
        self._wakes = 0  #: how often the run was woken by others, as far as the drive was told
        self._again = woken  #: woken while nothing was claimed
        self._unknown = False  #: whether it is claimed: the store went away in the middle of it
        self._news = asyncio.Event()
        self._lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @property
    def unheard(self) -> bool:
        """It was woken while its claim was being lost: whoever has it now was not told."""
        return self._lost.done() and (self._again or (self.claim is not None and self.claim.woken.is_set()))

    def wake(self) -> None:
        """There is something new: tell the drive, or see to the run once more."""
        self._news.set()
        if self.claim is not None:
            self.claim.woken.set()
        else:
            self._again = True

    def woken_by_others(self, wakes: int) -> None:
        """The store says that the run was woken so often, from whichever worker."""
        if wakes > self._wakes:
            self._wakes = wakes
            self.wake()

    def lose(self) -> None:
        """The claim does not stand any more: the drive is cut off, and nothing is given up."""
        if not self._lost.done():
            self._lost.set_result(None)
            log.warning("The claim on run %s of %r was lost; its drive ends here.", self.run_id, self.kind)

    async def see_to(self) -> None:
        """Claim the run and drive it until there is nothing left to do, it is lost, or the worker stops."""
        try:
            while not self._lost.done() and not self._stopping():
                try:
                    if await self._once():
                        return
                    self._failures = 0
                except Exception as error:
                    self._failures += 1
                    if await self._failed(error):
                        return
        finally:
            await self._hand_on()

    # -- once

    async def _once(self) -> bool:
        """Drive it once; whether there is nothing left to do here."""
        async with self._slots:
            if self._stopping():
                return False
            if self.claim is None and not await self._claimed():
                return not self._again
            await self._drive()
        if self._lost.done() or self._stopping():
            return False
        return await self._given_up()

    async def _claimed(self) -> bool:
        wake, self._again = self._again, False
        try:
            worker = await self._host.worker()
            claim = await self._claims.claim_run(
                self.kind, self.run_id, worker, wake=wake, mine=self._unknown
            )
        except BaseException:
            self._again = self._again or wake  # nobody knows whether it was told on
            self._unknown = True  # nor whether it is ours by now
            raise
        self._unknown = False
        if claim is None:
            return False
        self.claim, self.claimed_at = claim, asyncio.get_running_loop().time()
        self._wakes, self._again = 0, False  # what was woken until now is what the drive will find
        return True

    async def _drive(self) -> None:
        assert self.claim is not None  # noqa: S101 - it was claimed just now
        self.claim.woken.clear()
        self._news.clear()
        drive = asyncio.create_task(
            _guarded(self._work, self.run_id, self.claim), name=f"softrail-drive-{self.kind}-{self.run_id}"
        )
        self.driving = True
        try:
            await asyncio.wait({drive, self._lost}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.driving = False
            if not drive.done():
                drive.cancel()
                # To its end, if it ends: two drives of one run never write side by side on one worker.
                await asyncio.wait({drive}, timeout=LAST_WORDS)
            if not drive.done():
                log.error(
                    "The drive of run %s of %r does not end when it is cancelled.", self.run_id, self.kind
                )
        if self._lost.done():
            if drive.done() and not drive.cancelled():
                drive.exception()  # heard: it failed because it was cut off
            return
        if drive.cancelled():
            raise RuntimeError("The drive cancelled itself.")
        drive.result()

    async def _given_up(self) -> bool:
        claim = self.claim
        if claim is None or claim.woken.is_set():
            return False
        self.claim = None  # from here on it may be gone, and is not missed
        try:
            left = await self._claims.drop_claim(claim, self._wakes)
        except BaseException:
            self.claim = claim  # nobody knows; an attempt to give up what is gone does no harm
            raise
        if left is not None:  # woken on another worker since we looked
            self.claim, self._wakes, self._again = claim, left, False
            return False
        return not self._again  # unless it was woken here while it was given up

    # -- between two drives, and after the last

    async def _failed(self, error: Exception) -> bool:
        """Wait for the next try, or put it down for later; whether there is nothing left to do here."""
        pause = min(2.0 ** min(self._failures, 20), self._slowest_retry)
        known = isinstance(error, SoftrailError)
        what = type(error).__name__ + (f": {error}" if known else "")  # a stranger's words may be a person's
        log.warning(
            "Run %s of %r failed (%s); again in %g s, or when it is woken.",
            self.run_id,
            self.kind,
            what,
            pause,
            exc_info=None if known else error,
        )
        if self._later is not None and await self._put_off(self._later, pause):
            return True
        await self._rest(pause)
        return False

    async def _put_off(self, later: Later, pause: float) -> bool:
        """Put the next try down for later and give up the claim; False: it goes on here."""
        if self._news.is_set() or self._lost.done() or self._stopping():
            return False
        if self._unknown:  # elsewhere it would be taken for driven here
            return False
        claim = self.claim
        try:
            # Before the claim is given up: whoever dies in between leaves a claim that others find.
            await later(self.kind, self.run_id, pause, self._failures)
            if claim is not None:
                self.claim = None  # from here on it may be gone, and is not missed
                left = await self._claims.drop_claim(claim, self._wakes)
                if left is not None:  # woken on another worker since we looked
                    self.claim, self._wakes = claim, left
                    self._news.set()
        except BaseException as broken:
            self.claim = claim  # nobody knows; an attempt to give up what is gone does no harm
            if not isinstance(broken, Exception):
                raise
            log.warning(
                "Run %s of %r could not be put off (%s).", self.run_id, self.kind, type(broken).__name__
            )
            return False
        return not (self._again or self._news.is_set())  # unless it was woken here meanwhile

    async def _rest(self, pause: float) -> None:
        news = asyncio.create_task(self._news.wait())
        either: set[asyncio.Future[Any]] = {news, self._lost}
        try:
            await asyncio.wait(either, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
        finally:
            news.cancel()
            self._news.clear()  # heard: what is to be done about it is kept beside it

    async def _hand_on(self) -> None:
        if self.claim is None or self._lost.done():
            return
        claim, self.claim = self.claim, None
        try:
            # To its end, however this worker stops: otherwise the next one waits until this one counts as dead.
            await asyncio.shield(asyncio.ensure_future(self._claims.hand_on_run(claim)))
        except SoftrailError as error:
            log.warning("Run %s of %r could not be handed on: %s", self.run_id, self.kind, error)


async def _guarded(work: Work, run_id: str, claim: Claim) -> None:
    """Drive it; what would end the event loop becomes an ordinary error."""
    try:
        await work.drive(run_id, claim)
    except (SystemExit, KeyboardInterrupt) as error:
        raise RuntimeError(f"The drive raised {type(error).__name__}.") from error
