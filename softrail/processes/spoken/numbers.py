"""The number in a message, "about 5", "1,200", "twenty-five"; not one that belongs to something else; and amounts of money."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from math import prod
from typing import Final

from softrail.core.questions import Option
from softrail.language import normal
from softrail.processes.spoken.bounds import bounded, meant
from softrail.processes.spoken.grammar import UNITS, grammar
from softrail.processes.spoken.lengths import PAID
from softrail.processes.spoken.moved import times_in
from softrail.processes.spoken.said import Said, plain, said
from softrail.processes.spoken.things import things
from softrail.processes.spoken.totals import total_ahead
from softrail.processes.unread import BUTTONS, Unread

_LONGEST: Final = 30  #: digits; longer ones are no quantities
_COUNTED: Final = (*UNITS, "currency")  #: what a question may count that asks for no things
_KEPT: Final = 1024  #: questions of which it is known still what they ask for
_GROUPS: Final = re.compile(r"\d{1,3}(?:[,’' ]\d{3})+(?:\.\d+)?\Z")
_POINTS: Final = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?\Z")  # "1.200" may be 1,200 to who writes it

_CLOCKS: Final = (
    "a? (?:quarter|half) dash? (?:past_word|to_word|off) hour",
    "half hour",
    "minutes minute_unit (?:past_word|to_word) hour",
    "(?:hour|clock|point_two) (?:half_day|oclock)",
    "clock",
)
_MINUTES: Final = "m=minutes (?:past_word|to_word) h=hour"
_DATES: Final = (
    "(?:int|ordinal|ord_word) off? of? (?!may|march)month",
    "(?!may|march)month of? (?:int|ordinal)",
    "(?:ordinal|int off) of? month|month of? ordinal",
    "ordinal weekday|weekday of (?:int|ordinal)",
)
_SHARES: Final = ("n shares", "share off .? n")
_LENGTHS: Final = "n full? lasting (?:ago|later|from (?:now|relative))?"
_AGES: Final = ("(?:age|becomes) n (?!lasting(?!old))", "(?:n|a) lasting old")
_MEASURES: Final = ("n full? dash? (?:mass|(?!million)distance|volume|area) (?:and? minutes (?!n|lasting))?",)
_GRADED: Final = "from n to n|n dash n|out_of n"  #: "from 1 to 10"
_PLACES: Final = "place no? (?:int|code)"
_HOUSES: Final = "int (?!on|in|from|to).{1,2} street"
_SELF: Final = (
    "(?<!before_self) self (?:with|plus) (?:whose|of)? n",
    "n .? (?:with|plus) self",
    "n .? added whose",
    "(?<!before_self) self comma (?:(?!stop).)* with (?:(?!stop).)* n",
)
#: "Five pounds fifty", "4 dollars and 5 cents".
_AMOUNT: Final = "n=int currency and? cents=minutes (?:cent|(?=comma|stop|$))"
#: "Two days, and we come at nine": beside another number it is a time.
_AT: Final = "at hour (?=stop|comma|$)"
_TOGETHER: Final = "and|plus|added"  #: "4 adults and 4 kids"
_IN_A_ROW: Final = f"{_TOGETHER}|comma"  #: the same of different ones: "his side is 45, mine ten"
_WEIGHED: Final = "n (?:(?!n).){0,3} (?:or|to|dash|repair) (?:(?!n).){0,3} n|between n"
_BARE: Final = "n (?=comma|and|added|but)"
_OPEN: Final = "n (?:(?!n).){0,3} (?:or|perhaps) (?:(?!n).){0,3} n"
_APART: Final = "n dash n|or|perhaps|to|turning|between"
_TIMES: Final = (
    "n .? by_much n",  #: "5 by 4 metres"
    "n times n",
    "n (?:(?!n|comma|stop).){0,4} n .? every",  #: "two tickets at 40 euros each"
)
_SCALE: Final = "(?:n|day_month) (?:out_of|stroke) n"  #: "eight out of ten"
_WHICH: Final = "of n one"  #: "the seven one"


def read_number(message: str, locale: str, *, question: str = "") -> Decimal:
    """The one number a message holds; raises Unread when there is none, or more than one.

    What is a part of something else is none: of a time, a day, a length that was not asked for, an age, an address.
    """
    text = said(message, locale)
    signs = text.without(foreign(text, question))
    found = dict(_numbers(text, signs))
    times = {match.end() - 1 for match in text.known.pattern(_AT).finditer(signs)}
    found = {at: value for at, value in found.items() if at not in times} or found
    if not found:
        kind = "parts" if "percent" in _asked(question, locale) else "counted"
        alone = {text.value(match.start(), kind) for match in text.scan(f"{kind} (?!with)")}
        if len(alone) == 1 and (kind == "parts" or asks_how_many(question, locale)):
            return Decimal(alone.pop())
        if (rank := _rank(text, signs, question)) is not None:
            return rank
        raise Unread("no_number")
    if (joined := _joined(text, list(found))) is not None:
        return joined
    if asks_how_many(question, locale) and (total := total_ahead(text)) is not None:
        return total
    each, sense = meant(text, [(value, at, at + 1) for at, value in found.items()], "many", question)
    made = _made_of_them(text, signs, found, question)
    if made is not None and {*found.values()} == {*each}:  # none of them is left out
        raise _either(*dict.fromkeys([made, *each][:BUTTONS]))
    if len(each) > 1:
        raise _either(*each[:BUTTONS])
    becoming = "age" in _asked(question, locale) and text.known.pattern("becomes n").search(signs)
    if becoming and each[0] > 0 and found.get(becoming.end() - 1) == each[0]:
        raise _either(each[0], each[0] - 1)  # "I turn 25 tomorrow"
    if text.known.pattern(*_SELF).search(signs) or _one_more(text, signs, question):
        raise _either(each[0] + 1, each[0])
    if sense != "exact":
        raise bounded(Option(label=f"{(each or list(found.values()))[0]:f}"), sense)
    if (many := times_in(message, locale)) is not None:  # "80 last time, this time double"
        raise either_number(Option(label=plain(each[0] * many)), Option(label=plain(each[0])))
    return each[0]


def more_than_one(words: str, locale: str) -> Decimal | None:
    """How many somebody is who is more than one without a number: "her parents", "the twins"; None where nobody is."""
    text = said(words, locale)
    found = {text.value(match.start(), "several") for match in text.scan("several")}
    return Decimal(found.pop()) if len(found) == 1 else None


def number_ahead(words: str, locale: str) -> Decimal | None:
    """The number that the words begin with: of "14 from 9B" the 14; None where they begin otherwise."""
    text = said(words, locale)
    match = text.known.pattern("n (?!decade)").match(text.signs)  # "50s"
    return _value(text, match.start()) if match is not None else None


def leaves_a_number(words: str, locale: str) -> bool:
    """A number of them counts nothing that is named, and more is told behind it: of "8 but at night 4 drops" the 8."""
    return _has(_BARE, words, locale)


def tells_the_total(words: str, question: str, locale: str) -> bool:
    """What is counted is told first, and what it is made of behind it."""
    return asks_how_many(question, locale) and total_ahead(said(words, locale)) is not None


def weighs_up(words: str, locale: str) -> bool:
    """Of two numbers the second takes the place of the first, or may: "5, no 6", "three or four", "8 to 12"."""
    return _has(_WEIGHED, words, locale)


def leaves_open(words: str, locale: str) -> bool:
    """Which of two numbers it is they do not say: "three or four", "eight, perhaps nine"."""
    return _has(_OPEN, words, locale)


def _has(signs: str, words: str, locale: str) -> bool:
    text = said(words, locale)
    return text.known.pattern(signs).search(text.signs) is not None


def _made_of_them(text: Said, signs: str, found: Mapping[int, Decimal], question: str) -> Decimal | None:
    """What several numbers may come to: which of them is meant, or whether they are put together, is asked."""
    if len(found) < 2:
        return None
    if any(text.known.pattern(times).search(signs) for times in _TIMES):
        return prod(found.values(), start=Decimal(1))
    if "distance" in _asked(question, text.known.locale):  # ten metres wide and twelve long are no 22
        return None
    same = len({*found.values()}) == 1
    joined = text.known.pattern(_TOGETHER if same else _IN_A_ROW).search(signs)
    if joined is None or text.known.pattern(_APART).search(signs):
        return None
    counts = same or asks_how_many(question, text.known.locale)
    return sum(found.values(), Decimal(0)) if counts else None


def _rank(text: Said, signs: str, question: str) -> Decimal | None:
    """The one place in a row that is said, where it is asked which of them: "the fourth", to "Which floor is it?"."""
    words = normal(question)
    if not any(words.startswith(f"{which} ") for which in text.known.asking["which"]):
        return None
    found = [match.start() for match in text.known.pattern("ordinal|ord_word").finditer(signs)]
    if len(found) != 1:
        return None
    [at] = found
    behind = text.texts[at + 1] if at + 1 < len(text) else ""
    if behind[:1].isalnum() and behind not in words.split():
        return None  # "third time lucky"
    return Decimal(text.value(at, "ord_word") or text.texts[at])


def _one_more(text: Said, signs: str, question: str) -> bool:
    """Two cats and a dog are three pets; five people and a dog are five people."""
    if not asks_how_many(question, text.known.locale):
        return False
    more = text.known.pattern("n . and whose").search(signs)
    return more is not None and text.texts[more.start() + 1] not in normal(question).split()


def foreign(text: Said, question: str = "") -> Iterator[tuple[int, int]]:
    """Where a message holds a number of another kind than one that is asked for."""
    asked = _asked(question, text.known.locale)
    told = [*_CLOCKS, *_DATES, *_SHARES]
    if "length" not in asked:
        told += [_LENGTHS, "n decade"]
    elif "span" in asked:
        told += ["n full? (?!span) lasting", "dating year"]
    elif "unit" in asked:
        told += ["n full? (?!length) lasting", "dating year"]
    if "age" in asked:
        told.append("n decade")  # "50s" is no age
    if "age" in asked or "things" in asked:
        told += [*_MEASURES, *PAID]  # nobody lives in 1,100 euros
    if "age" not in asked and "span" in asked:
        told += _AGES
    if "address" not in asked:
        told.append(_HOUSES)
    if "place" not in asked:
        told.append(_PLACES)
    for match in text.scan(*told):
        yield match.span()
    yield from (span for span in things(text, question))
    for match in text.scan("code n ."):  # "SW1A 2AA"
        if text.ends[match.end() - 2] == text.starts[match.end() - 1]:
            yield match.span()
    for match in text.scan(_MINUTES):
        minutes, hour = int(text.texts[match.start("m")]), int(text.texts[match.start("h")])
        past = text.is_a(match.end() - 2, "past_word")
        if minutes in (5, 10, 20, 25) and (past or (hour <= 12 and hour < minutes)):
            yield match.span()


def addresses(text: Said) -> Iterator[tuple[int, int]]:
    """Where a message holds numbers of houses, flats and rooms."""
    for match in text.scan(_HOUSES, _PLACES):
        yield match.span()


@lru_cache(_KEPT)
def _asked(question: str, locale: str) -> frozenset[str]:
    """What a question asks for that other questions do not: a length, an age, an address."""
    known, asked = grammar(locale), frozenset(re.findall(r"[a-z]+", question.lower()))
    found = {
        kind
        for kind in ("length", "age", "address", "percent", "money")
        if not asked.isdisjoint(known.asking[kind])
    }
    if any(known.is_a(known.signs[word], "place") for word in asked if word in known.signs):
        found.add("place")
    units = {word for word in asked if len(word) > 2}
    if units & known.values["span"].keys():
        found.add("span")
    elif units & known.values["length"].keys():
        found.add("unit")
    if units & known.values["distance"].keys():
        found.add("distance")
    counts = any(f" {phrase} " in f" {normal(question)} " for phrase in known.asking["things"])
    counts = counts or known.pattern(_GRADED).search(said(question, locale).signs) is not None
    own = {word for word in asked if len(word) > 1}
    if counts and "money" not in found and not any(own & known.values[kind].keys() for kind in _COUNTED):
        found.add("things")
    return frozenset(found)


@lru_cache(_KEPT)
def asks_how_many(question: str, locale: str) -> bool:
    """The question counts: "How many children?"; who has none has 0 of them."""
    return any(f" {phrase} " in f" {normal(question)} " for phrase in grammar(locale).asking["counts"])


def _numbers(text: Said, signs: str) -> Iterator[tuple[int, Decimal]]:
    """Every number that is said, by the token that is it."""
    known = text.known
    amounts = {m.start("n"): m for m in known.pattern(_AMOUNT).finditer(signs)}
    scales = (m.end() - 1 for m in known.pattern(_SCALE).finditer(signs))
    over = {at for at in scales if _is_scale(text.texts[at])}
    over |= {m.end() - 1 for m in known.pattern(_WHICH).finditer(signs)}
    over |= {m.start("cents") for m in amounts.values()}
    for match in known.pattern("n|day_month").finditer(signs):
        at = match.start()
        if at in over:
            continue
        value = _value(text, at)
        if value is None:
            continue
        if (more := amounts.get(at)) is not None and value == value.to_integral_value():
            value += Decimal(text.texts[more.start("cents")]) / 100
        yield at, value


def _is_scale(figures: str) -> bool:
    return figures.isdecimal() and (len(figures) <= 2 or figures == "100")


def _value(text: Said, at: int) -> Decimal | None:
    word = text.texts[at]
    if text.is_a(at, "day_month"):
        above, stroke, below = word.partition("/")
        if stroke:
            return Decimal(above) if below in ("10", "100") else None
        word = word.removesuffix(".")
    number = Decimal(word) if text.is_a(at, "spelled") else _digits(word)
    less = text.is_a(at - 1, "minus") or text.is_a(at + 1, "below") or _is_signed(text, at)
    return -number if less else number


def _is_signed(text: Said, at: int) -> bool:
    """'-4' is less than nothing; the 7 of "5-7", and of "5 - 7", is not."""
    if not at or text.texts[at - 1] not in ("-", "−"):
        return False
    return text.ends[at - 1] == text.starts[at] and (at < 2 or text.ends[at - 2] < text.starts[at - 1])


def _digits(figures: str) -> Decimal:
    if sum(c.isdecimal() for c in figures) > _LONGEST:
        raise Unread("big_number")
    # A comma before exactly three digits groups thousands; anywhere else it is a decimal comma.
    if _GROUPS.match(figures):
        figures = re.sub(r"[,’' ]", "", figures)
    elif _POINTS.match(figures) and not figures.startswith("0"):
        grouped = figures.replace(".", "").replace(",", ".")
        if figures.count(".") == 1 and "," not in figures:
            raise _either(Decimal(grouped), Decimal(figures))
        figures = grouped
    return Decimal(figures.replace(",", "."))


def _joined(text: Said, found: list[int]) -> Decimal | None:
    """Two numbers side by side: a year, “nineteen eighty eight”; else either of what they may be, “two fifty”."""
    if (
        len(found) != 2
        or found[1] != found[0] + 1
        or text.text[text.ends[found[0]] : text.starts[found[1]]].strip(" ")
    ):
        return None
    first, second = (text.texts[at] for at in found)
    if (first == "19" and "30" <= second <= "99") or (first == "20" and "00" <= second <= "29"):
        return Decimal(f"{first}{second}") if len(second) == 2 else None
    if len(second) == 2 and first in "123456789" and (second >= "10" or text.is_a(found[0], "spelled")):
        raise _either(Decimal(f"{first}{second}"), Decimal(f"{first}.{second}"))
    return None


def either_number(one: Option, other: Option) -> Unread:
    """One of two numbers may be meant, and both are told."""
    return Unread("either_number", either=[one, other], one=one.label, other=other.label)


def _either(*numbers: Decimal) -> Unread:
    return Unread("many_numbers", either=[Option(label=f"{number:f}") for number in numbers])
