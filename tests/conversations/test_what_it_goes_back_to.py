"""Where an answer is asked for again that nobody has named, it is said which one, and how it stands."""

from datetime import date

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.core.reading import Command, Place, Reading, Value
from softrail.reader import LayeredReader
from softrail.testing import Conversation
from softrail.testing.plugin import Talk
from tests.conversations.kept import kept
from tests.readers import FakeMarker

WAITING = "not settled, we wait for the parish"


class Choir(Process, name="choir", version=1):
    """A choir for a feast."""

    starts_on = ("book a choir",)

    class Answers(BaseModel):
        couple: str = ask("Who is getting married?")
        day: date = ask("When is the feast?")
        singers: int = ask("How many singers?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("choir", answers)])


class Mistaking(LayeredReader):
    """Takes what is said of nothing for a word that the couple is wrong."""

    async def read(self, message: str, place: Place, *, locale: str) -> Reading:
        if message != WAITING:
            return await super().read(message, place, locale=locale)
        wrong = Value(field="couple", text="", confidence=0.95)
        return Reading(
            message=message,
            commands=(Command(act="correct", confidence=0.95, layer="learned", values=(wrong,)),),
        )


async def _back(talk: Talk) -> Conversation:
    spoken = await talk(Choir, reader=Mistaking(FakeMarker))
    for line in ("book a choir", "Kim and Lee"):
        await spoken.say(line)
    said = await spoken.say(WAITING)
    assert (
        said.text
        == "So far I have noted Couple: Kim and Lee. Is that still right?\n\nWho is getting married?"
    )
    assert said.reply.pending is not None
    assert list(said.reply.pending.options) == ["Kim and Lee"]
    return spoken


@pytest.mark.parametrize(
    ("answer", "next_one", "couple"),
    [
        ("yes", "When is the feast?", "Kim and Lee"),
        ("Kim and Lee", "When is the feast?", "Kim and Lee"),
        ("no", "What is it instead?", "Kim and Lee"),
        ("Kim and Leo", "When is the feast?", "Kim and Leo"),
    ],
)
async def test_it_may_stay_or_be_another(talk: Talk, answer: str, next_one: str, couple: str) -> None:
    spoken = await _back(talk)
    said = await spoken.say(answer)
    assert next_one in said.text
    assert (await kept(spoken, said))["couple"] == couple


async def test_it_is_not_asked_whether_it_is_right_where_it_is_surely_wrong(talk: Talk) -> None:
    spoken = await talk(Choir, reader=Mistaking(FakeMarker))
    for line in ("book a choir", "Kim and Lee"):
        await spoken.say(line)
    said = await spoken.say("I made a mistake")
    assert said.text == "Who is getting married?"
