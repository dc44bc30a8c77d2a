"""What goes in and out over HTTP about projects; the OpenAPI document is made from these."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

from softrail.plugin import NOT_NULL

_NOTE: dict[str, Any] = {"text": "The schedule depends on the type of soil."}


class _Described(BaseModel):
    """A model of the document, built when it is first used: most are not before somebody asks for it."""

    model_config = ConfigDict(defer_build=True)


class ProjectView(_Described):
    """A project you are in."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    name: str = Field(examples=["Blue Harbor"])
    description: str
    repository: str | None
    main: bool = Field(description="Whether it is your main project.")
    role: Literal["owner", "member", "viewer"] = Field(description="What you are in it.")
    archived: bool = Field(description="It was archived, or nobody owns it any more: it may only be read.")
    created_at: datetime


class ProjectPage(ProjectView):
    """A project with what was told when it was described."""

    seed: dict[str, Any]


class ProjectChange(_Described):
    """What is to become of a project; what is left out stays."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"name": "Green Bay"}, {"archived": True}]}
    )

    name: Annotated[str | SkipJsonSchema[None], NOT_NULL] = Field(default=None, min_length=1, max_length=200)
    archived: Annotated[bool | SkipJsonSchema[None], NOT_NULL] = Field(
        default=None, description="True: it may only be read, until it is brought back (false)."
    )


class MemberView(_Described):
    """Someone who is in a project."""

    model_config = ConfigDict(from_attributes=True)

    email: str = Field(examples=["ada@example.org"])
    display_name: str | None
    role: Literal["owner", "member", "viewer"]
    since: datetime


class NewMember(_Described):
    """Someone to take in, or whose role is to change."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"email": "ada@example.org", "role": "member"}]}
    )

    email: str = Field(max_length=254)
    role: Literal["owner", "member", "viewer"] = "member"


class AuthorView(_Described):
    """Who something is by."""

    model_config = ConfigDict(from_attributes=True)

    kind: Literal["person", "companion"]
    name: str


class NoteView(_Described):
    """A note; its number is its own within the project for ever."""

    model_config = ConfigDict(from_attributes=True)

    number: int
    text: str
    state: Literal["waiting", "saved", "withdrawn"]
    author: AuthorView
    created_at: datetime
    turn_id: str | None = Field(description="The turn you told it in; null for anyone else.")


class NewNote(_Described):
    """A note to write down."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [_NOTE]})

    text: str = Field(min_length=1, max_length=16_000)


class NoteChange(_Described):
    """What is to become of a note; what is left out stays."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"state": "saved"}, _NOTE]},
    )

    text: Annotated[str | SkipJsonSchema[None], NOT_NULL] = Field(
        default=None, min_length=1, max_length=16_000
    )
    state: Annotated[Literal["waiting", "saved", "withdrawn"] | SkipJsonSchema[None], NOT_NULL] = None
    project_id: Annotated[str | SkipJsonSchema[None], NOT_NULL] = Field(
        default=None,
        json_schema_extra={"format": "uuid"},
        description="Another project of yours: the note gets the next number there, and is withdrawn here.",
    )


class GroupView(_Described):
    """Notes that belong together."""

    model_config = ConfigDict(from_attributes=True)

    label: str = Field(examples=["Soil, irrigation"])
    rationale: str
    summary: str
    count: int
    numbers: list[int] = Field(description="Of its notes.")


class GroupsPage(_Described):
    """The organised view, the largest group first."""

    items: list[GroupView]
    next: str | None = None
    made_at: datetime | None = Field(description="Null: the notes were never organised.")
    up_to: int = Field(description="The newest note it has seen.")


class JobView(_Described):
    """Something that runs in the background."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    kind: str = Field(examples=["organise"])
    state: Literal["waiting", "running", "done", "failed"]
    project_id: str
    progress: float = Field(ge=0, le=1)
    error: str | None
    created_at: datetime
    changed_at: datetime


class ArtifactView(_Described):
    """A file of a project."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    project_id: str
    title: str = Field(examples=["Harbor plan"])
    type: str = Field(examples=["specification"])
    file_name: str
    media_type: str
    size: int
    sha256: str
    made_by: AuthorView
    created_at: datetime
    href: str = Field(description="Where it is downloaded.")


class MatterView(_Described):
    """One thing that runs, waits for you, or has happened."""

    model_config = ConfigDict(from_attributes=True)

    kind: Literal[
        "job",
        "waiting_note",
        "question",
        "approval",
        "failed_job",
        "paused_process",
        "artifact",
        "note",
        "project",
    ]
    title: str
    at: datetime
    project_id: str | None
    ref: str | None = Field(description="A note's number, where to download, or the id of what it is about.")


class DashboardPage(_Described):
    """What runs now, what needs you, what has happened lately; each newest first."""

    model_config = ConfigDict(from_attributes=True)

    active: list[MatterView]
    needs_you: list[MatterView]
    recent: list[MatterView]
    waiting_notes: int = Field(description="How many notes wait for you in all.")


#: What an upload carries; it is read piece by piece, so FastAPI does not describe it.
UPLOAD: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file", "title", "type"],
                    "properties": {
                        "file": {"type": "string", "format": "binary"},
                        "title": {"type": "string", "minLength": 1, "maxLength": 200},
                        "type": {"type": "string", "minLength": 1, "maxLength": 60},
                    },
                },
                "example": {"file": "(the file)", "title": "Harbor plan", "type": "plan"},
            }
        },
    }
}
