import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from softrail.classifier import Bars, Cascade
from softrail.classifier.review import ReviewQueue
from softrail.core.errors import DefinitionError, ModelUnavailable
from softrail.core.intents import Intent, IntentDefinition
from softrail.core.ports import ModelAnswer
from softrail.models.scripted import Line, ScriptedModel
from tests.unit.classifier.fakes import CHAT, ORDERS, SIX, TAXI, WEATHER, BagOfWords

GREET = IntentDefinition(name="greeting")
UNCLEAR = "something about the airport and rain perhaps"


def told(intent: str, confidence: float, **more: Any) -> str:
    return json.dumps({"intent": intent, "confidence": confidence, **more})


async def classify(
    message: str,
    definitions: Sequence[IntentDefinition] = SIX,
    *,
    lines: Sequence[Line] | None = None,
    context: Mapping[str, Any] | None = None,
    bars: Bars | None = None,
) -> tuple[Intent, ScriptedModel]:
    model = ScriptedModel(lines or ())
    # A script with lines is there to be asked: no exemplar is sure enough then.
    cascade = Cascade(encoder=BagOfWords(), bars=bars or (Bars(bar=1.01) if lines else None))
    intent = await cascade.classify(
        message, definitions, model=model if lines is not None else None, context=context
    )
    return intent, model


async def test_an_exemplar_is_sure_and_costs_no_encoding() -> None:
    encoder = BagOfWords()
    cascade = Cascade(encoder=encoder)
    await cascade.warm(SIX)
    before = len(encoder.encoded)

    intent = await cascade.classify("Call a TAXI, please!", SIX)

    assert (intent.name, intent.confidence, intent.tier) == ("call_taxi", 1.0, "exemplars")
    assert len(encoder.encoded) == before


async def test_each_part_is_encoded_once_and_an_aside_never() -> None:
    encoder = BagOfWords()
    cascade = Cascade(encoder=encoder)
    await cascade.warm(SIX)
    before = len(encoder.encoded)

    await cascade.classify("No rush. A cab to the harbour. Thanks!", SIX)
    assert encoder.encoded[before:] == ["A cab to the harbour."]

    await cascade.classify("A cab to the harbour. Will there be rain?", SIX)
    assert encoder.encoded[before + 1 :] == [
        "A cab to the harbour. Will there be rain?",
        "A cab to the harbour.",
        "Will there be rain?",
    ]


async def test_an_equal_set_of_intents_is_not_fitted_again() -> None:
    encoder = BagOfWords()
    cascade = Cascade(encoder=encoder)
    await cascade.warm(SIX)
    before = len(encoder.encoded)

    await cascade.warm([replace(d, description="other words") for d in SIX])

    assert len(encoder.encoded) == before + 1


async def test_a_sure_message_asks_no_model() -> None:
    intent, model = await classify("taxi to the airport at nine", lines=[])

    assert (intent.name, intent.tier) == ("call_taxi", "exemplars")
    assert intent.confidence >= 0.8
    assert intent.candidates[0].example == "I need a taxi to the airport"
    assert not model.requests


async def test_greeting_words_need_no_head() -> None:
    assert (await classify("good morning!", [GREET]))[0].name == "greeting"


@pytest.mark.parametrize("message", ["", "  ", "👍", "\ud800", "\x00", "?!" * 50_000, "zqx vbn " * 9_000])
async def test_no_text_makes_it_raise(message: str) -> None:
    assert (await classify(message))[0].name == "general_conversation"


async def test_candidates_without_examples_are_left_to_the_model() -> None:
    bare = [IntentDefinition(name="refund"), IntentDefinition(name="general_conversation")]

    assert (await classify("give me my money back", bare))[0].tier == "default"
    assert (await classify("give me my money back", bare, lines=[told("refund", 0.9)]))[0].name == "refund"
    assert (await classify("anything", []))[0].name == "general_conversation"


async def test_below_the_bar_the_floor_decides_without_a_model() -> None:
    bars = Bars(bar=1.1, floor=0.5)

    assert (await classify("taxi to the airport at nine", bars=bars))[0].tier == "floor"
    assert (await classify("taxi to the airport at nine", bars=Bars(bar=1.1, floor=1.05)))[
        0
    ].tier == "default"


async def test_a_process_of_its_own_intents_is_read_among_them_only() -> None:
    intent, _ = await classify("taxi to the airport", [ORDERS, WEATHER])

    assert {c.intent for c in intent.candidates} == {"order_pizza", "weather"}


# -- several intents


async def test_two_clear_wishes_are_two_intents_in_order() -> None:
    intent, _ = await classify("Order a large pizza for two people. Then call a taxi to the airport.")

    assert [intent.name, *(i.name for i in intent.also)] == ["order_pizza", "call_taxi"]
    assert intent.text == "Order a large pizza for two people."


