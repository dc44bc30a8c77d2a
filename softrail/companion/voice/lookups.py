"""What a language model may look up in free talk: it reads, and every look checks rights as the interface does."""

from dataclasses import asdict
from datetime import timedelta
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import to_json

from softrail import Records, Turn
from softrail.companion.memory.facts import brief
from softrail.companion.memory.service import Artifacts, CompanionProjects, Dashboard, Notes
from softrail.companion.memory.values import Matter, ProjectDetail
from softrail.plugin import NotFound, Tool, now

_MOST: Final = 30  #: of anything that one look tells
_MOST_DAYS: Final = 366


class Wanted(BaseModel):
    """What is to be looked up; what a kind has no use for is passed over."""

    model_config = ConfigDict(extra="forbid")

    what: Literal["projects", "notes", "files", "progress", "standups", "members"]
    project: str | None = Field(default=None, description="its name; null: this one")
    about: str | None = Field(default=None, description="words that notes share; null: the newest")
    numbers: list[int] | None = Field(default=None, description="of notes, to read them whole")
    days: int | None = Field(default=None, description="how far back; null: a week")


class Lookups:
    """Makes the tool of a turn, over the companion's services."""

    def __init__(
        self,
        projects: CompanionProjects,
        notes: Notes,
        artifacts: Artifacts,
        dashboard: Dashboard,
        records: Records,
    ) -> None:
        self._projects = projects
        self._notes = notes
        self._artifacts = artifacts
        self._dashboard = dashboard
        self._records = records

    def tool(self, turn: Turn) -> Tool:
        """The same for everybody, so that it stays in a provider's cache; whatever it finds, that person may see."""

        async def look(wanted: Wanted) -> str:
            return await self._look(turn, wanted)

        return Tool(name="look", description="Looks something up.", arguments=Wanted, look=look)

    async def _look(self, turn: Turn, wanted: Wanted) -> str:
        me = turn.person.id
        if wanted.what == "projects":
            return _told(await self._all(me))
        if wanted.what == "standups":
            return _told(await self._standups(turn, wanted))
        project = await self._project(turn, wanted.project)
        if wanted.what == "notes":
            return await self._noted(me, project, wanted)
        if wanted.what == "files":
            return _told(await self._files(me, project))
        if wanted.what == "members":
            return _told(await self._members(me, project))
        return _told(await self._progress(me, project, wanted))

    async def _all(self, me: str) -> object:
        found = await self._projects.details(me)
        told = [
            {"name": p.name, "role": p.role, "main": p.main, "what": p.description} for p in found[:_MOST]
        ]
        return {"projects": told, "in_all": len(found)}

    async def _noted(self, me: str, project: ProjectDetail, wanted: Wanted) -> str:
        if wanted.numbers:
            there = [await self._notes.get(me, project.id, number) for number in wanted.numbers[:_MOST]]
            whole = [{"number": n.number, "state": n.state, "text": n.text} for n in there if n is not None]
            return _data({"project": project.name, "notes": whole})
        if wanted.about:
            found = await self._notes.about(me, project.id, wanted.about, limit=_MOST)
        else:
            found = await self._notes.list(me, project.id, newest_first=True, limit=_MOST)
        counts = await self._notes.counts(me, project.id)
        return _told({"project": project.name, "notes": list(map(asdict, found)), "in_all": counts.kept})

    async def _files(self, me: str, project: ProjectDetail) -> object:
        found = await self._artifacts.list(me, project.id, limit=_MOST)
        told = [
            {"title": f.title, "type": f.type, "made": f.created_at.date(), "by": f.made_by.name}
            for f in found
        ]
        return {"project": project.name, "files": told}

    async def _progress(self, me: str, project: ProjectDetail, wanted: Wanted) -> object:
        view = await self._dashboard.of_project(me, project.id, since=now() - _days(wanted.days))
        parts = {"runs": view.active, "needs_them": view.needs_you, "lately": view.recent}
        told = {name: [_matter(m) for m in some[:_MOST]] for name, some in parts.items()}
        return {"project": project.name, **told, "notes_that_wait": view.waiting_notes}

    async def _standups(self, turn: Turn, wanted: Wanted) -> object:
        first = (turn.at - _days(wanted.days)).astimezone(turn.person.zone).date().isoformat()
        kept = await self._records.list(turn.person.id, "standup")
        found = [{"day": one.key, **one.data} for one in kept if one.key >= first]
        return {"standups": found[-_MOST:], "since": first}

    async def _members(self, me: str, project: ProjectDetail) -> object:
        found = await self._projects.members(me, project.id)
        told = [
            {
                "name": m.display_name or m.email.partition("@")[0],
                "role": m.role,
                "since": m.since.date(),
            }
            for m in found[:_MOST]
        ]
        return {"project": project.name, "members": told, "in_all": len(found)}

    async def _project(self, turn: Turn, name: str | None) -> ProjectDetail:
        """The project of that name, that of the turn, or the only one. Raises NotFound."""
        me = turn.person.id
        if name:
            named = await self._projects.named(me, name)
            if len(named) == 1:
                return named[0]
        elif turn.project_id is not None:
            found = await self._projects.detail(me, turn.project_id)
            if found is not None:
                return found
        elif len(mine := await self._projects.details(me)) == 1:
            return mine[0]
        raise NotFound()


def _days(days: int | None) -> timedelta:
    return timedelta(days=min(max(days or 7, 1), _MOST_DAYS))


def _matter(matter: Matter) -> dict[str, str]:
    return {"kind": matter.kind, "title": matter.title, "at": matter.at.isoformat()}


def _told(found: object) -> str:
    return _data(brief(found))


def _data(found: object) -> str:
    """As JSON: what people wrote cannot be taken for anything else."""
    return to_json(found, fallback=str).decode("utf-8", "replace")
