"""`softrail migrate NAME`: what a new version of a process would do with the runs people are in."""

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from softrail.cli.ground import FINDINGS, AsJson, command, dispatcher, print_json, run
from softrail.core.errors import StepFailed

if TYPE_CHECKING:
    from softrail.core.instances import Instance
    from softrail.processes import Conductor, Definition


@command
def migrate(
    name: Annotated[str, typer.Argument(help="A process, as `softrail processes` shows it.")],
    as_json: AsJson = False,
) -> None:
    """Try a process's migration on every stored run of an older version; nothing is changed."""
    found = run(_tried(name))
    wrong = [row for row in found if row["outcome"] == "fails"]
    if as_json:
        print_json(found)
    else:
        counted = Counter((row["version"], row["step"], row["outcome"]) for row in found)
        for (version, step, outcome), count in sorted(counted.items()):
            typer.echo(f"v{version} at {step}: {count} {outcome}")
        for row in wrong:
            typer.echo(f"instance {row['instance_id']}: {row['reason']}", err=True)
        if not found:
            typer.echo(f"No run of an older version of {name} is stored.")
    if wrong:
        raise typer.Exit(FINDINGS)


async def _tried(name: str) -> list[dict[str, Any]]:
    built = dispatcher()
    definition = built.registry.get(name)
    await built.store.start()
    try:
        stored = await built.store.instances_of(name)
        older = [i for i in stored if i.version != definition.version or i.step not in definition.steps]
        return [await _try(built.parts.conductor, built.registry.of(i), definition, i) for i in older]
    finally:
        await built.store.close()


async def _try(
    conductor: "Conductor", own: "Definition | None", live: "Definition", instance: "Instance"
) -> dict[str, Any]:
    row = {
        "instance_id": instance.id,
        "version": instance.version,
        "step": instance.step,
        "state": str(instance.state),
    }
    if own is not None and own.version == instance.version and instance.step in own.steps:
        return {**row, "outcome": "finishes on its kept version"}
    if instance.version > live.version:
        return {**row, "outcome": "waits for newer code"}
    if live.on_new_version != "migrate":
        return {**row, "outcome": "starts afresh"}
    try:
        _, step = await conductor.migrate(live, instance)
    except StepFailed as error:
        return {**row, "outcome": "fails", "reason": error.message}
    return {**row, "outcome": f"goes on at {step}"}
