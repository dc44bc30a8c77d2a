"""Notes over HTTP and by effect: numbered without gaps, changed by those who may, seen by those who are in."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from softrail.companion.plugin import TABLES, companion
from softrail.core.commits import Committed, Refused, Seen
from softrail.core.effects import Effect
from softrail.core.errors import BadRequest
from softrail.store import SqlStore, open_store
from tests.integration.api_server import Served, served
from tests.integration.companion_server import (
    assistant,
    commit_of,
    founded,
    headers,
    memory,
    person,
    turn,
)


@pytest.fixture
def server() -> Iterator[Served]:
    with served(store=memory()) as running:
        yield running


@pytest.fixture
async def store() -> SqlStore:
    return memory()


def project_of(server: Served, name: str = "ada") -> str:
    async def make() -> str:
        store = server.dispatcher.store
        assert isinstance(store, SqlStore)
        return await founded(store, await person(store, name))

    return asyncio.run(make())


def test_a_note_is_written_changed_withdrawn_and_listed(server: Served) -> None:
    project = project_of(server)
    notes = f"/projects/{project}/notes"
    client, ada = server.client, headers("ada")

    first = client.post(notes, json={"text": "  Clay holds water.  "}, headers=ada)
    assert first.status_code == 201
    assert first.json()["number"] == 1
    assert first.json()["text"] == "Clay holds water."
    assert (first.json()["state"], first.json()["author"]) == ("saved", {"kind": "person", "name": "ada"})
    client.post(notes, json={"text": "Sand does not."}, headers=ada)

    edited = client.patch(f"{notes}/2", json={"text": "Sand does not hold it."}, headers=ada).json()
    assert (edited["number"], edited["text"]) == (2, "Sand does not hold it.")
    client.patch(f"{notes}/1", json={"state": "withdrawn"}, headers=ada)

    assert [n["number"] for n in client.get(notes, headers=ada).json()["items"]] == [2]
    gone = client.get(notes, params={"state": "withdrawn"}, headers=ada).json()["items"]
    assert [n["text"] for n in gone] == ["Clay holds water."]


def test_pages_of_notes_go_on_where_they_ended(server: Served) -> None:
    project = project_of(server)
    for n in range(5):
        server.client.post(f"/projects/{project}/notes", json={"text": f"n{n}"}, headers=headers("ada"))
    url = f"/projects/{project}/notes"

    first = server.client.get(url, params={"limit": 3}, headers=headers("ada")).json()
    rest = server.client.get(url, params={"limit": 3, "after": first["next"]}, headers=headers("ada")).json()

    assert [n["number"] for n in first["items"]] == [1, 2, 3]
    assert [n["number"] for n in rest["items"]] == [4, 5]
    assert rest["next"] is None


def test_a_moved_note_gets_the_next_number_there_and_cannot_be_moved_twice(server: Served) -> None:
    here, there = project_of(server), project_of(server)
    client, ada = server.client, headers("ada")
    client.post(f"/projects/{there}/notes", json={"text": "already here"}, headers=ada)
    client.post(f"/projects/{here}/notes", json={"text": "in the wrong place"}, headers=ada)

    moved = client.patch(f"/projects/{here}/notes/1", json={"project_id": there}, headers=ada)
    again = client.patch(f"/projects/{here}/notes/1", json={"project_id": there}, headers=ada)

    assert (moved.status_code, moved.json()["number"]) == (200, 2)
    assert again.status_code == 422
    assert client.get(f"/projects/{here}/notes", headers=ada).json()["items"] == []
    assert len(client.get(f"/projects/{there}/notes", headers=ada).json()["items"]) == 2


def test_a_note_is_not_moved_into_a_project_of_somebody_else(server: Served) -> None:
    mine, theirs = project_of(server), project_of(server, "bob")
    client, ada = server.client, headers("ada")
    client.post(f"/projects/{mine}/notes", json={"text": "mine"}, headers=ada)

    moved = client.patch(f"/projects/{mine}/notes/1", json={"project_id": theirs}, headers=ada)
    nowhere = client.patch(f"/projects/{mine}/notes/1", json={"project_id": "none"}, headers=ada)

    assert (moved.status_code, moved.content) == (404, nowhere.content)
    assert client.get(f"/projects/{theirs}/notes", headers=headers("bob")).json()["items"] == []
    assert client.get(f"/projects/{mine}/notes", headers=ada).json()["items"][0]["state"] == "saved"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": ""},
        {"text": " \n "},
        {"text": "x" * 16_001},
        {"text": "a\0b"},
        {"state": "deleted"},
        {"number": 9},
        {"author": {"kind": "companion", "name": "x"}},
        {"text": "x", "person_id": "someone"},
        {"text": "x", "project_id": "also"},
    ],
    ids=str,
)
def test_a_change_that_makes_no_sense_changes_nothing(server: Served, body: dict[str, object]) -> None:
    project = project_of(server)
    url = f"/projects/{project}/notes"
    server.client.post(url, json={"text": "as it was"}, headers=headers("ada"))

    assert server.client.patch(f"{url}/1", json=body, headers=headers("ada")).status_code == 422
    assert server.client.get(url, headers=headers("ada")).json()["items"][0]["text"] == "as it was"


async def test_a_note_of_a_turn_waits_knows_its_turn_and_is_numbered_in_the_commit(store: SqlStore) -> None:
    ada, services = await person(store, "ada"), companion(store)
    project = await founded(store, ada)

    result = await turn(store, ada, services.notes.saving(project, "The soil is clay."), turn_id="t1")

    assert isinstance(result, Committed)
    assert result.reply == '{"companion_message": "[\'1\']"}'
    [note] = await services.notes.list(ada.id, project)
    assert (note.number, note.state, note.author.kind, note.turn_id) == (1, "waiting", "companion", "t1")


async def test_a_turn_sent_twice_makes_one_note(store: SqlStore) -> None:
    ada, services = await person(store, "ada"), companion(store)
    project = await founded(store, ada)
    commit = commit_of(ada, [services.notes.saving(project, "once")])

    [first], [second] = await store.commit([commit]), await store.commit([commit])

    assert isinstance(first, Committed)
    assert isinstance(second, Seen)
    assert [note.number for note in await services.notes.list(ada.id, project)] == [1]


async def test_whoever_was_let_go_before_the_commit_writes_nothing(store: SqlStore) -> None:
    ada, bob = await person(store, "ada"), await person(store, "bob")
    services = companion(store)
    project = await founded(store, ada)
    await services.projects.add_member(ada.id, project, bob.email, "member")
    effect = services.notes.saving(project, "too late")

    await services.projects.remove_member(ada.id, project, bob.email)
    result = await turn(store, bob, effect)

    assert isinstance(result, Refused)
    assert await services.notes.list(ada.id, project) == []


async def test_a_refused_effect_takes_its_whole_turn_with_it_and_no_other(store: SqlStore) -> None:
    ada, services = await person(store, "ada"), companion(store)
    project = await founded(store, ada)
    good = commit_of(ada, [services.notes.saving(project, "good")])
    bad = commit_of(ada, [services.notes.saving(project, "half"), services.notes.saving("nowhere", "x")])

    results = await store.commit([good, bad])

    assert [type(result).__name__ for result in results] == ["Committed", "Refused"]
    assert [note.text for note in await services.notes.list(ada.id, project)] == ["good"]


async def test_an_effect_with_fields_of_its_own_is_refused(store: SqlStore) -> None:
    ada = await person(store, "ada")
    project = await founded(store, ada)
    payload = {"project_id": project, "text": "x", "told_by": "someone", "number": 7}
    result = await turn(store, ada, Effect(kind="note_saved", summary="Note saved", payload=payload))
    assert isinstance(result, Refused)


async def test_a_project_comes_with_its_specification_and_notes(store: SqlStore) -> None:
    ada, services = await person(store, "ada"), companion(store)

    project = await founded(
        store, ada, seed={"what": "a harbor"}, specification="# Blue Harbor", notes=["one", "two"], main=True
    )

    detail = await services.projects.detail(ada.id, project)
    assert detail is not None
    assert (detail.role, detail.main, detail.seed) == ("owner", True, {"what": "a harbor"})
    assert [n.text for n in await services.notes.list(ada.id, project, states=["saved"])] == ["one", "two"]
    [file] = await services.artifacts.list(ada.id, project)
    assert (file.type, file.file_name) == ("specification", "Blue Harbor specification.md")
    assert (await services.artifacts.read(ada.id, file.id))[1] == b"# Blue Harbor"


async def test_every_change_of_content_raises_the_version(store: SqlStore) -> None:
    ada, services = await person(store, "ada"), companion(store)
    project = await founded(store, ada)

    async def version() -> int:
        detail = await services.projects.detail(ada.id, project)
        assert detail is not None
        return detail.content_version

    seen = [await version()]
    await services.notes.add(ada.id, project, "one")
    seen.append(await version())
    await services.notes.change(ada.id, project, 1, state="withdrawn")
    seen.append(await version())
    await services.projects.change_seed(ada.id, project, {"what": "other"})
    seen.append(await version())
    assert seen == sorted(set(seen))

    await services.notes.list(ada.id, project)
    await services.notes.change(ada.id, project, 1, state="withdrawn")
    assert await version() == seen[-1]


async def test_counts_follow_every_change_of_state(store: SqlStore) -> None:
    ada, services = await person(store, "ada"), companion(store)
    project = await founded(store, ada)
    for state in ("waiting", "waiting", "saved"):
        await turn(store, ada, services.notes.saving(project, "x", state=state))
    await services.notes.change(ada.id, project, 1, state="saved")
    await services.notes.change(ada.id, project, 3, state="withdrawn")

    counts = await services.notes.counts(ada.id, project)
    assert (counts.waiting, counts.saved, counts.withdrawn) == (1, 1, 1)


async def test_notes_on_a_topic_come_first_and_words_are_no_pattern(store: SqlStore) -> None:
    ada, services = await person(store, "ada"), companion(store)
    project = await founded(store, ada)
    for text in ("the price is 100% fixed", "soil and price", "nothing of it"):
        await services.notes.add(ada.id, project, text)

    found = await services.notes.about(ada.id, project, "what about the soil and the price?")
    assert [note.number for note in found] == [2, 1]
    assert await services.notes.about(ada.id, project, "%%% ___ %price%__") != []
    assert await services.notes.about(ada.id, project, "___") == []


async def test_many_notes_at_once_to_a_file_are_numbered_one_by_one(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/notes.db"
    stores = [open_store(url, plugins=[TABLES], durability="normal") for _ in range(2)]
    for store in stores:
        await store.start()
    people = [await person(stores[0], name) for name in ("ada", "bob")]
    services = [companion(store) for store in stores]
    project = await founded(stores[0], people[0])
    await services[0].projects.add_member(people[0].id, project, people[1].email, "member")

    async def add(n: int) -> None:
        store, who, one = stores[n % 2], people[(n // 2) % 2], services[n % 2]
        if n % 4 == 3:
            await one.notes.add(who.id, project, f"note {n}")
            return
        assert isinstance(await turn(store, who, one.notes.saving(project, f"note {n}")), Committed)

    await asyncio.gather(*(add(n) for n in range(64)))

    numbers = [note.number for note in await services[1].notes.list(people[1].id, project, limit=100)]
    assert numbers == list(range(1, 65))
    for store in stores:
        await store.close()


async def test_a_withdrawn_note_and_a_blank_one_are_refused_with_reasons(store: SqlStore) -> None:
    ada, services = await person(store, "ada"), companion(store)
    project = await founded(store, ada)
    with pytest.raises(BadRequest, match="'text'"):
        await services.notes.add(ada.id, project, " ")
    assert await services.notes.get(ada.id, project, 1) is None


def test_the_companion_of_a_server_is_the_one_over_its_store(server: Served) -> None:
    assert server.dispatcher.parts.projects is assistant(server).projects
