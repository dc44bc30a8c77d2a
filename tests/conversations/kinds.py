"""Processes that the conversations in this folder talk to, besides those that are installed."""

from datetime import timedelta

from pydantic import BaseModel

from softrail import Done, OfferPolicy, Process, Record, Turn, ask, step
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
