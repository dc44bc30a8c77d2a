"""What is wrong with intents and slash words of a process's own is said when it is registered."""

from dataclasses import replace
from typing import Any, cast

import pytest
from pydantic import BaseModel

from softrail import Done, IntentDefinition, Process, Turn, step
from softrail.core.errors import DefinitionError
from softrail.core.intents import Intent, RouteResult
from softrail.core.outcomes import Outcome
from softrail.processes import define
from softrail.processes.graph import END
from softrail.registry.registry import Registry


class Nothing(BaseModel):
    """No data."""


PAUSE = IntentDefinition(name="pause_it", description="They want it to wait.", offered="active")
REDO = IntentDefinition(name="redo_it", description="They want it again.", examples=("do it again",))


class Worker(Process, name="worker"):
    """It works."""

    intents = (PAUSE, REDO)
    slashes = {"redo": "redo_it", "do-it": "redo_it"}  # noqa: RUF012 - as an author writes it

    @step(asks="What shall I do?")
    async def work(self, said: Turn, data: Nothing) -> Outcome:
        return Done("Done.")

    @step(intent=("pause_it", "redo_it"))
    async def told(self, said: Turn, data: Nothing) -> Outcome:
        assert said.intent is not None
        return Done(said.intent.name)


def worker(**settings: Any) -> type[Process]:
    return type("Other", (Worker,), settings)


async def acts(turn: Turn, intent: Intent) -> RouteResult:
    return RouteResult()


def recognise(self: Process, words: str) -> str:
    return words


class Deaf(Process, name="deaf"):
    """No step takes its intent."""

    intents = (PAUSE,)

    @step(asks="What?")
    async def work(self, said: Turn, data: Nothing) -> Outcome:
        return Done("Done.")


class Twice(Worker, name="twice"):
    @step(intent="redo_it")
    async def again(self, said: Turn, data: Nothing) -> Outcome:
        return Done("Done.")


class Unknown(Worker, name="unknown"):
    @step(intent="pase_it")
    async def again(self, said: Turn, data: Nothing) -> Outcome:
        return Done("Done.")


class Silent(Process, name="silent"):
    recognise = recognise

    @step(asks="What?")
    async def work(self, said: Turn, data: Nothing) -> Outcome:
        return Done("Done.")


@pytest.mark.parametrize(
    ("process", "says"),
    [
        (worker(intents=[PAUSE, REDO]), "It is a tuple of them"),
        (worker(intents=("pause_it",)), "It is a tuple of them"),
        (worker(intents=(PAUSE, REDO, PAUSE)), "has two intents named 'pause_it'."),
        (
            worker(intents=(replace(PAUSE, offered=cast(Any, "now")), REDO)),
            "offered = 'now'. Known: always, active.",
        ),
        (worker(intents=(replace(PAUSE, handler=acts), REDO)), "'pause_it' with a handler or a process"),
        (worker(intents=(replace(PAUSE, reply="Yes."), REDO)), "'pause_it' with a reply or an instruction"),
        (worker(intents=(REDO,)), "'told' for the intent 'pause_it', which it does not have"),
        (Deaf, "has an intent 'pause_it' that no step takes. Write: @step(intent='pause_it') above one."),
        (Twice, "has two steps for the intent 'redo_it': told and again. One takes it."),
        (Unknown, "has a step 'again' for the intent 'pase_it', which it does not have. Its intents are:"),
        (worker(slashes=("redo",)), "It is a mapping of words to intents"),
        (worker(slashes={"/redo": "redo_it"}), "has the slash word '/redo'. Such words have small letters"),
        (worker(slashes={"Redo": "redo_it"}), "has the slash word 'Redo'. Such words have small letters"),
        (
            worker(slashes={"stop": "redo_it"}),
            "has the slash word 'stop', which is the framework's. Those are:",
        ),
        (worker(slashes={"again": "redo"}), "leads /again to the intent 'redo', which it does not have"),
        (Silent, "has a recognise() and no intents that it could recognise"),
    ],
)
def test_what_cannot_work_is_refused_with_what_and_where(process: type[Process], says: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        define(process)

    assert says in refused.value.message
    assert process.__qualname__ in refused.value.message


def test_the_step_of_an_intent_is_reached_by_it_and_drawn_so() -> None:
    definition = define(Worker)

    assert definition.takes == {"pause_it": "told", "redo_it": "told"}
    assert (END, "intent pause_it", "told") in definition.edges()


def test_names_of_intents_and_slash_words_belong_to_one_process() -> None:
    registry = Registry()
    registry.register(Worker)

    with pytest.raises(DefinitionError, match="'pause_it', which is registered already by process 'worker'"):
        registry.register(type("Second", (Worker,), {"name": "second"}))
    with pytest.raises(DefinitionError, match="The intent 'pause_it' is registered already"):
        registry.register_intent(IntentDefinition(name="pause_it"), acts)


def test_an_intent_of_nobody_is_not_offered_while_something_is_active() -> None:
    with pytest.raises(DefinitionError, match="which is for intents of a process's own"):
        Registry().register_intent(PAUSE, acts)


def test_a_slash_word_belongs_to_one_process() -> None:
    class Second(Process, name="second"):
        intents = (IntentDefinition(name="other"),)
        slashes = {"redo": "other"}  # noqa: RUF012 - as an author writes it

        @step(intent="other", asks="What?")
        async def told(self, said: Turn, data: Nothing) -> Outcome:
            return Done("Done.")

    registry = Registry()
    registry.register(Worker)

    with pytest.raises(DefinitionError, match="has the slash word 'redo', which is one of 'worker' already"):
        registry.register(Second)


def test_what_is_always_offered_is_a_candidate_and_the_rest_while_a_run_is_active() -> None:
    registry = Registry()
    definition = registry.register(Worker)
    added = replace(REDO, examples=("do it again", "once more"))

    registry.register_intent(added, replace=True)

    assert [one.name for one in registry.candidates()] == ["greeting", "general_conversation", "redo_it"]
    assert {one.name for one in registry.candidates([definition])} >= {"pause_it", "redo_it"}
    assert added in registry.candidates()
    route = registry.route("redo_it")
    assert route is not None
    assert route.tells == "worker"


def test_a_replaced_process_takes_its_intents_and_slash_words_along() -> None:
    registry = Registry()
    registry.register(Worker)
    registry.register(Deafened, replace=True)

    assert registry.route("redo_it") is None
    assert registry.slash("redo") is None


class Deafened(Process, name="worker", version=2):
    @step(asks="What?")
    async def work(self, said: Turn, data: Nothing) -> Outcome:
        return Done("Done.")
