"""A server that is killed in the middle of a turn: `python -m tests.browser.crashing FOLDER PORT`."""

import asyncio
import sys
from pathlib import Path

import uvicorn
from pydantic import BaseModel

from softrail import Done, Process, Settings, Turn, build, step
from softrail.api import create_app
from softrail.core.outcomes import Outcome


class Folder:
    """Where a file opens the gate."""

    def __init__(self, path: Path) -> None:
        self.path = path


class Nothing(BaseModel):
    """It keeps nothing."""


class Slow(Process, name="slow", version=1):
    """Something that takes until a file is there."""

    starts_on = ("do the slow thing",)

    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    @step()
    async def work(self, said: Turn, data: Nothing) -> Outcome:
        """Says something at once, then waits."""
        await said.say("One moment.")
        while not (self._folder.path / "open").exists():  # noqa: ASYNC110 - made by another process
            await asyncio.sleep(0.02)
        return Done("All done.")


def main(folder: Path, port: int) -> None:
    """Serve until killed."""
    settings = Settings(database_url=f"sqlite:///{folder / 'talk.db'}", step_limit=600.0)
    dispatcher = build(settings, processes=[Slow], services={Folder: Folder(folder)}, discover=False)
    uvicorn.run(create_app(dispatcher, settings), port=port, log_config=None)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
