"""`softrail sweep`."""

from dataclasses import asdict

import typer

from softrail.cli.ground import AsJson, command, dispatcher, print_json, run


@command
def sweep(as_json: AsJson = False) -> None:
    """Suspend and expire what is over time, once; `serve` does it continuously."""
    counts = run(_swept())
    if as_json:
        print_json(counts)
        return
    typer.echo(", ".join(f"{name} {count}" for name, count in counts.items()))


async def _swept() -> dict[str, int]:
    async with dispatcher() as application:
        return asdict(await application.sweep())
