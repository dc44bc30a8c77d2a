"""What may be said to a declared process besides its answers: that is all, answers by name, and what a hint means."""

from typing import Any, ClassVar

from pydantic import BaseModel

from softrail import Done, IntentDefinition, Process, Record, Turn, ask
from softrail.core.intents import Continue, Intent, RouteResult
from softrail.core.reading import Command, Value
from softrail.testing import Conversation
from softrail.testing.plugin import Talk
from tests.readers import reader


class Pitch(Process, name="pitch", version=1):
    """A pitch: its name, whom it is for, and its points."""

    title = "your pitch"
    contract = "questions_pass"
    starts_on = ("pitch something", "pitch Muse")
    ends_on = ("send it",)
    sentences: ClassVar = {"confirming": "So this is it:\n\n{summary}\n\nShall I send it?"}

    class Answers(BaseModel):
        """What is asked."""

        name: str = ask("What is it called?")
        audience: str = ask("Whom is it for?", names=("readers",))
        points: list[str] = ask("What else?", default=[])

    def prefill(self, said: Turn) -> dict[str, Any]:
        values = said.reading.values if said.reading is not None else {}
        return {name: value.text for name, value in values.items()}

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Sent.", effects=[Record("pitch", answers)])


async def noted(turn: Turn, intent: Intent) -> Continue:
    """What was said is a point of the pitch."""
    point = Command(
        act="inform", target="other", layer="learned", values=(Value(field="points", text="cheap"),)
    )
    return Continue(process="pitch", otherwise=RouteResult(text="There is no pitch."), says=(point,))


async def enough(turn: Turn, intent: Intent) -> Continue:
    """That was all of the pitch."""
    done = Command(act="none", target="done")
    return Continue(process="pitch", otherwise=RouteResult(text="There is no pitch."), says=(done,))


INTENTS = (
    (IntentDefinition(name="note_it", description="Note it.", examples=("note it",)), noted),
    (IntentDefinition(name="finish", description="Finish it.", examples=("finish up",)), enough),
)
ACTS = {"make it Velo": {"correct": 0.9}, "pitch something": {"request": 0.9}}
VALUES = {
    "make it Velo": {"name": "Velo", "called": "Velo"},
    "pitch Muse": {"called": "Muse"},
    "pitch something": {},
}


async def begun(talk: Talk, opening: str = "pitch something") -> Conversation:
    spoken = await talk(Pitch, intents=INTENTS, reader=reader(acts=ACTS, values=VALUES))
    await spoken.say(opening)
    return spoken


async def test_words_of_its_own_say_that_is_all_and_agree_to_the_summary(talk: Talk) -> None:
    spoken = await begun(talk)
    await spoken.say("Muse")

    early = await spoken.say("send it")
    assert early.text == "I still need: audience.\n\nWhom is it for?"
    shown = await spoken.say("teachers")
    assert shown.text.endswith("Shall I send it?")
    done = await spoken.say("send it, please")

    assert (done.text, done.state) == ("Sent.", "completed")


async def test_answers_that_name_what_they_answer_are_taken_all_at_once(talk: Talk) -> None:
    spoken = await begun(talk)

    said = await spoken.say("Readers: teachers\nName: Muse")
    assert said.step == "gathering_points"
    changed = await spoken.say("name: Velo")
    assert changed.step == "gathering_points"
    await spoken.say("skip")
    done = await spoken.say("yes")

    assert done.state == "completed"
    assert (await spoken.records("pitch"))[0] == {"name": "Velo", "audience": "teachers", "points": []}


async def test_a_line_that_names_no_answer_is_an_answer(talk: Talk) -> None:
    spoken = await begun(talk)

    assert (await spoken.say("Ratio: a story")).text.startswith("Name: Ratio: a story.")


async def test_what_the_first_message_gives_is_read_kept_and_read_back(talk: Talk) -> None:
    spoken = await talk(Pitch, reader=reader(acts=ACTS, values=VALUES))

    assert (await spoken.say("pitch Muse")).text == "Name: Muse.\n\nWhom is it for?"


async def test_a_hint_is_no_answer_and_its_handler_may_tell_the_process(talk: Talk) -> None:
    spoken = await begun(talk)

    said = await spoken.say("do so", intent_hint="note_it")
    assert said.text == "Points: cheap.\n\nWhat is it called?"
    again = await spoken.say("and that", intent_hint="note_it")

    assert again.text == "Points: cheap; cheap.\n\nWhat is it called?"


async def test_that_was_all_by_a_hint_is_said_to_a_run_that_was_left(talk: Talk) -> None:
    spoken = await begun(talk)
    for said in ("Muse", "teachers", "stop"):
        await spoken.say(said)

    shown = await spoken.say("do so", intent_hint="finish")
    assert (shown.state, shown.pending) == ("active", "confirm")
    changed = await spoken.say("make it Velo", intent_hint="finish")
    assert (changed.state, changed.pending) == ("active", "confirm")
    done = await spoken.say("do so", intent_hint="finish")

    assert done.state == "completed"
    assert (await spoken.records("pitch"))[0]["name"] == "Velo"
