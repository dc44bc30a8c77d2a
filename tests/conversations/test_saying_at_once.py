"""`turn.say(…)`: words that are heard while a step still runs."""

import asyncio
import io
from datetime import timedelta

import pytest
from pydantic import BaseModel

from softrail import Ask, Done, Goto, Process, Turn, Wait, Wrong, ask, check, step
from softrail.api.decisions import shown
from softrail.cli.chatting import Talk
from softrail.cli.console import Lines
from softrail.cli.explaining import explain
from softrail.companion.wall import wall
from softrail.core.clock import now
from softrail.core.commits import Moved
from softrail.core.errors import StepFailed, Stopping
from softrail.core.outcomes import Outcome
from softrail.core.turns import Reply, Request
from softrail.plugin import Wall
from softrail.store import MemoryStore
from softrail.testing import FrozenClock, ScriptedModel, conversation


class Data(BaseModel):
    tries: int = 0


class Pay(Process, name="pay", version=1):
    """A payment."""

    starts_on = ("pay now",)

    @step(first=True, goes_to=("paying",))
    async def begins(self, said: Turn, data: Data) -> Goto:
        return Goto("paying", say="That is 20 euro.")

    @step()
    async def paying(self, said: Turn, data: Data) -> Done:
        await said.say("One moment, please.")
        return Done("It is paid.")


class Fragile(Process, name="fragile", version=1):
    """Something that fails after it has spoken."""

    starts_on = ("try it",)

    @step(asks="Shall I?", takes_anything=True)
    async def trying(self, said: Turn, data: Data) -> Done:
        await said.say("I am trying.")
        raise RuntimeError("no")


class Waits(Process, name="waits", version=1):
    """Waits for a parcel."""

    starts_on = ("track it",)

    @step(first=True)
    async def begins(self, said: Turn, data: Data) -> Wait:
        return Wait(say="I am watching.")

    @step(on="parcel")
    async def arrived(self, said: Turn, data: Data) -> Outcome:
        await said.say("There is news.")
        if said.signal is not None and said.signal.data.get("broken"):
            raise RuntimeError("no")
        return Done("The parcel is here.")


async def test_what_a_step_says_at_once_is_a_message_before_those_it_returns(frozen: FrozenClock) -> None:
    async with conversation(Pay, clock=frozen) as talk:
        said = await talk.say("pay now")

        assert said.reply.messages == ["That is 20 euro.", "One moment, please.", "It is paid."]
        assert said.text == "\n\n".join(said.reply.messages)
        assert said.at_once == ["One moment, please."]
        [noted] = said.decision.said
        assert noted.by == "Step 'paying' of process 'pay'"


def speaking_first(goes_on: asyncio.Event) -> type[Process]:
    """A process that says something at once, and waits before it is over."""

    class Slow(Process, name="slow", version=1):
        """Something slow."""

        starts_on = ("be slow",)

        @step(first=True)
        async def slow(self, said: Turn, data: Data) -> Done:
            await said.say("One moment, please.")
            await goes_on.wait()
            return Done("Over.")

    return Slow


async def test_whoever_watches_the_session_is_told_before_the_turn_is_over(frozen: FrozenClock) -> None:
    goes_on = asyncio.Event()
    async with conversation(speaking_first(goes_on), clock=frozen) as talk:
        run = talk.dispatcher.submit(Request(message="be slow"), talk.person)
        with talk.dispatcher.aloud.follow(run.session_id) as listening:
            await listening.news.wait()
            [said] = listening.take()
            stored = await talk.dispatcher.store.turn(talk.person.id, run.turn_id)

            assert (said.text, said.turn_id, said.seq) == ("One moment, please.", run.turn_id, 2)
            assert not run.finished
            assert stored is not None
            assert stored.status == "accepted"
            goes_on.set()
            assert "Over." in await run.result()


async def test_a_stream_reads_it_as_it_is_said_and_then_only_the_rest(frozen: FrozenClock) -> None:
    async with conversation(Pay, clock=frozen) as talk:
        run = talk.dispatcher.submit(Request(message="pay now"), talk.person, streaming=True)
        await run.result()

        pieces = [e.data["text"] async for e in run.log.after(0) if e.name == "text.delta"]
        assert pieces == ["That is 20 euro.\n\nOne moment, please.", "\n\nIt is paid."]


