"""Processes that raise, offer themselves for ever or go round in circles, and plugins that claim the same (rows E1, E4, E6, E7 and E9)."""

import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Ask, Decline, Done, Goto, Process, Record, Turn, Wrong, ask, build, check, step
from softrail.core.errors import DefinitionError
from softrail.core.outcomes import Outcome
from softrail.core.reading import Command, Place, Reading
from softrail.settings import Settings
from softrail.store import MemoryStore
from softrail.testing import Conversation, FrozenClock, conversation
from tests.faults.kit import as_it_was, only

KINDS: tuple[type[BaseException], ...] = (
    Exception,
    BaseException,
    SystemExit,
    KeyboardInterrupt,
    RecursionError,
    MemoryError,
)
PLACES = ("step", "complete", "read", "offer_when", "migrate")


class Fault:
    """What plugin code raises at the moment; None: it behaves."""

    def __init__(self, kind: type[BaseException] | None = None) -> None:
        self.kind = kind
        self.asked = 0

    def strike(self) -> None:
        self.asked += 1
        if self.kind is not None:
            raise self.kind("a plugin's own fault")


def faulty(place: str, fault: Fault, *, version: int = 1) -> type[Process]:
    """A process whose code strikes at one place."""

    def read(words: str) -> str:
        if place == "read":
            fault.strike()
        return words

    class Errand(Process, name="errand", version=version):
        """Fetches something."""

        starts_on = ("run an errand",)
        on_new_version = "migrate"
        confirm = False

        class Answers(BaseModel):
            what: str = ask("What shall I fetch?")
            where: str = ask("From where?")
            extra: str = ask("And what else?", read=read)

        @step(asks="From where?", goes_to=("gathering",))
        async def gathering_where(self, said: Turn, answers: Answers) -> Outcome:
            if place == "step":
                fault.strike()
            answers.where = said.message
            return Goto("gathering", data=answers)

        async def complete(self, answers: Answers, turn: Turn) -> Outcome:
            if place == "complete":
                fault.strike()
            return Done("Fetched.", effects=[Record("errand", answers)])

        async def offer_when(self, turn: Turn) -> bool:
            if place == "offer_when":
                fault.strike()
            return False

        @classmethod
        def migrate(cls, data: dict[str, Any], *, from_version: int, step: str) -> tuple[dict[str, Any], str]:
            if place == "migrate":
                fault.strike()
            return data, step

    return Errand


@pytest.fixture
async def other(frozen: FrozenClock) -> AsyncIterator[Conversation]:
    async with conversation(faulty("nowhere", Fault()), clock=frozen) as talk:
        yield talk


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("place", PLACES)
async def test_code_that_raises_costs_one_sentence_and_changes_nothing(
    place: str, kind: type[BaseException], frozen: FrozenClock, caplog: pytest.LogCaptureFixture
) -> None:
    fault, store = Fault(), MemoryStore()
    async with conversation(faulty(place, fault), clock=frozen, store=store) as talk:
        if place != "offer_when":
            await talk.say("run an errand")
            await talk.say("the blue box")
        if place in ("complete", "read"):
            await talk.say("the attic")
        session_id = talk.session_id
        before = await only(talk) if session_id else None
    async with conversation(
        faulty(place, fault, version=2 if place == "migrate" else 1), clock=frozen, store=store
    ) as talk:
        talk.session_id, fault.kind = session_id, kind
        with caplog.at_level(logging.ERROR):
            said = await talk.say("hello" if place == "offer_when" else "the brown jar")

        assert said.text
        assert fault.asked
        assert said.effects == []
        if before is not None:
            assert as_it_was(await only(talk)) == as_it_was(before)
            assert any(said.reply.session_id in record.getMessage() for record in caplog.records)
            assert "went wrong on my side" in said.text
        person, session = talk.person, talk.session_id
        await talk.become("robin@example.org")
        fault.kind = None
        assert (await talk.say("run an errand")).state == "active"  # this worker and others' sessions live on
        if before is not None:
            talk.person, talk.session_id = person, session
            assert (await talk.say("the brown jar")).decision.trouble is None


async def test_a_check_that_keeps_failing_is_paused_at_the_third_time_and_every_answer_is_kept(
    frozen: FrozenClock,
) -> None:
    fault = Fault(ConnectionError)

    class Trip(Process, name="trip", version=1):
        """A trip that has to be possible."""

        starts_on = ("plan a trip",)

        class Answers(BaseModel):
            city: str = ask("Which city?")
            days: int = ask("How many days?")

        @check("city")
        async def reachable(self, answers: Answers, turn: Turn) -> Wrong | None:
            fault.strike()
            return None

        async def complete(self, answers: Answers, turn: Turn) -> Outcome:
            return Done(f"{answers.days} days in {answers.city}.")

    async with conversation(Trip, clock=frozen) as talk:
        await talk.say("plan a trip")
        said = [await talk.say(words) for words in ("Oslo", "3", "yes")]
        assert [s.state for s in said] == ["active", "active", "suspended"]
        assert all("I can't check that just now." in s.text for s in said)
        assert all("reachable" in (s.decision.trouble or "") for s in said)
        fault.kind = None
        back = await talk.say("resume")
        assert (back.state, back.step) == ("active", "confirming")
        assert (await talk.say("yes")).text == "3 days in Oslo."


