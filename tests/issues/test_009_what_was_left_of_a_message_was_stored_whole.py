"""A refusal of what runs in the background was cut off, and the process in front was given the whole message."""

from pydantic import BaseModel

from softrail import Ask, Done, Process, Record, Turn, ask, step
from softrail.core.outcomes import Outcome
from softrail.testing.plugin import Talk


class Nothing(BaseModel):
    """No data."""


class Radio(Process, name="radio", version=1):
    """Plays in the background."""

    contract = "background"
    starts_on = ("play the radio",)

    @step()
    async def playing(self, said: Turn, data: Nothing) -> Outcome:
        return Ask("Playing. Louder?")


class Survey(Process, name="survey", version=1):
    """One question."""

    starts_on = ("do the survey",)
    confirm = False

    class Answers(BaseModel):
        """What is asked."""

        likes: str = ask("What do you like?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Thank you.", effects=[Record("survey", answers)])


async def test_the_process_in_front_gets_what_is_left_of_the_message(talk: Talk) -> None:
    spoken = await talk(Radio, Survey)
    await spoken.say("play the radio")
    await spoken.say("do the survey")

    said = await spoken.say("I don't want to do the radio, I like apples")

    assert "stopped the radio" in said.text
    [kept] = await spoken.records("survey")
    assert "radio" not in kept["likes"]
    assert "apples" in kept["likes"]
