"""An amount of money: a number and its currency."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from softrail.processes.quantities import read_number
from softrail.processes.unread import Unread

_WORD = re.compile(r"[a-z]+|[$€£¥₹]", re.IGNORECASE)


class Money(BaseModel):
    """An amount and its currency, e.g. 40 EUR."""

    model_config = ConfigDict(frozen=True)

    amount: Decimal
    currency: str = Field(pattern=r"^[A-Z]{3}$")  #: ISO 4217

    def __str__(self) -> str:
        return f"{self.amount} {self.currency}"


def read_money(message: str, words: Mapping[str, Any]) -> Money:
    """The one amount a message names, with its currency; raises Unread where one of them is missing or not clear."""
    table: Mapping[str, str] = words["currencies"]
    said = [word.lower() for word in _WORD.findall(message)]
    found = {table[word] for word in said if word in table}
    if len(found) != 1:
        raise Unread("no_money")
    return Money(amount=read_number(message, words), currency=found.pop())
