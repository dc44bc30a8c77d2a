"""Whole messages that are what people are told to say for something are known for that, polite padding aside."""

import pytest
from pydantic import BaseModel

from softrail import Done, IntentDefinition, Process, RouteResult, Turn, ask
from softrail.core.intents import Intent
from softrail.language import language
from softrail.registry.registry import Registry


class Trip(Process, name="trip", version=1):
    """Plans a trip."""

    starts_on = ("plan a trip",)
    names = ("the journey",)

    class Answers(BaseModel):
        answer: str = ask("Where to?")

    async def complete(self, answers: BaseModel, turn: Turn) -> Done:
        return Done("Planned.")


class Inner(Process, name="inner", version=1):
    """Is only called by others."""

    names = ("packing list",)

    class Answers(BaseModel):
        answer: str = ask("What do you take?")

    async def complete(self, answers: BaseModel, turn: Turn) -> Done:
        return Done("Packed.")


async def found(turn: Turn, intent: Intent) -> RouteResult:
    return RouteResult(text="Found.")


def known() -> Registry:
    registry = Registry()
    registry.register(Trip)
    registry.register(Inner)
    registry.register_intent(
        IntentDefinition(name="weather", description="The weather.", say="how is the weather?"), found
    )
    return registry


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("plan a trip", True),
        ("How is the weather", True),
        ("please plan a trip", True),
        ("trip", True),
        ("The Journey", True),
        ("packing list", False),
        ("how is the weather in Lisbon?", False),
        ("a trip to Lisbon", False),
        ("", False),
    ],
)
def test_whole_messages_are_told_apart(said: str, is_told: bool) -> None:
    assert known().is_told_to_say(said, language("en")) is is_told


def test_a_process_does_not_hear_its_own_name() -> None:
    registry = known()
    assert not registry.is_told_to_say("trip", language("en"), within="trip")
    assert registry.is_told_to_say("how is the weather", language("en"), within="trip")


def test_what_is_registered_later_is_known_as_well() -> None:
    registry = known()
    assert not registry.is_told_to_say("tell me a joke", language("en"))
    registry.register_intent(
        IntentDefinition(name="joke", description="A joke.", say="tell me a joke"), found
    )
    assert registry.is_told_to_say("tell me a joke", language("en"))
