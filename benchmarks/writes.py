"""The rows that the turns of the measured conversation write, found by comparing the database before and after.

The floors write these rows again, in their real sizes, with the raw driver: whatever Softrail does besides is
what is being measured.
"""

import asyncio
import sqlite3
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Table

from benchmarks.tables import TABLES
from benchmarks.talk import SAID, Conversation, application, check_end, somebody, sqlite_url
from softrail.core.ids import TimeOrderedIds
from softrail.store.tables import persons, workers

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Write:
    """One row: inserted, or updated by its primary key."""

    table: Table
    new: bool
    values: Row


@dataclass(frozen=True, slots=True)
class Recording:
    """What each of the seven turns writes and replies, with the ids of the recorded conversation."""

    person: Row
    turns: Sequence[Sequence[Write]]
    replies: Sequence[str]
    ids: Sequence[str]  #: the person's, the session's, then whatever else must differ in every copy

    def copy(self, *, turns: int | None = None) -> "Recording":
        """The same rows for another person and session, or those of the first turns."""
        made = TimeOrderedIds()
        fresh = {old: made.new() for old in self.ids}

        def renamed(value: Any) -> Any:
            if isinstance(value, str):
                for old, new in fresh.items():
                    value = value.replace(old, new)
            return value

        def row(values: Row) -> dict[str, Any]:
            return {name: renamed(value) for name, value in values.items()}

        person = row(self.person)
        person["email"] = f"{person['id']}@example.org"
        copied = [[Write(w.table, w.new, row(w.values)) for w in writes] for writes in self.turns[:turns]]
        return Recording(
            person, copied, [renamed(reply) for reply in self.replies[:turns]], list(fresh.values())
        )


def record() -> Recording:
    """Have the conversation once and note every row it writes."""
    return asyncio.run(_record())


async def _record() -> Recording:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        async with application(sqlite_url(path, "recorded")) as dispatcher:
            found = await recorded(
                path / "recorded.db", Conversation(dispatcher, await somebody(dispatcher)), SAID
            )
        check_end(found.replies[-1])
        return found


async def recorded(
    path: Path,
    talk: Conversation,
    said: Sequence[str],
    *,
    furnished: Callable[[], Awaitable[object]] | None = None,
) -> Recording:
    """What each turn of that talk writes; what is `furnished` before them comes first, as if it were one of them."""
    with closing(sqlite3.connect(path)) as reader:
        before, turns, replies = _all_rows(reader), list[list[Write]](), list[str]()
        people = [row for (table, _), row in before.items() if table == persons.name]
        if furnished is not None:
            await furnished()
            turns.append(_difference(before, before := _all_rows(reader)))
        for message in said:
            replies.append(await talk.say(message))
            turns.append(_difference(before, before := _all_rows(reader)))
    [stored] = people
    keys = [write.values[key.name] for turn in turns for write in turn for key in write.table.primary_key]
    ids = dict.fromkeys([talk.person.id, str(talk.session_id), *(key for key in keys if _is_uuid(key))])
    return Recording(stored, turns, replies, list(ids))


def _is_uuid(value: object) -> bool:
    return isinstance(value, str) and len(value) == 36 and value.count("-") == 4


_Rows = dict[tuple[str, tuple[Any, ...]], dict[str, Any]]


def _all_rows(conn: sqlite3.Connection) -> _Rows:
    rows: _Rows = {}
    made = {name for (name,) in conn.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for table in TABLES.values():
        if (
            table is workers or table.name not in made
        ):  # their beats are no turn's; not every part is installed
            continue
        names = [column.name for column in table.columns]
        for found in conn.execute(f"SELECT {', '.join(names)} FROM {table.name}"):
            row = dict(zip(names, found, strict=True))
            rows[table.name, tuple(row[key.name] for key in table.primary_key)] = row
    return rows


def _difference(before: _Rows, after: _Rows) -> list[Write]:
    if before.keys() - after.keys():
        raise RuntimeError("A turn deleted rows; the floors cannot write that again.")
    order = {name: place for place, name in enumerate(TABLES)}
    changed = [key for key, row in after.items() if before.get(key) != row]
    changed.sort(key=lambda key: order[key[0]])
    return [Write(TABLES[key[0]], key not in before, after[key]) for key in changed]
