"""Row 6: what the companion reads for a turn, when a project holds few notes and turns and when it holds many."""

import random
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from benchmarks.figures import Row, Samples, middle, ms
from benchmarks.sizes import Sizes
from benchmarks.tables import PLUGINS, prepare
from benchmarks.talk import sqlite_url
from softrail import build
from softrail.companion.memory import groups, search
from softrail.companion.memory.context import Contexts
from softrail.companion.memory.notes import Origin
from softrail.companion.memory.projects import create
from softrail.companion.memory.stems import terms
from softrail.companion.memory.tables import note_words, notes, projects
from softrail.companion.memory.values import Group, NewProject
from softrail.companion.plugin import Companion
from softrail.core.clock import now
from softrail.core.people import Person
from softrail.core.turns import Reply, Request
from softrail.settings import Settings
from softrail.store import SqlStore, open_store
from softrail.store.tables import decisions, sessions, turns
from softrail.turns.dispatcher import Dispatcher

GOAL = 1.2
TOPIC_GOAL = 20.0  #: milliseconds
BATCH = 1_000
TALK = "general_conversation"

Measured = Callable[[], Awaitable[object]]


async def companion_growth(folder: Path, sizes: Sizes, url: str | None = None) -> list[Row]:
    """Small beside large, in turns, in one database: of its own on SQLite, or a given one on PostgreSQL."""
    name = "SQLite" if url is None else "PostgreSQL"
    url = url or sqlite_url(folder, "companion")
    await prepare(url)
    store = open_store(url, plugins=PLUGINS)
    settings = Settings(database_url=url, model="plain", encoder="none")
    async with build(settings, store=store) as dispatcher:
        few, many = [
            await Filled.make(dispatcher, size, number)
            for number, size in enumerate((sizes.few_stored, sizes.many_stored))
        ]
        await _statistics(store)
        grown = f"{sizes.few_stored:,} to {sizes.many_stored:,}"
        rows = [
            await _compared(f"6 {name}: {what}, {grown} {of}", getattr(few, one), getattr(many, one), sizes)
            for what, of, one in (
                ("context, newest notes", "notes", "context"),
                ("last turns with the project", "turns", "thread"),
                ("last turns without a project", "turns", "loose_thread"),
                ("dashboard of the project", "notes and turns", "dashboard"),
            )
        ]
        rows.append(await _topic(f"6 {name}: notes on a topic, of {sizes.many_stored:,}", few, many, sizes))
        await few.organised()
        await many.organised()
        what = f"6 {name}: context, in groups, {grown} notes"
        rows.append(await _compared(what, few.context, many.context, sizes))
    return rows


