"""Every route with every id, made from the OpenAPI document: what is not yours answers like what does not exist."""

import asyncio
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from softrail.core.clock import now
from softrail.core.commits import AccessKey
from softrail.plans.data.files import Files
from softrail.plans.records import facts_of, keep_fact
from softrail.plans.values import Made
from softrail.store import SqlStore
from tests.integration.api_server import Served
from tests.integration.companion_server import assistant, founded, headers, person
from tests.security.kit import companion_server, new_id
from tests.security.routes import GIVEN, OWNED, Route, routes

PEOPLE = ("owner", "member", "viewer", "former", "stranger")
#: Nobody's, however asked for: they say nothing about anyone.
OPEN = {"GET /healthz", "GET /readyz"}
WITH_IDS = [route for route in routes() if route.owned]
#: A session is one person's; a project and its files are also those of its members.
OUTSIDE = {
    place: ("member", "viewer", "former", "stranger")
    if place in ("session_id", "attachment_id", "instance_id", "source_id", "file_id", "fact_id")
    else ("former", "stranger")
    for place in OWNED
}
CHOSEN = {
    "project_id": "project",
    "session_id": "session",
    "artifact_id": "artifact",
    "attachment_id": "attachment",
    "instance_id": "instance",
    "source_id": "source",
    "file_id": "file",
    "fact_id": "fact",
}


class Place(NamedTuple):
    """A server with one project, one file, one session of its owner about it with a file, and one run of a process."""

    server: Served
    project: str
    artifact: str
    session: str
    attachment: str
    instance: str
    source: str  #: attached to it
    file: str  #: made of that
    fact: str  #: a table that was found in it


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with companion_server() as server:
        project, artifact = asyncio.run(_furnished(server))
        body = {"message": "hello", "project_id": project, "turn_id": GIVEN["turn_id"]}
        said = server.client.post("/converse", json=body, headers=headers("owner")).json()
        files = {"file": ("secret.txt", b"secret")}
        path = f"/sessions/{said['session_id']}/attachments"
        attachment = server.client.post(path, files=files, headers=headers("owner")).json()["id"]
        standup = server.client.post(
            "/converse", json={"message": "let's do my standup"}, headers=headers("owner")
        )
        instance = standup.json()["process"]["instance_id"]
        data = {"file": ("sales.csv", b"region,revenue\nNorth,1\n")}
        path, name = f"/sessions/{said['session_id']}/sources", {"name": "sales.csv"}
        source = server.client.post(path, files=data, data=name, headers=headers("owner")).json()["id"]
        session = said["session_id"]
        file, fact = asyncio.run(_drawn(server, session)), asyncio.run(_found(server, session))
        yield Place(server, project, artifact, session, attachment, instance, source, file, fact)


async def _drawn(server: Served, session_id: str) -> str:
    """The id of a file that a step has made in a session of the owner."""
    store = server.dispatcher.store
    assert isinstance(store, SqlStore)
    owner = await person(store, "owner")
    href = await Files(store, None).keep(session_id, owner.id, "chart", "svg", b"<svg/>")
    return href.rpartition("/")[2]


async def _found(server: Served, session_id: str) -> str:
    """The id of a fact that a step has found in a session of the owner: a table, which can be taken whole."""
    store = server.dispatcher.store
    assert isinstance(store, SqlStore)
    owner = await person(store, "owner")
    made = Made(value={"columns": [{"name": "secret"}], "rows": [["1"]]}, unit="", type="data")

    def keep(conn: Any) -> str:
        whose = {"session_id": session_id, "person_id": owner.id}
        keep_fact(conn, made, name="secret", root="r", source="query", inputs={}, only_of_plan=False, **whose)
        [fact] = facts_of(conn, session_id)
        return fact.id

    return await store.write(keep)


async def _furnished(server: Served) -> tuple[str, str]:
    store, services = server.dispatcher.store, assistant(server)
    assert isinstance(store, SqlStore)
    people = {name: await person(store, name) for name in PEOPLE}
    owner = people["owner"].id
    project = await founded(store, people["owner"], specification="# Spec", notes=["one"])
    for name in ("member", "viewer", "former"):
        role: Any = "viewer" if name == "viewer" else "member"
        await services.projects.add_member(owner, project, people[name].email, role)
    await services.projects.remove_member(owner, project, people["former"].email)
    [artifact] = await services.artifacts.list(owner, project)
    return project, artifact.id