async def test_a_step_that_fails_after_it_has_spoken_has_spoken(frozen: FrozenClock) -> None:
    async with conversation(Fragile, clock=frozen) as talk:
        await talk.say("try it")

        said = await talk.say("yes")

        assert said.reply.messages == [
            "I am trying.",
            "Something went wrong on my side, and your last message was not used. Shall I?",
        ]
        assert said.step == "trying"
        assert said.at_once == ["I am trying."]


async def test_the_stored_reply_has_it_once_when_the_step_ran_twice(frozen: FrozenClock) -> None:
    class LosesOnce(MemoryStore):
        lost = 0

        async def commit(self, commits):  # type: ignore[no-untyped-def] # as the store's
            if commits[0].turn is not None and not self.lost:
                self.lost += 1
                return [Moved(revision=commits[0].session.rev + 1)]
            return await super().commit(commits)

    async with conversation(Pay, clock=frozen, store=LosesOnce()) as talk:
        run = talk.dispatcher.submit(Request(message="pay now"), talk.person, streaming=True)
        with talk.dispatcher.aloud.follow(run.session_id) as listening:
            reply = await run.result()
            told = [one.text for one in listening.take()]

        assert run.runs == 2
        assert reply.count("One moment, please.") == 2  # in companion_message and messages
        assert told == ["That is 20 euro.", "One moment, please."]
        names = [e.name async for e in run.log.after(0)]
        assert names.count("turn.superseded") == 1


async def test_what_a_signal_makes_a_step_say_is_part_of_its_item(frozen: FrozenClock) -> None:
    async with conversation(Waits, clock=frozen) as talk:
        await talk.say("track it")
        assert talk.session_id is not None
        with talk.dispatcher.aloud.follow(talk.session_id) as listening:
            said = await talk.signal("waits", "parcel")
            [told] = listening.take()

        items = await talk.dispatcher.store.items(talk.person.id, session_id=talk.session_id)
        assert items[-1].content == "There is news.\n\nThe parcel is here."
        assert told.seq == items[-1].seq
        assert said.at_once == ["There is news."]


async def test_a_signal_that_fails_after_something_was_said_does_not_end_in_silence(
    frozen: FrozenClock,
) -> None:
    async with conversation(Waits, clock=frozen) as talk:
        await talk.say("track it")

        said = await talk.signal("waits", "parcel", {"broken": True})

        assert said.reply.messages is not None
        assert said.reply.messages[0] == "There is news."
        assert len(said.reply.messages) == 2


async def test_a_timer_says_it_in_its_item_and_to_nobody_before(frozen: FrozenClock) -> None:
    class Timed(Process, name="timed", version=1):
        """A reminder."""

        starts_on = ("remind me",)

        @step(first=True, goes_to=("rings",))
        async def begins(self, said: Turn, data: Data) -> Wait:
            return Wait(say="I will.", step="rings", until=timedelta(minutes=5))

        @step()
        async def rings(self, said: Turn, data: Data) -> Done:
            await said.say("It is time.")
            return Done("Get up.")

    async with conversation(Timed, clock=frozen) as talk:
        await talk.say("remind me")
        assert talk.session_id is not None
        talk.advance(minutes=6)
        with talk.dispatcher.aloud.follow(talk.session_id) as listening:
            await talk.sweep()
            assert listening.take() == []

        said = await talk.newest_session()
        assert said.reply.messages == ["It is time.", "Get up."]


class Order(Process, name="order", version=1):
    """An order."""

    starts_on = ("order something",)
    confirm = True

    class Answers(BaseModel):
        amount: int = ask("How many?")

    @check("amount")
    async def in_stock(self, answers: "Order.Answers", turn: Turn) -> Wrong | None:
        await turn.say("I am looking in the store.")
        return Wrong("amount", "There are not so many.") if answers.amount > 9 else None

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        await turn.say("I am ordering it.")
        return Done("Ordered.")


async def test_checks_and_complete_may_say_it_too_and_a_check_that_runs_twice_says_it_once(
    frozen: FrozenClock,
) -> None:
    async with conversation(Order, clock=frozen) as talk:
        await talk.say("order something")
        refused = await talk.say("12")
        assert refused.reply.messages is not None
        assert refused.reply.messages[0] == "I am looking in the store."

        await talk.say("5")
        done = await talk.say("yes")

        assert done.reply.messages == ["I am looking in the store.", "I am ordering it.", "Ordered."]


