"""What a person's turns have used of a language model in a day: set aside before a call, settled after it."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final

from pydantic import TypeAdapter
from sqlalchemy import ColumnElement, Connection, select, update
from sqlalchemy.dialects import postgresql, sqlite

from softrail.store.rows import stamp
from softrail.store.tables import records

KIND: Final = "model_spending"


@dataclass(frozen=True, kw_only=True, slots=True)
class Spent:
    """What was used in a day, or what is to be added to it."""

    tokens: int = 0  #: on the system's account, with what is set aside for calls under way
    own_tokens: int = 0  #: on the person's own account
    cost_usd: Decimal | None = None  #: of all calls whose price is known, on either account
    unpriced: bool = False  #: there were calls whose price is not known

    def with_(self, more: "Spent") -> "Spent":
        """Both together."""
        costs = [cost for cost in (self.cost_usd, more.cost_usd) if cost is not None]
        return Spent(
            tokens=max(0, self.tokens + more.tokens),
            own_tokens=self.own_tokens + more.own_tokens,
            cost_usd=sum(costs, Decimal(0)) if costs else None,
            unpriced=self.unpriced or more.unpriced,
        )


_SPENT: Final = TypeAdapter(Spent)


def reserve(conn: Connection, person_id: str, day: str, tokens: int, *, limit: int, at: datetime) -> bool:
    """Set tokens aside for one call; False, and nothing is changed, when the day's limit would be passed.

    The row is locked while it is read, so that many turns at once cannot all see the same rest.
    """
    spent = _locked(conn, person_id, day, at)
    if spent.tokens + tokens > limit:
        return False
    _write(conn, person_id, day, spent.with_(Spent(tokens=tokens)))
    return True


def settle(conn: Connection, person_id: str, day: str, more: Spent, *, at: datetime) -> None:
    """Add what a call has really used; `more.tokens` is that less what was set aside for it."""
    _write(conn, person_id, day, _locked(conn, person_id, day, at).with_(more))


def spent_on(conn: Connection, person_id: str, day: str) -> Spent:
    """What was used that day."""
    data = conn.scalar(select(records.c.data).where(*_of(person_id, day)))
    return Spent() if data is None else _SPENT.validate_json(data)


def _locked(conn: Connection, person_id: str, day: str, at: datetime) -> Spent:
    make = postgresql.insert if conn.dialect.name == "postgresql" else sqlite.insert
    first = make(records).values(
        person_id=person_id,
        kind=KIND,
        key=day,
        data=_json(Spent()),
        session_id="",
        seq=0,
        made_at=stamp(at),
    )
    conn.execute(first.on_conflict_do_nothing())
    query = select(records.c.data).where(*_of(person_id, day)).with_for_update()
    return _SPENT.validate_json(conn.execute(query).scalar_one())


def _write(conn: Connection, person_id: str, day: str, spent: Spent) -> None:
    conn.execute(update(records).where(*_of(person_id, day)).values(data=_json(spent)))


def _json(spent: Spent) -> str:
    return _SPENT.dump_json(spent).decode()


def _of(person_id: str, day: str) -> tuple[ColumnElement[bool], ...]:
    return (records.c.person_id == person_id, records.c.kind == KIND, records.c.key == day)
