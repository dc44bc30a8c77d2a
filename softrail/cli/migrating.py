"""`softrail migrate NAME`: what a new version of a process would do with the runs people are in."""

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from softrail.cli.ground import FINDINGS, AsJson, command, dispatcher, print_json, run
from softrail.core.clock import now
from softrail.core.errors import StepFailed
from softrail.core.turns import Turn

if TYPE_CHECKING:
    from softrail.core.instances import Instance
    from softrail.processes import Definition
    from softrail.turns.dispatcher import Dispatcher


@command
def migrate(
    name: Annotated[str, typer.Argument(help="A process, as `softrail processes` shows it.")],
    as_json: AsJson = False,
) -> None:
    """Play the next turn of every stored run of an older version and tell what would be said; nothing is changed."""
    found = run(_tried(name))
    wrong = [row for row in found if row["outcome"] == "fails"]
    if as_json:
        print_json(found)
    else:
        counted = Counter(_kind(row) for row in found)
        for (version, step, outcome), count in sorted(counted.items()):
            typer.echo(f"v{version} at {step}: {count} {outcome}")
            said = next(
                (r["says"] for r in found if _kind(r) == (version, step, outcome) and "says" in r), ""
            )
            for line in said.splitlines():
                typer.echo(f"    {line}".rstrip())
        for row in wrong:
            typer.echo(f"instance {row['instance_id']}: {row['reason']}", err=True)
        if not found:
            typer.echo(f"No run of an older version of {name} is stored.")
    if wrong:
        raise typer.Exit(FINDINGS)


def _kind(row: dict[str, Any]) -> tuple[int, str, str]:
    return row["version"], row["step"], row["outcome"]


async def _tried(name: str) -> list[dict[str, Any]]:
    built = dispatcher()
    await built.store.start()
    try:
        return await tried(built, name)
    finally:
        await built.store.close()


async def tried(built: "Dispatcher", name: str) -> list[dict[str, Any]]:
    """What would become of every stored run of an older version, and what its person would hear next; nothing is kept."""
    definition = built.registry.get(name)
    stored = await built.store.instances_of(name)
    older = [i for i in stored if i.version != definition.version or i.step not in definition.steps]
    return [await _try(built, definition, i) for i in older]


async def _try(built: "Dispatcher", live: "Definition", instance: "Instance") -> dict[str, Any]:
    from softrail.dialogue.versions import moved

    own, conductor = built.registry.of(instance), built.parts.conductor
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
    person = await built.store.person(instance.person_id)
    if person is None:
        return {**row, "outcome": "fails", "reason": "Its person is not there."}
    turn = Turn(
        id=built.parts.ids.new(), session_id=instance.session_id, seq=0, person=person, message="", at=now()
    )
    try:
        if live.on_new_version != "migrate":
            played = await conductor.start(live, turn, prefill={})
            return {**row, "outcome": "starts afresh", "says": played.say}
        data, step = await conductor.migrate(live, instance, turn)
        played = await conductor.resume(live, moved(live, instance, data, step, asks=True), turn)
    except StepFailed as error:
        return {**row, "outcome": "fails", "reason": error.message}
    return {**row, "outcome": f"goes on at {played.step}", "says": played.say}
