"""An amount of money: a number and its currency."""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from softrail.core.questions import Option
from softrail.processes.spoken.numbers import read_number
from softrail.processes.spoken.said import Said, plain, said
from softrail.processes.spoken.things import counted
from softrail.processes.unread import Unread

_MEASURED: Final = (
    "around* n full? dash? (?!currency|million)(?:mass|distance|volume|area|lasting)"  #: "2 kg" is no money
)
_FOR_EACH: Final = "every|by_much|per|currency a"


class Money(BaseModel):
    """An amount and its currency, e.g. 40 EUR."""

    model_config = ConfigDict(frozen=True)

    amount: Decimal
    currency: str = Field(pattern=r"^[A-Z]{3}$")  #: ISO 4217

    def __str__(self) -> str:
        return f"{self.amount} {self.currency}"


def read_money(message: str, locale: str, *, question: str = "", currency: str = "") -> Money:
    """The one amount a message names; raises Unread where there is none, or it is not clear.

    An amount without a currency is of the one that the question says, or else of `currency`; where nobody says one, the
    amount is begun.
    """
    told, asked = _currencies(message, locale), _currencies(question, locale)
    found = told or (asked if len(asked) == 1 else {currency})
    if len(found) != 1:
        raise Unread("no_money")
    one = found.pop()
    amount = _amount(message, locale) if told else _without_things(_amount(message, locale), locale)
    try:
        number = read_number(amount, locale, question=question)
    except Unread as unread:
        if unread.sentence == "no_number":
            raise Unread("no_money") from None
        each = [Option(label=f"{each.label} {one}".strip()) for each in unread.either]
        values: dict[str, Any] = {name: f"{value} {one}".strip() for name, value in unread.values.items()}
        raise Unread(unread.sentence, either=each, **values) from None
    if not one:
        raise Unread("no_currency", begun=plain(number), amount=plain(number))
    return Money(amount=number, currency=one)


def _currencies(words: str, locale: str) -> set[str]:
    text = said(words, locale)
    return {text.value(match.start(), "currency") for match in text.scan("currency")}


def _without_things(message: str, locale: str) -> str:
    """The message without numbers of things: “two windows”, or 40 %, are no two of the currency that is known."""
    text = said(message, locale)
    return _without(message, text, [*counted(text, ""), *text.scan("n percent")])


def _without(message: str, text: Said, found: Iterable[re.Match[str]]) -> str:
    for match in found:
        begin, end = text.span(*match.span())
        message = f"{message[:begin]}{'…' * (end - begin)}{message[end:]}"
    return message


def _amount(message: str, locale: str) -> str:
    """The message as it is written with the thousands that nobody has of a cent, “€1.200”, and with “a pound” as one."""
    text = said(message, locale)
    if text.known.pattern(_FOR_EACH).search(text.signs) is None:  # of "2 kg at 20 euros each" it is asked
        message = _without(message, text, text.scan(_MEASURED))
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
