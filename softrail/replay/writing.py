"""A recorded conversation as a script: the test that it would have been."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from softrail.core.signals import SignalRequest
from softrail.core.turns import Reply, Request
from softrail.replay.recorded import Answered, Event, Lack, Recorded
from softrail.replay.sandbox import told, without_ids

_UNITS: Final = (("week", 604_800), ("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))
_LACKS: Final[dict[Lack, str]] = {
    "records": "Records from earlier conversations played a part, or may have: they are not there when it is played.",
    "projects": "It was about a project, which is not there when it is played.",
    "files": "Files are played as files of that name and size, with another content.",
    "people": "Somebody else took part, whose part is left out.",
    "deliveries": "Something was delivered after a turn: a sweep stands for that here.",
    "model": "A language model took part: its words are any words here.",
    "interrupted": "Turns that were interrupted are left out.",
}


def script(recorded: Recorded) -> str:
    """It as the text of a `.talk` file, which passes when it is played by the application that it was recorded with."""
    if _goes_back(recorded.events):
        recorded = recorded.alone()
    return "".join(f"{line}\n" for line in _Writer(recorded).lines())


def _goes_back(events: Sequence[Event]) -> bool:
    """A conversation goes on after another has begun: a script has no word for that."""
    order = [event.session_id for event in events if event.request is not None]
    changes = [one for n, one in enumerate(order) if n == 0 or order[n - 1] != one]
    return len(changes) != len(set(changes))


class _Writer:
    """Writes the lines in order; it knows what was asked so far, and in which conversation one is."""

    def __init__(self, recorded: Recorded) -> None:
        self._recorded = recorded
        self._at: datetime | None = None
        self._session: str | None = None
        self._replies: list[Reply] = []

    def lines(self) -> Iterator[str]:
        """All of them."""
        first = self._recorded.events[0].at if self._recorded.events else self._recorded.session.created_at
        yield f"# A conversation of {first:%Y-%m-%d}."
        for lack in self._recorded.lacks:
            yield f"# {_LACKS[lack]}"
        person = self._recorded.person
        if person.zone.key != "UTC" or not person.locale.startswith("en"):
            yield f"# Its person's time zone is {person.zone.key}, their language {person.locale}."
        for event in self._recorded.events:
            yield from self._event(event)

    def _event(self, event: Event) -> Iterator[str]:
        yield from self._time(event.at, late=event.request is None)
        if event.request is None:
            yield "sweep"
            if event.answered is not None and event.answered.row.status == "committed":
                yield "session: newest"
        elif isinstance(event.request, SignalRequest):
            yield ""
            data = event.request.signal.data
            given = f" {json.dumps(data, ensure_ascii=False)}" if data else ""
            yield f"signal: {event.process} {event.request.signal.name}{given}"
        else:
            yield ""
            if self._session is not None and self._session != event.session_id:
                yield "session: new"
            self._session = event.session_id
            assert event.answered is not None  # noqa: S101 - what somebody said was answered
            yield from self._said(event, event.request, event.answered)
        if event.answered is not None and event.answered.row.status == "committed":
            if event.session_id == self._recorded.session.id:  # what went before is played, and not checked
                yield from self._answer(event.answered)
            self._replies.append(event.answered.reply)
            if event.answered.delivers:
                yield "sweep"

    def _time(self, at: datetime, *, late: bool) -> Iterator[str]:
        """How much time has passed, in whole seconds; what a clock did it did when its time was over."""
        at = at.replace(microsecond=0) + timedelta(seconds=1 if late and at.microsecond else 0)
        if self._at is None:
            yield f"clock: {at:%Y-%m-%d %H:%M:%S}"
        elif at > self._at:
            yield f"wait: {_length(int((at - self._at).total_seconds()))}"
        self._at = at if self._at is None else max(at, self._at)

    def _said(self, event: Event, request: Request, answered: Answered) -> Iterator[str]:
        words = request.message
        if answered.decision.hides:
            yield "# What was said here is not shown."
            words = "(not shown)"
        if request.intent_hint is not None:
            yield f"# The client said that this is {request.intent_hint}."
        if request.attachments:
            file = event.files[0] if event.files else None
            head = f"file: {file.name} {file.size} bytes" if file else "file: file.txt"
            yield from _folded(head if not words else f"{head}\n{words}")
        elif request.answers is None:
            yield from _folded(f"person: {words}")
        else:
            value = None if answered.decision.hides else request.value
            given = words if value is None else f"= {json.dumps(value, ensure_ascii=False)}"
            yield from _folded(f"answers: {self._question(request.answers)}{given}")

    def _question(self, asked: str) -> str:
        """Which question is meant; nothing where it is the one above."""
        last = self._replies[-1].pending if self._replies else None
        if last is not None and last.id == asked:
            return ""
        found = next((r.pending for r in self._replies if r.pending and r.pending.id == asked), None)
        words = found.prompt.partition("\n")[0].partition('"')[0].strip() if found else ""
        return f'"{words}" ' if words else ""

    def _answer(self, answered: Answered) -> Iterator[str]:
        checks = dict(told(answered.reply))
        words = checks.pop("words")
        yield from _folded(f"us: {'…' if answered.by_model else words}")
        if answered.at_once:
            yield from _folded("at once: " + "\n".join(map(without_ids, answered.at_once)))
        for what, found in checks.items():
            yield f"{what}: {found}"
        if not answered.decision.model_calls:
            yield "model calls: 0"


def _length(seconds: int) -> str:
    unit, size = next((unit, size) for unit, size in _UNITS if seconds % size == 0)
    count = seconds // size
    return f"{count} {unit}{'' if count == 1 else 's'}"


def _folded(text: str) -> Iterator[str]:
    """A line of a script, with those after it that go on."""
    first, *rest = text.splitlines() or [""]
    yield first.rstrip()
    for line in rest:
        yield f"| {line}".rstrip()
