"""Processes that raise, hang, answer nonsense or cling to what they were handed (rows E1 to E7 and E9)."""

import asyncio
import gc
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, ClassVar

import pytest
from pydantic import BaseModel

from softrail import Ask, Decline, Done, Effect, Goto, Process, Record, Release, Turn, ask, build, step
from softrail.core.errors import DefinitionError
from softrail.core.instances import Instance
from softrail.core.outcomes import Outcome
from softrail.settings import Settings
from softrail.store import MemoryStore
from softrail.testing import Conversation, FrozenClock, conversation

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
            what: str = ask("What shall I fetch?", then="where")
            extra: str = ask("And what else?", read=read)

        @step(asks="From where?", goes_to=("gathering",))
        async def where(self, said: Turn, answers: Answers) -> Outcome:
            if place == "step":
                fault.strike()
            return Goto("gathering")

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


async def only(talk: Conversation) -> Instance:
    """The one instance of the session."""
    assert talk.session_id is not None
    [instance] = await talk.dispatcher.store.instances(talk.session_id)
    return instance


def as_it_was(instance: Instance) -> tuple[object, ...]:
    return instance.state, instance.step, instance.data, instance.question, instance.holds, instance.version


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


class Stuck(Process, name="stuck", version=1):
    """Never comes back from its step."""

    starts_on = ("get stuck",)
    hold = threading.Event()

    class Data(BaseModel):
        way: str = ""

    @step(
        asks="How?", goes_to=("sleeping", "waiting", "spinning"), options=["sleeping", "waiting", "spinning"]
    )
    async def how(self, said: Turn, data: Data) -> Outcome:
        return Goto(said.choice or "sleeping")

    @step(asks="Ready?", goes_to=("how",))
    async def sleeping(self, said: Turn, data: Data) -> Outcome:
        await asyncio.Event().wait()
        return Goto("how")

    @step(asks="Ready?", goes_to=("how",))
    def waiting(self, said: Turn, data: Data) -> Outcome:
        self.hold.wait(20)  # a call into C that gives no sign
        return Goto("how")

    @step(asks="Ready?", goes_to=("how",))
    def spinning(self, said: Turn, data: Data) -> Outcome:
        end = time.monotonic() + 20
        while not self.hold.is_set() and time.monotonic() < end:
            pass
        return Goto("how")


