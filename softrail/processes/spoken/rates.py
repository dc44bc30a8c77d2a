"""A number for so long, where the question is for longer: "six hours a day" to "How many hours a week?"."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from softrail.core.questions import Option
from softrail.processes.spoken.grammar import grammar
from softrail.processes.spoken.said import Said, plain, said
from softrail.processes.unread import Unread

_WEEK: Final = (Decimal(5), Decimal(7))  #: days of it, where nobody says how many
_COUNTED: Final = "N=(n) full? (?:length|span)?"
#: "Six hours a day", "every day six hours", "daily six hours".
DAILY: Final = (
    f"{_COUNTED} (?:a|per|every) day_unit",
    f"{_COUNTED} daily",
    "(?:(?:per|every) day_unit|daily) comma? N=(n) (?!calendar)",
)
_EACH: Final = f"{_COUNTED} every (?!day_unit)"  #: "two days, seven hours each"
_DAYS: Final = "D=(n) (?:calendar|weekday)"
_FROM: Final = "A=(weekday) (?:to|dash) Z=(weekday)"


def refuse_rates(message: str, locale: str, *, question: str = "") -> None:
    """Raises Unread, with what it comes to, where a message tells how many a day and a question asks how many a week."""
    if not _asks_for_a_week(question, locale):
        return
    text = said(message, locale)
    days = list(dict.fromkeys(_days(text)))
    each = {Decimal(text.texts[m.start("N")].replace(",", ".")) for told in DAILY for m in text.scan(told)}
    if not each and days:
        each = {Decimal(text.texts[m.start("N")].replace(",", ".")) for m in text.scan(_EACH)}
    if len(each) != 1:
        return
    many = each.pop()
    made = [many * one for one in (days if len(days) == 1 else _WEEK)]
    either = [Option(label=plain(one)) for one in made]
    raise Unread("bound" if len(either) == 1 else "many_numbers", either=either, value=either[0].label)


def rates(text: Said, question: str) -> Iterator[tuple[int, int]]:
    """Where a message tells how many a day, where it is asked how many a week."""
    if _asks_for_a_week(question, text.known.locale):
        yield from (match.span() for told in DAILY for match in text.scan(told))


def _days(text: Said) -> Iterator[Decimal]:
    for match in text.scan(_DAYS):
        if text.is_a(match.end() - 1, "day_unit"):
            yield Decimal(text.texts[match.start("D")])
    for match in text.scan(_FROM):
        first, last = (text.value(match.start(name), "weekday") for name in "AZ")
        yield Decimal((last - first) % 7 + 1)


def _asks_for_a_week(question: str, locale: str) -> bool:
    """What is counted is so many a week."""
    known = grammar(locale)
    return (
        known.pattern("(?:a|per|every) week_unit|weekly_much").search(said(question, locale).signs)
        is not None
    )
