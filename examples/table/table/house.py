"""The house: when a table is free, and who hears that one is held or free again."""

from collections.abc import Mapping
from datetime import date, time

from softrail.plugin import Deliverer, OutboxItem, Services

HOURS = (time(18), time(19), time(20), time(21))


class House:
    """A sample with one table an hour, kept in memory: what it holds is gone when the server ends."""

    def __init__(self) -> None:
        self._held: dict[str, tuple[str, str] | None] = {}

    async def free(self, day: date) -> list[time]:
        return [hour for hour in HOURS if (day.isoformat(), hour.isoformat()) not in self._held.values()]

    async def hold(self, item: OutboxItem) -> None:
        """Delivered once more, or after it was given back, it changes nothing."""
        self._held.setdefault(item.payload["booking"], (item.payload["day"], item.payload["hour"]))

    async def give_back(self, item: OutboxItem) -> None:
        self._held[item.payload["booking"]] = None


def services(given: Services) -> Mapping[type, object]:
    return {House: House()}


def deliverers(given: Services) -> Mapping[str, Deliverer]:
    house = given.service(House)
    return {"table_held": house.hold, "table_free": house.give_back}
