"""A process lets another one do a part, and goes on with what comes of it."""

from datetime import date, timedelta
from typing import Any
from uuid import UUID

import pytest
from pydantic import BaseModel

from softrail import Ask, Call, Done, Process, Record, Release, Signal, Turn, Wait, ask, step
from softrail.core.outcomes import Outcome
from softrail.core.turns import Reply
from softrail.store import MemoryStore
from softrail.testing import Conversation, FrozenClock, conversation
from tests.conversations.kinds_that_call import AddContact, Sum, Transfer


async def test_what_comes_of_a_call_reaches_the_step_that_waits_for_it(frozen: FrozenClock) -> None:
    async with conversation(Transfer, AddContact, clock=frozen) as talk:
        await talk.say("send money")

        assert (await talk.say("new")).text == "Then I need to know them.\n\nWhat is their name?"
        await talk.say("Robin")
        said = await talk.say("12345")

        assert said.text.endswith("Robin is in your contacts.\n\nHow much for Robin?")
        assert (said.process, said.step) == ("transfer", "amount")
        assert (await talk.say("20")).text == "20 for Robin. Heard: []."


async def test_leaving_what_was_called_returns_and_leaving_again_leaves_both(frozen: FrozenClock) -> None:
    async with conversation(Transfer, AddContact, clock=frozen) as talk:
        await talk.say("send money")
        await talk.say("new")

        left = await talk.say("stop")

        assert left.text.endswith("Who gets it, then?")
        assert (left.process, left.step) == ("transfer", "who")
        again = await talk.say("stop")
        assert again.state == "suspended"
        assert (await talk.say("tell me a joke")).process is None


async def test_a_leaving_that_is_taken_back_goes_on_with_the_call(frozen: FrozenClock) -> None:
    async with conversation(Transfer, AddContact, clock=frozen) as talk:
        await talk.say("send money")
        await talk.say("new")
        await talk.say("stop")

        assert (await talk.say("undo")).text.endswith("What is their name?")
        await talk.say("Robin")

        assert (await talk.say("12345")).text.endswith("How much for Robin?")


async def test_silence_pauses_both_and_a_late_answer_goes_on_with_both(frozen: FrozenClock) -> None:
    async with conversation(Transfer, AddContact, clock=frozen) as talk:
        await talk.say("send money")
        await talk.say("new")
        talk.advance(minutes=11)
        assert (await talk.sweep()).suspended == 1
        assert talk.session_id is not None
        states = {i.process: str(i.state) for i in await talk.dispatcher.store.instances(talk.session_id)}
        assert states == {"transfer": "suspended", "add_contact": "suspended"}

        late = await talk.say("Robin")

        assert late.text.endswith("And their number?")
        assert (await talk.say("12345")).text.endswith("How much for Robin?")


async def test_resuming_the_caller_goes_on_where_the_person_was(frozen: FrozenClock) -> None:
    async with conversation(Transfer, AddContact, clock=frozen) as talk:
        await talk.say("send money")
        await talk.say("new")
        await talk.say("Robin")
        talk.advance(minutes=11)
        await talk.sweep()
        await talk.say("hello")

        said = await talk.say("resume the transfer")

        assert said.text.endswith("And their number?")
        assert (await talk.say("12345")).text.endswith("How much for Robin?")


class Downwards:
    """Identifiers that are made the other way round: nothing goes by their order."""

    def __init__(self) -> None:
        self._left = 1_000

    def new(self) -> str:
        """The next one, which is smaller."""
        self._left -= 1
        return str(UUID(int=self._left))


async def test_of_a_call_and_its_caller_that_were_paused_at_once_the_call_is_offered_back(
    frozen: FrozenClock,
) -> None:
    async with conversation(Transfer, AddContact, clock=frozen, ids=Downwards()) as talk:
        await talk.say("send money")
        await talk.say("new")
        talk.advance(minutes=11)
        await talk.sweep()

        assert (await talk.say("hello")).text == "You were in the middle of the add contact. Continue?"
        assert (await talk.say("yes")).text.endswith("What is their name?")


async def test_what_was_called_and_has_expired_was_left(frozen: FrozenClock) -> None:
    async with conversation(Transfer, AddContact, clock=frozen) as talk:
        await talk.say("send money")
        await talk.say("new")
        talk.advance(minutes=11)
        await talk.sweep()
        assert talk.session_id is not None
        inner = next(
            i for i in await talk.dispatcher.store.instances(talk.session_id) if i.process == "add_contact"
        )
        assert inner.due_at is not None
        talk.clock.set(inner.due_at + timedelta(seconds=1))
        assert (await talk.sweep()).expired == 1

        assert (await talk.say("resume the transfer")).text.endswith("Who gets it, then?")


