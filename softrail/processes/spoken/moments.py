"""A day and a time of it: "Friday at 5 pm", "half an hour ago"; of a question that looks back one that has been.

Where only the day is told, or only the time, the other one is that of the moment which is put right; else it is asked for.
"""

from datetime import date, datetime, timedelta
from typing import Final

from softrail.core.questions import Option
from softrail.processes.spoken.calendar import day_in_words, either_day
from softrail.processes.spoken.days import SURE, day_in
from softrail.processes.spoken.lengths import read_length
from softrail.processes.spoken.said import Said, said
from softrail.processes.spoken.times import read_time
from softrail.processes.unread import Unread

_WEEK: Final = timedelta(days=7)
_HOURS: Final = (
    "(?:n|a) full? (?:hour_unit|minute_unit) (?:and? (?:n|a) minute_unit|and a? (?:half|quarter))?"
)
_AGO: Final = f"{_HOURS} ago (?=comma|stop|or|tail|$)"  #: "an hour before closing" is something else
_AHEAD: Final = f"in around* {_HOURS}|{_HOURS} from now"
_SO_LONG: Final = f"lasting_for around* {_HOURS}"
_WEEKDAY: Final = "(?<!last)(?<!past)(?<!this) weekday (?!last|just_gone|week_unit|ordinal|int|month)"


def read_moment(
    message: str,
    now: datetime,
    locale: str,
    *,
    past: bool = False,
    given: date | None = None,
    question: str = "",
) -> datetime:
    """The day and the time a message names, in the zone of `now`; raises Unread where one of them is missing.

    `given` is the moment that it puts right: what is not told anew stays.
    """
    text = said(message, locale)
    if (counted := _counted(text, now, past=past)) is not None:
        return counted
    was = given if isinstance(given, datetime) else None
    told = _day(text, now.date(), past=past, given=given, question=question)
    day = told or (was.date() if was is not None else None)
    if day is None:
        raise Unread("no_moment")
    try:
        at = read_time(message, locale, question=question)
    except Unread as unread:
        if unread.sentence != "no_time":
            raise
        if told is None:
            raise Unread("no_moment") from None
        if was is None:
            raise _without_time(text, day, now.date() if past else None) from None
        at = was.timetz().replace(tzinfo=None)
    moment = datetime.combine(day, at, tzinfo=now.tzinfo)
    return _of_today_too(text, moment, now) if past and was is None else moment


def _counted(text: Said, now: datetime, *, past: bool) -> datetime | None:
    """So many hours or minutes from now, in either direction; None where none are told."""
    for told, way in ((_AGO, -1), (_SO_LONG, -1)) if past else ((_AGO, -1), (_AHEAD, 1)):
        for match in text.scan(told):
            start, end = text.span(*match.span())
            length = read_length(text.text[start:end], text.known.locale)
            return (now + way * length).replace(second=0, microsecond=0)
    return None


def _day(text: Said, today: date, *, past: bool, given: date | None, question: str) -> date | None:
    """The day that is told; None where none is."""
    timed = [match.span() for match in text.scan(*SURE, "point_two")]
    week = given.date() if isinstance(given, datetime) else given
    try:
        return day_in(text, text.without(timed), today, past=past, week=week, question=question)
    except Unread as unread:
        if unread.sentence != "no_date":
            raise
        return None


def _without_time(text: Said, day: date, today: date | None) -> Unread:
    """The day is told, and no time: with the part of the day, if that is told, it is kept."""
    if today is not None and day + _WEEK == today and any(text.scan(_WEEKDAY)):
        return either_day(today, day)
    parts = [text.texts[match.start()].rpartition(" ")[2] for match in text.scan("part")]
    begun = f"{day.isoformat()} {parts[-1] if parts else ''}".strip()
    return Unread("no_time_yet", begun=begun, day=day_in_words(day))


def _of_today_too(text: Said, moment: datetime, now: datetime) -> datetime:
    """Who says on a Monday that it was on Monday at six may mean today, if it has been six: that is asked."""
    today = moment + _WEEK
    if today.date() != now.date() or today > now or not any(text.scan(_WEEKDAY)):
        return moment
    each = [Option(label=in_words(one), value=f"{one:%Y-%m-%d %H:%M}") for one in (today, moment)]
    raise Unread("either_date", either=each, first=each[0].label, second=each[1].label)


def in_words(moment: datetime) -> str:
    """A moment as a person reads it."""
    return f"{day_in_words(moment.date())}, {moment:%H:%M}"
