"""A PostgreSQL that refuses transactions under contention is asked again, and nobody hears of it (row C7)."""

import asyncio

import pytest
from pydantic import BaseModel

from softrail import Ask, Process, Record, Turn, step
from softrail.core.outcomes import Outcome
from softrail.turns.dispatcher import Dispatcher
from tests.faults.kit import contents, person_of, say, worker
from tests.faults.refusing import refuse, refused

PEOPLE, TURNS = 5, 8


class Noting(Process, name="noting", version=1):
    """Keeps each thing it is told."""

    starts_on = ("note with me",)

    class Data(BaseModel):
        said: list[str] = []

    @step(asks="Next?", goes_to=("note",), takes_anything=True)
    async def note(self, said: Turn, data: Data) -> Outcome:
        told = [*data.said, said.message]
        return Ask("Next?", data=self.Data(said=told), effects=[Record("noted", {"said": told})])


async def speak(workers: tuple[Dispatcher, Dispatcher], name: str) -> None:
    """Say something to either in turn; each of it must be there once, with its effect."""
    one, _ = workers
    person = await person_of(one, name)
    session = (await say(one, person, "note with me")).session_id
    told = [f"tea {n}" for n in range(TURNS)]
    for n, message in enumerate(told):
        await say(workers[n % 2], person, message, session_id=session)
    assert await contents(one, person, session) == ["note with me", *told]
    kept = await one.store.list(person.id, "noted")
    assert [len(record.data["said"]) for record in kept] == list(range(1, TURNS + 1))


@pytest.mark.parametrize("accept_after", [0.0, 5.0], ids=["written down first", "committed at once"])
async def test_transactions_that_are_refused_are_run_again_and_each_turn_happens_once(
    accept_after: float, empty_postgres_url: str
) -> None:
    url, changed = empty_postgres_url, {"accept_after": accept_after}
    async with worker(url, Noting, changed=changed) as one, worker(url, Noting, changed=changed) as two:
        await refuse(url, one_in=4)
        try:
            await asyncio.gather(*(speak((one, two), f"p{n}") for n in range(PEOPLE)))
        finally:
            count, of = await refused(url)
    assert count == of // 4 > 0
