"""A request as a row of items: each a phrase that does something, a time, a number, or a word that nobody knows."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import Final

from softrail.plans.forms.lexicon import lexicon
from softrail.plans.forms.periods import Period, period_at, step_at
from softrail.plans.forms.tokens import Token
from softrail.plans.forms.vocabulary import PART, SYNONYM, Meaning, Vocabulary, is_amount, parts_of, usual

_PERCENT: Final = (("percent",), ("%",))
_UNDONE: Final = re.compile(r"(?:un|non-?|not-)(\w{4,})")
UNDONE: Final = ("un-",)  #: the “not” of such a word, which holds for the rest of it alone
_NUMBER: Final = re.compile(r"[-+]?\d+(?:,\d{3})*(?:\.\d+)?%?")


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of a request."""

    said: str
    words: tuple[str, ...]
    meanings: Sequence[Meaning] = ()
    senses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    period: Period | None = None
    number: Decimal | None = None
    percent: bool = False
    mark: str = ""  #: what stands before it

    def sense(self, kind: str) -> str:
        """What it does among the words of one kind; "" where nothing."""
        return next(iter(self.senses.get(kind, ())), "")

    def does(self, kind: str, *values: str) -> bool:
        """It may do one of these."""
        return bool(set(values) & set(self.senses.get(kind, ())))

    @property
    def is_filler(self) -> bool:
        """It means nothing by itself."""
        return set(self.senses) == {"filler"} and not self.meanings

    @property
    def is_small(self) -> bool:
        """It joins others, and names nothing: “and”, “or”, “versus”, “than in”."""
        joins = {"and", "with", "beside", "neutral"} & set(self.senses.get("roles", ()))
        return not self.meanings and (self.is_filler or bool(joins))

    @property
    def is_unknown(self) -> bool:
        """Nobody knows the word."""
        return not (self.meanings or self.senses or self.period or self.number is not None)


def scan(words: Sequence[Token], known: Vocabulary, today: date, said: Period | None = None) -> list[Item]:
    """The items of a request, `said`: the time that was said before. What the table knows comes first, then times, then the words that forms are made with."""
    found, at = list[Item](), 0
    named = _named(words, known)
    while at < len(words):
        length, more = adjective(words, at, known, named)
        if length:
            found, at = [*found, *more], at + length
            continue
        length, unit = step_at(words, at)
        if length and (said is None or any(one.sense("grains") == unit for one in found)):
            found.append(_item(words, at, length, senses={"stepwise": (unit,)}))
            at += length
            continue
        length, item = _at(words, at, known, today, said)
        if item.is_unknown and (parts := _undone(words[at], known)):
            found, at = [*found, *parts], at + 1
            continue
        said = item.period or said
        if found and item.words in _PERCENT and found[-1].number is not None and not found[-1].percent:
            item = replace(found.pop(), percent=True)  # “10 percent” is 10 %
        found.append(item)
        at += length
    return _in_one_year(_rest_of_them(found))


def _undone(word: Token, known: Vocabulary) -> list[Item]:
    """“Undamaged”, “unpaid”, “non-returned” as “not damaged”: what the table knows, turned round."""
    found = _UNDONE.fullmatch(word.word)
    bare = word._replace(word=found[1], text=found[1]) if found else word
    meanings = known.at([bare], 0)[1] if found else ()
    named = [one for one in meanings if one.value is None and one.rank <= PART]
    if not named:
        return []
    turned = replace(_item([word], 0, 1, senses={"roles": ("not",)}), words=UNDONE)
    return [turned, _item([bare], 0, 1, meanings=named)]


def _rest_of_them(items: list[Item]) -> list[Item]:
    """“The other teams”, “the rest of the agents” is the rest, of whatever is named."""
    kept = list[Item]()
    for item in items:
        named = any(one.value is None and one.column is not None for one in item.meanings)
        before = next((one for one in reversed(kept) if not one.is_filler), None)
        if not (named and before is not None and before.sense("rest")):
            kept.append(item)
    return kept


def _in_one_year(items: list[Item]) -> list[Item]:
    """“Q1 and Q2 2024”, “March against April 2024”: a year that is said once, behind both."""
    year: tuple[str, int | None] = ("", None)
    for n in range(len(items) - 1, -1, -1):
        period = items[n].period
        if period is None:
            year = year if items[n].is_small else ("", None)
        elif period.is_open and year[0] == period.unit and year[1] is not None:
            items[n] = replace(items[n], period=period.in_year(year[1]))
        else:
            year = (period.unit, period.year)
    closed = {one.period.year for one in items if one.period is not None and not one.period.is_open}
    whole = {one.period.year for one in items if one.period is not None and one.period.unit == "year"}
    if len(closed) != 1 or closed != whole:
        return items
    [only] = closed  # “in 2024 except Q4”
    return [
        replace(one, period=one.period.in_year(only)) if only and one.period and one.period.is_open else one
        for one in items
    ]