def told(response: Any) -> tuple[int, bytes, tuple[tuple[str, str], ...]]:
    """All of an answer that a client can see, but its time and its own number."""
    seen = {k: v for k, v in response.headers.items() if k not in ("date", "x-request-id")}
    return response.status_code, response.content, tuple(sorted(seen.items()))


def ask(place: Place, route: Route, who: str, **ids: str) -> Any:
    return place.server.client.request(route.method, route.url(**ids), headers=headers(who), **route.body)


def of_the_owner(place: Place) -> list[bytes]:
    """All that the owner has, as they see it."""
    notes = "notes?state=waiting&state=saved&state=withdrawn"
    paths = [f"/projects/{place.project}/{p}" for p in ("members", notes, "artifacts")]
    here = f"/sessions/{place.session}"
    paths += ["/projects", "/me", f"{here}/turns", f"{here}/attachments"]
    paths += [
        f"{here}/attachments/{place.attachment}/download",
        f"{here}/sources",
        f"{here}/artifacts/{place.file}",
        f"{here}/facts/{place.fact}.csv",
    ]
    return [place.server.client.get(path, headers=headers("owner")).content for path in paths]


@pytest.fixture(scope="module")
def owned(place: Place) -> list[bytes]:
    """The same as it is at first: no test here may change it."""
    return of_the_owner(place)


def test_every_place_in_a_path_is_known_here_and_every_body_has_an_example() -> None:
    places = {place for route in routes() for place in route.places}
    assert places == OWNED | GIVEN.keys()
    assert [str(r) for r in routes() if "application/json" in r.content and r.example is None] == []
    assert len(WITH_IDS) >= 20


@pytest.mark.parametrize(
    ("route", "who"),
    [pytest.param(route, who, id=f"{route} {who}") for route in WITH_IDS for who in OUTSIDE[route.owned[0]]],
)
def test_what_is_not_yours_answers_byte_for_byte_like_what_does_not_exist(
    place: Place, owned: list[bytes], route: Route, who: str
) -> None:
    real = {name: getattr(place, CHOSEN[name]) for name in route.owned}

    theirs = ask(place, route, who, **real)

    assert theirs.status_code == 404
    for other in (new_id(), "no-such-thing", "%00", "x" * 500):
        nowhere = ask(place, route, who, **dict.fromkeys(route.owned, other))
        assert told(nowhere) == told(theirs), other
    assert of_the_owner(place) == owned


@pytest.mark.parametrize("path", ["/converse", "/converse/stream"])
@pytest.mark.parametrize(
    ("field", "who"), [(field, who) for field in ("session_id", "project_id") for who in OUTSIDE[field]]
)
def test_an_id_in_the_body_of_a_turn_is_no_key_to_it(place: Place, path: str, field: str, who: str) -> None:
    before, client = of_the_owner(place), place.server.client
    body = {"message": "hello", "turn_id": f"{who}-{field}-{path}"}

    answers = [
        client.post(path, json={**body, field: given}, headers=headers(who))
        for given in (getattr(place, CHOSEN[field]), new_id())
    ]

    assert told(answers[0]) == told(answers[1])
    assert answers[0].status_code == 404
    assert of_the_owner(place) == before
    sessions = client.get("/sessions", headers=headers(who)).json()["items"]
    assert client.post(path, json=body, headers=headers(who)).status_code == 200, "its id was not used up"
    assert len(client.get("/sessions", headers=headers(who)).json()["items"]) == len(sessions) + 1


@pytest.mark.parametrize("route", [pytest.param(route, id=str(route)) for route in routes()])
def test_nobody_gets_in_without_a_key_once_there_is_one(keyed: Served, route: Route) -> None:
    ids = dict.fromkeys(route.owned, new_id())
    answer = keyed.client.request(route.method, route.url(**ids), headers=headers("owner"), **route.body)

    assert answer.status_code == (200 if str(route) in OPEN else 401)


