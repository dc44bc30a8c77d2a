"""What people ask while a plan runs, and after it, is asked of the plan, unless another word in it says of what."""

from softrail.settings import BUNDLED
from tests.integration.plan_server import plan, planned, sum_of

NEW = plan(sum_of("price", "12.50"), "gate", sum_of("total", "price * 3", "price", "gate"))

HOW_IT_STANDS = [
    "what's going on?",
    "what is going on",
    "what's happening?",
    "how's it going",
    "how is it going?",
    "is everything okay?",
    "what's taking so long?",
    "are you stuck?",
    "still working on it?",
    "how long will it take?",
    "anything yet?",
    "are you done yet?",
    "which step are we on?",
]
HOW_IT_IS_KNOWN = [
    "how do you know?",
    "how do you know that",
    "how would you know?",
    "how can you know that?",
    "how come you know?",
    "where did you get that from?",
    "can you back that up?",
    "what's your source?",
    "how did you arrive at this?",
    "how did you come to that?",
]
OF_SOMETHING_ELSE = ["how is the garden project going?", "are there any open tasks?", "who are you?"]


async def test_questions_in_mid_run_are_about_the_run_and_later_about_what_it_found() -> None:
    async with planned(bundled=BUNDLED) as ada:
        for words in ("how is it going?", "how do you know?"):  # nothing runs, and nothing is known
            assert (await ada.say(words)).classified_intent not in ("control.status", "query.provenance")
        await ada.say(NEW)
        await ada.say("yes")
        await ada.gates.at("gate")

        told = {words: await ada.say(words) for words in HOW_IT_STANDS}
        assert {
            words for words, one in told.items() if "1 of 3 steps are done" not in one.companion_message
        } == set()
        others = [(await ada.say(words)).classified_intent for words in OF_SOMETHING_ELSE]
        assert "control.status" not in others

        ada.gates["gate"].opened.set()
        await ada.heard("37.5")
        told = {words: await ada.say(words) for words in HOW_IT_IS_KNOWN}
        assert {words for words, one in told.items() if "price * 3" not in one.companion_message} == set()
