"""An amount of money: a number and its currency."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from softrail.processes.numerals import in_digits
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
    return Money(amount=read_number(_amount(message.lower(), words), words), currency=found.pop())


def _amount(text: str, words: Mapping[str, Any]) -> str:
    """The text with its amount as one number: “$2m”, “€1.200”, “five pounds fifty”, “a pound”."""
    units = "|".join(word for word in words["currencies"] if word.isalpha())
    text = in_digits(text, words).text
    text = re.sub(r"(?<=\d)\s?(?:m|mio|mn|bn)\b", lambda m: " billion" if "b" in m[0] else " million", text)
    text = re.sub(
        r"(?<![\d.,])(\d{1,3})\.(\d{3})(?![\d.,])", r"\1\2", text
    )  # nobody has a thousandth of a cent
    text = re.sub(rf"\ban?\s+(?=(?:{units})\b)", "1 ", text)
    cents = "|".join(words["numbers"]["cents"])
    parts = (
        rf"(?<![\d.,])(\d+)\s*(?:{units})\s+(?:and\s+)?(\d{{1,2}})(?:\s*(?:{cents})\b|(?=\s*(?:$|[,.;!?)])))"
    )
    return re.sub(parts, lambda m: f"{m[1]}.{int(m[2]):02}", text)
