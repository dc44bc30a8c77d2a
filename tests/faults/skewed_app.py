"""An application whose clock is seconds ahead of the machine's, and whose deliveries are written down in a file."""

import asyncio
import os
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path

from pydantic import BaseModel

from softrail import Done, Effect, Process, Turn, build, step
from softrail.core import clock
from softrail.core.effects import OutboxItem
from softrail.core.outcomes import Outcome
from softrail.turns.dispatcher import Dispatcher

AHEAD = timedelta(seconds=float(os.environ.get("SKEWED_BY", "0")))
DELIVERED = Path(os.environ.get("SKEWED_DELIVERED", os.devnull))


class Mailing(Process, name="mailing", version=1):
    """Sends a letter for everything it is asked to send."""

    starts_on = ("send a letter",)

    class Data(BaseModel):
        pass

    @step()
    async def send(self, said: Turn, data: Data) -> Outcome:
        letter = Effect(kind="letter", summary="A letter", after_commit=True)
        return Done("It is on its way.", effects=[letter])


async def deliver(item: OutboxItem) -> None:
    """Write down the key of what is delivered; one line at a time, from any number of workers."""
    await asyncio.to_thread(_append, f"{item.key}\n")


def _append(line: str) -> None:
    with DELIVERED.open("a") as file:
        file.write(line)


def skewed() -> datetime:
    """The time, as this worker has it."""
    return clock._wall() + AHEAD


AT_WORK = ExitStack()  # for as long as the process lives: let go, it would set the clock right again


def make() -> Dispatcher:
    """The application, for `SOFTRAIL_APP`."""
    AT_WORK.enter_context(clock.clock(skewed))
    return build(processes=[Mailing], deliverers={"letter": deliver})