async def test_a_step_that_keeps_failing_is_paused_at_the_third_time_with_a_way_back(
    frozen: FrozenClock,
) -> None:
    fault = Fault(ValueError)
    async with conversation(faulty("step", fault), clock=frozen) as talk:
        await talk.say("run an errand")
        await talk.say("the blue box")
        said = [await talk.say("the attic") for _ in range(3)]

        assert [s.state for s in said] == ["active", "active", "suspended"]
        assert "resume" in said[-1].text
        assert fault.asked == 3
        free = await talk.say("the attic")  # the poison message is ordinary talk now
        assert (free.process, fault.asked) == (None, 3)
        fault.kind = None
        back = await talk.say("resume")
        assert (back.state, back.step) == ("active", "gathering_where")
        assert (await talk.say("the attic")).decision.trouble is None


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
async def test_a_process_that_raises_when_it_is_told_of_leaving_is_left_all_the_same(
    kind: type[BaseException], frozen: FrozenClock
) -> None:
    class Watch(Process, name="watch", version=1):
        """Would rather go on in the background."""

        starts_on = ("watch it",)
        leaves_by = "leaving"

        class Data(BaseModel):
            said: list[str] = []

        @step(asks="What now?", goes_to=("now",))
        async def now(self, said: Turn, data: Data) -> Outcome:
            return Ask("What now?", data=self.Data(said=[*data.said, said.message]))

        @step()
        async def leaving(self, said: Turn, data: Data) -> Outcome:
            raise kind("not yet")

    async with conversation(Watch, clock=frozen) as talk:
        await talk.say("watch it")
        await talk.say("the north gate")

        left = await talk.say("stop")

        assert left.state == "suspended"
        assert "north gate" in (await only(talk)).data


class Halfway:
    """A reader of a team's own that reads the first half of a message, and raises over the second."""

    async def read(self, message: str, place: Place, *, locale: str) -> Reading:
        first, _, second = message.partition(", ")
        if message.startswith("tell me"):
            raise RuntimeError("unreadable")
        if not second:
            return Reading(message=message)
        left = Command(act="leave", target="refusal", rest=second)
        return Reading(message=first, commands=(left,))


async def test_a_turn_that_fails_half_way_has_changed_nothing(frozen: FrozenClock) -> None:
    class Farewell(Process, name="farewell", version=1):
        """Keeps something when it is left."""

        starts_on = ("wave at me",)
        leaves_by = "leaving"

        class Data(BaseModel):
            pass

        @step(asks="Going?")
        async def asking(self, said: Turn, data: Data) -> Outcome:
            return Ask("Going?")

        @step()
        async def leaving(self, said: Turn, data: Data) -> Outcome:
            return Done("Farewell.", effects=[Record("farewell", {"said": said.message})])

    store = MemoryStore()
    async with conversation(Farewell, clock=frozen, store=store, reader=Halfway()) as talk:
        assert (await talk.say("wave at me")).state == "active"
        before = await only(talk)

        said = await talk.say("I'd rather not, tell me of the sea")

        assert said.text == "Something went wrong on my side. Nothing was changed. Please try again."
        assert (said.effects, said.decision.trouble) == ([], "RuntimeError: unreadable")
        assert as_it_was(await only(talk)) == as_it_was(before)
        assert await store.list(talk.person.id, "farewell") == []


def trap(kind: type[BaseException]) -> type[Process]:
    """A process whose every say in its own suspension raises."""

    class Trap(Process, name="trap", version=1):
        """Does not let go."""

        starts_on = ("walk in",)

        class Data(BaseModel):
            said: list[str] = []

        @step(asks="And now?", goes_to=("deeper",))
        async def deeper(self, said: Turn, data: Data) -> Outcome:
            return Ask("And now?", data=self.Data(said=[*data.said, said.message]))

        def slot(self, data: Any) -> str:
            raise kind("you may not leave")

        def kept(self, data: Any) -> str:
            raise kind("you may not leave")

    return Trap


ESCAPES = (
    "stop",
    "quit",
    "cancel",
    "nevermind",
    "never mind",
    "exit",
    "Stop!",
    "STOP",
    "please stop",
    "stop please",
    "ok stop",
    "just stop",
    "cancel now",
    "cancel, thanks",
    "quit.",
    "  exit  ",
    "never mind, thanks",
    "ok, cancel",
    "please just stop",
    "nevermind please",
)


