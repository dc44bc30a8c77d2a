"""Processes take words of their own besides answers: they know them, or the classifier does, or a slash word says so."""

from typing import ClassVar, Literal

import pytest
from pydantic import BaseModel, Field

from softrail import Done, IntentDefinition, Process, Release, Turn, Wait, step
from softrail.core.outcomes import Outcome
from softrail.processes.builtin.clarification import Clarification
from softrail.testing import Conversation, FrozenClock, conversation
from tests.conversations.kinds import Job, Nothing, Parcel, Survey, Tour
from tests.readers import reader


async def running(talk: Conversation) -> None:
    said = await talk.say("start the job")
    assert said.text == "The job runs."


async def test_words_that_a_process_knows_go_to_the_run_in_the_background(frozen: FrozenClock) -> None:
    async with conversation(Job, clock=frozen) as talk:
        await running(talk)

        said = await talk.say("pause")

        assert said.text == "The job waits."
        assert (said.intent, said.decision.tier, said.decision.owner) == ("pause_job", "pattern", "job")
        assert [claim.claim for claim in said.decision.claims] == ["Tell"]
        assert said.step == "running"
        assert (await talk.signal("job", "done")).text == "The job is done: everything."


async def test_its_examples_are_candidates_of_free_turns_while_it_is_active(frozen: FrozenClock) -> None:
    async with conversation(Job, clock=frozen) as talk:
        before = await talk.say("hold the work for a while")
        await running(talk)
        said = await talk.say("hold the work for a while, please")
        await talk.signal("job", "done")
        after = await talk.say("hold the work for a while")

        assert said.text == "The job waits."
        assert said.intent == "pause_job"
        assert said.decision.gate("classify") is not None
        assert "pause_job" not in {before.intent, after.intent}


async def test_what_is_not_its_own_is_free_talk_and_leaves_it_as_it_is(frozen: FrozenClock) -> None:
    async with conversation(Job, clock=frozen) as talk:
        await running(talk)

        said = await talk.say("what a nice day")

        assert said.decision.owner == "free talk"
        assert said.intent == "general_conversation"
        assert said.process is None


async def test_it_is_left_by_its_name(frozen: FrozenClock) -> None:
    async with conversation(Job, clock=frozen) as talk:
        await running(talk)

        said = await talk.say("stop the job")

        assert said.state == "abandoned"


async def test_a_step_may_ask_and_the_answer_is_its_own(frozen: FrozenClock) -> None:
    async with conversation(Job, clock=frozen) as talk:
        await running(talk)

        asked = await talk.say("only include Q4")
        said = await talk.say("yes")

        assert asked.text == "Only Q4, then?"
        assert said.text == "Only Q4."
        assert (await talk.signal("job", "done")).text == "The job is done: Q4."


async def test_while_another_process_asks_its_words_are_answers_to_that(frozen: FrozenClock) -> None:
    async with conversation(Job, Survey, clock=frozen) as talk:
        await running(talk)
        await talk.say("start the survey")

        said = await talk.say("only include blue")

        assert said.text.endswith("Which animal?")
        assert said.process == "survey"


async def test_what_reads_as_a_wish_reaches_it_while_another_process_asks(frozen: FrozenClock) -> None:
    acts = {"hold the work for a while": {"request": 0.95}, "fifty": {"inform": 0.97}}
    async with conversation(Job, Parcel, clock=frozen, reader=reader(acts=acts)) as talk:
        await running(talk)
        await talk.say("send a parcel")
        await talk.say("Robin")

        said = await talk.say("hold the work for a while")

        assert said.text == "The job waits.\n\nHow many kilos?"
        assert (said.process, said.state) == ("parcel", "active")
        assert said.intent == "pause_job"


async def test_the_holder_hears_its_own_words_and_asks_again(frozen: FrozenClock) -> None:
    async with conversation(Parcel, clock=frozen) as talk:
        await talk.say("send a parcel")

        said = await talk.say("What does it cost?")

        assert said.text == "Five a kilo.\n\nWho gets it?"
        assert said.decision.gate("classify") is None
        assert said.model_calls == 0
        assert (await talk.say("Robin")).text.endswith("How many kilos?")


