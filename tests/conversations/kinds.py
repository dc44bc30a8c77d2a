"""Processes that the conversations in this folder talk to, besides those that are installed."""

from datetime import timedelta
from typing import ClassVar

from pydantic import BaseModel

from softrail import (
    Ask,
    Done,
    Goto,
    IntentDefinition,
    OfferPolicy,
    Process,
    Record,
    Release,
    Turn,
    Wait,
    ask,
    step,
)
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


class Run(BaseModel):
    parts: list[str] = []
    paused: bool = False


class Job(Process, name="job", version=1):
    """Some work that goes on beside the talk."""

    title = "the job"
    contract = "background"
    idle_timeout = None
    starts_on = ("start the job",)
    intents = (
        IntentDefinition(
            name="pause_job",
            description="They want the work to wait.",
            examples=("hold the work for a while",),
            offered="active",
        ),
        IntentDefinition(name="only_part", description="They want a part only.", offered="active"),
        IntentDefinition(name="redo_job", description="They want it done again.", offered="active"),
        IntentDefinition(
            name="job_progress",
            description="They ask how far it is.",
            examples=("how far is the work",),
        ),
    )
    slashes: ClassVar = {"redo": "redo_job"}

    def recognise(self, words: str) -> str | None:
        if words.startswith("only include "):
            return "only_part"
        return "pause_job" if words == "pause" else None

    @step(goes_to=("running",))
    async def begin(self, said: Turn, data: Run) -> Wait:
        return Wait(say="The job runs.", step="running")

    @step(on="done")
    async def running(self, said: Turn, data: Run) -> Done:
        return Done(f"The job is done: {', '.join(data.parts) or 'everything'}.")

    @step(intent=("pause_job", "job_progress"))
    async def asked(self, said: Turn, data: Run) -> Release:
        assert said.intent is not None
        if said.intent.name == "pause_job":
            if data.paused:
                return Release()
            return Release(say="The job waits.", data=data.model_copy(update={"paused": True}))
        return Release(say=f"The job {'waits' if data.paused else 'runs'}.")

    @step(intent="only_part", goes_to=("sure",))
    async def part(self, said: Turn, data: Run) -> Ask:
        part = said.message.removeprefix("only include ")
        data = data.model_copy(update={"parts": [*data.parts, part]})
        return Ask(f"Only {part}, then?", step="sure", data=data, options=("Yes", "No"))

    @step(goes_to=("running",))
    async def sure(self, said: Turn, data: Run) -> Wait:
        if said.choice != "Yes":
            return Wait(say="It stays as it was.", step="running", data=Run(paused=data.paused))
        return Wait(say=f"Only {', '.join(data.parts)}.", step="running")

    @step(intent="redo_job", goes_to=("running",))
    async def redo(self, said: Turn, data: Run) -> Wait:
        assert said.intent is not None
        again = said.intent.target or "everything"
        return Wait(say=f"Once more: {again}.", step="running", data=Run())


class Parcel(Process, name="parcel", version=1):
    """A parcel to send; its price may be asked at any time."""

    title = "the parcel"
    starts_on = ("send a parcel",)
    intents = (
        IntentDefinition(
            name="parcel_price",
            description="They ask what the parcel costs.",
            examples=("what does the parcel cost",),
            offered="active",
        ),
        IntentDefinition(name="leave_parcel", description="They let it be.", offered="active"),
        IntentDefinition(name="parcel_to_work", description="It goes to their office.", offered="active"),
    )
    slashes: ClassVar = {"price": "parcel_price"}
    failing = False

    class Answers(BaseModel):
        to: str = ask("Who gets it?", takes_anything=True)
        weight: int = ask("How many kilos?")

    def recognise(self, words: str) -> str | None:
        if Parcel.failing:
            raise RuntimeError("out of order")
        said = words.casefold().strip("?!. ")
        known = {"what does it cost": "parcel_price", "stop": "leave_parcel", "park it": "leave_parcel"}
        return known.get(said) or ("parcel_to_work" if said == "to work" else None)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Sent.", effects=[Record("parcel", answers)])

    @step(intent="parcel_price")
    async def price(self, said: Turn, data: Answers) -> Release:
        return Release(say="Five a kilo.")

    @step(intent="leave_parcel")
    async def leaving(self, said: Turn, data: Answers) -> Release:
        return Release(say="The parcel waits.", suspend=True)

    @step(intent="parcel_to_work", goes_to=("gathering",))
    async def to_work(self, said: Turn, data: Answers) -> Goto:
        return Goto("gathering", data=data.model_copy(update={"to": "the office"}))
