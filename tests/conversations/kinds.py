"""Processes that the conversations in this folder talk to, besides those that are installed."""

from datetime import timedelta

from pydantic import BaseModel

from softrail import Ask, Done, OfferPolicy, Process, Record, Release, Turn, Wait, ask, step
from softrail.core.outcomes import Outcome


class Trip(Process, name="trip", version=1):
    """A trip to plan: where to, when, and what for."""

    title = "the trip"
    contract = "questions_pass"
    freshness = timedelta(days=1)
    idle_timeout = timedelta(hours=1)
    retention = timedelta(days=10)
    starts_on = ("plan a trip",)

    class Answers(BaseModel):
        """What a trip needs."""

        place: str = ask("Where to?")
        days: int = ask("How many days in {place}?", gt=0)
        wishes: str = ask("Anything you wish for?", default="", takes_anything=True)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Have a good trip.", effects=[Record("trip", answers)])


class Tour(Process, name="tour", version=1):
    """A tour of the house, offered to everyone who says hello."""

    title = "the tour"
    starts_on = ("show me around",)
    offer_text = "Shall I show you around?"
    offers = OfferPolicy(cool_down=timedelta(days=1), at_most=2)
    confirm = False

    class Answers(BaseModel):
        """What a tour needs."""

        room: str = ask("Which room first?")

    async def offer_when(self, turn: Turn) -> bool:
        return True

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"This is {answers.room}.")


class Nothing(BaseModel):
    """No data."""


class Broken(Process, name="broken", version=1):
    """A process whose one step always fails."""

    title = "the broken thing"

    starts_on = ("break it",)

    @step(asks="What shall I break?")
    async def breaking(self, said: Turn, data: Nothing) -> Outcome:
        raise RuntimeError("broken on purpose")


class Door(Process, name="door", version=1):
    """A question with options and words of its own."""

    title = "the door"
    starts_on = ("open the door",)

    @step(asks="Which door?", options=("Red", "Blue", "Stop"))
    async def choosing(self, said: Turn, data: Nothing) -> Outcome:
        return Done(f"The {str(said.choice).lower()} door opens.")


class Deal(Process, name="deal", version=1):
    """One question of its own with a yes and a no."""

    title = "the deal"
    starts_on = ("make a deal",)

    @step(asks="Is it a deal?", options=("Yes", "No"))
    async def agreeing(self, said: Turn, data: Nothing) -> Outcome:
        return Done("Deal." if said.choice == "Yes" else "No deal.")


class Paid(BaseModel):
    amount: int = 0
    told: list[str] = []


class Booking(Process, name="booking"):
    """A table for an evening, against a deposit."""

    starts_on = ("book a table",)
    names = ("table",)

    class Answers(BaseModel):
        name: str = ask("On what name?")

    async def complete(self, answers: Answers, turn: Turn) -> Wait:
        return Wait(say="I am waiting for your deposit.", step="paid", until=timedelta(hours=1))

    @step(on="payment", goes_to=("seat",))
    async def paid(self, said: Turn, data: Paid) -> Outcome:
        if said.origin == "timer":
            return Done("No deposit came, so the table is free again.")
        assert said.signal is not None
        data = data.model_copy(update={"amount": said.signal.data["amount"]})
        return Ask(f"Your deposit of {data.amount} is here. Window or wall?", step="seat", data=data)

    @step(on="weather")
    async def weather(self, said: Turn, data: Paid) -> Outcome:
        assert said.signal is not None
        return Release(
            say="It will rain.", data=data.model_copy(update={"told": [*data.told, said.signal.key]})
        )

    @step()
    async def seat(self, said: Turn, data: Paid) -> Outcome:
        return Done(
            f"A table at the {said.message}, {data.amount} paid, told {', '.join(data.told) or 'nothing'}."
        )


class Survey(Process, name="survey", confirm=False):
    """Three questions."""

    starts_on = ("start the survey",)
    resumable = False

    class Answers(BaseModel):
        colour: str = ask("Which colour?", takes_anything=True)
        animal: str = ask("Which animal?", takes_anything=True)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Thank you.")
