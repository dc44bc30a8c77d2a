"""Threads that run store functions for event loops, and the way their answers get back."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, Final

from sqlalchemy import Connection

from softrail.core.commits import TurnCommit
from softrail.core.errors import StoreUnavailable


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """A function to run over a connection, or turns to commit, and whoever waits for the answer."""

    fn: Callable[[Connection], Any] | None
    commits: Sequence[TurnCommit] = ()
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)
    future: "asyncio.Future[Any]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())


Answers = list[tuple[Job, Any, BaseException | None]]


def deliver(answers: Answers) -> None:
    """Hand the answers to whoever waits, waking each event loop once."""
    by_loop: dict[asyncio.AbstractEventLoop, Answers] = {}
    for answer in answers:
        by_loop.setdefault(answer[0].loop, []).append(answer)
    for loop, some in by_loop.items():
        with contextlib.suppress(RuntimeError):  # a loop that is closed has nobody left who waits
            loop.call_soon_threadsafe(_settle, some)


def _settle(answers: Answers) -> None:
    for job, value, error in answers:
        if job.future.done():  # the caller gave up; what was written stays written
            continue
        if error is None:
            job.future.set_result(value)
        else:
            job.future.set_exception(error)


#: Seconds that a job waits for those that are put in after it, at most, while each pass of the event loop brings more.
GATHER: Final = 0.01


class JobQueue:
    """Jobs on their way to one or more threads.

    What an event loop puts in is handed over together once a pass of it adds nothing more: many jobs in one transaction
    cost little more than one, and while the loop computes, a thread would fight with it for the interpreter.
    """

    def __init__(self, run: Callable[[list[Job]], Answers], *, name: str, threads: int, most: int) -> None:
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._run = run
        self._most = most
        self._open = True
        self._gathered: dict[asyncio.AbstractEventLoop, list[Job]] = {}  #: not handed over yet
        self._lock = threading.Lock()
        self._threads = [
            threading.Thread(target=self._live, name=f"{name}-{n}", daemon=True) for n in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    async def put(self, job: Job) -> Any:
        """The answer to a job."""
        with self._lock:
            if not self._open:
                raise StoreUnavailable("The store is closed.")
            gathered = self._gathered.get(job.loop)
            if gathered is None:
                self._gathered[job.loop] = [job]
                # Nothing is known yet: what else this pass brings stands behind this call in the next one.
                job.loop.call_soon(self._hand_over, job.loop, 0, job.loop.time() + GATHER)
            else:
                gathered.append(job)
        return await job.future

    def _hand_over(self, loop: asyncio.AbstractEventLoop, known: int, until: float) -> None:
        with self._lock:
            gathered = len(self._gathered.get(loop, ()))  # none: the queue was closed meanwhile
            if gathered > known and loop.time() < until:
                loop.call_soon(self._hand_over, loop, gathered, until)
                return
            for job in self._gathered.pop(loop, ()):
                self._queue.put(job)

    def close(self) -> None:
        """Finish what was put in before, then end the threads."""
        with self._lock:
            if self._open:
                self._open = False
                for gathered in self._gathered.values():
                    for job in gathered:
                        self._queue.put(job)
                self._gathered.clear()
                for _ in self._threads:
                    self._queue.put(None)
        for thread in self._threads:
            thread.join()

    def _live(self) -> None:
        ended = False
        while not ended:
            jobs = list[Job]()
            first = self._queue.get()
            if first is None:
                return
            jobs.append(first)
            with self._lock:  # whoever hands over several does so with it: all of them are there, or none
                while len(jobs) < self._most:
                    try:
                        job = self._queue.get_nowait()
                    except Empty:
                        break
                    if job is None:
                        ended = True
                        break
                    jobs.append(job)
            deliver(self._run(jobs))