async def test_the_step_may_give_answers_and_go_on(frozen: FrozenClock) -> None:
    async with conversation(Parcel, clock=frozen) as talk:
        await talk.say("send a parcel")

        said = await talk.say("to work")

        assert said.text.endswith("How many kilos?")
        assert "- To: the office\n- Weight: 3" in (await talk.say("3")).text
        await talk.say("yes")
        assert await talk.records("parcel") == [{"to": "the office", "weight": 3}]


async def test_what_reads_as_a_question_is_classified_among_its_intents_and_goes_back_to_it(
    frozen: FrozenClock,
) -> None:
    acts = {"what does the parcel cost": {"ask": 0.95}}
    async with conversation(Parcel, clock=frozen, reader=reader(acts=acts)) as talk:
        await talk.say("send a parcel")
        await talk.say("Robin")

        said = await talk.say("what does the parcel cost")

        assert said.text == "Five a kilo.\n\nHow many kilos?"
        assert said.intent == "parcel_price"
        assert said.state == "active"


async def test_no_process_takes_the_ways_out_for_its_own(frozen: FrozenClock) -> None:
    async with conversation(Parcel, clock=frozen) as talk:
        await talk.say("send a parcel")

        said = await talk.say("stop")

        assert said.text.startswith("Okay, the parcel is paused")


async def test_a_step_may_pause_its_own_process(frozen: FrozenClock) -> None:
    async with conversation(Parcel, clock=frozen) as talk:
        await talk.say("send a parcel")

        said = await talk.say("park it")

        assert (said.text, said.state) == ("The parcel waits.", "suspended")


async def test_what_its_step_releases_without_words_is_answered_the_normal_way(frozen: FrozenClock) -> None:
    async with conversation(Job, clock=frozen) as talk:
        await running(talk)
        await talk.say("pause")

        twice = await talk.say("pause")
        classified = await talk.say("hold the work for a while")

        for said in (twice, classified):
            assert said.decision.owner == "free talk"
            assert said.intent == "general_conversation"
            assert said.decision.trouble is None


class Choosy(Process, name="choosy", version=1):
    """It takes only some of the words it knows."""

    starts_on = ("be choosy",)
    intents = (IntentDefinition(name="red_one", description="They want red.", offered="active"),)

    def recognise(self, words: str) -> str | None:
        return "red_one"

    @step(asks="Which one?")
    async def which(self, said: Turn, data: Nothing) -> Outcome:
        return Done(f"{said.message} it is.")

    @step(intent="red_one")
    async def red(self, said: Turn, data: Nothing) -> Outcome:
        return Release(say="No red ones." if "red" in said.message else "")


async def test_what_the_holder_releases_without_words_is_the_answer_after_all(frozen: FrozenClock) -> None:
    async with conversation(Choosy, clock=frozen) as talk:
        await talk.say("be choosy")

        assert (await talk.say("the red")).text == "No red ones.\n\nWhich one?"
        assert (await talk.say("the blue")).text == "the blue it is."


async def test_an_intent_that_is_always_offered_is_told_when_nothing_is_under_way(
    frozen: FrozenClock,
) -> None:
    async with conversation(Job, clock=frozen) as talk:
        idle = await talk.say("how far is the work")
        await running(talk)
        active = await talk.say("how far is the work")

        assert idle.text == "That is for the job, which is not under way."
        assert idle.intent == "job_progress"
        assert active.text == "The job runs."


async def test_where_it_is_paused_the_way_back_is_told(frozen: FrozenClock) -> None:
    async with conversation(Parcel, clock=frozen) as talk:
        await talk.say("send a parcel")
        await talk.say("stop")

        said = await talk.say("/price")

        assert said.text == "That is for the parcel, which is paused. Say “resume” to pick it up again."


