"""People and their access keys."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from softrail.core.commits import AccessKey
from softrail.core.errors import BadRequest, NotFound
from softrail.core.people import Person
from softrail.store.rows import key_from, key_values, person_from, person_values, stamp
from softrail.store.statements import chunks
from softrail.store.tables import facts, keys, persons

KEYED = "keyed"  #: the fact that an access key was ever made


def _insert_once(conn: Connection, table: Any) -> Any:
    make = postgresql.insert if conn.dialect.name == "postgresql" else sqlite.insert
    return make(table).on_conflict_do_nothing()


def ensure_person(conn: Connection, email: str, id: str, at: datetime) -> Person:
    """The person of that address, made under `id` if there is none yet."""
    query = select(persons).where(persons.c.email == email)
    row = conn.execute(query).first()
    if row is None:
        conn.execute(_insert_once(conn, persons), person_values(Person(id=id, email=email), at))
        row = conn.execute(query).one()
    return person_from(row)


def person_by_email(conn: Connection, email: str) -> Person | None:
    """The person of that address, as it is kept; none is made."""
    row = conn.execute(select(persons).where(persons.c.email == email)).first()
    return None if row is None else person_from(row)


def person(conn: Connection, person_id: str) -> Person | None:
    """The person of that id."""
    row = conn.execute(select(persons).where(persons.c.id == person_id)).first()
    return None if row is None else person_from(row)


def update_person(conn: Connection, changed: Person) -> None:
    """Save what a person may change of themselves.

    Raises:
        NotFound: There is no such person.
        BadRequest: Another person has that address.
    """
    values = {
        "email": changed.email,
        "display_name": changed.display_name,
        "timezone": changed.timezone,
        "locale": changed.locale,
        "companion_name": changed.companion_name,
    }
    try:
        done = conn.execute(update(persons).where(persons.c.id == changed.id).values(values))
    except IntegrityError as error:
        raise BadRequest("Another person has this e-mail address.", field="email") from error
    if done.rowcount == 0:
        raise NotFound()


def model_key(conn: Connection, person_id: str) -> str | None:
    """The person's own model key as it is kept: sealed."""
    return conn.scalar(select(persons.c.model_key).where(persons.c.id == person_id))


def model_keys(conn: Connection) -> Mapping[str, str]:
    """Every sealed model key, by the id of its person."""
    query = select(persons.c.id, persons.c.model_key).where(persons.c.model_key.is_not(None))
    return {row.id: row.model_key for row in conn.execute(query.order_by(persons.c.id))}


def set_model_key(conn: Connection, person_id: str, sealed: str | None, was: str | None) -> bool:
    """Keep a sealed model key, or erase it with None; with `was` only in its place. Whether it was done.

    Raises:
        NotFound: There is no such person.
    """
    if conn.scalar(select(persons.c.id).where(persons.c.id == person_id)) is None:
        raise NotFound()
    statement = update(persons).where(persons.c.id == person_id).values(model_key=sealed)
    if was is not None:
        statement = statement.where(persons.c.model_key == was)
    return conn.execute(statement).rowcount == 1


def add_key(conn: Connection, key: AccessKey) -> None:
    """Keep a new key. A second call with the same key changes nothing."""
    if conn.execute(select(persons.c.id).where(persons.c.id == key.person_id)).first() is None:
        raise NotFound()
    if conn.execute(select(keys.c.id).where(keys.c.id == key.id, keys.c.hash == key.hash)).first() is None:
        conn.execute(insert(keys), key_values(key))
        conn.execute(_insert_once(conn, facts), {"name": KEYED, "value": "yes"})


def keyed(conn: Connection) -> bool:
    """Whether an access key was ever made, whatever became of it."""
    return conn.scalar(select(facts.c.value).where(facts.c.name == KEYED)) is not None


def all_keys(conn: Connection) -> Sequence[AccessKey]:
    """All keys with their people, oldest first; the revoked ones too."""
    query = select(keys, persons).join(persons, persons.c.id == keys.c.person_id)
    width = len(keys.columns)
    rows = conn.execute(query.order_by(keys.c.created_at, keys.c.id))
    return [key_from(row, person_from(row[width:])) for row in rows]


def key_by_hash(conn: Connection, hash: str) -> AccessKey | None:
    """The key of that hash with its person, revoked or not."""
    query = select(keys, persons).join(persons, persons.c.id == keys.c.person_id).where(keys.c.hash == hash)
    row = conn.execute(query).first()
    return None if row is None else key_from(row, person_from(row[len(keys.columns) :]))


def keys_in_use(conn: Connection, hashes: Collection[str]) -> Collection[str]:
    """Those of the hashes whose key is there and not revoked."""
    found: set[str] = set()
    for some in chunks(sorted(hashes)):
        query = select(keys.c.hash).where(keys.c.hash.in_(some), keys.c.revoked_at.is_(None))
        found.update(conn.scalars(query))
    return found


def revoke_key(conn: Connection, key_id: str, at: datetime) -> bool:
    """Whether there is such a key; it is revoked from `at` on, unless it was before."""
    row = conn.execute(select(keys).where(keys.c.id == key_id)).first()
    if row is None:
        return False
    if row.revoked_at is None:
        conn.execute(update(keys).where(keys.c.id == key_id).values(revoked_at=stamp(at)))
    return True
