"""Organising, the dashboard, and erasing: what happens beside the turns, and what goes with a person."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from softrail.companion.memory import blobs, jobs
from softrail.companion.memory.organise import FAILED, NOT_ALLOWED
from softrail.companion.memory.tables import metadata
from softrail.companion.plugin import Companion, companion
from softrail.core.clock import now
from softrail.core.commits import Committed
from softrail.core.errors import Forbidden, NotFound
from softrail.core.people import Person
from softrail.store import SqlStore
from softrail.store.tables import effects
from tests.integration.api_server import served
from tests.integration.companion_server import assistant, founded, headers, memory, person, turn

TOLD = (
    "Clay soil holds water.",
    "Sandy soil needs water daily.",
    "The price stays under ten euros.",
    "Prices are without tax.",
    "Ada likes Tuesdays.",
)


@pytest.fixture
async def store() -> SqlStore:
    return memory()


async def with_notes(store: SqlStore, who: Person, texts: Sequence[str] = TOLD) -> str:
    return await founded(store, who, notes=list(texts))


async def deliver(store: SqlStore, services: Companion) -> int:
    """What the sweep does: everything that is due, once."""
    items = await store.outbox(now(), 100)
    for item in items:
        await services.deliverers[item.kind](item)
        await store.delivered(item)
    return len(items)


async def test_notes_are_organised_by_a_job_that_the_outbox_keeps(store: SqlStore) -> None:
    ada, services = await person(store, "ada"), companion(store)
    project = await with_notes(store, ada)

    job = await services.groups.organise(ada.id, project)
    again = await services.groups.organise(ada.id, project)
    assert (job.state, again.id) == ("waiting", job.id)
    assert await deliver(store, services) == 1

    found = await services.groups.list(ada.id, project)
    assert [list(group.numbers) for group in found.groups] == [[1, 2], [3, 4], [5]]
    assert found.groups[0].label == "Soil, water, clay"
    assert found.up_to == 5
    [done] = await services.jobs.list(ada.id, project)
    assert (done.state, done.progress) == ("done", 1.0)


async def test_a_job_delivered_twice_is_done_once(store: SqlStore) -> None:
    ada, services = await person(store, "ada"), companion(store)
    project = await with_notes(store, ada)
    await services.groups.organise(ada.id, project)
    [item] = await store.outbox(now(), 100)

    await services.deliverers[jobs.ASKED](item)
    first = await services.groups.list(ada.id, project)
    await services.notes.add(ada.id, project, "later")
    await services.deliverers[jobs.ASKED](item)

    assert await services.groups.list(ada.id, project) == first


async def test_a_job_whose_worker_died_half_way_is_done_by_whoever_has_it_next(store: SqlStore) -> None:
    ada = await person(store, "ada")
    project = await with_notes(store, ada)

    class Died(BaseException):
        pass

    def dies(texts: Sequence[str]) -> Any:
        raise Died

    await companion(store).groups.organise(ada.id, project)
    with pytest.raises(Died):
        await deliver(store, companion(store, encode=dies))
    assert [job.state for job in await companion(store).jobs.list(ada.id, project)] == ["running"]

    await deliver(store, companion(store))

    assert [job.state for job in await companion(store).jobs.list(ada.id, project)] == ["done"]
    assert len((await companion(store).groups.list(ada.id, project)).groups) == 3


async def test_a_job_that_keeps_failing_says_so_in_the_end(store: SqlStore) -> None:
    ada = await person(store, "ada")
    project = await with_notes(store, ada)

    def broken(texts: Sequence[str]) -> Any:
        raise ValueError("no encoder here")

    services = companion(store, encode=broken)
    await services.groups.organise(ada.id, project)
    for _ in range(2):
        [item] = await store.outbox(now() + timedelta(hours=1), 100)
        with pytest.raises(ValueError, match="no encoder"):
            await services.deliverers[item.kind](item)
        await store.postpone(item, now())
    await deliver(store, services)

    [job] = await services.jobs.list(ada.id, project)
    assert (job.state, job.error) == ("failed", FAILED)
    view = await services.dashboard.of_person(ada.id)
    assert ("failed_job", FAILED) in [(matter.kind, matter.title) for matter in view.needs_you]


async def test_a_job_that_was_set_aside_can_be_asked_for_again(store: SqlStore) -> None:
    ada, services = await person(store, "ada"), companion(store)
    project = await with_notes(store, ada)
    lost = await services.groups.organise(ada.id, project)
    [item] = await store.outbox(now(), 100)
    await store.set_aside(item, "Its worker ended.")

    again = await services.groups.organise(ada.id, project)
    await deliver(store, services)

    found = {job.id: (job.state, job.error) for job in await services.jobs.list(ada.id, project)}
    assert found == {lost.id: ("failed", FAILED), again.id: ("done", None)}


async def test_a_job_of_someone_let_go_meanwhile_writes_nothing(store: SqlStore) -> None:
    ada, bob, services = await person(store, "ada"), await person(store, "bob"), companion(store)
    project = await with_notes(store, ada)
    await services.projects.add_member(ada.id, project, bob.email, "member")
    await services.groups.organise(bob.id, project)
    await services.projects.remove_member(ada.id, project, bob.email)

    await deliver(store, services)

    assert (await services.groups.list(ada.id, project)).groups == []
    assert [job.error for job in await services.jobs.list(ada.id, project)] == [NOT_ALLOWED]


async def test_a_turn_can_ask_for_the_job(store: SqlStore) -> None:
    ada, services = await person(store, "ada"), companion(store)
    project = await with_notes(store, ada)

    assert isinstance(await turn(store, ada, services.groups.organising(project)), Committed)
    await deliver(store, services)

    assert len((await services.groups.list(ada.id, project)).groups) == 3


async def test_a_withdrawn_note_leaves_its_group(store: SqlStore) -> None:
    ada, services = await person(store, "ada"), companion(store)
    project = await with_notes(store, ada)
    await services.groups.organise(ada.id, project)
    await deliver(store, services)

    await services.notes.change(ada.id, project, 2, state="withdrawn")

    [group, *_] = (await services.groups.list(ada.id, project)).groups
    assert (group.count, list(group.numbers)) == (1, [1])


def test_a_server_organises_at_once_and_says_how_far_it_is() -> None:
    with served(store=memory()) as server:
        store, client, ada = server.dispatcher.store, server.client, headers("ada")
        assert isinstance(store, SqlStore)

        async def make() -> str:
            return await with_notes(store, await person(store, "ada"))

        project = asyncio.run(make())
        answer = client.post(f"/projects/{project}/organise", headers=ada)
        assert (answer.status_code, answer.json()["kind"]) == (202, "organise")

        client.portal.call(server.dispatcher.sweep)  # type: ignore[union-attr]  # it is open here

        page = client.get(f"/projects/{project}/groups", headers=ada).json()
        assert sum(group["count"] for group in page["items"]) == 5
        [job] = client.get(f"/projects/{project}/jobs", headers=ada).json()["items"]
        assert (job["state"], job["progress"]) == ("done", 1.0)
        assert assistant(server).groups is not None


async def test_the_dashboard_shows_what_runs_what_waits_and_what_happened(store: SqlStore) -> None:
    ada, bob, services = await person(store, "ada"), await person(store, "bob"), companion(store)
    project = await with_notes(store, ada, ["saved one"])
    await services.projects.add_member(ada.id, project, bob.email, "viewer")
    await turn(store, ada, services.notes.saving(project, "waits for a word"))
    await services.groups.organise(ada.id, project)
    file = await services.artifacts.store(
        ada.id, project, title="Plan", type="plan", file_name="p.md", content=b"#"
    )

    view = await services.dashboard.of_project(ada.id, project)

    assert [(m.kind, m.title) for m in view.active] == [("job", "Organising the notes of Blue Harbor")]
    assert [(m.kind, m.title, m.ref) for m in view.needs_you] == [("waiting_note", "waits for a word", "2")]
    assert {(m.kind, m.title) for m in view.recent} == {
        ("artifact", "Plan"),
        ("note", "saved one"),
        ("project", "Blue Harbor"),
    }
    assert file.href in [m.ref for m in view.recent]
    assert view.waiting_notes == 1
    assert (await services.dashboard.of_person(bob.id)).needs_you == []
    assert (await services.dashboard.of_person(ada.id, since=now() + timedelta(seconds=1))).recent == []
    with pytest.raises(NotFound):
        await services.dashboard.of_project((await person(store, "eve")).id, project)


def test_the_dashboard_shows_open_questions_of_the_project_they_are_about() -> None:
    with served(store=memory()) as server:
        store = server.dispatcher.store
        assert isinstance(store, SqlStore)

        async def make() -> tuple[str, str]:
            ada = await person(store, "ada")
            return await founded(store, ada), await founded(store, ada, name="Red Hill")

        here, other = asyncio.run(make())
        session = server.say("start the check-in", project_id=here)["session_id"]
        services = assistant(server)
        ada = asyncio.run(person(store, "ada"))

        whole = server.client.get("/me/dashboard", headers=headers("ada")).json()
        assert [(m["kind"], m["title"], m["ref"]) for m in whole["needs_you"]] == [
            ("question", "What did you do?", session)
        ]
        of_here = asyncio.run(services.dashboard.of_project(ada.id, here))
        assert [m.kind for m in of_here.needs_you] == ["question"]
        assert asyncio.run(services.dashboard.of_project(ada.id, other)).needs_you == []

        server.say("stop", session)
        paused = server.client.get("/me/dashboard", headers=headers("ada")).json()["needs_you"]
        assert [(m["kind"], m["title"]) for m in paused] == [("paused_process", "Check in")]


async def rows_of(store: SqlStore) -> dict[str, int]:
    """How many rows every table of the companion has."""
    return await store.read(
        lambda conn: {
            table.name: int(conn.scalar(select(func.count()).select_from(table)) or 0)
            for table in metadata.sorted_tables
        }
    )


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


async def test_erasing_a_person_erases_all_that_is_theirs_alone(store: SqlStore, tmp_path: Path) -> None:
    ada, services = await person(store, "ada"), companion(store, artifacts_dir=tmp_path)
    project = await with_notes(store, ada)
    await services.artifacts.store(
        ada.id, project, title="Plan", type="plan", file_name="p.md", content=b"# secret"
    )
    await services.groups.organise(ada.id, project)
    assert min((await rows_of(store)).values()) == 0  # no groups yet, everything else
    await deliver(store, services)
    kept = await rows_of(store)
    assert (
        min(count for table, count in kept.items() if table != "companion_blob_pieces") > 0
    )  # the file is in the folder

    await store.delete_person(ada.id)
    await deliver(store, services)

    assert set((await rows_of(store)).values()) == {0}
    assert files_in(tmp_path) == []
    left = await store.read(lambda conn: conn.execute(select(effects.c.payload)).scalars().all())
    assert not any("secret" in payload or ada.id in payload for payload in left)


async def test_content_given_again_before_its_file_is_removed_stays(store: SqlStore, tmp_path: Path) -> None:
    ada, bob = await person(store, "ada"), await person(store, "bob")
    services = companion(store, artifacts_dir=tmp_path)
    one, two = await founded(store, ada), await founded(store, bob)
    await services.artifacts.store(ada.id, one, title="A", type="x", file_name="a", content=b"same")
    await store.delete_person(ada.id)
    file = await services.artifacts.store(bob.id, two, title="B", type="x", file_name="b", content=b"same")

    [item] = await store.outbox(now(), 10)
    assert item.kind == blobs.RELEASED
    await deliver(store, services)

    assert (await services.artifacts.read(bob.id, file.id))[1] == b"same"


async def test_shared_projects_stay_without_the_name_of_who_left(store: SqlStore) -> None:
    ada, bob, services = await person(store, "ada"), await person(store, "bob"), companion(store)
    project = await founded(store, ada)
    await services.projects.add_member(ada.id, project, (await person(store, "cleo")).email, "viewer")
    await services.projects.add_member(ada.id, project, bob.email, "member")
    await services.notes.add(ada.id, project, "by ada herself")
    await turn(store, ada, services.notes.saving(project, "told by ada"), session_id="s-ada")

    await store.delete_person(ada.id)

    assert await services.projects.role(bob.id, project) == "owner"
    authors = [(n.author.kind, n.author.name) for n in await services.notes.list(bob.id, project)]
    assert authors == [("person", "Someone who left"), ("companion", "Companion")]
    kept = await store.read(
        lambda conn: [tuple(row) for t in metadata.sorted_tables for row in conn.execute(select(t))]
    )
    assert not any(secret in str(row) for row in kept for secret in (ada.id, "s-ada"))


async def test_a_viewer_never_becomes_the_owner_and_the_project_is_archived(store: SqlStore) -> None:
    people = [await person(store, name) for name in ("ada", "bob", "cleo")]
    ada, bob, cleo = people
    services = companion(store)
    project = await with_notes(store, ada)
    for viewer in (bob, cleo):
        await services.projects.add_member(ada.id, project, viewer.email, "viewer")
    found = await services.projects.detail(bob.id, project)
    assert found is not None
    assert not found.archived

    await store.delete_person(ada.id)

    found = await services.projects.detail(bob.id, project)
    assert found is not None
    assert (found.role, found.archived) == ("viewer", True)
    with pytest.raises(Forbidden):
        await services.notes.add(bob.id, project, "mine now")
    with pytest.raises(Forbidden):
        await services.projects.add_member(bob.id, project, bob.email, "owner")

    await store.delete_person(cleo.id)
    assert await services.projects.role(bob.id, project) == "viewer"
    await services.projects.remove_member(bob.id, project, bob.email)  # the last one to leave
    assert set((await rows_of(store)).values()) == {0}


async def test_erasing_a_session_keeps_its_notes_and_forgets_where_they_were_told(store: SqlStore) -> None:
    ada, services = await person(store, "ada"), companion(store)
    project = await founded(store, ada)
    await turn(store, ada, services.notes.saving(project, "kept"), session_id="s1", turn_id="t1")

    assert await store.delete_session(ada.id, "s1")

    [note] = await services.notes.list(ada.id, project)
    assert (note.text, note.turn_id) == ("kept", None)


def test_an_export_holds_the_projects_a_person_is_in_and_no_others() -> None:
    with served(store=memory()) as server:
        store = server.dispatcher.store
        assert isinstance(store, SqlStore)

        async def make() -> None:
            await with_notes(store, await person(store, "ada"))
            await with_notes(store, await person(store, "bob"), ["not Ada's"])

        asyncio.run(make())
        exported = server.client.get("/me/export", headers=headers("ada")).json()

    [project] = exported["projects"]
    assert [note["text"] for note in project["notes"]] == list(TOLD)
    assert "not Ada" not in str(exported)
