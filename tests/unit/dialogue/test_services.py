"""What a step may ask for: here the classifier, to read a message on its process's own intents only."""

from pydantic import BaseModel

from softrail import Done, IntentDefinition, Process, Turn, step
from softrail.core.ports import Classifier
from softrail.testing.plugin import Talk

OWN = (
    IntentDefinition(name="window", examples=("a seat at the window", "window please")),
    IntentDefinition(name="aisle", examples=("a seat at the aisle", "aisle please")),
)


class Seat(Process, name="seat", version=1):
    """Chooses a seat."""

    starts_on = ("choose a seat",)

    class Data(BaseModel):
        pass

    @step(asks="Where would you like to sit?")
    async def where(self, said: Turn, data: Data, classifier: Classifier) -> Done:
        read = await classifier.classify(said.message, OWN)
        return Done(f"You sit at: {read.name}.")


async def test_a_process_reads_a_message_on_its_own_intents_only(talk: Talk) -> None:
    person = await talk(Seat)
    await person.say("choose a seat")

    said = await person.say("a seat at the window")

    assert said.text == "You sit at: window."
    assert said.intent is None
