"""In doubt nothing is stored, left or changed: it is asked, with what was read on buttons."""

from datetime import timedelta

from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.core.effects import OutboxItem
from softrail.testing import Conversation
from softrail.testing.plugin import Talk
from tests.readers import reader


class Pitch(Process, name="pitch", version=1):
    """A pitch: its name, and who it is for."""

    title = "your pitch"
    idle_timeout = timedelta(hours=1)
    starts_on = ("pitch something",)

    class Answers(BaseModel):
        """What is asked."""

        name: str = ask("What is it called?")
        audience: str = ask("Who is it for?", label="audience")
        budget: int = ask("What is the budget?", default=0)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("pitch", answers)])


ACTS = {
    "ugh stop": {"inform": 0.4, "leave": 0.55, "social": 0.3},
    "I have to run": {"inform": 0.05, "leave": 0.7, "pause": 0.9},
    "can I tell you tomorrow?": {"ask": 0.96, "pause": 0.65},
    "hm good question": {"hold": 0.9, "inform": 0.1},
    "what do you mean by that?": {"ask": 0.95},
    "say that again": {"repeat": 0.95},
    "let me talk to somebody": {"human": 0.95},
    "nobody cares lol": {"inform": 0.3, "social": 0.35},
    "Muse, for teachers": {"inform": 0.96, "inform_other": 0.9},
    "no, call it Foo": {"inform": 0.1, "correct": 0.95},
    "I think teachers": {"inform": 0.97},
    "make it 30": {"correct": 0.9, "affirm": 0.05},
    "no idea": {"open": 0.95},
    "Stop Motion Studio": {"inform": 0.93, "leave": 0.2},
}
VALUES = {
    "Muse, for teachers": {"called": "Muse", "audience": "teachers"},
    "no, call it Foo": {"name": "Foo", "called": "Foo"},
    "I think teachers": {"for": "teachers"},
    "make it 30": {"budget": "30"},
    "nobody cares lol": {},
}


async def begun(talk: Talk) -> Conversation:
    spoken = await talk(Pitch, reader=reader(acts=ACTS, values=VALUES))
    await spoken.say("pitch something")
    return spoken


async def test_a_message_that_may_be_a_name_or_a_wish_to_leave_is_asked_about(talk: Talk) -> None:
    spoken = await begun(talk)

    said = await spoken.say("ugh stop")

    assert said.text == "Is “ugh stop” the name, or shall I pause your pitch?"
    assert said.reply.pending is not None
    assert said.reply.pending.kind == "clarify"
    assert said.reply.pending.options == ["It is the name", "Pause your pitch", "Neither"]
    assert said.state == "active"


async def test_the_button_says_what_it_was(talk: Talk) -> None:
    spoken = await begun(talk)
    await spoken.say("ugh stop")

    said = await spoken.say("It is the name")

    assert said.step == "gathering_audience"
    kept = await spoken.say("stop")
    assert "ugh stop" in kept.text


async def test_the_button_to_pause_keeps_everything(talk: Talk) -> None:
    spoken = await begun(talk)
    await spoken.say("Muse")
    await spoken.say("ugh stop")

    said = await spoken.say("Pause your pitch")

    assert said.state == "suspended"
    assert "Muse" in said.text


async def test_neither_asks_the_question_again(talk: Talk) -> None:
    spoken = await begun(talk)
    await spoken.say("ugh stop")

    said = await spoken.say("Neither")

    assert said.text == "What is it called?"


async def test_an_answer_after_a_doubt_is_the_answer(talk: Talk) -> None:
    spoken = await begun(talk)
    await spoken.say("ugh stop")

    said = await spoken.say("Muse")

    assert said.step == "gathering_audience"
    assert "Muse" in said.text


async def test_a_second_doubt_in_a_row_asks_the_plain_question_with_its_ways_out(talk: Talk) -> None:
    spoken = await begun(talk)
    await spoken.say("ugh stop")

    said = await spoken.say("nobody cares lol")

    assert "“stop” to pause" in said.text
    assert said.text.endswith("What is it called?")
    assert said.pending == "ask"


async def test_a_wish_to_leave_is_asked_about_after_a_doubt_of_another_kind(talk: Talk) -> None:
    spoken = await begun(talk)
    await spoken.say("nobody cares lol")

    said = await spoken.say("can I tell you tomorrow?")

    assert said.reply.pending is not None
    assert said.reply.pending.options == ["Pause your pitch", "Go on"]


