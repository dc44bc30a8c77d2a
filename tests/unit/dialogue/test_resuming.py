"""Coming back: offers to resume, late answers, several conversations, one suspended run per slot."""

from datetime import timedelta

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.core.instances import State
from softrail.testing import FrozenClock
from softrail.testing.plugin import Talk


class Trip(Process, name="trip", version=1):
    """Plan a trip: where to, and when."""

    starts_on = ("plan a trip",)
    idle_timeout = timedelta(minutes=30)
    freshness = timedelta(days=7)

    class Answers(BaseModel):
        place: str = ask("Where to?")
        month: str = ask("In which month?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Booked.", effects=[Record("trip", answers)])


class Lunch(Process, name="lunch", version=1):
    """Choose lunch."""

    starts_on = ("choose lunch",)
    confirm = False

    class Answers(BaseModel):
        dish: str = ask("Which dish?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"{answers.dish} it is.")


@pytest.mark.parametrize(
    ("late", "state"),
    [
        pytest.param(timedelta(minutes=30) - timedelta(milliseconds=1), "active", id="just before"),
        pytest.param(timedelta(minutes=30), "active", id="exactly at the limit"),
        pytest.param(timedelta(minutes=30, milliseconds=1), "suspended", id="just after"),
    ],
)
async def test_silence_suspends_only_beyond_the_limit(
    talk: Talk, frozen: FrozenClock, late: timedelta, state: str
) -> None:
    person = await talk(Trip)
    await person.say("plan a trip")
    frozen.advance(seconds=late.total_seconds())

    report = await person.sweep()

    [instance] = await person.dispatcher.store.instances(person.session_id or "")
    assert instance.state == state
    assert report.suspended == (1 if state == "suspended" else 0)
    assert (await person.sweep()).suspended == 0


async def test_a_late_answer_wakes_the_process_and_is_the_answer(talk: Talk, frozen: FrozenClock) -> None:
    person = await talk(Trip)
    await person.say("plan a trip")
    frozen.advance(days=3)
    await person.sweep()

    said = await person.say("Lisbon")

    assert said.text.startswith("Picking up the trip from Monday.")
    assert (said.state, said.step) == ("active", "gathering_month")
    assert [t.trigger for t in said.decision.transitions] == ["resume"]


async def test_a_late_answer_works_whether_or_not_the_sweep_came_first(
    talk: Talk, frozen: FrozenClock
) -> None:
    person = await talk(Trip)
    await person.say("plan a trip")
    frozen.advance(days=3)

    said = await person.say("Lisbon")

    assert (said.state, said.step) == ("active", "gathering_month")
    assert [t.trigger for t in said.decision.transitions] == ["timeout", "resume"]


@pytest.mark.parametrize(
    "message", ["hi", "what can you do?", "/status", "cancel", "could you restore the CoVa backup for me?"]
)
async def test_a_late_message_that_is_no_answer_leaves_the_process_paused(
    talk: Talk, frozen: FrozenClock, message: str
) -> None:
    person = await talk(Trip)
    await person.say("plan a trip")
    frozen.advance(days=3)

    await person.say(message)

    [instance] = await person.dispatcher.store.instances(person.session_id or "")
    assert instance.state is State.SUSPENDED


async def test_after_the_retention_a_paused_run_expires_and_is_not_offered(
    talk: Talk, frozen: FrozenClock
) -> None:
    person = await talk(Trip)
    await person.say("plan a trip")
    await person.say("stop")
    frozen.advance(days=30)
    assert (await person.sweep()).expired == 0
    frozen.advance(milliseconds=1)
    assert (await person.sweep()).expired == 1

    said = await person.say("hello")
    assert said.pending is None


@pytest.mark.parametrize("words", ["resume", "resume trip"])
async def test_whoever_comes_back_to_what_has_expired_is_told_so_in_any_conversation(
    words: str, talk: Talk, frozen: FrozenClock
) -> None:
    person = await talk(Trip, Lunch)
    await person.say("plan a trip")
    await person.say("stop")
    frozen.advance(days=31)
    await person.sweep()
    person.new_session()

    said = await person.say(words)

    assert said.text.startswith("We paused the trip too long ago")
    assert "Say “plan a trip” to begin anew." in said.text


async def test_where_the_talk_went_on_since_go_on_is_not_about_what_has_expired(
    talk: Talk, frozen: FrozenClock
) -> None:
    person = await talk(Trip, Lunch)
    await person.say("plan a trip")
    await person.say("stop")
    frozen.advance(days=31)
    await person.sweep()
    frozen.advance(seconds=1)
    await person.say("tell me a story")

    assert "too long ago" not in (await person.say("go on")).text
    assert "too long ago" in (await person.say("resume trip")).text


async def test_answers_beyond_the_freshness_limit_are_asked_again(talk: Talk, frozen: FrozenClock) -> None:
    person = await talk(Trip)
    await person.say("plan a trip")
    await person.say("Lisbon")
    await person.say("stop")
    frozen.advance(days=7, milliseconds=1)

    said = await person.say("resume")

    assert said.step == "gathering_place"


async def test_answers_at_the_freshness_limit_are_kept(talk: Talk, frozen: FrozenClock) -> None:
    person = await talk(Trip)
    await person.say("plan a trip")
    await person.say("Lisbon")
    await person.say("stop")
    frozen.advance(days=7)

    assert (await person.say("resume")).step == "gathering_month"


async def test_a_late_answer_does_not_hide_that_an_older_one_is_stale(
    talk: Talk, frozen: FrozenClock
) -> None:
    person = await talk(Trip)
    await person.say("plan a trip")
    await person.say("Lisbon")
    frozen.advance(days=8)

    said = await person.say("May")

    assert (said.state, said.step) == ("active", "gathering_place")


async def test_resuming_is_offered_once_per_pause(talk: Talk) -> None:
    person = await talk(Trip)
    await person.say("plan a trip")
    await person.say("stop")

    assert (await person.say("hi")).pending == "offer"
    assert (await person.say("two plus two is four")).pending is None
    assert (await person.say("hi")).pending is None
    assert (await person.say("resume")).state == "active"
    await person.say("stop")
    assert (await person.say("hi")).pending == "offer"


async def test_no_to_a_resume_offer_declines_the_run_for_good(talk: Talk) -> None:
    person = await talk(Trip)
    await person.say("plan a trip")
    await person.say("stop")
    await person.say("hi")

    said = await person.say("no thanks")

    assert (said.process, said.state) == ("trip", "declined")
    assert (await person.say("hi")).pending is None


async def test_an_open_run_is_offered_in_another_conversation_and_moves_there(talk: Talk) -> None:
    person = await talk(Trip)
    await person.say("plan a trip")
    await person.say("Lisbon")
    first = person.session_id
    person.new_session()

    assert "another conversation" in (await person.say("hello")).text
    said = await person.say("yes")

    assert (said.state, said.step) == ("active", "gathering_month")
    assert [t.trigger for t in said.decision.transitions] == ["escape", "resume"]
    person.session_id = first
    assert (await person.say("May")).intent == "general_conversation"


async def test_starting_again_sets_the_older_paused_run_aside_and_says_so(talk: Talk) -> None:
    person = await talk(Trip)
    await person.say("plan a trip")
    await person.say("Lisbon")
    await person.say("stop")

    said = await person.say("plan a trip")

    assert "earlier run of the trip is set aside" in said.text
    states = sorted(str(i.state) for i in await person.dispatcher.store.instances(person.session_id or ""))
    assert states == ["abandoned", "active"]


@pytest.mark.parametrize(
    "words", ["back to the trip", "where were we with the trip", "ok, can we go back to my trip please"]
)
async def test_who_goes_back_to_it_by_its_name_finds_what_was_told(talk: Talk, words: str) -> None:
    person = await talk(Trip)
    for line in ("plan a trip", "Lisbon", "stop"):
        await person.say(line)

    said = await person.say(words)

    assert (said.state, said.step) == ("active", "gathering_month")


async def test_asking_for_another_process_pauses_the_first_and_says_so(talk: Talk) -> None:
    person = await talk(Trip, Lunch)
    await person.say("plan a trip")

    said = await person.say("choose lunch")

    assert (said.process, said.state) == ("lunch", "active")
    assert "paused the trip" in said.text
    assert (await person.say("soup")).text == "soup it is.\n\nLet's go on with the trip.\n\nWhere to?"


async def test_undo_brings_back_what_was_left_on_the_turn_before_and_only_then(talk: Talk) -> None:
    person = await talk(Trip)
    await person.say("plan a trip")
    await person.say("Lisbon")
    assert (await person.say("quit the trip")).state == "abandoned"

    said = await person.say("undo")
    assert (said.state, said.step) == ("active", "gathering_month")

    await person.say("quit the trip")
    await person.say("two plus two is four")
    assert (await person.say("undo")).process is None


async def test_a_greeting_is_no_answer(talk: Talk) -> None:
    person = await talk(Trip)
    await person.say("plan a trip")

    said = await person.say("hi")

    assert said.text == "Hello.\n\nWhere to?"
    assert (said.state, said.step) == ("active", "gathering_place")


async def test_the_clock_stepping_back_suspends_nothing(talk: Talk, frozen: FrozenClock) -> None:
    person = await talk(Trip)
    await person.say("plan a trip")
    frozen.advance(days=-3650)

    assert (await person.sweep()).suspended == 0
    said = await person.say("Lisbon")
    assert (said.state, said.step) == ("active", "gathering_month")