class Filled:
    """A person with a project of so many notes, and so many turns with it and without one."""

    def __init__(self, dispatcher: Dispatcher, person: Person, project: str) -> None:
        assert isinstance(dispatcher.store, SqlStore)
        self._store = dispatcher.store
        self._person = person
        self._project = project
        self._companion = dispatcher.registry.service(Companion)
        self._questions = random.Random(7)

    @classmethod
    async def make(cls, dispatcher: Dispatcher, size: int, number: int) -> "Filled":
        """Fill the database: with notes as they are kept, and with copies of a real turn."""
        store = dispatcher.store
        assert isinstance(store, SqlStore)
        ids = dispatcher.parts.ids
        person = await store.ensure_person(f"reader-{number}@example.org", id=ids.new(), at=now())
        project = await founded(dispatcher, person)
        filled = cls(dispatcher, person, project)
        await filled._write_notes(size)
        for project_id in (project, None):
            request = Request(message="I wonder", intent_hint=TALK, project_id=project_id)
            reply = Reply.model_validate_json(await dispatcher.converse(request, person))
            await filled._copy_turn(reply.session_id, size)
        return filled

    async def context(self) -> object:
        """What the project holds, made anew as after a change."""
        made = await self._contexts().of(self._person.id, self._project)
        if made.tier not in ("seed_recent", "grouped"):
            raise RuntimeError(f"The context is of tier {made.tier}.")
        return made

    async def thread(self) -> object:
        """The last turns with the project."""
        return _ten(await self._contexts().turns(self._person.id, self._project, but=""))

    async def loose_thread(self) -> object:
        """The last turns without a project."""
        return _ten(await self._contexts().turns(self._person.id, None, but=""))

    async def dashboard(self) -> object:
        """What runs, what needs the person, what has happened."""
        return await self._companion.dashboard.of_project(self._person.id, self._project)

    async def topic(self) -> object:
        """Notes about a frequent thing and a rare one."""
        words = f"{_word(self._questions, 20)} and {_word(self._questions, 2_000)}"
        return await self._companion.notes.about(self._person.id, self._project, words)

    async def organised(self) -> None:
        """Have half of the notes in groups that were made before the others were saved."""

        def organise(conn: Connection) -> None:
            mine = notes.c.project_id == self._project
            last = conn.execute(select(func.max(notes.c.number)).where(mine)).scalar_one()
            made = [
                Group(
                    label=f"Group {n}",
                    rationale="Alike.",
                    summary="Of a kind.",
                    count=400,
                    numbers=range(n, last, 25)[:400],
                )
                for n in range(1, 25)
            ]
            groups.replace(conn, self._project, made, up_to=last, version=last // 2, at=now())

        await self._store.write(organise)

    def _contexts(self) -> Contexts:
        kept = self._companion
        return Contexts(self._store, kept.projects, kept.notes, kept.groups)

    async def _write_notes(self, size: int) -> None:
        for rows in _batches(self._notes(size)):
            found = [
                {"project_id": self._project, "word": word, "number": row["number"]}
                for row in rows
                for word in terms(row["text"], search.MOST_WORDS)
            ]

            def write(conn: Connection, rows: Sequence[Any] = rows, found: Sequence[Any] = found) -> None:
                conn.execute(insert(notes), rows)
                conn.execute(insert(note_words), found)

            await self._store.write(write)
        saved = size - size // 10
        counts = {
            "next_note": size + 1,
            "notes_saved": saved,
            "notes_waiting": size - saved,
            "content_version": size + 1,
        }
        here = projects.c.id == self._project
        await self._store.write(lambda conn: conn.execute(update(projects).where(here).values(counts)))

    def _notes(self, size: int) -> Iterator[dict[str, Any]]:
        """Every tenth waits. Words come as in a language: few very often, many hardly ever."""
        dice, at = random.Random(size), int(now().timestamp()) * 1_000_000
        for number in range(1, size + 1):
            words = [_word(dice, most) for most in (20, 20, 200, 200, 2_000, 2_000)]
            yield {
                "project_id": self._project,
                "number": number,
                "text": f"The {' '.join(words)} of day {number}.",
                "state": "waiting" if number % 10 == 0 else "saved",
                "author_kind": "companion",
                "author_name": "Companion",
                "told_by": self._person.id,
                "session_id": None,
                "seq": None,
                "turn_id": None,
                "created_at": at + number,
                "changed_at": at + number,
                "changed_in": number,
            }

    async def _copy_turn(self, session_id: str, size: int) -> None:
        def first(conn: Connection) -> tuple[dict[str, Any], dict[str, Any]]:
            turn = conn.execute(select(turns).where(turns.c.session_id == session_id)).mappings().one()
            decision = conn.execute(select(decisions).where(decisions.c.session_id == session_id))
            return dict(turn), dict(decision.mappings().one())

        turn, decision = await self._store.read(first)
        for numbers in _batches(iter(range(1, size))):
            said = [
                {
                    **turn,
                    "seq": turn["seq"] + 2 * n,
                    "turn_id": f"{session_id}-{n}",
                    "accepted_at": turn["accepted_at"] + n,
                }
                for n in numbers
            ]
            decided = [{**decision, "seq": decision["seq"] + 2 * n} for n in numbers]

            def write(conn: Connection, said: Sequence[Any] = said, decided: Sequence[Any] = decided) -> None:
                conn.execute(insert(turns), said)
                conn.execute(insert(decisions), decided)

            await self._store.write(write)
        next_seq = update(sessions).where(sessions.c.id == session_id).values(next_seq=2 * size + 1)
        await self._store.write(lambda conn: conn.execute(next_seq))


async def _statistics(store: SqlStore) -> None:
    """What PostgreSQL does by itself within a minute of so many rows."""

    def analyze(conn: Connection) -> None:
        if conn.dialect.name == "postgresql":
            conn.exec_driver_sql("ANALYZE")

    await store.write(analyze)


async def founded(dispatcher: Dispatcher, person: Person) -> str:
    """A project of that person; its id."""
    assert isinstance(dispatcher.store, SqlStore)
    project = NewProject(
        id=dispatcher.parts.ids.new(), name="Harbor", seed={"what": "a harbor", "who": "sailors"}
    )
    origin, at = Origin(person_id=person.id), now()
    await dispatcher.store.write(lambda conn: create(conn, person.id, project, origin, at=at))
    return project.id


async def _compared(name: str, small: Measured, large: Measured, sizes: Sizes) -> Row:
    few, many, ratios = await _measured(small, large, sizes)
    return Row(
        name=name,
        ours=f"p50 {ms(many.p50)}, p99 {ms(many.p99)}",
        floor=f"small: p50 {ms(few.p50)}, p99 {ms(few.p99)}",
        ratio=many.p50 / few.p50,
        spread=middle(ratios),
        at_most=GOAL,
    )


async def _topic(name: str, few: Filled, many: Filled, sizes: Sizes) -> Row:
    """It has more to find among many notes: what is bounded is its time."""
    small, large, _ = await _measured(few.topic, many.topic, sizes)
    return Row(
        name=name,
        ours=f"p50 {ms(large.p50)}, p99 {ms(large.p99)}",
        floor=f"small: p50 {ms(small.p50)}, p99 {ms(small.p99)}",
        ratio=1000 * large.p50,
        at_most=TOPIC_GOAL,
        unit=" ms",
    )


async def _measured(small: Measured, large: Measured, sizes: Sizes) -> tuple[Samples, Samples, list[float]]:
    for measured in (small, large):
        await measured()
    few, many, ratios = Samples(), Samples(), list[float]()
    for number in range(sizes.conversations):
        pair = [(small, few), (large, many)]
        for measured, samples in pair if number % 2 else reversed(pair):
            with samples.timed():
                await measured()
        ratios.append(many.seconds[-1] / few.seconds[-1])
    return few, many, ratios


def _ten(found: Sequence[object]) -> Sequence[object]:
    if not found:
        raise RuntimeError("There are no earlier turns.")
    return found


def _word(dice: random.Random, most: int) -> str:
    return f"w{most}x{dice.randrange(most)}"


def _batches(values: Iterator[Any]) -> Iterator[list[Any]]:
    batch: list[Any] = []
    for value in values:
        batch.append(value)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
