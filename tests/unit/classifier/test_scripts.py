"""What is written in letters that no example has: nobody is sure about it, neither of a wish nor of its absence."""

import pytest

from softrail.classifier import Cascade, default_cache
from softrail.classifier.text import scripts
from softrail.core.intents import IntentDefinition
from softrail.models.scripted import ScriptedModel
from tests.unit.classifier.fakes import SIX, TAXI, BagOfWords

FOREIGN = {
    "Japanese": "空港までタクシーをお願いします",
    "Japanese with a Latin name": "プロジェクト FarmGuard の状況はどうですか",
    "Russian": "вызови мне такси до вокзала",
    "Arabic": "مشروع جديد من فضلك",
    "Greek": "ένα ταξί για το αεροδρόμιο",
    "Hindi": "हवाई अड्डे के लिए टैक्सी",
    "Korean": "공항까지 택시를 불러 주세요",
    "Chinese": "叫一辆出租车去机场",
}


@pytest.fixture(scope="module", params=["minilm", "none"])
def cascade(request: pytest.FixtureRequest) -> Cascade:
    return Cascade(encoder=request.param, cache=default_cache())


@pytest.mark.parametrize("said", FOREIGN.values(), ids=list(FOREIGN))
async def test_letters_that_no_example_has_are_never_read_as_anything_with_confidence(
    cascade: Cascade, said: str
) -> None:
    intent = await cascade.classify(said, SIX)

    assert (intent.name, intent.confidence, intent.tier) == ("general_conversation", 0.0, "default")
    assert not intent.ambiguous


async def test_a_model_is_asked_about_them(cascade: Cascade) -> None:
    model = ScriptedModel(['{"intent": "call_taxi", "confidence": 0.9}'])

    intent = await cascade.classify(FOREIGN["Russian"], SIX, model=model)

    assert (intent.name, intent.tier, len(model.requests)) == ("call_taxi", "model", 1)


@pytest.mark.parametrize(
    "said",
    [
        "call a taxi for Дмитрий",
        "call a taxi to 東京タワー please",
        "I need a táxi to the àirport",
        "🚕🚕 taxi to the airport 🛫✈️🚕",
        "ｃａｌｌ ａ ｔａｘｉ ｎｏｗ",
        "taxi to Zürich, naïve façade, Łódź station",
    ],
    ids=["a name", "a place", "accents", "pictures", "wide letters", "towns"],
)
async def test_names_accents_and_pictures_are_as_good_as_ever(said: str) -> None:
    intent = await Cascade(cache=default_cache()).classify(said, SIX)

    assert intent.name == "call_taxi"
    assert intent.confidence >= 0.5


async def test_an_example_in_a_script_makes_it_known(cascade: Cascade) -> None:
    russian = IntentDefinition(
        name="call_taxi", examples=(*TAXI.examples, "вызови такси", "мне нужно такси до аэропорта")
    )
    intents = (*(d for d in SIX if d.name != "call_taxi"), russian)

    read = await cascade.classify("такси до аэропорта", intents)

    assert read.candidates[0].intent == "call_taxi"
    assert (await cascade.classify("вызови такси!", intents)).confidence == 1.0
    assert (await cascade.classify(FOREIGN["Japanese"], intents)).tier == "default"


async def test_a_foreign_part_does_not_unmake_a_clear_wish_beside_it() -> None:
    intent = await Cascade(cache=default_cache()).classify(
        "Call a taxi to the airport. Спасибо вам большое.", SIX
    )

    assert (intent.name, intent.also) == ("call_taxi", ())


async def test_an_encoder_that_was_chosen_is_trusted_with_every_script() -> None:
    assert (await Cascade(encoder=BagOfWords()).classify(FOREIGN["Russian"], SIX)).confidence > 0.0


def test_letters_are_counted_by_script() -> None:
    assert scripts("naïve 123 😀 ß") == {"LATIN": 6}
    assert scripts("東京タワーへ") == {"EAST ASIAN": 6}
    assert scripts("Ask Дмитрий") == {"LATIN": 3, "CYRILLIC": 7}
    assert scripts("12 😀") == {}
