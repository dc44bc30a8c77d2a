"""People parked in every step of a process whose class changes, or goes (rows H1 to H3)."""

import asyncio
import shutil
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Goto, Process, Record, Turn, ask, build, step
from softrail.core.errors import DefinitionError
from softrail.core.instances import State
from softrail.core.outcomes import Ask, Outcome
from softrail.core.people import Person
from softrail.store import MemoryStore
from softrail.turns.dispatcher import Dispatcher
from tests.faults.kit import file_url, person_of, say, settings, worker

EACH = 5  #: people parked in each step: one whose first word is the way out, and four who go on
POLICIES = ("migrate", "restart", "finish")


class Size(StrEnum):
    """What there was to choose from."""

    SMALL = "small"
    LARGE = "large"


class Order(Process, name="order", version=1):
    """What everybody was in the middle of when the new version came."""

    starts_on = ("place an order",)

    class Answers(BaseModel):
        what: str = ask("What would you like?")
        size: Size = ask("Which size?")
        where: str = ask("Where to?")
        when: str = ask("When?")

    @step(asks="Where to?", goes_to=("gathering",))
    async def gathering_where(self, said: Turn, answers: Answers) -> Outcome:
        answers.where = said.message
        return Goto("gathering", data=answers)

    async def complete(self, answers: Answers, turn: Turn) -> Outcome:
        return Done("Ordered.", effects=[Record("order", answers)])


class Same(Order, name="order", version=2):
    """Nothing that matters has changed."""


class Renamed(Process, name="order", version=2):
    """Its step of its own has another name."""

    starts_on = ("place an order",)

    class Answers(BaseModel):
        what: str = ask("What would you like?")
        size: Size = ask("Which size?")
        address: str = ask("To which address?")
        when: str = ask("When?")

    @step(asks="To which address?", goes_to=("gathering",))
    async def gathering_address(self, said: Turn, answers: Answers) -> Outcome:
        answers.address = said.message
        return Goto("gathering", data=answers)

    async def complete(self, answers: Answers, turn: Turn) -> Outcome:
        return Done("Ordered.", effects=[Record("order", answers)])

    @classmethod
    def migrate(cls, data: dict[str, Any], *, from_version: int, step: str) -> tuple[dict[str, Any], str]:
        kept = {"address" if name == "where" else name: value for name, value in data.items()}
        return kept, "gathering_address" if step == "gathering_where" else step


class Shorter(Process, name="order", version=2):
    """A step, an answer and a choice are gone, and what is left has another type."""

    starts_on = ("place an order",)

    class Answers(BaseModel):
        what: list[str] = ask("What would you like?")
        size: Literal["small"] = ask("Which size?")

    async def complete(self, answers: Answers, turn: Turn) -> Outcome:
        return Done("Ordered.", effects=[Record("order", answers)])

    @classmethod
    def migrate(cls, data: dict[str, Any], *, from_version: int, step: str) -> tuple[dict[str, Any], str]:
        kept: dict[str, Any] = {"what": [data["what"]]} if "what" in data else {}
        if data.get("size") == "small":
            kept["size"] = "small"
        steps = {"what": "gathering_what", "size": "gathering_size"}
        missing = next((steps[name] for name in steps if name not in kept), "confirming")
        return kept, missing


class Careless(Order, name="order", version=2):
    """Promises to migrate and gives what it cannot read itself."""

    @classmethod
    def migrate(cls, data: dict[str, Any], *, from_version: int, step: str) -> tuple[dict[str, Any], str]:
        return {"size": 7, "colour": "blue"}, "nowhere"


class Plain(Process, name="order", version=2):
    """Has nothing in common with the old one but its name."""

    starts_on = ("place an order",)

    class Data(BaseModel):
        number: int = 0

    @step(asks="Which number?", goes_to=("number",))
    async def number(self, said: Turn, data: Data) -> Outcome:
        return Ask("Which other number?", data=self.Data(number=data.number + 1))

    @classmethod
    def migrate(cls, data: dict[str, Any], *, from_version: int, step: str) -> tuple[dict[str, Any], str]:
        return {"number": len(data)}, "number"


def _same_migrate(
    cls: type[Process], data: dict[str, Any], *, from_version: int, step: str
) -> tuple[dict[str, Any], str]:
    return data, step


Same.migrate = classmethod(_same_migrate)  # type: ignore[assignment] # as a subclass would write it
CHANGED: dict[str, type[Process]] = {
    "the same": Same,
    "a step renamed": Renamed,
    "steps, answers and choices gone": Shorter,
    "a migration that gives nonsense": Careless,
    "another process altogether": Plain,
}
PARKED = {
    "gathering_what": (),
    "gathering_size": ("a lamp",),
    "gathering_where": ("a lamp", "small"),
    "confirming": ("a lamp", "large", "to the harbour", "tomorrow"),
}
Place = tuple[Person, str, str]


