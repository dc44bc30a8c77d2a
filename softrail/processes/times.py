"""Finds a time of day, a moment or a length of time in a sentence: "half past six", "Friday at 5pm", "an hour and a half"."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from decimal import Decimal
from typing import Any

from softrail.core.questions import Option
from softrail.processes.dates import read_date
from softrail.processes.unread import BUTTONS, Unread

_LOOK_AT = 300  #: characters; what comes later is not an answer
_LONGEST = timedelta(days=36_500)
_HOUR = 3600
_CLOCK = re.compile(
    r"(?<![\w:.,/-])(?P<hour>\d{1,2})(?:[:.h](?P<minute>[0-5]\d))?(?:\s*(?P<half>a\.?m\b\.?|p\.?m\b\.?)|\s*(?P<sharp>o['’]?clock|h\b))?(?![\w:/-])",
)
#: A time whatever stands beside it. "6.03" may be a day, "by 15" begins one: those are left to who asks for a time.
_SURELY = re.compile(
    r"(?<![\w:.,/-])(?:\d{1,2}(?:[:.][0-5]\d)?\s*(?:[ap]\.?m\b\.?|o['’]?clock\b)"
    r"|\d{1,2}:[0-5]\d(?::[0-5]\d)?(?![\w:])|\d{1,2}h(?:[0-5]\d)?\b)",
    re.IGNORECASE,
)
_AT_HOUR = re.compile(r"\bat \d{1,2}\b(?!\s*(?:st|nd|rd|th|of)\b)\s*(?P<next>[a-z]*)")
_STAMP = re.compile(r"(?<=\d)t(?=\d{2}:\d{2})")
_ISO_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
_AMOUNT = re.compile(r"(?:(?P<many>\d+(?:[.,]\d+)?)[\s-]*|\b(?P<word>[a-z]+)[\s-]+)(?P<unit>[a-z]+)\b")
_MORE = re.compile(r"\b(\w+) and (?:a )?half (?=[a-z])")
_SHORT = re.compile(r"(?<!\w)(\d+)(?:h(\d{1,2})(?:m|min)?|:([0-5]\d)\s*(?:h|hrs?|hours?))(?!\w)")


def read_time(message: str, words: Mapping[str, Any]) -> time:
    """The one time of day a message names; raises Unread for none, more than one, or morning and evening alike."""
    text = message[:_LOOK_AT].lower()
    numbers, halves = "|".join(words["numbers"]["values"]), "|".join(words["times"]["halves"])
    half = re.search(rf"\b(?:{halves})\s+(?P<hour>\d{{1,2}}|(?:{numbers})\b)", text)
    if half is not None:
        raise _half_of(half["hour"], text, words)
    found = _named(text, words) or _spoken(text, words) or _clocked(text, words)
    if not found:
        raise Unread("no_time")
    if len(found) > 1:
        raise Unread("many_times", either=[Option(label=f"{at:%H:%M}") for at in sorted(found)[:BUTTONS]])
    return found.pop()


def read_moment(message: str, today: date, zone: tzinfo, words: Mapping[str, Any]) -> datetime:
    """The day and the time a message names, in the person's zone; raises Unread where one of them is missing."""
    text = message[:_LOOK_AT]
    try:
        day = read_date(_without_times(text), today, words)
    except Unread as unread:
        if unread.sentence != "no_date":
            raise
        raise Unread("no_moment") from None
    try:
        at = read_time(_ISO_DATE.sub(" ", text), words)
    except Unread as unread:
        raise Unread("no_moment" if unread.sentence == "no_time" else unread.sentence) from None
    return datetime.combine(day, at, tzinfo=zone)


