"""`softrail serve`."""

import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from softrail.cli.ground import (
    FINDINGS,
    USAGE,
    command,
    dispatcher,
    opened,
    own_settings,
    run,
    settings,
    stop,
)
from softrail.cli.terminal import tell
from softrail.core.errors import StoreUnavailable
from softrail.core.hosts import is_loopback
from softrail.core.loading import loading
from softrail.settings import Settings

if TYPE_CHECKING:
    from softrail.turns.dispatcher import Dispatcher

APPLICATION = "softrail.api.serving:app"


@command
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
    workers: Annotated[int | None, typer.Option(help="Processes to start.")] = None,
    reload: Annotated[bool, typer.Option(help="Restart when a file changes, for development.")] = False,
) -> None:
    """Serve the API."""
    chosen = settings(host=host, port=port, workers=workers)
    application = dispatcher(chosen)
    own = own_settings(application)
    local = own.access == "local" or not (own.access == "keys" or run(_keyed(application, own)))
    if local and not is_loopback(chosen.host):
        why = "SOFTRAIL_ACCESS is local" if own.access == "local" else "No access key was ever made"
        stop(
            f"{why}, so this server trusts whoever sits at this machine and refuses to listen on {chosen.host}. "
            "Make a key first: softrail keys create --person EMAIL",
            USAGE,
        )
    if reload and chosen.workers > 1:
        stop("--reload works with one worker only.", USAGE)
    where = f"[{chosen.host}]:{chosen.port}" if ":" in chosen.host else f"{chosen.host}:{chosen.port}"
    if reason := _taken(chosen):
        stop(f"Nobody can listen on {where}: {reason}. Choose another --port or --host.", FINDINGS)
    mode = "local mode: this machine alone, without a key" if local else "access keys are needed"
    typer.echo(f"Softrail listens on http://{where} ({mode}). Ctrl+C stops it.", err=True)
    _run(
        APPLICATION,
        factory=True,
        http="softrail.api.connections:Timed",
        host=chosen.host,
        port=chosen.port,
        workers=chosen.workers,
        reload=reload,
        log_config=log_config(chosen),
        access_log=False,
        server_header=False,
        proxy_headers=False,  # who asks is said by a key; what a proxy says of the peer is believed nowhere
        timeout_worker_healthcheck=10,  # a worker that only starts slowly on a busy machine is not started anew
        timeout_graceful_shutdown=int(own.grace) + 3,  # what grace ends has to be answered, too
    )


def _run(application: str, **options: Any) -> None:
    """Serve until a signal; a start that failed is said, and is no success, with one process or with many."""
    with loading():
        import uvicorn
        from uvicorn.config import STARTUP_FAILURE
        from uvicorn.supervisors import Multiprocess

        import softrail.api.serving  # noqa: F401 - the server imports it by its name
        from softrail.api.recycling import RELOADED

    failed = False
    if options["reload"]:
        os.environ[RELOADED] = "1"
    if options["workers"] == 1 or options["reload"]:
        try:
            uvicorn.run(application, **options)
        except SystemExit as error:
            failed = error.code == STARTUP_FAILURE
            if not failed:
                raise
    else:
        config = uvicorn.Config(application, **options)
        many = Multiprocess(config, sockets=[config.bind_socket()])
        with _counted_together():
            many.run()
        failed = any(process.exitcode == STARTUP_FAILURE for process in many.processes)
    if failed:
        stop("The server could not start. The lines above say why.", FINDINGS)


@contextmanager
def _counted_together() -> Iterator[None]:
    """Within the block workers that are started find a folder in which they keep their figures for each other."""
    from softrail.api.metrics import SHARED_FIGURES

    if SHARED_FIGURES in os.environ:
        yield  # whoever started us has one
        return
    with tempfile.TemporaryDirectory(prefix="softrail-figures-", ignore_cleanup_errors=True) as folder:
        os.environ[SHARED_FIGURES] = folder
        try:
            yield
        finally:
            del os.environ[SHARED_FIGURES]


async def _keyed(application: "Dispatcher", chosen: Settings) -> bool:
    """Whether keys are needed; of a server that is away nobody knows, and its workers answer nobody until it is there."""
    try:
        async with opened(application) as store:
            return await store.keyed()
    except StoreUnavailable as error:
        if not chosen.database_url.startswith("postgresql"):
            raise  # a file that cannot be used is not used by waiting
        tell(f"{error.message} The workers start all the same, and are ready when it is.", err=True)
        return True


def _taken(chosen: Settings) -> str:
    """Why nobody can listen there now; "" when one can."""
    family = socket.AF_INET6 if ":" in chosen.host else socket.AF_INET
    with socket.socket(family) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((chosen.host, chosen.port))
        except (OSError, UnicodeError) as error:
            return str(getattr(error, "strerror", None) or error)
    return ""


def log_config(chosen: Settings) -> dict[str, Any]:
    """The logging of every server process; the formatters are named, not imported, by the web server."""
    formatter = "softrail.api.logs.JsonLines" if chosen.log_json else "softrail.api.logs.PlainLines"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": formatter, "words": chosen.log_words}},
        "filters": {"no_words": {"()": "softrail.api.logs.NoWordsOfPeople"}},
        "handlers": {
            "err": {
                "class": "logging.StreamHandler",
                "formatter": "lines",
                "filters": ["no_words"],
                "stream": "ext://sys.stderr",
            }
        },
        "root": {"level": chosen.log_level, "handlers": ["err"]},
    }
