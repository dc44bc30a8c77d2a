"""Projects renamed, put aside, brought back and chosen, and notes changed with them or by what they say.

One message is one plan. What takes something away or changes more than one thing is shown first and asked.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from softrail import Clarify, Effect, Intent, Option, Prompts, RouteResult, Turn
from softrail.companion import catalogue
from softrail.companion.acts.change_plan import NoteTo, Plan, agreement, called, differs, only, shows
from softrail.companion.acts.saving import MOST_AT_ONCE, Found, quoted, shown, which_note
from softrail.companion.catalogue import UNDO_PHRASE
from softrail.companion.memory.service import CompanionProjects, Notes
from softrail.companion.memory.stems import terms
from softrail.companion.memory.values import Note, NoteState, ProjectDetail, ProjectWish, listed
from softrail.companion.understanding.amending import is_name, mended
from softrail.companion.understanding.matching import named
from softrail.companion.understanding.phrases import phrases, vocabulary
from softrail.companion.understanding.resolving import ProjectPlan, about, note_plan, project_plan
from softrail.companion.understanding.told_anew import BESIDE
from softrail.companion.understanding.unwished import HOW
from softrail.companion.understanding.wish_values import Which, Wish, Wishes
from softrail.companion.understanding.wish_words import names_of, parts_of_names
from softrail.companion.understanding.wishes import wishes
from softrail.companion.wall import wall
from softrail.plugin import IntentReading as Reading
from softrail.plugin import normal

MOST_TERMS: Final = 8  #: words of what a note is about
MOST_ABOUT: Final = 5  #: notes that are shown where several may be meant
_AND: Final = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)


def _names_one(read: Wishes) -> bool:
    return any(wish.which.projects for wish in read.acts)


class Changing:
    """The handler of what changes projects, or notes by what they say. Nothing is kept between turns."""

    def __init__(
        self,
        projects: CompanionProjects,
        notes: Notes,
        prompts: Prompts,
        find: Callable[[Turn, Intent], Awaitable[Found]],
    ) -> None:
        self._projects = projects
        self._notes = notes
        self._prompts = prompts
        self._find = find

    async def change(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        """What is wished for, where every word is understood; else it is asked about, or it is said what is missing."""
        if (agreed := intent.parameters.get("agreed")) is not None:
            return await self._agreed(turn, agreed, intent.parameters.get("kept"))
        if (told := intent.parameters.get("told")) is not None:
            return await self._told(turn, intent, str(told))
        if (other := intent.parameters.get("instead_of")) is not None:
            return await self._swapped(turn, intent, str(other))
        if (name := intent.parameters.get("called")) is not None:
            return await self._renamed(turn, intent, str(name))
        if intent.parameters.get(HOW):
            return await self._how(turn, intent)
        details = await self._projects.details(turn.person.id)
        read = wishes(turn.message, names_of(details))
        other = wishes(turn.message, parts_of_names(details))
        if not _names_one(read) and _names_one(other):
            read = replace(other, sure=False)  # "archive the gym": it is asked about
        if not read.acts:
            return self._say("left_as_is") if read.denied else await self._unclear(turn, intent)
        plan = await self._plan(turn, intent, read, details)
        if not isinstance(plan, Plan):
            return plan
        doubted = not read.sure or read.nearly or bool(intent.parameters.get("asks"))
        if (doubted and read.denied) or ((doubted or read.described) and plan.empty):
            return await self._unclear(turn, intent)
        return self._carried_out(turn, intent, plan, asks=doubted or read.described)

    async def _how(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        """What becomes of a project that is archived, or how one gets another name: it was only asked."""
        found = await self._find(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        if intent.name == catalogue.RENAME:
            return self._say("rename_to", found, project=found.name)
        return self._say("is_archived" if found.archived else "archive_what", found, project=found.name)

    # -- what is told of it

    async def _told(self, turn: Turn, intent: Intent, told: str) -> RouteResult | Clarify:
        """A note that is meant by what is told of it, or whose text is put right by it: it is shown first."""
        found = await self._find(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        state: NoteState | None = intent.parameters.get("state")
        meant = await self._told_of(turn, intent, found, told)
        if len(meant) != 1:
            nothing = "withdraw_what" if state == "withdrawn" else "edit_which"
            return self._which(turn, found, told, meant) if meant else self._say(nothing, found)
        says = (
            str(intent.parameters.get("says") or "") or None
        )  #: the whole text, where no value is exchanged
        text = None if state is not None else mended(meant[0].text, told) or says
        if state is None and text is None and BESIDE not in intent.parameters:
            return self._say("edit_which", found)
        clean = wall().clean(text, quoting=[turn.message]).text if text is not None else None
        one = NoteTo(note=meant[0], state=state, text=clean)
        if (beside := intent.parameters.get(BESIDE)) is not None:
            return self._asked_of_note(turn, intent, found, one, str(beside))
        if not one.changes:
            return self._say("nothing_changed", found)
        plan = self._allowed(Plan(notes=[one], of=found))
        return self._carried_out(turn, intent, plan, asks=True) if isinstance(plan, Plan) else plan

    def _asked_of_note(
        self, turn: Turn, intent: Intent, project: ProjectDetail, one: NoteTo, told: str
    ) -> RouteResult | Clarify:
        """What is to become of a note that a fact may be about: it is changed or withdrawn, or the fact stands beside it."""
        fact = wall().clean(told, quoting=[turn.message]).text
        allowed = self._allowed(Plan(notes=[one], of=project))
        if not isinstance(allowed, Plan):
            return allowed
        instead = replace(one, state=None, text=one.text or _sentence(fact))
        gone = replace(one, state="withdrawn", text=None)
        ways = (
            [("choice_yes", instead)]
            if one.text
            else [("choice_withdraw", gone), ("choice_instead", instead)]
        )
        options = [
            self._option(intent, self._text(label), agreement(replace(allowed, notes=[way])))
            for label, way in ways
        ]
        values = {"number": str(one.note.number), "text": quoted(one.note.text)}
        if one.text:
            question = self._text("told_anew", **values, change=self._note_line(instead))
        else:
            question = self._text("told_settles", **values, told=fact)
        beside = Reading(
            option=Option(label=self._text("choice_beside")),
            intent=catalogue.ADD,
            parameters={"knowledge_text": fact},
            project_id=project.id,
        )
        return Clarify(
            question=question,
            options=[*options, beside, self._option(intent, self._text("choice_no"), {})],
            why="confirm",
        )

    async def _told_of(self, turn: Turn, intent: Intent, project: ProjectDetail, told: str) -> Sequence[Note]:
        """The note of that number, or those that share most words with what is told."""
        if numbers := intent.parameters.get("numbers"):
            note = await self._notes.get(turn.person.id, project.id, int(numbers[0]))
            return [note] if note is not None else []
        topic = str(intent.parameters.get("about") or told)
        found = await self._notes.about(turn.person.id, project.id, topic, limit=MOST_ABOUT)
        said = set(terms(topic, MOST_TERMS))
        if not found and turn.focus.note is not None and turn.focus.project == project.id:
            note = await self._notes.get(turn.person.id, project.id, turn.focus.note)
            return [note] if note is not None else []
        shared = [len(said & set(terms(note.text, 1_000))) for note in found]
        return [note for note, count in zip(found, shared, strict=True) if count and count == max(shared)]

    async def _renamed(self, turn: Turn, intent: Intent, name: str) -> RouteResult | Clarify:
        """A project that is to have another name than the one it was just given."""
        found = await self._projects.detail(turn.person.id, str(intent.parameters.get("project_id") or ""))
        if found is None or not name:
            return await self._unclear(turn, intent)
        plan = self._allowed(Plan(projects=[(found, ProjectWish(name=name))]))
        return self._carried_out(turn, intent, plan, asks=True) if isinstance(plan, Plan) else plan

    async def _swapped(self, turn: Turn, intent: Intent, other: str) -> RouteResult | Clarify:
        """One project in the place of another that was just put aside or brought back."""
        archived = bool(intent.parameters.get("archived"))
        wanted = [(other, not archived), (str(intent.parameters.get("project_id")), archived)]
        known = {one.id: one for one in await self._projects.details(turn.person.id)}
        changes = [(known[id_], ProjectWish(archived=to)) for id_, to in wanted if id_ in known]
        plan = self._allowed(Plan(projects=[(one, wish) for one, wish in changes if differs(one, wish)]))
        if isinstance(plan, Plan) and plan.empty:
            return self._say("left_as_is")
        return self._carried_out(turn, intent, plan, asks=True) if isinstance(plan, Plan) else plan

    # -- what is meant

    async def _plan(
        self, turn: Turn, intent: Intent, read: Wishes, details: Sequence[ProjectDetail]
    ) -> Plan | RouteResult | Clarify:
        here = turn.project_id or turn.focus.project
        here = here or (details[0].id if len(details) == 1 else None)
        of = intent.parameters.get("project_id")
        told = [] if _names_one(read) else named(turn.message, details)
        spoken = of or (told[0].id if len(told) == 1 else turn.focus.project or here)
        clauses = [_spared_by_name(_of_named(wish, of), details) for wish in read.clauses]
        meant = project_plan(clauses, known=details, here=here, spoken=spoken)
        if meant is None:
            return await self._unclear(turn, intent)
        known = {detail.id: detail for detail in details}
        changed = [(known[one], wish) for one, wish in meant.wishes.items() if differs(known[one], wish)]
        plan = Plan(projects=changed, chosen=known.get(meant.chosen or ""))
        of_notes = [wish for wish in read.clauses if not wish.of_project]
        if not any(wish.state for wish in of_notes):
            if plan.empty:
                return self._so_already(known, meant)
            return self._allowed(plan)
        found = await self._find(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        return await self._with_notes(turn, intent, plan, found, of_notes)

    async def _with_notes(
        self, turn: Turn, intent: Intent, plan: Plan, found: ProjectDetail, wished: Sequence[Wish]
    ) -> Plan | RouteResult | Clarify:
        clauses: list[Wish] = []
        for wish in wished:
            which = await self._numbered(turn, found, wish.which)
            if not isinstance(which, Which):
                return which
            but = await self._numbered(turn, found, which.but) if which.but is not None else None
            if isinstance(but, RouteResult):
                return but  # whoever is not known to be spared stops everything
            clauses.append(replace(wish, which=replace(which, but=but)))
        own = await self._notes.own_waiting(turn.person.id, found.id, session_id=turn.session_id)
        clauses = [_of_every(wish, [one.note.number for one in own]) for wish in clauses]
        every = await self._notes.list(turn.person.id, found.id, newest_first=True, limit=MOST_AT_ONCE)
        saved = [note.number for note in every if note.mine and note.state == "saved"]
        spoken = await self._notes.spoken_of(turn.person.id, turn.session_id)
        said = [note.number for note in spoken.notes] if spoken and spoken.project_id == found.id else []
        meant = note_plan(
            clauses,
            waiting=[one.note.number for one in own],
            saved=saved,
            spoken=said or _one(turn.focus.note),
        )
        if meant is None:
            return await self._unclear(turn, intent)
        notes, missing = [], []
        for number, (state, text) in sorted(meant.items()):
            note = await self._notes.get(turn.person.id, found.id, number)
            if note is None:
                missing.append(number)
                continue
            clean = wall().clean(text, quoting=[turn.message]).text if text else None
            if clean and is_name(clean) and (put := mended(note.text, clean)) is not None:
                clean = put  # "correct that to Karin Olsson"
            if clean and normal(clean).strip(" .!") in vocabulary()["wish"]["none"]:
                notes.append(NoteTo(note=note, state="withdrawn", emptied=True))  # "change 8 to nothing"
                continue
            notes.append(NoteTo(note=note, state=state, text=clean))
        changed = [one for one in notes if one.changes]
        if missing and not notes:
            return self._say("no_such_note", found, numbers=listed(missing), project=found.name)
        plan = replace(plan, notes=changed, of=found, missing=missing)
        if plan.empty and not any(wish.which.named for wish in wished):
            return self._say("withdraw_what", found)
        return self._say("nothing_changed", found) if plan.empty else self._allowed(plan)

    async def _numbered(self, turn: Turn, project: ProjectDetail, which: Which) -> Which | RouteResult:
        """The same notes by their numbers, where each that is meant by what it says is one; else it is asked which."""
        numbers = list(which.numbers)
        for topic in which.about:
            on_topic = await self._on(turn, project, topic, loosely=which.all)
            if which.all and on_topic:
                numbers += [note.number for note in on_topic]  # "everything about the vet"
                continue
            each = await self._of_each(turn, project, topic) if len(on_topic) != 1 else on_topic
            if not each:
                return self._which(turn, project, topic, on_topic)
            numbers += [note.number for note in each]
        return about(which, numbers)

    async def _of_each(self, turn: Turn, project: ProjectDetail, topic: str) -> Sequence[Note]:
        """The notes of a topic that names several, where each of its parts is one of them: "the boxes and the skip"."""
        parts = [part for part in _AND.split(topic) if part.strip()]
        found = [await self._on(turn, project, part) for part in parts]
        each = {one[0].number: one[0] for one in found if len(one) == 1}
        return list(each.values()) if len(each) == len(parts) > 1 else []

    async def _on(
        self, turn: Turn, project: ProjectDetail, topic: str, *, loosely: bool = False
    ) -> Sequence[Note]:
        """The notes that have every word of the topic; where none has, those that share some, and one alone `loosely`."""
        found = await self._notes.about(turn.person.id, project.id, topic, limit=MOST_ABOUT)
        asked = set(terms(topic, MOST_TERMS))
        whole = [note for note in found if asked <= set(terms(note.text, 1_000))]
        return whole or (found if loosely or len(found) > 1 else [])

    def _allowed(self, plan: Plan) -> Plan | RouteResult:
        for project, wish in plan.projects:
            if wish.archived is not None and project.role != "owner":
                return self._say("owners_only", project, project=project.name)
            if project.role == "viewer":
                return self._say("view_only", project, project=project.name)
        if plan.notes and plan.of is not None and plan.of.role == "viewer":
            return self._say("view_only", plan.of, project=plan.of.name)
        if plan.notes and plan.of is not None and plan.of.archived:
            return self._say("is_archived", plan.of, project=plan.of.name)
        return plan

    # -- what becomes of it

    def _carried_out(
        self, turn: Turn, intent: Intent, plan: Plan, *, asks: bool = False, agreed: bool = False
    ) -> RouteResult | Clarify:
        if not agreed and (asks or plan.asks):
            return self._shown_first(intent, plan)
        effects: list[Effect] = []
        told: list[str] = []
        for one in plan.notes:
            assert plan.of is not None  # noqa: S101 - notes have a project
            effects.append(
                self._notes.changing(
                    plan.of.id, one.note.number, text=one.text, state=one.state, was=one.note
                )
            )
            told.append(self._note_told(plan.of, one))
        for project, wish in plan.projects:
            effects.append(self._projects.changing(project, wish))
            told.append(self._project_told("project", project, wish))
        about_ = plan.of.id if plan.of else plan.projects[0][0].id if plan.projects else None
        focus = turn.focus.then(
            project=about_, intent=intent.name, note=plan.notes[0].note.number if plan.notes else None
        )
        if plan.chosen is not None:
            before = turn.project_id or turn.focus.project
            effects.append(self._projects.choosing(plan.chosen, before=before))
            told.append(self._text("project_chosen", project=called(plan, plan.chosen)))
            focus = focus.choosing(plan.chosen.id)
        return RouteResult(
            side_effects=effects,
            suggested_actions=[UNDO_PHRASE],
            project_id=plan.chosen.id if plan.chosen else about_,
            focus=focus,
            text="\n".join(told),
        )

    def _shown_first(self, intent: Intent, plan: Plan) -> Clarify:
        lines = [self._note_line(one) for one in plan.notes]
        lines += [self._project_told("to_be", project, wish) for project, wish in plan.projects]
        if plan.chosen is not None:
            lines.append(self._text("to_be_chosen", project=called(plan, plan.chosen)))
        none = (
            [self._text("no_such_note", numbers=listed(plan.missing), project=plan.of.name)]
            if plan.of and plan.missing
            else []
        )
        question = self._text("shall_i_do", changes="\n".join(f"- {line}" for line in lines))
        return Clarify(
            question="\n".join([*none, question]),
            options=[
                self._option(intent, self._text("choice_yes"), agreement(plan)),
                self._option(intent, self._text("choice_no"), {}),
            ],
            why="confirm",
            shows=shows(plan),
        )

    def _option(self, intent: Intent, label: str, agreed: Mapping[str, Any]) -> Reading:
        return Reading(option=Option(label=label), intent=intent.name, parameters={"agreed": dict(agreed)})

    async def _agreed(
        self, turn: Turn, agreed: Mapping[str, Any], kept: Sequence[str] | None = None
    ) -> RouteResult | Clarify:
        """The person said yes to what was shown: that is done, and only to what still stands as it was shown.

        `kept` are the keys of what alone is meant: that is shown anew.
        """
        if not agreed:
            return self._say("left_as_is")
        known = {one.id: one for one in await self._projects.details(turn.person.id)}
        plan = Plan(chosen=known.get(agreed["chosen"] or ""), of=known.get(agreed["of"] or ""))
        projects = []
        for one in agreed["projects"]:
            project = known.get(one["id"])
            if project is None or [project.name, project.archived] != one["shown"]:
                return self._say("project_changed_meanwhile", project, project=one["shown"][0])
            projects.append((project, ProjectWish(name=one["name"], archived=one["archived"])))
        notes = []
        for one in agreed["notes"]:
            note = await self._notes.get(turn.person.id, agreed["of"], one["number"])
            if note is None or shown(note) != one["shown"]:
                return self._say("changed_meanwhile", plan.of, numbers=listed([one["number"]]))
            notes.append(NoteTo(note=note, state=one["state"], text=one["text"]))
        allowed = self._allowed(replace(plan, projects=projects, notes=notes))
        if not isinstance(allowed, Plan):
            return allowed
        name = catalogue.ARCHIVE if projects else catalogue.EDIT
        asked = Intent(name=name, confidence=1.0, tier="answer")
        if kept is not None:
            some = only(allowed, kept)
            return self._say("left_as_is") if some.empty else self._shown_first(asked, some)
        return self._carried_out(turn, asked, allowed, agreed=True)

    # -- words

    async def _unclear(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        """What is wished for is known, but not of what, or to what."""
        details = await self._projects.details(turn.person.id)
        spoken_of = [d for d in details if d.id == intent.parameters.get("project_id")] or named(
            turn.message, details
        )
        found = spoken_of[0] if len(spoken_of) == 1 else await self._find(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        if intent.name == catalogue.EDIT or (
            intent.name == catalogue.RENAME and phrases().note_numbers(turn.message)
        ):
            return await self._to_what(turn, found)
        if intent.name == catalogue.RENAME:
            name = phrases().new_name(turn.message, found.name)
            plan = self._allowed(Plan(projects=[(found, ProjectWish(name=name))] if name else []))
            if isinstance(plan, Plan) and name:
                return self._shown_first(intent, plan)
            return (
                plan if isinstance(plan, RouteResult) else self._say("rename_to", found, project=found.name)
            )
        if phrases().asks_state(turn.message) and found.archived:
            return self._say("is_archived", found, project=found.name)
        if phrases().asks_state(turn.message) or intent.name != catalogue.ARCHIVE:
            return self._say("archive_what", found, project=found.name)
        wished = {wish.state for wish in wishes(turn.message, names_of(details)).acts}
        to = "restored" not in wished if wished & {"archived", "restored"} else not found.archived
        if to == found.archived:
            reply = "project_archived_already" if to else "project_so_already"
            return self._say(reply, found, project=found.name)
        plan = self._allowed(Plan(projects=[(found, ProjectWish(archived=to))]))
        return self._shown_first(intent, plan) if isinstance(plan, Plan) else plan

    async def _to_what(self, turn: Turn, project: ProjectDetail) -> RouteResult:
        """What the note of the one number that is named shall say; else which is meant is asked, too."""
        numbers = phrases().note_numbers(turn.message)
        note = await self._notes.get(turn.person.id, project.id, numbers[0]) if len(numbers) == 1 else None
        if note is None or note.state == "withdrawn":
            return self._say("edit_which", project)
        focus = turn.focus.showing(project=project.id, note=note.number, intent=catalogue.EDIT_TO_WHAT)
        asked = self._say("edit_to_what", project, number=str(note.number), text=quoted(note.text))
        return replace(asked, focus=focus)

    def _which(self, turn: Turn, project: ProjectDetail, topic: str, found: Sequence[Note]) -> RouteResult:
        if not found:
            return self._say("no_note_about", project, topic=topic, project=project.name)
        text = which_note(self._prompts, found, wishes(turn.message))
        return RouteResult(text=text, project_id=project.id)

    def _so_already(self, known: Mapping[str, ProjectDetail], plan: ProjectPlan) -> RouteResult:
        for one in plan.wishes:
            project = known[one]
            reply = "project_archived_already" if project.archived else "project_so_already"
            return self._say(reply, project, project=project.name)
        return self._say("left_as_is")

    def _note_line(self, one: NoteTo) -> str:
        number, text = str(one.note.number), quoted(one.text or one.note.text)
        name = "to_be_edited" if one.text is not None else f"to_be_{one.state}"
        return self._text(name, number=number, text=text)

    def _note_told(self, project: ProjectDetail, one: NoteTo) -> str:
        number = str(one.note.number)
        if one.text is not None:
            return self._text(
                "note_changed_one", numbers=number, project=project.name, knowledge_text=quoted(one.text)
            )
        return self._text(f"note_{one.state}_one", numbers=number, project=project.name)

    def _project_told(self, kind: str, project: ProjectDetail, wish: ProjectWish) -> str:
        told = []
        if wish.name is not None:
            told.append(self._text(f"{kind}_renamed", before=project.name, project=wish.name))
        if wish.archived is not None:
            how = "archived" if wish.archived else "restored"
            told.append(self._text(f"{kind}_{how}", project=wish.name or project.name))
        return " ".join(told)

    def _say(self, reply: str, project: ProjectDetail | None = None, /, **values: str) -> RouteResult:
        return RouteResult(text=self._text(reply, **values), project_id=project.id if project else None)

    def _text(self, reply: str, /, **values: Any) -> str:
        return self._prompts.render(f"replies/{reply}", **values)


def _sentence(fact: str) -> str:
    return fact[:1].upper() + fact[1:]


def _of_every(wish: Wish, waiting: Sequence[int]) -> Wish:
    """Of saved notes, too, where one of them is spared: "drop all notes except the rent"."""
    which = wish.which
    spared = which.but.numbers if which.but is not None else ()
    if (
        wish.state != "withdrawn"
        or not which.all
        or which.waiting
        or which.kept
        or set(spared) <= set(waiting)
    ):
        return wish
    return replace(wish, which=replace(which, waiting=True, kept=True))


def _of_named(wish: Wish, project_id: object) -> Wish:
    """Of the project that another part of the message names, where it names none itself: "move it to the archive"."""
    if not wish.of_project or not isinstance(project_id, str) or wish.which.named:
        return wish
    return replace(wish, which=replace(wish.which, projects=(project_id,)))


def _spared_by_name(wish: Wish, details: Sequence[ProjectDetail]) -> Wish:
    """With the projects that an exception says a word of: "all but the bakery"; the same where it may be several."""
    but = wish.which.but
    if not wish.of_project or but is None or not but.about:
        return wish
    found = [named(topic, details) for topic in but.about]
    if any(len(one) != 1 for one in found):
        return wish
    spared = (*but.projects, *(one[0].id for one in found))
    return replace(wish, which=replace(wish.which, but=replace(but, about=(), projects=spared)))


def _one(number: int | None) -> Sequence[int]:
    return [] if number is None else [number]