async def test_a_slash_word_goes_to_the_active_run_with_what_follows_it(frozen: FrozenClock) -> None:
    async with conversation(Job, clock=frozen) as talk:
        idle = await talk.say("/redo")
        await running(talk)
        said = await talk.say("/redo the second part")

        assert idle.text == "That is for the job, which is not under way."
        assert said.text == "Once more: the second part."
        assert (said.intent, said.decision.tier) == ("redo_job", "slash")


async def test_a_slash_word_leaves_the_open_question_of_another_as_it_is(frozen: FrozenClock) -> None:
    async with conversation(Job, Survey, clock=frozen) as talk:
        await running(talk)
        await talk.say("start the survey")

        said = await talk.say("/redo")

        assert said.text == "Once more: everything.\n\nI was asking: Which colour?"
        assert (await talk.say("blue")).text.endswith("Which animal?")


async def test_a_slash_word_of_the_holder_asks_its_question_again(frozen: FrozenClock) -> None:
    async with conversation(Parcel, clock=frozen) as talk:
        await talk.say("send a parcel")

        said = await talk.say("/price")

        assert said.text == "Five a kilo.\n\nI was asking: Who gets it?"


class Paid(Parcel, name="paid_parcel", version=1):
    """It uses a word of leaving for something else."""

    starts_on = ("send a paid parcel",)
    slashes: ClassVar = {"leave": "parcel_price"}


async def test_a_word_of_leaving_may_be_somebodys_own(frozen: FrozenClock) -> None:
    async with conversation(Paid, clock=frozen) as talk:
        await talk.say("send a paid parcel")

        own, leaving = await talk.say("/leave"), await talk.say("/abort")

        assert own.text == "Five a kilo.\n\nI was asking: Who gets it?"
        assert leaving.text.startswith("Okay, the parcel is paused ")


async def test_help_names_slash_words_while_their_process_is_active(frozen: FrozenClock) -> None:
    async with conversation(Job, clock=frozen) as talk:
        before = await talk.say("/help")
        await running(talk)
        after = await talk.say("/help")
        close = await talk.say("/rdo")

        assert "/redo" not in before.text
        assert "/redo" in after.text
        assert close.text == "There is no command /rdo. Did you mean /redo?"


async def test_an_offer_is_answered_before_any_words_of_ones_own(frozen: FrozenClock) -> None:
    async with conversation(Job, Tour, clock=frozen) as talk:
        await running(talk)
        await talk.say("hello")

        said = await talk.say("pause")

        assert "The job" not in said.text


async def test_a_hint_of_the_frontend_names_an_intent_of_its_own(frozen: FrozenClock) -> None:
    async with conversation(Parcel, Job, clock=frozen) as talk:
        await running(talk)
        told = await talk.say("a while", intent_hint="pause_job")
        await talk.say("send a parcel")
        said = await talk.say("how much", intent_hint="parcel_price")

        assert told.text == "The job waits."
        assert said.text == "Five a kilo.\n\nWho gets it?"
        assert said.decision.tier == "hint"


