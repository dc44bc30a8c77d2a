"""What plugin code commits by itself is outside the promise; what it gives as effects is inside (row E8)."""

import sqlite3

import asyncpg
from pydantic import BaseModel
from sqlalchemy import insert, select

from softrail import Ask, Effect, Process, Turn, step
from softrail.core.outcomes import Outcome
from softrail.core.ports import EffectTransaction
from softrail.store import SqlStore
from softrail.store.tables import facts
from softrail.turns.dispatcher import Dispatcher
from tests.faults.kit import as_it_was, person_of, say, worker

ROW = "INSERT INTO facts (name, value) VALUES ('{}', 'there')"


class Ledger:
    """A connection of the plugin's own to the same database: each of its rows is committed at once."""

    def __init__(self, url: str) -> None:
        self._url = url

    async def write(self, name: str) -> None:
        if self._url.startswith("sqlite"):
            with sqlite3.connect(self._url.removeprefix("sqlite:///"), isolation_level=None) as conn:
                conn.execute(ROW.format(name))
            conn.close()
        else:
            own = await asyncpg.connect(self._url)
            await own.execute(ROW.format(name))
            await own.close()


class Paying(Process, name="paying", version=1):
    """Writes a row by itself and gives an effect; by its word it fails in between, or its effect does."""

    starts_on = ("pay with me",)

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    class Data(BaseModel):
        said: list[str] = []

    @step(asks="What?", goes_to=("what",), takes_anything=True)
    async def what(self, said: Turn, data: Data) -> Outcome:
        await self.ledger.write(f"own {said.message}")
        if said.message == "fails":
            raise RuntimeError("after its own commit")
        effect = Effect(kind="paid", summary="Paid", payload={"name": said.message})
        return Ask("What?", data=self.Data(said=[*data.said, said.message]), effects=[effect])


def paid(tx: EffectTransaction, effect: Effect) -> None:
    """One row in the transaction of the turn; then it may fail."""
    tx.execute(insert(facts).values(name=f"effect {effect.payload['name']}", value="there"))
    if effect.payload["name"] == "refused":
        raise ValueError("after its row")


async def written(one: Dispatcher, message: str) -> list[str]:
    """What stands in the database of that turn: its own row, the row of its effect."""
    assert isinstance(one.store, SqlStore)
    query = select(facts.c.name).where(facts.c.name.in_((f"own {message}", f"effect {message}")))
    return sorted(await one.store.read(lambda conn: conn.execute(query).scalars().all()))


async def test_what_a_step_commits_by_itself_stays_when_it_fails_and_its_effect_goes_with_its_turn(
    url: str,
) -> None:
    async with worker(url, Paying, services={Ledger: Ledger(url)}, effect_handlers={"paid": paid}) as one:
        person = await person_of(one)
        session = (await say(one, person, "pay with me")).session_id
        [before] = await one.store.instances(session)

        failed = await say(one, person, "fails", session_id=session, turn_id="t1")
        refused = await say(one, person, "refused", session_id=session, turn_id="t2")
        [after] = await one.store.instances(session)
        well = await say(one, person, "tea", session_id=session, turn_id="t3")

        assert "went wrong on my side" in failed.companion_message
        assert refused.companion_message.startswith("I could not save that: after its row.")
        assert as_it_was(after) == as_it_was(before)
        assert well.companion_message == "What?"
        assert await written(one, "fails") == ["own fails"]
        assert await written(one, "refused") == ["own refused"]
        assert await written(one, "tea") == ["effect tea", "own tea"]
