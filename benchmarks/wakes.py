"""Row 13: a wake of long work through DBOS beside DBOS's own workflow of one step, each from its queue."""

import asyncio
import logging
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from dbos import DBOS, DBOSClient

from benchmarks.figures import Row, Samples, middle, ms
from benchmarks.sizes import Sizes
from benchmarks.tables import prepare
from softrail.core.execution import Claim
from softrail.execution import Dbos
from softrail.store import open_store
from softrail.testing.contracts.engines import LocalHost

GOAL = 2.0
KIND = "bench"
QUEUE = "bench-floor"
AT_ONCE = 4
EVERY = 0.005  #: seconds between two looks into the queue, on both sides: what is waited for is not what is measured


@dataclass
class Driven:
    """Work that has nothing to do, and tells when it was driven."""

    ended: dict[str, asyncio.Event] = field(default_factory=dict)

    async def drive(self, run_id: str, claim: Claim) -> None:
        self.ended[run_id].set()

    async def left(self) -> Sequence[str]:
        return []


async def wakes(url: str, floor_url: str, sizes: Sizes) -> list[Row]:
    """The rows; both databases are on one server."""
    await prepare(url)
    found = {what: (Samples(), Samples(), list[float]()) for what in ("alone", "together")}
    floor = await asyncio.to_thread(_Floor, floor_url)
    for number in sizes.numbers():
        ours, its = (
            await _ours(url, number, sizes.wakes),
            await asyncio.to_thread(floor.measured, number, sizes.wakes),
        )
        if number < 0:
            continue  # the first round makes tables
        for what, (mine, theirs, ratios) in found.items():
            mine.seconds += ours[what].seconds
            theirs.seconds += its[what].seconds
            ratios.append(ours[what].p50 / its[what].p50)
    names = {
        "alone": "13 a wake through DBOS, one after the other",
        "together": f"13 {sizes.wakes} wakes at once",
    }
    return [
        Row(
            name=names[what],
            ours=f"p50 {ms(mine.p50)}",
            floor=f"DBOS's own, of one step: p50 {ms(theirs.p50)}",
            ratio=median(ratios),
            spread=middle(ratios),
            at_most=GOAL,
        )
        for what, (mine, theirs, ratios) in found.items()
    ]


async def _ours(url: str, number: int, wakes: int) -> dict[str, Samples]:
    store, work = open_store(url), Driven()
    await store.start()
    engine, alone, together = Dbos(store, url, at_once=AT_ONCE, look_every=EVERY), Samples(), Samples()
    await engine.start({KIND: work}, LocalHost(store, f"bench-{number}"))
    try:
        await _woken(engine, work, f"{number}-warm")
        for n in range(wakes // 5):
            with alone.timed():
                await _woken(engine, work, f"{number}-{n}")
        with together.timed():
            await asyncio.gather(*(_woken(engine, work, f"{number}-all-{n}") for n in range(wakes)))
    finally:
        await engine.stop(5)
        await store.close()
    return {"alone": alone, "together": together}


async def _woken(engine: Dbos, work: Driven, run_id: str) -> None:
    """From the wake until it is driven."""
    ended = work.ended[run_id] = asyncio.Event()
    await engine.ready()
    engine.wake(KIND, run_id)
    async with asyncio.timeout(60):
        await ended.wait()


class _Floor:
    """DBOS alone, as its own pages show it: a queue, and a workflow of one step."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._steps: dict[str, threading.Event] = {}
        logging.getLogger("dbos").addHandler(logging.NullHandler())

        async def step(run_id: str) -> None:
            """Nothing, kept as DBOS keeps what a step has done."""

        async def workflow(run_id: str) -> None:
            await DBOS.run_step_async({"name": "bench_step"}, step, run_id)
            self._steps[run_id].set()

        DBOS.workflow(name="bench_floor")(workflow)

    def measured(self, number: int, wakes: int) -> dict[str, Samples]:
        """One round, from the start of DBOS to its end."""
        alone, together = Samples(), Samples()
        DBOS(
            config={
                "name": "bench",
                "system_database_url": self._url,
                "application_version": "1",
                "executor_id": f"floor-{number}",
                "sys_db_pool_size": AT_ONCE,
            }
        )
        DBOS.launch()
        client = DBOSClient(system_database_url=self._url, application_name="bench")
        try:
            DBOS.register_queue(
                QUEUE,
                worker_concurrency=AT_ONCE,
                polling_interval_sec=EVERY,
                on_conflict="always_update",
            )
            self._ended(client, [f"{number}-warm"])
            for n in range(wakes // 5):
                with alone.timed():
                    self._ended(client, [f"{number}-{n}"])
            with together.timed():
                self._ended(client, [f"{number}-all-{n}" for n in range(wakes)])
        finally:
            client.destroy()
            DBOS.destroy(workflow_completion_timeout_sec=1)
        return {"alone": alone, "together": together}

    def _ended(self, client: DBOSClient, run_ids: Sequence[str]) -> None:
        """From the first one that is put into the queue until the step of the last one is done."""
        for run_id in run_ids:
            self._steps[run_id] = threading.Event()
        for run_id in run_ids:
            client.enqueue(
                {
                    "workflow_name": "bench_floor",
                    "queue_name": QUEUE,
                    "workflow_id": f"{run_id}-{time.perf_counter_ns()}",
                    "app_version": "1",
                },
                run_id,
            )
        for run_id in run_ids:
            if not self._steps[run_id].wait(60):
                raise TimeoutError(run_id)
