"""Finds a time of day, a moment or a length of time in a sentence: "half past six", "Friday at 5pm", "an hour and a half"."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, time, timedelta, tzinfo
from decimal import Decimal
from typing import Any

from softrail.core.questions import Option
from softrail.processes.dates import read_date
from softrail.processes.numerals import in_digits
from softrail.processes.quantities import without_addresses
from softrail.processes.unread import BUTTONS, Unread

_LOOK_AT = 300  #: characters; what comes later is not an answer
_LONGEST = timedelta(days=36_500)
_HOUR = 3600
_CLOCK = re.compile(
    r"(?<![\w:.,/-])(?P<hour>\d{1,2})(?:[:.h](?P<minute>[0-5]\d))?(?:\s*(?P<half>a\.?m\b\.?|p\.?m\b\.?)|\s*(?P<sharp>o['’\"]?\s?clock|h\b))?(?![\w:/-])",
)
#: A time whatever stands beside it. "6.03" may be a day, "by 15" begins one: those are left to who asks for a time.
_SURELY = re.compile(
    r"(?<![\w:.,/-])(?:\d{1,2}(?:[:.][0-5]\d)?\s*(?:[ap]\.?m\b\.?|o['’\"]?\s?clock\b)"
    r"|\d{1,2}:[0-5]\d(?::[0-5]\d)?(?![\w:])|\d{1,2}h(?:[0-5]\d)?\b)",
    re.IGNORECASE,
)
_AT_HOUR = re.compile(r"\bat \d{1,2}\b(?!\s*(?:st|nd|rd|th|of)\b)\s*(?P<next>[a-z]*)")
_STAMP = re.compile(r"(?<=\d)t(?=\d{2}:\d{2})")
_ISO_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
_AMOUNT = re.compile(r"(?:(?P<many>\d+(?:[.,]\d+)?)[\s-]*|\b(?P<word>[a-z]+)[\s-]+)(?P<unit>[a-z]+)\b")
_JOINT = re.compile(r"[\s,]*(?:and|plus|[&+])?\s*")  #: between the parts of one length
_SHORT = re.compile(r"(?<!\w)(\d+)(?:h(\d{1,2})(?:m|min)?|:([0-5]\d)\s*(?:h|hrs?|hours?))(?!\w)")


def read_time(message: str, words: Mapping[str, Any]) -> time:
    """The one time of day a message names; raises Unread for none, more than one, or morning and evening alike."""
    said, times = message[:_LOOK_AT].lower(), words["times"]
    text = without_addresses(in_digits(said, words).text, words)
    text = re.sub(rf"\b(?:{'|'.join(times['greetings'])})\b", " ", text)
    text = re.sub(
        r"(?<=\d)[\s-]?ish\b",
        "",
        re.sub(rf"\b({'|'.join(words['numbers']['values'])})-?ish\b", _ish(words), text),
    )
    text = _in_one(text, times)
    if _is_a_range(text, said, times):
        raise Unread("many_times")
    past = "|".join((*times["after"], *times["before"]))
    if re.search(
        rf"\b(?:{'|'.join((*times['halves'], *times['quarters']))})[\s-]+(?:{past})\b(?!\s*\d)", text
    ):
        raise Unread("unclear_time")  # "quarter past", and of which hour
    minutes = rf"(?:5|10|20|25|\d{{1,2}}\s+minutes|{'|'.join(times['quarters'])})"
    if re.search(rf"\b{minutes}\s+(?:{past})\s+(?:{'|'.join(times['names'])})\b", text):
        raise Unread("unclear_time")  # "five minutes to midnight"
    half = re.search(rf"\b(?:{'|'.join(times['halves'])})\s+(?P<hour>\d{{1,2}})\b", text)
    if half is not None:
        raise _half_of(int(half["hour"]), text, words)
    found = _named(text, words) or _spoken(text, words) or _clocked(text, words)
    if not found:
        raise Unread("no_time")
    if len(found) > 1:
        raise Unread("many_times", either=[Option(label=f"{at:%H:%M}") for at in sorted(found)[:BUTTONS]])
    return found.pop()


def _ish(words: Mapping[str, Any]) -> Callable[[re.Match[str]], str]:
    return lambda said: str(words["numbers"]["values"][said[1]])


def _in_one(text: str, times: Mapping[str, Any]) -> str:
    """Hour and minutes as one: “7 30” and “1930” with a colon between them, “in” of “in 5 minutes” with what it counts."""
    behind = rf"(?=\s*(?:$|[,.!?;)]|[ap]\.?m\b|(?:{'|'.join((*times['behind'], *times['parts']))})\b))"
    before = rf"(?:^|[,:;(]\s*|\b(?:{'|'.join((*times['around'], *times['parts']))})\s+)"
    text = re.sub(rf"(?<![\d:.,/-])(\d{{1,2}})(?: ([0-5]\d)|-(2[5-9]|[345]\d)){behind}", _colon, text)
    return re.sub(rf"({before})([01]\d|2[0-3])([0-5]\d)(?:\s*(?:h|hrs?|hours))?{behind}", r"\1\2:\3", text)


def _colon(said: re.Match[str]) -> str:
    return f"{said[1]}:{said[2] or said[3]}"


def _is_a_range(text: str, said: str, times: Mapping[str, Any]) -> bool:
    """From one time to another: “7 to 9 pm”, “between 7 and 8”; “20 to 8” is one, and “10 to 11” may be either."""
    hour = r"(\d{1,2})(?:[:.][0-5]\d)?\s*(?:[ap]\.?m\b\.?)?"
    joined = rf"\b(?:{'|'.join(times['between'])})\s+{hour}\s*(?:{'|'.join(times['and'])}|-|–)\s*{hour}"
    if re.search(rf"\b(?:{times['between'][0]})\b.*\d.*\b(?:{times['and'][0]})\b.*\d", text):
        return True
    if re.search(joined, text) or re.search(rf"(?<![\w/.:-]){hour}\s*[-–]\s*{hour}(?![\w/-])", text):
        return True
    if re.search(rf"(?<![\w/.:-])\d{{1,2}}\s+(?:{'|'.join(times['or'])})\s+{hour}", text):
        return True  # "8 or 9 in the evening"
    for first, second in re.findall(
        rf"(?<![\w/.:-]){hour}\s+(?:{'|'.join(times['and'][1:])})\s+{hour}", text
    ):
        minutes = first in ("5", "10", "20", "25") and int(second) <= 12
        written = re.search(rf"\b{first}\s", said) is not None and int(first) < int(second)
        if not minutes or written:
            return True
    return False


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
    text = in_digits(_ISO_DATE.sub(" ", _STAMP.sub(" ", text[:_LOOK_AT].lower())), words).text
    spoken = f" {' '.join(re.findall(r'[a-z]+', text))} "
    times, days = words["times"], words["days"]
    for phrase in days["phrases"]:
        spoken = spoken.replace(f" {phrase} ", " ")  # "last night" is all said by the day
    named = {*times["names"], *times["past"], *times["parts"]} - days["relative"].keys()
    return (
        any(f" {name} " in spoken for name in named)
        or _SURELY.search(text) is not None
        or any(at["next"] not in days["months"] for at in _AT_HOUR.finditer(text))
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
    fraction = any(f" {word}" in f" {text}" for word in words["lengths"]["parts"])
    if not (named - same) and not (named and fraction) and not _SHORT.search(text):
        return None
    return _added_up(message, units, words) / units[unit] or None


def _added_up(message: str, units: Mapping[str, int], words: Mapping[str, Any]) -> Decimal:
    """The parts of a length, in the smallest of the units; 0 where there are none."""
    lengths = words["lengths"]
    text = re.sub(rf"\b(?:{'|'.join(lengths['full'])})\s+", "", message[:_LOOK_AT].lower())
    text = in_digits(text, words).text
    total, last, end = Decimal(0), 0, 0
    if units is lengths["units"]:
        for hours, minutes, after_colon in _SHORT.findall(text):
            total += Decimal(hours) * 3600 + Decimal(minutes or after_colon) * 60
        text = _SHORT.sub(" ", text)
    many, either, a = r"\d+(?:[.,]\d+)?", "|".join(lengths["either"]), "|".join(words["days"]["a"])
    if re.search(rf"\b{many}\s*(?:{either})\s*{many}\b|\b(?:{a})\s+[a-z]+\s+or\s+{many}\b", text):
        raise Unread("many_numbers")  # "10 to 15 minutes", "a day or two"
    seen = set[int]()
    for part in _overlapping(text):
        unit, count = units.get(part["unit"]), _many(part["many"] or part["word"], words)
        if unit is None or count is None:
            continue
        if unit in seen or (last and not _JOINT.fullmatch(text[end : part.start()])):
            raise Unread("many_numbers")  # "two hours, no, three hours", "45 minutes to an hour"
        seen.add(unit)
        total += count * unit
        last, end = int(unit), part.end()
    more = re.match(rf"\s+and\s+(?:(?:{a}|(\d))\s+)?({'|'.join(lengths['parts'])})\b", text[end:])
    if last and more is not None:
        return total + last * int(more[1] or 1) * Decimal(str(lengths["parts"][more[2]]))
    if last == _HOUR and (minutes := re.match(r"\s*(?:and\s+)?(\d{1,2})\b(?!\s*[\w%])", text[end:])):
        total += int(minutes[1]) * 60  # "an hour and ten"
    return total


def _overlapping(text: str) -> Iterator[re.Match[str]]:
    """Every number or word with the word behind it: in "or an hour" both "or an" and "an hour"."""
    at = 0
    while (found := _AMOUNT.search(text, at)) is not None:
        yield found
        at = found.start("unit")


def _many(word: str, words: Mapping[str, Any]) -> Decimal | None:
    if word[0].isdecimal():
        return Decimal(word.replace(",", "."))
    return Decimal(1) if word in words["days"]["a"] else None


def _named(text: str, words: Mapping[str, Any]) -> set[time]:
    spoken = f" {' '.join(re.findall(r'[a-z]+', text))} "
    for part in words["times"]["parts"]:
        spoken = spoken.replace(f" {part} ", " ")  # "before noon" is no noon
    return {time.fromisoformat(at) for name, at in words["times"]["names"].items() if f" {name} " in spoken}


def _spoken(text: str, words: Mapping[str, Any]) -> set[time]:
    """'Half past six', 'quarter to 8 in the morning', '20 past 3'."""
    times, found = words["times"], set[time]()
    for phrase, minutes in times["past"].items():
        for match in re.finditer(rf"\b{phrase.replace(' ', '[ -]')}\s+(\d{{1,2}})\b", text):
            if int(match[1]) <= 23:
                found.add(_at(int(match[1]), 0, text, words, shift=minutes))
    for kind, sign in (("after", 1), ("before", -1)):
        pattern = rf"(?<![\w:.])(\d{{1,2}})(?:\s+minutes)?\s+(?:{'|'.join(times[kind])})\s+(\d{{1,2}})\b"
        for match in re.finditer(pattern, text):
            if int(match[2]) <= 23 and 0 < int(match[1]) < 30:
                found.add(_at(int(match[2]), 0, text, words, shift=sign * int(match[1])))
    return found


def _clocked(text: str, words: Mapping[str, Any]) -> set[time]:
    """'17:30', '5pm', 'at 18'."""
    found: set[time] = set()
    times = words["times"]
    parts, around = "|".join(times["parts"]), "|".join(times["around"])
    behind = rf"\s*,?\s*(?:(?:{'|'.join(times['within'])})\s+(?:{parts})|tonight|{'|'.join(times['by'])})\b"
    before = rf"\b(?:{around}|(?:{parts}|{'|'.join(times['by'])})[\s,]*(?:so\s+)?(?:(?:{around})\s)?)\s*$"
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
    before_twelve = hour == 12 and shift < 0  # "quarter to twelve at night" is of that night
    if (
        hour in (12, 1, 2, 3, 4, 5)
        and not before_twelve
        and any(re.search(rf"\b{n}\b", text) for n in words["times"]["small_hours"])
    ):
        said = {"am"}
    if half is not None:
        said = {"am" if half[1] == "a" else "pm"}
    if not said and 4 <= hour <= 11 and not re.search(rf"\b(?:{'|'.join(words['times']['denied'])})\b", text):
        said = {half for by, half in words["times"]["by"].items() if re.search(rf"\b{by}\b", text)}
    if hour == 12 and not said and not before_twelve:
        said = {"pm"}
    if hour <= 12 and len(said) != 1:
        early, late = sorted(_shifted(hour % 12 + more, minute, shift) for more in (0, 12))
        raise _either(early, late, {**parts, "am": "am", "pm": "pm"})
    if hour <= 12:
        hour = (12 if before_twelve else hour % 12) + (12 if said == {"pm"} else 0)
    return _shifted(hour, minute, shift)


def _half_of(hour: int, text: str, words: Mapping[str, Any]) -> Unread:
    """Half an hour before and after what is named: “half seven” is half past six to some, and half past seven to others."""
    try:
        before, after = (_at(hour, 0, text, words, shift=shift) for shift in (-30, 30))
    except Unread:
        each = sorted(_shifted(hour % 12 + more, 0, shift) for more in (0, 12) for shift in (-30, 30))
        return Unread("unclear_time", either=[Option(label=f"{at:%H:%M}") for at in each])
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
        r"(?i)(?<![\w])\d{1,2}[:.h][0-5]\d\s*(?:[ap]\.?m\b\.?)?|\b\d{1,2}\s*(?:[ap]\.?m\b\.?|o['’\"]?\s?clock)",
        " ",
        rest,
    )
    return f"{rest} {' '.join(days)}"
