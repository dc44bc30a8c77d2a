"""What runs now, what needs the person, what has happened lately."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Table, func, select

from softrail.companion.catalogue import SEED
from softrail.companion.memory.checks import shortened
from softrail.companion.memory.jobs import UNDER_WAY
from softrail.companion.memory.tables import artifacts, jobs, members, notes, projects
from softrail.companion.memory.values import DashboardView, Matter
from softrail.plugin import moment, open_questions, put_aside, stamp

MOST: Final = 20  #: of each list
_TITLE: Final = 150
_PAUSED: Final = {SEED: "the description of a new project, paused"}
_QUESTIONS: Final = {"ask": "question", "clarify": "question", "confirm": "approval", "approve": "approval"}


def view(
    conn: Connection, person_id: str, project_id: str | None, since: datetime, most: int
) -> DashboardView:
    """Over all the person's projects, or of one of them; rights are part of every statement."""
    look = _Look(conn, person_id, project_id, stamp(since), most)
    needed = [
        *look.waiting_notes(),
        *look.jobs("failed_job", ("failed",), since=look.since),
        *look.questions(),
        *look.paused(),
    ]
    return DashboardView(
        active=look.jobs("job", UNDER_WAY),
        needs_you=_newest(needed, most),
        recent=_newest([*look.artifacts(), *look.saved_notes(), *look.projects()], most),
        waiting_notes=look.waiting(),
    )


class _Look:
    """One look at one dashboard."""

    def __init__(
        self, conn: Connection, person_id: str, project_id: str | None, since: int, most: int
    ) -> None:
        self._conn = conn
        self._person_id = person_id
        self._project_id = project_id
        self.since = since
        self._most = most

    def waiting(self) -> int:
        """How many notes wait to be confirmed, where the person may confirm them."""
        query = self._mine(select(func.sum(projects.c.notes_waiting)), projects.c.id, may_change=True)
        return int(self._conn.execute(query).scalar() or 0)

    def waiting_notes(self) -> list[Matter]:
        """The newest of those notes."""
        query = self._newest_of_each(notes, "number", lambda columns: [columns.state == "waiting"])
        query = query.where(members.c.role != "viewer", projects.c.notes_waiting > 0)
        return [
            self._note(row, "waiting_note", row.created_at) for row in self._rows(query, notes.c.created_at)
        ]

    def saved_notes(self) -> list[Matter]:
        """Notes saved since."""
        query = self._newest_of_each(
            notes,
            "changed_at",
            lambda columns: [columns.state == "saved", columns.changed_at >= self.since],
        )
        return [self._note(row, "note", row.changed_at) for row in self._rows(query, notes.c.changed_at)]

    def jobs(self, kind: str, states: Sequence[str], since: int = 0) -> list[Matter]:
        """Jobs in those states."""
        query = self._mine(select(jobs, projects.c.name), jobs.c.project_id)
        query = query.join(projects, projects.c.id == jobs.c.project_id)
        query = query.where(jobs.c.state.in_(states), jobs.c.changed_at >= since)
        return [
            Matter(
                kind=kind,
                title=row.error or f"Organising the notes of {row.name}",
                at=moment(row.changed_at),
                project_id=row.project_id,
                ref=row.id,
            )
            for row in self._rows(query, jobs.c.changed_at)
        ]

    def artifacts(self) -> list[Matter]:
        """Files made since."""
        query = self._newest_of_each(
            artifacts, "created_at", lambda columns: [columns.created_at >= self.since]
        )
        return [
            Matter(
                kind="artifact",
                title=row.title,
                at=moment(row.created_at),
                project_id=row.project_id,
                ref=f"/artifacts/{row.id}/download",
            )
            for row in self._rows(query, artifacts.c.created_at)
        ]

    def projects(self) -> list[Matter]:
        """Projects created since."""
        query = self._mine(select(projects), projects.c.id).where(projects.c.created_at >= self.since)
        return [
            Matter(kind="project", title=row.name, at=moment(row.created_at), project_id=row.id, ref=row.id)
            for row in self._rows(query, projects.c.created_at)
        ]

    def questions(self) -> list[Matter]:
        """Questions nobody has answered yet."""
        return [
            Matter(
                kind=_QUESTIONS[pending.question.kind],
                title=shortened(pending.question.prompt, _TITLE),
                at=at,
                project_id=self._project_id,
                ref=session_id,
            )
            for session_id, pending, at in open_questions(
                self._conn, self._person_id, self._project_id, self._most
            )
            if pending.question.kind in _QUESTIONS
        ]

    def paused(self) -> list[Matter]:
        """Guided processes put aside, to be taken up again."""
        return [
            Matter(
                kind="paused_process",
                title=_PAUSED.get(instance.process) or instance.process.replace("_", " ").capitalize(),
                at=instance.moved_at,
                project_id=self._project_id,
                ref=instance.session_id,
            )
            for instance in put_aside(self._conn, self._person_id, self._project_id, self._most)
            if instance.moved_at is not None
        ]

    def _mine(self, query: Any, project_id: Any, *, may_change: bool = False) -> Any:
        query = query.join(members, members.c.project_id == project_id).where(
            members.c.person_id == self._person_id
        )
        if may_change:
            query = query.where(members.c.role != "viewer")
        return query if self._project_id is None else query.where(members.c.project_id == self._project_id)

    def _newest_of_each(self, table: Table, order: str, which: Callable[[Any], Sequence[Any]]) -> Any:
        """Of each project the newest so many rows, along an index: what is older is not among the newest of all."""
        other = table.alias()
        last = (
            select(other.c[order])
            .where(other.c.project_id == projects.c.id, *which(other.c))
            .order_by(other.c[order].desc())
            .limit(1)
            .offset(self._most - 1)
            .correlate(projects)
            .scalar_subquery()
        )
        here = (table.c.project_id == projects.c.id) & (table.c[order] >= func.coalesce(last, 0))
        query = select(table).join_from(projects, table, here).where(*which(table.c))
        return self._mine(query, projects.c.id)

    def _rows(self, query: Any, at: Any) -> Iterable[Any]:
        return self._conn.execute(query.order_by(at.desc()).limit(self._most)).all()

    def _note(self, row: Any, kind: str, at: int) -> Matter:
        return Matter(
            kind=kind,
            title=shortened(row.text, _TITLE),
            at=moment(at),
            project_id=row.project_id,
            ref=str(row.number),
        )


def _newest(found: Iterable[Matter], most: int) -> list[Matter]:
    return sorted(found, key=lambda matter: matter.at, reverse=True)[:most]
