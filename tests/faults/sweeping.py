"""A worker that sweeps a database once, beside others, and says how many sessions it has suspended."""

import asyncio
import sys
from datetime import timedelta

from pydantic import BaseModel

from softrail import Ask, Process, Turn, step
from softrail.core.outcomes import Outcome
from tests.faults.kit import worker


class Listening(Process, name="listening", version=1):
    """Hears one thing after the other."""

    starts_on = ("listen to me",)
    idle_timeout = timedelta(minutes=30)

    class Data(BaseModel):
        heard: int = 0

    @step(asks="And?", goes_to=("hear",), takes_anything=True)
    async def hear(self, said: Turn, data: Data) -> Outcome:
        return Ask("And?", data=self.Data(heard=data.heard + 1))


async def main(url: str) -> None:
    """Do everything that is due."""
    async with worker(url, Listening) as one:
        await one._sweeper.stop()
        print((await one.sweep()).suspended, flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
