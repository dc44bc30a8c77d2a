"""What each intent of the companion does: it reads or changes a project, asks back, or says what cannot be done."""

from collections.abc import Sequence
from typing import Any, Final

from softrail import Clarify, Continue, Effect, Intent, Option, Prompts, RouteResult, Turn
from softrail.companion import catalogue
from softrail.companion.acts.saving import Found, placed, without_place
from softrail.companion.memory.facts import cut
from softrail.companion.memory.service import RECENTLY, Artifacts, CompanionProjects, Dashboard, Notes
from softrail.companion.memory.values import Matter, Note, NoteState, ProjectDetail
from softrail.companion.understanding.certain import HARMLESS
from softrail.companion.understanding.matching import best, names, newest_of_each_title, telling
from softrail.companion.understanding.phrases import phrases
from softrail.companion.understanding.wishes import numbers_named, wishes
from softrail.companion.voice.newcomer import begin_with_it, beginning, needs_a_project
from softrail.companion.wall import wall
from softrail.plugin import Command, Holder, Value, language, normal
from softrail.plugin import IntentReading as Reading

MOST_NOTES_TOLD: Final = 50
MOST_ANSWERS: Final = 5  #: notes that may answer a question
MOST_CHOICES: Final = 20
MOST_TITLES: Final = 20
_SHOWN: Final = 120  #: characters of a note that is repeated


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

    async def add_knowledge(self, turn: Turn, intent: Intent) -> RouteResult | Clarify | Continue:
        """What was told becomes a note that waits for the person's yes, if that is not said already; in a description, a part of it."""
        named = intent.parameters.get("project_id")  # the message says in so many words where it belongs
        elsewhere = await self._projects.detail(turn.person.id, str(named)) if named else None
        if elsewhere is None and await self._of_description(turn):
            return self._told_of_description(turn, intent)
        free = elsewhere is None and turn.project_id is None and turn.holder is None
        if free and not await self._projects.details(turn.person.id):
            return self._kept_for_a_project(turn, intent)
        found: Found = elsewhere or await self.project(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        if found.role == "viewer" or found.archived:
            return self._said("is_archived" if found.archived else "view_only", found, project=found.name)
        text = without_place(_told(turn, intent), found)
        counts = await self._notes.counts(turn.person.id, found.id)
        state: NoteState = "saved" if intent.parameters.get("kept") is True else "waiting"
        author = turn.person.companion_name or self._name
        return RouteResult(
            side_effects=[self._notes.saving(found.id, text, state=state, author_name=author)],
            project_id=found.id,
            operation_data={
                "project": found.name,
                "knowledge_text": text,
                "note_number": counts.waiting + counts.saved + counts.withdrawn + 1,
                "state": state,
            },
        )

    async def _of_description(self, turn: Turn) -> bool:
        """It is said in the middle of a description, and of no project that is there."""
        if _begun(turn) is None or turn.project_id is not None:
            return False
        details = await self._projects.details(turn.person.id)
        return not any(names(turn.message, detail) for detail in details)

    def _told_of_description(self, turn: Turn, intent: Intent) -> Continue:
        """A note of the new project, which is kept with its description."""
        notes = Value(field="notes", text=_told(turn, intent))
        note = Command(act="inform", target="other", layer="learned", values=(notes,))
        nothing = RouteResult(text=self._prompts.render("replies/project_begun_empty"))
        return Continue(process=catalogue.SEED, otherwise=nothing, says=(note,))

    def _kept_for_a_project(self, turn: Turn, intent: Intent) -> Clarify:
        """There is no project it could be a note of: one is offered, and begins with it."""
        text = _told(turn, intent)
        question = self._prompts.render("replies/keep_for_a_project", text=cut(text, _SHOWN))
        kept = Clarify(question=question, options=[beginning(self._prompts, notes=[text])], why="confirm")
        asked_for = intent.confidence >= 1.0  # "remember that …": a note is wanted, whatever it tells
        return kept if asked_for else begin_with_it(self._prompts, kept)

    async def ask_about_past_input(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        """The notes, by number, those on the topic first; waiting ones are marked."""
        found = await self.project(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        person = turn.person.id
        if intent.parameters.get("counts"):
            return await self._counted(turn, found)
        topic = "" if _is_name(phrases().topic(turn.message), found) else phrases().topic(turn.message)
        of_notes = intent.parameters.get("numbers")  # of notes that say what was asked, or may
        answers = of_notes if not intent.parameters.get("may") else None
        numbers = list(of_notes or phrases().note_numbers(turn.message) or numbers_named(turn.message))
        named = [await self._notes.get(person, found.id, n) for n in numbers]
        shown = [note for note in named if note is not None and note.state != "withdrawn"]
        on_topic = len(shown)
        asked = str(intent.parameters.get("asked") or "")
        waits = bool(intent.parameters.get("waiting"))
        some = [] if numbers or asked or topic else await self._some(turn, found, waits=waits)
        if some:
            shown, on_topic = some, len(some)
        elif asked:
            shown = list(await self._notes.about(person, found.id, asked, limit=MOST_ANSWERS))
        elif not numbers:
            if topic:
                shown = list(await self._notes.about(person, found.id, topic, limit=MOST_NOTES_TOLD))
                on_topic = len(shown)
            seen = {note.number for note in shown}
            if not shown or not topic:
                rest = await self._notes.list(person, found.id, newest_first=True, limit=MOST_NOTES_TOLD)
                shown += [note for note in rest if note.number not in seen]
        shown = shown[:MOST_NOTES_TOLD]
        counts = await self._notes.counts(person, found.id)
        one = shown[0].number if len(shown) == 1 else None
        return RouteResult(
            project_id=found.id,
            focus=turn.focus.showing(project=found.id, note=one, intent=intent.name),
            operation_data={
                "project": found.name,
                "topic": topic or None,
                "answers": bool(answers),
                "may_answer": bool(asked or (of_notes and not answers)),
                "not_there": [n for n in numbers if n not in {note.number for note in shown}],
                "on_topic": on_topic if topic or numbers or some else None,
                "notes": [_note(note) for note in shown],
                "more": 0 if numbers or some else max(0, counts.kept - len(shown)),
                "may_tell": found.role != "viewer",
            },
        )

    async def _some(self, turn: Turn, project: ProjectDetail, *, waits: bool = False) -> list[Note]:
        """The newest notes, as many as the message names, or those that wait; none where it speaks of no such."""
        if waits:
            states: Sequence[NoteState] = ("waiting",)
            return list(
                await self._notes.list(
                    turn.person.id, project.id, states=states, newest_first=True, limit=MOST_NOTES_TOLD
                )
            )
        which = next((w.which for w in wishes(turn.message).clauses if w.which.of == "note"), None)
        if which is None or not (which.last or which.waiting):
            return []
        if which.last == 1 and phrases().notes.several(turn.message):
            return []  # "my last notes" are as many as there are
        states = ("waiting",) if which.waiting else ("waiting", "saved")
        most = which.last or MOST_NOTES_TOLD
        return list(
            await self._notes.list(turn.person.id, project.id, states=states, newest_first=True, limit=most)
        )

    async def _counted(self, turn: Turn, project: ProjectDetail) -> RouteResult:
        """How many notes there are, and how many of them wait."""
        counts = await self._notes.counts(turn.person.id, project.id)
        notes = f"{counts.kept} note" if counts.kept == 1 else f"{counts.kept} notes"
        return self._said(
            "notes_counted",
            project,
            project=project.name,
            notes=notes,
            saved=str(counts.saved),
            waiting=str(counts.waiting),
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
                "needs_attention": [_matter(m) for m in view.needs_you if not _asked_here(m, turn)],
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
        """A description that is not finished goes to its review; without one there is nothing to create.

        In the review only words that leave no doubt are the yes; any others show it once more.
        """
        nothing = RouteResult(
            text=self._prompts.render("replies/finalize_nothing"),
            suggested_actions=[catalogue.starting_phrase()],
        )
        agrees = language(turn.person.locale).consent(turn.message) == "yes"
        sure = agrees or catalogue.is_example(catalogue.FINALIZE, turn.message)
        enough = Command(
            act="none",
            target="done",
            confidence=intent.confidence,
            layer="exact" if sure else "learned",
        )
        to_be = not phrases().negates(turn.message)
        return Continue(process=catalogue.SEED, otherwise=nothing, sure=to_be, says=(enough,))

    async def not_yet(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        """It cannot be done by conversation yet: said so, with where it can be done."""
        guidance = self._prompts.render(f"replies/{intent.name}")
        return RouteResult(is_stub=True, stub_guidance=guidance, project_id=turn.project_id)

    # -- which project

    async def project(self, turn: Turn, intent: Intent) -> Found:
        """The project of the turn, the one it names, the only one, or a question that lists those there are."""
        where = intent.parameters.get("project_id")
        if intent.name in HARMLESS and not where:
            details = await self._projects.details(turn.person.id)
            there = [one for one in details if placed(turn.message, one, here=turn.project_id is not None)]
            where = there[0].id if len(there) == 1 else turn.project_id
            here = next((one for one in details if one.id == where), None)
            return here or (self._gone() if where is not None else self.choose(turn, intent, details))
        where = where or turn.project_id
        if where is not None:
            return await self._projects.detail(turn.person.id, str(where)) or self._gone()
        return self.choose(turn, intent, await self._projects.details(turn.person.id))

    def choose(self, turn: Turn, intent: Intent, details: Sequence[ProjectDetail]) -> Found:
        """The one of these that the turn names, the only one there is, or a question that lists them."""
        named = [detail for detail in details if names(turn.message, detail)]
        if len(named) == 1:
            return named[0]
        if (begun := _begun(turn)) is not None and (said := _of_begun(intent.name, begun, details)):
            values = {"draft": begun.draft} if said == "project_begun" else {}
            return RouteResult(text=self._prompts.render(f"replies/{said}", **values))
        if not details:
            return needs_a_project(self._prompts, turn)
        if len(details) == 1:
            return details[0]
        spoken = [detail for detail in details if detail.id == turn.focus.project and not named]
        if spoken:
            return spoken[0]
        return Clarify(
            question=self._prompts.render("replies/which_project"),
            options=[
                Reading(
                    option=Option(label=detail.name),
                    intent=intent.name,
                    parameters=dict(intent.parameters),
                    project_id=detail.id,
                )
                for detail in (named or [one for one in details if not one.archived] or details)[
                    :MOST_CHOICES
                ]
            ],
        )

    def _gone(self) -> RouteResult:
        return RouteResult(text=self._prompts.render("replies/project_gone"))

    def _said(self, reply: str, project: ProjectDetail, /, **values: str) -> RouteResult:
        return RouteResult(text=self._prompts.render(f"replies/{reply}", **values), project_id=project.id)


def _told(turn: Turn, intent: Intent) -> str:
    """What is to be kept; a model may have found words of its own for it."""
    told = str(intent.parameters.get("knowledge_text") or turn.message).strip()
    return wall().clean(told, quoting=[turn.message]).text


def _begun(turn: Turn) -> Holder | None:
    """The description of a new project in the middle of which the turn was said."""
    holder = turn.holder
    return holder if holder is not None and holder.process == catalogue.SEED else None


def _of_begun(intent: str, begun: Holder, details: Sequence[ProjectDetail]) -> str:
    """What is answered while a project is described and none is named; "" where another may be meant."""
    if intent in (catalogue.PAST, catalogue.PROGRESS, catalogue.DESCRIBE, catalogue.SUMMARISE):
        return "project_begun" if begun.draft else "project_begun_empty"
    return "" if details else "project_begun_nothing"


def _is_name(topic: str, project: ProjectDetail) -> bool:
    return bool(topic) and normal(topic).removeprefix("the ") == normal(project.name)


def _note(note: Note) -> dict[str, Any]:
    return {
        "number": note.number,
        "text": note.text,
        "state": note.state,
        "author": {"kind": note.author.kind, "name": note.author.name},
        "told_by_them": note.mine,
        "told_by": note.told_by,
        "turn_id": note.turn_id,
    }


def _asked_here(matter: Matter, turn: Turn) -> bool:
    """The question that this very conversation has open: whoever talks here has it before them."""
    return matter.kind in ("question", "approval") and matter.ref == turn.session_id


def _matter(matter: Matter) -> dict[str, Any]:
    return {"kind": matter.kind, "title": matter.title, "at": matter.at.isoformat(), "ref": matter.ref}