async def _park(one: Dispatcher) -> list[Place]:
    async def park(n: int, at: str) -> Place:
        person = await person_of(one, f"{at}-{n}")
        session = (await say(one, person, "place an order")).session_id
        for words in PARKED[at]:
            await say(one, person, words, session_id=session)
        [instance] = await one.store.instances(session)
        assert (instance.state, instance.step) == (State.ACTIVE, at)
        return person, session, at

    return await asyncio.gather(*(park(n, at) for at in PARKED for n in range(EACH)))


@pytest.fixture(scope="module")
def parked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Place]]:
    """A database with people in every step of the first version, and who they are."""
    folder = tmp_path_factory.mktemp("parked")

    async def fill() -> list[Place]:
        async with worker(file_url(folder), Order) as one:
            return await _park(one)

    return folder / "softrail.db", asyncio.run(fill())


@pytest.fixture
def copy(parked: tuple[Path, list[Place]], tmp_path: Path) -> tuple[str, list[Place]]:
    """A copy of that database."""
    shutil.copy(parked[0], tmp_path / "softrail.db")
    return file_url(tmp_path), parked[1]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("change", CHANGED)
async def test_everyone_parked_in_an_old_version_is_told_and_has_a_way_on_and_a_way_out(
    change: str, policy: str, copy: tuple[str, list[Place]]
) -> None:
    url, places = copy
    changed = type(change, (CHANGED[change],), {"on_new_version": policy, "__module__": __name__})
    async with worker(url, changed) as one:
        if policy == "finish":
            one.registry.register(Order, keep=True)

        async def come_back(n: int, place: Place) -> None:
            person, session, at = place
            if n % 5 == 0:  # the first word is the way out
                out = await say(one, person, "stop", session_id=session)
                assert out.process is not None
                assert out.process.state == "suspended", (at, out)
                return
            reply = await say(one, person, "small", session_id=session)
            assert reply.companion_message, at
            [instance, *more] = await one.store.instances(session)
            assert more == []
            assert reply.pending is not None or instance.state is not State.ACTIVE, (at, reply)
            if policy == "finish":
                assert instance.version == 1
            elif instance.state is State.ACTIVE:
                assert instance.version == 2
                assert instance.step in one.registry.get("order").steps
            out = await say(one, person, "cancel", session_id=session)
            [instance] = await one.store.instances(session)
            assert instance.state is not State.ACTIVE, (at, out)
            again = await say(one, person, "place an order", session_id=session)
            assert again.process is not None
            assert (again.process.state, again.process.version) == ("active", 2)

        await asyncio.gather(*(come_back(n, place) for n, place in enumerate(places)))


def test_a_class_that_promises_to_migrate_and_cannot_is_refused_at_start() -> None:
    class Unprepared(Order, name="order", version=2):
        """Promises to migrate and cannot."""

        on_new_version = "migrate"

    with pytest.raises(DefinitionError, match="has no migrate"):
        build(settings(), store=MemoryStore(), processes=[Unprepared], discover=False)


async def test_everyone_parked_in_a_process_that_is_gone_is_told_keeps_it_and_finds_it_again(
    copy: tuple[str, list[Place]],
) -> None:
    url, places = copy
    async with worker(url) as without:

        async def find_it_gone(n: int, place: Place) -> None:
            person, session, at = place
            reply = await say(without, person, "stop" if n % 2 else "small", session_id=session)
            assert reply.companion_message, at
            assert reply.process is not None
            assert reply.process.state == "suspended"
            if n % 2 == 0:
                assert "can't go on with the order" in reply.companion_message
            free = await say(without, person, "I like the sea", session_id=session)
            assert (free.process, bool(free.companion_message)) == (None, True)

        await asyncio.gather(*(find_it_gone(n, place) for n, place in enumerate(places)))
    async with worker(url, Order) as back:

        async def find_it_again(place: Place) -> None:
            person, session, at = place
            reply = await say(back, person, "resume", session_id=session)
            assert reply.process is not None
            assert (reply.process.state, reply.process.step) == ("active", at)

        await asyncio.gather(*(find_it_again(place) for place in places))


async def test_an_older_server_leaves_a_newer_state_alone(copy: tuple[str, list[Place]]) -> None:
    url, places = copy
    newer = type("Newer", (Renamed,), {"on_new_version": "migrate", "__module__": __name__})
    at_work = [place for place in places if place[2] == "gathering_where"]
    async with worker(url, newer) as new:
        for person, session, _ in at_work:
            await say(new, person, "I like the sea, though", session_id=session)
    async with worker(url, Order) as old:
        for person, session, _ in at_work:
            [before] = await old.store.instances(session)
            reply = await say(old, person, "small", session_id=session)
            [after] = await old.store.instances(session)
            assert reply.companion_message
            assert (after.version, after.data) == (2, before.data)  # not half read
