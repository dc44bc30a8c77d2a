"""The guided process `book_a_table`."""

from datetime import date, time, timedelta
from typing import Any

from pydantic import BaseModel
from softrail import Done, Effect, Outcome, Process, Record, Release, Turn, Wait, Wrong, ask, check, step

from table.house import House

DEPOSIT = 10  #: for each of them
PATIENCE = timedelta(hours=1)


class Held(BaseModel):
    """The table that is held; without the id of a booking there is none."""

    booking: str = ""
    deposit: int = 0
    answers: dict[str, Any] = {}

    def told(self, kind: str, summary: str) -> Effect:
        payload = {"booking": self.booking, **self.answers}
        return Effect(kind=kind, summary=summary, payload=payload, after_commit=True)


class BookATable(Process, name="book_a_table"):
    """A table for an evening, against a deposit."""

    title = "the table"
    names = ("table", "booking", "reservation")
    starts_on = ("book a table", "I'd like a table", "a table for tonight please")
    one = "person"  # one at a time waits for its deposit
    leaves_by = "leave"
    resumable = False  # whoever leaves gives the table back

    class Answers(BaseModel):
        day: date = ask("Which day?")
        hour: time = ask("At what time?", names=("time",), label="Time")
        people: int = ask("For how many? The table has six seats.", gt=0, le=6)
        name: str = ask("On what name?")

    @check("day", "hour")
    async def free(self, answers: Answers, turn: Turn, house: House) -> Wrong | None:
        free = await house.free(answers.day)
        if answers.hour in free:
            return None
        if not free:
            return Wrong("day", "There is nothing free on that day.")
        hours = ", ".join(f"{hour:%H:%M}" for hour in free)
        return Wrong("hour", f"That is not free. There is a table at {hours}.")

    async def complete(self, answers: Answers, turn: Turn) -> Wait:
        held = Held(
            booking=f"{turn.session_id}:{turn.seq}",
            deposit=DEPOSIT * answers.people,
            answers=answers.model_dump(mode="json"),
        )
        return Wait(
            say=f"I hold it for an hour. It is yours with a deposit of {held.deposit}.",
            step="paid",
            until=PATIENCE,
            data=held,
            effects=[held.told("table_held", "Table held")],
        )

    @step(on="payment")
    async def paid(self, said: Turn, data: Held) -> Outcome:
        if said.signal is None:
            free = data.told("table_free", "Table free again")
            return Done("No deposit came, so the table is free again.", effects=[free])
        amount = said.signal.data["amount"]
        if not data.booking:
            back = Record("refund", {"amount": amount})
            return Done(f"You gave the table back, so {amount} go back to you.", effects=[back])
        if amount < data.deposit:
            return Release(say=f"{amount} came, and the deposit is {data.deposit}.")
        booked = Record("booking", data.answers, key=data.booking)
        return Done(f"Thank you, {data.answers['name']}. The table is yours.", effects=[booked])

    @step()
    async def leave(self, said: Turn, data: Held) -> Outcome:
        """Told before the person leaves it."""
        if not data.booking:
            return Release()
        free = data.told("table_free", "Table free again")
        return Done("Your table is free again.", data=Held(), effects=[free])
