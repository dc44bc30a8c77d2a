"""The job that organises a project's saved notes into groups; running it again does no harm.

Whoever has its outbox item in hand runs it. One that was left half done is begun anew, and one that comes too late
writes nothing.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, select

from softrail import Model, Prompts
from softrail.companion.memory import clusters, groups, jobs
from softrail.companion.memory.checks import shortened
from softrail.companion.memory.grouping import by_model
from softrail.companion.memory.rights import locked
from softrail.companion.memory.tables import notes, projects
from softrail.companion.memory.values import Group
from softrail.companion.wall import wall
from softrail.plugin import (
    ConversationError,
    Decision,
    ModelKeys,
    OutboxItem,
    ServiceError,
    SqlStore,
    is_plain,
    now,
    turn_passing,
)

Encode = Callable[[Sequence[str]], Any]  #: texts to rows of unit vectors

MOST_NOTES: Final = 10_000  #: the newest so many are grouped
TRIES: Final = 3
LONGEST: Final = 240.0  #: seconds a try may take

#: What is said about groups; the names in braces are filled once, as text.
REST: Final = "Everything else"
WHY: Final = "They speak of {words}."
WHY_REST: Final = "They have little in common with the others."
NOT_ALLOWED: Final = "Organising stopped: whoever asked for it may no longer change this project."
FAILED: Final = jobs.FAILED

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Thinking:
    """What is needed to ask a language model: the way to it, texts, and people's own accounts."""

    model: Model
    prompts: Prompts
    keys: ModelKeys | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class _Told:
    """The notes as they were when the job read them."""

    project_id: str
    asked_by: str
    version: int  #: of the project's content
    numbers: Sequence[int]
    texts: Sequence[str]


class Organiser:
    """Runs the jobs that organise notes: by a model where there is one, else by meaning, else by shared words."""

    inside: Final = True  #: it changes nothing but notes and their groups
    limit: Final = LONGEST + 60.0  #: seconds for a delivery; a try that takes too long is ended before that

    def __init__(
        self, store: SqlStore, encode: Encode | None = None, *, thinking: Thinking | None = None
    ) -> None:
        self._store = store
        self._encode = encode
        self._thinking = thinking
        self._one_at_a_time: dict[str, asyncio.Lock] = {}  #: by job, on this worker

    async def __call__(self, item: OutboxItem) -> None:
        """Run the job of an outbox item; one that is over, or was erased, is left alone."""
        job_id = str(item.payload["job_id"])
        async with self._one_at_a_time.setdefault(job_id, asyncio.Lock()):
            try:
                await self._run(item, job_id)
            finally:
                self._one_at_a_time.pop(job_id, None)

    async def _run(self, item: OutboxItem, job_id: str) -> None:
        try:
            told = await self._store.write(lambda conn: _begin(conn, job_id))
            if told is None:
                return
            async with asyncio.timeout(LONGEST):
                made = await self._grouped(told)
            await self._store.write(lambda conn: _finish(conn, job_id, told, made))
        except ConversationError:
            await self._end(job_id, NOT_ALLOWED)
        except ServiceError:
            raise
        except asyncio.CancelledError:
            await self._store.write(lambda conn: _put_back(conn, job_id))
            raise
        except Exception:
            if item.tries + 1 < TRIES:
                await self._store.write(lambda conn: _put_back(conn, job_id))
                raise
            log.exception("Job %s failed for good.", job_id)
            await self._end(job_id, FAILED)

    async def _end(self, job_id: str, sentence: str) -> None:
        def end(conn: Connection) -> None:
            if jobs.under_way(conn, job_id) is not None:
                jobs.note(conn, job_id, "failed", percent=0, at=now(), error=sentence)

        await self._store.write(end)

    async def _grouped(self, told: _Told) -> Sequence[Group]:
        """Nothing of the database is held while it runs."""
        made = list(await self._by_model(told))
        if not made:
            return await asyncio.to_thread(self._by_likeness, told)
        inside = {number for group in made for number in group.numbers}
        rest = [at for at, number in enumerate(told.numbers) if number not in inside]
        return [*made, _rest(told, rest)] if rest else made

    async def _by_model(self, told: _Told) -> Sequence[Group]:
        """Groups by a language model, on the account of whoever asked; empty without one, or when it fails."""
        person = await self._store.person(told.asked_by)
        thinking = self._thinking
        if thinking is None or person is None:
            return ()
        own = await thinking.keys.model_of(person) if thinking.keys is not None else None
        account = Decision(id="", turn_id="", session_id="", seq=0, at=now())
        with turn_passing(account, None, person_id=person.id, own=own):
            if is_plain(thinking.model):
                return ()
            notes = dict(zip(told.numbers, told.texts, strict=True))
            return await by_model(thinking.model, thinking.prompts, notes, wall())

    def _by_likeness(self, told: _Told) -> list[Group]:
        """Plain code for a thread."""
        texts = told.texts
        if not texts:
            return []
        encode = self._encode
        found = clusters.by_words(texts) if encode is None else clusters.by_meaning(encode(texts))
        made = [_group(told, members) for members in found.groups]
        return [*made, _rest(told, found.rest)] if found.rest else made