async def test_only_what_a_step_returns_is_phrased_by_a_model(frozen: FrozenClock) -> None:
    class Polished(Process, name="polished", version=1):
        """Something polished."""

        starts_on = ("polish it",)

        @step(first=True)
        async def polishes(self, said: Turn, data: Data) -> Done:
            await said.say("One moment, please.")
            return Done("done", polish=True)

    model = ScriptedModel(["All done and shining."])
    async with conversation(Polished, clock=frozen, model=model) as talk:
        said = await talk.say("polish it")

        assert said.reply.messages == ["One moment, please.", "All done and shining."]


async def test_the_time_of_a_step_goes_on_while_it_says_something(frozen: FrozenClock) -> None:
    late: list[str] = []

    class Endless(Process, name="endless", version=1):
        """Never ends."""

        starts_on = ("go on",)

        @step(first=True, limit=timedelta(seconds=0.2))
        async def talks(self, said: Turn, data: Data) -> Done:
            await said.say("One moment, please.")
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                try:
                    await said.say("Still here.")
                except StepFailed as error:
                    late.append(error.message)
            return Done("Never.")

    async with conversation(Endless, clock=frozen) as talk:
        said = await talk.say("go on")

        assert "did not end within 0.2 s" in (said.decision.trouble or "")
        assert said.at_once == ["One moment, please."]
        assert "Still here." not in said.text
        assert [error for error in late if "after it had ended" in error]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [(7, "which is not text"), ("x" * 300_000, "at most"), ("\ud800", "what it said")],
    ids=["no text", "too long", "no character"],
)
async def test_what_cannot_be_said_fails_the_step(frozen: FrozenClock, words: object, complaint: str) -> None:
    class Odd(Process, name="odd", version=1):
        """Says odd things."""

        starts_on = ("be odd",)

        @step(first=True)
        async def odd(self, said: Turn, data: Data) -> Done:
            await said.say(words)  # type: ignore[arg-type] # on purpose
            return Done("Never.")

    async with conversation(Odd, clock=frozen) as talk:
        said = await talk.say("be odd")

        assert complaint in (said.decision.trouble or "")
        assert said.decision.said == []


async def test_a_step_that_does_not_stop_saying_things_fails(frozen: FrozenClock) -> None:
    class Chatty(Process, name="chatty", version=1):
        """Talks and talks."""

        starts_on = ("talk",)

        @step(first=True)
        async def talks(self, said: Turn, data: Data) -> Done:
            for n in range(21):
                await said.say(f"{n}")
            return Done("Never.")

    async with conversation(Chatty, clock=frozen) as talk:
        said = await talk.say("talk")

        assert "more than 20 messages at once" in (said.decision.trouble or "")
        assert len(said.at_once) == 20


async def test_blank_words_are_not_said(frozen: FrozenClock) -> None:
    class Blank(Process, name="blank", version=1):
        """Says nothing much."""

        starts_on = ("be blank",)

        @step(first=True)
        async def blank(self, said: Turn, data: Data) -> Ask:
            await said.say("  ")
            return Ask("Well?", step="blank")

    async with conversation(Blank, clock=frozen) as talk:
        said = await talk.say("be blank")

        assert said.reply.messages is None


async def test_a_reader_and_a_handler_cannot_say_anything_at_once(frozen: FrozenClock) -> None:
    async def reads(words: str, turn: Turn) -> str:
        await turn.say("I am reading.")
        return words

    class Reads(Process, name="reads", version=1):
        """Reads."""

        starts_on = ("read it",)
        confirm = False

        class Answers(BaseModel):
            word: str = ask("Which?", read=reads)

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done("Read.")

    async with conversation(Reads, clock=frozen) as talk:
        await talk.say("read it")
        said = await talk.say("this")

        assert "which only steps, checks, summary() and complete() do" in (said.decision.trouble or "")
        turn = Turn(id="t", session_id="s", seq=1, person=talk.person, message="", at=now())
        with pytest.raises(StepFailed, match=r"turn.say\(…\) was called where no process plays"):
            await turn.say("Hello.")


