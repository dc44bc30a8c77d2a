"""What the commands stand on: settings, a dispatcher, a store; errors as one line and an exit code."""

import asyncio
import functools
import os
import signal
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, ParamSpec, TypeVar

import typer
from pydantic_core import to_json

from softrail.cli.terminal import tell
from softrail.core.errors import SoftrailError
from softrail.core.loading import loading
from softrail.settings import Settings, SettingsError, load_settings

if TYPE_CHECKING:
    from softrail.core.ports import Store
    from softrail.store import PluginTables
    from softrail.turns.dispatcher import Dispatcher

FINDINGS = 1
USAGE = 2

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for a program to read.")]
P = ParamSpec("P")
R = TypeVar("R")


def command(function: Callable[P, R]) -> Callable[P, R]:
    """A command whose errors are one line on standard error: exit 2 for the settings, else 1."""

    @functools.wraps(function)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        # Matrices are small here: several threads wait for each other, and fitting takes three times the processor time.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        try:
            return function(*args, **kwargs)
        except SettingsError as error:
            stop(error.message, USAGE)
        except SoftrailError as error:
            stop(error.message, FINDINGS)

    return guarded


def stop(message: str, code: int) -> NoReturn:
    """Say why and leave."""
    tell(message, err=True)
    raise typer.Exit(code)


def settings(**values: Any) -> Settings:
    """The settings in force, with what the command line says on top."""
    return load_settings(**values)


def dispatcher(chosen: Settings | None = None) -> "Dispatcher":
    """The application as `serve` runs it, not started."""
    with loading():
        from softrail.application import application

        return application(chosen or settings())


def own_settings(application: "Dispatcher") -> Settings:
    """The settings of the application: they count for everything but the server it runs in."""
    from softrail.application import settings_of

    return settings_of(application)


def database(application: "Dispatcher") -> "tuple[str, Sequence[PluginTables]]":
    """Where the application keeps everything, and the tables of its plugins; a store of another kind has none."""
    from softrail.store import SqlStore

    store = application.store
    if not isinstance(store, SqlStore) or not store.url:
        stop(f"The application keeps everything in a {type(store).__name__}, which has no tables.", FINDINGS)
    return store.url, store.plugins


@asynccontextmanager
async def opened(application: "Dispatcher | None" = None) -> AsyncIterator["Store"]:
    """The application's database, open for as long as the block."""
    store = (application or dispatcher()).store
    await store.start()
    try:
        yield store
    finally:
        await store.close()


def run(work: Coroutine[Any, Any, R]) -> R:
    """Run it to its end. A first interrupt closes in order what is open, a second ends the process at once."""
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return asyncio.run(work)  # interrupts are somebody else's
    try:
        return asyncio.run(_interruptible(work))
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


async def _interruptible(work: Coroutine[Any, Any, R]) -> R:
    cancel = signal.getsignal(signal.SIGINT)  # the loop has just set it

    def interrupted(number: int, frame: FrameType | None) -> None:
        # Once more, it would raise wherever the loop is; what is lost there might be waited for for ever.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if callable(cancel):
            cancel(number, frame)

    signal.signal(signal.SIGINT, interrupted)
    return await work


def print_json(value: Any) -> None:
    """One JSON value on one line."""
    typer.echo(to_json(value).decode("utf-8"))
