"""A conversation as it is stored, in the order of time: what was said, what happened outside, what the clock did."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from softrail.core.attachments import Attachment
from softrail.core.commits import TurnRow
from softrail.core.decisions import Decision
from softrail.core.instances import State
from softrail.core.people import Person
from softrail.core.ports import Store
from softrail.core.sessions import Session
from softrail.core.signals import SignalRequest
from softrail.core.turns import Reply, Request
from softrail.store.inspecting import Conversations, Seen
from softrail.turns.dispatcher import Dispatcher
from softrail.turns.requests import as_sent, stored_request

MOST_SESSIONS: Final = 10  #: of the person that are played together, because one may matter to another
_PAGE: Final = 200

#: How a run stands that may matter to whatever comes after it: it is offered back, or not offered again.
_REMEMBERED: Final = (State.OFFERED, State.SUSPENDED, State.DECLINED, State.LAPSED)

#: What a conversation needed that is not played with it.
Lack = Literal["records", "projects", "files", "people", "deliveries", "model", "interrupted"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Answered:
    """A turn as it is stored, with its answer and its record."""

    row: TurnRow
    reply: Reply
    decision: Decision
    delivers: bool = False  #: something of it was delivered after its commit

    @property
    def by_model(self) -> bool:
        """A language model made words of its answer."""
        return any(call.ok and call.purpose in ("respond", "polish") for call in self.decision.model_calls)

    @property
    def at_once(self) -> list[str]:
        """What was said before the turn was over."""
        messages = self.reply.messages or []
        return [messages[one.message] for one in self.decision.said]

    @property
    def free_words(self) -> str | None:
        """What a language model said where no process had the turn; None: it said nothing, or did more than that."""
        free = (
            self.decision.owner == "free talk" and self.reply.process is None and self.reply.pending is None
        )
        asked = [call.purpose for call in self.decision.model_calls]
        said = free and self.by_model and {*asked} <= {"classify", "respond"} and asked.count("respond") == 1
        return self.reply.companion_message if said else None


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """One thing that happened: somebody spoke, something outside was told, or (without a request) a clock struck or work was done."""

    at: datetime
    session_id: str
    request: Request | SignalRequest | None = None
    process: str = ""  #: of a signal: the process that it was for
    files: tuple[Attachment, ...] = ()
    answered: Answered | None = None  #: None: a clock struck, and nothing was said
    worked: bool = (
        False  #: work that changes nothing outside the store, and that a turn had asked for, was done
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Recorded:
    """A conversation, with others of its person where what was done there may matter to it."""

    session: Session
    person: Person
    events: Sequence[Event]
    lacks: Sequence[Lack] = ()

    def alone(self) -> "Recorded":
        """Without the other conversations."""
        mine = [event for event in self.events if event.session_id == self.session.id]
        return Recorded(session=self.session, person=self.person, events=mine, lacks=self.lacks)


async def recorded(
    dispatcher: Dispatcher, everything: Conversations, seen: Seen, *, until: str | None = None
) -> Recorded:
    """That conversation, up to and with the turn of the id `until`."""
    session, person = seen.overview.session, seen.person
    answered, moved = await _together(dispatcher.store, everything, session, person)
    lacks = list(await _lacks(dispatcher, person, answered))
    events = [event for one in answered if (event := await _event(dispatcher, person, one, lacks))]
    told = {event.at for event in events if event.request is None}
    events += [Event(at=at, session_id=of) for at, of in moved if at not in told]
    if events:
        begun, ended = min(event.at for event in events), max(event.at for event in events)
        done = await everything.worked(person.id, dispatcher.works_inside, begun, ended)
        events += [Event(at=at, session_id=session.id, worked=True) for at in done]
    events.sort(key=lambda event: (event.at, event.request is not None))
    own = [n for n, event in enumerate(events) if event.session_id == session.id and not event.worked]
    named = [n for n in own if (one := events[n].answered) and one.row.turn_id == until]
    events = events[: (named or own or [-1])[-1] + 1]
    return Recorded(session=session, person=person, events=events, lacks=tuple(dict.fromkeys(lacks)))


async def answered_turns(
    store: Store, everything: Conversations, person_id: str, session_id: str
) -> list[Answered]:
    """The answered turns of a session in order."""
    records: dict[int, Decision] = {}
    after = 0
    while page := await store.decisions(person_id, session_id, after=after, limit=_PAGE):
        records |= {seq: Decision.from_json(body) for seq, body in page}
        after = page[-1][0]
    delivered = await everything.delivered(session_id)
    return [
        Answered(
            row=row,
            reply=Reply.model_validate_json(row.reply or ""),
            decision=records[row.seq],
            delivers=row.seq in delivered,
        )
        for row in await everything.turns(session_id)
        if row.seq in records
    ]


async def _together(
    store: Store, everything: Conversations, session: Session, person: Person
) -> tuple[list[Answered], set[tuple[datetime, str]]]:
    """The turns of all conversations that belong together, and when a clock moved something in them."""
    left, known = [session.id], set[str]()
    found: list[Answered] = []
    struck: set[tuple[datetime, str]] = set()
    while left and len(known) < MOST_SESSIONS:
        session_id = left.pop(0)
        known.add(session_id)
        turns = await answered_turns(store, everything, person.id, session_id)
        found += turns
        here = [instance.id for instance in await store.instances(session_id)]
        moves = await store.transitions(list(dict.fromkeys([*here, *_instances(turns)])))
        struck |= {(move.at, move.session_id) for move in moves if move.seq is None}
        near = [move.session_id for move in moves]
        if session_id == session.id:
            ran = {move.process for move in moves}
            near += await _before(everything, session, person, ran)
        left += [one for one in dict.fromkeys(near) if one not in (*known, *left)]
    return found, {(at, of) for at, of in struck if of in known}


async def _before(
    everything: Conversations, session: Session, person: Person, ran: Collection[str]
) -> list[str]:
    """Earlier conversations with a run of the same processes, or of one that is waited for or was not wanted."""
    return [
        run.session_id
        for run in await everything.runs(person.id)
        if run.begun_at <= (session.last_turn_at or session.created_at)
        and (run.process in ran or run.state in _REMEMBERED)
    ]


def _instances(turns: Iterable[Answered]) -> list[str]:
    """The runs of processes that turns speak of."""
    found = [move.instance_id for one in turns for move in one.decision.transitions]
    return found + [one.reply.process.instance_id for one in turns if one.reply.process]


async def _event(dispatcher: Dispatcher, person: Person, one: Answered, lacks: list[Lack]) -> Event | None:
    row = one.row
    if row.status not in ("committed", "silent"):
        lacks.append("interrupted")
        return None
    request = None if row.request is None else as_sent(row) or stored_request(row)
    if request is not None and not isinstance(request, Request | SignalRequest):
        lacks.append("people")
        return None
    process, files = "", tuple[Attachment, ...]()
    if isinstance(request, SignalRequest):
        instance = await dispatcher.store.instance(request.instance_id)
        process = instance.process if instance else ""
    elif request is not None and request.attachments:
        lacks.append("files")
        kept = dispatcher.parts.attachments
        files = tuple(await kept.find(person.id, row.session_id, request.attachments)) if kept else ()
    return Event(
        at=row.accepted_at,
        session_id=row.session_id,
        request=request,
        process=process,
        files=files,
        answered=one,
    )


async def _lacks(dispatcher: Dispatcher, person: Person, answered: Sequence[Answered]) -> Sequence[Lack]:
    """What was there when it was said, and will not be when it is played."""
    found: list[Lack] = []
    here = {one.row.session_id for one in answered}
    kept = await dispatcher.store.records(person.id)
    if any(record.session_id not in ("", *here) for record in kept):
        found.append("records")
    projects = dispatcher.parts.projects
    if projects is not None and any(one.row.project_id for one in answered):
        found.append("projects")
    if any(one.delivers for one in answered):
        found.append("deliveries")
    if any(call.ok for one in answered for call in one.decision.model_calls):
        found.append("model")
    return found
