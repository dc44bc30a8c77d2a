"""The promises around work that goes on while the conversation does: who drives it, what it may use, how far it is."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from softrail.core.signals import Signal


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One worker's right to drive one run; whoever takes it over has a higher fence.

    `woken` is set when somebody woke the run since it was cleared: there is something new in it, such as a cancel.
    """

    kind: str
    run_id: str
    worker: str
    fence: int
    woken: asyncio.Event = field(default_factory=asyncio.Event, compare=False, repr=False)


class Claims(Protocol):
    """Which worker drives which run: at most one, and never two under the same fence."""

    async def claim_run(
        self, kind: str, run_id: str, worker: str, *, wake: bool = True, mine: bool = False
    ) -> Claim | None:
        """Claim a run that no living worker drives. None: one does; with `wake` it will hear that it was woken.

        With `mine` the worker's own claim is given to it: an earlier try may have made it, and nobody knows.
        """
        ...

    async def wake_runs(self, runs: Collection[tuple[str, str]]) -> Collection[tuple[str, str]]:
        """Tell the living workers that drive these runs (kind and id) that they were woken; those that one drives."""
        ...

    async def driven_runs(self, kinds: Collection[str]) -> Collection[tuple[str, str]]:
        """Runs (kind and id) of those kinds that a living worker drives."""
        ...

    async def claims_of(self, worker: str) -> Mapping[int, int]:
        """The fences of the claims that this worker still has, each with how often its run was woken."""
        ...

    async def abandoned_runs(self, kinds: Collection[str], limit: int) -> Sequence[tuple[str, str]]:
        """Runs (kind and id) of those kinds whose worker died, or handed them on, and that nobody took over."""
        ...

    async def claim_stands(self, claim: Claim) -> bool:
        """Nobody else has claimed the run since, and its worker was not declared dead."""
        ...

    async def drop_claim(self, claim: Claim, woken: int) -> int | None:
        """Give up the claim of a run with nothing left to do, if it was woken no more than `woken` times.

        None: it is given up, or was lost. Otherwise it stays: how often the run was woken by now.
        """
        ...

    async def hand_on_run(self, claim: Claim) -> None:
        """Give up the claim of a run with something left to do: another worker may take it at once."""
        ...


class Progress(Protocol):
    """Tells those who watch a session how far something is. Never stored, and thinned out for the eye."""

    def tell(
        self,
        session_id: str,
        kind: str,
        run_id: str,
        done: float,
        total: float | None = None,
        text: str = "",
    ) -> None:
        """So much of a run is done; from any thread. Raises ValueError for what is no amount."""
        ...

    def over(self, kind: str, run_id: str) -> None:
        """Nothing more will be told of that run from here."""
        ...


class Host(Protocol):
    """What a service, or a driver of long work, may use of the worker that it runs on. It never changes."""

    @property
    def progress(self) -> Progress:
        """Where to tell how far something is."""
        ...

    @property
    def stopping(self) -> bool:
        """The worker is about to end: begin nothing that takes long."""
        ...

    def now(self) -> datetime:
        """The time, in UTC."""
        ...

    def new_id(self) -> str:
        """A new identifier."""
        ...

    async def worker(self) -> str:
        """The name under which this worker shows that it lives."""
        ...

    async def signal(self, instance_id: str, signal: Signal) -> str:
        """Tell an instance what happened, once for each name and key; what came of it, as a reply's JSON."""
        ...

    def wake(self, kind: str, run_id: str) -> None:
        """There is something to do for a run: have it driven here, or tell whoever drives it."""
        ...


class Service(Protocol):
    """A service of an application that begins and ends with the worker; any object with both is one."""

    async def start(self, host: Host) -> None:
        """Begin; the worker takes turns afterwards."""
        ...

    async def stop(self, grace: float) -> None:
        """End within `grace` seconds."""
        ...


class Work(Protocol):
    """One kind of long work. What is true of its runs is in tables of its own; it is driven by whoever claims a run."""

    async def drive(self, run_id: str, claim: Claim) -> None:
        """Bring the run as far as it goes now, and return.

        It may be cut off at any `await` and begun again by another worker: what is finished has to be kept step by
        step, each in a transaction in which the claim still stands. Raising means: try again later.
        """
        ...

    async def left(self) -> Sequence[str]:
        """Runs with something to do now, whether or not somebody drives them."""
        ...


class Engine(Protocol):
    """Drives the runs of long work that this worker can claim."""

    async def start(self, works: Mapping[str, Work], host: Host) -> None:
        """Begin to drive what is left, of each of these kinds."""
        ...

    def wake(self, kind: str, run_id: str) -> None:
        """There is something to do for a run. Durable only through `Work.left`: commit first, then wake."""
        ...

    async def stop(self, grace: float) -> None:
        """Begin no more runs, let those under way come to an end for `grace` seconds, hand on the others."""
        ...
