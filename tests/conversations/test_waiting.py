"""Processes that wait for something outside, and hear of it in the order of their session."""

import pytest

from softrail import Done, Effect, Process, Signal, Turn, Wait, step
from softrail.core.effects import OutboxItem
from softrail.core.errors import BadRequest, NotFound, TurnReused, UnknownSignal
from softrail.core.outcomes import Outcome
from softrail.core.turns import Reply
from softrail.testing import Conversation, FrozenClock, conversation
from tests.conversations.kinds import Booking, Paid, Survey


async def booked(talk: Conversation) -> str:
    await talk.say("book a table")
    await talk.say("Robin")
    said = await talk.say("yes")
    assert said.text == "I am waiting for your deposit."
    assert said.reply.process is not None
    return said.reply.process.instance_id


async def tell(
    talk: Conversation, instance: str, name: str = "payment", key: str = "p1", **data: object
) -> Reply:
    return Reply.model_validate_json(await talk.dispatcher.signal(instance, Signal(name, key, data)))


async def test_a_signal_runs_its_step_and_its_question_is_the_open_one(frozen: FrozenClock) -> None:
    async with conversation(Booking, clock=frozen) as talk:
        instance = await booked(talk)

        told = await tell(talk, instance, amount=20)

        assert told.companion_message == "Your deposit of 20 is here. Window or wall?"
        assert told.pending is not None
        assert (await talk.say("window")).text == "A table at the window, 20 paid, told nothing."


async def test_while_it_waits_the_session_is_free(frozen: FrozenClock) -> None:
    async with conversation(Booking, Survey, clock=frozen) as talk:
        await booked(talk)

        said = await talk.say("start the survey")

        assert said.text == "Which colour?"


async def test_when_its_time_is_over_the_step_runs_as_if_by_a_clock(frozen: FrozenClock) -> None:
    async with conversation(Booking, clock=frozen) as talk:
        instance = await booked(talk)
        talk.advance(hours=1, seconds=1)

        await talk.sweep()

        assert (await talk.dispatcher.store.items(talk.person.id, session_id=talk.session_id))[
            -1
        ].content == ("No deposit came, so the table is free again.")
        late = await tell(talk, instance, amount=20)
        assert late.companion_message == ""


async def test_the_same_key_is_the_same_signal_and_other_data_under_it_are_refused(
    frozen: FrozenClock,
) -> None:
    async with conversation(Booking, clock=frozen) as talk:
        instance = await booked(talk)

        first = await tell(talk, instance, amount=20)

        assert await tell(talk, instance, amount=20) == first
        with pytest.raises(TurnReused, match="came before with other data"):
            await tell(talk, instance, amount=21)


async def test_what_no_step_takes_is_refused_and_the_names_are_told(frozen: FrozenClock) -> None:
    async with conversation(Booking, clock=frozen) as talk:
        instance = await booked(talk)

        with pytest.raises(UnknownSignal, match="It takes: payment, weather"):
            await tell(talk, instance, "pigeon")
        with pytest.raises(NotFound):
            await tell(talk, "no such instance")
        with pytest.raises(BadRequest, match="is not JSON"):
            await tell(talk, instance, amount=float("nan"))


async def test_a_question_raised_while_another_process_holds_is_asked_when_that_is_over(
    frozen: FrozenClock,
) -> None:
    async with conversation(Booking, Survey, clock=frozen) as talk:
        instance = await booked(talk)
        await talk.say("start the survey")

        told = await tell(talk, instance, amount=20)

        assert told.companion_message == ""
        assert (await talk.say("blue")).text.endswith("Which animal?")
        assert (await talk.say("a heron")).text.endswith(
            "Thank you.\n\nYour deposit of 20 is here. Window or wall?"
        )
        assert (await talk.say("wall")).text == "A table at the wall, 20 paid, told nothing."


async def test_a_step_that_releases_a_signal_leaves_the_open_question_as_it_is(frozen: FrozenClock) -> None:
    async with conversation(Booking, clock=frozen) as talk:
        instance = await booked(talk)
        await tell(talk, instance, amount=20)

        told = await tell(talk, instance, "weather", "w1")

        assert told.companion_message == "It will rain."
        assert told.pending is not None
        assert told.pending.prompt == "Your deposit of 20 is here. Window or wall?"
        assert (await talk.say("window")).text == "A table at the window, 20 paid, told w1."


