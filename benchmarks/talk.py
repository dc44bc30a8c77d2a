"""The conversation that is measured: onboarding from the first word to the saved projects, in seven turns."""

import itertools
from pathlib import Path

from benchmarks.figures import Samples
from softrail import Process, Settings, build
from softrail.core.clock import now
from softrail.core.people import Person
from softrail.core.turns import Reply, Request
from softrail.processes.builtin.onboarding import Onboarding
from softrail.turns.dispatcher import Dispatcher

SAID = (
    "set up my projects",
    "My main project is called Piper Morgan",
    "Another project is Dynamic Atlas",
    "that's all",
    "Piper Morgan",
    "skip all",
    "Save",
)

_numbers = itertools.count()


def sqlite_url(folder: Path, name: str) -> str:
    """The URL of a database file."""
    return f"sqlite:///{folder / name}.db"


def application(url: str, *more: type[Process]) -> Dispatcher:
    """The real application on that database, with nothing but onboarding and `more`."""
    settings = Settings(database_url=url, durability="full")
    return build(settings, processes=[Onboarding, *more], discover=False)


async def somebody(dispatcher: Dispatcher) -> Person:
    """A person nobody has met before."""
    email = f"person-{next(_numbers):06}@example.org"
    return await dispatcher.store.ensure_person(email, id=dispatcher.parts.ids.new(), at=now())


class Conversation:
    """One person's turns in one session."""

    def __init__(self, dispatcher: Dispatcher, person: Person) -> None:
        self._dispatcher = dispatcher
        self.person = person
        self.project_id: str | None = None  #: that a client would send with each turn
        self._turns = itertools.count()
        self.session_id: str | None = None

    async def onboarding(self, samples: Samples | None = None) -> None:
        """All seven turns. A conversation that goes another way than planned measures nothing: it raises."""
        raw = ""
        for message in SAID:
            raw = await self.say(message, samples)
        check_end(raw)

    async def say(self, message: str, samples: Samples | None = None) -> str:
        """One turn, with an id as every careful client sends it. Only the turn itself is timed."""
        request = Request(
            message=message,
            session_id=self.session_id,
            turn_id=f"turn-{next(self._turns):06}",
            project_id=self.project_id,
        )
        if samples is None:
            raw = await self._dispatcher.converse(request, self.person)
        else:
            with samples.timed():
                raw = await self._dispatcher.converse(request, self.person)
        if self.session_id is None:
            self.session_id = Reply.model_validate_json(raw).session_id
        return raw


def check_end(raw: str) -> None:
    """Raise unless the reply ends an onboarding with both projects saved."""
    reply = Reply.model_validate_json(raw)
    if reply.process is None or reply.process.state != "completed" or len(reply.side_effects) != 2:
        raise RuntimeError(f"The onboarding did not end as planned: {raw}")