@pytest.fixture(scope="module")
def keyed() -> Iterator[Served]:
    """A server for which an access key was made, and nobody here has it."""

    async def give() -> None:
        store = server.dispatcher.store
        ada = await store.ensure_person("ada@example.org", id=new_id(), at=now())
        await store.add_key(
            AccessKey(id=new_id(), person_id=ada.id, name="k", hash="0" * 64, created_at=now())
        )

    with companion_server() as server:
        asyncio.run(give())
        yield server


# -- S13: ids of others in every other place


@pytest.mark.parametrize("path", ["/converse", "/converse/stream"])
@pytest.mark.parametrize("who", ["member", "stranger"])
def test_a_file_in_the_body_of_a_turn_is_taken_from_ones_own_session_alone(
    place: Place, path: str, who: str
) -> None:
    before, client = of_the_owner(place), place.server.client
    mine = client.post("/sessions", json={}, headers=headers(who)).json()["id"]
    for session in (mine, place.session):
        theirs, nowhere = (
            client.post(path, json={"session_id": session, "attachments": [one]}, headers=headers(who))
            for one in (place.attachment, new_id())
        )
        assert told(theirs) == told(nowhere)
        assert theirs.status_code == 404
    assert client.get(f"/sessions/{mine}/turns", headers=headers(who)).json()["items"] == []
    assert of_the_owner(place) == before


def test_a_file_of_others_is_reached_through_no_session_of_ones_own(place: Place) -> None:
    before, client = of_the_owner(place), place.server.client
    mine = client.post("/sessions", json={}, headers=headers("stranger")).json()["id"]
    for method, more in (("GET", "/download"), ("DELETE", "")):
        theirs, nowhere = (
            client.request(method, f"/sessions/{mine}/attachments/{one}{more}", headers=headers("stranger"))
            for one in (place.attachment, new_id())
        )
        assert told(theirs) == told(nowhere)
        assert theirs.status_code == 404
    theirs, nowhere = (
        client.get(f"/sessions/{mine}/attachments", params={"before": one}, headers=headers("stranger"))
        for one in (place.attachment, new_id())
    )
    assert told(theirs) == told(nowhere)
    assert theirs.status_code == 422
    assert of_the_owner(place) == before


def test_a_page_that_begins_at_a_thing_of_others_is_like_one_that_begins_nowhere(place: Place) -> None:
    client = place.server.client
    other = asyncio.run(_project_of(place.server, "stranger"))
    client.post("/converse", json={"message": "mine"}, headers=headers("stranger"))
    for path, forged in (("/sessions", place.session), (f"/projects/{other}/artifacts", place.artifact)):
        theirs, nowhere = (
            client.get(path, params={"before": before}, headers=headers("stranger"))
            for before in (forged, new_id())
        )
        assert (theirs.status_code, theirs.content) == (422, nowhere.content)
        assert nowhere.json()["error"]["details"]["fields"][0]["field"] == "before"


async def _project_of(server: Served, name: str) -> str:
    store = server.dispatcher.store
    assert isinstance(store, SqlStore)
    return await founded(store, await person(store, name), specification="# Mine")


def test_a_turn_id_of_somebody_else_is_a_new_turn_of_ones_own(place: Place) -> None:
    before, client = of_the_owner(place), place.server.client
    for path, more in (
        ("/converse", {}),
        ("/converse", {"Idempotency-Key": GIVEN["turn_id"]}),
        ("/converse/stream", {"Last-Event-ID": "0"}),
    ):
        body = {"message": "hello", "turn_id": GIVEN["turn_id"]}
        answer = client.post(path, json=body, headers={**headers("stranger"), **more})
        assert answer.status_code == 200
        assert place.session not in answer.text
        assert place.project not in answer.text
    assert of_the_owner(place) == before


def test_a_turn_id_of_somebody_else_opens_no_record_in_ones_own_session(place: Place) -> None:
    client = place.server.client
    mine = client.post("/converse", json={"message": "hi"}, headers=headers("member")).json()["session_id"]
    theirs, nowhere = (
        client.get(f"/sessions/{mine}/decisions/{turn_id}", headers=headers("member"))
        for turn_id in (GIVEN["turn_id"], new_id())
    )
    assert told(theirs) == told(nowhere)
    assert theirs.status_code == 404


