"""The orders of the shop: the one thing the process asks of the world outside."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from softrail.plugin import now


@dataclass(frozen=True, slots=True)
class Order:
    """An order as a refund needs it."""

    number: str
    item: str
    paid: str
    delivered_at: datetime


class Orders(Protocol):
    """Finds orders. An application passes its own: `build(services={Orders: ...})`."""

    async def find(self, number: str) -> Order | None:
        """The order of that number; None when there is none."""
        ...


class SampleOrders:
    """Two orders to try it with: one of last week, one of four months ago."""

    async def find(self, number: str) -> Order | None:
        """The order of that number."""
        if number == "A-1001":
            return Order(number, "the blue lamp", "49.00 EUR", now() - timedelta(days=5))
        if number == "A-1002":
            return Order(number, "the tea set", "32.50 EUR", now() - timedelta(days=120))
        return None
