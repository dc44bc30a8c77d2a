"""What is said to a plan in words of its own is heard as it is meant, with nothing but the encoder and its examples."""

from softrail.plans.intents import EXACT, INTENTS
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
    "use a different approach": "plan_continue",
    "switch to proof mode": "control",
    "use auditable mode": "control",
    "start over": "control",
    "where are we": "control",
    "what can you do": "control",
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
    "help": "control",
}
TALK = "general_conversation"


def family(intent: str | None) -> str:
    """What kind of thing was heard; "" where it was talk like any other."""
    return "" if intent in (None, TALK) else str(intent).partition(".")[0]


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
    assert {said for said in SAID if said in EXACT} == {
        "start over",
        "where are we",
    }  # exact words are no examples


async def test_most_of_them_are_heard_as_they_are_meant_and_none_as_something_else() -> None:
    async with planned() as ada:
        found = {said: await heard(ada, said) for said in (*SAID, *LIKE)}
    wanted = SAID | LIKE
    right = [said for said, what in found.items() if what == wanted[said]]
    assert {said: what for said, what in found.items() if what not in ("", wanted[said])} == {}
    # “help” is everybody's and not of plans; “start over” is theirs where there is something to start over.
    assert len(wanted) == 33
    assert len(right) >= 28, sorted(set(wanted) - set(right))