async def test_what_was_left_may_be_called_again_at_once_and_asks(frozen: FrozenClock) -> None:
    class Insisting(Process, name="insisting"):
        starts_on = ("go on",)

        @step(goes_to=("heard",))
        async def begin(self, said: Turn, data: Sum) -> Outcome:
            return Call("add_contact", prefill={"name": "Ada"}, then="heard")

        @step(goes_to=("heard",))
        async def heard(self, said: Turn, data: Sum) -> Outcome:
            assert said.result is not None
            if said.result.left:
                return Call("add_contact", prefill={"name": "Bob"}, then="heard", say="I need one.")
            return Done(f"{said.result.value['name']} it is.")

    async with conversation(Insisting, AddContact, clock=frozen) as talk:
        await talk.say("go on")

        said = await talk.say("stop")

        assert said.text.endswith("Name: Bob.\n\nAnd their number?")
        assert (said.process, said.step) == ("add_contact", "gathering_number")
        assert (await talk.say("12345")).text.endswith("Bob it is.")


def chain(length: int) -> list[type[Process]]:
    """Processes that each call the next; the last one asks."""
    made: list[type[Process]] = []

    class Last(Process, name=f"level_{length}"):
        @step(asks="The bottom?")
        async def bottom(self, said: Turn, data: Sum) -> Outcome:
            return Done("Up again.", value=said.message)

    made.append(Last)
    for n in range(length - 1, -1, -1):

        class Level(Process, name=f"level_{n}"):
            starts_on = (f"go to level {n}",)
            below = f"level_{n + 1}"

            @step(goes_to=("up",))
            async def down(self, said: Turn, data: Sum) -> Outcome:
                return Call(self.below, then="up")

            @step()
            async def up(self, said: Turn, data: Sum) -> Outcome:
                assert said.result is not None
                value: Any = said.result.left or said.result.value
                return Done(f"{self.name}: {value}.", value=f"{value}+{self.name}")

        made.append(Level)
    return made


async def test_calls_may_be_five_deep_and_all_come_back_in_one_turn(frozen: FrozenClock) -> None:
    async with conversation(*chain(5), clock=frozen) as talk:
        assert (await talk.say("go to level 0")).text == "The bottom?"

        said = await talk.say("deep")

        assert said.text.splitlines()[-1] == "level_0: deep+level_4+level_3+level_2+level_1."


@pytest.mark.parametrize("times", range(1, 6))
async def test_an_escape_at_the_bottom_is_told_all_the_way_up(times: int, frozen: FrozenClock) -> None:
    async with conversation(*chain(times), clock=frozen) as talk:
        await talk.say("go to level 0")

        said = await talk.say("stop")

        assert "level_0" in said.text.splitlines()[-1]
        assert said.state == "completed"


async def test_six_calls_deep_is_too_deep_and_a_circle_is_told_as_one(frozen: FrozenClock) -> None:
    async with conversation(*chain(6), clock=frozen) as talk:
        said = await talk.say("go to level 0")
        assert "Something went wrong on my side" in said.text
        assert said.decision.trouble is not None
        assert "more than 5 calls deep" in said.decision.trouble

    class Round(Process, name="round"):
        starts_on = ("go round",)

        @step()
        async def turn(self, said: Turn, data: Sum) -> Outcome:
            return Call("round", then="turn")

    async with conversation(Round, clock=frozen) as talk:
        trouble = (await talk.say("go round")).decision.trouble
        assert trouble is not None
        assert "goes round in a circle: round -> round" in trouble


async def test_what_is_called_and_does_not_exist_is_named(frozen: FrozenClock) -> None:
    class Lost(Process, name="lost"):
        starts_on = ("get lost",)

        @step(asks="Where to?", goes_to=("back",))
        async def begin(self, said: Turn, data: Sum) -> Outcome:
            return Call("nowhere", then="back")

        @step()
        async def back(self, said: Turn, data: Sum) -> Outcome:
            return Done("Back.")

    async with conversation(Lost, clock=frozen) as talk:
        await talk.say("get lost")
        said = await talk.say("away")
        assert said.decision.trouble is not None
        assert "'nowhere', which is not registered. Registered: lost." in said.decision.trouble
        assert said.text.endswith("Where to?")


