"""Notes confirmed, taken back and changed by words: one's own where none is named, anybody's by number."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final

from softrail import Clarify, Intent, Option, Prompts, RouteResult, Shown, Turn
from softrail.companion.catalogue import CLARIFICATION, PAST, SAVE, SEARCH, UNDO_PHRASE
from softrail.companion.memory.search import MOST_ASKED, MOST_WORDS
from softrail.companion.memory.service import CompanionProjects, Notes
from softrail.companion.memory.stems import terms
from softrail.companion.memory.undoing import ProjectChange
from softrail.companion.memory.values import Note, NoteState, ProjectDetail, Spoken, Waiting, listed
from softrail.companion.understanding.matching import names
from softrail.companion.understanding.phrases import phrases
from softrail.companion.understanding.resolving import Plan, plans
from softrail.companion.understanding.wish_values import Which, Wishes, note_state
from softrail.companion.understanding.wishes import of_all, takes_away, wishes
from softrail.companion.wall import wall
from softrail.plugin import IntentReading as Reading
from softrail.plugin import language

MOST_AT_ONCE: Final = 50
MOST_QUOTED: Final = 120  #: characters of a note that are shown before it is changed
MOST_TOLD: Final = 10  #: numbers of notes that still wait
_ANOTHER: Final = 2  #: notes that wait, of which either may be meant
_SPARED: Final = 5  #: notes on one topic, that a wish for all of them leaves out, or means
_READ: Final = 2_000  #: characters of a message that are looked at
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
        """What is wished for notes, clause by clause. More than one change, and what is not clear, is shown and asked first."""
        said, words = turn.message, phrases()
        if (agreed := intent.parameters.get("plan")) is not None:
            return await self._agreed(turn, intent, agreed, intent.parameters.get("kept"))
        if words.notes.forgets_all(said):
            return self._say("forget_by_number")
        rewritten = words.notes.rewrites(said)
        if rewritten is not None:
            return await self._rewrite(turn, intent, *rewritten)
        if numbers := intent.parameters.get("numbers"):
            asks = bool(intent.parameters.get("asks"))
            return await self._named(
                turn, intent, dict.fromkeys(numbers, intent.parameters["state"]), asks=asks
            )
        if some := intent.parameters.get("some"):
            return await self._some(turn, intent, str(some))
        read = wishes(await self._without_names(turn))
        if not read.sure:
            return await self._guessed(turn, intent, read)
        if not read.acts:
            return await self._no_act(turn, intent, read)
        if len(read.clauses) == 1 and _of_last(read.acts[0].which) and not intent.parameters.get("asks"):
            state = note_state(read.acts[0]) or "saved"
            return await self._last(turn, intent, state, asks=read.nearly)
        return await self._wished(turn, intent, read)

    async def _wished(self, turn: Turn, intent: Intent, read: Wishes) -> RouteResult | Clarify:
        """A wish that is understood: one plan is carried out, of several the person chooses."""
        only_numbers = all(wish.which.numbers for wish in read.acts)
        find = self._project if only_numbers else self._waiting_project
        found = await find(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        spoken = await self._notes.spoken_of(turn.person.id, turn.session_id)
        here = [note.number for note in spoken.notes] if spoken and spoken.project_id == found.id else []
        waiting = [one.note.number for one in await self._own(turn, found.id, MOST_AT_ONCE)]
        kept = await self._notes.list(turn.person.id, found.id, newest_first=True, limit=MOST_AT_ONCE)
        known = plans(read, waiting=waiting, kept=[note.number for note in kept if note.mine], spoken=here)
        if not known:
            return await self._which(turn, intent)
        some = [plan for plan in known if plan] or known[:1]
        if len(some) > 1:
            return await self._choice(turn, found, some)
        if not some[0]:
            return self._say("nothing_changed") if waiting or read.denied else await self._none(turn, found)
        nearly = read.nearly or read.described or len(some) < len(known)  # "the last one", and none waits
        asks = nearly or bool(intent.parameters.get("asks"))
        return await self._named(turn, intent, some[0], project=found, asks=asks)

    async def _some(self, turn: Turn, intent: Intent, topic: str) -> RouteResult | Clarify:
        """All notes but those on a topic, or those alone: each with the notes it would change, and the person chooses."""
        found, meant = await self._project(turn, intent), of_all(phrases().without_lead(turn.message))
        if not isinstance(found, ProjectDetail) or meant is None:
            return found if not isinstance(found, ProjectDetail) else self._say("nothing_changed")
        on_topic = [n.number for n in await self._notes.about(turn.person.id, found.id, topic, limit=_SPARED)]
        all_ = meant[0].which
        which = (replace(all_, but=Which(numbers=tuple(on_topic))), Which(numbers=tuple(on_topic)))
        waiting = [one.note.number for one in await self._own(turn, found.id, MOST_AT_ONCE)]
        kept = await self._notes.list(turn.person.id, found.id, newest_first=True, limit=MOST_AT_ONCE)
        mine = [note.number for note in kept if note.mine]
        known = [
            plan
            for one in which
            for plan in plans(
                Wishes(clauses=(replace(meant[0], which=one),), sure=True),
                waiting=waiting,
                kept=mine,
                spoken=(),
            )
        ]
        return await self._choice(turn, found, [plan for plan in known if plan])

    async def _no_act(self, turn: Turn, intent: Intent, read: Wishes) -> RouteResult | Clarify:
        """Nothing is to be done, or it is not said what: after a change, "no, note 5" means another note."""
        if read.denied and not read.mends:
            spoken = await self._notes.spoken_of(turn.person.id, turn.session_id)
            told = spoken is not None and spoken.just and spoken.told
            if told and all(wish.state == "saved" and wish.which.it for wish in read.clauses):
                return await self._last(turn, intent, "withdrawn")  # it was asked whether to keep it
            return self._say("nothing_changed")
        done = await self._notes.last_done(turn.person.id, turn.session_id)
        meant = [wish for wish in read.clauses if not wish.negated]
        not_meant = {n for wish in read.clauses if wish.negated for n in wish.which.numbers}
        numbers = meant[0].which.numbers if len(meant) == 1 else ()
        changes = [change for change in done.changes if change.became] if done is not None else []
        states = {change.became for change in changes}
        places = {change.project_id for change in changes}
        if not (read.mends and numbers and len(states) == 1 and len(places) == 1):
            return self._say("nothing_changed") if read.denied else await self._which(turn, intent)
        found = await self._projects.detail(turn.person.id, places.pop())
        state = states.pop()
        if found is None or state is None:
            return await self._which(turn, intent)
        plan = {c.number: c.before for c in changes if not not_meant or c.number in not_meant}
        return await self._named(
            turn, intent, {**plan, **dict.fromkeys(numbers, state)}, project=found, asks=True
        )

    async def _guessed(self, turn: Turn, intent: Intent, read: Wishes) -> RouteResult | Clarify:
        """Not every word is understood: what was is asked about, and nothing is done."""
        if read.denied or phrases().notes.spares(turn.message):
            return self._say("nothing_changed")
        plan: dict[int, NoteState] = {}
        for wish in read.acts:
            for number in wish.which.numbers:
                plan[number] = note_state(wish) or "saved"
        if not plan or any(not wish.which.numbers or wish.which.but for wish in read.acts):
            return await self._which(turn, intent)
        # Who has chosen this wish among others has been asked about it already.
        return await self._named(turn, intent, plan, asks=intent.tier != "answer")

    # -- which notes

    async def _named(
        self,
        turn: Turn,
        intent: Intent,
        plan: Plan,
        *,
        project: ProjectDetail | None = None,
        asks: bool = False,
    ) -> RouteResult | Clarify:
        found: Found = project or await self._project(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        wanted, missing = await self._there(turn, found, plan)
        if not wanted:
            return self._say("no_such_note", found, numbers=listed(sorted(missing)), project=found.name)
        return await self._changed(turn, found, wanted, missing=missing, asks=asks)

    async def _there(
        self, turn: Turn, project: ProjectDetail, plan: Plan
    ) -> tuple[Sequence[tuple[Note, NoteState]], Sequence[int]]:
        """The notes of a plan with what is to become of each, and the numbers that no note has."""
        known = [(n, await self._notes.get(turn.person.id, project.id, n)) for n in sorted(plan)]
        return [(note, plan[n]) for n, note in known if note], [n for n, note in known if note is None]

    async def _agreed(
        self, turn: Turn, intent: Intent, agreed: Mapping[str, Any], kept: Sequence[str] | None = None
    ) -> RouteResult | Clarify:
        """The person has said yes to what was shown to them: that is done, and only as it was shown.

        `kept` are the numbers that are meant instead: they are shown anew.
        """
        found = await self._projects.detail(turn.person.id, str(intent.parameters.get("project_id") or ""))
        if found is None or not agreed:
            return self._say("left_as_is", found) if found else self._say("nothing_changed")
        plan: dict[int, NoteState] = {int(number): one["state"] for number, one in agreed.items()}
        if kept is not None:
            usual = next(iter(plan.values()))
            meant = {int(number): plan.get(int(number), usual) for number in kept}
            return await self._named(turn, intent, meant, project=found, asks=True)
        wanted, _ = await self._there(turn, found, plan)
        stood = {int(number): one["shown"] for number, one in agreed.items()}
        moved = [note.number for note, _ in wanted if shown(note) != stood[note.number]]
        if moved or len(wanted) < len(plan):
            return self._say("changed_meanwhile", found, numbers=listed(moved or sorted(plan)))
        return await self._changed(turn, found, wanted, agreed=True)

    async def _choice(
        self, turn: Turn, project: ProjectDetail, known: Sequence[Plan]
    ) -> RouteResult | Clarify:
        """Which of several plans is meant, each with the notes it would change."""
        options = []
        for plan in known:
            wanted, _ = await self._there(turn, project, plan)
            changes = [(note, state) for note, state in wanted if note.state != state]
            if changes:
                options.append(self._option(project, changes, self._in_short(changes)))
        if project.role == "viewer":
            return self._say("view_only", project, project=project.name)
        if not options:
            return self._say("nothing_changed", project)
        options.append(self._option(project, [], self._text("choice_none")))
        return Clarify(
            question=self._text("which_plan", project=project.name), options=options, why="confirm"
        )

    async def _last(
        self, turn: Turn, intent: Intent, state: NoteState, *, asks: bool = False
    ) -> RouteResult | Clarify:
        """The note the session spoke of last, where it is the person's own; else the newest of theirs that waits.

        Nothing was spoken of: then nothing is taken back, and none of several kept, before the person has seen what.
        """
        if turn.holder is not None and turn.holder.process == CLARIFICATION:
            if language().is_undo(turn.message):
                return await self._nothing_to_undo(turn)  # it is only asked about yet
            return await self._which(
                turn, intent
            )  # what was asked about may be meant, or what was told before
        spoken = await self._notes.spoken_of(turn.person.id, turn.session_id)
        named = await self._named_project(turn)
        if not (spoken and spoken.just) and (seen := await self._seen(turn)) is not None:
            return await self._changed(turn, seen[0], [(seen[1], state)], asks=asks or state == "withdrawn")
        here = named.id if named else turn.project_id
        if spoken is not None and ((spoken.just and not named) or here in (None, spoken.project_id)):
            found = await self._projects.detail(turn.person.id, spoken.project_id)
            if found is not None and not spoken.notes and spoken.just:
                return await self._which(turn, intent)  # somebody else's: by number, or not at all
            if found is not None and len(spoken.notes) > 1 and not phrases().notes.several(turn.message):
                return self._listing(found, spoken.notes, turn.message)
            withdrawn = all(note.state == "withdrawn" for note in spoken.notes)
            if state == "withdrawn" and withdrawn and spoken.notes and language().is_undo(turn.message):
                return await self._nothing_to_undo(turn)  # "take that back": the withdrawal
            if found is not None and spoken.notes:
                asks = asks or (state == "withdrawn" and not await self._in_sight(turn, spoken))
                return await self._changed(turn, found, [(note, state) for note in spoken.notes], asks=asks)
        chosen = await self._waiting_project(turn, intent)
        if not isinstance(chosen, ProjectDetail):
            return chosen
        own = await self._own(turn, chosen.id, _ANOTHER)
        if not own:
            return await self._none(turn, chosen)
        asks = asks or state == "withdrawn" or len(own) > 1
        return await self._changed(turn, chosen, [(own[0].note, state)], asks=asks)

    async def _in_sight(self, turn: Turn, spoken: Spoken) -> bool:
        """The notes were spoken of just now, or the last reply named them: "this" is no other thing."""
        if spoken.just:
            return True
        here = turn.person.id, turn.session_id
        return all([await self._notes.named_last(*here, note.number) for note in spoken.notes])

    async def _seen(self, turn: Turn) -> tuple[ProjectDetail, Note] | None:
        """The one note that the last look showed: "find the flour note", "save that one"."""
        focus = turn.focus
        if focus.intent not in (SEARCH, PAST) or focus.note is None or focus.project is None:
            return None
        if phrases().notes.several(turn.message):
            return None
        project = await self._projects.detail(turn.person.id, focus.project)
        if project is None or turn.project_id not in (None, project.id):
            return None
        note = await self._notes.get(turn.person.id, project.id, focus.note)
        return (project, note) if note is not None and note.state != "withdrawn" else None

    async def _which(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        found = await self._waiting_project(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        if found.role != "viewer" and len(said := await self._said_of(turn, found.id)) == 1:
            return self._of_one(turn, found, said[0])
        own = [one.note for one in await self._own(turn, found.id, MOST_TOLD)]
        if not own and not any(wish.state == "saved" for wish in wishes(turn.message).acts):
            every = await self._notes.list(
                turn.person.id, found.id, states=("saved",), newest_first=True, limit=MOST_TOLD
            )
            own = [note for note in every if note.mine]
        return self._listing(found, own, turn.message) if own else await self._none(turn, found)

    async def _said_of(self, turn: Turn, project_id: str) -> Sequence[Note]:
        """The notes with a number of the message, else with most of its words: "the one with the rolls"."""
        if numbers := phrases().note_numbers(turn.message):
            named = [await self._notes.get(turn.person.id, project_id, n) for n in numbers[:MOST_TOLD]]
            return [note for note in named if note is not None]
        asked = set(terms(turn.message, MOST_ASKED))
        some = await self._notes.about(turn.person.id, project_id, turn.message, limit=_SPARED)
        shared = {n.number: len(asked & set(terms(n.text, MOST_WORDS))) for n in some if n.mine}
        most = max(shared.values(), default=0)
        return [n for n in some if most and shared.get(n.number) == most]

    def _of_one(self, turn: Turn, project: ProjectDetail, note: Note) -> Clarify:
        """What is to become of a note that is called, where that was not understood."""
        states: Sequence[NoteState] = ("saved", "withdrawn")
        order = states[::-1] if takes_away(turn.message) else states
        changes = [[(note, state)] for state in order if note.state != state]
        options = [self._option(project, one, self._in_short(one)) for one in changes]
        options.append(self._option(project, [], self._text("leave_note")))
        question = self._text("what_of_it", number=str(note.number), text=quoted(note.text))
        return Clarify(question=question, options=options, why="confirm")

    # -- what becomes of them

    async def _changed(
        self,
        turn: Turn,
        project: ProjectDetail,
        wanted: Sequence[tuple[Note, NoteState]],
        *,
        missing: Sequence[int] = (),
        asks: bool = False,
        agreed: bool = False,
    ) -> RouteResult | Clarify:
        """Change these notes; more than one only once the person has seen which and said yes."""
        if project.role == "viewer":
            return self._say("view_only", project, project=project.name)
        changes = [(note, state) for note, state in wanted if note.state != state]
        if changes and not agreed and (asks or missing or len(changes) > 1):
            return await self._shown_first(turn, project, changes, missing)
        numbers = sorted(note.number for note, _ in wanted)
        states = {state for _, state in wanted}
        own = await self._own(turn, project.id, MOST_TOLD + len(numbers)) if "saved" in states else ()
        waiting = sorted(one.note.number for one in own if one.note.number not in numbers)[:MOST_TOLD]
        if not changes:
            already = [
                self._text(f"note_{state}_already", numbers=listed(of), project=project.name)
                for state in sorted(states)
                if (of := sorted(note.number for note, its in wanted if its == state))
            ]
            return self._answer(" ".join([*already, *self._still(project, waiting)]), project)
        told = changes if len(states) > 1 else wanted
        return RouteResult(
            side_effects=[
                self._notes.changing(project.id, note.number, state=state, was=note)
                for note, state in changes
            ],
            suggested_actions=[UNDO_PHRASE],
            project_id=project.id,
            operation_data={
                "project": project.name,
                "changes": [
                    {"state": state, "numbers": of}
                    for state in ("saved", "withdrawn", "waiting")
                    if (of := sorted(note.number for note, its in told if its == state))
                ],
                "still_waiting": waiting,
            },
        )

    async def _shown_first(
        self,
        turn: Turn,
        project: ProjectDetail,
        changes: Sequence[tuple[Note, NoteState]],
        missing: Sequence[int],
    ) -> Clarify:
        lines = [
            self._text(f"to_be_{state}", number=str(note.number), text=quoted(note.text))
            for note, state in changes
        ]
        none = [self._text("no_such_note", numbers=listed(missing), project=project.name)] if missing else []
        question = self._text("shall_i", project=project.name, changes="\n".join(lines))
        return Clarify(
            question="\n".join([*none, question]),
            options=[
                self._option(project, changes, self._text("choice_yes")),
                self._option(project, [], self._text("choice_no")),
            ],
            why="confirm",
            shows=await self._shows(turn, project, changes),
        )

    async def _shows(
        self, turn: Turn, project: ProjectDetail, changes: Sequence[tuple[Note, NoteState]]
    ) -> Sequence[Shown]:
        """The notes that are shown, and those of the person's own that the same might be wished for."""
        states = {state for _, state in changes}
        there = {note.number for note, _ in changes}
        mine = await self._notes.list(turn.person.id, project.id, newest_first=True, limit=MOST_AT_ONCE)
        others = [one for one in mine if one.mine and one.number not in there and one.state not in states]
        notes = [*(note for note, _ in changes), *(others if len(states) == 1 else ())]
        return [shown_as(note, there=note.number in there) for note in sorted(notes, key=lambda n: n.number)]

    def _option(
        self, project: ProjectDetail, changes: Sequence[tuple[Note, NoteState]], label: str
    ) -> Reading:
        plan = {str(note.number): {"state": state, "shown": shown(note)} for note, state in changes}
        return Reading(
            option=Option(label=label),
            intent=SAVE,
            parameters={"plan": plan, "project_id": project.id},
            project_id=project.id,
        )

    def _in_short(self, changes: Sequence[tuple[Note, NoteState]]) -> str:
        return "; ".join(
            self._text(
                f"short_{state}", numbers=listed(sorted(n.number for n, its in changes if its == state))
            )
            for state in ("saved", "withdrawn")
            if any(its == state for _, its in changes)
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
            side_effects=[self._notes.changing(found.id, number, text=text, was=note)],
            suggested_actions=[UNDO_PHRASE],
            project_id=found.id,
            operation_data={
                "project": found.name,
                "state": note.state,
                "numbers": [number],
                "knowledge_text": text,
            },
        )

    async def undo(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        """What the turn before this one did is taken back, all of it; or it is said why not."""
        done = await self._notes.last_done(turn.person.id, turn.session_id)
        if done is None:
            return await self._nothing_to_undo(turn)
        cannot = [self._text("cannot_undo", what="; ".join(done.fixed))] if done.fixed else []
        if not (done.changes or done.projects or done.chose):
            return self._answer(cannot[0], None)
        lines: list[str] = []
        changed: list[str] = []
        for one in done.projects:
            project = await self._projects.detail(turn.person.id, one.project_id)
            if project is None or not one.stands(project):
                return self._say("project_changed_meanwhile", project=project.name if project else "It")
            lines += self._project_undone(one, project.name)
            changed.append(one.name_before or project.name)
        for change in done.changes:
            note = await self._notes.get(turn.person.id, change.project_id, change.number)
            if note is None or not change.stands(note):
                return self._say("changed_meanwhile", numbers=listed([change.number]))
            told = "again" if change.text_before is not None else change.before
            text = quoted(change.text_before if change.text_before is not None else note.text)
            lines.append(self._text(f"undone_{told}", number=str(change.number), text=text))
        changed += [f"#{change.number}" for change in done.changes]
        focus = turn.focus
        if done.chose is not None:
            before = await self._projects.detail(turn.person.id, done.left) if done.left else None
            reply = "undone_chosen" if before else "undone_not_chosen"
            lines.append(self._text(reply, **({"project": before.name} if before else {})))
            focus = focus.choosing(done.left)
        summary = self._text("undone_summary", numbers=", ".join(changed or [lines[0]]))
        places = [*(change.project_id for change in done.changes), *(one.project_id for one in done.projects)]
        return RouteResult(
            side_effects=[self._notes.undoing(done, summary)],
            project_id=places[0] if places else done.left,
            focus=focus,
            text="\n".join([self._text("undone", changes="\n".join(lines)), *cannot]),
        )

    async def _nothing_to_undo(self, turn: Turn) -> RouteResult:
        """The last turn changed nothing; what was changed before it is named, for it stays as it is."""
        before = await self._notes.changed_last(turn.person.id, turn.session_id)
        told = [self._text("nothing_to_undo")]
        told += [self._text("changed_before", what="; ".join(before))] if before else []
        return self._answer(" ".join(told), None)

    def _project_undone(self, one: ProjectChange, name: str) -> Sequence[str]:
        """How a project stands again, in words."""
        told = []
        if one.name_before is not None:
            told.append(self._text("undone_renamed", before=name, project=one.name_before))
        if one.archived_before is not None:
            how = "created" if one.made else "archived" if one.archived_before else "restored"
            told.append(self._text(f"undone_{how}", project=one.name_before or name))
        return told

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
            spoken = await self._find(turn, intent)
            return spoken if isinstance(spoken, ProjectDetail) else await self._none(turn, None)
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

    def _listing(self, project: ProjectDetail, notes: Sequence[Note], said: str) -> RouteResult:
        return self._answer(which_note(self._prompts, notes, wishes(said)), project)

    def _still(self, project: ProjectDetail, waiting: Sequence[int]) -> list[str]:
        return [self._text("still_waiting", numbers=listed(waiting))] if waiting else []

    def _say(self, reply: str, project: ProjectDetail | None = None, /, **values: str) -> RouteResult:
        return self._answer(self._text(reply, **values), project)

    def _answer(self, text: str, project: ProjectDetail | None) -> RouteResult:
        return RouteResult(text=text, project_id=project.id if project else None)

    def _text(self, reply: str, /, **values: Any) -> str:
        return self._prompts.render(f"replies/{reply}", **values)


def placed(message: str, project: ProjectDetail, *, here: bool = False) -> bool:
    """The message says of the project that something is there: "Marathon's notes", "in Marathon".

    Where another one is spoken of already (`here`), only what can mean nothing but a project does: "the plan for
    marketing" may be that one's.
    """
    name = re.escape(project.name)
    there = rf"\b(?:in|of|from|for|under)\s+(?:the\s+)?(?P<project>project\s+)?(?P<name>{name})(?!\w)(?P<after>\s+project\b)?"
    whose = rf"(?<!\w)(?P<name>{name})['’]s?(?!\w)(?P<after>\s+(?:\w+\s+)?notes?\b)?(?P<project>)"
    found = [m for one in (there, whose) for m in re.finditer(one, message[:_READ], re.IGNORECASE)]
    written = project.name != project.name.lower()
    return any(
        not here or m["project"] or m["after"] or (written and m["name"] == project.name) for m in found
    )


def without_place(text: str, project: ProjectDetail) -> str:
    """What is told without the place it is for, where that stands before it: "for Lumen: the lease ends in August"."""
    place = rf"(?:(?:and|also|oh|so)\s+)*(?:for|in|on|about|of)\s+{re.escape(project.name)}\s*[:,–-]\s+"
    return (
        re.sub(place, "", text, count=1, flags=re.IGNORECASE)
        if re.match(place, text, re.IGNORECASE)
        else text
    )


def which_note(prompts: Prompts, notes: Sequence[Note], read: Wishes) -> str:
    """Which of these notes is meant, with what can be said then: what is saved can only be withdrawn."""
    withdraws = any(wish.state == "withdrawn" for wish in read.acts)
    kept = all(note.state == "saved" for note in notes)
    lines = [prompts.render("replies/note_line", number=str(note.number), text=note.text) for note in notes]
    return prompts.render(
        "replies/which_note",
        wish="withdraw" if withdraws or kept else "save",
        number=str(notes[0].number),
        notes="\n".join(lines),
    )


def _of_last(which: Which) -> bool:
    """It means the note, or those, just spoken of, and no others."""
    return which.it and not (
        which.numbers or which.all or which.both or which.waiting or which.last or which.but
    )


def shown(note: Note) -> str:
    """How a note stood when it was shown: what is agreed to is done to that, and to nothing else."""
    return f"{note.state} {note.changed_at.isoformat()} {sha256(note.text.encode()).hexdigest()[:16]}"


def shown_as(note: Note, *, there: bool = True) -> Shown:
    """A note by its number and what it says."""
    return Shown(key=str(note.number), names=(str(note.number),), text=quoted(note.text), there=there)


def quoted(text: str) -> str:
    """A note's text as it is shown before it is changed."""
    return text if len(text) <= MOST_QUOTED else f"{text[:MOST_QUOTED].rstrip()}…"
