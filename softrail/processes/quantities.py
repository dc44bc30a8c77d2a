"""Finds the number in a sentence: "about 5", "1,200", "$3.50", "twenty-five"; not one that belongs to something else."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from softrail.core.questions import Option
from softrail.language import normal
from softrail.processes.numerals import in_digits
from softrail.processes.unread import BUTTONS, Unread

_LOOK_AT = 300  #: characters; a number that comes later is not an answer
_LONGEST = 30  #: digits; longer ones are no quantities

_NUMBER = re.compile(
    r"(?<![\w.,])[-+−]?[$€£]?(?:\d{1,3}(?:[,’' ]\d{3})+(?!\d)(?:\.\d+)?|\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}(?!\d)|\d+(?:[.,]\d+)?)(?!\d)"
)
_GROUPS = re.compile(r"\d{1,3}(?:[,’' ]\d{3})+(?:\.\d+)?\Z")
_POINTS = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?\Z")  # "1.200" may be 1,200 to who writes it
_FIGURE = r"\d+(?:[.,]\d+)?"
_PLUS = frozenset("+&")


def read_number(message: str, words: Mapping[str, Any], *, question: str = "") -> Decimal:
    """The one number a message holds; raises Unread when there is none, or more than one.

    What is a part of something else is none: of a time, a day, a length that was not asked for, an age, an address.
    """
    table, said = words["numbers"], message[:_LOOK_AT].lower()
    said = re.sub(r"\b(the \w+) one\b", r"\1", said)  # "the seven one should do"
    text = in_digits(
        re.sub(rf"\b(?:{'|'.join(table['one'])})\b", " … ", said.replace("-one", " one")), words
    ).text
    text = re.sub(rf"\b(?:{'|'.join(table['minus'])})\s+(?=\d)", "-", _without_scale(text, table))
    text = without_foreign(text, words, question)
    found = [(match, _digits(match[0])) for match in _NUMBER.finditer(text)]
    if not found:
        raise Unread("no_number")
    if (joined := _joined(text, [match for match, _ in found])) is not None:
        return joined
    numbers = [number for _, number in found]
    if len(set(numbers)) > 1 or (len(numbers) > 1 and _adds(text, table)):
        each = list(dict.fromkeys(numbers))
        raise _either(*each[:BUTTONS]) if len(each) > 1 else Unread("many_numbers")
    if re.search(_with_oneself(table), text):
        raise _either(numbers[0] + 1, numbers[0])
    return numbers[0]


def asks_how_many(question: str, words: Mapping[str, Any]) -> bool:
    """The question counts: "How many children?"; who has none has 0 of them."""
    return any(f" {phrase} " in f" {normal(question)} " for phrase in words["numbers"]["counts"])


def without_foreign(text: str, words: Mapping[str, Any], question: str = "") -> str:
    """The text, in digits, without what holds a number of another kind."""
    for start, end in foreign(text, words, question):
        text = f"{text[:start]}{'…'.ljust(end - start)}{text[end:]}"
    return text


def without_addresses(text: str, words: Mapping[str, Any]) -> str:
    """The text, in digits, without numbers of houses, flats and rooms."""
    for pattern in _places(words, frozenset()):
        text = re.sub(pattern, " … ", text)
    return text


def foreign(text: str, words: Mapping[str, Any], question: str = "") -> Iterator[tuple[int, int]]:
    """Where a text, in digits, holds a number of another kind than one that is asked for."""
    asked = frozenset(re.findall(r"[a-z]+", question.lower()))
    for pattern in (*_clocks(words), *_dates(words), *_lengths(words, asked), *_places(words, asked)):
        for match in re.finditer(pattern, text):
            yield match.span()


def _clocks(words: Mapping[str, Any]) -> Iterator[str]:
    times = words["times"]
    minutes, to = "|".join(times["quarters"]), "|".join((*times["after"], *times["before"]))
    yield rf"\b(?:{minutes}|{'|'.join(times['halves'])})[\s-]+(?:{to}|of)\s+\d{{1,2}}\b"
    yield rf"\b(?:{'|'.join(times['halves'])})\s+\d{{1,2}}\b"
    yield rf"\b(?:5|10|20|25)(?:\s+minutes)?\s+(?:{'|'.join(times['after'])})\s+\d{{1,2}}\b"
    yield rf"\b(?:5(?=\D+[1-4]\b)|10(?=\D+[1-9]\b)|20|25)\s+(?:{'|'.join(times['before'])})\s+(?:\d|1[0-2])\b"
    yield rf"\b\d{{1,2}}\s+minutes\s+(?:{'|'.join(times['before'])})\s+\d{{1,2}}\b"
    yield r"(?<![\w:.])\d{1,2}(?:[:.][0-5]\d)?\s*(?:[ap]\.?m\b|o['’]?\s?clock)|(?<![\w:.])\d{1,2}:[0-5]\d\b"


def _dates(words: Mapping[str, Any]) -> Iterator[str]:
    days = words["days"]
    surely = "|".join(month for month in days["months"] if month not in days["verbs"])
    every, ordinal = "|".join(days["months"]), f"(?:{'|'.join(days['ordinals'])})"
    weekdays, of = "|".join(days["weekdays"]), "|".join(days["of"])
    yield rf"\b\d{{1,2}}{ordinal}?\s+(?:(?:{of})\s+)?(?:{surely})\b|\b(?:{surely})\s+(?:the\s+)?\d{{1,2}}{ordinal}?\b"
    yield rf"\b\d{{1,2}}(?:{ordinal}\s+(?:(?:{of})\s+)?|\s+of\s+)(?:{every})\b|\b(?:{every})\s+(?:the\s+)?\d{{1,2}}{ordinal}\b"
    yield rf"\b\d{ordinal}\s+(?:{weekdays})\b|\b(?:{weekdays})\s+the\s+\d{{1,2}}{ordinal}?\b"


def _lengths(words: Mapping[str, Any], asked: frozenset[str]) -> Iterator[str]:
    """Lengths of time, where none is asked for; and ages where years are counted from something else."""
    lengths, days, numbers = words["lengths"], words["days"], words["numbers"]
    units = "|".join(u for t in (lengths["units"], lengths["calendar"]) for u in t if len(u) > 2)
    many = rf"(?:{_FIGURE}|\ban?)\s+(?:{units})\b"
    behind = "|".join((*days["ago"], *days["later"]))
    yield rf"{_FIGURE}\s+(?:{'|'.join(numbers['parts'])})\b|\b(?:{'|'.join(numbers['shares'])})\s+of\s+(?:[a-z]+\s+)?\d+"
    if asked.isdisjoint(lengths["asking"]):
        yield rf"{_FIGURE}\s*(?:{units})\b(?:\s+(?:{behind}|from\s+(?:now|today))\b)?"
    if asked.isdisjoint(lengths["aging"]) and not asked.isdisjoint(lengths["calendar"]):
        yield rf"\b(?:{'|'.join(numbers['ages'])})\s+{_FIGURE}\b(?!\s+(?:{units})\b(?!\s+old))"
        yield rf"{many}\s+old\b"


def _places(words: Mapping[str, Any], asked: frozenset[str]) -> Iterator[str]:
    numbers = words["numbers"]
    if named := "|".join(place for place in numbers["places"] if place not in asked):
        yield rf"\b(?:{named})\s+(?:no\.?\s+|number\s+)?\d+[a-z]?\b"
    if asked.isdisjoint(numbers["addresses"]):
        yield rf"\b\d+[a-z]?\s+(?:[^\W\d_]+\s+){{1,2}}(?:{'|'.join(numbers['streets'])})\b"


def _without_scale(text: str, table: Mapping[str, Any]) -> str:
    """'8/10' and 'eight out of ten' as what is scored of it."""
    whole = rf"(?:/\s*(?:10|100)|(?:{'|'.join(table['scales'])})\s+(?:\d{{1,2}}|100))(?![\d/]|[.,]\d)"
    return re.sub(rf"(?<![\d/.])(\b\d{{1,2}}(?:[.,]\d)?)\s*{whole}", r"\1", text)


def _with_oneself(table: Mapping[str, Any]) -> str:
    """Who is meant besides is not counted: "me and two friends", "two friends and me"."""
    one, also = "|".join(table["self"]), rf"(?:{'|'.join(map(re.escape, table['also']))}|[+&])"
    whose, plus = "|".join(table["whose"]), "|".join(table["plus"])
    not_behind = "".join(rf"(?<!\b{word}\s)" for word in table["before_self"])
    return (
        rf"{not_behind}\b(?:{one})\s*{also}\s*(?:my\s+|the\s+)?\d|\b\d+\s+(?:[a-z]+\s+)?{also}\s*(?:{one})\b"
        rf"|\b\d+\s+(?:[a-z]+\s+)?(?:{plus})\s+(?:{whose})\s|{not_behind}\bme,[^.;!?]*\b(?:and|plus)\b[^.;!?]*\d"
    )


def _joined(text: str, found: list[re.Match[str]]) -> Decimal | None:
    """Two numbers side by side: a year, “nineteen eighty eight”; else either of what they may be, “two fifty”."""
    if len(found) != 2 or text[found[0].end() : found[1].start()].strip(" "):
        return None
    first, second = (match[0] for match in found)
    if (first == "19" and "30" <= second <= "99") or (first == "20" and "00" <= second <= "29"):
        return Decimal(f"{first}{second}") if len(second) == 2 else None
    if len(second) == 2 and first in "123456789" and second >= "10":
        raise _either(Decimal(f"{first}{second}"), Decimal(f"{first}.{second}"))
    return None


def _adds(text: str, table: Mapping[str, Any]) -> bool:
    """The same number is said of two things, "4 adults and 4 kids", and not again of one: "four, yes, 4"."""
    return any(token in _PLUS or token in table["joins"] for token in re.findall(r"[+&]|\w+", text))


def _either(*numbers: Decimal) -> Unread:
    return Unread("many_numbers", either=[Option(label=f"{number:f}") for number in numbers])


def _digits(token: str) -> Decimal:
    if sum(c.isdecimal() for c in token) > _LONGEST:
        raise Unread("big_number")
    sign = -1 if token[0] in "-−" else 1
    bare = token.lstrip("+-−$€£")
    # A comma before exactly three digits groups thousands; anywhere else it is a decimal comma.
    if _GROUPS.match(bare):
        bare = re.sub(r"[,’' ]", "", bare)
    elif _POINTS.match(bare) and not bare.startswith("0"):
        grouped = bare.replace(".", "").replace(",", ".")
        if bare.count(".") == 1 and "," not in bare:
            raise _either(sign * Decimal(grouped), sign * Decimal(bare))
        bare = grouped
    return sign * Decimal(bare.replace(",", "."))
