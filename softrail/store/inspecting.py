"""Conversations of anybody, for those who may look into all of them. Whether somebody may is decided elsewhere."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Select, and_, exists, func, or_, select

from softrail.core.commits import Overview, TurnRow
from softrail.core.instances import State
from softrail.core.people import Person
from softrail.core.sessions import Session
from softrail.store.archiving import NEVER, archived_turns
from softrail.store.listing import overviews
from softrail.store.rows import moment, person_from, session_from, stamp, turn_from
from softrail.store.sqlstore import SqlStore
from softrail.store.tables import OF_NO_TURN, decisions, effects, instances, persons, sessions, turns

_ACTIVE_AT: Final = func.coalesce(sessions.c.last_turn_at, sessions.c.created_at)
_TROUBLE: Final = '"trouble":"'  #: how a record with trouble has it
_WIDTH: Final = len(sessions.columns)


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """Which sessions are looked for; what is empty is not asked about."""

    person: str = ""  #: a part of the e-mail address
    process: str = ""  #: the name of a process that ran in it
    state: str = ""  #: where a process in it stands now
    trouble: bool = False  #: something went wrong in it
    text: str = ""  #: words that were said in it


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """A session as it stands in the list of all."""

    overview: Overview
    person: Person
    trouble: bool  #: something went wrong in it, in a turn that is not archived


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """A run of a process: where it is, and how it stands."""

    session_id: str
    process: str
    state: State
    begun_at: datetime  #: when its session was opened


class Conversations:
    """All sessions there are. Words and trouble are looked for in what is not archived."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store

    async def latest(self, wanted: Wanted, *, before: str | None, limit: int) -> Sequence[Seen]:
        """Those wanted, the last spoken in first, after the one of id `before`; none when that is unknown."""
        return await self._store.read(lambda conn: _latest(conn, wanted, before, limit))

    async def session(self, session_id: str) -> Seen | None:
        """That session, whosever it is."""
        return await self._store.read(
            lambda conn: next(iter(_seen(conn, _all().where(sessions.c.id == session_id))), None)
        )

    async def runs(self, person_id: str) -> Sequence[Run]:
        """The runs of processes of a person, the last moved first; at most the newest 100."""
        return await self._store.read(lambda conn: _runs(conn, person_id))

    async def delivered(self, session_id: str) -> Collection[int]:
        """The `seq` of turns of which something is, or was, to be delivered after their commit."""
        return await self._store.read(lambda conn: set(conn.scalars(_outgoing(session_id))))

    async def worked(
        self, person_id: str, kinds: Collection[str], begun: datetime, ended: datetime
    ) -> Sequence[datetime]:
        """When effects of those kinds that are of no turn were delivered for a person between two moments, in order; at most 100."""
        found = _worked(person_id, kinds, stamp(begun), stamp(ended))
        return await self._store.read(lambda conn: [moment(at) for at in conn.scalars(found)])

    async def turns(self, session_id: str) -> Sequence[TurnRow]:
        """Every turn of a session that was answered, in order: the silent ones and the archived ones, too."""
        return await self._store.read(lambda conn: _turns(conn, session_id))


def _all() -> Select[Any]:
    return select(*sessions.columns, *persons.columns).join(persons, persons.c.id == sessions.c.person_id)


def _latest(conn: Connection, wanted: Wanted, before: str | None, limit: int) -> Sequence[Seen]:
    query = _all().where(*_conditions(wanted))
    if before is not None:
        last = conn.execute(select(_ACTIVE_AT.label("at")).where(sessions.c.id == before)).first()
        if last is None:
            return []
        query = query.where(or_(last.at > _ACTIVE_AT, and_(last.at == _ACTIVE_AT, sessions.c.id < before)))
    return _seen(conn, query.order_by(_ACTIVE_AT.desc(), sessions.c.id.desc()).limit(limit))


def _conditions(wanted: Wanted) -> list[Any]:
    found: list[Any] = []
    if wanted.person:
        found.append(persons.c.email.contains(wanted.person, autoescape=True))
    ran = [instances.c.session_id == sessions.c.id]
    if wanted.process:
        ran.append(instances.c.process == wanted.process)
    if wanted.state:
        ran.append(instances.c.state == wanted.state)
    if len(ran) > 1:
        found.append(exists().where(*ran))
    if wanted.trouble:
        found.append(_in_trouble())
    if wanted.text:
        said = or_(
            turns.c.request.icontains(wanted.text, autoescape=True),
            turns.c.reply.icontains(wanted.text, autoescape=True),
        )
        found.append(exists().where(turns.c.session_id == sessions.c.id, said))
    return found


def _in_trouble() -> Any:
    return exists().where(decisions.c.session_id == sessions.c.id, decisions.c.body.contains(_TROUBLE))


def _seen(conn: Connection, query: Select[Any]) -> list[Seen]:
    found: list[tuple[Session, Person]] = [
        (session_from(row), person_from(row[_WIDTH:])) for row in conn.execute(query)
    ]
    ids = [session.id for session, _ in found]
    in_trouble = set(conn.scalars(select(sessions.c.id).where(sessions.c.id.in_(ids), _in_trouble())))
    return [
        Seen(overview=overview, person=person, trouble=session.id in in_trouble)
        for session, person in found
        for overview in overviews(conn, person.id, [session.id])
    ]


def _runs(conn: Connection, person_id: str, limit: int = 100) -> Sequence[Run]:
    query = (
        select(instances.c.session_id, instances.c.process, instances.c.state, sessions.c.created_at)
        .join(sessions, sessions.c.id == instances.c.session_id)
        .where(instances.c.person_id == person_id)
        .order_by(instances.c.moved_at.desc().nulls_last(), instances.c.id.desc())
        .limit(limit)
    )
    return [
        Run(session_id=row[0], process=row[1], state=State(row[2]), begun_at=moment(row[3]))
        for row in conn.execute(query)
    ]


def _outgoing(session_id: str) -> Select[Any]:
    return select(effects.c.seq).where(effects.c.session_id == session_id, effects.c.status != "applied")


def _worked(person_id: str, kinds: Collection[str], begun: int, ended: int) -> Select[Any]:
    mine = and_(OF_NO_TURN, effects.c.person_id == person_id, effects.c.kind.in_(kinds))
    done = select(effects.c.delivered_at).where(mine, effects.c.delivered_at.between(begun, ended))
    return done.order_by(effects.c.delivered_at).limit(100)


def _turns(conn: Connection, session_id: str) -> Sequence[TurnRow]:
    whose = conn.scalar(select(sessions.c.person_id).where(sessions.c.id == session_id))
    if whose is None:
        return []
    query = select(turns).where(turns.c.session_id == session_id, turns.c.reply.is_not(None))
    kept = [turn_from(row) for row in conn.execute(query.order_by(turns.c.seq))]
    packed = archived_turns(conn, whose, session_id, 0, kept[0].seq if kept else NEVER)
    return [*(turn_from(list(vars(row).values())) for row in packed if row.reply is not None), *kept]