async def test_a_correction_leaves_one_intent_on_what_was_meant() -> None:
    intent, _ = await classify(
        "call a taxi to the station. wait, I got that wrong. call a taxi to the airport instead"
    )

    assert (intent.name, intent.also) == ("call_taxi", ())
    assert intent.text == "call a taxi to the airport instead"


async def test_asides_are_no_intents() -> None:
    intent, _ = await classify("be quick, do not worry about the price. call a taxi to the airport")

    assert (intent.name, intent.also) == ("call_taxi", ())


async def test_an_act_that_is_denied_asks_the_model_and_is_talk_without_one() -> None:
    denied = "I don't want to call a taxi to the airport"
    asked, model = await classify(denied, lines=[told("general_conversation", 0.9)], bars=Bars())

    assert (asked.tier, len(model.requests)) == ("model", 1)
    assert (await classify(denied))[0].name == "general_conversation"


async def test_what_a_corrected_message_is_about_is_what_was_meant_for_the_model_as_well() -> None:
    class Place(BaseModel):
        destination: str

    rides = (ORDERS, WEATHER, CHAT, replace(TAXI, parameters=Place))
    said = "drive to the station. wait, I got that wrong. drive to the airport instead"
    intent, _ = await classify(said, rides, lines=[told("call_taxi", 0.9)])

    assert (intent.text, intent.parameters) == (
        "drive to the airport instead",
        {"destination": "drive to the airport"},
    )


# -- parameters


class Ride(BaseModel):
    destination: str = Field(min_length=2)
    passengers: int = Field(ge=1, le=8)


RIDES = (ORDERS, WEATHER, CHAT, IntentDefinition(name="call_taxi", examples=TAXI.examples, parameters=Ride))


async def test_what_an_intent_needs_and_the_message_does_not_say_is_named() -> None:
    intent, _ = await classify("call a taxi to the airport", RIDES)

    assert intent.missing == ("destination", "passengers")


async def test_a_models_parameters_are_validated_one_by_one() -> None:
    answer = told("call_taxi", 0.9, parameters={"destination": "airport", "passengers": 99}, alternative=None)
    intent, _ = await classify(UNCLEAR, RIDES, lines=[answer])

    assert intent.parameters == {"destination": "airport"}
    assert intent.missing == ("passengers",)


class Stop(BaseModel):
    street: str
    floor: int = 0


class Tour(BaseModel):
    when: int
    tags: list[str]
    stop: Stop


class Table(BaseModel):
    when: str


class Lunch(BaseModel):
    when: Literal["noon", "later"]


async def test_a_parameter_is_validated_by_the_intent_that_was_chosen() -> None:
    booked = [
        IntentDefinition(name="book_tour", parameters=Tour),
        IntentDefinition(name="book_table", parameters=Table),
        IntentDefinition(name="book_lunch", parameters=Lunch),
    ]
    for name, given, kept in (
        ("book_tour", {"when": 9}, {"when": 9}),
        ("book_tour", {"when": "nine"}, {}),
        ("book_tour", {"tags": ["old town", "boat"]}, {"tags": ["old town", "boat"]}),
        (
            "book_tour",
            {"stop": {"street": "High Street", "floor": None}},
            {"stop": {"street": "High Street"}},
        ),
        ("book_table", {"when": "nine", "tags": ["no field of this one"]}, {"when": "nine"}),
        ("book_lunch", {"when": "noon"}, {"when": "noon"}),
        ("book_lunch", {"when": "never"}, {}),
    ):
        intent, _ = await classify(UNCLEAR, booked, lines=[told(name, 0.9, parameters=given)])

        assert (intent.name, intent.parameters) == (name, kept)


async def test_no_number_without_a_json_word_gets_into_a_list() -> None:
    class Weights(BaseModel):
        grams: list[float]

    answer = '{"intent": "weigh", "confidence": 0.9, "parameters": {"grams": [1.0, Infinity]}}'
    intent, _ = await classify(UNCLEAR, [IntentDefinition(name="weigh", parameters=Weights)], lines=[answer])

    assert (intent.name, dict(intent.parameters), intent.missing) == ("weigh", {}, ("grams",))


# -- the model stage


async def test_below_the_bar_the_model_is_asked_once_and_bound_to_the_intents() -> None:
    context = {"state": "FarmGuard: 12 saved notes", "turns": [{"role": "user", "content": "earlier words"}]}
    intent, model = await classify(UNCLEAR, lines=[told("weather", 0.9)], context=context)

    assert (intent.name, intent.confidence, intent.tier) == ("weather", 0.9, "model")
    (request,) = model.requests
    assert request.purpose == "classify"
    assert request.answer_schema is not None
    assert request.answer_schema["properties"]["intent"]["enum"] == [d.name for d in SIX]
    assert UNCLEAR not in request.system
    for words in ("12 saved notes", "earlier words", UNCLEAR):
        assert words in request.messages[0].content
    assert intent.prompts[0].startswith("classifier/classify_intent@")


