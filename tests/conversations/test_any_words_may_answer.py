"""Where any words may be the answer and none are needed, what sounds like a wish or like talk is asked about."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept, told


class Lesson(Process, name="lesson", version=1):
    """Plans a lesson."""

    starts_on = ("plan a lesson",)

    class Answers(BaseModel):
        topic: str = ask("What is the lesson about?")
        pupils: int = ask("How many pupils will there be?")
        homework: str | None = ask("Is there homework? Say what, or skip.", default=None)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Planned.")


class Parcel(Process, name="parcel", version=1):
    """A complaint about a parcel."""

    starts_on = ("complain about a parcel",)

    class Answers(BaseModel):
        worth: int = ask("What was the content worth?", label="worth")
        wish: str = ask("What do you want from us?", label="wish")
        note: str = ask("Anything you would like to add?", default="", label="remark")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("We look into it.")


LESSON = (Lesson, "fractions", "4")
PARCEL = (Parcel, "50", "my money back")


@pytest.mark.parametrize(
    ("form", "line"),
    [
        (LESSON, "write a short story"),
        (LESSON, "write 5 sentences about it"),
        (LESSON, "read chapter three"),
        (PARCEL, "the driver laughed at me"),
        (PARCEL, "your driver swore at me"),
        (PARCEL, "this is the third time this year"),
        (PARCEL, "send it to my work address next time"),
    ],
)
async def test_it_is_asked_whether_that_is_it_and_all_of_it_is_kept(
    form: tuple[type[Process], str, str], line: str
) -> None:
    process, *lines = form
    async with conversation(process, clock=FrozenClock()) as talk:
        for earlier in (process.starts_on[0], *lines):
            await talk.say(earlier)
        said = await talk.say(line)
        pending = said.reply.pending
        assert pending is not None
        assert pending.choices[0].label in ("It is the homework", "It is the remark")
        said = await talk.say(pending.choices[0].label)
        answers = await kept(talk, said)
    assert line in (answers.get("homework"), answers.get("note"))


@pytest.mark.parametrize("line", ["thanks a lot for that", "this is annoying", "ugh", "haha good one"])
async def test_mere_talk_is_none(line: str) -> None:
    _, words = await told(*PARCEL, line)
    assert words.endswith("Anything you would like to add?")


@pytest.mark.parametrize("line", ["tell me a joke", "write a poem", "the driver laughed at me"])
async def test_nothing_is_asked_so_of_an_answer_that_is_needed(line: str) -> None:
    _, words = await told(Lesson, line)
    assert "Is that the topic?" not in words


async def test_what_is_told_to_be_done_is_the_answer_alone() -> None:
    answers, words = await told(*LESSON, "draw a map")
    assert answers.get("homework", "draw a map") == "draw a map"
    assert "homework" in words.lower()
    assert "no answer to that" not in words
