"""What a call leaves in the person's account of the day, however it ends."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from softrail.core.decisions import Decision
from softrail.core.errors import ModelUnavailable
from softrail.core.ports import Message, Model, ModelAnswer, ModelRequest
from softrail.dialogue.metered_model import turn_passing
from softrail.models import ScriptedModel
from softrail.spending import BudgetSpent, Spending
from softrail.store import MemoryStore
from softrail.store.spending import Spent
from softrail.testing import FrozenClock

SAID = ModelAnswer(text="Hello.", model="m", input_tokens=40, output_tokens=2, cost_usd=Decimal("0.01"))
REQUEST = ModelRequest(
    purpose="respond", system="s" * 30, messages=[Message(role="user", content="u" * 30)], max_tokens=100
)
ASIDE = 20 + 100  #: 60 characters are 20 tokens, and the answer may have 100


@pytest.fixture
def spending(frozen: FrozenClock) -> Spending:
    return Spending(store=MemoryStore(), tokens_per_day=200)


def in_a_turn() -> Decision:
    return Decision(id="d", turn_id="t", session_id="s", seq=1, at=datetime(2026, 3, 2, tzinfo=UTC))


async def asked(model: Model) -> None:
    with turn_passing(in_a_turn(), None, person_id="ada"):
        await model.answer(REQUEST)


class Waiting:
    """Says one word and then nothing more."""

    name = "waiting"

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        self.asked.set()
        await asyncio.Event().wait()
        raise AssertionError

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        yield "Well"
        await asyncio.Event().wait()


async def test_what_was_set_aside_becomes_what_was_used(spending: Spending) -> None:
    await asked(spending.counted(ScriptedModel([SAID])))

    assert await spending.today("ada") == Spent(tokens=42, cost_usd=Decimal("0.01"))
    assert await spending.today("bob") == Spent()


async def test_a_failed_call_is_given_back(spending: Spending) -> None:
    with pytest.raises(ModelUnavailable):
        await asked(spending.counted(ScriptedModel([ModelUnavailable("away")])))

    assert await spending.today("ada") == Spent()


async def test_an_answer_that_could_not_be_used_is_paid_for(spending: Spending) -> None:
    declined = ModelUnavailable("declined")
    declined.spent = SAID
    model = spending.counted(ScriptedModel([declined, declined]))

    with pytest.raises(ModelUnavailable):
        await asked(model)
    with pytest.raises(ModelUnavailable), turn_passing(in_a_turn(), None, person_id="ada"):
        [piece async for piece in model.stream(REQUEST)]

    assert await spending.today("ada") == Spent(tokens=84, cost_usd=Decimal("0.02"))


async def test_a_call_that_is_cut_off_keeps_what_was_set_aside(spending: Spending) -> None:
    model = Waiting()
    task = asyncio.create_task(asked(spending.counted(model)))
    await model.asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert (await spending.today("ada")).tokens == ASIDE
    with pytest.raises(BudgetSpent):
        await asked(spending.counted(ScriptedModel([])))


async def test_a_stream_whose_reader_leaves_keeps_what_was_set_aside(spending: Spending) -> None:
    with turn_passing(in_a_turn(), None, person_id="ada"):
        pieces = spending.counted(Waiting()).stream(REQUEST)
        assert await anext(pieces) == "Well"
        await pieces.aclose()  # type: ignore[attr-defined] # it is a generator

    assert (await spending.today("ada")).tokens == ASIDE


async def test_the_room_that_a_model_needs_for_thinking_is_set_aside_too(spending: Spending) -> None:
    with pytest.raises(BudgetSpent):
        await asked(spending.counted(ScriptedModel([]), room=2_048))


async def test_an_own_account_is_counted_apart_and_has_no_limit(spending: Spending) -> None:
    model = spending.counted(ScriptedModel([SAID] * 10), account="person")
    for _ in range(10):
        await asked(model)

    assert await spending.today("ada") == Spent(own_tokens=420, cost_usd=Decimal("0.10"))


async def test_a_day_ends_at_midnight_in_utc(spending: Spending, frozen: FrozenClock) -> None:
    await asked(spending.counted(ScriptedModel([SAID])))
    frozen.advance(days=1)

    assert await spending.today("ada") == Spent()


async def test_calls_outside_of_turns_are_nobodys(spending: Spending) -> None:
    await spending.counted(ScriptedModel([SAID])).answer(REQUEST)

    assert await spending.store.records("ada") == []
