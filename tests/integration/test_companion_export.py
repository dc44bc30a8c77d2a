"""Taking everything away and erasing everything, at a size where neither fits into one page."""

import asyncio
import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest
from sqlalchemy import func, insert, select

from softrail.api import exporting
from softrail.classifier import PlainClassifier
from softrail.companion.memory.tables import artifacts, blob_pieces, blobs, metadata
from softrail.companion.routes import exporting as of_companion
from softrail.core.clock import now
from softrail.store import SqlStore
from softrail.store.rows import stamp
from softrail.store.tables import decisions, turns
from tests.integration.api_server import Served, served
from tests.integration.companion_server import assistant, founded, headers, memory, person

FILES = 10_050
NOTES = 450


@pytest.fixture
def server() -> Iterator[Served]:
    with served(store=memory(), classifier=PlainClassifier()) as running:
        yield running


def store_of(server: Served) -> SqlStore:
    assert isinstance(server.dispatcher.store, SqlStore)
    return server.dispatcher.store


async def filled(store: SqlStore) -> str:
    """A project of Ada's with many notes, and more files than any one page has."""
    ada = await person(store, "ada")
    project = await founded(store, ada, notes=[f"fact {n}" for n in range(NOTES)])
    content, at = b"same", stamp(now())
    digest = sha256(content).hexdigest()
    row = {
        "project_id": project,
        "type": "report",
        "file_name": "r.txt",
        "media_type": "text/plain",
        "sha256": digest,
        "author_kind": "person",
        "author_name": "ada",
        "told_by": ada.id,
    }
    files = [{**row, "id": f"file-{n}", "title": f"Report {n}", "created_at": at + n} for n in range(FILES)]
    blob = {"sha256": digest, "size": len(content), "content": content, "kept_at": at}
    piece = {"sha256": digest, "n": 0, "content": content}
    await store.write(lambda conn: conn.execute(insert(blobs), [blob]))
    await store.write(lambda conn: conn.execute(insert(blob_pieces), [piece]))
    await store.write(lambda conn: conn.execute(insert(artifacts), files))
    return project


def exported(server: Served, who: str = "ada") -> Any:
    response = server.client.get("/me/export", headers=headers(who))
    assert response.status_code == 200
    return json.loads(response.content)


def test_an_export_is_whole_however_many_notes_and_files_there_are(server: Served) -> None:
    asyncio.run(filled(store_of(server)))

    [project] = exported(server)["projects"]

    assert [note["number"] for note in project["notes"]] == list(range(1, NOTES + 1))
    assert {file["id"] for file in project["artifacts"]} == {f"file-{n}" for n in range(FILES)}
    assert len(project["artifacts"]) == FILES


def test_an_export_of_a_long_session_has_every_turn_with_its_decision(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "BATCH", 3)
    monkeypatch.setattr(of_companion, "BATCH", 3)
    session = server.say("hello there")["session_id"]
    for n in range(7):
        server.say(f"message {n}", session)

    found = exported(server)

    [told] = found["sessions"]
    assert [turn["seq"] for turn in told["turns"]] == list(range(1, 17))
    assert [turn["content"] for turn in told["turns"][2::2]] == [f"message {n}" for n in range(7)]
    assert [decision["seq"] for decision in told["decisions"]] == list(range(1, 17, 2))


def test_an_export_comes_in_pieces_that_are_never_the_whole(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "_CHUNK", 1_000)
    asyncio.run(filled(store_of(server)))
    with server.client.stream("GET", "/me/export", headers=headers("ada")) as response:
        pieces = list(response.iter_raw())
    assert json.loads(b"".join(pieces))["person"]["email"] == "ada@example.org"
    assert len(pieces) > 100
    assert max(map(len, pieces)) < 10_000


def test_an_export_of_groups_and_of_nobody_elses(server: Served) -> None:
    store = store_of(server)

    async def make() -> str:
        ada, bob = await person(store, "ada"), await person(store, "bob")
        await founded(store, bob, name="Not Ada's", notes=["hidden"])
        return await founded(store, ada, notes=["clay soil", "sandy soil"])

    project = asyncio.run(make())
    server.client.post(f"/projects/{project}/organise", headers=headers("ada"))
    server.client.portal.call(server.dispatcher.sweep)  # type: ignore[union-attr]  # it is open here

    found = exported(server)

    [mine] = found["projects"]
    assert [group["numbers"] for group in mine["groups"]] == [[1, 2]]
    assert "hidden" not in str(found)


def test_erasing_a_person_leaves_no_row_of_theirs_anywhere(server: Served) -> None:
    store = store_of(server)
    project = asyncio.run(filled(store))
    server.client.post(f"/projects/{project}/organise", headers=headers("ada"))
    server.client.portal.call(server.dispatcher.sweep)  # type: ignore[union-attr]  # it is open here
    session = server.say("what is new?", project_id=project)["session_id"]
    server.say("start the check-in", session, project_id=project)
    before = asyncio.run(rows(store))
    assert min(before.values()) > 0

    assert server.client.delete("/me", headers=headers("ada")).status_code == 204

    assert set(asyncio.run(rows(store)).values()) == {0}


async def rows(store: SqlStore) -> dict[str, int]:
    """How many rows each table of the companion has, and how many turns and decisions there are."""
    tables = (*metadata.sorted_tables, turns, decisions)
    return await store.read(
        lambda conn: {
            table.name: int(conn.scalar(select(func.count()).select_from(table)) or 0) for table in tables
        }
    )


def test_whoever_is_let_go_while_the_export_runs_gets_a_document_that_ends_well(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their notes were read page by page; from the moment they are not theirs any more there are none."""
    monkeypatch.setattr(exporting, "BATCH", 10)
    monkeypatch.setattr(of_companion, "BATCH", 10)
    store = store_of(server)

    async def make() -> str:
        ada, bob = await person(store, "ada"), await person(store, "bob")
        project = await founded(store, ada, notes=[f"fact {n}" for n in range(50)])
        await assistant(server).projects.add_member(ada.id, project, bob.email, "member")
        return project

    project = asyncio.run(make())
    listed = assistant(server).notes.list
    pages: list[int] = []

    async def until_let_go(*given: Any, **more: Any) -> Any:
        pages.append(1)
        if len(pages) == 3:
            ada = await person(store, "ada")
            await assistant(server).projects.remove_member(ada.id, project, "bob@example.org")
        return await listed(*given, **more)

    monkeypatch.setattr(assistant(server).notes, "list", until_let_go)
    [told] = exported(server, "bob")["projects"]
    assert [note["number"] for note in told["notes"]] == list(range(1, 21))
    assert told["artifacts"] == []
