"""What is on the account, and whom a person knows."""

from decimal import Decimal

from softrail import Records
from softrail.plugin import Services


class Accounts:
    """A sample: everybody begins with 1000, less what they have sent. A bank has a ledger of its own here."""

    def __init__(self, records: Records) -> None:
        self._records = records

    async def balance(self, person_id: str) -> Decimal:
        sent = await self._records.list(person_id, "transfer")
        return Decimal(1000) - sum((Decimal(one.data["amount"]) for one in sent), Decimal())

    async def contacts(self, person_id: str) -> list[str]:
        return [one.data["name"] for one in await self._records.list(person_id, "contact")]

    async def knows(self, person_id: str, name: str) -> bool:
        return name.casefold() in [known.casefold() for known in await self.contacts(person_id)]


def services(given: Services) -> dict[type, object]:
    return {Accounts: Accounts(given.service(Records))}
