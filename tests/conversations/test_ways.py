"""The ways out of a moment: what a frontend may show as buttons, and that each does what it says."""

from pydantic import BaseModel

from softrail import Done, Process, Turn, ask


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


def labels(said):
    return [way.label for way in said.reply.ways]


async def test_the_first_question_has_no_way_back_and_one_that_may_be_left_out_has_skip(talk):
    c = await talk(Trip)

    assert labels(await c.say("plan a trip")) == ["Pause", "Leave", "Start over"]
    assert labels(await c.say("Rome")) == ["Go back", "Pause", "Leave", "Start over"]
    assert labels(await c.say("no")) == ["Skip", "Go back", "Pause", "Leave", "Start over"]


async def test_progress_counts_what_applies_as_the_answers_stand(talk):
    c = await talk(Trip)
    seen = [
        (await c.say(words)).reply.process.progress.model_dump()
        for words in ("plan a trip", "Rome", "yes", "red")
    ]

    assert seen == [
        {"done": 0, "of": 3},  # whether a passport is asked for is not known yet
        {"done": 1, "of": 3},
        {"done": 2, "of": 4},
        {"done": 3, "of": 4},
    ]
    assert (await c.say("skip")).reply.process.title == "the trip"


async def test_each_way_does_what_its_button_says(talk):
    async def after(*words, way):
        c = await talk(Trip)
        for one in words:
            said = await c.say(one)
        message = next(w.message for w in said.reply.ways if w.label == way)
        return await c.say(message)

    on = ("plan a trip", "Rome", "no")
    assert (await after(*on, way="Skip")).reply.pending.kind == "confirm"
    assert (await after(*on, way="Go back")).reply.pending.prompt == "Is it abroad?"
    assert (await after(*on, way="Pause")).reply.process.state == "suspended"
    assert (await after(*on, way="Leave")).reply.process.state == "abandoned"
    assert (await after(*on, way="Start over")).reply.process.progress.done == 0
    assert (await after(*on, "stop", way="Resume")).reply.process.state == "active"
    assert (await after(*on, "forget it", way="Undo")).reply.process.state == "active"
    assert (await after(*on, "skip", way="Go back")).reply.pending.kind == "ask"
    assert (await after(*on, "skip", way="Pause")).reply.process.state == "suspended"


async def test_what_does_not_work_any_more_is_no_way(talk):
    c = await talk(Trip)
    await c.say("plan a trip")

    assert labels(await c.say("stop")) == ["Resume", "Undo"]
    assert labels(await c.say("hello there")) != []
    assert "Undo" not in labels(await c.say("tell me a joke"))
    await c.say("resume")
    await c.say("forget it")
    assert labels(await c.say("tell me a joke")) == []
