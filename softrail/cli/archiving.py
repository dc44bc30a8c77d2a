"""`softrail archive`: pack what was answered long ago, and forget what nobody has to keep."""

from datetime import datetime, timedelta
from typing import Annotated

import typer

from softrail.cli.ground import USAGE, AsJson, command, opened, print_json, run, stop
from softrail.core.clock import now
from softrail.core.commits import Archived
from softrail.core.ports import Store

SHORTEST = 7  #: days; so long a client may come back with a turn that it could not send
PAGE = 200  #: sessions


@command
def archive(
    older_than: Annotated[int, typer.Option(metavar="DAYS", help="Pack turns that are older.")] = 90,
    forget_after: Annotated[
        int | None, typer.Option(metavar="DAYS", help="Erase packed turns that are older than that.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Pack old turns: they stay readable and take a fraction of the space. Runs beside a server, again and again.

    Nothing is lost if it is stopped; the next run goes on.
    """
    if older_than < SHORTEST:
        stop(f"--older-than is at least {SHORTEST} days: the ids of younger turns keep repeats apart.", USAGE)
    if forget_after is not None and forget_after < older_than:
        stop("--forget-after is at least --older-than: only what was packed is forgotten.", USAGE)
    packed, forgotten = run(_archived(older_than, forget_after))
    if as_json:
        print_json(
            {"turns": packed.turns, "bytes": packed.taken, "packed": packed.kept, "forgotten": forgotten}
        )
        return
    typer.echo(f"{packed.turns:,} turns packed: {_size(packed.taken)} of text became {_size(packed.kept)}.")
    if forget_after is not None:
        typer.echo(f"Packs of turns older than {forget_after} days that were erased: {forgotten:,}.")


async def _archived(older_than: int, forget_after: int | None) -> tuple[Archived, int]:
    async with opened() as store:
        packed = await _packed(store, now() - timedelta(days=older_than))
        forgotten = 0
        if forget_after is not None:
            forgotten = await _forgotten(store, now() - timedelta(days=forget_after))
        return packed, forgotten


async def _packed(store: Store, before: datetime) -> Archived:
    done, last = Archived(), ""
    while found := await store.archivable(before, after=last, limit=PAGE):
        for session_id in found:
            # One short transaction each: turns that arrive meanwhile wait for none of them.
            while (one := await store.archive(session_id, before)).turns:
                done += one
        last = found[-1]
    return done


async def _forgotten(store: Store, before: datetime) -> int:
    count = 0
    while found := await store.forgettable(before, limit=PAGE):
        for session_id in found:
            count += await store.forget(session_id, before)
    return count


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB" if count >= 1e5 else f"{count / 1e3:,.1f} KB"
