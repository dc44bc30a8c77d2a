"""What `softrail serve` hands to the web server: an application made from the settings in force."""

import asyncio
import logging
import multiprocessing
import signal
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from types import FrameType

from softrail.core.loading import described_later, loading

with loading():  # each of several workers begins with this module
    with described_later():
        from fastapi import FastAPI

    from softrail.api.app import Running, create_app
    from softrail.api.connections import Limits, Timed, most_connections
    from softrail.api.metrics import TurnMetrics
    from softrail.api.recycling import Recycling, end_at_once, is_replaced
    from softrail.application import application, settings_of
    from softrail.core.errors import ServiceNotStarted, StoreUnavailable
    from softrail.settings import Settings, load_settings
    from softrail.turns.dispatcher import Dispatcher

log = logging.getLogger(__name__)

SLOWEST_RETRY = 15.0


def app() -> FastAPI:
    """The application; the web server calls this once in each of its processes."""
    with loading():
        return _app()


def _app() -> FastAPI:
    dispatcher = application(load_settings())
    settings = settings_of(dispatcher)
    alone = multiprocessing.parent_process() is None
    Timed.limits = Limits(
        header=settings.header_timeout,
        body=settings.body_timeout,
        stalled=settings.reader_timeout,
        connections=most_connections(settings.connection_limit),
    )
    metrics = TurnMetrics() if settings.metrics else None
    if metrics is not None:
        dispatcher.observe(metrics.observe, on_delivery=metrics.hear)
    return create_app(
        dispatcher, settings, metrics=metrics, running=running_until_signal(settings, alone=alone)
    )


def running_until_signal(settings: Settings, *, again: float = 1.0, alone: bool = True) -> Running:
    """A lifespan: from the first signal on no turn is taken, and what runs has `grace` seconds in all.

    Where the store cannot be used yet, or, not `alone`, a service cannot be started, the worker is there and
    not ready, says so, and tries again after `again` seconds and then less and less often: one that left would take
    the others with it.
    """

    @asynccontextmanager
    async def running(dispatcher: Dispatcher) -> AsyncIterator[None]:
        told: list[float] = []

        loop = asyncio.get_running_loop()
        finishing: list[asyncio.Task[None]] = []

        def finish() -> None:
            # From the signal on, not from the end of the last request: that is what these turns keep waiting.
            finishing.append(loop.create_task(dispatcher.finish(settings.grace)))

        def close() -> None:
            told.append(time.monotonic())
            dispatcher.stopping = True
            if len(told) == 1:
                loop.call_soon_threadsafe(finish)

        recycling = None
        if is_replaced():
            dispatcher.worker.when_stuck = end_at_once
            limits = Recycling(age=settings.worker_age, memory=settings.worker_memory * 2**20)
            recycling = asyncio.create_task(limits.watch(), name="softrail-recycle")
        started = await _started(dispatcher, again, alone)
        trying = None if started else asyncio.create_task(_keep_trying(dispatcher, again))
        try:
            with _on_signal(close):
                yield
        finally:
            if recycling is not None:
                recycling.cancel()
            if trying is not None:
                trying.cancel()
                await asyncio.wait({trying})  # a start that is half done is stopped below, not meanwhile
            passed = time.monotonic() - told[0] if told else 0.0
            await dispatcher.stop(max(1.0, settings.grace - passed))
            await asyncio.gather(*finishing)

    return running


async def _started(dispatcher: Dispatcher, again: float, alone: bool) -> bool:
    """Whether the dispatcher could be started; what it lacks is a store, or something is wrong for good."""
    try:
        await dispatcher.start()
    except StoreUnavailable as error:
        log.error("This worker is not ready, and tries again in %g s. %s", again, error.message)
        return False
    except ServiceNotStarted as error:
        if alone:
            raise  # it ends, and whoever started it is told
        log.error("This worker is not ready, and tries again in %g s. %s", again, error.message)
        return False
    dispatcher.warm()
    return True


async def _keep_trying(dispatcher: Dispatcher, again: float) -> None:
    started = False
    while not started:
        await asyncio.sleep(again)  # whoever asks meanwhile is told 503 with the reason
        again = min(2 * again, SLOWEST_RETRY)
        started = await _started(dispatcher, again, alone=False)
    log.info("This worker is ready.")


@contextmanager
def _on_signal(close: Callable[[], None]) -> Iterator[None]:
    """Within the block, `close` is called before what the web server does at SIGTERM and SIGINT."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def closing(number: int, frame: FrameType | None) -> None:
        close()
        earlier = before[signal.Signals(number)]
        if callable(earlier):
            earlier(number, frame)

    for number in before:
        signal.signal(number, closing)
    try:
        yield
    finally:
        for number, earlier in before.items():
            if earlier is not None:
                signal.signal(number, earlier)