async def test_failures_of_a_recogniser_are_counted_and_the_message_is_used(
    frozen: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with conversation(Parcel, clock=frozen) as talk:
        await talk.say("send a parcel")
        monkeypatch.setattr(Parcel, "failing", True)

        said = await talk.say("Robin")

        assert said.text.endswith("How many kilos?")
        assert said.decision.trouble is not None
        assert "recognise() of process 'parcel' raised RuntimeError" in said.decision.trouble


class Dud(Process, name="dud", version=1):
    """Its recogniser returns what is none of its intents."""

    contract = "background"
    starts_on = ("be a dud",)
    intents = (IntentDefinition(name="dud_stop", description="They want it to end.", offered="active"),)

    def recognise(self, words: str) -> str | None:
        return "dud_stopp"

    @step()
    async def begin(self, said: Turn, data: Nothing) -> Outcome:
        return Wait(say="A dud.")

    @step(intent="dud_stop")
    async def end(self, said: Turn, data: Nothing) -> Outcome:
        raise RuntimeError("it does not end")


async def test_the_third_failure_in_a_row_pauses_it_and_says_so(frozen: FrozenClock) -> None:
    async with conversation(Dud, clock=frozen) as talk:
        await talk.say("be a dud")
        first = await talk.say("one")
        await talk.say("two")
        third = await talk.say("three")
        fourth = await talk.say("four")

        assert first.decision.trouble is not None
        assert "It returns None or one of its intents: dud_stop." in first.decision.trouble
        assert first.decision.owner == "free talk"
        assert third.text.startswith("I can't get the dud to work right now, so I've paused it")
        assert fourth.decision.trouble is None


async def test_a_step_that_fails_on_an_intent_is_told_like_any_other(frozen: FrozenClock) -> None:
    async with conversation(Dud, clock=frozen) as talk:
        await talk.say("be a dud")

        said = await talk.say("end it", intent_hint="dud_stop")

        assert said.text.startswith("Something went wrong on my side")
        assert said.state == "active"


class Amount(BaseModel):
    """How much of it."""

    share: Literal["half", "all"] = Field(description="how much of it")


class Refill(Process, name="refill", version=1):
    """It goes on in the background, and may be told how much is wanted."""

    contract = "background"
    starts_on = ("start the refill",)
    intents = (
        IntentDefinition(
            name="refill_share",
            description="They say how much is refilled.",
            examples=("change how much is refilled",),
            parameters=Amount,
            offered="active",
        ),
        IntentDefinition(
            name="end_refill",
            description="They want the refill to end.",
            examples=("let the refill of the tank come to its end",),
            surely=True,
            offered="active",
        ),
    )

    @step()
    async def begin(self, said: Turn, data: Nothing) -> Outcome:
        return Wait(say="It is refilled.")

    @step(intent="refill_share")
    async def share(self, said: Turn, data: Nothing) -> Outcome:
        assert said.intent is not None
        return Release(say=f"Then {said.intent.parameters['share']} of it.")

    @step(intent="end_refill")
    async def end(self, said: Turn, data: Nothing) -> Outcome:
        return Done("It is not refilled any more.")


async def test_what_is_missing_is_asked_for_and_told_with_the_intent(frozen: FrozenClock) -> None:
    async with conversation(Refill, Clarification, clock=frozen) as talk:
        await talk.say("start the refill")

        asked = await talk.say("change how much is refilled")
        said = await talk.say("half")

        assert asked.text.startswith("I need one more thing before I can do that: how much of it?")
        assert said.text == "Then half of it."
        assert said.intent == "refill_share"
        assert said.decision.owner == "refill"


async def test_what_must_be_sure_is_asked_about_before_it_is_told(frozen: FrozenClock) -> None:
    async with conversation(Refill, Clarification, clock=frozen) as talk:
        await talk.say("start the refill")

        asked = await talk.say("let the refill of the tank end")
        said = await talk.say("end refill")

        assert asked.text.startswith("That would change something, and I am not sure I read you right.")
        assert said.text == "It is not refilled any more."


class Desk(Process, name="desk", version=1):
    """It looks up which words are its own, and begins with them."""

    contract = "background"
    intents = (
        IntentDefinition(name="ask_desk", description="They ask the desk.", offered="active", by_words=True),
    )

    async def recognise(self, words: str, said: Turn) -> str | None:
        return "ask_desk" if words == f"desk of {said.person.email}" else None

    @step(first=True, intent="ask_desk", goes_to=("open",))
    async def begin(self, said: Turn, data: Nothing) -> Outcome:
        return Wait(say=f"The desk is open: {said.intent.tier if said.intent else ''}.", step="open")

    @step()
    async def open(self, said: Turn, data: Nothing) -> Outcome:
        return Release()


async def test_words_that_are_looked_up_begin_a_process_that_begins_with_their_intent(
    frozen: FrozenClock,
) -> None:
    async with conversation(Desk, clock=frozen) as talk:
        other = await talk.say("desk of somebody else")
        assert other.decision.owner == "free talk"

        begun = await talk.say(f"desk of {talk.person.email}")
        again = await talk.say(f"desk of {talk.person.email}")

        assert (begun.text, begun.intent) == ("The desk is open: pattern.", "ask_desk")
        assert again.text == "The desk is open: pattern."
        assert again.decision.owner == "desk"