@pytest.mark.parametrize("way", ["sleeping", "waiting", "spinning"])
async def test_a_step_that_hangs_ends_at_its_limit_and_delays_nobody(way: str, frozen: FrozenClock) -> None:
    limit = 0.3
    Stuck.hold.clear()
    async with conversation(Stuck, clock=frozen, settings=Settings(step_limit=limit)) as talk:
        try:
            await talk.say("get stuck")
            await talk.say(way)
            begun = time.monotonic()
            hanging = asyncio.create_task(talk.say("go"))
            lags = []
            while not hanging.done():
                at = time.monotonic()
                await asyncio.sleep(0.005)
                lags.append(time.monotonic() - at - 0.005)
            said = await hanging

            assert limit <= time.monotonic() - begun <= limit + 1
            assert "went wrong on my side" in said.text
            assert (said.state, said.step) == ("active", way)
            assert sorted(lags)[len(lags) // 2] <= 0.05  # the loop went on turning meanwhile
            assert (await talk.say("stop")).state == "suspended"
        finally:
            Stuck.hold.set()


class Odd(Process, name="odd", version=1):
    """Returns whatever a test wants."""

    starts_on = ("be odd",)
    returns: Callable[[], Any] = staticmethod(lambda: None)

    class Data(BaseModel):
        said: list[Any] = []

    @step(asks="What?", goes_to=("what",))
    async def what(self, said: Turn, data: Data) -> Outcome:
        found: Outcome = type(self).returns()
        return found


class Mulish(BaseModel):
    """Data of another process."""

    said: int = 1


def circle() -> list[Any]:
    ring: list[Any] = []
    ring.append(ring)
    return ring


async def never() -> None:
    """A coroutine that nobody awaits."""


NONSENSE: dict[str, Callable[[], Any]] = {
    "nothing": lambda: None,
    "a text": lambda: "fine",
    "a number": lambda: 42,
    "an object": object,
    "a list of outcomes": lambda: [Done("fine")],
    "the class of an outcome": lambda: Done,
    "the parent of outcomes": Outcome,
    "an exception": lambda: ValueError("no"),
    "a coroutine": never,
    "a generator": lambda: (n for n in range(3)),
    "100 MB of words": lambda: Done("x" * 100_000_000),
    "words that are no text": lambda: Done(7),  # type: ignore[arg-type]
    "half of a surrogate pair": lambda: Done("\ud800"),
    "a question without words": lambda: Ask(" "),
    "a step that does not exist": lambda: Goto("elsewhere"),
    "a step that is no name": lambda: Goto(3),  # type: ignore[arg-type]
    "data of another kind": lambda: Ask("More?", data=Mulish()),
    "data that is a dict": lambda: Ask("More?", data={"said": []}),
    "data with an object": lambda: Ask("More?", data=Odd.Data(said=[object()])),
    "data with a circle": lambda: Ask("More?", data=Odd.Data(said=circle())),
    "100 MB of data": lambda: Ask("More?", data=Odd.Data(said=["x" * 100_000_000])),
    "data with half a surrogate pair": lambda: Ask("More?", data=Odd.Data(said=["\udfff"])),
    "a record with an object": lambda: Done("Kept.", effects=[Record("odd", {"it": object()})]),
    "a record with a circle": lambda: Done("Kept.", effects=[Record("odd", {"it": circle()})]),
    "an effect with not a number": lambda: Done(
        "Kept.", effects=[Effect(kind="odd", summary="Odd", payload={"n": float("nan")})]
    ),
    "an effect without words": lambda: Done("Kept.", effects=[Effect(kind="odd", summary=None)]),  # type: ignore[arg-type]
    "effects that are none": lambda: Done("Kept.", effects=["saved"]),  # type: ignore[list-item]
    "options that are none": lambda: Ask("Which?", options=[1, 2]),  # type: ignore[list-item]
}


@pytest.mark.parametrize("what", NONSENSE)
async def test_nonsense_is_refused_before_the_commit(what: str, frozen: FrozenClock) -> None:
    async with conversation(Odd, clock=frozen) as talk:
        Odd.returns = staticmethod(lambda: Ask("More?", data=Odd.Data(said=["kept"])))
        await talk.say("be odd")
        await talk.say("tea")
        before = await only(talk)
        Odd.returns = staticmethod(NONSENSE[what])

        said = await talk.say("coffee")
        gc.collect()

        assert "went wrong on my side" in said.text
        assert len(said.text) < 500
        assert said.effects == []
        assert as_it_was(await only(talk)) == as_it_was(before)
        assert await talk.records("odd") == []


class Clinging(Process, name="clinging", version=1):
    """Keeps everything it was ever handed, and scribbles over it afterwards."""

    starts_on = ("cling",)
    handed: ClassVar[list[Any]] = []

    class Data(BaseModel):
        said: list[str] = []

    @step(asks="What?", goes_to=("what",))
    async def what(self, said: Turn, data: Data) -> Outcome:
        for old in self.handed:
            old.said.append(f"scribbled while {said.message}")
        given = self.Data(said=[*data.said, said.message])
        data.said.append("scribbled over the argument")
        self.handed.extend([data, given])
        return Ask("More?", data=given, effects=[Record("clinging", {"said": given.said}, key=said.message)])


async def test_what_a_process_clings_to_leaks_into_no_state(frozen: FrozenClock) -> None:
    Clinging.handed.clear()
    async with conversation(Clinging, clock=frozen) as talk:
        people = ("sam@example.org", "robin@example.org")
        sessions: dict[str, str | None] = {}
        for person in people:
            await talk.become(person)
            await talk.say("cling")
            sessions[person] = talk.session_id
        for n in range(20):
            for person in people:
                await talk.become(person)
                talk.session_id = sessions[person]
                await talk.say(f"{person[0]}{n}")
                for old in Clinging.handed:
                    old.said.append("scribbled after the turn")
        for person in people:
            await talk.become(person)
            kept = await talk.records("clinging")
            expected = [f"{person[0]}{n}" for n in range(20)]
            assert max(kept, key=lambda record: len(record["said"]))["said"] == expected


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
        assert (back.state, back.step) == ("active", "where")
        assert (await talk.say("the attic")).decision.trouble is None


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


async def test_a_release_leaves_the_question_to_be_asked_again(frozen: FrozenClock) -> None:
    async with conversation(Odd, clock=frozen) as talk:
        Odd.returns = staticmethod(Release)
        await talk.say("be odd")
        said = await talk.say("tea")
        assert (said.state, said.pending) == ("active", "ask")
        assert said.text.endswith("What?")
