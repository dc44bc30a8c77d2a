"""What a number counts where a question counts in units: "3 bags" are no kilograms; of "three sacks at 50 kilos" it is asked.

A thing is a word for what holds something, or one that stands for several and is neither a unit nor spoken of in the question.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from softrail.core.questions import Option
from softrail.language import normal
from softrail.processes.spoken.grammar import NOTHING, UNITS
from softrail.processes.spoken.lengths import unit_asked_for
from softrail.processes.spoken.said import Said, plain, said
from softrail.processes.unread import Unread

_SHORTEST: Final = 4  #: letters of a word that stands for several things
_KINDS: Final = "|".join(UNITS)
_SIZED: Final = f"(?:full|dash|(?!n|{_KINDS}|comma|stop|and|or|of|in|on|to|at|plus|minus|less_of|more_of).)?"
_BEHIND: Final = (
    f"n {_SIZED} container",  #: "two big sacks"
    f"n full? dash? (?!n|{_KINDS}|no_thing|currency|percent|factor|more_of|less_of).",
)
#: "Three sacks at 50 kilos", "3 bags of 25".
_OF_EACH: Final = "comma? (?!n|comma|stop|and|plus|added|or|to).{0,3}"


def refuse_things(message: str, unit: str, locale: str, *, question: str = "") -> None:
    """Raises Unread where a number in it counts things, and not that unit."""
    text = said(message, locale)
    told = {match.start(): match.end() - 1 for match in counted(text, question)}
    if not told:
        return
    read = [(at, number) for at in range(len(text)) if (number := _number(text, at)) is not None]
    things = [(at, number) for at, number in read if at in told]
    others = [(at, number) for at, number in read if at not in told]
    if len(things) == len(others) == 1:
        [(at, many), (last, each)] = things[0], others[0]
        if last > told[at] and text.known.pattern(_OF_EACH).fullmatch(text.signs, told[at] + 1, last):
            both = [Option(label=plain(many * each)), Option(label=plain(each))]
            raise Unread("many_numbers", either=both)
    if others:
        return  # "50 kilos, that is two bags"
    sure = any(text.is_a(end, "container") for end in told.values())
    known = [Option(label=plain(number)) for _, number in things]
    raise Unread("other_unit", unit=unit, either=() if sure else known)


def counts_things(words: str, question: str, locale: str) -> bool:
    """A number of them counts things, where the question counts in a unit."""
    return any(True for _ in things(said(words, locale), question))


def things(text: Said, question: str) -> Iterator[tuple[int, int]]:
    """Where a message counts things, with what is told of each, where the question counts in a unit."""
    if unit_asked_for(question, question.rpartition(" ")[2], text.known.locale) is None:
        return
    for match in counted(text, question):
        more = text.known.pattern(f"{_OF_EACH} n").match(text.signs, match.end())
        yield match.start(), more.end() if more is not None else match.end()


def counted(text: Said, question: str) -> Iterator[re.Match[str]]:
    """Where a number is told with things behind it of which the question does not speak."""
    asked = normal(question).split()
    for match in text.scan(*_BEHIND):
        word = text.texts[match.end() - 1]
        if word in asked:
            continue  # the question speaks of it itself
        several = text.signs[match.end() - 1] == NOTHING and len(word) >= _SHORTEST and word.endswith("s")
        if text.is_a(match.end() - 1, "container") or (several and not word.endswith("ss")):
            yield match


def _number(text: Said, at: int) -> Decimal | None:
    word = text.texts[at]
    return (
        Decimal(word.replace(",", "."))
        if text.is_a(at, "n") and word.count(",") < 2 and not text.is_a(at, "grouped")
        else None
    )
