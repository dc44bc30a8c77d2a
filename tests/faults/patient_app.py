"""An application whose steps take a second each, waiting or holding a thread, for people who all speak at once."""

import asyncio
import time

from pydantic import BaseModel

from softrail import Ask, Process, Record, Turn, build, step
from softrail.turns.dispatcher import Dispatcher

TAKES = 1.0


class Data(BaseModel):
    """What both processes keep."""

    heard: int = 0


class Waits(Process, name="waits", version=1):
    """Waits a second in each step."""

    starts_on = ("wait with me",)

    @step(asks="And?", takes_anything=True)
    async def hear(self, said: Turn, data: Data) -> Ask:
        await asyncio.sleep(TAKES)
        return Ask("And?", data=Data(heard=data.heard + 1), effects=[Record("heard", {"what": said.message})])


class Holds(Process, name="holds", version=1):
    """Holds a thread for a second in each step."""

    starts_on = ("hold it with me",)

    @step(asks="And?", takes_anything=True)
    def hear(self, said: Turn, data: Data) -> Ask:
        time.sleep(TAKES)
        return Ask("And?", data=Data(heard=data.heard + 1), effects=[Record("heard", {"what": said.message})])


def make() -> Dispatcher:
    """The application, for `SOFTRAIL_APP`."""
    return build(processes=[Waits, Holds])
