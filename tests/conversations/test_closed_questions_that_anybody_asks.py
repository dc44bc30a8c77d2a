"""Whether there is more, whether to go on, whether it was heard rightly: told in the words that close a list or leave elsewhere."""

from typing import Any

import pytest
from pydantic import BaseModel, create_model

from softrail import Done, Process, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import told


def asking(question: str) -> type[Process]:
    """A process that asks that, and one thing more."""
    fields: dict[str, Any] = {
        "answer": (bool, ask(question)),
        "remark": (str, ask("Is there anything else we should know?", default="")),
    }
    answers = create_model("Answers", **fields)

    class Flow(Process, name="flow", version=1):
        """Asks something."""

        starts_on = ("begin",)
        Answers = answers

        async def complete(self, answers: BaseModel, turn: Turn) -> Done:
            return Done("Done.")

    return Flow


@pytest.mark.parametrize(
    ("question", "said", "answer"),
    [
        ("Is there anything else I can help you with?", "that's all thanks", False),
        ("Is there anything else I can help you with?", "nothing else", False),
        ("Do you have another guest to add?", "no that's all thanks", False),
        ("Do you want to add another expense?", "no more", False),
        ("Is the list complete?", "complete", True),
        ("So we're done with the shopping list?", "done", True),
        ("Shall I cancel the subscription?", "yes cancel it", True),
        ("Did you mean the second one?", "yeah the second", True),
        ("Did you mean the second one?", "no the first one", False),
    ],
)
async def test_it_is_the_answer_that_is_meant(question: str, said: str, answer: bool) -> None:
    kept, _ = await told(asking(question), said)
    assert kept == {"answer": answer}


@pytest.mark.parametrize("said", ["stop", "that's all", "forget it"])
async def test_what_is_no_answer_to_another_question_is_none(said: str) -> None:
    kept, _ = await told(asking("Is there a dog?"), said)
    assert kept == {}


@pytest.mark.parametrize("said", ["cancel it", "cancel", "please cancel"])
async def test_a_word_of_leaving_that_the_question_asks_about_is_asked(said: str) -> None:
    process = asking("Shall I cancel the subscription?")
    async with conversation(process, clock=FrozenClock()) as talk:
        await talk.say("begin")
        asked = await talk.say(said)
        assert asked.text == f"Is “{said}” a yes, or shall I pause the flow?"
        assert asked.reply.suggested_actions == ["Yes", "Pause the flow"]
    assert (await told(process, said, "yes"))[0] == {"answer": True}
    assert (await told(process, said, "no"))[0] == {}


@pytest.mark.parametrize("said", ["possibly", "sort of", "done-ish", "well, kind of", "more or less"])
async def test_half_a_yes_is_asked_about(said: str) -> None:
    kept, words = await told(asking("Is the move done?"), said)
    assert kept == {}
    assert words == f"Is “{said}” a yes or a no?"


async def test_said_once_more_it_leaves() -> None:
    async with conversation(asking("Shall I cancel the subscription?"), clock=FrozenClock()) as talk:
        for said in ("begin", "cancel it"):
            await talk.say(said)
        assert (await talk.say("cancel it")).text.startswith("Okay, the flow is paused")