@pytest.mark.parametrize("kind", [ValueError, SystemExit, KeyboardInterrupt], ids=lambda kind: kind.__name__)
async def test_every_escape_word_works_when_the_process_raises_on_the_way_out(
    kind: type[BaseException], frozen: FrozenClock
) -> None:
    async with conversation(trap(kind), clock=frozen) as talk:
        for word in ESCAPES:
            talk.new_session()
            await talk.say("walk in")
            await talk.say("a step")
            said = await talk.say(word)
            assert said.state == "suspended", word
            assert (await talk.say("how are you today")).process is None, word


@pytest.mark.parametrize("kind", [ValueError, SystemExit], ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("bad", range(10))
async def test_one_offer_condition_that_raises_keeps_no_other_from_being_asked(
    bad: int, kind: type[BaseException], frozen: FrozenClock
) -> None:
    asked: list[int] = []

    def offering(n: int) -> type[Process]:
        class Offered(Process, name=f"offered_{n}", version=1):
            """Something to offer."""

            priority = n

            class Answers(BaseModel):
                what: str = ask("What?")

            async def complete(self, answers: Answers, turn: Turn) -> Outcome:
                return Done("Done.")

            async def offer_when(self, turn: Turn) -> bool:
                asked.append(n)
                if n == bad:
                    raise kind("not today")
                return n == (9 if bad != 9 else 8)

        return Offered

    async with conversation(*(offering(n) for n in range(10)), clock=frozen) as talk:
        said = await talk.say("hello")

        assert said.pending == "offer"
        assert said.process == ("offered_9" if bad != 9 else "offered_8")
        assert asked == list(range(10 if bad != 9 else 9))


async def test_a_process_that_always_offers_itself_asks_once_and_waits(frozen: FrozenClock) -> None:
    class Eager(Process, name="eager", version=1):
        """Wants to be done."""

        starts_on = ("be eager",)

        class Answers(BaseModel):
            what: str = ask("What?")

        async def complete(self, answers: Answers, turn: Turn) -> Outcome:
            return Done("Done.")

        async def offer_when(self, turn: Turn) -> bool:
            return True

    async with conversation(Eager, clock=frozen) as talk:
        assert (await talk.say("hello")).pending == "offer"
        assert (await talk.say("hello")).state == "lapsed"  # not made again in the turn that let it go
        assert (await talk.say("hello")).pending == "offer"
        assert (await talk.say("yes")).state == "active"
        assert (await talk.say("hello")).state == "active"
        assert (await talk.say("stop")).state == "suspended"
        again = await talk.say("hello")
        assert (again.pending, again.state) == ("offer", "suspended")  # to go on, not to begin anew
        await talk.say("no")
        assert (await talk.say("hello")).pending is None
        assert talk.session_id is not None
        states = sorted(str(i.state) for i in await talk.dispatcher.store.instances(talk.session_id))
        assert states == ["declined", "lapsed"]


async def test_a_process_that_goes_round_in_circles_is_stopped_within_the_turn(frozen: FrozenClock) -> None:
    class Round(Process, name="round", version=1):
        """Goes round."""

        starts_on = ("go round",)

        class Data(BaseModel):
            laps: int = 0

        @step(asks="Ready?", goes_to=("there",))
        async def here(self, said: Turn, data: Data) -> Outcome:
            return Goto("there")

        @step(goes_to=("back",))
        async def there(self, said: Turn, data: Data) -> Outcome:
            return Goto("back", data=self.Data(laps=data.laps + 1))

        @step(goes_to=("there",))
        async def back(self, said: Turn, data: Data) -> Outcome:
            return Goto("there")

    async with conversation(Round, clock=frozen) as talk:
        await talk.say("go round")
        before = await only(talk)
        said = await talk.say("yes")
        assert "went wrong on my side" in said.text
        assert as_it_was(await only(talk)) == as_it_was(before)


@pytest.mark.parametrize(
    ("name", "phrase", "says"),
    [
        ("errand", "something else", "A process named 'errand' is registered already"),
        ("other", "run an errand", "starts on 'run an errand', which starts 'errand' already"),
    ],
    ids=["the same name", "the same words to begin with"],
)
def test_two_plugins_that_claim_the_same_are_refused_at_start_with_one_line(
    name: str, phrase: str, says: str
) -> None:
    class Second(Process, name=name, version=1):
        """Another one."""

        starts_on = (phrase,)

        class Answers(BaseModel):
            what: str = ask("What?")

        async def complete(self, answers: Answers, turn: Turn) -> Outcome:
            return Decline("No.")

    with pytest.raises(DefinitionError) as refused:
        build(Settings(), store=MemoryStore(), processes=[faulty("nowhere", Fault()), Second], discover=False)
    assert says in refused.value.message
    assert "\n" not in refused.value.message