def _locked_job(conn: Connection, job_id: str) -> Any:
    """The job, if it is still to be done and whoever asked for it may still change the project."""
    job = jobs.under_way(conn, job_id)
    if job is None:
        return None
    locked(conn, job.asked_by or "", job.project_id)
    return jobs.under_way(conn, job_id)  # what happens to a job happens behind its project's row


def _begin(conn: Connection, job_id: str) -> _Told | None:
    job = _locked_job(conn, job_id)
    if job is None:
        return None
    jobs.note(conn, job_id, "running", percent=10, at=now())
    version = select(projects.c.content_version).where(projects.c.id == job.project_id)
    query = select(notes.c.number, notes.c.text).where(
        notes.c.project_id == job.project_id, notes.c.state == "saved"
    )
    rows = conn.execute(query.order_by(notes.c.number.desc()).limit(MOST_NOTES)).all()[::-1]
    return _Told(
        project_id=job.project_id,
        asked_by=job.asked_by,
        version=conn.execute(version).scalar_one(),
        numbers=[row.number for row in rows],
        texts=[row.text for row in rows],
    )


def _finish(conn: Connection, job_id: str, told: _Told, made: Sequence[Group]) -> None:
    if _locked_job(conn, job_id) is None:
        return
    up_to = max(told.numbers, default=0)
    groups.replace(conn, told.project_id, made, up_to=up_to, version=told.version, at=now())
    jobs.note(conn, job_id, "done", percent=100, at=now())


def _put_back(conn: Connection, job_id: str) -> None:
    """It is to be tried again, by whoever comes first."""
    if jobs.under_way(conn, job_id) is not None:
        jobs.note(conn, job_id, "waiting", percent=0, at=now())


def _group(told: _Told, members: Sequence[int]) -> Group:
    mine = set(members)
    inside = [told.texts[at] for at in members]
    words = clusters.telling(inside, [text for at, text in enumerate(told.texts) if at not in mine])
    return Group(
        label=", ".join(words).capitalize() if words else REST,
        rationale=WHY.replace("{words}", _listed(words)) if words else WHY_REST,
        summary=_summary(inside, words),
        count=len(members),
        numbers=[told.numbers[at] for at in members],
    )


def _rest(told: _Told, members: Sequence[int]) -> Group:
    return Group(
        label=REST,
        rationale=WHY_REST,
        summary=_summary([told.texts[at] for at in members], ()),
        count=len(members),
        numbers=[told.numbers[at] for at in members],
    )


def _summary(texts: Sequence[str], words: Sequence[str]) -> str:
    """Its own notes speak: the two that say most of its words, shortened."""
    heard = set(words)
    scored = sorted(
        range(len(texts)),
        key=lambda at: (-len(heard & set(texts[at].casefold().split())), len(texts[at]), at),
    )
    return " · ".join(shortened(texts[at], 110) for at in scored[:2])


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
