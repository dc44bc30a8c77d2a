"""Another person does a part: they are asked, never disturbed, and what comes of it goes to whoever asked."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

import pytest
from pydantic import BaseModel

from softrail import Ask, Assign, Done, Process, Signal, Turn, ask, step
from softrail.core.commits import CommitResult, TurnCommit
from softrail.core.errors import NotFound, UnknownSignal
from softrail.core.outcomes import Outcome
from softrail.testing import Conversation, FrozenClock, MemoryStore, conversation

BOSS, DEPUTY, SAM = "boss@example.org", "deputy@example.org", "sam@example.org"


class Approval(Process, name="approve_leave"):
    """Days off for somebody."""

    title = "the approval of a leave"
    idle_timeout = timedelta(minutes=10)
    retention = timedelta(days=30)

    class Answers(BaseModel):
        who: str = ask("Who is it for?")
        days: int = ask("How many days?")
        yes: bool = ask("Do you agree?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.", value={"yes": answers.yes, "days": answers.days})


class Wish(BaseModel):
    heard: list[str] = []


class Leave(Process, name="leave"):
    """Days off."""

    title = "the leave"
    starts_on = ("I need a day off",)
    to, until = BOSS, timedelta(days=1)
    substitute: str | None = None

    @step(asks="How many days?", goes_to=("decided",))
    async def days(self, said: Turn, data: Wish) -> Outcome:
        return Assign(
            "approve_leave",
            to=self.to,
            prefill={"who": "Sam", "days": int(said.message)},
            then="decided",
            until=self.until,
            substitute=self.substitute,
            say="I have asked.",
        )

    @step(goes_to=("thanks",))
    async def decided(self, said: Turn, data: Wish) -> Outcome:
        assert said.result is not None
        heard = f"{said.origin}: {said.result.left or said.result.value}"
        return Ask(f"I heard {heard}. All right?", step="thanks", data=Wish(heard=[*data.heard, heard]))

    @step()
    async def thanks(self, said: Turn, data: Wish) -> Outcome:
        return Done(f"Heard {data.heard}.")


class Survey(Process, name="survey"):
    """Something else that holds a session."""

    starts_on = ("start the survey",)

    class Answers(BaseModel):
        colour: str = ask("Which colour?")
        animal: str = ask("Which animal?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Thank you.")


ALL: Sequence[type[Process]] = (Leave, Approval, Survey)
DONE = "{'yes': True, 'days': 3}"


async def known(talk: Conversation, *people: str) -> None:
    """Have these people been here before, and come back to who talks."""
    asks = talk.person.email
    for email in people:
        await talk.become(email)
        await talk.say("hello")
    await talk.become(asks)


async def asked(talk: Conversation) -> None:
    """Sam asks for three days, and the boss is told."""
    await talk.say("I need a day off")
    assert (await talk.say("3")).text == "I have asked."
    await talk.sweep()


async def approve(talk: Conversation) -> None:
    """The boss, in the session in which they were asked."""
    assert (await talk.say("yes")).text.endswith("Do you agree?")
    await talk.say("yes")
    assert (await talk.say("yes")).state == "completed"
    await talk.sweep()


async def test_another_person_is_asked_and_what_they_decide_comes_back(frozen: FrozenClock) -> None:
    async with conversation(*ALL, clock=frozen) as talk:
        await known(talk, BOSS)
        await asked(talk)

        await talk.become(BOSS)
        told = await talk.newest_session()
        assert told.text == "sam@example.org asks you for the approval of a leave. Shall we do it now?"
        assert (told.pending, told.process, told.state) == ("offer", "approve_leave", "offered")
        await approve(talk)

        await talk.become(SAM)
        heard = await talk.newest_session()
        assert heard.text == f"I heard signal: {DONE}. All right?"
        assert (heard.process, heard.step) == ("leave", "thanks")
        assert (await talk.say("yes")).text.startswith("Heard")


async def test_nobody_of_that_address_is_told_and_nobody_is_made(frozen: FrozenClock) -> None:
    async with conversation(*ALL, clock=frozen) as talk:
        await asked(talk)

        assert (await talk.newest_session()).text == "I heard signal: nobody. All right?"
        assert await talk.dispatcher.store.person_by_email(BOSS) is None


async def test_what_holds_their_session_is_not_disturbed_and_the_part_is_offered_after_it(
    frozen: FrozenClock,
) -> None:
    async with conversation(*ALL, clock=frozen) as talk:
        await talk.become(BOSS)
        await talk.say("start the survey")
        session = talk.session_id
        await talk.become(SAM)
        await asked(talk)

        await talk.become(BOSS)
        [part] = await talk.dispatcher.asked_of(talk.person)
        assert (str(part.state), part.session_id) == ("offered", session)
        talk.session_id = session
        assert "asks you" not in (await talk.say("blue")).text
        await talk.say("heron")
        last = await talk.say("yes")

        assert last.text.startswith("Thank you.")
        assert last.text.endswith("Shall we do it now?")
        await approve(talk)
        await talk.become(SAM)
        assert DONE in (await talk.newest_session()).text


async def test_a_part_that_was_not_taken_up_comes_back_with_a_greeting_and_by_name(
    frozen: FrozenClock,
) -> None:
    async with conversation(*ALL, clock=frozen) as talk:
        await known(talk, BOSS)
        await asked(talk)
        await talk.become(BOSS)
        await talk.newest_session()

        assert "asks you" not in (await talk.say("tell me a joke")).text
        assert "asks you" not in (await talk.say("tell me another one")).text
        talk.new_session()
        assert (await talk.say("hello")).text.endswith("Shall we do it now?")
        assert (await talk.say("not now")).text.startswith("All right, it stays open.")
        talk.new_session()
        assert (await talk.say("approve leave")).text.endswith("Do you agree?")
        await talk.say("yes")
        await talk.say("yes")
        await talk.sweep()

        await talk.become(SAM)
        assert DONE in (await talk.newest_session()).text


async def test_two_people_may_ask_for_the_same_and_both_are_answered(frozen: FrozenClock) -> None:
    async with conversation(*ALL, clock=frozen) as talk:
        await known(talk, BOSS)
        await asked(talk)
        await talk.become("robin@example.org")
        await asked(talk)

        await talk.become(BOSS)
        assert "sam@" in (await talk.newest_session()).text
        assert len(await talk.dispatcher.asked_of(talk.person)) == 2
        await talk.say("yes")
        await talk.say("yes")
        done = await talk.say("yes")
        assert done.text.startswith("Noted.")
        assert "robin@example.org asks you" in done.text
        await approve(talk)

        for email in (SAM, "robin@example.org"):
            await talk.become(email)
            assert DONE in (await talk.newest_session()).text


async def test_what_they_decline_is_told_and_not_taken_back(frozen: FrozenClock) -> None:
    async with conversation(*ALL, clock=frozen) as talk:
        await known(talk, BOSS)
        await asked(talk)
        await talk.become(BOSS)
        await talk.newest_session()

        no = await talk.say("Decline")
        assert no.text == "All right. sam@example.org will hear that you decline."
        assert no.effects == ["assignment_result"]
        assert "Taken back" not in (await talk.say("undo")).text
        await talk.sweep()

        await talk.become(SAM)
        assert (await talk.newest_session()).text == "I heard signal: decline. All right?"


async def test_pausing_is_no_answer_and_it_stays_theirs(frozen: FrozenClock) -> None:
    async with conversation(*ALL, clock=frozen) as talk:
        await known(talk, BOSS)
        await asked(talk)
        await talk.become(BOSS)
        await talk.newest_session()
        await talk.say("yes")

        assert (await talk.say("stop")).state == "suspended"
        await talk.sweep()
        assert [str(i.state) for i in await talk.dispatcher.asked_of(talk.person)] == ["suspended"]
        talk.new_session()
        assert (await talk.say("approve leave")).text.endswith("Do you agree?")
        talk.advance(minutes=11)
        await talk.sweep()
        assert [str(i.state) for i in await talk.dispatcher.asked_of(talk.person)] == ["suspended"]
        await talk.say("yes")
        await talk.say("yes")
        await talk.sweep()

        await talk.become(SAM)
        assert DONE in (await talk.newest_session()).text


@pytest.mark.parametrize(
    ("late", "left"), [(0, False), (1, True)], ids=["at its time", "a microsecond later"]
)
async def test_when_its_time_is_over_the_step_is_told(frozen: FrozenClock, late: int, left: bool) -> None:
    async with conversation(*ALL, clock=frozen) as talk:
        await known(talk, BOSS)
        await talk.say("I need a day off")
        await talk.say("3")
        await talk.sweep()
        talk.advance(days=1, microseconds=late)
        await talk.sweep()

        assert ("timeout" in (await talk.newest_session()).text) is left


async def test_the_first_one_is_told_when_they_look_and_nothing_of_theirs_is_disturbed(
    frozen: FrozenClock,
) -> None:
    async with conversation(*ALL, clock=frozen) as talk:
        await known(talk, BOSS)
        await asked(talk)
        await talk.become(BOSS)
        told = await talk.newest_session()
        talk.advance(days=1, seconds=1)
        await talk.sweep()

        assert await talk.dispatcher.asked_of(talk.person) == []
        assert (await talk.newest_session()).reply.seq == told.reply.seq, "nothing is said by itself"
        void = await talk.say("yes")

        assert void.text.startswith("sam@example.org does not need you for the approval of a leave any more.")
        await talk.sweep()
        await talk.become(SAM)
        assert (await talk.newest_session()).text == "I heard timer: timeout. All right?"


class WithDeputy(Leave, name="leave"):
    """Somebody else decides when the first does not."""

    starts_on = ("I need a day off",)
    substitute = DEPUTY


async def test_a_substitute_has_as_long_as_the_first_had(frozen: FrozenClock) -> None:
    async with conversation(WithDeputy, Approval, clock=frozen) as talk:
        await known(talk, BOSS, DEPUTY)
        await asked(talk)
        talk.advance(days=1, seconds=1)
        await talk.sweep()
        assert "somebody else" in (await talk.newest_session()).text
        await talk.become(DEPUTY)
        assert "asks you" in (await talk.newest_session()).text
        await talk.become(BOSS)
        assert await talk.dispatcher.asked_of(talk.person) == []

        talk.advance(hours=23)
        await talk.sweep()
        await talk.become(DEPUTY)
        await talk.newest_session()
        await approve(talk)

        await talk.become(SAM)
        assert DONE in (await talk.newest_session()).text


async def test_a_substitute_who_does_not_answer_either_is_the_end_of_it(frozen: FrozenClock) -> None:
    async with conversation(WithDeputy, Approval, clock=frozen) as talk:
        await known(talk, BOSS, DEPUTY)
        await asked(talk)
        for _ in range(2):
            talk.advance(days=1, seconds=1)
            await talk.sweep()

        assert (await talk.newest_session()).text == "I heard timer: timeout. All right?"


async def test_a_first_one_who_was_never_here_is_not_waited_for(frozen: FrozenClock) -> None:
    async with conversation(WithDeputy, Approval, clock=frozen) as talk:
        await known(talk, DEPUTY)
        await asked(talk)
        await talk.become(DEPUTY)
        await talk.newest_session()
        await approve(talk)

        await talk.become(SAM)
        assert DONE in (await talk.newest_session()).text


async def test_what_was_decided_in_time_counts_though_the_news_of_it_is_late(frozen: FrozenClock) -> None:
    async with conversation(*ALL, clock=frozen) as talk:
        await known(talk, BOSS)
        await asked(talk)
        await talk.become(BOSS)
        await talk.newest_session()
        for _ in range(3):
            await talk.say("yes")
        talk.advance(days=2)
        await talk.sweep()

        await talk.become(SAM)
        assert DONE in (await talk.newest_session()).text


async def test_a_caller_that_is_held_up_is_asked_afterwards(frozen: FrozenClock) -> None:
    async with conversation(*ALL, clock=frozen) as talk:
        await known(talk, BOSS)
        await asked(talk)
        await talk.newest_session()
        await talk.say("start the survey")
        session = talk.session_id
        await talk.become(BOSS)
        await talk.newest_session()
        await approve(talk)

        await talk.become(SAM)
        talk.session_id = session
        assert (await talk.say("blue")).text.endswith("Which animal?")
        await talk.say("heron")
        assert DONE in (await talk.say("yes")).text


class Stormy(Leave, name="leave"):
    """Has a step that cannot work."""

    starts_on = ("I need a day off",)

    @step(on="storm")
    async def storm(self, said: Turn, data: Wish) -> Outcome:
        raise ValueError("no roof")


async def test_a_caller_that_is_paused_hears_of_it_when_it_goes_on(frozen: FrozenClock) -> None:
    async with conversation(Stormy, Approval, clock=frozen) as talk:
        await known(talk, BOSS)
        await asked(talk)
        for _ in range(3):
            left = await talk.signal("leave", "storm")
        assert left.state == "suspended"
        session = talk.session_id
        await talk.become(BOSS)
        assert "asks you" in (await talk.newest_session()).text
        await approve(talk)

        await talk.become(SAM)
        talk.session_id = session
        assert DONE in (await talk.say("resume the leave")).text


async def test_a_caller_that_has_ended_withdraws_what_it_asked_for(frozen: FrozenClock) -> None:
    async with conversation(*ALL, clock=frozen) as talk:
        await known(talk, BOSS)
        await asked(talk)
        [caller] = await talk.dispatcher.store.past(talk.person.id, "leave")
        await talk.become(BOSS)
        await talk.newest_session()
        await talk.say("yes")
        session = talk.session_id
        await talk.become(SAM)
        talk.session_id = caller.session_id
        await talk.say("forget about the leave")
        [caller] = await talk.dispatcher.store.past(talk.person.id, "leave")
        assert str(caller.state) == "abandoned"

        await talk.become(BOSS)
        talk.session_id = session
        assert "does not need you" in (await talk.say("yes")).text
        assert await talk.dispatcher.asked_of(talk.person) == []


async def test_whoever_asks_cannot_answer_for_the_other_by_a_signal(frozen: FrozenClock) -> None:
    async with conversation(*ALL, clock=frozen) as talk:
        await known(talk, BOSS)
        await asked(talk)
        [caller] = await talk.dispatcher.store.past(talk.person.id, "leave")
        sam, dispatcher = talk.person, talk.dispatcher

        for name in ("approved", "decided", "delivered", "assignment_result"):
            with pytest.raises(UnknownSignal):
                await dispatcher.signal(caller.id, Signal(name, "k1"), person=sam)
        await talk.become(BOSS)
        [part] = await dispatcher.asked_of(talk.person)
        with pytest.raises(NotFound):
            await dispatcher.signal(part.id, Signal("x", "k3"), person=sam)
        with pytest.raises(NotFound):
            await dispatcher.signal(caller.id, Signal("x", "k4"), person=talk.person)

        assert [i.step for i in await dispatcher.store.past(sam.id, "leave")] == ["decided"]
        assert (await dispatcher.store.instance(caller.id)).memo.assigned is not None  # type: ignore[union-attr] # it is there


class Between(MemoryStore):
    """Lets something happen right before the next commit."""

    before: Callable[[], Awaitable[object]] | None = None

    async def commit(self, commits: Sequence[TurnCommit]) -> Sequence[CommitResult]:
        happens, self.before = self.before, None
        if happens is not None:
            await happens()
        return await super().commit(commits)


class Hasty(Leave, name="leave"):
    """Waits for five minutes."""

    starts_on = ("I need a day off",)
    until = timedelta(minutes=5)


async def test_of_a_timeout_and_a_completion_at_the_same_moment_one_counts(frozen: FrozenClock) -> None:
    store = Between()
    async with conversation(Hasty, Approval, clock=frozen, store=store) as talk:
        await known(talk, BOSS)
        await asked(talk)
        await talk.become(BOSS)
        await talk.newest_session()
        await talk.say("yes")
        await talk.say("yes")
        boss = Conversation(talk.dispatcher, talk.person, talk.clock)
        boss.session_id = talk.session_id
        talk.advance(minutes=5, seconds=1)
        store.before = lambda: boss.say("yes")
        await talk.sweep()

        assert (await boss.newest_session()).text == "Noted."
        await talk.become(SAM)
        assert DONE in (await talk.newest_session()).text


async def test_a_paused_part_that_is_not_kept_any_longer_is_left(frozen: FrozenClock) -> None:
    class Patient(Leave, name="leave"):
        starts_on = ("I need a day off",)
        until = timedelta(days=365)

    async with conversation(Patient, Approval, clock=frozen) as talk:
        await known(talk, BOSS)
        await asked(talk)
        await talk.become(BOSS)
        await talk.newest_session()
        await talk.say("yes")
        await talk.say("stop")
        talk.advance(days=31)
        assert (await talk.sweep()).expired == 1

        await talk.become(SAM)
        assert (await talk.newest_session()).text == "I heard signal: expire. All right?"


class Moody(Leave, name="leave"):
    """Its step fails at first."""

    starts_on = ("I need a day off",)
    fails = 1

    @step(goes_to=("thanks",))
    async def decided(self, said: Turn, data: Wish) -> Outcome:
        type(self).fails -= 1
        if type(self).fails >= 0:
            raise ValueError("not today")
        return await Leave.decided(self, said, data)


async def test_a_step_that_fails_is_told_again(frozen: FrozenClock) -> None:
    async with conversation(Moody, Approval, clock=frozen) as talk:
        await known(talk, BOSS)
        await asked(talk)
        await talk.become(BOSS)
        await talk.newest_session()
        await approve(talk)
        talk.advance(minutes=2)
        await talk.sweep()

        await talk.become(SAM)
        assert (await talk.newest_session()).text == f"I heard timer: {DONE}. All right?"


@pytest.mark.parametrize("whole", [True, False], ids=["the person", "the session"])
async def test_erasing_whoever_asked_leaves_the_other_with_a_sentence(
    frozen: FrozenClock, whole: bool
) -> None:
    async with conversation(*ALL, clock=frozen) as talk:
        await known(talk, BOSS)
        await asked(talk)
        [caller] = await talk.dispatcher.store.past(talk.person.id, "leave")
        sam = talk.person.id
        await talk.become(BOSS)
        await talk.newest_session()
        await talk.say("yes")
        if whole:
            await talk.dispatcher.store.delete_person(sam)
        else:
            await talk.dispatcher.store.delete_session(sam, caller.session_id)

        said = await talk.say("yes")

        assert "does not need you" in said.text
        assert await talk.dispatcher.asked_of(talk.person) == []
        assert (await talk.say("start the survey")).text == "Which colour?"


async def test_erasing_whoever_is_asked_is_told_to_the_step(frozen: FrozenClock) -> None:
    async with conversation(*ALL, clock=frozen) as talk:
        await known(talk, BOSS)
        await asked(talk)
        boss = await talk.dispatcher.store.person_by_email(BOSS)
        assert boss is not None
        await talk.dispatcher.store.delete_person(boss.id)
        await talk.sweep()

        assert (await talk.newest_session()).text == "I heard signal: gone. All right?"


async def test_what_was_decided_before_the_erasure_still_arrives(frozen: FrozenClock) -> None:
    async with conversation(*ALL, clock=frozen) as talk:
        await known(talk, BOSS)
        await asked(talk)
        await talk.become(BOSS)
        await talk.newest_session()
        for _ in range(3):
            await talk.say("yes")
        await talk.dispatcher.store.delete_person(talk.person.id)
        await talk.sweep()

        await talk.become(SAM)
        assert DONE in (await talk.newest_session()).text


async def test_erasing_only_the_session_asks_the_person_again_elsewhere(frozen: FrozenClock) -> None:
    async with conversation(*ALL, clock=frozen) as talk:
        await known(talk, BOSS)
        await asked(talk)
        await talk.become(BOSS)
        told = await talk.newest_session()
        await talk.dispatcher.store.delete_session(talk.person.id, told.reply.session_id)
        assert await talk.dispatcher.asked_of(talk.person) == []
        await talk.sweep()

        assert "asks you" in (await talk.newest_session()).text
        await approve(talk)
        await talk.become(SAM)
        assert DONE in (await talk.newest_session()).text


@pytest.mark.parametrize(
    ("outcome", "fault"),
    [
        (Assign("approve_leave", to="the boss", then="decided"), "no e-mail address"),
        (Assign("approve_leave", to=BOSS, substitute="x", then="decided"), "substitute='x'"),
        (Assign("approve_leave", to=BOSS, prefill={"x": object()}, then="decided"), "kept as JSON"),
        (Assign("approve_leave", to=BOSS, prefill={"x": "y" * 70000}, then="decided"), "at most 65536"),
        (Assign("approve_leave", to=BOSS, then="decided", until=timedelta(0)), "waits until"),
        (Assign("approve_leave", to=BOSS, then="nowhere"), "nowhere"),
        (Assign("nothing", to=BOSS, then="decided"), "not registered"),
    ],
    ids=["to", "substitute", "prefill", "size", "until", "then", "process"],
)
async def test_what_cannot_be_assigned_is_said_and_nothing_is_lost(
    frozen: FrozenClock, outcome: Assign, fault: str
) -> None:
    class Wrong(Process, name="wrong"):
        starts_on = ("go wrong",)

        @step(asks="Well?", goes_to=("decided",))
        async def well(self, said: Turn, data: Wish) -> Outcome:
            return outcome

        @step()
        async def decided(self, said: Turn, data: Wish) -> Outcome:
            return Done("Never.")

    async with conversation(Wrong, Approval, clock=frozen) as talk:
        await talk.say("go wrong")
        said = await talk.say("x")

        assert fault in (said.decision.trouble or "")
        assert said.effects == []
        assert (said.process, said.state, said.step) == ("wrong", "active", "well")


async def test_parts_within_parts_are_asked_up_to_five_deep(frozen: FrozenClock) -> None:
    class Again(Process, name="again"):
        starts_on = ("pass it on",)

        @step(goes_to=("end",))
        async def begin(self, said: Turn, data: Wish) -> Outcome:
            return Assign("again", to=SAM, then="end")

        @step()
        async def end(self, said: Turn, data: Wish) -> Outcome:
            return Done("Back again.")

    async with conversation(Again, clock=frozen) as talk:
        said = await talk.say("pass it on")
        for _ in range(5):
            assert said.effects == ["assignment"]
            await talk.sweep()
            assert "asks you" in (await talk.newest_session()).text
            said = await talk.say("yes")

        assert "more than 5 persons deep" in (said.decision.trouble or "")
        assert said.effects == []
