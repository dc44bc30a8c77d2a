"""A server that is killed in the middle of a turn: `python -m tests.browser.crashing FOLDER PORT`."""

import asyncio
import sys
from pathlib import Path

import uvicorn

from softrail import Settings, build
from softrail.api import create_app
from tests.slow_process import Echo, Gate, Slow


class FileGate(Gate):
    """Open once a file is there, which another process makes."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._file = folder / "open"

    async def passed(self) -> None:
        """Looks for the file again and again."""
        while not self._file.exists():  # noqa: ASYNC110 - made by another process
            await asyncio.sleep(0.02)


def main(folder: Path, port: int) -> None:
    """Serve until killed."""
    settings = Settings(database_url=f"sqlite:///{folder / 'talk.db'}", step_limit=600.0)
    dispatcher = build(settings, processes=[Slow, Echo], services={Gate: FileGate(folder)}, discover=False)
    uvicorn.run(create_app(dispatcher, settings), port=port, log_config=None)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
