import pytest
from pydantic import BaseModel, Field

from softrail.classifier import Cascade, PlainClassifier
from softrail.core.intents import IntentDefinition

STANDUP = IntentDefinition(name="start_standup", examples=("let's do my standup", "start the standup"))
GREET = IntentDefinition(name="greeting")
BOTH = (STANDUP, GREET)


async def test_an_example_is_sure_whatever_its_case_punctuation_and_politeness() -> None:
    for said in ("start the standup", "Start the standup!", "please START the standup, thanks"):
        intent = await PlainClassifier().classify(said, BOTH)

        assert (intent.name, intent.confidence, intent.tier) == ("start_standup", 1.0, "exemplars")


async def test_words_of_greeting_are_a_greeting_but_not_with_a_question_behind_them() -> None:
    assert (await PlainClassifier().classify("Hi there!", BOTH)).name == "greeting"
    assert (await PlainClassifier().classify("hi, how is it going?", BOTH)).name == "general_conversation"


async def test_a_likeness_of_words_never_passes_for_a_certainty() -> None:
    intent = await PlainClassifier().classify("standup start", BOTH)

    assert intent.name == "start_standup"
    assert intent.tier == "floor"
    assert 0.5 <= intent.confidence < 0.8


async def test_what_is_like_nothing_is_general_conversation() -> None:
    for said in (
        "what is the capital of Mongolia?",
        "",
        "👍",
        "\ud800",
        "standup? no idea what you mean by any of that",
    ):
        intent = await PlainClassifier().classify(said, BOTH)

        assert (intent.name, intent.tier) == ("general_conversation", "default")


class Order(BaseModel):
    number: int = Field(description="The number of the order.")
    reason: str


class Note(BaseModel):
    text: str


REFUND = IntentDefinition(
    name="refund", examples=("I want my money back", "refund my order"), parameters=Order
)
KEEP = IntentDefinition(
    name="keep", examples=("remember that the roof leaks", "remember this"), parameters=Note
)
SHOPS = (REFUND, KEEP, *BOTH)


@pytest.mark.parametrize(
    "said",
    [
        "I want my money back",
        "remember that the roof leaks",
        "remember this",
        "the roof leaks, remember that",
    ],
)
async def test_parameters_and_what_is_missing_are_those_that_the_cascade_finds(said: str) -> None:
    plain = await PlainClassifier().classify(said, SHOPS)
    usual = await Cascade(encoder="none").classify(said, SHOPS)

    assert plain.name == usual.name != "general_conversation"
    assert (plain.parameters, plain.missing, plain.target) == (usual.parameters, usual.missing, usual.target)


async def test_what_an_intent_needs_is_taken_from_the_words_or_named_as_missing() -> None:
    refund = await PlainClassifier().classify("I want my money back!", SHOPS)
    kept = await PlainClassifier().classify("please remember that the roof leaks", SHOPS)
    nothing = await PlainClassifier().classify("remember this", SHOPS)

    assert (refund.parameters, refund.missing) == ({}, ("number", "reason"))
    assert (kept.parameters, kept.missing) == ({"text": "the roof leaks"}, ())
    assert (nothing.parameters, nothing.missing) == ({}, ("text",))


async def test_an_example_of_two_intents_decides_nothing() -> None:
    twin = IntentDefinition(name="stand_up", examples=("start the standup",))

    assert (await PlainClassifier().classify("start the standup", (STANDUP, twin))).tier != "exemplars"