def tells_a_time(text: str, words: Mapping[str, Any]) -> bool:
    """Words for a day say a time of that day, too: "on Friday at 5pm", "tomorrow evening"."""
    text = _ISO_DATE.sub(" ", _STAMP.sub(" ", text[:_LOOK_AT].lower()))
    spoken = f" {' '.join(re.findall(r'[a-z]+', text))} "
    times, days, numbers = words["times"], words["days"], "|".join(words["numbers"]["values"])
    for phrase in days["phrases"]:
        spoken = spoken.replace(f" {phrase} ", " ")  # "last night" is all said by the day
    named = {*times["names"], *times["past"], *times["parts"]} - days["relative"].keys()
    return (
        any(f" {name} " in spoken for name in named)
        or _SURELY.search(text) is not None
        or any(at["next"] not in days["months"] for at in _AT_HOUR.finditer(text))
        or re.search(rf"\b(?:{numbers})\s*(?:[ap]\.?m\b|o['’]?clock)", text) is not None
    )


def without_times(text: str) -> str:
    """Words for a day without what is surely a time of it: the 5 of "Friday 5pm" is no day of a month."""
    return _SURELY.sub(" ", text)


def read_length(message: str, words: Mapping[str, Any]) -> timedelta:
    """The length of time a message names, its parts added up: "2 hours", "an hour and a half", "1h30"."""
    seconds = _added_up(message, words["lengths"]["units"], words)
    if not 0 < seconds <= Decimal(int(_LONGEST.total_seconds())):
        raise Unread("no_length")
    return timedelta(seconds=float(seconds))


def unit_asked_for(question: str, name: str, words: Mapping[str, Any]) -> str | None:
    """The unit of time that a question counts, or the name of a field: "For how many minutes?", `duration_minutes`."""
    lengths = words["lengths"]
    units = {unit for table in (lengths["units"], lengths["calendar"]) for unit in table if len(unit) > 2}
    behind = "|".join(lengths["counts"])
    found = re.findall(rf"\b(?:{behind})\s+([a-z]+)\b", question.lower())
    return next((unit for unit in (*found, name.lower().rpartition("_")[2]) if unit in units), None)


def read_in_units(message: str, unit: str, words: Mapping[str, Any]) -> Decimal | None:
    """How many of the unit a message names in parts or in other units: an hour is 60 minutes; None where it does not."""
    units = next(t for t in (words["lengths"]["units"], words["lengths"]["calendar"]) if unit in t)
    same = {word for word, size in units.items() if size == units[unit]}
    text = message[:_LOOK_AT].lower()
    named = {word for word in re.findall(r"[a-z]+", text) if word in units and len(word) > 1}
    fraction = any(f" {word}" in f" {text}" for word in words["lengths"]["quarters"])
    if not (named - same) and not (named and fraction) and not _SHORT.search(text):
        return None
    return _added_up(message, units, words) / units[unit] or None


def _added_up(message: str, units: Mapping[str, int], words: Mapping[str, Any]) -> Decimal:
    """The parts of a length, in the smallest of the units; 0 where there are none."""
    text, lengths, numbers = message[:_LOOK_AT].lower(), words["lengths"], words["numbers"]["values"]
    total, last, end = Decimal(0), 0, 0
    if units is lengths["units"]:
        for hours, minutes, after_colon in _SHORT.findall(text):
            total += Decimal(hours) * 3600 + Decimal(minutes or after_colon) * 60
        text = _SHORT.sub(" ", text)
    text = re.sub(rf"\b(?:{'|'.join(lengths['full'])})\s+", "", text)
    text = re.sub(r"\bhalf an?\b", "half", _in_quarters(text, lengths["quarters"], numbers))
    text = _MORE.sub(lambda m: _and_a_half(m, numbers), text)
    many = rf"(?:\d+(?:[.,]\d+)?|{'|'.join(numbers)})"
    if re.search(rf"\b{many}\s*(?:{'|'.join(lengths['either'])})\s*{many}\b", text):
        raise Unread("many_numbers")  # "10 to 15 minutes"
    seen = set[int]()
    for part in _overlapping(text):
        unit, count = units.get(part["unit"]), _many(part["many"] or part["word"], numbers, words)
        if unit is None or count is None:
            continue
        if unit in seen:
            raise Unread("many_numbers")  # "two hours, no, three hours"
        seen.add(unit)
        total += count * unit
        last, end = int(unit), part.end()
    for half in lengths["halves"]:
        if last and f" and {half}" in text:
            return total + Decimal(last) / 2
    more = (
        re.match(rf"\s*(?:and\s+)?(\d{{1,2}}|{'|'.join(numbers)})\b(?!\s*[\w%])", text[end:])
        if last == _HOUR
        else None
    )
    if more is not None and (minutes := _many(more[1], numbers, words)) is not None:
        total += minutes * 60  # "an hour and ten"
    return total


