from collections.abc import Mapping
from types import MappingProxyType

import pytest

from softrail.classifier.reading import Bars, Reading, read
from softrail.core.intents import IntentDefinition

NAMES = ("general_conversation", "query", "query.lookup", "query.summary", "plan_new", "add_note")


def reading(
    chances: dict[str, float],
    *,
    in_scope: float = 1.0,
    bar: float | None = None,
    likelier: Mapping[str, float] = MappingProxyType({}),
) -> Reading:
    definitions = {
        name: IntentDefinition(name=name, bar=bar if name == "add_note" else None) for name in NAMES
    }
    return read(
        "words",
        chances,
        in_scope,
        {},
        definitions,
        bars=Bars(),
        instead={"plan_new": "query"},
        likelier=likelier,
    )


def test_what_is_likelier_as_things_are_takes_its_part_from_all_others_and_from_talk() -> None:
    usual = reading({"query": 0.5, "add_note": 0.5}, in_scope=0.4)
    now = reading({"query": 0.5, "add_note": 0.5}, in_scope=0.4, likelier={"query": 3.0})

    assert usual.best.intent == "general_conversation"
    assert {one.intent: round(one.confidence, 3) for one in now.intents} == {
        "general_conversation": 0.429,
        "query": 0.429,
        "add_note": 0.143,
    }


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


DENIED = [
    "I don't want to open an account",
    "please do not open an account",
    "let's not open an account",
    "we won't open an account",
    "no need to open an account",
    "ok, it's too early to open an account",
    "I'm not going to open an account",
]
ASKED_ABOUT = [
    'what does "open an account" mean?',
    "what is meant by opening an account",
    "is my balance good enough to open an account?",
    "should I open an account?",
    "can I already open an account?",
    "do I have to open an account",
    "is it a good idea to open an account",
    "what happens when I open an account",
    "did we open an account?",
    "how long does it take to open an account",
    "I'm not sure if I should open an account",
]
MEANT = [
    "can you open an account?",
    "could we open an account",
    "will you open an account for me?",
    "why don't we open an account",
    "shall we open an account?",
    "may I open an account?",
    "I was wondering if you could open an account",
    "would it be possible to open an account",
    "open an account, I don't want to wait",
    "don't forget to open an account",
]


def opening(text: str, *examples: str, intent: str = "open_account", keeps: bool = False) -> Reading:
    definitions = {
        name: IntentDefinition(name=name, examples=examples) for name in ("general_conversation", intent)
    }
    chances = {intent: 0.97, "general_conversation": 0.03}
    keeping = [intent] if keeps else []
    return read(text, chances, 1.0, {}, definitions, bars=Bars(), instead={}, keeps=keeping)


@pytest.mark.parametrize("text", [*DENIED, *ASKED_ABOUT])
def test_an_act_that_is_denied_or_asked_about_is_talk_and_never_sure(text: str) -> None:
    found = opening(text)

    assert (found.label, found.sure, found.doubted) == ("general_conversation", False, "open_account")
    assert found.intents[1].confidence < Bars().floor
    assert sum(c.confidence for c in found.intents) == pytest.approx(1.0)


@pytest.mark.parametrize("text", MEANT)
def test_a_polite_request_is_a_wish(text: str) -> None:
    assert opening(text).sure


def test_a_question_in_an_intent_that_asks_is_what_it_asks_and_a_denial_is_not() -> None:
    assert opening("should I do anything about it?", intent="ask_about_progress").sure
    assert not opening("I don't want to see my notes", intent="ask_about_past_input").sure


def test_an_intent_whose_own_examples_are_like_that_is_meant() -> None:
    assert opening("should I take an umbrella?", "should I wear boots", intent="forecast").sure
    assert opening("I don't want to keep it", "do not keep that one", intent="let_go").sure


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ("we don't want to store personal data", True),
        ("do not send reports on Sundays", True),
        ("the app must not send mails", True),
        ("do not remember that the fair is in May", False),
        ("I don't want you to note down the price", False),
        ("please don't make a note of it", False),
    ],
)
def test_a_denial_in_a_note_is_part_of_it_unless_it_denies_the_note(text: str, sure: bool) -> None:
    assert opening(text, keeps=True).sure is sure


def test_what_another_part_denies_is_believed_less() -> None:
    definitions = {"general_conversation": IntentDefinition(name="general_conversation")}
    chances = {"general_conversation": 0.1, "open_account": 0.9}

    found = read("words", chances, 1.0, {}, definitions, bars=Bars(), instead={}, doubted="open_account")
    assert (found.label, found.doubted) == ("general_conversation", "open_account")
    assert read("words", chances, 1.0, {}, definitions, bars=Bars(), instead={}, doubted="other").sure
