from softrail.classifier import PlainClassifier
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


async def test_an_example_of_two_intents_decides_nothing() -> None:
    twin = IntentDefinition(name="stand_up", examples=("start the standup",))

    assert (await PlainClassifier().classify("start the standup", (STANDUP, twin))).tier != "exemplars"
