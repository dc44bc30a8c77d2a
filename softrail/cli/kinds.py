"""`softrail processes` and `softrail graph NAME`."""

from typing import Annotated

import typer

from softrail.cli.ground import USAGE, AsJson, command, dispatcher, print_json, stop


@command
def processes(as_json: AsJson = False) -> None:
    """List the guided processes that are registered."""
    found = dispatcher().registry.definitions()
    if as_json:
        rows = [
            {
                "name": d.name,
                "version": d.version,
                "description": d.description,
                "contract": d.contract,
                "idle_timeout": d.idle_timeout.total_seconds() if d.idle_timeout else None,
                "priority": d.priority,
                "starts_on": list(d.starts_on),
                "steps": list(d.steps),
            }
            for d in found
        ]
        print_json(rows)
        return
    for d in found:
        timeout = f"{d.idle_timeout.total_seconds() / 60:g} min" if d.idle_timeout else "never"
        typer.echo(f"{d.name} v{d.version}: {d.description}")
        typer.echo(f"  {d.contract}; pauses after: {timeout}; steps: {', '.join(d.steps)}")
        if d.starts_on:
            typer.echo("  starts on: " + ", ".join(f"“{phrase}”" for phrase in d.starts_on))


@command
def graph(
    name: Annotated[str, typer.Argument(help="A process, as `softrail processes` shows it.")],
    text: Annotated[bool, typer.Option("--text", help="As indented text instead of mermaid.")] = False,
    svg: Annotated[bool, typer.Option("--svg", help="As an SVG picture instead of mermaid.")] = False,
    step: Annotated[str | None, typer.Option("--step", help="The step to mark in the picture.")] = None,
) -> None:
    """Print the diagram of a process."""
    if text and svg:
        stop("Choose one of --text and --svg.", USAGE)
    definition = dispatcher().registry.get(name)
    if step is not None and (not svg or step not in definition.steps):
        stop(f"--step goes with --svg and names one of {', '.join(definition.steps)}.", USAGE)
    drawn = definition.svg(step) if svg else definition.text() if text else definition.mermaid()
    typer.echo(drawn, nl=not drawn.endswith("\n"))
