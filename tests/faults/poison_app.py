"""An application with a step that never awaits and never ends, and one that answers."""

import time

from pydantic import BaseModel

from softrail import Done, Process, Turn, build, step
from softrail.turns.dispatcher import Dispatcher


class Data(BaseModel):
    """Nothing."""


class Spins(Process, name="spins", version=1):
    """Goes on for ever without letting anyone else run; other tests need the processor meanwhile."""

    starts_on = ("spin with me",)

    @step()
    async def spins(self, said: Turn, data: Data) -> Done:
        while True:
            time.sleep(0.01)  # noqa: ASYNC251 - it holds the loop


class Answers(Process, name="answers", version=1):
    """Answers at once."""

    starts_on = ("answer me",)

    @step()
    async def answers(self, said: Turn, data: Data) -> Done:
        return Done("Here you are.")


def make() -> Dispatcher:
    """The application, for `SOFTRAIL_APP`."""
    return build(processes=[Spins, Answers], discover=False)
