"""The door to the model: one account per turn, one limit of time, and the person's own model first."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from softrail.core.decisions import Decision
from softrail.core.errors import ModelUnavailable, ModelUnreachable
from softrail.core.ports import Message, ModelAnswer, ModelRequest
from softrail.dialogue.metered_model import ModelDoor, turn_passing
from softrail.models import PlainModel, ScriptedModel

REQUEST = ModelRequest(purpose="respond", system="", messages=[Message(role="user", content="hello")])


def record() -> Decision:
    return Decision(id="d", turn_id="t", session_id="s", seq=1, at=datetime(2026, 3, 2, tzinfo=UTC))


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


async def test_all_calls_of_a_turn_share_one_limit_of_time() -> None:
    model, clock = ScriptedModel(["one", "two", "three"]), Clock()
    door, decision = ModelDoor(model, seconds=30.0, clock=clock), record()

    with turn_passing(decision, None):
        await door.answer(REQUEST)
        clock.now += 20
        await door.answer(REQUEST)
        clock.now += 10
        with pytest.raises(ModelUnavailable, match="all the time"):
            await door.answer(REQUEST)
    with turn_passing(record(), None):
        await door.answer(REQUEST)

    assert [request.seconds for request in model.requests] == [30.0, 10.0, 30.0]


async def test_it_is_noted_how_long_a_call_took() -> None:
    clock, decision = Clock(), record()

    class Slow(ScriptedModel):
        async def answer(self, request: ModelRequest) -> ModelAnswer:
            clock.now += 1.25
            return await super().answer(request)

    door = ModelDoor(Slow(["one", ModelUnavailable("away")]), clock=clock)
    with turn_passing(decision, None):
        await door.answer(REQUEST)
        with pytest.raises(ModelUnavailable):
            await door.answer(REQUEST)
        async for _ in ModelDoor(ScriptedModel(["three"]), clock=clock).stream(REQUEST):
            clock.now += 0.5

    assert [(call.ok, call.milliseconds) for call in decision.model_calls[:2]] == [
        (True, 1250),
        (False, 1250),
    ]
    assert (decision.model_calls[2].milliseconds or 0) >= 500


async def test_all_calls_of_a_turn_share_two_new_tries() -> None:
    once = ModelAnswer(text="a", model="m", retries=1)
    failed = ModelUnreachable("busy", retries=1)
    model = ScriptedModel([once, failed, "c", "d"])
    door = ModelDoor(model)

    with turn_passing(record(), None):
        await door.answer(REQUEST)
        with pytest.raises(ModelUnreachable):
            await door.answer(REQUEST)
        await door.answer(REQUEST)
    with turn_passing(record(), None):
        await door.answer(REQUEST)

    assert [request.retries for request in model.requests] == [2, 1, 0, 2]


async def test_the_record_of_a_turn_holds_what_every_call_used_and_cost() -> None:
    paid = ModelAnswer(
        text="a",
        model="m-1",
        input_tokens=10,
        output_tokens=2,
        cached_tokens=4,
        cache_write_tokens=3,
        cost_usd=Decimal("0.5"),
        paid_by="person",
    )
    door, decision = ModelDoor(ScriptedModel([paid, paid]), clock=Clock()), record()

    with turn_passing(decision, None):
        await door.answer(REQUEST)
        [piece async for piece in door.stream(REQUEST)]

    first, second = decision.model_calls
    assert first == second
    assert (first.model, first.input_tokens, first.cached_tokens, first.cache_write_tokens) == (
        "m-1",
        10,
        4,
        3,
    )
    assert (first.cost_usd, first.paid_by, decision.cost_usd) == (Decimal("0.5"), "person", Decimal("1.0"))
    assert Decision.from_json(decision.to_json()) == decision


def refusal() -> ModelUnavailable:
    error = ModelUnavailable("The model declined to answer.")
    error.spent = ModelAnswer(text="", model="m-1", input_tokens=7, cost_usd=Decimal("0.25"))
    return error


@pytest.mark.parametrize(
    ("error", "cost"),
    [
        (refusal(), Decimal("0.25")),
        (ModelUnavailable("no", status=401), Decimal(0)),
        (ModelUnavailable("spent", asked=False), Decimal(0)),
        (ModelUnreachable("too slow", status=None), None),
    ],
    ids=["paid and unusable", "refused", "never asked", "nobody knows"],
)
async def test_a_failed_call_says_why_and_costs_what_is_known(
    error: ModelUnavailable, cost: Decimal | None
) -> None:
    door, decision = ModelDoor(ScriptedModel([error, error])), record()

    with turn_passing(decision, None):
        with pytest.raises(ModelUnavailable):
            await door.answer(REQUEST)
        with pytest.raises(ModelUnavailable):
            [piece async for piece in door.stream(REQUEST)]

    assert [(c.ok, c.error, c.cost_usd) for c in decision.model_calls] == [(False, error.message, cost)] * 2
    assert decision.cost_usd == (None if cost is None else 2 * cost)


async def test_a_turn_without_calls_costs_nothing() -> None:
    assert record().cost_usd == 0


async def test_the_persons_own_model_is_asked_and_named_within_their_turn_alone() -> None:
    own = ScriptedModel(["mine"], name="claude-own")
    door = ModelDoor(PlainModel())

    with turn_passing(record(), None, own=own):
        assert door.name == "claude-own"
        assert (await door.answer(REQUEST)).text == "mine"
    assert door.name == "plain"


async def test_a_reader_who_leaves_closes_the_stream_and_is_noted() -> None:
    closed = []

    class Endless:
        name = "endless"

        async def answer(self, request: ModelRequest) -> ModelAnswer:
            raise NotImplementedError

        async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
            try:
                while True:
                    yield "word "
            finally:
                closed.append(True)

    decision = record()
    with turn_passing(decision, None):
        pieces = ModelDoor(Endless()).stream(REQUEST)
        await anext(pieces)
        await pieces.aclose()  # type: ignore[attr-defined] # it is a generator

    assert closed == [True]
    assert [(call.ok, call.cost_usd) for call in decision.model_calls] == [(False, None)]


class Deaf:
    """A model that never answers and keeps no limit."""

    name = "deaf"

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        await asyncio.Event().wait()
        raise AssertionError

    def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        raise NotImplementedError


async def test_a_call_that_is_cut_off_is_on_record_all_the_same() -> None:
    door, decision = ModelDoor(Deaf()), record()
    with turn_passing(decision, None), pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await door.answer(REQUEST)

    [call] = decision.model_calls
    assert (call.ok, call.error, call.cost_usd) == (False, "The call was cut off.", None)
