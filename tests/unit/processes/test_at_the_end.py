"""What steps and `complete` are handed: answers that say when they are missing, the steps' data, services."""

import pytest
from pydantic import BaseModel

from softrail.core.errors import DefinitionError, StepFailed
from softrail.core.outcomes import Ask, Done, Goto, Outcome
from softrail.core.turns import Turn
from softrail.processes import Process, ask, define, step
from tests.unit.processes.kit import Talk


class Kept(BaseModel):
    """What the steps keep."""

    seats: int = 2


class Prices:
    """A service of the application."""

    each = 20


class Evening(Process, name="evening", version=1):
    """An evening out."""

    class Answers(BaseModel):
        place: str = ask("Where to?")
        wine: bool = ask("With wine?", default=False)

    @step(first=True, asks="How many?", goes_to=("gathering",))
    async def seats(self, said: Turn, data: Kept) -> Outcome:
        return Goto("gathering", data=Kept(seats=int(said.message)))

    async def complete(self, answers: Answers, turn: Turn, data: Kept, prices: Prices) -> Done:
        return Done(f"{data.seats} seats at {answers.place}: {data.seats * prices.each}.")


async def test_complete_is_handed_the_data_of_the_steps_and_services_by_their_types() -> None:
    talk = Talk(Evening, services={Prices: Prices()})
    await talk.start()
    for words in ("3", "Luigi's", "no"):
        await talk.say(words)

    assert (await talk.say("yes")).say == "3 seats at Luigi's: 60."


def test_complete_that_wants_what_nobody_has_is_refused_at_registration() -> None:
    with pytest.raises(DefinitionError, match=r"complete\(\) with the parameter 'prices' \(Prices\)"):
        define(Evening)


class Early(Process, name="early", version=1):
    """A step that looks at answers before they are there."""

    class Answers(BaseModel):
        place: str = ask("Where to?")
        wine: bool = ask("With wine?", default=False)

    @step(first=True, asks="Shall we?", goes_to=("gathering",))
    async def looking(self, said: Turn, data: Answers) -> Outcome:
        if said.message == "look":
            return Ask(f"{hasattr(data, 'place')} {data.wine} {data.model_dump()}. Well?")
        return Goto("gathering", say=data.place)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Fine.")


async def test_an_answer_that_is_not_there_says_so_by_name_and_what_to_do() -> None:
    talk = Talk(Early)
    await talk.start()

    with pytest.raises(StepFailed, match="'place' has not been answered yet") as failed:
        await talk.say("go on")

    assert "Step 'looking' of process 'early'" in failed.value.message
    assert isinstance(failed.value.__cause__, AttributeError)


async def test_what_is_not_there_can_be_looked_for_and_a_default_is_there() -> None:
    talk = Talk(Early)
    await talk.start()

    assert (await talk.say("look")).say == "False False {'wine': False}. Well?"
