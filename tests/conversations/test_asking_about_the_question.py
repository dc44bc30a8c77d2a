"""Who asks about the question is told from its own text: the question once more, what an answer is, what was told so far."""

from datetime import date
from typing import Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept, told


class Fest(Process, name="fest", version=1):
    """A street festival."""

    title = "the festival"
    starts_on = ("plan a festival",)

    class Answers(BaseModel):
        stalls: list[str] = ask(
            "Which stalls will there be?", description="what is sold or shown, one by one"
        )
        deposit: str = ask("What deposit do you take?", description="what a stall pays in advance")
        permit: Literal["small", "large"] = ask(
            "Which permit?", description="how many guests the town lets in"
        )
        day: date = ask("On which day?")
        marshals: list[str] = ask("Any marshals?", default=[], description="who looks after the guests")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Planned.", effects=[Record("fest", answers)])


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (
            "what's a stall?",
            "Stalls: what is sold or shown, one by one (one or several, each in a line or a sentence).",
        ),
        ("what do you mean by deposit?", "Deposit: what a stall pays in advance (in your own words)."),
        (
            "um what's the permit for",
            "Permit: how many guests the town lets in (one of these: small, large).",
        ),
        (
            "what counts as a marshal",
            "Marshals: who looks after the guests (one or several, each in a line or a sentence).",
        ),
        (
            "sorry, what are marshals exactly?",
            "Marshals: who looks after the guests (one or several, each in a line or a sentence).",
        ),
    ],
)
@pytest.mark.parametrize("before", [("pottery",), ("pottery", "20 euros"), ("pottery", "20 euros", "small")])
async def test_what_an_answer_is_comes_from_its_description(
    before: tuple[str, ...], message: str, words: str
) -> None:
    async with conversation(Fest, clock=FrozenClock()) as talk:
        for line in ("plan a festival", *before):
            asked = await talk.say(line)
        question = asked.text.rpartition("\n\n")[2]
        were = await kept(talk, asked)
        said = await talk.say(message)
        assert said.text == f"{words}\n\n{question}"
        assert await kept(talk, said) == were


@pytest.mark.parametrize(
    "message",
    [
        "what was the question again?",
        "hm which question?",
        "say that again please",
        "what did you ask me",
        "repeat the question",
    ],
)
async def test_the_question_comes_once_more(message: str) -> None:
    answers, words = await told(Fest, "pottery", message)

    assert (answers, words) == (
        {"stalls": ["pottery"]},
        "Here is my question again.\n\nWhat deposit do you take?",
    )


@pytest.mark.parametrize(
    "message", ["what's in there now?", "what do you have written down", "whats in it so far"]
)
async def test_what_was_told_is_told(message: str) -> None:
    _, words = await told(Fest, "pottery", message)

    assert words == "This is what you have told me so far:\n\n- Stalls: pottery\n\nWhat deposit do you take?"


async def test_a_summary_is_what_was_told() -> None:
    lines = ("pottery", "20 euros", "small", "9 May 2026", "none")
    _, shown = await told(Fest, *lines)
    _, words = await told(Fest, *lines, "whats in there now")

    assert words == f"Here is my question again.\n\n{shown}"


@pytest.mark.parametrize("message", ["a stall with jam", "a stall with question marks"])
async def test_an_answer_with_those_words_is_an_answer(message: str) -> None:
    answers, _ = await told(Fest, message)

    assert answers == {"stalls": [message]}
