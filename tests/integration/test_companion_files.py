"""Files: given once, found by id only, taken back as they were, never shown, run or lost to a name."""

import asyncio
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from softrail.api import create_router
from softrail.companion.memory.artifacts import Kept
from softrail.companion.memory.blobs import Blobs
from softrail.companion.memory.service import Artifacts
from softrail.companion.settings import CompanionSettings
from softrail.core.errors import NotFound
from softrail.core.people import Person
from softrail.store import SqlStore
from tests.integration.api_server import Served, served, settings
from tests.integration.companion_server import founded, headers, memory, person

LIMIT = 4096


@pytest.fixture(params=["in the database", "on disk"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
    folder = None if request.param == "in the database" else tmp_path
    own = {CompanionSettings: CompanionSettings(artifacts_dir=folder)}
    with served(store=memory(), chosen=settings(upload_limit=LIMIT), services=own) as running:
        yield running


@pytest.fixture
def project(server: Served) -> str:
    async def make() -> str:
        store = server.dispatcher.store
        assert isinstance(store, SqlStore)
        return await founded(store, await person(store, "ada"))

    return asyncio.run(make())


def give(server: Served, project: str, name: str = "plan.pdf", content: bytes = b"%PDF", **more: Any) -> Any:
    data = {"title": "Harbor plan", "type": "plan", **more}
    return server.client.post(
        f"/projects/{project}/artifacts",
        files={"file": (name, content)},
        data=data,
        headers=headers("ada"),
    )


def test_a_file_comes_back_as_it_was_given(server: Served, project: str) -> None:
    content = bytes(range(256))
    given = give(server, project, "Größe.pdf", content)
    assert given.status_code == 201
    view = given.json()
    assert (view["size"], view["sha256"]) == (256, sha256(content).hexdigest())

    taken = server.client.get(view["href"], headers=headers("ada"))

    assert (taken.status_code, taken.content) == (200, content)
    assert taken.headers["content-type"] == "application/pdf"
    assert taken.headers["x-content-type-options"] == "nosniff"
    assert taken.headers["content-disposition"] == (
        "attachment; filename=\"Gr__e.pdf\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.pdf"
    )
    listed = server.client.get(f"/projects/{project}/artifacts", headers=headers("ada")).json()
    assert listed["items"] == [view]


def test_pages_of_files_are_newest_first(server: Served, project: str) -> None:
    made = [give(server, project, f"{n}.txt", b"%d" % n).json()["id"] for n in range(4)]
    url = f"/projects/{project}/artifacts"

    first = server.client.get(url, params={"limit": 3}, headers=headers("ada")).json()
    rest = server.client.get(url, params={"limit": 3, "before": first["next"]}, headers=headers("ada")).json()

    assert [a["id"] for a in (*first["items"], *rest["items"])] == made[::-1]


def test_the_same_content_is_kept_once_and_found_for_both(
    server: Served, project: str, tmp_path: Path
) -> None:
    one, two = (give(server, project, name, b"same").json() for name in ("a.txt", "b.txt"))

    assert one["id"] != two["id"]
    for view in (one, two):
        assert server.client.get(view["href"], headers=headers("ada")).content == b"same"
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) <= 1


@pytest.mark.parametrize(
    "path",
    ["../secret", "..%2F..%2Fetc%2Fpasswd", "%2e%2e", "/etc/passwd", "a\\b", "x%00y", "\u2024\u2024", "C:"],
)
def test_a_download_is_found_by_id_only(server: Served, project: str, path: str) -> None:
    give(server, project)
    answer = server.client.get(f"/artifacts/{path}/download", headers=headers("ada"))
    assert answer.status_code == 404


def test_who_offers_a_file_learns_its_name_and_size_without_it(server: Served, project: str) -> None:
    href = give(server, project, "report.txt").json()["href"]
    whole = server.client.get(href, headers=headers("ada"))
    told = server.client.head(href, headers=headers("ada"))

    assert (told.status_code, told.content) == (200, b"")
    for name in ("content-disposition", "content-length", "content-type", "content-security-policy"):
        assert told.headers[name] == whole.headers[name]
    assert server.client.head(href, headers=headers("eve")).status_code == 404


@pytest.mark.parametrize(
    "name", ['x"\r\nSet-Cookie: a=b', "../../etc/passwd", "a\u202egnp.exe", "x" * 3000 + ".txt"]
)
def test_no_file_name_reaches_a_header_or_a_folder_unchanged(server: Served, project: str, name: str) -> None:
    given = give(server, project, name)
    assert given.status_code == 201
    taken = server.client.get(given.json()["href"], headers=headers("ada"))

    assert taken.status_code == 200
    assert "set-cookie" not in taken.headers
    assert "/" not in given.json()["file_name"]
    assert len(given.json()["file_name"]) <= 150


def test_a_file_over_the_limit_is_refused_and_nothing_is_kept(server: Served, project: str) -> None:
    over = give(server, project, content=b"x" * (LIMIT + 1))
    far_over = give(server, project, content=b"x" * 1_000_000)
    assert [over.status_code, far_over.status_code] == [413, 413]
    assert over.json()["error"]["details"] == {"limit": LIMIT}
    assert give(server, project, content=b"x" * LIMIT).status_code == 201


@pytest.mark.parametrize(
    "parts",
    [
        {"data": {"title": "t", "type": "x"}},
        {"files": {"file": ("a", b"")}, "data": {"title": "t"}},
        {"files": {"file": ("a", b"")}, "data": {"title": " ", "type": "x"}},
        {"files": {"file": ("a", b"")}, "data": {"title": "t", "type": "x", "owner": "me"}},
        {"files": [("file", ("a", b"")), ("file", ("b", b""))], "data": {"title": "t", "type": "x"}},
        {"json": {"title": "t", "type": "x"}},
        {"content": b"--x\r\nbroken", "headers": {"Content-Type": "multipart/form-data; boundary=x"}},
        {"content": b"x", "headers": {"Content-Type": "multipart/form-data"}},
    ],
    ids=["no file", "no type", "blank title", "a field too many", "two files", "json", "cut", "no boundary"],
)
def test_a_form_that_is_none_is_refused_with_a_reason(
    server: Served, project: str, parts: dict[str, Any]
) -> None:
    sent = {**parts, "headers": {**headers("ada"), **parts.get("headers", {})}}
    answer = server.client.post(f"/projects/{project}/artifacts", **sent)

    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_request")
    assert server.client.get(f"/projects/{project}/artifacts", headers=headers("ada")).json()["items"] == []


def test_a_page_of_another_origin_cannot_give_files_in_a_persons_name(project: str, server: Served) -> None:
    """In an application of a team's own, whose identity may rest on a cookie that browsers send along."""
    app = FastAPI()
    app.include_router(create_router(server.dispatcher, identity=lambda: "ada@example.org"))
    client = TestClient(app)
    sent: dict[str, Any] = {"files": {"file": ("a", b"a")}, "data": {"title": "t", "type": "x"}}
    url = f"/projects/{project}/artifacts"

    elsewhere = client.post(url, **sent, headers={"Origin": "https://elsewhere.example"})
    here = client.post(url, **sent, headers={"Origin": "http://testserver"})
    asked = client.post(
        url, **sent, headers={"Origin": "https://elsewhere.example", "Authorization": "Bearer x"}
    )

    assert [elsewhere.status_code, here.status_code, asked.status_code] == [403, 201, 201]


class Overtaken(Blobs):
    """Between the content and its description, the file that had the same content is erased."""

    other: tuple[Artifacts, Person, str] | None = None

    async def keep(self, content: bytes | BinaryIO) -> Kept:
        kept = await super().keep(content)
        if self.other is not None:
            (files, who, artifact_id), self.other = self.other, None
            await files.erase(who.id, artifact_id)
        return kept


@pytest.mark.parametrize("on_disk", [False, True])
async def test_content_that_was_erased_with_another_file_meanwhile_is_kept_again(
    on_disk: bool, tmp_path: Path
) -> None:
    store = memory()
    await store.start()
    ada = await person(store, "ada")
    project = await founded(store, ada)
    blobs = Overtaken(store, tmp_path if on_disk else None)
    files = Artifacts(store, blobs)

    async def stored() -> str:
        made = await files.store(
            ada.id, project, title="Plan", type="plan", file_name="plan.txt", content=b"the plan"
        )
        return made.id

    blobs.other = (files, ada, await stored())

    _, content = await files.read(ada.id, await stored())

    assert content == b"the plan"
    await store.close()


async def test_a_small_file_that_was_erased_before_it_was_read_is_not_there() -> None:
    store = memory()
    await store.start()
    with pytest.raises(NotFound):
        await Blobs(store).read(sha256(b"nothing of the kind").hexdigest())
    await store.close()
