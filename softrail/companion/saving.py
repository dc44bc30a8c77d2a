"""Notes confirmed, taken back and changed by words: one's own where none is named, anybody's by number."""

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from softrail import Clarify, Intent, Prompts, RouteResult, Turn
from softrail.companion.phrases import phrases
from softrail.companion.service import CompanionProjects, Notes
from softrail.companion.values import Note, NoteState, ProjectDetail, Waiting
from softrail.companion.wall import wall
from softrail.plugin import language, normal

MOST_AT_ONCE: Final = 50
MOST_TOLD: Final = 10  #: numbers of notes that still wait
_WORD: Final = re.compile(r"[^\W_]+")

Found = ProjectDetail | RouteResult | Clarify
#: Which project a turn is about, or what is to be answered instead.
Find = Callable[[Turn, Intent], Awaitable[Found]]
#: The same among these projects alone.
Choose = Callable[[Turn, Intent, Sequence[ProjectDetail]], Found]


class Saving:
    """The intent that saves notes or takes them back. Nothing is kept between turns."""

    def __init__(
        self, projects: CompanionProjects, notes: Notes, prompts: Prompts, find: Find, choose: Choose
    ) -> None:
        self._projects = projects
        self._notes = notes
        self._prompts = prompts
        self._find = find
        self._choose = choose

    async def save(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        """What is wished for the notes that are named by number, for all of the person's own, or for the last one."""
        said, words = turn.message, phrases()
        if words.notes.forgets_all(said):
            return self._say("forget_by_number")
        if words.notes.spares(said):
            return self._say("nothing_changed")
        rewritten = words.notes.rewrites(said)
        if rewritten is not None:
            return await self._rewrite(turn, intent, *rewritten)
        state: NoteState = intent.parameters.get("state") or (
            "withdrawn" if words.withdraws(said) else "saved"
        )
        numbers = intent.parameters.get("numbers") or words.note_numbers(said)
        if numbers:
            return await self._named(turn, intent, numbers, state)
        said = await self._without_names(turn)
        if not words.notes.unnamed(said) and language().consent(said) != "yes":
            return await self._which(turn, intent)
        if words.means_all(said):
            return await self._all(turn, intent, state)
        return await self._last(turn, intent, state)

    # -- which notes

    async def _named(
        self, turn: Turn, intent: Intent, numbers: Sequence[int], state: NoteState
    ) -> RouteResult | Clarify:
        found = await self._project(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        known = [await self._notes.get(turn.person.id, found.id, number) for number in numbers]
        wanted = [note for note in known if note is not None]
        if not wanted:
            return self._say("no_such_note", found, numbers=listed(numbers), project=found.name)
        return await self._changed(turn, found, wanted, state)

    async def _all(self, turn: Turn, intent: Intent, state: NoteState) -> RouteResult | Clarify:
        found = await self._waiting_project(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        own = await self._own(turn, found.id, MOST_AT_ONCE)
        if not own:
            return await self._none(turn, found)
        return await self._changed(turn, found, [one.note for one in own], state)

    async def _last(self, turn: Turn, intent: Intent, state: NoteState) -> RouteResult | Clarify:
        """The note the session spoke of last, where it is the person's own; else the newest of theirs that waits."""
        spoken = await self._notes.spoken_of(turn.person.id, turn.session_id)
        named = await self._named_project(turn)
        here = named.id if named else turn.project_id
        if spoken is not None and ((spoken.just and not named) or here in (None, spoken.project_id)):
            found = await self._projects.detail(turn.person.id, spoken.project_id)
            if found is not None and not spoken.notes and spoken.just:
                return await self._which(turn, intent)  # somebody else's: by number, or not at all
            if found is not None and len(spoken.notes) > 1 and not phrases().notes.several(turn.message):
                return self._listing(found, spoken.notes)
            if found is not None and spoken.notes:
                return await self._changed(turn, found, spoken.notes, state)
        chosen = await self._waiting_project(turn, intent)
        if not isinstance(chosen, ProjectDetail):
            return chosen
        own = await self._own(turn, chosen.id, 1)
        if not own:
            return await self._none(turn, chosen)
        return await self._changed(turn, chosen, [own[0].note], state)

    async def _which(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        found = await self._waiting_project(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        own = await self._own(turn, found.id, MOST_TOLD)
        return self._listing(found, [one.note for one in own]) if own else await self._none(turn, found)

    # -- what becomes of them

    async def _changed(
        self, turn: Turn, project: ProjectDetail, notes: Sequence[Note], state: NoteState
    ) -> RouteResult:
        if project.role == "viewer":
            return self._say("view_only", project, project=project.name)
        numbers = sorted(note.number for note in notes)
        changes = sorted(note.number for note in notes if note.state != state)
        own = await self._own(turn, project.id, MOST_TOLD + len(numbers)) if state == "saved" else ()
        waiting = sorted(one.note.number for one in own if one.note.number not in numbers)[:MOST_TOLD]
        if not changes:
            text = self._text(f"note_{state}_already", numbers=listed(numbers), project=project.name)
            return self._answer(" ".join([text, *self._still(project, waiting)]), project)
        return RouteResult(
            side_effects=[self._notes.changing(project.id, number, state=state) for number in changes],
            project_id=project.id,
            operation_data={
                "project": project.name,
                "state": state,
                "numbers": numbers,
                "still_waiting": waiting,
            },
        )

    async def _rewrite(self, turn: Turn, intent: Intent, number: int, text: str) -> RouteResult | Clarify:
        found = await self._project(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        if found.role == "viewer":
            return self._say("view_only", found, project=found.name)
        note = await self._notes.get(turn.person.id, found.id, number)
        if note is None:
            return self._say("no_such_note", found, numbers=listed([number]), project=found.name)
        text = wall().clean(text, quoting=[turn.message]).text
        return RouteResult(
            side_effects=[self._notes.changing(found.id, number, text=text)],
            project_id=found.id,
            operation_data={
                "project": found.name,
                "state": note.state,
                "numbers": [number],
                "knowledge_text": text,
            },
        )

    # -- which project

    async def _named_project(self, turn: Turn) -> ProjectDetail | None:
        """The one project that the message names."""
        details = await self._projects.details(turn.person.id)
        named = [detail for detail in details if names(turn.message, detail)]
        return named[0] if len(named) == 1 else None

    async def _without_names(self, turn: Turn) -> str:
        """The message without the projects it names: "save it in Blue Harbor"."""
        said = turn.message
        for detail in await self._projects.details(turn.person.id):
            said = re.sub(
                rf"\s+(?:in|of|for|from)\s+{re.escape(detail.name)}(?!\w)", "", said, flags=re.IGNORECASE
            )
        return said

    async def _project(self, turn: Turn, intent: Intent) -> Found:
        project_id = intent.parameters.get("project_id")
        named = await self._projects.detail(turn.person.id, str(project_id)) if project_id else None
        return named or await self._find(turn, intent)

    async def _waiting_project(self, turn: Turn, intent: Intent) -> Found:
        """The project that is named or the turn's; else the only one with a note of the person's own that waits."""
        if (named := await self._named_project(turn)) is not None:
            return named
        if turn.project_id is not None:
            return await self._project(turn, intent)
        own = await self._own(turn, None, MOST_AT_ONCE)
        if not own:
            return await self._none(turn, None)
        here = [one for one in own if one.here] or own
        waiting = {one.project_id for one in here}
        details = await self._projects.details(turn.person.id)
        found = [detail for detail in details if detail.id in waiting]
        return found[0] if len(found) == 1 else self._choose(turn, intent, found)

    async def _own(self, turn: Turn, project_id: str | None, limit: int) -> Sequence[Waiting]:
        return await self._notes.own_waiting(
            turn.person.id, project_id, session_id=turn.session_id, limit=limit
        )

    # -- words

    async def _none(self, turn: Turn, project: ProjectDetail | None) -> RouteResult:
        """None of the person's own notes waits; what others told is saved by number."""
        text = self._text("no_waiting_note")
        if project is None:
            return self._answer(text, None)
        others = await self._notes.list(
            turn.person.id, project.id, states=("waiting",), newest_first=True, limit=MOST_TOLD
        )
        if not others or project.role == "viewer":
            return self._answer(text, project)
        numbers = sorted(note.number for note in others)
        more = self._text(
            "others_wait", numbers=listed(numbers), project=project.name, number=str(numbers[-1])
        )
        return self._answer(f"{text} {more}", project)

    def _listing(self, project: ProjectDetail, notes: Sequence[Note]) -> RouteResult:
        lines = [self._text("note_line", number=str(note.number), text=note.text) for note in notes]
        text = self._text("which_note", number=str(notes[0].number), notes="\n".join(lines))
        return self._answer(text, project)

    def _still(self, project: ProjectDetail, waiting: Sequence[int]) -> list[str]:
        return [self._text("still_waiting", numbers=listed(waiting))] if waiting else []

    def _say(self, reply: str, project: ProjectDetail | None = None, /, **values: str) -> RouteResult:
        return self._answer(self._text(reply, **values), project)

    def _answer(self, text: str, project: ProjectDetail | None) -> RouteResult:
        return RouteResult(text=text, project_id=project.id if project else None)

    def _text(self, reply: str, /, **values: Any) -> str:
        return self._prompts.render(f"replies/{reply}", **values)


def names(message: str, project: ProjectDetail) -> bool:
    """The message holds the project's name, whole words of it."""
    name, said = (" ".join(_WORD.findall(normal(text))) for text in (project.name, message))
    return bool(name) and f" {name} " in f" {said} "


def listed(numbers: Sequence[int]) -> str:
    """Numbers of notes in a row: "#3, #4"."""
    return ", ".join(f"#{number}" for number in numbers)
