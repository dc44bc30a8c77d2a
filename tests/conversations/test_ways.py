"""The ways out of a moment: what a frontend may show as buttons, and that each does what it says."""

from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.core.turns import ProcessView
from softrail.testing import Said
from softrail.testing.plugin import Talk


class Trip(Process, name="trip", version=1):
    """Where to go."""

    starts_on = ("plan a trip",)

    class Answers(BaseModel):
        place: str = ask("Where to?")
        abroad: bool = ask("Is it abroad?")
        passport: str | None = ask("Which passport?", default=None, when=lambda answers: answers.abroad)
        note: str = ask("Anything else?", default="")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Booked.")


def process(said: Said) -> ProcessView:
    assert said.reply.process is not None
    return said.reply.process


def labels(said: Said) -> list[str]:
    return [way.label for way in said.reply.ways]


async def test_the_first_question_has_no_way_back_and_one_that_may_be_left_out_has_skip(talk: Talk) -> None:
    c = await talk(Trip)

    assert labels(await c.say("plan a trip")) == ["Pause", "Leave", "Start over"]
    assert labels(await c.say("Rome")) == ["Go back", "Pause", "Leave", "Start over"]
    assert labels(await c.say("no")) == ["Skip", "Go back", "Pause", "Leave", "Start over"]


async def test_progress_counts_what_applies_as_the_answers_stand(talk: Talk) -> None:
    c = await talk(Trip)
    seen = [process(await c.say(words)).progress for words in ("plan a trip", "Rome", "yes", "red")]

    # Whether a passport is asked for is not known at first.
    assert [(one.done, one.of) for one in seen if one is not None] == [(0, 3), (1, 3), (2, 4), (3, 4)]
    assert process(await c.say("skip")).title == "the trip"


async def test_each_way_does_what_its_button_says(talk: Talk) -> None:
    async def after(*words: str, way: str) -> Said:
        c = await talk(Trip)
        said = [await c.say(one) for one in words]
        message = next(w.message for w in said[-1].reply.ways if w.label == way)
        return await c.say(message)

    async def state(*words: str, way: str) -> str:
        return process(await after(*words, way=way)).state

    async def asked(*words: str, way: str) -> str:
        pending = (await after(*words, way=way)).reply.pending
        assert pending is not None
        return pending.kind if pending.kind == "confirm" else pending.prompt

    on = ("plan a trip", "Rome", "no")
    assert await asked(*on, way="Skip") == "confirm"
    assert await asked(*on, way="Go back") == "Is it abroad?"
    assert await asked(*on, way="Start over") == "Where to?"
    assert await asked(*on, "skip", way="Go back") == "Anything else?"
    assert await state(*on, way="Pause") == "suspended"
    assert await state(*on, way="Leave") == "abandoned"
    assert await state(*on, "stop", way="Resume") == "active"
    assert await state(*on, "forget it", way="Undo") == "active"
    assert await state(*on, "skip", way="Pause") == "suspended"


async def test_what_does_not_work_any_more_is_no_way(talk: Talk) -> None:
    c = await talk(Trip)
    await c.say("plan a trip")

    assert labels(await c.say("stop")) == ["Resume", "Undo"]
    assert labels(await c.say("hello there")) != []
    assert "Undo" not in labels(await c.say("tell me a joke"))
    await c.say("resume")
    await c.say("forget it")
    assert labels(await c.say("tell me a joke")) == []