@pytest.mark.parametrize(("confidence", "name"), [(0.70, "weather"), (0.6999, "general_conversation")])
async def test_an_answer_strictly_below_070_is_general_conversation_and_keeps_its_confidence(
    confidence: float, name: str
) -> None:
    answer = told("weather", confidence, parameters={})
    intent, _ = await classify(UNCLEAR, lines=[answer])

    assert (intent.name, intent.confidence, dict(intent.parameters)) == (name, confidence, {})


async def test_two_close_answers_above_the_floor_are_torn() -> None:
    close = told("weather", 0.55, alternative={"intent": "call_taxi", "confidence": 0.5})
    far = told("weather", 0.75, alternative={"intent": "call_taxi", "confidence": 0.5})

    intent, _ = await classify(UNCLEAR, lines=[close])
    assert intent.ambiguous
    assert [c.intent for c in intent.candidates] == ["weather", "call_taxi"]
    assert not (await classify(UNCLEAR, lines=[far]))[0].ambiguous


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "   ",
        "null",
        "[]",
        "42",
        "not JSON at all",
        'Sure! Here it is: {"intent": "weather", "confidence": 0.9}',
        '```json\n{"intent": "weather", "confidence": 0.9}\n```',
        told("order_sushi", 0.9),
        told("weather", 7),
        told("weather", -0.1),
        '{"intent": "weather", "confidence": NaN}',
        '{"intent": "weather", "confidence": "NaN"}',
        '{"intent": "weather", "confidence": "0.9"}',
        '{"intent": "weather", "confidence": null}',
        '{"intent": "weather"}',
        '{"intent": null, "confidence": 0.9}',
        told("weather", 0.9, extra="key"),
        told("weather", 0.9, parameters=["x"]),
        told("weather", 0.9, alternative={"intent": "call_taxi"}),
        "{" * 10_000,
        '{"intent": ' * 10_000,
        "[" * 9_999 + "]" * 9_999,
        '{"intent": "weather", "confidence": 0.9, "parameters": {"x": "' + "a" * 10_000_000 + '"}}',
        '{"intent": "weather", "confidence": 0.9',
        "\ud800",
        ModelAnswer(text=told("weather", 0.9), model="m", complete=False),
        ModelUnavailable("away"),
    ],
    ids=lambda value: str(value)[:24],
)
async def test_whatever_a_model_answers_that_is_no_valid_answer_what_was_read_without_it_stays(
    answer: Line,
) -> None:
    alone, _ = await classify(UNCLEAR, bars=Bars(bar=1.01))
    intent, model = await classify(UNCLEAR, lines=[answer, answer])

    assert (intent.name, intent.confidence, intent.tier) == (alone.name, alone.confidence, alone.tier)
    assert intent.parameters == alone.parameters
    assert intent.unheard
    assert len(model.requests) <= 2


async def test_an_answer_that_cannot_be_used_is_asked_for_once_more_with_what_was_wrong() -> None:
    wrong = told("order_sushi", 0.9)
    intent, model = await classify(UNCLEAR, lines=[wrong, told("weather", 0.9)])

    assert (intent.name, intent.tier, intent.unheard) == ("weather", "model", False)
    first, second = model.requests
    assert [m.role for m in second.messages] == ["user", "assistant", "user"]
    assert second.messages[0] == first.messages[0]
    assert second.messages[1].content == wrong
    assert "it names an intent that does not exist" in second.messages[2].content
    assert first.seconds == 5.0
    assert (second.seconds or 99.0) <= 5.0


async def test_numbers_that_json_has_no_word_for_are_no_parameters() -> None:
    answer = '{"intent": "call_taxi", "confidence": 0.9, "parameters": {"destination": "airport", "passengers": Infinity}}'
    intent, _ = await classify(UNCLEAR, RIDES, lines=[answer])

    assert dict(intent.parameters) in ({}, {"destination": "airport"})


# -- settings


async def test_an_encoder_that_needs_a_missing_package_is_refused_when_it_is_chosen() -> None:
    with pytest.raises(DefinitionError, match="sentence-transformers"):
        Cascade(encoder="no-such-maker/no-such-model")


async def test_without_an_encoder_words_alone_decide() -> None:
    intent = await Cascade(encoder="none").classify("I need a taxi to the station now", SIX)

    assert intent.name == "call_taxi"


async def test_a_review_file_that_cannot_take_a_message_costs_no_turn(tmp_path: Path) -> None:
    for path in (tmp_path / "a file" / "below", tmp_path / "torn"):
        (tmp_path / "a file").write_text("")
        (tmp_path / "torn").write_text("nonsense\n")
        cascade = Cascade(encoder=BagOfWords(), bars=Bars(bar=1.01), review=ReviewQueue(path))

        intent = await cascade.classify(UNCLEAR, SIX, model=ScriptedModel([told("weather", 0.95)]))

        assert (intent.name, intent.tier) == ("weather", "model")
    assert (tmp_path / "torn").read_text() == "nonsense\n"
