"""What is wrong with a process is said at registration, in full sentences."""

from datetime import timedelta
from typing import Any

import pytest
from pydantic import BaseModel

from softrail.core.errors import DefinitionError
from softrail.core.outcomes import Done, Goto, Outcome
from softrail.core.turns import Turn
from softrail.processes import Process, ask, check, define, step


class Data(BaseModel):
    order: str = ""


class Needy(BaseModel):
    order: str


class Service:
    pass


class Fine(Process, name="fine", version=1):
    """Nothing is wrong with it. Not even here.

    More words.
    """

    starts_on = ("begin",)
    names = ("the fine one",)

    @step(asks="Which {order}?", goes_to=("confirm",), contract="questions_pass", takes_anything=True)
    async def order(self, said: Turn, data: Data) -> Outcome:
        return Goto("confirm")

    @step()
    async def confirm(self, said: Turn, data: Data) -> Outcome:
        return Done("x")


def test_a_definition_says_what_the_registry_needs() -> None:
    definition = define(Fine)
    assert list(definition.steps) == ["order", "confirm"]
    assert definition.first == "order"
    assert definition.description == "Nothing is wrong with it. Not even here."
    assert definition.names == ("fine", "the fine one")
    assert definition.contract_of("order") == "questions_pass"
    assert definition.contract_of("confirm") == definition.contract_of("unknown") == "exclusive"
    assert definition.takes_anything("order")
    assert not definition.takes_anything("confirm")
    assert definition.texts() == {"fine/order": "Which {order}?"}


def with_step(**marks: Any) -> type[Process]:
    class Wrong(Process, name="wrong", version=1):
        @step(**marks)
        async def only(self, said: Turn, data: Data) -> Outcome:
            return Done("x")

    return Wrong


def with_setting(**settings: Any) -> type[Process]:
    return type("Wrong", (Fine,), settings, name="wrong")


def with_answers(answers: type[BaseModel]) -> type[Process]:
    async def complete(self: Process, answers: Any, turn: Turn) -> Outcome:
        return Done("x")

    return type("Wrong", (Process,), {"Answers": answers, "complete": complete}, name="wrong")


class Unreadable(BaseModel):
    at: complex = ask("When?")


class Unasked(BaseModel):
    name: str
    size: int = ask("How big?")


class AskedInVain(BaseModel):
    name: str = ask("Hello {nobody}?")


class Misled(Process, name="wrong", version=1):
    class Answers(BaseModel):
        name: str = ask("Name?")

    @check("name", goes_to=("chek",))
    async def known(self, answers: Answers, turn: Turn) -> Goto | None:
        return None

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("x")


class JudgesNothing(Process, name="wrong", version=1):
    class Answers(BaseModel):
        name: str = ask("Name?")

    @check("nmae")
    async def known(self, answers: Answers, turn: Turn) -> None:
        return None

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("x")


class Sudden(BaseModel):
    name: str = ask("Name?", when=lambda a: True)


class SameWords(BaseModel):
    today: str = ask("Today?", names=("plan",))
    tomorrow: str = ask("Tomorrow?", names=("Plan!",))


class Unconfirmed(Process, name="wrong", version=1):
    class Answers(BaseModel):
        name: str = ask("Name?")


class Lost(Process, name="wrong", version=1):
    @step()
    async def single(self, said: Turn, data: Data) -> Outcome:
        return Done("x")

    @step()
    async def island(self, said: Turn, data: Data) -> Outcome:
        return Done("x")


class Mixed(Process, name="wrong", version=1):
    @step(goes_to=("two",))
    async def single(self, said: Turn, data: Data) -> Outcome:
        return Goto("two")

    @step()
    async def two(self, said: Turn, data: Unreadable) -> Outcome:
        return Done("x")


class NeedsArguments(Process, name="wrong", version=1):
    @step()
    async def single(self, said: Turn, data: Needy) -> Outcome:
        return Done("x")


class NoData(Process, name="wrong", version=1):
    @step()
    async def single(self, said: Turn) -> Outcome:
        return Done("x")


class NotAModel(Process, name="wrong", version=1):
    @step()
    async def single(self, said: Turn, data: dict[str, str]) -> Outcome:
        return Done("x")


class Generates(Process, name="wrong", version=1):
    @step()
    def single(self, said: Turn, data: Data) -> Any:
        yield Done("x")


class WantsService(Process, name="wrong", version=1):
    @step()
    async def single(self, said: Turn, data: Data, service: Service) -> Outcome:
        return Done("x")


class BuiltWithService(Fine, name="wrong"):
    def __init__(self, service: Service) -> None: ...


class CannotBeMade(Fine, name="wrong"):
    def __init__(self) -> None:
        raise SystemExit


class NoMigration(Fine, name="wrong"):
    on_new_version = "migrate"


class TakenName(Process, name="wrong", version=1):
    kept = with_step().only  # type: ignore[attr-defined] # made by hand


class Nameless(Process):
    pass


class Empty(Process, name="wrong", version=1):
    pass