def _at(
    words: Sequence[Token], at: int, known: Vocabulary, today: date, said: Period | None
) -> tuple[int, Item]:
    length, senses = _senses(words, at, known)
    meant, meanings = known.at(words, at)
    if meant and meant >= length:
        here = senses if meant == length else {}
        return meant, _item(words, at, meant, meanings=meanings, senses=here)
    timed, period = period_at(words, at, today, said)
    number, percent = _number(words[at].word)
    if period is not None and timed >= length:
        return timed, _item(words, at, timed, period=period, number=number if timed == 1 else None)
    if number is not None:
        return 1, _item(words, at, 1, number=number, percent=percent)
    return max(length, 1), _item(words, at, max(length, 1), senses=senses)


def adjective(
    words: Sequence[Token], at: int, known: Vocabulary, named: frozenset[str]
) -> tuple[int, list[Item]]:
    """“Older than”, “the hottest”: what the table has of it, unless that is named beside it, and which way."""
    for length in (2, 1):
        found = lexicon().adjectives.get(tuple(one.word for one in words[at : at + length]))
        if found is not None:
            break
    else:
        return 0, []
    columns = [one for one in known.table.columns if is_amount(one) and parts_of(one) & found.of]
    if not columns:
        return 0, []
    of = [_item(words, at, length, meanings=[Meaning(SYNONYM, one) for one in columns])]
    if named & {one.name for one in columns}:
        of = []
    than = at + length < len(words) and words[at + length].word == "than"
    how = _item(words, at, length + than, senses=found.sense)
    if "relations" in found.sense and _counts(words[at + length + than :]):
        return length + than, [*of, how]
    single = of and not found.adds_up and any(usual(one) == "sum" for one in columns)
    mean = [_item(words, at, length, senses={"aggregates": ("mean",)})] if single else []
    if "relations" in found.sense:
        return length + than, [*mean, *of, how]
    return length, [how, *mean, *of]


def _counts(words: Sequence[Token]) -> bool:
    return any(_number(one.word)[0] is not None for one in words[:2])


def _named(words: Sequence[Token], known: Vocabulary) -> frozenset[str]:
    """The columns that are named somewhere."""
    there = (known.at(words, at)[1] for at in range(len(words)))
    return frozenset(m.column.name for found in there for m in found if m.column and m.value is None)


def _item(words: Sequence[Token], at: int, length: int, **more: object) -> Item:
    span = words[at : at + length]
    said = " ".join(one.text for one in span)
    return Item(said, tuple(one.word for one in span), mark=span[0].mark, **more)  # type: ignore[arg-type] # its own fields


def _senses(words: Sequence[Token], at: int, known: Vocabulary) -> tuple[int, Mapping[str, tuple[str, ...]]]:
    named = words[at].text.isupper() and len(words[at].text) > 1 and not all(w.text.isupper() for w in words)
    for length in range(
        min(lexicon().longest, len(words) - at), 0 if not named else 1, -1
    ):  # “US” is no “us”
        found = lexicon().senses.get(tuple(one.word for one in words[at : at + length]))
        if found and not (length > 1 and _names_more(words, at, length, known)):
            return length, found
    return 0, {}


def _names_more(words: Sequence[Token], at: int, length: int, known: Vocabulary) -> bool:
    """The phrase ends in what the table has with the words behind it, “how many unique visitors”, or as it stands: “in IT”."""
    last = words[at + length - 1]
    meant, meanings = known.at(words, at + length - 1)
    return meant > 1 or any(one.value == last.text and last.text.isupper() for one in meanings)


def _number(word: str) -> tuple[Decimal | None, bool]:
    if word in lexicon().numbers and word != "one":  # “the red one” is no number
        return Decimal(lexicon().numbers[word]), False
    if word[:-1].isdecimal() and word.endswith("k"):  # “over 40k”
        return 1000 * Decimal(word[:-1]), False
    if not _NUMBER.fullmatch(word):
        return None, False
    return Decimal(word.rstrip("%").replace(",", "")), word.endswith("%")
