"""What `softrail serve` hands to the web server: an application made from the settings in force."""

import signal
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from types import FrameType

from fastapi import FastAPI

from softrail.api.app import Running, create_app
from softrail.api.metrics import TurnMetrics
from softrail.bootstrap import build
from softrail.registry.dispatcher import Dispatcher
from softrail.settings import Settings, load_settings


def app() -> FastAPI:
    """The application; the web server calls this once in each of its processes."""
    settings = load_settings()
    metrics = TurnMetrics() if settings.metrics else None
    dispatcher = build(settings, on_turn=[metrics.observe] if metrics else [])
    return create_app(dispatcher, settings, metrics=metrics, running=running_until_signal(settings))


def running_until_signal(settings: Settings) -> Running:
    """A lifespan: from the first signal on no turn is taken, and what runs has `grace` seconds in all."""

    @asynccontextmanager
    async def running(dispatcher: Dispatcher) -> AsyncIterator[None]:
        told: list[float] = []

        def close() -> None:
            told.append(time.monotonic())
            dispatcher.stopping = True

        await dispatcher.start()
        dispatcher.warm()
        try:
            with _on_signal(close):
                yield
        finally:
            passed = time.monotonic() - told[0] if told else 0.0
            await dispatcher.stop(max(1.0, settings.grace - passed))

    return running


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