async def test_a_script_checks_what_was_said_at_once(frozen: FrozenClock) -> None:
    async with conversation(Pay, Waits, clock=frozen) as talk:
        await talk.play(
            """
            person: pay now
            at once: One moment, please.
            us: That is 20 euro. One moment, please. It is paid.
            person: track it
            at once: none
            """
        )


async def test_why_tells_what_was_said_at_once_by_whom_and_when(frozen: FrozenClock) -> None:
    async with conversation(Pay, clock=frozen) as talk:
        said = await talk.say("pay now")
        row = await talk.dispatcher.store.turn(talk.person.id, said.reply.turn_id)
        assert row is not None

        lines = explain(row, said.decision)

        at = lines.index("Said at once:")
        assert lines[at + 1].endswith(" ms  “One moment, please.”, by Step 'paying' of process 'pay'")
        assert shown(said.decision.to_json())["said"] == [{"message": 1}]


async def test_words_beside_a_hidden_answer_are_not_told(frozen: FrozenClock) -> None:
    class Pin(Process, name="pin", version=1):
        """Takes a PIN."""

        starts_on = ("take my pin",)
        confirm = False

        class Answers(BaseModel):
            pin: str = ask("Your PIN?", shown=False)

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            await turn.say(f"I am trying {answers.pin}.")
            return Done("It fits.")

    async with conversation(Pin, clock=frozen) as talk:
        await talk.say("take my pin")
        said = await talk.say("Rumpel4711")
        row = await talk.dispatcher.store.turn(talk.person.id, said.reply.turn_id)
        assert row is not None

        assert "Rumpel4711" not in "\n".join(explain(row, said.decision))
        assert "Rumpel4711" not in said.decision.to_json()


async def test_a_wall_stands_before_what_is_said_at_once_but_not_before_the_persons_own_words(
    frozen: FrozenClock,
) -> None:
    class Echo(Process, name="echo", version=1):
        """Says it again."""

        starts_on = ("echo",)

        @step(asks="What?", takes_anything=True)
        async def echoes(self, said: Turn, data: Data) -> Done:
            await said.say(f"The engagement: {said.message}")
            return Done("Over.")

    async with conversation(Echo, clock=frozen, services={Wall: wall()}) as talk:
        await talk.say("echo")
        kept = await talk.say("something else entirely")
        assert kept.at_once == ["The project: something else entirely"]
        assert kept.decision.caught == ["engagement"]

        await talk.say("echo")
        quoted = await talk.say("my engagement party")
        assert quoted.at_once == ["The engagement: my engagement party"]


async def test_the_terminal_shows_it_at_once_and_then_only_the_rest(frozen: FrozenClock) -> None:
    out = io.StringIO()
    async with conversation(Pay, clock=frozen) as talk:
        lines = Lines(io.StringIO("pay now\n"), out)
        await Talk(talk.dispatcher, talk.person, Request(message="-"), lines).run()

    assert out.getvalue() == "That is 20 euro.\nOne moment, please.\nIt is paid.\n"


async def test_a_program_that_reads_the_terminal_gets_the_reply_alone(frozen: FrozenClock) -> None:
    out = io.StringIO()
    async with conversation(Pay, clock=frozen) as talk:
        lines = Lines(io.StringIO("pay now\n"), out, as_json=True)
        await Talk(talk.dispatcher, talk.person, Request(message="-"), lines).run()

    assert len(out.getvalue().splitlines()) == 1


async def test_a_turn_whose_worker_is_gone_says_it_again_and_has_it_once(frozen: FrozenClock) -> None:
    goes_on, store = asyncio.Event(), MemoryStore()
    slow = speaking_first(goes_on)
    request = Request(message="be slow", turn_id="t1")
    async with conversation(slow, clock=frozen, store=store) as first:
        run = first.dispatcher.submit(request, first.person)
        with first.dispatcher.aloud.follow(run.session_id) as listening:
            await listening.news.wait()
            await first.dispatcher.stop(grace=0)
            with pytest.raises(Stopping):
                await run.result()

            goes_on.set()
            async with conversation(slow, clock=frozen, store=store) as second:
                again = second.dispatcher.submit(request, first.person)
                with second.dispatcher.aloud.follow(run.session_id) as other:
                    reply = Reply.model_validate_json(await again.result())
                    told = [said.text for said in other.take()]

    assert told == ["One moment, please."]
    assert reply.messages == ["One moment, please.", "Over."]
