"""Steps of one's own, through the conductor."""

import asyncio
import json
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from pydantic import BaseModel

from softrail.core.effects import Effect, Record
from softrail.core.errors import ModelUnavailable, StepFailed
from softrail.core.outcomes import Ask, Decline, Done, Goto, Outcome, Release, Reroute
from softrail.core.questions import Option
from softrail.core.turns import Turn
from softrail.processes import Process, step
from tests.unit.processes.kit import MONDAY, Talk


class Clock:
    """A service of the application."""

    word = "tick"


class Data(BaseModel):
    order: str = ""
    notes: list[str] = []


class Refund(Process, name="refund", version=1):
    """Gives money back."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    @step(asks="Which order?", goes_to=("check",))
    async def order(self, said: Turn, data: Data) -> Outcome:
        if said.message == "none":
            return Decline("Fine.")
        data.order = said.message
        return Goto("check", say="Looking.", data=data, effects=[Effect(kind="looked", summary="Looked up")])

    @step(goes_to=("confirm", "order"))
    def check(self, said: Turn, data: Data, clock: Clock) -> Outcome:
        if data.order == "0":
            return Goto("order", say=f"{clock.word}: no such order.")
        options: list[str | Option] = ["Yes", Option(label="No", value="n")]
        return Ask(f"Refund {data.order}?", step="confirm", options=options, takes_anything=True)

    @step()
    async def confirm(self, said: Turn, data: Data) -> Outcome:
        if said.choice == "Yes":
            return Done("Done.", effects=[Record("refund", data)])
        if said.choice == "n":
            return Release(close=True)
        return Ask("Yes or no?", kind="approve", tail=True, default_after=timedelta(hours=1))


SERVICES: dict[type, object] = {Clock: Clock()}


async def test_a_step_asks_on_entry_and_receives_the_answer() -> None:
    talk = Talk(Refund, services=SERVICES)
    started = await talk.start("refund please")
    assert (started.step, started.say) == ("order", "Which order?")
    asked = await talk.say("A7")
    assert (asked.step, asked.say) == ("confirm", "Looking.\n\nRefund A7?")
    assert asked.effects == (Effect(kind="looked", summary="Looked up"),)
    done = await talk.say("Yes")
    assert done.end == "completed"
    assert done.effects == (Record("refund", {"order": "A7", "notes": []}),)


async def test_the_value_of_the_chosen_option_is_the_choice_however_it_is_typed() -> None:
    talk = Talk(Refund, services=SERVICES)
    await talk.start()
    await talk.say("A7")
    assert (await talk.say("b")).release == Release(close=True)


async def test_a_goto_back_asks_that_steps_question_after_the_words_said() -> None:
    talk = Talk(Refund, services=SERVICES)
    await talk.start()
    played = await talk.say("0")
    assert (played.step, played.say) == ("order", "Looking.\n\ntick: no such order.\n\nWhich order?")


async def test_what_an_ask_says_of_its_question_is_kept() -> None:
    talk = Talk(Refund, services=SERVICES)
    await talk.start()
    await talk.say("A7")
    question = (await talk.say("hm")).question
    assert question is not None
    assert (question.kind, question.tail, question.expires_at) == (
        "approve",
        True,
        MONDAY + timedelta(hours=1),
    )


async def test_a_decline_ends_it() -> None:
    talk = Talk(Refund, services=SERVICES)
    await talk.start()
    played = await talk.say("none")
    assert (played.end, played.say, played.step) == ("declined", "Fine.", "order")


async def test_resume_asks_the_open_question_again() -> None:
    talk = Talk(Refund, services=SERVICES)
    await talk.start()
    await talk.say("A7")
    before = talk.instance.question
    played = await talk.resume(after=timedelta(days=2))
    assert (played.step, played.question, played.say) == ("confirm", before, "Refund A7?")


async def test_a_questions_default_reaches_the_step_as_a_turn_of_the_timer() -> None:
    class Waiter(Process, name="waiter", version=1):
        @step(options=["a", "b"], asks="a or b?")
        async def pick(self, said: Turn, data: Data) -> Outcome:
            return Done("a by default" if said.origin == "timer" else str(said.choice))

    talk = Talk(Waiter)
    await talk.start()
    played = await talk.conductor.default(talk.definition, talk.instance, talk.turn(""))
    assert played.say == "a by default"


def process_that(act: Callable[[Data], Any], *, plain: bool = False) -> type[Process]:
    """A process whose second step does `act`."""

    class Trial(Process, name="trial", version=1):
        @step(asks="Go?", goes_to=("other",))
        async def go(self, said: Turn, data: Data) -> Outcome:
            result: Outcome = act(data)
            return result

        @step(goes_to=("go",))
        async def other(self, said: Turn, data: Data) -> Outcome:
            return Goto("go")

    class Plain(Process, name="trial", version=1):
        @step(asks="Go?")
        def go(self, said: Turn, data: Data) -> Outcome:
            result: Outcome = act(data)
            return result

    return Plain if plain else Trial


def throw(error: BaseException) -> Any:
    raise error


def deep(data: Data) -> Any:
    return deep(data)


@pytest.mark.parametrize("plain", [False, True], ids=["async", "plain"])
@pytest.mark.parametrize(
    "act",
    [
        lambda data: throw(ValueError("no")),
        lambda data: throw(SystemExit(1)),
        lambda data: throw(KeyboardInterrupt()),
        lambda data: throw(MemoryError()),
        lambda data: throw(asyncio.CancelledError()),
        lambda data: throw(ModelUnavailable("away")),
        lambda data: throw(GeneratorExit()),
        deep,
    ],
    ids=["value", "exit", "interrupt", "memory", "cancelled", "model", "generator", "recursion"],
)
async def test_whatever_a_step_raises_is_a_failed_step_and_nothing_else(
    act: Callable[[Data], Any], plain: bool
) -> None:
    talk = Talk(process_that(act, plain=plain))
    await talk.start()
    before = talk.instance
    with pytest.raises(StepFailed, match="Step 'go' of process 'trial'") as failed:
        await talk.say("go")
    assert failed.value.kind == "raised"
    assert talk.instance == before


def circle(data: Data) -> Outcome:
    data.notes.append(data.notes)  # type: ignore[arg-type] # that is the point
    return Done("x", data=data)


def nan(data: Data) -> Outcome:
    return Done("x", effects=[Record("r", {"n": float("nan")})])


class Strange(BaseModel):
    thing: Any = None


async def later() -> Outcome:
    return Done("late")


@pytest.mark.parametrize(
    "act",
    [
        lambda data: None,
        lambda data: "Done",
        lambda data: later(),
        lambda data: (n for n in [Done("x")]),
        lambda data: Outcome(),
        lambda data: Done,
        lambda data: Done("x", data={"order": "7"}),
        lambda data: Done("x", data=Strange()),
        lambda data: Done("x", data=data.model_copy(update={"order": 7})),
        lambda data: Done("x", data=data.model_copy(update={"order": "x" * 300_000})),
        lambda data: Done("x", data=data.model_copy(update={"order": "\ud800"})),
        lambda data: Done("x", data=data.model_copy(update={"order": object()})),
        lambda data: Done("\ud800"),
        lambda data: Done(7),  # type: ignore[arg-type] # that is the point
        lambda data: Done("x", suggested_actions=[7]),  # type: ignore[list-item] # that is the point
        lambda data: Ask(""),
        lambda data: Ask("a?", kind="offer"),  # type: ignore[arg-type] # that is the point
        lambda data: Ask("a?", default_after=timedelta.max),
        lambda data: Ask("a?", options=[7]),  # type: ignore[list-item] # that is the point
        lambda data: Done("x", effects=[object()]),  # type: ignore[list-item] # that is the point
        lambda data: Done("x", effects=[Record("r", {"o": object()})]),
        lambda data: Done("x", effects=[Effect(kind="e", summary="s", payload={"s": "\udc00"})]),
        lambda data: Done("x", reroute=[Reroute(message="m", intent="i", parameters={"f": float("inf")})]),
        circle,
        nan,
    ],
)
async def test_whatever_is_no_outcome_is_refused_before_it_is_kept(act: Callable[[Data], Any]) -> None:
    talk = Talk(process_that(act))
    await talk.start()
    before = talk.instance
    with pytest.raises(StepFailed) as failed:
        await talk.say("go")
    assert failed.value.kind == "not_an_outcome"
    assert talk.instance == before


async def test_a_way_that_was_not_declared_is_refused_by_name() -> None:
    talk = Talk(process_that(lambda data: Goto("nowhere")))
    await talk.start()
    with pytest.raises(StepFailed, match="'nowhere', which is not in its goes_to: other"):
        await talk.say("go")


@pytest.mark.parametrize(
    "kept", [pytest.param("\udc00", id="half a letter"), pytest.param(210, id="too deep")]
)
async def test_what_a_step_has_kept_and_the_next_one_cannot_be_handed_is_refused(kept: str | int) -> None:
    class Loose(BaseModel):
        anything: Any = None

    class Handing(Process, name="handing", version=1):
        @step(asks="Well?", goes_to=("other",))
        async def first(self, said: Turn, data: Loose) -> Outcome:
            data.anything = kept if isinstance(kept, str) else None
            for _ in range(kept if isinstance(kept, int) else 0):
                data.anything = [data.anything]
            return Goto("other", data=data)

        @step()
        async def other(self, said: Turn, data: Loose) -> Outcome:
            return Done("It was handed on.")

    talk = Talk(Handing)
    await talk.start()
    before = talk.instance
    with pytest.raises(StepFailed) as failed:
        await talk.say("go")
    assert (failed.value.kind, talk.instance) == ("not_an_outcome", before)


async def test_steps_that_lead_round_and_round_are_stopped_after_twenty() -> None:
    entered: list[str] = []

    class Round(Process, name="round", version=1):
        @step(goes_to=("two",))
        async def once(self, said: Turn, data: Data) -> Outcome:
            entered.append("once")
            return Goto("two")

        @step(goes_to=("once",))
        async def two(self, said: Turn, data: Data) -> Outcome:
            entered.append("two")
            return Goto("once")

    with pytest.raises(StepFailed, match="20 times in one turn"):
        await Talk(Round).start()
    assert len(entered) == 21


async def test_an_async_step_that_hangs_is_cancelled_at_its_limit() -> None:
    ended = asyncio.Event()

    class Hanging(Process, name="hanging", version=1):
        @step(limit=timedelta(milliseconds=20))
        async def hang(self, said: Turn, data: Data) -> Outcome:
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()
            return Done("never")

    with pytest.raises(StepFailed) as failed:
        await Talk(Hanging).start()
    assert failed.value.kind == "hung"
    await asyncio.wait_for(ended.wait(), 60)


async def test_a_plain_step_that_hangs_blocks_nobody_and_its_late_result_is_dropped() -> None:
    go_on, ended = threading.Event(), threading.Event()

    class Hanging(Process, name="hanging", version=1):
        @step(limit=timedelta(milliseconds=20))
        def hang(self, said: Turn, data: Data) -> Outcome:
            go_on.wait(10)
            ended.set()
            return Done("too late")

    with pytest.raises(StepFailed) as failed:
        await Talk(Hanging).start()
    assert failed.value.kind == "hung"
    go_on.set()
    assert await asyncio.to_thread(ended.wait, 5)


async def test_a_cancellation_from_outside_passes_through_and_reaches_the_step() -> None:
    began, cancelled = asyncio.Event(), asyncio.Event()

    class Long(Process, name="long", version=1):
        @step()
        async def work(self, said: Turn, data: Data) -> Outcome:
            began.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                cancelled.set()
                raise
            return Done("never")

    task = asyncio.create_task(Talk(Long).start())
    await began.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(cancelled.wait(), 60)


async def test_data_that_a_step_changes_and_does_not_return_is_unchanged() -> None:
    held: list[Data] = []

    def keep(data: Data) -> Outcome:
        held.append(data)
        data.order = "changed"
        return Ask("Again?")

    talk = Talk(process_that(keep))
    await talk.start()
    await talk.say("go")
    held[0].notes.append("later")
    await talk.say("go")
    assert json.loads(talk.instance.data)["data"] == {"order": "", "notes": []}
    assert held[1].notes == []


async def test_effects_share_nothing_with_what_the_step_still_holds() -> None:
    held: list[dict[str, Any]] = []

    def record(data: Data) -> Outcome:
        held.append({"items": ["a"]})
        return Ask("Again?", effects=[Record("r", held[0])])

    talk = Talk(process_that(record))
    await talk.start()
    played = await talk.say("go")
    held[0]["items"].append("b")
    assert played.effects == (Record("r", {"items": ["a"]}),)


async def test_a_prefill_fills_the_data_and_one_that_does_not_fit_fails() -> None:
    talk = Talk(process_that(lambda data: Ask(f"order {data.order}")))
    await talk.start(prefill={"order": "A7"})
    assert (await talk.say("go")).say == "order A7"
    with pytest.raises(StepFailed):
        await talk.start(prefill={"order": ["A7"]})


async def test_a_step_that_is_gone_and_broken_hooks_never_stop_the_way_out() -> None:
    class Broken(Process, name="broken", version=1):
        @step(asks="Go?")
        async def go(self, said: Turn, data: Data) -> Outcome:
            return Done("x")

        def kept(self, data: Any) -> str:
            raise SystemExit

        def slot(self, data: Any) -> str:
            raise RecursionError

        async def offer_when(self, turn: Turn) -> bool:
            raise KeyboardInterrupt

    talk = Talk(Broken)
    await talk.start()
    assert talk.conductor.kept(talk.definition, talk.instance) == ""
    assert talk.conductor.slot(talk.definition, talk.instance) == ""
    with pytest.raises(StepFailed):
        await talk.conductor.offer_when(talk.definition, talk.turn("hi"))
    gone = talk.instance.evolve(step="renamed")
    with pytest.raises(StepFailed, match="Its steps are: go") as failed:
        await talk.conductor.answer(talk.definition, gone, talk.turn("x"))
    assert failed.value.kind == "unreadable"


async def test_migrate_brings_an_older_state_into_the_new_form() -> None:
    class Newer(Process, name="refund", version=2):
        on_new_version = "migrate"

        class Data(BaseModel):
            orders: list[str] = []

        @step(asks="Which orders?")
        async def orders(self, said: Turn, data: Data) -> Outcome:
            return Done(", ".join(data.orders))

        @classmethod
        def migrate(cls, data: dict[str, Any], *, from_version: int, step: str) -> tuple[dict[str, Any], str]:
            if from_version == 0:
                return {"lost": 1}, "orders"
            return {"orders": [data["order"]]}, {"confirm": "orders"}[step]

    old = Talk(Refund, services=SERVICES)
    await old.start()
    await old.say("A7")
    new = Talk(Newer)
    data, at = await new.conductor.migrate(new.definition, old.instance, new.turn(""))
    assert (json.loads(data)["data"], at) == ({"orders": ["A7"]}, "orders")
    for broken in (old.instance.evolve(version=0), old.instance.evolve(step="unknown")):
        with pytest.raises(StepFailed):
            await new.conductor.migrate(new.definition, broken, new.turn(""))


async def test_a_type_that_cannot_be_shown_fails_its_process_only() -> None:
    class Shy(str):
        def __str__(self) -> str:
            raise RuntimeError("not telling")

    class Held(BaseModel):
        name: str = ""

        def model_post_init(self, context: Any) -> None:
            self.name = Shy("x")

    class Showing(Process, name="showing", version=1):
        @step(asks="Is it {name}?")
        async def show(self, said: Turn, data: Held) -> Outcome:
            return Done("x")

    with pytest.raises(StepFailed, match="RuntimeError: not telling"):
        await Talk(Showing).start()
