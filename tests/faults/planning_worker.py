"""A worker in a process of its own that carries out plans and ends itself, once at each point: `URL FOLDER POINT…`."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

from softrail import Attempt, Settings, action, build
from softrail.bootstrap import plugin_tables
from softrail.plans import advancing, records, work
from softrail.plans.work import PlanWork
from softrail.store import open_store


class Points:
    """Where the worker is ended, each once, whichever worker comes there; and what steps did to the world outside."""

    def __init__(self, folder: Path, names: list[str]) -> None:
        self._folder = folder
        self._names = names

    def at(self, name: str) -> None:
        """End it here, the first time."""
        if name not in self._names:
            return
        try:
            (self._folder / f"ended-{name.replace(':', '-')}").touch(exist_ok=False)
        except FileExistsError:
            return
        os.kill(os.getpid(), signal.SIGKILL)

    def note(self, name: str) -> None:
        """Write down that a step was begun, where every worker can."""
        with (self._folder / "begun.txt").open("a", encoding="utf-8") as file:
            file.write(f"{name}\n")

    def pay(self, key: str) -> None:
        """Do something outside, as a service does that knows keys: once for each."""
        (self._folder / f"paid-{key.replace(':', '-')}").touch()


@action
def go(name: str, attempt: Attempt, points: Points) -> str:
    """Do something that may be cut off."""
    points.note(name)
    points.at(f"in:{name}")
    points.pay(attempt.key)
    points.at(f"paid:{name}")
    return f"{name} is done"


def cut(points: Points) -> None:
    """End the worker around the transactions of a step, and before and after the conversation is told."""
    _cut_steps(points)
    tell = PlanWork._tell

    async def told(self: Any, *args: Any) -> None:
        points.at("telling")
        write = self._store.write

        async def noted(fn: Any) -> Any:
            points.at("told")  # the signal is sent, and not noted
            return await write(fn)

        self._store.write = noted
        try:
            await tell(self, *args)
        finally:
            self._store.write = write

    setattr(PlanWork, "_tell", told)  # noqa: B010 - to end it around just that


def _cut_steps(points: Points) -> None:
    """`starting` and `kept`: in the transaction that begins a step, or keeps what came of it; `before` and `after`: then."""
    keep, begin = records.keep_fact, advancing._Round._begin
    carried_out, advanced = work._Drive._carried_out, work._Drive._advanced

    def kept(db: Any, made: Any, **values: Any) -> Any:
        fact = keep(db, made, **values)
        points.at(f"kept:{values['name']}")
        return fact

    def starting(self: Any, step: Any) -> Any:
        begun = begin(self, step)
        points.at(f"starting:{step.id}")
        return begun

    async def before(self: Any, one: Any) -> Any:
        points.at(f"before:{one.step.id}")
        return await carried_out(self, one)

    async def after(self: Any) -> Any:
        ended = [name for name, task in self._under_way.items() if task.done()]
        stands = await advanced(self)
        for name in ended:
            points.at(f"after:{name}")
        return stands

    vars(advancing)["keep_fact"] = kept
    for owner, name, cutting in (
        (advancing._Round, "_begin", starting),
        (work._Drive, "_carried_out", before),
        (work._Drive, "_advanced", after),
    ):
        setattr(owner, name, cutting)


def application(url: str, folder: Path, names: list[str], **parts: Any) -> Any:
    """The application, over a database that has its tables."""
    points = Points(folder, names)
    chosen = Settings(
        database_url=url, bundled=("plans",), beat_interval=0.1, dead_after=0.5, sweep_interval=3600.0
    )
    store = open_store(url, plugins=plugin_tables(discover=False))
    return build(chosen, store=store, actions=[go], services={Points: points}, **parts), points


async def main(url: str, folder: Path, names: list[str]) -> None:
    dispatcher, points = application(url, folder, names)
    cut(points)
    async with dispatcher:
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:]))
