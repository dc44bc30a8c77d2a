"""A process that says something at once and then waits until a test lets it go on, and one that says words again."""

import asyncio

from pydantic import BaseModel

from softrail import Done, Process, Turn, step
from softrail.core.outcomes import Outcome


class Gate:
    """What the slow process waits for, in the loop of the server."""

    def __init__(self) -> None:
        self.open = asyncio.Semaphore(0)

    async def passed(self) -> None:
        """Returns once it is open, for one."""
        await self.open.acquire()


class Nothing(BaseModel):
    """It keeps nothing."""


class Slow(Process, name="slow", version=1):
    """Something that takes its time."""

    starts_on = ("do the slow thing",)

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    @step()
    async def work(self, said: Turn, data: Nothing) -> Outcome:
        """Says something at once, then waits."""
        await said.say("One moment.")
        await self._gate.passed()
        return Done("All done.")


class Echo(Process, name="echo", version=1):
    """Says again what was said, so that every answer shows what it answers."""

    starts_on = ("the first", "the second")

    @step()
    async def says(self, said: Turn, data: Nothing) -> Outcome:
        """The same words."""
        return Done(f"You said “{said.message}”.")
