"""The turns that one request of a client brings, begun in their order and told one after the other."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

from pydantic_core import from_json

from softrail.api.background import progress_data
from softrail.api.moment import moment
from softrail.api.parts import Parts
from softrail.api.protocols.telling import COMMITTED, PROGRESS, Told, told
from softrail.api.protocols.thread import Thread
from softrail.core.people import Person
from softrail.core.turns import Request
from softrail.turns.progress import Told as Far
from softrail.turns.running import RunningTurn


class Turns:
    """The turns of one request. They are all under way before the first is told: leaving stops none of them."""

    def __init__(self, parts: Parts, person: Person, thread: Thread) -> None:
        self._parts = parts
        self._person = person
        self.thread = thread
        self._runs: list[RunningTurn] = []
        self._shown: Sequence[Far] = ()  #: the last words on long work that were told
        self._last: dict[str, Any] | None = None  #: the last reply
        self.calls: list[dict[str, Any]] = []  #: model calls of all turns
        self.interrupted = False  #: the last turn was

    @property
    def ids(self) -> Sequence[str]:
        """The ids of the turns, in order."""
        return [run.turn_id for run in self._runs]

    async def begin(self, requests: Sequence[Request]) -> None:
        """Begin them. What stops the first of them is raised, as it would be for `POST /converse`."""
        if requests:
            await self.thread.open()
        for request in requests:
            self._runs.append(self._parts.dispatcher.submit(request, self._person, streaming=True))
        if self._runs:
            await self._runs[0].accepted()

    def go_on(self) -> bool:
        """Take up the turns that run in the thread on this worker or wait there; whether there is one."""
        self._runs += self._parts.dispatcher.running_in(self._person.id, self.thread.session_id)
        return bool(self._runs)

    def words(self) -> list[tuple[str, str]]:
        """What the person says with these turns, each with its turn's id: no transcript has it before its answer."""
        requests = ((run.turn_id, run.request) for run in self._runs)
        return [
            (turn_id, one.message) for turn_id, one in requests if isinstance(one, Request) and one.message
        ]

    async def told(self) -> AsyncIterator[tuple[str, Told]]:
        """Every event with the id of its turn; the first turn that cannot be answered here ends it.

        Before each comes how far long work of the session is, where there is a new word on that: it has no turn.
        """
        for run in self._runs:
            async for one in told(run):
                for far in self._far():
                    yield run.turn_id, far
                yield run.turn_id, one
                if one.name == COMMITTED:
                    self._last = one.data
                    await self._look(run.turn_id)
                    break
            else:
                return
        for far in self._far():
            yield "", far

    def _far(self) -> list[Told]:
        """How far long work of the session is, where that was not told yet."""
        words = self._parts.dispatcher.progress.of(self.thread.session_id)
        new = [one for one in words if one not in self._shown]
        self._shown = words
        return [Told(PROGRESS, progress_data(one)) for one in new]

    async def _look(self, turn_id: str) -> None:
        """What only the decision record says of a turn."""
        record = await self._parts.store.decision(self._person.id, self.thread.session_id, turn_id)
        decision = from_json(record) if record is not None else {}
        self.calls += decision.get("model_calls", [])
        self.interrupted = decision.get("status") == "interrupted"

    async def state(self) -> dict[str, Any]:
        """The session as it stands now."""
        session = await self.thread.session()
        if self._last is None and session is not None:
            self._last = await self._last_reply()
        return await moment(self._parts, session, self.thread.session_id, self._last)

    async def _last_reply(self) -> dict[str, Any] | None:
        items = await self._parts.store.items(
            self._person.id, session_id=self.thread.session_id, before=2**62, limit=1
        )
        row = await self.thread.seen(items[-1].turn_id) if items else None
        found: dict[str, Any] | None = from_json(row.reply) if row is not None and row.reply else None
        return found
