"""A time of day: "half past six", "5pm", "twenty to four", "noonish", "oh nine hundred"; either of two is asked about.

An hour without its half of the day is of the half that the question names, "in the morning". Else nine to eleven are of the
morning and one to four of the afternoon, as people mean them (30 of 31 answers of strangers); five to eight are asked about.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import time
from functools import lru_cache
from typing import Final

from softrail.core.questions import Option
from softrail.processes.spoken.bounds import bounded, meant
from softrail.processes.spoken.days import SURE
from softrail.processes.spoken.grammar import NOTHING, grammar
from softrail.processes.spoken.numbers import addresses
from softrail.processes.spoken.said import Said, said
from softrail.processes.unread import BUTTONS, Unread

_HALF: Final = "(?:dash? ish)? oclock? (?:(?:dash|in of)? d=half_day)?"
_HOUR: Final = "H=(hour|hour_ish) (?:dash? ish)?"
_KEPT: Final = 1024  #: questions of which it is known still what they ask for
#: Which half of the day an hour is of.
_IN: Final = "comma? (?:in|of|off|around|this|a)*"
_PART: Final = f"(?:{_IN} part|comma? by)"
_TOLD: Final = "(?:hour|minute|clock|point_two|oclock|ish|half|quarter|hhmm)"
_MARKED: Final = ("n", "clock", "oclock", "ish", "comma", "in of")  #: behind these "am" is no verb
_THEN: Final = "comma? (?:hence|then|around|of|a)*"
_TAIL: Final = f"(?={_PART}|half_day|oclock|tail|hours_sign|comma|stop|$)"
_AFTER: Final = "(?:(?<=around)|(?<=bound_at)|(?<=part)|(?<=part comma)|(?<=by comma)|(?<=by)|(?<=then))"
_BEFORE: Final = f"(?:{_AFTER}|^)"

#: What is said of a time, the first that fits.
_RULES: Final = (
    f"Q=(n|a) U=(minute_unit|hour_unit) W=(past_word|to_word) X=(named|clock|hour) {_HALF}",
    f"(?:F=(minutes) and)? m=minutes W=(past_word|to_word|off) X=(named|hour) {_HALF}",
    f"a? K=(half|quarter) dash? W=(past_word|to_word|off) dash? X=(named|hour) {_HALF}",
    f"half dash? B=(hour) {_HALF} (?!length)",
    f"C=(clock|point_two) hours_sign? {_HALF}",
    f"h=hour m=minute {_HALF} {_TAIL}",
    f"h=hour dash m=late_minute {_HALF} {_TAIL}",
    f"{_BEFORE} M=(hhmm|hmm) hours_sign? {_HALF} {_TAIL}",
    "M=(hhmm) (?:hours_sign|half_day)",
    "h=hour h m=minute",
    "(?<=at) h=hour hour_unit (?:and? m=minutes minute_unit)?",
    f"(?<!n) {_HOUR} (?:dash|in of)? d=half_day",
    f"{_HOUR} (?:oclock|h) (?:dash? d=half_day)?",
    "hour? (?!part)named",
    f"{_AFTER} {_HOUR} (?:{_PART}|(?!dash? (?:length|span)|off|n|shares|month|share))",
    f"{_HOUR} {_PART}",
    "h=hour_ish",
    "named",
    "h=hour dash? ish",
    "(?:^and?|(?<=repair)|(?<=repair comma)) h=hour (?=comma|stop|dash|tail|bounded|$)",
)
#: Another one behind a time that was told: "five in the afternoon, or was it six".
_OR: Final = "(?<!^)or (?:(?!n|comma|stop|or|and).){0,3} h=hour (?=comma|stop|dash|tail|bounded|$)"
#: "Quarter past", "at five past", and of which hour.
_OPEN: Final = "(?:half|quarter) dash? (?:past_word|to_word) (?!dash|hour|named)|minutes past (?!hour|named)|minutes minute_unit? (?:past_word|to_word) (?:half|quarter) dash? (?:past_word|to_word)"
#: So much from a time that was told before.
_BESIDE: Final = "Q=(n|a) U=(minute_unit|hour_unit) (?:E=(earlier)|later|b=beside (?:that|it))"
#: Which half of the day an hour is of, where nothing tells it.
_USUAL: Final[Mapping[int, str]] = {**dict.fromkeys((9, 10, 11), "am"), **dict.fromkeys((1, 2, 3, 4), "pm")}
_NOON: Final = 12
_CLOCKED: Final = "(hour|clock|point_two|hhmm)"
_LAST: Final = f"Z={_CLOCKED} {_HALF.replace('d=', 'e=')}"
_RANGE: Final = (
    f"(?:from|between) A={_CLOCKED} {_HALF} (?:to|and|dash) {_LAST}",
    f"A={_CLOCKED} {_HALF} (?:to|dash|or) {_LAST}",
    f"(?<!past_word)(?<!to_word)A={_CLOCKED} and Z={_CLOCKED} oclock? (?:e=half_day|{_PART})",
)


def read_time(message: str, locale: str, *, question: str = "") -> time:
    """The one time of day a message names; raises Unread for none, more than one, or morning and evening alike."""
    text = said(message, locale)
    signs = text.without(addresses(text))
    day = _Day(text, signs, _half_asked(question, locale))
    read = _times(text, signs, day)
    if not read:
        raise Unread("no_time")
    found, sense = meant(text, read, "time", question)
    if len(found) > 1:
        each = sorted({at for one in found for at in one})
        raise Unread("many_times", either=_options(each) if len(each) <= BUTTONS else ())
    one = (found or [read[0][0]])[0]
    if len(one) > 1 and found:
        raise day.either(one)
    if sense != "exact":
        raise bounded(_options(one)[0], sense)
    return one[0]


def tells_a_time(message: str, locale: str) -> bool:
    """Words for a day say a time of that day, too: "on Friday at 5pm", "tomorrow evening"."""
    text = said(message, locale)
    return any(
        text.scan(
            *SURE,
            "(?<!n)(?!relative)part",
            "(?<=n)(?!relative|night_unit)part",
            "named",
            "half past_word",
            "quarter (?:past_word|to_word)",
            "around hour (?!off? of? month|stroke|ordinal|calendar|night_unit)",
        )
    )


def _times(text: Said, signs: str, day: "_Day") -> list[tuple[tuple[time, ...], int, int]]:
    """Each time that is told, as all that it may be, and where; raises Unread for a range, and where one is begun and not told."""
    known = text.known
    if known.pattern(_OPEN).search(signs):
        raise Unread("unclear_time")
    read = [
        (one, match.start(), match.end()) for match in text.read(_RULES, signs) if (one := day.told(match))
    ]
    for match in known.pattern(_OR).finditer(signs) if read else ():
        if match.start() >= read[0][2] and match.end() > read[-1][2] and (one := day.told(match)):
            read.append((one, match.start(), match.end()))
    for rule in _RANGE:
        for match in known.pattern(rule).finditer(signs):
            later = (begin for _, begin, _ in read if begin >= match.end())
            if (ends := day.ends(match)) is not None and not any(map(text.is_concluded, later)):
                each = sorted({at for end in ends for at in end})
                sure = len(each) == 2 and all(len(end) == 1 for end in ends)
                apart = text.is_a(match.start("Z") - 1, "or")
                both = (ends[0][0], ends[1][0]) if sure and not apart else None
                raise Unread("many_times", either=_options(each) if len(each) <= BUTTONS else (), ends=both)
    for match in known.pattern(_BESIDE).finditer(signs) if read else ():
        before = [n for n, (_, _, end) in enumerate(read) if end <= match.start()]
        if before:
            n = before[-1]
            moved = (day.shifted(match, read[n][0]), match.start(), match.end())
            read[n + text.is_a(match.start() - 1, "or") : n + 1] = [moved]  # "5 pm, or an hour later" are two
    return read


class _Day:
    """Which half of the day is told somewhere in a message, and the times of it."""

    def __init__(self, text: Said, signs: str, asked: str | None) -> None:
        self._text, self._known, self._asked = text, text.known, asked
        scan = self._known.pattern
        marked = scan(*(f"(?<={kind}) half_day" for kind in _MARKED)).finditer(signs)
        self._marked = {text.value(m.start(), "half_day") for m in marked}
        denied = scan("denied").search(signs) is not None  # "not in the morning, at 8"
        parts = [m.end() - 1 for m in scan(f"{_TOLD} {_IN} part" if denied else "part").finditer(signs)]
        parts = [at for at in parts if not (text.is_a(at, "habits") and text.signs[at - 1 : at] == NOTHING)]
        self._many = sum(1 for _ in scan("n").finditer(text.signs))
        self._nightly = scan("small_hours|habits").search(signs) is not None
        self._night = any(text.is_a(at, "small_hours") for at in parts)
        self._parts = {text.value(at, "part") for at in parts}
        beside = [] if denied else scan(f"b=by {_THEN} {_TOLD}", f"{_TOLD} comma? B=(by)").finditer(signs)
        self._by = {text.value(m.start("b") if m["b"] else m.start("B"), "by") for m in beside}

    def told(self, match: re.Match[str]) -> tuple[time, ...]:
        """The times that this may be: one, or those of the morning and of the evening; none where the day has none such."""
        told = self._told(match)
        return told if self._is_a_number(match) else self._usual(told)

    def _is_a_number(self, match: re.Match[str]) -> bool:
        """Beside other numbers a bare one may be anything: "two, 8 and 11", "this one is about room 9"."""
        bare = len(match[0]) == 1 and not self._text.is_a(match.start() - 1, "around")
        return bare and self._many > 1

    def _told(self, match: re.Match[str]) -> tuple[time, ...]:
        told = {name: match.start(name) for name, group in match.groupdict().items() if group}
        half = self._text.value(told["d"], "half_day") if "d" in told else None
        if "W" in told:
            return self._shifted(told, half)
        if "B" in told:
            hour = self._hour(told["B"])
            return tuple(sorted({at for shift in (-30, 30) for at in self.at(hour, 0, half, shift)}))
        if "C" in told:
            return self._clocked(told["C"], half)
        if "M" in told:
            return self._figured(self._text.texts[told["M"]], half)
        at = told.get("h", told.get("H"))
        if at is None:
            return (self._named(match.end() - 1),)
        minute = int(self._text.texts[told["m"]]) if "m" in told else 0
        return self.at(self._hour(at), minute, half, sure="m" in told and self._text.texts[at][0] == "0")

    def shifted(self, match: re.Match[str], times: tuple[time, ...]) -> tuple[time, ...]:
        """So much before or after the time that was told: "my train goes at 10:12, so half an hour before that"."""
        text = self._text
        earlier = match["E"] or (match["b"] and not text.is_a(match.start("b"), "behind"))
        minutes = self._minutes(match.start("Q"), match.start("U"))
        return tuple(_moved(at, -minutes if earlier else minutes) for at in times)

    def _minutes(self, count: int, unit: int) -> int:
        many, size = self._text.texts[count], 60 if self._text.is_a(unit, "hour_unit") else 1
        return int(float(many.replace(",", ".")) * size) if many[0].isdecimal() else size

    def ends(self, match: re.Match[str]) -> list[tuple[time, ...]] | None:
        """The times between which one is; None where it is minutes to an hour: "twenty to eight"."""
        text, first, last = self._text, match.start("A"), match.start("Z")
        told = match.groupdict()
        halves = [text.value(match.start(g), "half_day") if told.get(g) else None for g in "de"]
        begun = text.is_a(match.start(), "from") or text.is_a(match.start(), "between")
        joint = text.is_a(last - 1, "to")
        if halves[0] and text.is_a(last - 1, "or"):
            return None  # they are told each by itself: "5pm or 6pm"
        if joint and not begun and not any(halves[:1]) and text.is_a(first, "int") and text.is_a(last, "int"):
            minutes, hour = int(text.texts[first]), int(text.texts[last])
            written = text.is_a(first, "figure") and minutes < hour
            if minutes in (5, 10, 20, 25) and hour <= 12 and not written:
                return None
        if halves[0] is None and halves[1] is not None:  # "7 to 9 pm", and "9 to 5 pm"
            early = (
                int(re.findall(r"\d+", text.texts[first])[0]) % 12
                < int(re.findall(r"\d+", text.texts[last])[0]) % 12
            )
            halves[0] = halves[1] if early else next(h for h in ("am", "pm") if h != halves[1])
        both = [self._clocked(at, half) for at, half in zip((first, last), halves, strict=True)]
        if len(both[0]) > 1 and len(both[1]) == 1 and halves[1] is None and both[1][0].hour > 12:
            both[0] = both[0][:1]  # "8:30-16:30"
        return both if all(both) else None

    def _hour(self, at: int) -> int:
        word = self._text.texts[at]
        return int(word) if word.isdecimal() else int(self._text.value(at, "hour_ish"))

    def _named(self, at: int) -> time:
        return time.fromisoformat(self._text.value(at, "named"))

    def _clocked(self, at: int, half: str | None) -> tuple[time, ...]:
        if self._text.is_a(at, "hhmm"):
            return self._figured(self._text.texts[at], half)
        figures = re.split(r"[:.,h]", self._text.texts[at].rstrip("min"))
        hour, minute = int(figures[0]), int(figures[1] or 0) if len(figures) > 1 else 0
        if hour > 24 or minute > 59 or (half and not 1 <= hour <= 12):
            return ()
        return self.at(hour, minute, half, sure=len(figures) > 1 and figures[0][0] == "0")

    def _figured(self, figures: str, half: str | None) -> tuple[time, ...]:
        """'1930', '0745', '730'."""
        return self.at(int(figures[:-2]), int(figures[-2:]), half, sure=figures[0] == "0")

    def _shifted(self, told: Mapping[str, int], half: str | None) -> tuple[time, ...]:
        text, x = self._text, told["X"]
        before = not text.is_a(told["W"], "past_word")
        if "K" in told:
            many = 30 if text.is_a(told["K"], "half") else 15
            if many == 30 and before:
                return ()
        elif "Q" in told:
            many = self._minutes(told["Q"], told["U"])
        else:
            many = int(text.texts[told["m"]]) + (5 if "F" in told else 0)
            if before and many not in (5, 10, 20, 25) and not text.is_a(x, "named"):
                return ()
            if (many >= 30 and before) or ("F" in told and text.texts[told["F"]] != "5"):
                return ()
        shift = -many if before else many
        if text.is_a(x, "named"):
            return (_moved(self._named(x), shift),)
        if text.is_a(x, "clock"):
            return tuple(_moved(at, shift) for at in self._clocked(x, half))
        return self.at(int(text.texts[x]), 0, half, shift)

    def at(
        self, hour: int, minute: int, half: str | None, shift: int = 0, *, sure: bool = False
    ) -> tuple[time, ...]:
        """An hour, by the half of the day that is said with it, or that is told elsewhere in the message."""
        if hour > 24 or (hour == 24 and minute):
            return ()
        if half is None and (hour >= 13 or hour == 0 or sure):
            return (_moved(time(hour % 24, minute), shift),)
        if hour > 12:
            return ()
        before_twelve = hour == 12 and shift < 0  # "quarter to twelve at night" is of that night
        told = set(self._parts)
        if self._night and hour in (12, 1, 2, 3, 4, 5) and not before_twelve:
            told = {"am"}
        if half is not None or self._marked:
            told = {half} if half is not None else self._marked
        if not told and 4 <= hour <= 11:
            told = self._by
        if hour == 12 and not told and not before_twelve:
            told = {"pm"}
        if len(told) != 1:
            return tuple(sorted(_moved(time(hour % 12 + more, minute), shift) for more in (0, 12)))
        hour = (12 if before_twelve else hour % 12) + (12 if told == {"pm"} else 0)
        return (_moved(time(hour % 24, minute), shift),)

    def _usual(self, times: tuple[time, ...]) -> tuple[time, ...]:
        """Of the times of either half of the day those that people mean, where nothing tells it and nobody speaks of nights."""
        early = [at for at in times if at.hour < _NOON]
        if not 0 < len(early) < len(times) or self._parts or self._marked or self._nightly:
            return times
        halves = {_USUAL.get(at.hour) for at in early} if self._asked is None else {self._asked}
        half = halves.pop() if len(halves) == 1 else None
        return times if not half else tuple(at for at in times if (at.hour < _NOON) == (half == "am"))

    def either(self, times: tuple[time, ...]) -> Unread:
        """Either of two, which may be chosen by the part of the day as well; of more, the time that is not told."""
        if len(times) > 2:
            return Unread("many_times", either=_options(times))
        early, late = times
        parts: Mapping[str, str] = {}
        if (late.hour - early.hour) % 24 == 12 and early.minute == late.minute:
            parts = {**self._known.values["part"], **self._known.values["half_day"]}
        options = [
            Option(label=f"{at:%H:%M}", words=tuple(part for part, its in parts.items() if its == half))
            for at, half in ((early, "am"), (late, "pm"))
        ]
        return Unread("either_time", either=options, early=options[0].label, late=options[1].label)


@lru_cache(_KEPT)
def _half_asked(question: str, locale: str) -> str | None:
    """The half of the day that a question names; "" where it may be any: "When do you go to bed?"; None: it names none."""
    asking, asked = grammar(locale).asking, f" {' '.join(re.findall(r'[a-z]+', question.lower()))} "
    halves = [half for half in ("am", "pm") if any(f" {word} " in asked for word in asking[half])]
    if len(halves) == 1:
        return halves[0]
    return "" if halves or any(f" {word} " in asked for word in asking["late"]) else None


def _moved(at: time, minutes: int) -> time:
    shifted = (at.hour * 60 + at.minute + minutes) % (24 * 60)
    return time(shifted // 60, shifted % 60)


def _options(times: Iterable[time]) -> list[Option]:
    return [Option(label=f"{at:%H:%M}") for at in times]
