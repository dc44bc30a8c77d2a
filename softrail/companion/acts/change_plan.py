"""What one message is to do with projects and notes, as a value: as it is shown, agreed to and carried out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from softrail import Shown
from softrail.companion.acts.saving import shown, shown_as
from softrail.companion.memory.values import Note, NoteState, ProjectDetail, ProjectWish


@dataclass(frozen=True, kw_only=True, slots=True)
class NoteTo:
    """What is to become of a note."""

    note: Note
    state: NoteState | None = None
    text: str | None = None
    emptied: bool = False  #: it is to say nothing, which may be no wish to withdraw it

    @property
    def changes(self) -> bool:
        """It is not so already."""
        return self.state not in (None, self.note.state) or self.text not in (None, self.note.text)


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """Everything that one message is to do."""

    projects: Sequence[tuple[ProjectDetail, ProjectWish]] = ()
    notes: Sequence[NoteTo] = ()
    of: ProjectDetail | None = None  #: whose notes
    chosen: ProjectDetail | None = None  #: what is gone on with afterwards
    missing: Sequence[int] = field(default=())  #: numbers that no note has

    @property
    def asks(self) -> bool:
        """It takes something away or does more than one thing."""
        away = any(wish.archived for _, wish in self.projects)
        doubtful = any(wish.name is not None and not _is_a_name(wish.name) for _, wish in self.projects)
        doubtful = doubtful or any(one.emptied for one in self.notes)
        return away or doubtful or bool(self.missing) or len(self.projects) + len(self.notes) > 1

    @property
    def empty(self) -> bool:
        """There is nothing to do."""
        return not (self.projects or self.notes or self.chosen)


def called(plan: Plan, project: ProjectDetail) -> str:
    """What the project is called once the plan is carried out."""
    names = [wish.name for one, wish in plan.projects if one.id == project.id and wish.name]
    return names[0] if names else project.name


def shows(plan: Plan) -> Sequence[Shown]:
    """What the plan changes, each by its name or number; a choice of what to go on with is none of it."""
    projects = [Shown(key=project.id, names=(project.name,)) for project, _ in plan.projects]
    return [*(shown_as(one.note) for one in plan.notes), *projects]


def only(plan: Plan, kept: Sequence[str]) -> Plan:
    """The same for what has one of these keys alone."""
    return replace(
        plan,
        projects=[one for one in plan.projects if one[0].id in kept],
        notes=[one for one in plan.notes if str(one.note.number) in kept],
    )


def differs(project: ProjectDetail, wish: ProjectWish) -> bool:
    """The project does not stand so already."""
    return wish.name not in (None, project.name) or wish.archived not in (None, project.archived)


def agreement(plan: Plan) -> Mapping[str, Any]:
    """The plan as it was shown, to be agreed to."""
    return {
        "chosen": plan.chosen.id if plan.chosen else None,
        "of": plan.of.id if plan.of else None,
        "projects": [
            {
                "id": project.id,
                "name": wish.name,
                "archived": wish.archived,
                "shown": [project.name, project.archived],
            }
            for project, wish in plan.projects
        ],
        "notes": [
            {"number": one.note.number, "state": one.state, "text": one.text, "shown": shown(one.note)}
            for one in plan.notes
        ],
    }


def _is_a_name(name: str) -> bool:
    """One word, or every word begins as names do; "Green Bay once the board agrees" may say more than a name."""
    words = name.split()
    return len(words) == 1 or not any(word[0].islower() for word in words)
