import pytest

from softrail.classifier.reading import Bars, Reading, read
from softrail.core.intents import IntentDefinition

NAMES = ("general_conversation", "query", "query.lookup", "query.summary", "plan_new", "add_note")


def reading(chances: dict[str, float], *, in_scope: float = 1.0, bar: float | None = None) -> Reading:
    definitions = {
        name: IntentDefinition(name=name, bar=bar if name == "add_note" else None) for name in NAMES
    }
    return read("words", chances, in_scope, {}, definitions, bars=Bars(), instead={"plan_new": "query"})


def test_a_primary_is_the_sum_of_its_sub_intents() -> None:
    found = reading({"query": 0.1, "query.lookup": 0.4, "query.summary": 0.4, "add_note": 0.1})

    assert found.best.intent == "query"
    assert found.best.confidence == pytest.approx(0.9)
    assert found.sure


def test_a_sub_intent_below_its_bar_is_the_primary_alone() -> None:
    assert reading({"query.lookup": 0.5, "query.summary": 0.4, "add_note": 0.1}).label == "query"
    assert reading({"query.lookup": 0.7, "query.summary": 0.2, "add_note": 0.1}).label == "query.lookup"


@pytest.mark.parametrize(("chance", "sure"), [(0.80, True), (0.7999, False)])
def test_a_score_at_the_bar_passes(chance: float, sure: bool) -> None:
    assert reading({"add_note": chance, "query": 1 - chance}).sure is sure


def test_an_intent_may_have_a_bar_of_its_own() -> None:
    assert not reading({"add_note": 0.9, "query": 0.1}, bar=0.95).sure
    assert reading({"add_note": 0.6, "query": 0.4}, bar=0.6).sure


def test_what_is_out_of_scope_is_general_conversation() -> None:
    found = reading({"add_note": 0.9, "query": 0.1}, in_scope=0.1)

    assert found.best.intent == "general_conversation"
    assert found.best.confidence == pytest.approx(0.9)
    assert found.scores == {"intent": 0.9, "in_scope": 0.1}


@pytest.mark.parametrize(
    ("chances", "torn"),
    [
        ({"add_note": 0.48, "query": 0.42, "general_conversation": 0.10}, True),
        ({"add_note": 0.55, "query": 0.45}, True),
        ({"add_note": 0.56, "query": 0.44}, False),
        ({"add_note": 0.30, "query": 0.28, "general_conversation": 0.42}, False),
        ({"add_note": 0.50, "general_conversation": 0.50}, False),
    ],
    ids=["close", "at the limit", "beyond it", "both weak", "talk is no rival"],
)
def test_torn_is_two_wishes_as_good_as_each_other(chances: dict[str, float], torn: bool) -> None:
    assert reading(chances).torn(Bars(close=0.1 + 1e-6)) is torn


def test_an_intent_that_cannot_be_meant_now_gives_its_chance_to_what_is_meant_then() -> None:
    found = reading({"plan_new": 0.7, "query": 0.2, "add_note": 0.1})

    assert found.best.intent == "query"
    assert found.best.confidence == pytest.approx(0.9)