def _in_quarters(text: str, quarters: Sequence[str], numbers: Mapping[str, int]) -> str:
    """'Three quarters of an hour' with digits."""

    def counted(said: re.Match[str]) -> str:
        many = numbers.get(said[1] or "", 1)
        return f"{many * 0.25} " if 0 < many < 4 else said[0]

    return re.sub(rf"(?:\b(\w+)[\s-]+)?\b(?:{'|'.join(quarters)})\s+(?:of\s+)?an?\s+", counted, text)


def _overlapping(text: str) -> Iterator[re.Match[str]]:
    """Every number or word with the word behind it: in "or an hour" both "or an" and "an hour"."""
    at = 0
    while (found := _AMOUNT.search(text, at)) is not None:
        yield found
        at = found.start("unit")


def _and_a_half(said: re.Match[str], numbers: Mapping[str, int]) -> str:
    """'Two and a half hours' with digits."""
    many = said[1] if said[1].isdecimal() else numbers.get(said[1])
    return f"{many}.5 " if many is not None else said[0]


def _many(word: str, numbers: Mapping[str, int], words: Mapping[str, Any]) -> Decimal | None:
    if word[0].isdecimal():
        return Decimal(word.replace(",", "."))
    if word in words["days"]["a"]:
        return Decimal(1)
    if word in words["lengths"]["half"]:
        return Decimal("0.5")
    value = numbers.get(word)
    return Decimal(value) if value is not None else None


def _named(text: str, words: Mapping[str, Any]) -> set[time]:
    spoken = f" {' '.join(re.findall(r'[a-z]+', text))} "
    return {time.fromisoformat(at) for name, at in words["times"]["names"].items() if f" {name} " in spoken}


def _spoken(text: str, words: Mapping[str, Any]) -> set[time]:
    """'Half past six', 'quarter to 8 in the morning'."""
    numbers, found = words["numbers"]["values"], set()
    for phrase, minutes in words["times"]["past"].items():
        for match in re.finditer(rf"\b{phrase}\s+(\w+)", text):
            hour = int(match[1]) if match[1].isdecimal() else numbers.get(match[1])
            if hour is not None and 0 <= hour <= 23:
                found.add(_at(int(hour), 0, text, words, shift=minutes))
    behind, small = "|".join(words["times"]["after"]), rf"\d{{1,2}}|(?:twenty[\s-])?(?:{'|'.join(numbers)})"
    for match in re.finditer(rf"\b({small})(?:\s+minutes)?\s+(?:{behind})\s+(\w+)", text):
        minute = _minutes(match[1], numbers)
        hour = int(match[2]) if match[2].isdecimal() else numbers.get(match[2])
        if hour is not None and 0 <= hour <= 23 and 0 < minute < 30:
            found.add(_at(int(hour), 0, text, words, shift=minute))  # "20 past 3"
    return found


def _minutes(said: str, numbers: Mapping[str, int]) -> int:
    return int(said) if said.isdecimal() else sum(numbers[part] for part in re.findall(r"[a-z]+", said))


