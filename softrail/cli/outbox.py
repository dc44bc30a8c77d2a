"""`softrail outbox`: what is still to be delivered, what was set aside, and trying that again."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import typer

from softrail.cli.ground import FINDINGS, USAGE, AsJson, command, opened, print_json, run, stop
from softrail.cli.terminal import tell
from softrail.core.clock import now
from softrail.core.commits import TurnRow
from softrail.core.effects import OutboxItem
from softrail.core.ports import Store

ALL = "all"


@command
def outbox(
    retry: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY", help='Try this again that was set aside; several times, or "all".'),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="How many are listed at most.")] = 100,
    as_json: AsJson = False,
) -> None:
    """List effects that are not delivered yet and those set aside. Exit 1 when any are set aside."""
    if retry:
        _retried(retry, as_json)
        return
    found = run(_undelivered(limit + 1))
    shown = found[:limit]
    if as_json:
        print_json([as_told(item) for item in shown])
    else:
        for line in lines(shown):
            tell(line)
        if len(found) > limit:
            tell(f"… and more: --limit {limit * 10}")
        if not found:
            tell("Everything is delivered.")
    if any(item.status == "failed" for item in shown):
        raise typer.Exit(FINDINGS)


def _retried(keys: Sequence[str], as_json: bool) -> None:
    if ALL in keys and len(keys) > 1:
        stop('"all" stands alone: --retry all', USAGE)
    done, unknown = run(_again(keys))
    if as_json:
        print_json({"again": done, "unknown": unknown})
    elif done:
        tell(f"To be tried again: {', '.join(done)}. A running server does it at its next sweep.")
    elif not unknown:
        tell("Nothing is set aside.")
    if unknown:
        stop(f"Nothing is set aside under {', '.join(unknown)}. `softrail outbox` shows the keys.", FINDINGS)


async def _again(keys: Sequence[str]) -> tuple[list[str], list[str]]:
    done, unknown = list[str](), list[str]()
    async with opened() as store:
        if ALL in keys:
            keys = [item.key for item in await _set_aside(store)]
        for key in dict.fromkeys(keys):
            (done if await store.try_again(key, at=now()) else unknown).append(key)
    return done, unknown


async def _set_aside(store: Store) -> list[OutboxItem]:
    """All of them, however many."""
    limit = 1000
    while True:
        found = await store.undelivered(limit)
        failed = [item for item in found if item.status == "failed"]
        if len(failed) < limit:
            return failed
        limit *= 10


async def _undelivered(limit: int) -> Sequence[OutboxItem]:
    async with opened() as store:
        return await store.undelivered(limit)


async def undelivered_of(store: Store, row: TurnRow) -> list[dict[str, Any]]:
    """What of a turn is not delivered yet, as JSON tells it; for `why`."""
    return [as_told(item) for item in await store.undelivered_of(row.session_id, row.seq)]


def told(undelivered: Iterable[dict[str, Any]]) -> list[str]:
    """The same in words; for `why`."""
    found = [f"  {_line(**one)}" for one in undelivered]
    return ["Not delivered yet:", *found] if found else []


def lines(items: Iterable[OutboxItem]) -> list[str]:
    """An item a line."""
    return [_line(**as_told(item)) for item in items]


def as_told(item: OutboxItem) -> dict[str, Any]:
    """What an operator may know of an item: nothing of what it carries."""
    return {
        "key": item.key,
        "kind": item.kind,
        "status": item.status,
        "tries": item.tries,
        "next_at": item.next_at if item.status == "waiting" else None,
        "error": item.error or None,
        "claimed_by": item.claimed_by if item.status == "waiting" else None,
        "instance_id": item.instance_id,
    }


def _line(
    *, key: str, kind: str, status: str, tries: int, next_at: Any, error: str | None, **rest: object
) -> str:
    often = "1 try" if tries == 1 else f"{tries} tries"
    if status == "failed":
        return f"{key}  {kind}  set aside after {often}. {error or ''}".rstrip()
    if rest.get("claimed_by"):
        return f"{key}  {kind}  in hand, {often} begun. {error or ''}".rstrip()
    due = f"{next_at:%Y-%m-%d %H:%M:%S} UTC"
    return f"{key}  {kind}  waits until {due}, {often} so far. {error or ''}".rstrip()
