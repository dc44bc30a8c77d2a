"""Whatever way answers come, `complete` never sees what a check refuses at that moment, nor what does not apply."""

import asyncio
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from hypothesis.strategies import dictionaries, integers, lists, sampled_from, tuples
from pydantic import BaseModel

from softrail.core.outcomes import Done, Goto, Outcome
from softrail.core.turns import Turn
from softrail.processes import Process, Wrong, ask, check, step
from tests.unit.processes.kit import MONDAY, Talk


class World:
    """What the checks rest on: it changes while people talk."""

    def __init__(self) -> None:
        self.most = 50
        self.down = False
        self.seen: list[Any] = []

    def ready(self) -> None:
        if self.down:
            raise ConnectionError("no line")


class Deal(Process, name="deal", version=2):
    """Takes part in everything that can bring an answer."""

    on_new_version = "migrate"

    class Answers(BaseModel):
        who: str = ask("Who?")
        amount: int = ask("How much?", gt=0, lt=150)
        items: list[str] = ask("Which things?", default_factory=list, max_length=4)
        gift: bool = ask("Is it a gift?")
        card: str | None = ask("What shall the card say?", default=None, when=lambda a: a.gift)
        size: int | None = ask("How large is the card?", default=None, gt=0, when=lambda a: a.card == "long")

    def __init__(self, world: World) -> None:
        self.world = world

    @check("amount", goes_to=("less",))
    async def affordable(self, answers: Answers, turn: Turn, world: World) -> Wrong | Goto | None:
        world.ready()
        if answers.amount > world.most + 40:
            return Goto("less", forget=("amount",))
        return Wrong("amount", "Too much.") if answers.amount > world.most else None

    @check("who", "items")
    async def known(self, answers: Answers, turn: Turn, world: World) -> Wrong | None:
        world.ready()
        if answers.who == "nobody" and answers.items:
            return Wrong("who", "Somebody has to get them.")
        return None

    @step(asks="Much less?", goes_to=("gathering",))
    async def less(self, said: Turn, answers: Answers) -> Outcome:
        if said.message.isdigit():
            answers.amount = int(said.message)
            return Goto("gathering", data=answers)
        return Goto("gathering")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        self.world.seen.append((answers.model_copy(deep=True), self.world.most))
        return Done("Done.")

    @classmethod
    def migrate(cls, data: dict[str, Any], *, from_version: int, step: str) -> tuple[dict[str, Any], str]:
        return data, step


AMOUNTS = sampled_from(["5", "12", "30", "45", "70", "95", "149", "400"])
PEOPLE = sampled_from(["Ada", "Bo", "nobody"])
ITEMS = sampled_from(["lamp", "chair, lamp", "a, b, c, d, e", "skip", "skip"])
CARDS = sampled_from(["long", "short", "skip"])
VALUES = {
    "who": PEOPLE,
    "amount": AMOUNTS,
    "items": ITEMS,
    "gift": sampled_from(["yes", "no"]),
    "card": CARDS,
    "size": sampled_from(["3", "4", "0"]),
}
GIVEN = dictionaries(
    sampled_from(["who", "amount", "items", "gift", "card", "size"]),
    sampled_from(["Ada", "nobody", 5, 70, 149, 934, True, False, ["lamp"], ["x"] * 9, None, "long", 1.5]),
    max_size=5,
)


class Guards(RuleBasedStateMachine):
    """One person, every way to bring an answer, and a world that changes."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.talk = Talk(Deal, services={World: self.world})

    def run(self, coroutine: Any) -> Any:
        played = asyncio.run(coroutine)
        if played.end is not None:
            self.run(self.talk.start())
        return played

    @initialize(prefill=GIVEN)
    def begin(self, prefill: dict[str, Any]) -> None:
        self.run(self.talk.start(prefill=prefill))

    @rule(data=tuples(*VALUES.values()))
    def answer(self, data: tuple[str, ...]) -> None:
        given = dict(zip(VALUES, data, strict=True))
        field = self.talk.instance.step.removeprefix("gathering_")
        self.run(self.talk.say(given.get(field, data[1])))

    @rule(field=sampled_from(list(VALUES)), data=tuples(*VALUES.values()))
    def correct(self, field: str, data: tuple[str, ...]) -> None:
        value = dict(zip(VALUES, data, strict=True))[field]
        self.run(self.talk.say(f"change {field} to {value}"))

    @rule(names=lists(sampled_from(list(VALUES)), min_size=2, unique=True), data=tuples(*VALUES.values()))
    def several(self, names: list[str], data: tuple[str, ...]) -> None:
        given = dict(zip(VALUES, data, strict=True))
        self.run(self.talk.say("\n".join(f"{name}: {given[name]}" for name in names)))

    @rule(
        words=sampled_from(
            ["yes", "no", "back", "skip", "that's all", "5, that's all", "add lamp", "remove lamp", "12", ""]
        )
    )
    def word(self, words: str) -> None:
        self.run(self.talk.say(words))

    @rule(data=tuples(*VALUES.values()))
    def hurry(self, data: tuple[str, ...]) -> None:
        """Answer whatever is asked until it is done, or for ten turns."""
        given = dict(zip(VALUES, data, strict=True))
        for _ in range(10):
            field = self.talk.instance.step.removeprefix("gathering_")
            if self.run(self.talk.say(given.get(field, "yes"))).end is not None:
                return

    @rule()
    def leave_and_come_back(self) -> None:
        self.run(self.talk.resume())

    @rule(given=GIVEN)
    def a_new_version(self, given: dict[str, Any]) -> None:
        old = self.talk.instance.evolve(version=1, handled_at=MONDAY)
        data, at = asyncio.run(self.talk.conductor.migrate(self.talk.definition, old, self.talk.turn("")))
        self.talk.instance = old.evolve(version=2, step=at, data=data)
        if given:
            self.run(self.talk.start(prefill=given))

    @rule(most=integers(min_value=1, max_value=200), down=sampled_from([False] * 4 + [True]))
    def the_world_changes(self, most: int, down: bool) -> None:
        self.world.most, self.world.down = most, down

    @invariant()
    def complete_saw_nothing_unsafe(self) -> None:
        for answers, most in self.world.seen:
            assert answers.amount <= most
            assert not (answers.who == "nobody" and answers.items)
            assert answers.gift or answers.card is None
            assert answers.card == "long" or answers.size is None
        self.world.seen.clear()

    @invariant()
    def there_is_always_a_question(self) -> None:
        if self.talk.instance.step:
            assert self.talk.instance.question is not None
            assert self.talk.instance.question.prompt


TestGuards = Guards.TestCase
TestGuards.settings = settings(
    max_examples=20,  # `make soak` walks further: row M2
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