async def test_a_wish_to_leave_that_was_asked_about_is_not_asked_about_twice(talk: Talk) -> None:
    spoken = await begun(talk)
    await spoken.say("ugh stop")

    said = await spoken.say("can I tell you tomorrow?")

    assert said.reply.pending is not None
    assert said.reply.pending.kind == "ask"


async def test_an_escape_word_works_above_a_doubt(talk: Talk) -> None:
    spoken = await begun(talk)
    await spoken.say("ugh stop")

    said = await spoken.say("stop")

    assert said.state == "suspended"


async def test_a_clear_wish_to_leave_pauses_and_loses_nothing(talk: Talk) -> None:
    spoken = await begun(talk)
    await spoken.say("Muse")

    said = await spoken.say("I have to run")

    assert said.state == "suspended"
    assert "Muse" in said.text


async def test_an_answer_with_words_of_leaving_is_an_answer(talk: Talk) -> None:
    spoken = await begun(talk)

    said = await spoken.say("Stop Motion Studio")

    assert said.step == "gathering_audience"


async def test_thinking_aloud_stores_nothing(talk: Talk) -> None:
    spoken = await begun(talk)

    said = await spoken.say("hm good question")

    assert said.text == "Take your time.\n\nWhat is it called?"


async def test_a_question_is_answered_and_the_process_asks_again(talk: Talk) -> None:
    spoken = await begun(talk)

    said = await spoken.say("what do you mean by that?")

    assert said.state == "active"
    assert said.text.endswith("What is it called?")


async def test_the_question_is_repeated(talk: Talk) -> None:
    spoken = await begun(talk)

    assert (await spoken.say("say that again")).text == "Here is my question again.\n\nWhat is it called?"


async def test_who_wants_a_person_is_told_honestly(talk: Talk) -> None:
    spoken = await begun(talk)

    said = await spoken.say("let me talk to somebody")

    assert "I am a program" in said.text
    assert said.state == "active"


async def test_one_message_fills_several_answers(talk: Talk) -> None:
    spoken = await begun(talk)

    said = await spoken.say("Muse, for teachers")

    assert said.step == "gathering_budget"
    assert "Name: Muse." in said.text
    assert "Audience: teachers." in said.text


async def test_the_value_is_kept_without_its_framing_and_read_back(talk: Talk) -> None:
    spoken = await begun(talk)
    await spoken.say("Muse")

    said = await spoken.say("I think teachers")

    assert said.text.startswith("Audience: teachers.")


async def test_an_earlier_answer_is_changed_while_another_question_is_open(talk: Talk) -> None:
    spoken = await begun(talk)
    await spoken.say("Muse")

    said = await spoken.say("no, call it Foo")

    assert said.text.startswith("Name: Foo.")
    assert said.step == "gathering_audience"


async def test_what_a_person_does_not_know_is_left_open_where_that_is_possible(talk: Talk) -> None:
    spoken = await begun(talk)
    await spoken.say("Muse")

    required = await spoken.say("no idea")
    await spoken.say("teachers")
    optional = await spoken.say("no idea")

    assert required.step == "gathering_audience"
    assert optional.step == "confirming"


async def test_a_change_at_the_summary_is_carried_out_and_shown(talk: Talk) -> None:
    spoken = await begun(talk)
    for said in ("Muse", "teachers", "25"):
        await spoken.say(said)

    changed = await spoken.say("make it 30")
    done = await spoken.say("yes")

    assert "30" in changed.text
    assert done.state == "completed"
    assert (await spoken.records("pitch"))[0]["budget"] == 30


async def test_whoever_wants_a_person_is_handed_over_with_what_was_said(talk: Talk) -> None:
    handed: list[OutboxItem] = []

    async def desk(item: OutboxItem) -> None:
        handed.append(item)

    c = await talk(Pitch, reader=reader(acts=ACTS, values=VALUES), deliverers={"handover": desk})
    await c.say("pitch something")
    await c.say("Muse, for teachers")
    said = await c.say("let me talk to somebody")
    assert said.text.startswith("I have asked for a person, who gets what was said here.")
    assert (said.state, said.pending) == ("active", "ask")
    await c.dispatcher.sweep()

    [item] = handed
    assert item.payload["message"] == "let me talk to somebody"
    assert item.payload["asked"] == "What is the budget?"
    assert "name: Muse" in item.payload["kept"]
    assert item.payload["said"][0]["content"] == "pitch something"


async def test_without_a_desk_it_is_said_that_nobody_is_there(talk: Talk) -> None:
    c = await begun(talk)
    said = await c.say("let me talk to somebody")
    assert said.text.startswith("I am a program, and there is no person here")
    assert said.effects == []
