"""A person's projects: which they are, who is in them, what was said about them, and the dashboard."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import AwareDatetime

from softrail import Person
from softrail.companion.plugin import Companion
from softrail.companion.routes.schemas import (
    DashboardPage,
    MemberView,
    NewMember,
    ProjectChange,
    ProjectPage,
    ProjectView,
)
from softrail.plugin import (
    Limit,
    NotFound,
    Page,
    Parts,
    TurnItem,
    item_view,
    known_id,
    read_json,
    requests,
)

ProjectId = Annotated[str, Path(description="The id of a project you are in.")]


def projects(parts: Parts, companion: Companion) -> APIRouter:
    """The routes of projects."""
    router = parts.router("Projects", 403, 404, 413, 422)
    Asker = Annotated[Person, parts.person]  # noqa: N806 - a type, made here because it needs `parts`

    @router.get("/projects", summary="The projects you are in, oldest first")
    async def list_projects(person: Asker) -> Page[ProjectView]:
        found = await companion.projects.details(person.id)
        return Page(items=[ProjectView.model_validate(one) for one in found])

    @router.get("/projects/{project_id}", summary="One project")
    async def get_project(project_id: ProjectId, person: Asker) -> ProjectPage:
        found = await companion.projects.detail(person.id, known_id(project_id))
        if found is None:
            raise NotFound()
        return ProjectPage.model_validate(found)

    @router.patch(
        "/projects/{project_id}",
        summary="Rename a project, archive it or bring it back",
        openapi_extra=requests(ProjectChange),
    )
    async def change_project(project_id: ProjectId, request: Request, person: Asker) -> ProjectView:
        """A member may rename it, an owner archive it. What is archived may only be read until it is brought back."""
        body = await read_json(request, ProjectChange, parts.body_limit)
        found = await companion.projects.change(
            person.id, known_id(project_id), name=body.name, archived=body.archived
        )
        return ProjectView.model_validate(found)

    @router.delete("/projects/{project_id}", status_code=204, summary="Erase a project")
    async def erase_project(project_id: ProjectId, person: Asker) -> Response:
        """For owners. Erases it with its notes, groups and files, for everybody in it. It cannot be undone."""
        await companion.projects.erase(person.id, known_id(project_id))
        parts.dispatcher.nudge()
        return Response(status_code=204)

    @router.get("/projects/{project_id}/members", summary="Who is in it")
    async def list_members(project_id: ProjectId, person: Asker) -> Page[MemberView]:
        found = await companion.projects.members(person.id, known_id(project_id))
        return Page(items=[MemberView.model_validate(one) for one in found])

    @router.post(
        "/projects/{project_id}/members",
        status_code=201,
        summary="Take someone in, or change their role",
        openapi_extra=requests(NewMember),
    )
    async def add_member(project_id: ProjectId, request: Request, person: Asker) -> MemberView:
        """For owners. Someone whose address was never seen can sign in with it later."""
        body = await read_json(request, NewMember, parts.body_limit)
        added = await companion.projects.add_member(person.id, known_id(project_id), body.email, body.role)
        return MemberView.model_validate(added)

    @router.delete("/projects/{project_id}/members/{email}", status_code=204, summary="Let someone go")
    async def remove_member(project_id: ProjectId, email: str, person: Asker) -> Response:
        """For owners; everyone may leave by their own address. The last owner cannot go."""
        await companion.projects.remove_member(person.id, known_id(project_id), email)
        return Response(status_code=204)

    @router.get("/projects/{project_id}/turns", summary="What you have said about it, over all sessions")
    async def list_turns(
        project_id: ProjectId,
        person: Asker,
        after: Annotated[int, Query(ge=0, le=2**31, description="`next` of the page before.")] = 0,
        limit: Limit = 50,
    ) -> Page[TurnItem]:
        """Your own turns and their answers, in order of time; nobody else sees them, and you see nobody else's."""
        if await companion.projects.role(person.id, known_id(project_id)) is None:
            raise NotFound()
        found = await parts.store.items(person.id, project_id=project_id, after=after, limit=limit + 1)
        items = [item_view(item) for item in found[:limit]]
        return Page(items=items, next=str(after + limit) if len(found) > limit else None)

    @router.get("/me/dashboard", summary="What runs, what needs you, what has happened lately")
    async def dashboard(
        person: Asker,
        since: Annotated[
            AwareDatetime | None, Query(description="How far back `recent` goes; omitted: seven days.")
        ] = None,
    ) -> DashboardPage:
        return DashboardPage.model_validate(await companion.dashboard.of_person(person.id, since=since))

    return router
