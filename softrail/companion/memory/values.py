"""What the companion keeps, as its services answer it: projects, members, notes, groups, artifacts, jobs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from softrail import Project

Role = Literal["owner", "member", "viewer"]
NoteState = Literal["waiting", "saved", "withdrawn"]
AuthorKind = Literal["person", "companion"]
JobState = Literal["waiting", "running", "done", "failed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ProjectDetail:
    """A project with all that describes it, as one of its people sees it."""

    id: str
    name: str
    description: str = ""
    repository: str | None = None
    main: bool = False  #: the main project of the person who asks
    role: Role = "member"  #: of the person who asks
    archived: bool = False  #: it was put aside, or nobody owns it any more: it may only be read
    seed: Mapping[str, Any] = field(default_factory=dict)  #: what was told when it was described
    created_at: datetime
    content_version: int = 1  #: rises with every change of its notes, groups or seed

    @property
    def project(self) -> Project:
        """The same, as processes know projects."""
        return Project(
            id=self.id,
            name=self.name,
            description=self.description,
            repository=self.repository,
            main=self.main,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class ProjectWish:
    """What is to become of a project: another name, put aside (True) or brought back (False); None: that stays."""

    name: str | None = None
    archived: bool | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class NewProject:
    """A project to be created, with its specification and first notes, all at once."""

    id: str  #: chosen by the caller, so that a turn that runs again makes the same one
    name: str
    description: str = ""
    repository: str | None = None
    main: bool = False
    seed: Mapping[str, Any] = field(default_factory=dict)
    specification: str | None = None  #: Markdown; becomes an artifact of type `specification`
    notes: Sequence[str] = ()  #: saved at once, in this order


@dataclass(frozen=True, kw_only=True, slots=True)
class Member:
    """Someone who is in a project."""

    email: str
    display_name: str | None
    role: Role
    since: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Author:
    """Who a note is by."""

    kind: AuthorKind
    name: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Note:
    """One thing a project knows; `number` is 1, 2, 3 … within its project."""

    number: int
    text: str
    state: NoteState
    author: Author
    created_at: datetime
    changed_at: datetime
    turn_id: str | None = None  #: the turn it was told in
    mine: bool = False  #: the person who asks told it
    told_by: str | None = None  #: the name of whoever else told it; None where nobody knows any more


@dataclass(frozen=True, kw_only=True, slots=True)
class Spoken:
    """Notes of one project that a session spoke of: it made or changed them in one turn."""

    project_id: str
    notes: Sequence[Note]  #: those the person told themselves, in order of number
    just: bool  #: it was the turn before this one
    told: bool  #: it made them


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiting:
    """A note that waits, with its project."""

    project_id: str
    note: Note
    here: bool  #: it was told in the session that was asked for


@dataclass(frozen=True, kw_only=True, slots=True)
class NoteCounts:
    """How many notes of a project stand in which state."""

    waiting: int = 0
    saved: int = 0
    withdrawn: int = 0

    @property
    def kept(self) -> int:
        """Saved and waiting ones."""
        return self.waiting + self.saved


@dataclass(frozen=True, kw_only=True, slots=True)
class Group:
    """Notes that belong together."""

    label: str
    rationale: str
    summary: str
    count: int  #: how many notes it has
    numbers: Sequence[int] = ()  #: of its notes; empty where only the labels were asked for


@dataclass(frozen=True, kw_only=True, slots=True)
class Organised:
    """The organised view of a project: the largest group first."""

    groups: Sequence[Group] = ()
    made_at: datetime | None = None  #: None: it was never made
    up_to: int = 0  #: the newest note it has seen; later ones stand outside


@dataclass(frozen=True, kw_only=True, slots=True)
class Artifact:
    """A file of a project."""

    id: str
    project_id: str
    title: str
    type: str
    file_name: str  #: safe to save under, on every system
    media_type: str
    size: int
    sha256: str
    made_by: Author
    created_at: datetime

    @property
    def href(self) -> str:
        """Where it is downloaded."""
        return f"/artifacts/{self.id}/download"


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """Something that runs in the background."""

    id: str
    kind: str  #: for now always `organise`
    state: JobState
    project_id: str
    progress: float  #: 0 to 1
    error: str | None = None  #: a sentence for the person
    created_at: datetime
    changed_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Matter:
    """One thing that runs, waits for the person, or has happened."""

    kind: str  #: job, waiting_note, question, approval, failed_job, paused_process, artifact, note, project
    title: str
    at: datetime
    project_id: str | None = None
    ref: str | None = None  #: a note's number, an address to download, the id of a session


@dataclass(frozen=True, kw_only=True, slots=True)
class DashboardView:
    """What runs now, what needs the person, what has happened lately: each newest first."""

    active: Sequence[Matter] = ()
    needs_you: Sequence[Matter] = ()
    recent: Sequence[Matter] = ()
    waiting_notes: int = 0  #: all of them; `needs_you` shows the newest


def listed(numbers: Sequence[int]) -> str:
    """Numbers of notes in a row: "#3, #4"."""
    return ", ".join(f"#{number}" for number in numbers)
