"""What each intent of the companion does: it reads or changes a project, asks back, or says what cannot be done."""

import re
from collections.abc import Sequence
from typing import Any, Final

from softrail.companion import catalogue
from softrail.companion.matching import best, newest_of_each_title, telling
from softrail.companion.phrases import phrases
from softrail.companion.service import RECENTLY, Artifacts, CompanionProjects, Dashboard, Notes
from softrail.companion.values import Matter, Note, ProjectDetail
from softrail.companion.wall import wall
from softrail.core.effects import Effect
from softrail.core.intents import Clarify, Continue, Intent, Reading, RouteResult
from softrail.core.ports import Prompts
from softrail.core.questions import Option
from softrail.core.turns import Turn
from softrail.language import normal

MOST_NOTES_TOLD: Final = 50
MOST_CHOICES: Final = 20
MOST_TITLES: Final = 20
_WORD: Final = re.compile(r"[^\W_]+")

Found = ProjectDetail | RouteResult | Clarify


class Handlers:
    """One method for each intent that acts. Nothing is kept between turns."""

    def __init__(
        self,
        projects: CompanionProjects,
        notes: Notes,
        artifacts: Artifacts,
        dashboard: Dashboard,
        prompts: Prompts,
        *,
        companion_name: str = "Companion",
    ) -> None:
        self._projects = projects
        self._notes = notes
        self._artifacts = artifacts
        self._dashboard = dashboard
        self._prompts = prompts
        self._name = companion_name

    # -- knowledge

    async def add_knowledge(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        """What was told becomes a note that waits for the person's yes."""
        found = await self.project(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        if found.role == "viewer":
            return self._said("view_only", found, project=found.name)
        told = str(intent.parameters.get("knowledge_text") or turn.message).strip()
        text = (
            wall().clean(told, quoting=[turn.message]).text
        )  # a model may have found words of its own for it
        counts = await self._notes.counts(turn.person.id, found.id)
        return RouteResult(
            side_effects=[
                self._notes.saving(found.id, text, author_name=turn.person.companion_name or self._name)
            ],
            project_id=found.id,
            operation_data={
                "project": found.name,
                "knowledge_text": text,
                "note_number": counts.waiting + counts.saved + counts.withdrawn + 1,
                "state": "waiting",
            },
        )

    async def save_note(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        """Waiting notes are confirmed, or notes are taken back: those that are named, all, or the newest."""
        found = await self._waiting_project(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        if found.role == "viewer":
            return self._said("view_only", found, project=found.name)
        named = phrases().note_numbers(turn.message)
        withdraws = phrases().withdraws(turn.message)
        wanted: list[Note] = []
        if named:
            known = [await self._notes.get(turn.person.id, found.id, number) for number in named]
            wanted = [note for note in known if note is not None]
            if not wanted:
                return self._said("no_such_note", found, numbers=_numbers(named), project=found.name)
        else:
            limit = MOST_NOTES_TOLD if phrases().means_all(turn.message) else 1
            wanted = list(
                await self._notes.list(
                    turn.person.id, found.id, states=("waiting",), newest_first=True, limit=limit
                )
            )
            if not wanted:
                return self._said("no_waiting_note", found)
        wanted.sort(key=lambda note: note.number)
        state: Any = "withdrawn" if withdraws else "saved"
        changes = [note for note in wanted if note.state != state]
        return RouteResult(
            side_effects=[self._notes.changing(found.id, note.number, state=state) for note in changes],
            project_id=found.id,
            operation_data={
                "project": found.name,
                "state": state,
                "numbers": [note.number for note in wanted],
            },
        )

    async def ask_about_past_input(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        """The notes, by number, those on the topic first; waiting ones are marked."""
        found = await self.project(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        person = turn.person.id
        topic = "" if _is_name(phrases().topic(turn.message), found) else phrases().topic(turn.message)
        numbers = phrases().note_numbers(turn.message)
        named = [await self._notes.get(person, found.id, n) for n in numbers]
        shown = [note for note in named if note is not None and note.state != "withdrawn"]
        on_topic = len(shown)
        if not numbers:
            if topic:
                shown = list(await self._notes.about(person, found.id, topic, limit=MOST_NOTES_TOLD))
                on_topic = len(shown)
            seen = {note.number for note in shown}
            if not shown or not topic:
                rest = await self._notes.list(person, found.id, newest_first=True, limit=MOST_NOTES_TOLD)
                shown += [note for note in rest if note.number not in seen]
        shown = shown[:MOST_NOTES_TOLD]
        counts = await self._notes.counts(person, found.id)
        return RouteResult(
            project_id=found.id,
            operation_data={
                "project": found.name,
                "topic": topic or None,
                "on_topic": on_topic if topic or numbers else None,
                "notes": [_note(note) for note in shown],
                "more": max(0, counts.kept - len(shown)),
            },
        )

    # -- progress and files

    async def ask_about_progress(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        """What the dashboard of the project shows, since the time asked about."""
        found = await self.project(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        since = phrases().since(turn.message, at=turn.at, zone=turn.person.zone) or turn.at - RECENTLY
        view = await self._dashboard.of_project(turn.person.id, found.id, since=since)
        local = since.astimezone(turn.person.zone)
        return RouteResult(
            project_id=found.id,
            operation_data={
                "project": found.name,
                "since": local.date().isoformat(),
                "active_jobs": [_matter(m) for m in view.active],
                "needs_attention": [_matter(m) for m in view.needs_you],
                "waiting_notes": view.waiting_notes,
                "recent_artifacts": [_matter(m) for m in view.recent if m.kind == "artifact"],
                "recent_activity": [_matter(m) for m in view.recent if m.kind != "artifact"],
            },
        )

    async def request_download(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        """The file whose title and type share most words with what is wanted."""
        found = await self.project(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        wanted = str(intent.parameters.get("artifact_description") or turn.message)
        known = newest_of_each_title(await self._artifacts.list(turn.person.id, found.id))
        match = best(wanted, known, but=found.name)
        if len(match) != 1 and phrases().newest(turn.message):
            match = (match or known)[:1]  # the newest comes first
        kind = "unique" if len(match) == 1 else "ambiguous" if match else "none"
        shown = match or known
        data = {
            "project": found.name,
            "match": kind,
            "any_wanted": not telling(wanted, found.name),
            "artifacts": [
                {"title": a.title, "type": a.type, "made_at": a.created_at.isoformat(), "ref": a.href}
                for a in shown[:MOST_TITLES]
            ],
        }
        if kind == "unique":
            ready = Effect(kind="download_ready", summary=match[0].title, ref=match[0].href)
            return RouteResult(side_effects=[ready], project_id=found.id, operation_data=data)
        titles = [a.title for a in shown[:MOST_TITLES]] if kind == "ambiguous" else []
        return RouteResult(suggested_actions=titles, project_id=found.id, operation_data=data)

    # -- what cannot be done here

    async def finalize_project(self, turn: Turn, intent: Intent) -> Continue:
        """A description that was left is taken up again and finalized; without one there is nothing to create."""
        nothing = RouteResult(
            text=self._prompts.render("replies/finalize_nothing"),
            suggested_actions=[catalogue.starting_phrase()],
        )
        return Continue(process=catalogue.SEED, otherwise=nothing)

    async def not_yet(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        """It cannot be done by conversation yet: said so, with where it can be done."""
        guidance = self._prompts.render(f"replies/{intent.name}")
        return RouteResult(is_stub=True, stub_guidance=guidance, project_id=turn.project_id)

    # -- which project

    async def project(self, turn: Turn, intent: Intent) -> Found:
        """The project of the turn, the one it names, or a question that lists those there are."""
        if turn.project_id is not None:
            detail = await self._projects.detail(turn.person.id, turn.project_id)
            return detail or RouteResult(text=self._prompts.render("replies/project_gone"))
        return self._chosen(turn, intent, await self._projects.details(turn.person.id))

    async def _waiting_project(self, turn: Turn, intent: Intent) -> Found:
        """Like `project`, but the only one with a waiting note needs no name."""
        if turn.project_id is not None or phrases().note_numbers(turn.message):
            return await self.project(turn, intent)
        details = await self._projects.details(turn.person.id)
        waiting = [d for d in details if (await self._notes.counts(turn.person.id, d.id)).waiting]
        if len(waiting) == 1:
            return waiting[0]
        if details and not waiting:
            return RouteResult(text=self._prompts.render("replies/no_waiting_note"))
        return self._chosen(turn, intent, waiting)

    def _chosen(self, turn: Turn, intent: Intent, details: Sequence[ProjectDetail]) -> Found:
        named = [detail for detail in details if _names(turn.message, detail)]
        if len(named) == 1:
            return named[0]
        if (begun := turn.holder) is not None and begun.process == catalogue.SEED and begun.draft:
            # In the middle of describing a project, that one is meant when none is named.
            return RouteResult(text=self._prompts.render("replies/project_begun", draft=begun.draft))
        if not details:
            text = self._prompts.render("replies/no_project")
            return RouteResult(text=text, suggested_actions=[catalogue.starting_phrase()])
        return Clarify(
            question=self._prompts.render("replies/which_project"),
            options=[
                Reading(
                    option=Option(label=detail.name),
                    intent=intent.name,
                    parameters=dict(intent.parameters),
                    project_id=detail.id,
                )
                for detail in (named or details)[:MOST_CHOICES]
            ],
        )

    def _said(self, reply: str, project: ProjectDetail, /, **values: str) -> RouteResult:
        return RouteResult(text=self._prompts.render(f"replies/{reply}", **values), project_id=project.id)


def _names(message: str, project: ProjectDetail) -> bool:
    """The message holds the project's name, whole words of it."""
    name, said = (" ".join(_WORD.findall(normal(text))) for text in (project.name, message))
    return bool(name) and f" {name} " in f" {said} "


def _is_name(topic: str, project: ProjectDetail) -> bool:
    return bool(topic) and normal(topic).removeprefix("the ") == normal(project.name)


def _note(note: Note) -> dict[str, Any]:
    return {
        "number": note.number,
        "text": note.text,
        "state": note.state,
        "author": {"kind": note.author.kind, "name": note.author.name},
        "turn_id": note.turn_id,
    }


def _matter(matter: Matter) -> dict[str, Any]:
    return {"kind": matter.kind, "title": matter.title, "at": matter.at.isoformat(), "ref": matter.ref}


def _numbers(numbers: Sequence[int]) -> str:
    return ", ".join(f"#{number}" for number in numbers)