@pytest.mark.parametrize(
    ("process", "says"),
    [
        (
            with_step(goes_to=("confrim",)),
            "goes to step 'confrim', which does not exist. Its steps are: only.",
        ),
        (with_step(asks="Which {ordr}?"), "asks at step 'only' with {ordr}, which its data does not have"),
        (with_step(asks=" "), "asks nothing"),
        (with_step(asks="A?", options=("a", "A.")), "twice or empty"),
        (with_step(options=("a",)), "options and no question"),
        (with_step(limit=timedelta(0)), "limit"),
        (with_step(contract="mine"), "Known: exclusive, questions_pass, background"),
        (with_setting(idle_timeout=30), "idle_timeout = 30. It is a timedelta"),
        (with_setting(retention=timedelta(0)), "longer than nothing"),
        (with_setting(contract="mine"), "Known: exclusive, questions_pass, background"),
        (with_setting(starts_on="begin"), "a tuple of words"),
        (with_setting(starts_on=("go", "Go!")), "more than once in starts_on"),
        (with_setting(version=0), "whole numbers from 1"),
        (with_setting(priority="high"), "priority"),
        (with_answers(Unreadable), "'at' of type <class 'complex'>, which no reader knows"),
        (with_answers(Unasked), "no question for the answer 'name'"),
        (with_answers(AskedInVain), "{nobody}"),
        (Misled, "'chek', which does not exist"),
        (JudgesNothing, "has a check 'known' of 'nmae', which it does not ask for. It asks for: name"),
        (with_answers(Sudden), "needs a default"),
        (with_answers(SameWords), "calls both 'today' and 'tomorrow' 'Plan!'"),
        (Unconfirmed, "no complete()"),
        (TakenName, "has a step 'kept'; that name is taken"),
        (Lost, "can never reach step island from its first step 'single'"),
        (Mixed, "All steps of a class share one model"),
        (NeedsArguments, "Needy, which cannot be made without arguments"),
        (NoData, "does not take (self, said: Turn, data: …)"),
        (NotAModel, "not annotated with a pydantic model"),
        (Generates, "is a generator"),
        (WantsService, "'service' (Service), for which there is no service"),
        (BuiltWithService, "'service' (Service), for which there is no service"),
        (CannotBeMade, "SystemExit"),
        (NoMigration, "has no migrate()"),
        (Nameless, "has no name"),
        (Empty, "has nothing to do"),
    ],
)
def test_a_process_that_cannot_work_is_refused_with_what_and_where(process: type[Process], says: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        define(process)
    assert says in refused.value.message
    assert process.__qualname__ in refused.value.message


def test_services_are_found_by_annotation_and_may_be_absent_where_none_will_do() -> None:
    class Optional(Fine, name="optional"):
        def __init__(self, service: Service, other: Data | None, third: int = 3) -> None:
            self.given = (service, other, third)

    service = Service()
    made = define(Optional, services={Service: service}).process
    assert isinstance(made, Optional)
    assert made.given == (service, None, 3)


def test_a_class_compiled_again_gets_the_services_given_then_and_what_was_changed_since() -> None:
    class Served(Fine, name="served"):
        def __init__(self, service: Service) -> None:
            self.service = service

    first, second = Service(), Service()
    before, again = (define(Served, services={Service: one}) for one in (first, second))
    Served.title = "the serving"

    assert [made.process.service for made in (before, again)] == [first, second]  # type: ignore[attr-defined]
    assert (again.title, define(Served, services={Service: first}).title) == ("the served", "the serving")
    with pytest.raises(DefinitionError, match="for which there is no service"):
        define(Served)


def test_a_class_is_compiled_once_also_where_it_annotates_nothing() -> None:
    class Bare(Fine, name="bare"):
        pass

    assert define(Bare).steps is define(Bare).steps


class Trip(BaseModel):
    where: str = ask("Where to?")


def test_a_hook_takes_what_it_is_called_with() -> None:
    class Forgetful(Process, name="trip", version=1):
        starts_on = ("a trip",)
        Answers = Trip

        async def complete(self, answers: Trip) -> Done:  # type: ignore[override]
            return Done(answers.where)

    with pytest.raises(DefinitionError, match=r"complete\(\) that does not take \(self, answers, turn\)"):
        define(Forgetful)

    class More(Process, name="trip", version=1):
        starts_on = ("a trip",)
        Answers = Trip

        async def complete(self, answers: Trip, turn: Turn, *, loud: bool = False) -> Done:
            return Done(answers.where)

    define(More)


def test_a_plain_hook_takes_what_it_is_called_with() -> None:
    class Nameless(Process, name="trip", version=1):
        starts_on = ("a trip",)
        Answers = Trip

        def slot(self) -> str:  # type: ignore[override]
            return "one"

        async def complete(self, answers: Trip, turn: Turn) -> Done:
            return Done(answers.where)

    with pytest.raises(DefinitionError, match=r"slot\(\) that does not take \(self, data\)"):
        define(Nameless)