async def test_what_happens_while_it_is_paused_is_told_when_it_goes_on(frozen: FrozenClock) -> None:
    async with conversation(Booking, clock=frozen) as talk:
        instance = await booked(talk)
        await tell(talk, instance, amount=20)
        await talk.say("stop")

        assert (await tell(talk, instance, "weather", "w1")).companion_message == ""
        said = await talk.say("resume")

        assert "Back to the booking.\n\nIt will rain." in said.text
        assert said.text.endswith("Window or wall?")
        assert (await talk.say("window")).text == "A table at the window, 20 paid, told w1."


class Flaky(Process, name="flaky"):
    """Its step fails as often as it is told to."""

    starts_on = ("be flaky",)
    failures = 3

    @step(goes_to=("wait",))
    async def begin(self, said: Turn, data: Paid) -> Wait:
        return Wait(say="Waiting.", step="wait")

    @step()
    async def wait(self, said: Turn, data: Paid) -> Outcome:
        assert said.signal is not None
        if Flaky.failures:
            Flaky.failures -= 1
            raise RuntimeError("out of order")
        data = data.model_copy(update={"told": [*data.told, said.signal.key]})
        return Done(f"Told {data.told}.") if len(data.told) == 3 else Wait(data=data)


async def test_signals_whose_step_fails_are_kept_in_order_and_told_again(frozen: FrozenClock) -> None:
    Flaky.failures = 3
    async with conversation(Flaky, clock=frozen) as talk:
        instance = (await talk.say("be flaky")).reply.process
        assert instance is not None
        for key in ("one", "two"):
            assert (await tell(talk, instance.instance_id, "news", key)).companion_message == ""
        gave_up = await tell(talk, instance.instance_id, "news", "three")

        assert "I've paused it" in gave_up.companion_message
        assert "Told ['one', 'two', 'three']." in (await talk.say("resume")).text


async def test_a_signal_is_no_item_where_nothing_is_said_and_one_item_where_something_is(
    frozen: FrozenClock,
) -> None:
    async with conversation(Booking, Survey, clock=frozen) as talk:
        instance = await booked(talk)
        await talk.say("start the survey")
        await tell(talk, instance, amount=20)
        await tell(talk, instance, "weather", "w1")
        store = talk.dispatcher.store

        items = await store.items(talk.person.id, session_id=talk.session_id)

        assert [i.content for i in items[-2:]] == ["Which colour?", "It will rain."]
        assert [i.role for i in items[-2:]] == ["companion", "companion"]
        assert [i.seq for i in items[-2:]] == [8, 10]


class Sending(Process, name="sending"):
    """Sends a letter, and wants to know what becomes of it."""

    starts_on = ("send a letter",)

    @step(goes_to=("sent",))
    async def begin(self, said: Turn, data: Paid) -> Wait:
        letter = Effect(kind="letter", summary="Letter on its way", after_commit=True)
        return Wait(say="It is on its way.", step="sent", effects=[letter])

    @step(on=("delivered", "failed"))
    async def sent(self, said: Turn, data: Paid) -> Outcome:
        assert said.signal is not None
        return Done(f"Your {said.signal.data['kind']} was {said.signal.name}.")


class Post:
    """Delivers, or does not."""

    def __init__(self, *, works: bool) -> None:
        self.works = works
        self.tries = 0

    async def __call__(self, item: OutboxItem) -> None:
        self.tries += 1
        if not self.works:
            raise ValueError("no stamps")


@pytest.mark.parametrize("works", [True, False], ids=["delivered", "set aside"])
async def test_what_becomes_of_an_effect_is_told_to_the_process_that_made_it(
    works: bool, frozen: FrozenClock
) -> None:
    post = Post(works=works)
    async with conversation(Sending, clock=frozen, deliverers={"letter": post}) as talk:
        await talk.say("send a letter")
        for _ in range(6):
            await talk.sweep()
            talk.advance(hours=2)

        items = await talk.dispatcher.store.items(talk.person.id, session_id=talk.session_id)

        assert items[-1].content == f"Your letter was {'delivered' if works else 'failed'}."
        assert post.tries == (1 if works else 5)
