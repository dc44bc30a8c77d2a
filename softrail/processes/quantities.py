"""Finds the number in a sentence: "about 5", "1,200", "$3.50", "twenty-five"."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from softrail.core.questions import Option
from softrail.language import normal
from softrail.processes.unread import BUTTONS, Unread

_LOOK_AT = 300  #: characters; a number that comes later is not an answer
_LONGEST = 30  #: digits; longer ones are no quantities

_TOKEN = re.compile(r"(?<![\w.,])[-+−]?[$€£]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:[.,]\d+)?(?![\d])|[^\W\d_]+|\d+")
_PLUS = frozenset("+&")
_GROUPS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?\Z")


def read_number(message: str, words: Mapping[str, Any]) -> Decimal:
    """The one number a message holds; raises Unread when there is none, or more than one."""
    found: list[Decimal] = []
    run: list[str] = []
    table = words["numbers"]
    after_digits = False
    said = _without_scale(_with_halves(message[:_LOOK_AT].lower(), table), table)
    for match in _TOKEN.finditer(said):
        token = match[0]
        if token[-1].isdecimal():
            if run:
                found.append(_spelled(run, table))
                run = []
            found.append(_digits(token))
        elif token in table["multiples"] and after_digits:
            found[-1] *= table["multiples"][token]
        elif token in table["values"] or (token in table["multiples"] and (run or len(token) > 1)):
            run.append(token)  # "a hundred" begins a number, a "k" that stands alone does not
        elif run and token not in table["joins"]:
            found.append(_spelled(run, table))
            run = []
        after_digits = token[-1].isdecimal()
    if run:
        found.append(_spelled(run, table))
    if not found:
        raise Unread("no_number")
    if len(set(found)) > 1 or (len(found) > 1 and _adds(message[:_LOOK_AT].lower(), table)):
        each = list(dict.fromkeys(found))[:BUTTONS]
        either = [Option(label=f"{number:f}") for number in each] if len(each) > 1 else ()
        raise Unread("many_numbers", either=either)
    return found[0]


def asks_how_many(question: str, words: Mapping[str, Any]) -> bool:
    """The question counts: "How many children?"; who has none has 0 of them."""
    return any(f" {phrase} " in f" {normal(question)} " for phrase in words["numbers"]["counts"])


def _without_scale(message: str, table: Mapping[str, Any]) -> str:
    """'8/10' and 'eight out of ten' as what is scored of it."""
    scales = "|".join(table["scales"])
    more = "|".join((*table["values"], *table["multiples"]))  # "out of one thousand" is another number, too
    whole = rf"\s*(?:/\s*(?:10|100)|(?:{scales})\s+(?:\d+|{'|'.join(table['values'])}))\b(?![/.,]\d|[\s-]+(?:{more})\b)"
    return re.sub(
        rf"(?<![\d/.])(\b(?:\d{{1,2}}(?:[.,]\d)?|{'|'.join(table['values'])})){whole}", r"\1", message
    )


def _with_halves(message: str, table: Mapping[str, Any]) -> str:
    """'Two and a half' as 2.5, 'half a dozen' as 6."""
    for phrase, value in table["phrases"].items():
        message = re.sub(rf"\b{phrase}\b", str(value), message)
    half, joined = "|".join(table["halves"]), "|".join(table["joins"])
    return re.sub(
        rf"\b(\d+|{'|'.join(table['values'])}) (?:{joined}) (?:an? )?(?:{half})\b",
        lambda m: f"{m[1] if m[1].isdecimal() else table['values'][m[1]]}.5",
        message,
    )


def _adds(message: str, table: Mapping[str, Any]) -> bool:
    """The same number is said of two things, "4 adults and 4 kids", and not again of one: "four, yes, 4"."""
    return any(token in _PLUS or token in table["joins"] for token in re.findall(r"[+&]|\w+", message))


def _digits(token: str) -> Decimal:
    if sum(c.isdecimal() for c in token) > _LONGEST:
        raise Unread("big_number")
    sign = -1 if token[0] in "-−" else 1
    plain = token.lstrip("+-−$€£")
    # A comma before exactly three digits groups thousands; anywhere else it is a decimal comma.
    plain = plain.replace(",", "") if _GROUPS.match(plain) else plain.replace(",", ".")
    return sign * Decimal(plain)


def _spelled(run: list[str], table: Mapping[str, Any]) -> Decimal:
    total = part = 0
    for word in run:
        if word in table["values"]:
            part += table["values"][word]
        elif table["multiples"][word] == 100:
            part = max(part, 1) * 100
        else:
            total += max(part, 1) * table["multiples"][word]
            part = 0
    return Decimal(total + part)
