"""`softrail serve`."""

import socket
from typing import Annotated, Any

import typer

from softrail.cli.ground import FINDINGS, USAGE, command, opened, run, settings, stop
from softrail.core.hosts import is_loopback
from softrail.settings import Settings

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
    local = not run(_any_key(chosen))
    if local and not is_loopback(chosen.host):
        stop(
            f"No access key exists, so this server trusts whoever reaches it and refuses to listen on {chosen.host}. "
            "Make a key first: softrail keys create --person EMAIL",
            USAGE,
        )
    if reload and chosen.workers > 1:
        stop("--reload works with one worker only.", USAGE)
    where = f"[{chosen.host}]:{chosen.port}" if ":" in chosen.host else f"{chosen.host}:{chosen.port}"
    if reason := _taken(chosen):
        stop(f"Nobody can listen on {where}: {reason}. Choose another --port or --host.", FINDINGS)
    import uvicorn

    mode = "local mode: no access key exists yet" if local else "access keys are needed"
    typer.echo(f"Softrail listens on http://{where} ({mode}). Ctrl+C stops it.", err=True)
    uvicorn.run(
        APPLICATION,
        factory=True,
        host=chosen.host,
        port=chosen.port,
        workers=chosen.workers,
        reload=reload,
        log_config=log_config(chosen),
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=int(chosen.grace) + 1,
    )


async def _any_key(chosen: Settings) -> bool:
    async with opened(chosen) as store:
        return bool(await store.keys())


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
        "formatters": {"lines": {"()": formatter}},
        "handlers": {
            "err": {"class": "logging.StreamHandler", "formatter": "lines", "stream": "ext://sys.stderr"}
        },
        "root": {"level": chosen.log_level, "handlers": ["err"]},
    }