def _clocked(text: str, words: Mapping[str, Any]) -> set[time]:
    """'17:30', '5pm', 'at 18'."""
    found: set[time] = set()
    numbers = words["numbers"]["values"]
    parts, around = "|".join(words["times"]["parts"]), "|".join(words["times"]["around"])
    behind = rf"\s*,?\s*(?:{'|'.join(words['times']['within'])})\s+(?:{parts})\b"
    before = rf"\b(?:{around}|(?:{parts})[\s,]*(?:(?:{around})\s)?)\s*$"
    text = re.sub(r"(?<=\d)-?ish\b", "", text)
    for pattern in (
        rf"()\b([a-z]+)(?=\s*(?:o['’]?clock|[ap]\.?m\b)|{behind})",
        rf"(\b(?:{around})\s+)([a-z]+)\b",
    ):
        text = re.sub(pattern, lambda m: f"{m[1]}{numbers.get(m[2], m[2])}", text)
    for match in _CLOCK.finditer(text):
        hour, minute = int(match["hour"]), int(match["minute"] or 0)
        marked = match["minute"] or match["half"] or match["sharp"]
        alone = (
            text.strip(" .!") == match[0].strip()
            or re.search(before, text[: match.start()])
            or re.match(behind, text[match.end() :])
        )
        if not (marked or alone) or hour > 24:
            continue
        if match["half"]:
            if not 1 <= hour <= 12:
                continue
            hour = hour % 12 + (12 if match["half"][0] == "p" else 0)
            found.add(time(hour, minute))
        elif hour >= 13 or hour == 0 or (match["minute"] and len(match["hour"]) == 2 and hour < 10):
            found.add(time(hour % 24, minute))
        else:
            found.add(_at(hour, minute, text, words))
    return found


def _at(hour: int, minute: int, text: str, words: Mapping[str, Any], *, shift: int = 0) -> time:
    """An hour up to twelve, by the part of the day that is said with it."""
    parts = words["times"]["parts"]
    said = {half for part, half in parts.items() if re.search(rf"\b{part}\b", text)}
    half = re.search(r"\b([ap])\.?m\b", text)
    if hour in (12, 1, 2, 3, 4, 5) and any(
        re.search(rf"\b{n}\b", text) for n in words["times"]["small_hours"]
    ):
        said = {"am"}
    if half is not None:
        said = {"am" if half[1] == "a" else "pm"}
    if hour == 12 and not said:
        said = {"pm"}
    if hour <= 12 and len(said) != 1:
        early, late = (_shifted(hour % 12 + more, minute, shift) for more in (0, 12))
        raise _either(early, late, {**parts, "am": "am", "pm": "pm"})
    if hour <= 12:
        hour = hour % 12 + (12 if said == {"pm"} else 0)
    return _shifted(hour, minute, shift)


def _half_of(said: str, text: str, words: Mapping[str, Any]) -> Unread:
    """Half an hour before and after what is named: “half seven” is half past six to some, and half past seven to others."""
    hour = int(said) if said.isdecimal() else int(words["numbers"]["values"][said])
    try:
        before, after = (_at(hour, 0, text, words, shift=shift) for shift in (-30, 30))
    except Unread:
        return Unread("unclear_time")
    return _either(before, after, {})


def _shifted(hour: int, minute: int, shift: int) -> time:
    minutes = (hour * 60 + minute + shift) % (24 * 60)
    return time(minutes // 60, minutes % 60)


def _either(early: time, late: time, parts: Mapping[str, str]) -> Unread:
    """Both times that it may be, which may be chosen by the part of the day as well."""
    options = [
        Option(label=f"{at:%H:%M}", words=tuple(part for part, its in parts.items() if its == half))
        for at, half in ((early, "am"), (late, "pm"))
    ]
    return Unread("either_time", either=options, early=options[0].label, late=options[1].label)


def _without_times(text: str) -> str:
    """The text without times of day: their digits are no days of a month."""
    days = _ISO_DATE.findall(text)
    rest = _ISO_DATE.sub(" ", text)
    rest = re.sub(
        r"(?i)(?<![\w])\d{1,2}[:.h][0-5]\d\s*(?:[ap]\.?m\b\.?)?|\b\d{1,2}\s*(?:[ap]\.?m\b\.?|o['’]?clock)",
        " ",
        rest,
    )
    return f"{rest} {' '.join(days)}"
