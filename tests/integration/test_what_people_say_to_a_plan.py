"""What is said to a plan in words of its own is heard as it is meant, with nothing but the encoder and its examples."""

import json
from collections import Counter
from pathlib import Path

import pytest

from softrail.companion.catalogue import NOT_SERVED
from softrail.core.intents import IntentDefinition
from softrail.plans.intents import EXACT, INTENTS
from softrail.settings import BUNDLED
from tests.integration.plan_server import Planned, plan, planned, sum_of

STEPS = (sum_of("price", "12.50", unit="EUR"), sum_of("q4_revenue", "price * 3", "price", unit="EUR"))
#: What has to be understood; each with the family of intents that it is one of.
SAID = {
    "what does this mean": "query",
    "show me the proof": "query",
    "summarize the findings": "query",
    "what is the value of q4_revenue": "query",
    "analyze the sales data": "plan_new",
    "build a dashboard for churn": "plan_new",
    "verify that revenue grew": "plan_new",
    "compare these two options": "plan_new",
    "actually, also include Q3": "plan_continue",
    "narrow it down to Europe": "plan_continue",
    "run it again with 2024": "plan_continue",
    "use a different approach": "control",  # to be planned anew: how is not said
    "switch to proof mode": "control",
    "use auditable mode": "control",
    "start over": "control",
    "where are we": "control",
    "what can you do": "help",
}
#: Others like them.
LIKE = {
    "how sure are you of that": "query",
    "what did you base this on": "query",
    "recap everything you found": "query",
    "and how much is q4_revenue": "query",
    "look into why our costs went up": "plan_new",
    "figure out which shop does best": "plan_new",
    "set up an overview of the complaints": "plan_new",
    "find out whether the discount paid off": "plan_new",
    "put the fourth quarter in as well": "plan_continue",
    "restrict it to Germany": "plan_continue",
    "do it once more with 2023": "plan_continue",
    "try it some other way": "plan_continue",
    "turn proof mode on": "control",
    "how far along are you": "control",
    "which step are you at": "control",
    "help": "help",
}
TALK = "general_conversation"
#: Said in other words, written before the examples were: the first list was read line by line while they were made, of the second only counts.
FROZEN = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "said_to_a_plan.jsonl").read_text("utf-8").splitlines()
]


def family(intent: str | None) -> str:
    """What kind of thing was heard; "" where it was talk like any other."""
    found = str(intent or TALK).partition(".")[0]
    return "" if found == TALK else found


async def heard(ada: Planned, words: str) -> str:
    """What is heard in a conversation in which a plan has found something out."""
    ada.session_id = None
    await ada.say(plan(*STEPS, problem="What do three cost?"))
    await ada.say("yes")
    await ada.heard("Done: ")
    return family((await ada.say(words)).classified_intent)


def test_no_example_is_one_of_them() -> None:
    examples = {example.casefold() for intent in INTENTS for example in intent.examples}
    assert not examples & {said.casefold() for said in (*SAID, *LIKE)}
    assert not examples & {one["text"].casefold() for one in FROZEN}
    assert {said for said in SAID if said in EXACT} == {
        "start over"
    }  # of a plan that failed, as it is offered there


async def test_most_of_them_are_heard_as_they_are_meant_and_none_as_something_else() -> None:
    async with planned(bundled=BUNDLED) as ada:
        found = {said: await heard(ada, said) for said in (*SAID, *LIKE)}
    wanted = SAID | LIKE
    right = [said for said, what in found.items() if what == wanted[said]]
    assert {said: what for said, what in found.items() if what not in ("", wanted[said])} == {}
    # “start over” is theirs where a step has failed.
    assert len(wanted) == 33
    assert len(right) >= 29, sorted(set(wanted) - set(right))


def candidates(ada: Planned, *, beside_a_plan: bool) -> list[IntentDefinition]:
    """What a free turn may mean."""
    registry = ada.dispatcher.registry
    return registry.candidates([registry.get("planning")] if beside_a_plan else [])


async def test_said_in_other_words_beside_the_companion_most_is_heard_for_a_plan_that_was_spoken_of_last() -> (
    None
):
    async with planned(bundled=BUNDLED) as ada:
        await ada.say(plan(*STEPS, problem="What do three cost?"))
        await ada.say("yes")
        await ada.heard("Done: ")
        here = {"person_id": ada.person.id, "session_id": ada.here, "project_id": None}
        there, hears = candidates(ada, beside_a_plan=True), ada.dispatcher.parts.classifier
        right = Counter[str]()
        for one in FROZEN:
            found = await hears.classify(one["text"], there, context=here)
            right[one["list"]] += family(found.name) == family(one["label"])

    assert Counter(one["list"] for one in FROZEN) == {"first": 99, "second": 70}
    assert right["first"] >= 86
    assert right["second"] >= 57


@pytest.mark.parametrize("spoken", [False, True])
async def test_where_no_plan_was_spoken_of_last_words_are_heard_as_without_plans_but_for_wishes_for_one(
    spoken: bool,
) -> None:
    lines = FROZEN[::4]
    heard = list[list[str]]()
    for bundled in (BUNDLED, [part for part in BUNDLED if part != "plans"]):
        async with planned(bundled=bundled) as ada:
            if spoken:  # of something else
                await ada.say("how are you?")
            here = {"person_id": ada.person.id, "session_id": ada.session_id, "project_id": None}
            there, hears = candidates(ada, beside_a_plan=False), ada.dispatcher.parts.classifier
            heard.append([(await hears.classify(one["text"], there, context=here)).name for one in lines])

    # What nothing serves is told what is missing for a plan, where it is a wish for one.
    others = [
        (one["label"], with_, without)
        for one, with_, without in zip(lines, *heard, strict=True)
        if with_ != without
    ]
    assert set(others) <= {("plan_new", "plan_new", NOT_SERVED)}
    assert len(others) >= 4


async def test_words_that_the_companion_has_for_its_own_mean_the_plan_only_while_it_was_spoken_of_last() -> (
    None
):
    async with planned(bundled=BUNDLED) as ada:
        await ada.say(plan(*STEPS, problem="What do three cost?"))
        await ada.say("yes")
        await ada.heard("Done: ")
        for said, meant in {
            "any progress?": "control.status",
            "that can't be correct": "query.detail",
            "q4_revenue?": "query.lookup",
            "and the price?": "query.lookup",
        }.items():
            assert (await ada.say(said)).classified_intent == meant, said
        await ada.say("how are you?")
        assert (await ada.say("any progress?")).classified_intent == "ask_about_progress"
