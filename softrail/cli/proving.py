"""`softrail plans verify FILE`: a proof done again; `softrail plans proof SESSION`: the file that it is in."""

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from softrail.cli.ground import FINDINGS, AsJson, command, dispatcher, print_json, run
from softrail.cli.terminal import tell
from softrail.core.errors import BadRequest, NotFound
from softrail.core.files import safe_name

if TYPE_CHECKING:
    from softrail.plans.proofs.proof import Proof, ProofSource
    from softrail.plans.proofs.verifying import Verified
    from softrail.turns.dispatcher import Dispatcher

proving = typer.Typer(help="Proofs of plans.", no_args_is_help=True)


@proving.callback()
def begin() -> None:
    """Proofs of plans: a file that can be checked without trusting whoever made it."""


@proving.command()
@command
def verify(
    file: Annotated[Path, typer.Argument(help="The proof file.", exists=True, dir_okay=False)],
    data: Annotated[
        list[Path] | None,
        typer.Option(
            help="A file of data that it rests on; may be given several times.", exists=True, dir_okay=False
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Do everything in a proof again, and say what does not agree. Exit 1 when anything does not."""
    from softrail.plans.proofs.proof import LARGEST, read_proof

    if file.stat().st_size > LARGEST:
        raise BadRequest(f"{file} is larger than a proof can be: {LARGEST} bytes.")
    proof = read_proof(file.read_bytes())
    found = run(_verified(proof, file, data or []))
    if as_json:
        told = {"agrees": not found.wrong, "wrong": found.wrong, "taken": found.taken, "again": found.again}
        print_json({**told, "sources": found.sources})
    else:
        _shown(proof, found)
    if found.wrong:
        raise typer.Exit(FINDINGS)


@proving.command()
@command
def proof(
    session: Annotated[str, typer.Argument(help="The session whose last plan it is of.")],
    into: Annotated[
        Path, typer.Option(help="The folder to write to.", file_okay=False, exists=True)
    ] = Path(),
) -> None:
    """Write the proof of the last plan of a session as a file; nothing that is there is overwritten."""
    application = dispatcher()
    name, content = run(_made(application, session))
    path = into / safe_name(f"{name}.proof.json")
    try:
        with path.open("xb") as out:
            out.write(content)
    except FileExistsError:
        raise BadRequest(
            f"{path} is there already, so nothing was written. Move it, or use --into."
        ) from None
    tell(f"Wrote {path}")


def _shown(proof: "Proof", found: "Verified") -> None:
    tell(f"The plan: {proof.plan.problem}")
    for one in found.wrong:
        tell(f"Does not agree: {one}")
    for one in found.taken:
        tell(f"Taken as it stands: {one}")
    steps, files = _many(found.again, "step"), _many(found.sources, "file")
    if found.wrong:
        tell(f"{_many(len(found.wrong), 'thing')} of this proof cannot be relied on. Done again: {steps}.")
    else:
        tell(f"It agrees: {steps} done again over {files}, with the same result.")


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


async def _verified(proof: "Proof", file: Path, data: Sequence[Path]) -> "Verified":
    from softrail.plans.data.children import Children
    from softrail.plans.proofs.laid import found_in
    from softrail.plans.proofs.verifying import verify

    found: dict[str, Path | str] = {}
    with tempfile.TemporaryDirectory(prefix="softrail-proof-") as folder:
        for source in proof.sources:
            beside = file.parent / safe_name(source.name)
            paths = [*data, *([beside] if beside.is_file() else [])]
            found[source.name] = await asyncio.to_thread(found_in, paths, source)
        lost = [one for one in proof.sources if found[one.name] == ""]
        if lost:
            await _from_database(lost, Path(folder), found)
        return await verify(proof, found, Children(seconds=600.0))


async def _from_database(lost: Sequence["ProofSource"], folder: Path, found: dict[str, Path | str]) -> None:
    """Take what is neither given nor beside the proof from the project's own database."""
    from softrail.plans.data.sources import Sources

    application = dispatcher()
    sources = application.registry.find_service(Sources)
    await application.store.start()
    try:
        for n, one in enumerate(lost):
            path = folder / str(n)
            if sources is not None and await sources.original(one.sha256, path):
                found[one.name] = path
            else:
                found[one.name] = (
                    f"{one.name} is not there: neither beside the proof nor attached in this project's database. "
                    "Give it with --data FILE."
                )
    finally:
        await application.store.close()


async def _made(application: "Dispatcher", session: str) -> tuple[str, bytes]:
    """The problem of the last plan, and its proof. Raises NotFound."""
    from softrail.plans.proofs.making import proof_of
    from softrail.plans.proofs.proof import written
    from softrail.plans.records import standing
    from softrail.plans.work import Plans

    plans = application.registry.service(Plans)
    await plans.store.start()
    try:
        run = (await plans.store.read(lambda conn: standing(conn, session))).run
        made = await plans.store.read(lambda conn: proof_of(conn, run.id)) if run is not None else None
    finally:
        await plans.store.close()
    if run is None or run.state != "done" or run.mode != "proof" or made is None:
        raise NotFound(
            f"There is no proof in the session {session}: one is made when a plan in proof mode is done, and can be "
            "made again as long as its facts and its data are there."
        )
    return made.plan.problem, written(made)