class Deposit(Process, name="deposit"):
    """Waits for money, for whoever called it."""

    @step(goes_to=("paid",))
    async def begin(self, said: Turn, data: Sum) -> Outcome:
        return Wait(say="Waiting for it.", step="paid")

    @step(on="payment")
    async def paid(self, said: Turn, data: Sum) -> Outcome:
        assert said.signal is not None
        return Done("It is here.", value=said.signal.data)


class Renting(Process, name="renting"):
    starts_on = ("rent a bike",)
    names = ("bike",)

    @step(goes_to=("go",))
    async def begin(self, said: Turn, data: Sum) -> Outcome:
        return Call("deposit", then="go")

    @step()
    async def go(self, said: Turn, data: Sum) -> Outcome:
        assert said.result is not None
        return Done(f"Have a good ride for {said.result.value}.")


async def test_what_is_called_may_wait_for_a_signal_and_the_caller_goes_on_with_it(
    frozen: FrozenClock,
) -> None:
    async with conversation(Renting, Deposit, Transfer, AddContact, clock=frozen) as talk:
        said = await talk.say("rent a bike")
        assert said.text == "Waiting for it."
        assert said.reply.process is not None
        assert talk.session_id is not None
        inner = next(
            i for i in await talk.dispatcher.store.instances(talk.session_id) if i.process == "deposit"
        )
        assert (await talk.say("send money")).text == "Who gets it?"

        told = Reply.model_validate_json(
            await talk.dispatcher.signal(inner.id, Signal("payment", "p", {"sum": 5}))
        )

        assert told.companion_message == "It is here.\n\nHave a good ride for {'sum': 5}."
        assert (await talk.say("Robin")).text == "How much for Robin?"


# -- coming back


def errand(comes_back: str) -> type[Process]:
    class Errand(Process, name="errand", confirm=False):
        """Something with two questions."""

        starts_on = ("run an errand",)

        class Answers(BaseModel):
            where: str = ask("Where to?")
            what: str = ask("What for?")

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done("Done it.")

    Errand.comes_back = comes_back  # type: ignore[assignment] # one of the three
    return Errand


async def digression(talk: Conversation, *last: str) -> str:
    await talk.say("run an errand")
    await talk.say("send money")
    for words in last:
        said = await talk.say(words)
    return said.text


async def test_what_was_paused_for_another_one_comes_back_when_that_is_done(frozen: FrozenClock) -> None:
    async with conversation(errand("asked"), Transfer, AddContact, clock=frozen) as talk:
        text = await digression(talk, "Robin", "20")
        assert text.endswith("20 for Robin. Heard: [].\n\nLet's go on with the errand.\n\nWhere to?")
        assert (await talk.say("to the market")).text.endswith("What for?")


@pytest.mark.parametrize(("kind", "comes"), [("asked", False), ("always", True), ("never", False)])
async def test_what_was_paused_for_something_that_is_left_comes_back_only_always(
    kind: str, comes: bool, frozen: FrozenClock
) -> None:
    async with conversation(errand(kind), Transfer, AddContact, clock=frozen) as talk:
        text = await digression(talk, "stop")
        assert ("Let's go on with the errand." in text) is comes


async def test_what_never_comes_back_stays_paused(frozen: FrozenClock) -> None:
    async with conversation(errand("never"), Transfer, AddContact, clock=frozen) as talk:
        assert (await digression(talk, "Robin", "20")) == "20 for Robin. Heard: []."
        assert "Where to?" in (await talk.say("resume the errand")).text


async def test_what_cannot_be_paused_waits_underneath(frozen: FrozenClock) -> None:
    held = errand("asked")
    held.pausable = False
    async with conversation(held, Transfer, AddContact, clock=frozen) as talk:
        assert (await digression(talk, "Robin")) == "How much for Robin?"
        assert (await talk.say("20")).text.endswith("20 for Robin. Heard: [].\n\nWhere to?")


async def test_one_that_is_to_be_told_of_leaving_is_told_before_it_is_left(frozen: FrozenClock) -> None:
    class Table(Process, name="table", confirm=False):
        """A table."""

        starts_on = ("book a table",)
        leaves_by = "free"

        class Answers(BaseModel):
            day: str = ask("Which day?")
            hour: str = ask("When?")

        @step()
        async def free(self, said: Turn, data: Sum) -> Outcome:
            return Done(f"The table is free again ({said.leaves}).")

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done("Booked.")

    async with conversation(Table, clock=frozen) as talk:
        await talk.say("book a table")
        await talk.say("Friday")
        said = await talk.say("stop")
        assert said.text.startswith("The table is free again (escape).")
        assert said.state == "suspended"


