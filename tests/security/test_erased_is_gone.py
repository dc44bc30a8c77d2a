"""What is erased is in no file any more: not in the rows, not in the pages around them, not in the log, not in what waits for review."""

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from softrail.classifier.review import ReviewQueue
from softrail.companion.plugin import TABLES
from softrail.companion.settings import CompanionSettings
from softrail.store import SqliteStore
from tests.integration.api_server import Served, served, settings
from tests.integration.companion_server import assistant, founded, headers, person

ADA = headers("ada")
CANARY = "Quokkaberry"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    """A server on a file, with a folder for files and one for messages to review."""
    (tmp_path / "files").mkdir()
    store = SqliteStore(tmp_path / "talk.db", plugins=[TABLES])
    chosen = settings(review_file=tmp_path / "review.jsonl")
    own = {CompanionSettings: CompanionSettings(artifacts_dir=tmp_path / "files")}
    with served(store=store, chosen=chosen, services=own) as running:
        yield running


def where(folder: Path, words: str) -> list[str]:
    """The files below that folder whose bytes hold these words, whole or as JSON has them."""
    return sorted(
        path.name for path in folder.rglob("*") if path.is_file() and words.encode() in path.read_bytes()
    )


def told(server: Served, words: str) -> dict[str, Any]:
    """Ada says the words in every place that keeps some, and gives them as a file; the ids of all that."""
    project = asyncio.run(_project(server, words))
    client = server.client
    said = client.post("/converse", json={"message": f"remember {words} one"}, headers=ADA).json()
    asked = {"message": "let's do my standup", "session_id": said["session_id"]}
    client.post("/converse", json=asked, headers=ADA)
    client.post("/converse", json={**asked, "message": f"{words} two " + "and so on " * 900}, headers=ADA)
    note = client.post(f"/projects/{project}/notes", json={"text": f"{words} three"}, headers=ADA).json()
    given = client.post(
        f"/projects/{project}/artifacts",
        files={"file": (f"{words}.txt", f"{words} four".encode() * 5000)},
        data={"title": f"{words} five", "type": "plan"},
        headers=ADA,
    ).json()
    return {"project": project, "session": said["session_id"], "note": note["number"], "file": given["id"]}


async def _project(server: Served, words: str) -> str:
    store = server.dispatcher.store
    assert isinstance(store, SqliteStore)
    ada = await person(store, "ada")
    project = await founded(store, ada, name=f"{words} Harbor", specification=f"# {words}")
    queue = ReviewQueue(store_folder(store) / "review.jsonl")
    queue.propose(f"{words} six", "note", why="", person_id=ada.id, session_id="elsewhere")
    queue.propose(f"{words} seven, of nobody", "note", why="")
    queue.propose("of somebody else", "note", why="", person_id="bob")
    assert assistant(server) is not None
    return project


def swept(server: Served) -> None:
    """Everything that is due is done, the removal of files too."""
    portal = server.client.portal
    assert portal is not None
    portal.call(server.dispatcher.sweep)


def store_folder(store: SqliteStore) -> Path:
    """Where its file lies."""
    return Path(store.url.removeprefix("sqlite:///")).parent


def test_a_person_who_erased_themselves_is_in_no_file(server: Served, tmp_path: Path) -> None:
    told(server, CANARY)
    swept(server)
    assert "review.jsonl" in where(tmp_path, CANARY)
    assert {"talk.db", "talk.db-wal"} & set(where(tmp_path, CANARY))

    assert server.client.delete("/me", headers=ADA).status_code == 204
    swept(server)  # the files of projects are removed from their folder

    assert where(tmp_path, CANARY) == []
    assert where(tmp_path, "ada@example.org") == []
    assert where(tmp_path, "of somebody else") == ["review.jsonl"]


def test_one_note_one_file_one_session_one_project_are_erased_for_good(
    server: Served, tmp_path: Path
) -> None:
    ids = told(server, "Wombat")
    client = server.client
    words = {
        "note": "Wombat three",
        "file": "Wombat four",
        "session": "Wombat two",
        "project": "Wombat Harbor",
    }
    for name, path in {
        "note": f"/projects/{ids['project']}/notes/{ids['note']}",
        "file": f"/artifacts/{ids['file']}",
        "session": f"/sessions/{ids['session']}",
        "project": f"/projects/{ids['project']}",
    }.items():
        assert where(tmp_path, words[name]) != []

        assert client.delete(path, headers=ADA).status_code == 204
        swept(server)

        assert client.delete(path, headers=ADA).status_code == 404
        if (
            name != "project"
        ):  # the turn that founded it is a session of its own, which keeps what was said there
            assert where(tmp_path, words[name]) == []
    assert client.get(f"/projects/{ids['project']}", headers=ADA).status_code == 404


def test_the_number_of_an_erased_note_stays_empty_and_the_counts_are_right(server: Served) -> None:
    ids = told(server, "Numbat")
    notes = f"/projects/{ids['project']}/notes"
    assert server.client.delete(f"{notes}/{ids['note']}", headers=ADA).status_code == 204

    again = server.client.post(notes, json={"text": "another"}, headers=ADA).json()

    assert again["number"] == ids["note"] + 1
    left = server.client.get(notes, headers=ADA).json()["items"]
    assert ids["note"] not in [note["number"] for note in left]
    states = [note["state"] for note in left]
    ada, portal = server.client.get("/me", headers=ADA).json()["id"], server.client.portal
    assert portal is not None
    counts = portal.call(assistant(server).notes.counts, ada, ids["project"])
    assert (counts.waiting, counts.saved) == (states.count("waiting"), states.count("saved"))


def test_erasing_gives_pages_back(server: Served, tmp_path: Path) -> None:
    told(server, "Bandicoot")
    for n in range(20):
        server.client.post("/converse", json={"message": f"Bandicoot {n} " * 2000}, headers=ADA)
    server.client.delete("/me", headers=ADA)
    with sqlite3.connect(tmp_path / "talk.db") as raw:
        [(free,)] = raw.execute("PRAGMA freelist_count").fetchall()
        [(page,)] = raw.execute("PRAGMA page_size").fetchall()
    raw.close()
    assert free * page < 80_000  # of many hundred thousand; a little is freed again by what comes later
