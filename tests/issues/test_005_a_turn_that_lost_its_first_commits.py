"""A turn whose acceptance came a moment too late for its first commit can still be accepted."""

from collections.abc import Sequence

from pydantic import BaseModel

from softrail import Ask, Process, Turn, step
from softrail.core.commits import CommitResult, Moved, TurnCommit
from softrail.core.outcomes import Outcome
from softrail.core.turns import Reply, Request
from softrail.store import MemoryStore
from softrail.testing.plugin import Talk
from softrail.turns.dispatcher import Dispatcher


class Nothing(BaseModel):
    """No data."""


class Contended(MemoryStore):
    """Every commit that holds nothing finds the session moved."""

    async def commit(self, commits: Sequence[TurnCommit]) -> Sequence[CommitResult]:
        if all(c.fence is None and c.turn is not None and c.turn.turn_id == "contended" for c in commits):
            return [Moved(revision=c.session.rev) for c in commits]
        return await super().commit(commits)


class Late(Process, name="late", version=1):
    """Its time for ending unaccepted is over at the very moment it ends."""

    starts_on = ("be late",)
    dispatcher: Dispatcher | None = None

    @step(asks="What?")
    async def what(self, said: Turn, data: Nothing) -> Outcome:
        return Ask("What else?")

    def slot(self, data: Nothing) -> str:
        if Late.dispatcher is not None:
            queue = Late.dispatcher._queue
            for run in queue._last.values():
                queue._acceptor.overdue(run)
        return ""


async def test_it_is_accepted_and_gets_its_reply(talk: Talk) -> None:
    c = await talk(Late, store=Contended())
    await c.say("be late")
    Late.dispatcher = c.dispatcher

    request = Request(message="anything", session_id=c.session_id, turn_id="contended")
    reply = Reply.model_validate_json(await c.dispatcher.converse(request, c.person))

    assert reply.companion_message == "What else?"
    row = await c.dispatcher.store.turn(c.person.id, "contended")
    assert row is not None
    assert row.status == "committed"
