"""What a script cannot say: the edges of time, another shop, and the message that leaves after the commit."""

from datetime import UTC, datetime

import pytest
from softrail.plugin import OutboxItem
from softrail.testing import FrozenClock
from softrail.testing.plugin import Talk

from refunds import Order, Orders, Refund

DELIVERED = datetime(2026, 2, 25, tzinfo=UTC)


class OneOrder:
    """A shop with one order."""

    async def find(self, number: str) -> Order | None:
        return Order("A-7777", "the chair", "80.00 EUR", DELIVERED) if number == "A-7777" else None


async def test_an_order_named_in_the_first_message_is_not_asked_for(talk: Talk) -> None:
    c = await talk(Refund)

    said = await c.say("I want my money back for A-1001, please", intent_hint="start_refund")

    assert said.text == "What was wrong with the blue lamp?"


@pytest.mark.parametrize(
    ("seconds", "step"), [(0, "reason"), (1, "too_late")], ids=["after 30 days", "a second later"]
)
async def test_money_comes_back_for_thirty_days(
    talk: Talk, frozen: FrozenClock, seconds: int, step: str
) -> None:
    c = await talk(Refund, services={Orders: OneOrder()})
    frozen.set(DELIVERED)
    c.advance(days=30, seconds=seconds)
    await c.say("I want my money back")

    assert (await c.say("A-7777")).step == step


async def test_an_application_brings_its_own_orders(talk: Talk) -> None:
    c = await talk(Refund, services={Orders: OneOrder()})
    await c.say("I want my money back")

    assert (await c.say("A-1001")).text == "I can't find that order. What is its number?"
    assert (await c.say("A-7777")).text == "What was wrong with the chair?"


async def test_an_order_is_noted_once_however_often_it_is_refunded(talk: Talk) -> None:
    c = await talk(Refund)
    for reason in ("2", "3"):
        for message in ("I want my money back", "A-1001", reason, "yes"):
            said = await c.say(message)
        assert said.effects == ["refund_saved", "accounts_told"]

    [kept] = await c.records("refund")
    assert (kept["order"], kept["reason"]) == ("A-1001", "changed_mind")


async def test_accounts_hear_of_it_after_the_commit_under_one_key_until_they_answer(talk: Talk) -> None:
    heard: list[OutboxItem] = []

    async def tell(item: OutboxItem) -> None:
        heard.append(item)
        if len(heard) == 1:
            raise ConnectionError("accounts are away")

    c = await talk(Refund, deliverers={"accounts_told": tell})
    for message in ("I want my money back", "A-1001", "2", "yes"):
        await c.say(message)
    assert heard == []

    for _ in range(3):
        await c.sweep()
        c.advance(hours=2)

    assert [item.payload["order"] for item in heard] == ["A-1001", "A-1001"]
    assert len({item.key for item in heard}) == 1
