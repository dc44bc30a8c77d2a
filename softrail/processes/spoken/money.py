"""An amount of money: a number and its currency."""

from decimal import Decimal
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from softrail.core.questions import Option
from softrail.processes.spoken.numbers import read_number
from softrail.processes.spoken.said import said
from softrail.processes.unread import Unread

_MEASURED: Final = (
    "around* n full? dash? (?!currency|million)(?:mass|distance|volume|area)"  #: "2 kg" is no money
)
_FOR_EACH: Final = "every|by_much|per|currency a"


class Money(BaseModel):
    """An amount and its currency, e.g. 40 EUR."""

    model_config = ConfigDict(frozen=True)

    amount: Decimal
    currency: str = Field(pattern=r"^[A-Z]{3}$")  #: ISO 4217

    def __str__(self) -> str:
        return f"{self.amount} {self.currency}"


def read_money(message: str, locale: str, *, question: str = "") -> Money:
    """The one amount a message names, with its currency; raises Unread where one of them is missing or not clear."""
    text = said(message, locale)
    found = {text.value(match.start(), "currency") for match in text.scan("currency")}
    if len(found) != 1:
        raise Unread("no_money")
    currency = found.pop()
    try:
        return Money(
            amount=read_number(_amount(message, locale), locale, question=question), currency=currency
        )
    except Unread as unread:
        each = [Option(label=f"{one.label} {currency}") for one in unread.either]
        values: dict[str, Any] = {name: f"{value} {currency}" for name, value in unread.values.items()}
        raise Unread(unread.sentence, either=each, **values) from None


def _amount(message: str, locale: str) -> str:
    """The message as it is written with the thousands that nobody has of a cent, “€1.200”, and with “a pound” as one."""
    text = said(message, locale)
    if text.known.pattern(_FOR_EACH).search(text.signs) is None:  # of "2 kg at 20 euros each" it is asked
        for match in text.scan(_MEASURED):
            begin, end = text.span(*match.span())
            message = f"{message[:begin]}{'…' * (end - begin)}{message[end:]}"
        text = said(message, locale)
    shown, at = "", 0
    for match in text.scan("(?:int|n=n) million", "a currency", "p=grouped"):
        begin, end = text.span(*match.span())
        told = text.texts[match.start()]
        if match.lastgroup == "p":
            one = told.replace(".", "") if told.count(".") == 1 and "," not in told else told
        elif text.is_a(match.start(), "a"):
            one = f"1 {text.texts[match.start() + 1]}"
        else:
            one = f"{told} million"
        shown, at = f"{shown}{message[at:begin]}{one}", end
    return f"{shown}{message[at:]}"
