"""What is on the account, and whom a person knows: the two questions the processes ask."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from softrail import Records
from softrail.plugin import Services


class Accounts:
    """A sample: everybody begins with 1000, less what they have sent. A bank has a ledger of its own here."""

    def __init__(self, records: Records) -> None:
        self._records = records

    async def balance(self, person_id: str) -> Decimal:
        sent = await self._records.list(person_id, "transfer")
        return Decimal(1000) - sum((Decimal(one.data["amount"]) for one in sent), Decimal())

    async def contacts(self, person_id: str) -> dict[str, dict[str, Any]]:
        """By their name in small letters."""
        return {one.key: one.data for one in await self._records.list(person_id, "contact")}


def services(given: Services) -> Mapping[type, object]:
    return {Accounts: Accounts(given.service(Records))}
