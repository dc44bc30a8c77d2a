"""Every route about projects, every role in them: who may do what. Those outside are in `tests/security`."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from softrail.companion.memory.values import Role
from softrail.store import SqlStore
from tests.integration.api_server import Served, served
from tests.integration.companion_server import assistant, founded, headers, memory, person

ROLES = ("owner", "member", "viewer", "former", "stranger")
#: Bodies that a route takes, so that rights decide and not the shape of what is sent.
BODIES: dict[str, dict[str, Any]] = {
    "POST /projects/{project_id}/members": {"json": {"email": "new@example.org", "role": "viewer"}},
    "POST /projects/{project_id}/notes": {"json": {"text": "a note"}},
    "PATCH /projects/{project_id}": {"json": {"name": "Another"}},
    "PATCH /projects/{project_id}/notes/{number}": {"json": {"text": "changed"}},
    "POST /projects/{project_id}/artifacts": {
        "files": {"file": ("a.txt", b"content")},
        "data": {"title": "A", "type": "plan"},
    },
    "POST /projects/{project_id}/organise": {},
}
OWNER_ONLY = {
    "POST /projects/{project_id}/members",
    "DELETE /projects/{project_id}/members/{email}",
    "DELETE /projects/{project_id}",
}
#: Afterwards nothing is left that others could ask for.
ERASING = {"DELETE /projects/{project_id}/notes/{number}", "DELETE /artifacts/{artifact_id}"}


class Place(NamedTuple):
    """A server with one project and what is in it."""

    server: Served
    project: str
    artifact: str


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with served(store=memory()) as server:
        yield asyncio.run(_furnished(server))


async def _furnished(server: Served) -> Place:
    store = server.dispatcher.store
    assert isinstance(store, SqlStore)
    people = {role: await person(store, role) for role in ROLES}
    project = await founded(store, people["owner"], specification="# Spec", notes=["one"])
    services = assistant(server)
    given: Role
    for role in ("member", "viewer", "former"):
        given = "viewer" if role == "viewer" else "member"
        await services.projects.add_member(people["owner"].id, project, people[role].email, given)
    await services.projects.remove_member(people["owner"].id, project, people["former"].email)
    [artifact] = await services.artifacts.list(people["owner"].id, project)
    return Place(server, project, artifact.id)


def routes() -> list[tuple[str, str]]:
    """Every route that names a project or a file, as the OpenAPI document lists them."""
    with served(store=memory()) as server:
        document = server.client.get("/openapi.json").json()
    paths = document["paths"]
    found = [
        (method.upper(), path)
        for path, methods in paths.items()
        for method in methods
        if "{project_id}" in path or "{artifact_id}" in path
    ]
    assert len(found) >= 13
    return found


ROUTES = routes()
IDS_OF_ROUTES = [" ".join(route) for route in ROUTES]


def asked(place: Place, method: str, path: str, who: str, *, project: str, artifact: str) -> Any:
    url = path.format(project_id=project, artifact_id=artifact, number=1, email="viewer@example.org")
    body = BODIES.get(f"{method} {path}", {})
    return place.server.client.request(method, url, headers=headers(who), **body)


def told(response: Any) -> tuple[int, bytes, list[tuple[str, str]]]:
    """All of an answer that a client can see."""
    return response.status_code, response.content, sorted(response.headers.items())


@pytest.mark.parametrize(("method", "path"), ROUTES, ids=IDS_OF_ROUTES)
def test_a_viewer_reads_everything_and_changes_nothing(place: Place, method: str, path: str) -> None:
    before = asked(place, "GET", "/projects/{project_id}/notes", "owner", project=place.project, artifact="")
    if path.endswith("/members/{email}"):
        path = path.replace("{email}", "member@example.org")  # leaving oneself is another matter

    answer = asked(place, method, path, "viewer", project=place.project, artifact=place.artifact)

    assert answer.status_code == (200 if method == "GET" else 403)
    if method != "GET":
        assert answer.json()["error"]["code"] == "forbidden"
    after = asked(place, "GET", "/projects/{project_id}/notes", "owner", project=place.project, artifact="")
    assert after.content == before.content


@pytest.mark.parametrize(("method", "path"), ROUTES, ids=IDS_OF_ROUTES)
def test_a_member_does_everything_but_say_who_is_in_it(place: Place, method: str, path: str) -> None:
    if f"{method} {path}" in ERASING:
        with served(store=memory()) as server:
            place = asyncio.run(_furnished(server))
            answer = asked(place, method, path, "member", project=place.project, artifact=place.artifact)
        assert answer.status_code == 204
        return
    answer = asked(place, method, path, "member", project=place.project, artifact=place.artifact)

    assert answer.status_code == (403 if f"{method} {path}" in OWNER_ONLY else answer.status_code)
    assert answer.status_code in (200, 201, 202, 403)


def test_lists_over_all_projects_hold_nothing_of_others(place: Place) -> None:
    client = place.server.client
    assert client.get("/projects", headers=headers("stranger")).json()["items"] == []
    empty = {"active": [], "needs_you": [], "recent": [], "waiting_notes": 0}
    assert client.get("/me/dashboard", headers=headers("stranger")).json() == empty
    assert [p["role"] for p in client.get("/projects", headers=headers("viewer")).json()["items"]] == [
        "viewer"
    ]


def test_turns_of_a_project_are_each_persons_own(place: Place) -> None:
    client = place.server.client
    for who in ("owner", "member"):
        body = {"message": f"hello from {who}", "project_id": place.project}
        assert client.post("/converse", json=body, headers=headers(who)).status_code == 200
    client.post("/converse", json={"message": "about nothing"}, headers=headers("owner"))

    items = client.get(f"/projects/{place.project}/turns", headers=headers("owner")).json()["items"]

    assert [item["content"] for item in items if item["role"] == "operator"] == ["hello from owner"]
    assert {item["project_id"] for item in items} == {place.project}


def test_the_last_owner_stays_and_everyone_may_leave(place: Place) -> None:
    client, owner = place.server.client, headers("owner")
    members = f"/projects/{place.project}/members"
    assert client.delete(f"{members}/owner@example.org", headers=owner).status_code == 422
    demoted = client.post(members, json={"email": "owner@example.org", "role": "viewer"}, headers=owner)
    assert demoted.status_code == 422

    client.post(members, json={"email": "leaver@example.org", "role": "viewer"}, headers=owner)
    assert client.delete(f"{members}/Leaver@Example.org", headers=headers("leaver")).status_code == 204
    assert client.get(members, headers=headers("leaver")).status_code == 404


def test_every_route_of_the_companion_is_on_its_page_and_nothing_else() -> None:
    reference = Path(__file__).parents[2] / "docs" / "reference"
    page = (reference / "projects.md").read_text(encoding="utf-8")
    of_plans = re.findall(
        r"`((?:GET|POST|DELETE) /[^`]+)` \|", (reference / "plans.md").read_text(encoding="utf-8")
    )
    with served(store=memory()) as server:
        whole = server.client.get("/openapi.json").json()["paths"]
    with served() as server:
        bare = server.client.get("/openapi.json").json()["paths"]
    added = {f"{m.upper()} {path}" for path in whole.keys() - bare.keys() for m in whole[path]}

    mine = re.findall(r"^### `([^`]+)`", page, re.MULTILINE)
    others = {route.replace("{id}", "{session_id}") for route in of_plans}
    assert others
    assert sorted(mine) == sorted(added - others)


def test_every_body_in_the_openapi_document_has_an_example() -> None:
    with served(store=memory()) as server:
        document = server.client.get("/openapi.json").json()
    paths, named = document["paths"], document["components"]["schemas"]
    for name in BODIES:
        method, path = name.split()
        body = paths[path][method.lower()].get("requestBody")
        if body is not None:
            [content] = body["content"].values()
            schema = named.get(content["schema"].get("$ref", "").rpartition("/")[2], content["schema"])
            assert content.get("example") or schema.get("examples"), name
