"""The notes of a project, and their organised view."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request

from softrail import Person
from softrail.companion.plugin import Companion
from softrail.companion.routes.projects import ProjectId
from softrail.companion.routes.schemas import (
    GroupsPage,
    GroupView,
    JobView,
    NewNote,
    NoteChange,
    NoteView,
)
from softrail.plugin import BadRequest, Limit, Page, Parts, known_id, read_json, requests

Number = Annotated[int, Path(ge=1, le=2**53, description="The number of a note in this project.")]


def notes(parts: Parts, companion: Companion) -> APIRouter:
    """The routes of notes and groups."""
    router = parts.router("Notes", 403, 404, 413, 422)
    Asker = Annotated[Person, parts.person]  # noqa: N806 - a type, made here because it needs `parts`

    @router.get("/projects/{project_id}/notes", summary="The notes, by number")
    async def list_notes(
        project_id: ProjectId,
        person: Asker,
        after: Annotated[int, Query(ge=0, le=2**53, description="The number you have already.")] = 0,
        state: Annotated[
            list[Literal["waiting", "saved", "withdrawn"]] | None,
            Query(max_length=3, description="Omitted: waiting and saved ones."),
        ] = None,
        limit: Limit = 50,
    ) -> Page[NoteView]:
        found = await companion.notes.list(
            person.id,
            known_id(project_id),
            states=state if state is not None else ("waiting", "saved"),
            after=after,
            limit=limit + 1,
        )
        items = [NoteView.model_validate(note) for note in found[:limit]]
        return Page(items=items, next=str(items[-1].number) if len(found) > limit else None)

    @router.post(
        "/projects/{project_id}/notes",
        status_code=201,
        summary="Write a note",
        openapi_extra=requests(NewNote),
    )
    async def add_note(project_id: ProjectId, request: Request, person: Asker) -> NoteView:
        """A note of your own; it is saved at once."""
        body = await read_json(request, NewNote, parts.body_limit)
        return NoteView.model_validate(await companion.notes.add(person.id, known_id(project_id), body.text))

    @router.patch(
        "/projects/{project_id}/notes/{number}",
        summary="Confirm, edit, withdraw or move a note",
        openapi_extra=requests(NoteChange),
    )
    async def change_note(project_id: ProjectId, number: Number, request: Request, person: Asker) -> NoteView:
        """With `project_id` the note moves: the answer is the note as it stands there, with its new number."""
        body = await read_json(request, NoteChange, parts.body_limit)
        here = known_id(project_id)
        if not body.model_fields_set & {"text", "state", "project_id"}:
            raise BadRequest("Say what is to change: text, state or project_id.", field="text")
        if body.project_id is not None:
            if body.text is not None or body.state is not None:
                raise BadRequest("A note is moved as it is: send project_id alone.", field="project_id")
            moved = await companion.notes.move(person.id, here, number, known_id(body.project_id))
            return NoteView.model_validate(moved)
        changed = await companion.notes.change(person.id, here, number, text=body.text, state=body.state)
        return NoteView.model_validate(changed)

    @router.post("/projects/{project_id}/organise", status_code=202, summary="Have the notes organised")
    async def organise(project_id: ProjectId, person: Asker) -> JobView:
        """Begins a job in the background; while one is under way, that one is the answer."""
        job = await companion.groups.organise(person.id, known_id(project_id))
        parts.dispatcher.nudge()
        return JobView.model_validate(job)

    @router.get("/projects/{project_id}/groups", summary="The notes, organised")
    async def list_groups(project_id: ProjectId, person: Asker) -> GroupsPage:
        found = await companion.groups.list(person.id, known_id(project_id))
        return GroupsPage(
            items=[GroupView.model_validate(group) for group in found.groups],
            made_at=found.made_at,
            up_to=found.up_to,
        )

    @router.get("/projects/{project_id}/jobs", summary="What runs for it in the background")
    async def list_jobs(project_id: ProjectId, person: Asker, limit: Limit = 50) -> Page[JobView]:
        found = await companion.jobs.list(person.id, known_id(project_id), limit=limit)
        return Page(items=[JobView.model_validate(job) for job in found])

    return router
