"""Rows become domain objects here and nowhere else: two functions for each kind."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Any, NamedTuple

from softrail.core.commits import AccessKey, TurnRow
from softrail.core.errors import NewerState
from softrail.core.instances import NO_MEMO, DueKind, Instance, InstanceMemo, State, Transition, Trigger
from softrail.core.keys import Right
from softrail.core.people import Person
from softrail.core.questions import Pending, Question
from softrail.core.sessions import Memo, Session

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_NO_MEMO = Memo()
_NO_MEMO_TEXT = _NO_MEMO.model_dump_json()


class Standing(NamedTuple):
    """What decides whether a session may be written: the columns of `sql.SESSIONS`."""

    id: str
    person_id: str
    rev: int
    next_seq: int
    leased_to: str | None
    fence: int
    waiting: int


class InstancePlace(NamedTuple):
    """The revision of an instance, and where the indexes have it: what most turns leave as it is."""

    id: str
    rev: int
    person_id: str
    session_id: str
    process: str
    slot: str
    state: str | None
    holds: int
    asked: int | None

    def keeps(self, values: Mapping[str, Any]) -> bool:
        """The instance stays in its place when it is saved with those values."""
        kept: bool = self[2:] == _indexed(values)
        return kept


_indexed = itemgetter(*InstancePlace._fields[2:])


def stamp(moment: datetime) -> int:
    """Whole microseconds since 1970; exact, where a float of seconds is not."""
    return (moment - _EPOCH) // _MICROSECOND


def stamp_or_none(moment: datetime | None) -> int | None:
    """`stamp`, passing None through."""
    return None if moment is None else stamp(moment)


def moment(value: int) -> datetime:
    """The aware UTC time of a stamp."""
    return _EPOCH + timedelta(microseconds=value)


def moment_or_none(value: int | None) -> datetime | None:
    """`moment`, passing None through."""
    return None if value is None else moment(value)


def person_from(row: Sequence[Any]) -> Person:
    """The person of a row (id, email, display_name, timezone, locale, companion_name, …, model_key)."""
    return Person(
        id=row[0],
        email=row[1],
        display_name=row[2],
        timezone=row[3],
        locale=row[4],
        companion_name=row[5],
        has_model_key=row[7] is not None,
    )


def person_values(person: Person, at: datetime) -> dict[str, Any]:
    """What is stored of a new person."""
    return {
        "id": person.id,
        "email": person.email,
        "display_name": person.display_name,
        "timezone": person.timezone,
        "locale": person.locale,
        "companion_name": person.companion_name,
        "created_at": stamp(at),
    }


def key_from(row: Sequence[Any], person: Person | None = None) -> AccessKey:
    """The key of a row of `keys`."""
    return AccessKey(
        id=row[0],
        person_id=row[1],
        name=row[2],
        hash=row[3],
        created_at=moment(row[4]),
        revoked_at=moment_or_none(row[5]),
        rights=tuple(right for right in Right if right in (row[6] or "").split()),
        person=person,
    )


def key_values(key: AccessKey) -> dict[str, Any]:
    """What is stored of a key."""
    return {
        "id": key.id,
        "person_id": key.person_id,
        "name": key.name,
        "hash": key.hash,
        "created_at": stamp(key.created_at),
        "revoked_at": stamp_or_none(key.revoked_at),
        "rights": " ".join(key.rights) or None,
    }


def session_from(row: Sequence[Any]) -> Session:
    """The session of a row of `sessions`. Raises NewerState."""
    try:
        return _session_from(row)
    except ValueError:  # it repeats what is kept, which is no matter of a log
        raise NewerState from None


def _session_from(row: Sequence[Any]) -> Session:
    pending, memo = row[7], row[8]
    return Session(
        id=row[0],
        person_id=row[1],
        rev=row[2],
        next_seq=row[3],
        leased_to=row[4],
        fence=row[5],
        waiting=row[6],
        pending=None if pending is None else Pending.model_validate_json(pending),
        memo=_NO_MEMO if memo == _NO_MEMO_TEXT else Memo.model_validate_json(memo),
        created_at=moment(row[9]),
        last_turn_at=moment_or_none(row[10]),
    )


def _memo_text(memo: Memo) -> str:
    return _NO_MEMO_TEXT if memo is _NO_MEMO else memo.model_dump_json()  # the very one it was read with


def session_values(session: Session) -> dict[str, Any]:
    """What is stored of a session, as it is: the caller sets what only the store may count."""
    pending = session.pending
    return {
        "id": session.id,
        "person_id": session.person_id,
        "rev": session.rev,
        "next_seq": session.next_seq,
        "holder": session.leased_to,
        "fence": session.fence,
        "waiting": session.waiting,
        "pending": None if pending is None else pending.model_dump_json(),
        "memo": _memo_text(session.memo),
        "created_at": stamp(session.created_at),
        "last_turn_at": stamp_or_none(session.last_turn_at),
    }


def turn_from(row: Sequence[Any]) -> TurnRow:
    """The turn of a row of `turns`."""
    return TurnRow(
        session_id=row[0],
        seq=row[1],
        person_id=row[2],
        turn_id=row[3],
        hash=row[4],
        request=row[5],
        origin=row[6],
        status=row[7],
        starts=row[8],
        accepted_at=moment(row[9]),
        replied_at=moment_or_none(row[10]),
        reply=row[11],
        intent=row[12],
        process=row[13],
        project_id=row[14],
        begun_by=tuple(row[15].split()) if row[15] else (),
    )


def turn_values(turn: TurnRow) -> dict[str, Any]:
    """What is stored of a turn."""
    return {
        "session_id": turn.session_id,
        "seq": turn.seq,
        "person_id": turn.person_id,
        "turn_id": turn.turn_id,
        "hash": turn.hash,
        "request": turn.request,
        "origin": turn.origin,
        "status": turn.status,
        "starts": turn.starts,
        "accepted_at": stamp(turn.accepted_at),
        "replied_at": stamp_or_none(turn.replied_at),
        "reply": turn.reply,
        "intent": turn.intent,
        "process": turn.process,
        "project_id": turn.project_id,
        "begun_by": " ".join(turn.begun_by) or None,
    }


def instance_from(row: Sequence[Any]) -> Instance:
    """The instance of a row of `instances`. Raises NewerState."""
    try:
        return _instance_from(row)
    except ValueError:
        raise NewerState from None


def _instance_from(row: Sequence[Any]) -> Instance:
    return Instance(
        id=row[0],
        person_id=row[1],
        session_id=row[2],
        process=row[3],
        version=row[4],
        slot=row[5],
        step=row[6],
        state=None if row[7] is None else State(row[7]),
        holds=bool(row[8]),
        covers=row[9],
        data=row[10],
        question=None if row[11] is None else Question.model_validate_json(row[11]),
        failures=row[12],
        due_at=moment_or_none(row[13]),
        due_kind=None if row[14] is None else DueKind(row[14]),
        moves=row[15],
        moved_at=moment_or_none(row[16]),
        handled_at=moment_or_none(row[17]),
        offered_back=bool(row[18]),
        rev=row[19],
        memo=NO_MEMO if row[20] is None else InstanceMemo.model_validate_json(row[20]),
    )


def instance_values(instance: Instance) -> dict[str, Any]:
    """What is stored of an instance, at the revision it has."""
    return {
        "id": instance.id,
        "person_id": instance.person_id,
        "session_id": instance.session_id,
        "process": instance.process,
        "version": instance.version,
        "slot": instance.slot,
        "step": instance.step,
        "state": None if instance.state is None else instance.state.value,
        "holds": int(instance.holds),
        "covers": instance.covers,
        "data": instance.data,
        "question": None if instance.question is None else instance.question.model_dump_json(),
        "failures": instance.failures,
        "due_at": stamp_or_none(instance.due_at),
        "due_kind": None if instance.due_kind is None else instance.due_kind.value,
        "moves": instance.moves,
        "moved_at": stamp_or_none(instance.moved_at),
        "handled_at": stamp_or_none(instance.handled_at),
        "offered_back": int(instance.offered_back),
        "rev": instance.rev,
        "memo": None
        if instance.memo is NO_MEMO or instance.memo == NO_MEMO
        else instance.memo.model_dump_json(exclude_defaults=True),
        "asked": None if instance.memo.asked is None else 1,
    }


def transition_from(row: Sequence[Any]) -> Transition:
    """The transition of a row of `transitions`."""
    return Transition(
        instance_id=row[0],
        n=row[1],
        trigger=Trigger(row[2]),
        source=None if row[3] is None else State(row[3]),
        dest=State(row[4]),
        reason=row[5],
        session_id=row[6],
        seq=row[7],
        at=moment(row[8]),
        process=row[9],
        step=row[10],
    )


def transition_values(transition: Transition) -> dict[str, Any]:
    """What is stored of a transition."""
    return {
        "instance_id": transition.instance_id,
        "n": transition.n,
        "trigger": transition.trigger.value,
        "source": None if transition.source is None else transition.source.value,
        "dest": transition.dest.value,
        "reason": transition.reason,
        "session_id": transition.session_id,
        "seq": transition.seq,
        "at": stamp(transition.at),
        "process": transition.process,
        "step": transition.step,
    }
