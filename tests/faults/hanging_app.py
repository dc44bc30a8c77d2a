"""An application with a step that hangs in each way there is, and one that answers."""

import asyncio
import hashlib
import time

from softrail import Done, Process, Turn, build, step
from softrail.turns.dispatcher import Dispatcher
from tests.faults.poison_app import Answers, Data, Spins

HANGS = 3.5  #: seconds of a thread, which cannot be ended: longer than a step may take


class Waits(Process, name="waits", version=1):
    """Waits for what never comes."""

    starts_on = ("wait for ever",)

    @step()
    async def waits(self, said: Turn, data: Data) -> Done:
        await asyncio.Event().wait()
        return Done("")


class Sleeps(Process, name="sleeps", version=1):
    """Sleeps in a thread."""

    starts_on = ("sleep in a thread",)

    @step()
    def sleeps(self, said: Turn, data: Data) -> Done:
        time.sleep(HANGS)
        return Done("")


class Computes(Process, name="computes", version=1):
    """Computes in a thread."""

    starts_on = ("compute in a thread",)

    @step()
    def computes(self, said: Turn, data: Data) -> Done:
        end = time.monotonic() + HANGS
        while time.monotonic() < end:
            pass
        return Done("")


class CallsInto(Process, name="calls_into", version=1):
    """Computes in a library, which lets the other threads go on."""

    starts_on = ("call into a library",)

    @step()
    def calls(self, said: Turn, data: Data) -> Done:
        end = time.monotonic() + HANGS
        while time.monotonic() < end:
            hashlib.pbkdf2_hmac("sha256", b"", b"", 2_000_000)
        return Done("")


HANGING = (Waits, Sleeps, CallsInto)


def make() -> Dispatcher:
    """The application, for `SOFTRAIL_APP`."""
    return build(processes=[*HANGING, Computes, Spins, Answers], discover=False)
