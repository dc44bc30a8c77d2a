"""A worker in a process of its own that carries out plans and ends itself, once at each point: `URL FOLDER POINT…`."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

from softrail import Settings, action, build
from softrail.bootstrap import plugin_tables
from softrail.plans import advancing, records
from softrail.plans.work import PlanWork
from softrail.store import open_store


class Points:
    """Where the worker is ended, each once, whichever worker comes there."""

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


@action(repeatable=True)
def go(name: str, points: Points) -> str:
    """Do something that may be cut off."""
    points.note(name)
    points.at(f"step:{name}")
    return f"{name} is done"


def cut(points: Points) -> None:
    """End the worker in a transaction of a step, and before and after the conversation is told."""
    keep, tell = records.keep_fact, PlanWork._tell

    def kept(db: Any, made: Any, **values: Any) -> None:
        keep(db, made, **values)
        points.at(f"kept:{values['name']}")

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

    vars(advancing)["keep_fact"] = kept
    setattr(PlanWork, "_tell", told)  # noqa: B010 - to end it around just that


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
