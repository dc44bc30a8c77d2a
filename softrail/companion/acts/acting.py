"""What is told of projects, and the one that is gone on with: a list, a description, who is in it, what happened."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

from softrail import Clarify, Intent, Option, Prompts, RouteResult, Turn
from softrail.companion.acts.saving import Found
from softrail.companion.catalogue import UNDO_PHRASE
from softrail.companion.memory.seed import LABELS
from softrail.companion.memory.service import Artifacts, CompanionProjects, Groups, Notes
from softrail.companion.memory.values import ProjectDetail
from softrail.companion.understanding.matching import named
from softrail.companion.understanding.phrases import phrases
from softrail.companion.voice.newcomer import needs_a_project
from softrail.plugin import IntentReading as Reading

MOST_LISTED: Final = 20
MOST_FOUND: Final = 10
MOST_NEWEST: Final = 5


class Acting:
    """One method for each intent. Nothing is kept between turns."""

    def __init__(
        self,
        projects: CompanionProjects,
        notes: Notes,
        groups: Groups,
        artifacts: Artifacts,
        prompts: Prompts,
        find: Callable[[Turn, Intent], Awaitable[Found]],
    ) -> None:
        self._projects = projects
        self._notes = notes
        self._groups = groups
        self._artifacts = artifacts
        self._prompts = prompts
        self._find = find

    async def list_projects(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        """The person's projects, archived ones last; nothing is begun."""
        details = await self._projects.details(turn.person.id)
        if not details:
            return needs_a_project(self._prompts, turn)
        ordered = sorted(details, key=lambda one: one.archived)
        here = turn.project_id or turn.focus.project
        others = [one.name for one in ordered if not one.archived and one.id != here]
        return RouteResult(
            suggested_actions=[f"switch to {name}" for name in others[:MOST_NEWEST]],
            operation_data={
                "projects": [
                    {"name": one.name, "archived": one.archived, "role": one.role, "here": one.id == here}
                    for one in ordered[:MOST_LISTED]
                ],
                "more": max(0, len(ordered) - MOST_LISTED),
            },
        )

    async def choose(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        """The session goes on with the project that is named; none or several that may be: it is asked."""
        details = await self._projects.details(turn.person.id)
        found = named(turn.message, details)
        if chosen := intent.parameters.get("project_id"):
            found = [one for one in details if one.id == chosen]
        if not details:
            return needs_a_project(self._prompts, turn)
        if len(found) != 1:
            return Clarify(
                question=self._prompts.render("replies/which_to_choose"),
                options=[
                    Reading(
                        option=Option(label=one.name), intent=intent.name, parameters={"project_id": one.id}
                    )
                    for one in (found or [one for one in details if not one.archived])[:MOST_LISTED]
                ],
            )
        project = found[0]
        text = self._prompts.render("replies/project_chosen", project=project.name)
        if project.archived:
            text = f"{text} {self._prompts.render('replies/is_archived', project=project.name)}"
        return RouteResult(
            side_effects=[self._projects.choosing(project, before=turn.project_id or turn.focus.project)],
            suggested_actions=[UNDO_PHRASE],
            project_id=project.id,
            focus=turn.focus.choosing(project.id).then(intent=intent.name),
            text=text,
        )

    async def describe(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        """What was told when the project was described, and what it holds."""
        found = await self._project(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        return RouteResult(project_id=found.id, operation_data=await self._described(turn, found))

    async def summarise(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        """What the project is, what its notes are about, and the newest of them."""
        found = await self._project(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        groups = (await self._groups.list(turn.person.id, found.id, numbers=False)).groups
        newest = await self._notes.list(turn.person.id, found.id, newest_first=True, limit=MOST_NEWEST)
        return RouteResult(
            project_id=found.id,
            operation_data={
                **await self._described(turn, found),
                "groups": [{"label": one.label, "count": one.count} for one in groups],
                "newest": [
                    {"number": note.number, "text": note.text, "state": note.state} for note in newest
                ],
            },
        )

    async def members(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        """Who is in the project, with what each may do."""
        found = await self._project(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        people = await self._projects.members(turn.person.id, found.id)
        return RouteResult(
            project_id=found.id,
            operation_data={
                "project": found.name,
                "role": found.role,
                "members": [
                    {"name": one.display_name or one.email, "email": one.email, "role": one.role}
                    for one in people[:MOST_LISTED]
                ],
                "more": max(0, len(people) - MOST_LISTED),
            },
        )

    async def search(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        """The notes that have the words asked for, the best first."""
        found = await self._project(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        query = str(intent.parameters.get("query") or phrases().topic(turn.message) or turn.message)
        notes = await self._notes.about(turn.person.id, found.id, query, limit=MOST_FOUND)
        one = notes[0].number if len(notes) == 1 else None
        return RouteResult(
            project_id=found.id,
            focus=turn.focus.showing(project=found.id, note=one, intent=intent.name),
            operation_data={
                "project": found.name,
                "query": query,
                "notes": [{"number": n.number, "text": n.text, "state": n.state} for n in notes],
            },
        )

    async def upload(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        """Where a file goes in: this is nothing that words do."""
        found = await self._project(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        if found.role == "viewer" or found.archived:
            reply = "is_archived" if found.archived else "view_only"
            return RouteResult(
                text=self._prompts.render(f"replies/{reply}", project=found.name), project_id=found.id
            )
        text = self._prompts.render("replies/upload", project=found.name)
        return RouteResult(text=text, project_id=found.id)

    async def _described(self, turn: Turn, project: ProjectDetail) -> dict[str, Any]:
        counts = await self._notes.counts(turn.person.id, project.id)
        files = await self._artifacts.list(turn.person.id, project.id)
        told = {LABELS.get(name, name): value for name, value in project.seed.items() if value}
        return {
            "project": project.name,
            "description": project.description,
            "told": {label: value for label, value in told.items() if isinstance(value, str)},
            "archived": project.archived,
            "saved_notes": counts.saved,
            "waiting_notes": counts.waiting,
            "files": len(files),
        }

    async def _project(self, turn: Turn, intent: Intent) -> Found:
        """The project that is named, if only by a word of its name; else the one that is meant without."""
        details = await self._projects.details(turn.person.id)
        found = named(turn.message, details)
        return found[0] if len(found) == 1 else await self._find(turn, intent)