@pytest.mark.parametrize(
    "header", ["X-Project-Id", "X-Person-Id", "X-User", "X-Rewrite-URL", "X-Remote-User"]
)
def test_a_header_that_names_something_of_others_changes_nothing(place: Place, header: str) -> None:
    client = place.server.client
    forged = {header: f"/projects/{place.project}"}
    for path in ("/projects", "/me", "/sessions"):
        plain = client.get(path, headers=headers("stranger"))
        assert told(client.get(path, headers={**headers("stranger"), **forged})) == told(plain)


def test_a_note_is_not_moved_where_its_mover_may_not_write(place: Place) -> None:
    client = place.server.client
    mine = asyncio.run(_project_of(place.server, "viewer"))
    client.post(f"/projects/{mine}/notes", json={"text": "mine"}, headers=headers("viewer"))
    before = of_the_owner(place)

    moved = client.patch(
        f"/projects/{mine}/notes/1", json={"project_id": place.project}, headers=headers("viewer")
    )

    assert moved.status_code == 403
    assert of_the_owner(place) == before


# -- S14: more fields than a body has


FORGED: dict[str, Any] = {
    "role": "owner",
    "person_id": "p",
    "owner": True,
    "id": "1",
    "seq": 1,
    "fence": 99,
    "rev": 0,
    "author": {"kind": "companion", "name": "x"},
    "told_by": "p",
    "created_at": "2020-01-01T00:00:00Z",
    "is_admin": True,
    "__proto__": {"admin": True},
}


@pytest.mark.parametrize(
    "route",
    [
        pytest.param(one, id=str(one))
        for one in routes()
        if one.example is not None and not one.lenient and not one.keyed
    ],
)
def test_a_field_that_a_body_does_not_have_is_refused_and_nothing_is_done(place: Place, route: Route) -> None:
    before = of_the_owner(place)
    ids = {name: getattr(place, CHOSEN[name]) for name in route.owned}
    known = route.content["application/json"]["schema"].get("properties", {})
    for name, value in FORGED.items():
        if name in known:
            continue
        sent = {**(route.example or {}), name: value}
        answer = place.server.client.request(
            route.method, route.url(**ids), headers=headers("owner"), json=sent
        )
        assert answer.status_code == 422, name
        assert answer.json()["error"]["details"]["fields"][0]["field"] == name
    assert of_the_owner(place) == before


# -- S32: a turn is answered again by the rights of now


@pytest.mark.parametrize(
    "again", [{}, {"Last-Event-ID": "0"}, {"Last-Event-ID": "1"}], ids=["plain", "0", "1"]
)
def test_whoever_was_let_go_gets_no_stored_answer_any_more(place: Place, again: dict[str, str]) -> None:
    client, owner = place.server.client, headers("owner")
    members = f"/projects/{place.project}/members"
    client.post(members, json={"email": "guest@example.org", "role": "member"}, headers=owner)
    path = "/converse/stream" if again else "/converse"
    body = {"message": "hello", "project_id": place.project, "turn_id": f"guest-{again}"}
    first = client.post(path, json=body, headers=headers("guest"))
    assert first.status_code == 200

    client.delete(f"{members}/guest@example.org", headers=owner)

    after = client.post(path, json=body, headers={**headers("guest"), **again})
    unknown = {**body, "project_id": new_id(), "turn_id": "unused"}
    nowhere = client.post(path, json=unknown, headers={**headers("guest"), **again})
    assert after.status_code == 404
    assert told(after) == told(nowhere)


TURN_IDS = {
    "longest": ("x" * 128, 200),
    "too long": ("x" * 129, 422),
    "blank": (" ", 422),
    "line break": ("a\nb", 422),
    "control": ("a\x07", 422),
    "turned around": ("a\u202eb", 422),
    "zero width": ("a\u200bb", 422),
    "other script": ("ключ", 200),
    "path": ("../../x", 200),
    "sql": ("' OR 1=1 --", 200),
}


@pytest.mark.parametrize(("turn_id", "status"), [pytest.param(*t, id=i) for i, t in TURN_IDS.items()])
def test_a_turn_id_has_up_to_128_printable_characters(place: Place, turn_id: str, status: int) -> None:
    body = {"message": "hello", "turn_id": turn_id}
    first, again = (place.server.client.post("/converse", json=body, headers=headers("member")) for _ in "12")
    assert first.status_code == status
    assert first.content == again.content