async def test_one_run_at_a_time_is_where_a_second_start_goes(frozen: FrozenClock) -> None:
    single = errand("never")
    single.one = "session"
    async with conversation(single, Transfer, AddContact, clock=frozen) as talk:
        await talk.say("run an errand")
        await talk.say("to the market")
        await talk.say("stop")

        said = await talk.say("run an errand")

        assert said.text.endswith("What for?")
        talk.new_session()
        assert (await talk.say("run an errand")).text == "Where to?"


async def test_one_run_for_a_person_goes_on_in_another_conversation(frozen: FrozenClock) -> None:
    single = errand("never")
    single.one = "person"
    async with conversation(single, Transfer, AddContact, clock=frozen) as talk:
        await talk.say("run an errand")
        await talk.say("to the market")
        talk.new_session()

        said = await talk.say("run an errand")

        assert said.text.endswith("What for?")


async def test_whoever_asks_for_what_is_under_way_in_other_words_stays_in_it(frozen: FrozenClock) -> None:
    class Table(Process, name="table", confirm=False):
        """A table for an evening."""

        starts_on = ("book a table", "I'd like a table", "a table for tonight please")

        class Answers(BaseModel):
            day: date = ask("Which day?")

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done("Booked.")

    async with conversation(Table, clock=frozen) as talk:
        await talk.say("book a table")

        said = await talk.say("please do book a table", intent_hint="start_table")

        assert (said.text, said.state) == ("We are in the middle of the table.\n\nWhich day?", "active")
        assert (await talk.say("tomorrow")).text.endswith("Booked.")


class Renewed(Process, name="add_contact", version=2, confirm=False):
    """The same, asked for in one go, and begun afresh where somebody is in the middle of the old one."""

    starts_on = ("add a contact",)

    class Answers(BaseModel):
        name: str = ask("Their full name?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Added.", value={"name": answers.name})


class Recast(Process, name="transfer", version=2):
    """A caller that has changed while it waited."""

    on_new_version = "migrate"

    @step(asks="Who gets it?", goes_to=("use_it", "amount"))
    async def who(self, said: Turn, data: Sum) -> Outcome:
        return Call("add_contact", then="use_it")

    @step(goes_to=("amount",))
    async def use_it(self, said: Turn, data: Sum) -> Outcome:
        assert said.result is not None
        return Ask(f"How much, then, for {said.result.value['name']}?", step="amount")

    @step()
    async def amount(self, said: Turn, data: Sum) -> Outcome:
        return Done("Sent.")

    @classmethod
    def migrate(cls, data: dict[str, Any], *, from_version: int, step: str) -> tuple[dict[str, Any], str]:
        return data, step


@pytest.mark.parametrize(
    ("newer", "words", "asks"),
    [
        ((Transfer, Renewed), ("Robin", "Robin Hood"), "How much for Robin Hood?"),
        ((Recast, AddContact), ("Robin", "12345"), "How much, then, for Robin?"),
    ],
    ids=["the one that is called", "the caller"],
)
async def test_a_new_version_of_either_goes_on_with_the_result(
    newer: tuple[type[Process], ...], words: tuple[str, ...], asks: str, frozen: FrozenClock
) -> None:
    store = MemoryStore()
    async with conversation(Transfer, AddContact, clock=frozen, store=store) as talk:
        await talk.say("send money")
        await talk.say("new")
        session = talk.session_id
        async with conversation(*newer, clock=frozen, store=store) as later:
            later.session_id = session
            for line in words:
                said = await later.say(line)
    assert said.text.endswith(asks)


class Noting(Process, name="noting"):
    """Keeps what came of a call, and lets its question stand."""

    starts_on = ("note it",)

    @step(asks="Note whom?", goes_to=("noted",), takes_anything=True)
    async def whom(self, said: Turn, data: Sum) -> Outcome:
        return Call("add_contact", then="noted")

    @step()
    async def noted(self, said: Turn, data: Sum) -> Outcome:
        assert said.result is not None
        record = Record("noted", {"left": said.result.left})
        return Release(say="Noted.", effects=[record])


async def test_what_a_step_does_with_a_result_that_it_releases_is_done(frozen: FrozenClock) -> None:
    async with conversation(Noting, AddContact, clock=frozen) as talk:
        await talk.say("note it")
        await talk.say("somebody")

        assert (await talk.say("stop")).effects == ["noted_saved"]

        assert await talk.records("noted") == [{"left": "escape"}]
