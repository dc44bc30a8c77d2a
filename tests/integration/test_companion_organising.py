"""Organising with a language model: believed as far as it can be checked, done once, and never left behind by a change."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from softrail.companion.memory.context import Contexts
from softrail.companion.memory.grouping import MOST_READ
from softrail.companion.memory.organise import Thinking
from softrail.companion.plugin import TABLES, Companion, companion
from softrail.core.clock import now
from softrail.core.errors import ModelUnavailable
from softrail.core.people import Person
from softrail.core.ports import ModelAnswer, ModelRequest
from softrail.dialogue.metered_model import ModelDoor
from softrail.models import ScriptedModel
from softrail.prompts import Library
from softrail.store import SqlStore, open_store
from tests.integration.companion_server import founded, memory, person, turn

TOLD = ("Clay soil holds water.", "Sandy soil dries out.", "Prices are without tax.", "The price is fixed.")


def group(label: str, *numbers: int, **more: str) -> dict[str, Any]:
    texts = {"rationale": f"About {label}.", "summary": f"What is said of {label}.", **more}
    return {"label": label, **texts, "notes": list(numbers)}


def answer(*groups: dict[str, Any]) -> str:
    return json.dumps({"groups": groups})


def with_model(store: SqlStore, model: Any) -> Companion:
    return companion(store, thinking=Thinking(model=ModelDoor(model), prompts=Library()))


@pytest.fixture
async def store() -> SqlStore:
    return memory()


@pytest.fixture
async def ada(store: SqlStore) -> Person:
    return await person(store, "ada")


async def organised(
    store: SqlStore, ada: Person, model: Any, told: Sequence[str] = TOLD
) -> tuple[Companion, str, list[tuple[str, list[int]]]]:
    """The groups that came of it: their labels and numbers."""
    services = with_model(store, model)
    project = await founded(store, ada, notes=list(told))
    await services.groups.organise(ada.id, project)
    await deliver(store, services)
    [job] = await services.jobs.list(ada.id, project)
    assert job.state == "done"
    return services, project, await labels(services, ada, project)


async def labels(services: Companion, ada: Person, project: str) -> list[tuple[str, list[int]]]:
    found = await services.groups.list(ada.id, project)
    return [(one.label, list(one.numbers)) for one in found.groups]


async def deliver(store: SqlStore, services: Companion) -> None:
    for item in await store.outbox(now(), 100):
        await services.deliverers[item.kind](item)
        await store.delivered(item)


async def test_a_model_groups_the_notes_and_what_it_leaves_out_is_the_rest(
    store: SqlStore, ada: Person
) -> None:
    model = ScriptedModel([answer(group("Money", 3), group("Soil", 1, 2))])
    services, project, made = await organised(store, ada, model)

    assert made == [("Soil", [1, 2]), ("Money", [3]), ("Everything else", [4])]
    [first, *_] = (await services.groups.list(ada.id, project)).groups
    assert (first.rationale, first.summary, first.count) == ("About Soil.", "What is said of Soil.", 2)
    [request] = model.requests
    assert (request.purpose, request.answer_schema is not None) == ("organise", True)
    assert json.loads(request.messages[0].content)["notes"][0] == {"number": 1, "text": TOLD[0]}
    assert TOLD[0] not in request.system


@pytest.mark.parametrize(
    "said",
    [
        "",
        "Here are your groups!",
        "null",
        "[]",
        '{"groups": null}',
        '{"groups": [{"label": "Soil"}]}',
        '{"groups": [{"label": 1, "rationale": "", "summary": "", "notes": [1, 2, 3]}]}',
        '{"groups": [{"label": "x", "rationale": "", "summary": "", "notes": ["1", "2", "3"]}]}',
        '{"groups": [], "command": "erase"}',
        '{"groups": []}',
        answer(group("Soil", 1)),
        answer(group("Ghosts", 97, 98, 99)),
        answer(group(" ", 1, 2, 3, 4)),
        answer(group("\u0000\u202e", 1, 2, 3, 4)),
        "[" * 9_000,
        ModelUnavailable("away"),
    ],
    ids=lambda said: str(said)[:30],
)
async def test_an_answer_that_cannot_be_used_leaves_the_notes_to_be_grouped_without_a_model(
    store: SqlStore, ada: Person, said: Any
) -> None:
    _, _, made = await organised(store, ada, ScriptedModel([said]))
    assert sorted(numbers for _, numbers in made) == [[1, 2], [3, 4]]


async def test_an_answer_that_was_cut_off_is_not_used(store: SqlStore, ada: Person) -> None:
    class Cut:
        name = "cut"

        async def answer(self, request: ModelRequest) -> ModelAnswer:
            return ModelAnswer(text=answer(group("All", 1, 2, 3, 4)), model=self.name, complete=False)

        async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
            yield await self.answer(request)

    _, _, made = await organised(store, ada, Cut())
    assert [label for label, _ in made] != ["All"]


async def test_numbers_are_checked_one_by_one_and_a_note_stands_in_one_group(
    store: SqlStore, ada: Person
) -> None:
    said = answer(group("Soil", 1, 2, 2, 77, -1), group("SOIL", 3), group("Money", 2, 4, 3))
    _, _, made = await organised(store, ada, ScriptedModel([said]))
    assert made == [("Soil", [1, 2]), ("Money", [3, 4])]


async def test_the_words_of_a_model_come_behind_the_wall_on_one_short_line(
    store: SqlStore, ada: Person
) -> None:
    said = answer(
        group("One assertion\nand more", 1, 2, summary="The engagement is " + "long " * 200),
        group("Money", 3, 4),
    )
    services, project, _ = await organised(store, ada, ScriptedModel([said]))
    first, _ = (await services.groups.list(ada.id, project)).groups
    assert first.label == "One note and more"
    assert first.summary.startswith("The project is long")
    assert len(first.summary) <= 310


async def test_more_notes_than_a_model_reads_are_grouped_without_it(store: SqlStore, ada: Person) -> None:
    model = ScriptedModel([answer()])
    await organised(store, ada, model, [f"soil {n}" for n in range(MOST_READ + 1)])
    assert model.requests == []


async def test_notes_that_come_or_change_after_the_groups_stand_outside_them(
    store: SqlStore, ada: Person
) -> None:
    services = with_model(store, ScriptedModel([answer(group("Soil", 1, 2), group("Money", 3, 4))]))
    project = await founded(store, ada, notes=list(TOLD))
    await turn(store, ada, services.notes.saving(project, "It waits."))
    await services.groups.organise(ada.id, project)
    await deliver(store, services)
    contexts = Contexts(store, services.projects, services.notes, services.groups)

    async def singly() -> list[str]:
        context = await contexts.of(ada.id, project)
        assert context.tier == "grouped"
        return [line for line in context.text.splitlines() if line.startswith("#")]

    assert await singly() == []
    await services.notes.add(ada.id, project, "Brand new.")
    await services.notes.change(ada.id, project, 5, state="saved")  # older than the groups, saved after them
    assert await singly() == ["#6: Brand new.", "#5: It waits."]
    await services.notes.change(ada.id, project, 4, text="The price may change.")
    assert await singly() == ["#6: Brand new.", "#5: It waits.", "#4: The price may change."]
    assert await labels(services, ada, project) == [("Soil", [1, 2]), ("Money", [3])]


async def test_a_withdrawn_note_leaves_no_trace_in_what_a_model_is_shown(
    store: SqlStore, ada: Person
) -> None:
    secret = group("Soil", 1, 2, summary="Clay holds water, and the code of the safe is 4711.")
    services, project, _ = await organised(store, ada, ScriptedModel([answer(secret, group("Money", 3, 4))]))
    contexts = Contexts(store, services.projects, services.notes, services.groups)
    assert "4711" in (await contexts.of(ada.id, project)).text

    await services.notes.change(ada.id, project, 2, state="withdrawn")

    text = (await contexts.of(ada.id, project)).text
    assert "4711" not in text
    assert "- Soil (1 note)" in text
    await services.notes.change(ada.id, project, 1, state="withdrawn")
    assert await labels(services, ada, project) == [("Money", [3, 4])]


class Slow:
    """Answers when it is let go, and counts how often it was asked."""

    name = "slow"

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.go = asyncio.Event()
        self.times = 0

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        self.times += 1
        self.asked.set()
        await self.go.wait()
        return ModelAnswer(text=answer(group("All of it", 1, 2, 3, 4)), model=self.name)

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        yield await self.answer(request)


async def test_two_workers_that_find_the_same_job_do_it_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/two.db"
    stores = [open_store(url, plugins=[TABLES], durability="normal") for _ in range(2)]
    for one in stores:
        await one.start()
    ada, model = await person(stores[0], "ada"), Slow()
    first, second = (with_model(one, model) for one in stores)
    project = await founded(stores[0], ada, notes=list(TOLD))
    await first.groups.organise(ada.id, project)
    await stores[0].beat("first", 0)
    [item] = await stores[0].claim(await stores[0].outbox(now(), 10), "first")

    running = asyncio.create_task(first.deliverers[item.kind](item))
    await asyncio.wait_for(model.asked.wait(), 10)
    [shown] = (await second.dashboard.of_project(ada.id, project)).active
    assert (shown.kind, shown.title) == ("job", "Organising the notes of Blue Harbor")
    assert await stores[1].outbox(now(), 10) == []
    assert await stores[1].claim([item], "second") == []
    model.go.set()
    await running
    await second.deliverers[item.kind](item)

    assert model.times == 1
    assert await labels(second, ada, project) == [("All of it", [1, 2, 3, 4])]
    [job] = await second.jobs.list(ada.id, project)
    assert (job.state, job.progress) == ("done", 1.0)
    for one in stores:
        await one.close()


async def test_a_worker_that_was_slow_for_too_long_changes_nothing_any_more(
    store: SqlStore, ada: Person
) -> None:
    slow = Slow()
    project = await founded(store, ada, notes=list(TOLD))
    late, quick = with_model(store, slow), companion(store)
    await late.groups.organise(ada.id, project)
    [item] = await store.outbox(now(), 10)
    running = asyncio.create_task(late.deliverers[item.kind](item))
    await asyncio.wait_for(slow.asked.wait(), 10)

    await quick.deliverers[item.kind](item)
    made = await labels(quick, ada, project)
    slow.go.set()
    await running

    assert await labels(quick, ada, project) == made
    assert len(made) == 2


async def test_a_job_that_a_stopping_server_lets_go_is_taken_up_at_once(store: SqlStore, ada: Person) -> None:
    slow = Slow()
    project = await founded(store, ada, notes=list(TOLD))
    services = with_model(store, slow)
    await services.groups.organise(ada.id, project)
    [item] = await store.outbox(now(), 10)
    running = asyncio.create_task(services.deliverers[item.kind](item))
    await asyncio.wait_for(slow.asked.wait(), 10)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    [job] = await services.jobs.list(ada.id, project)
    assert job.state == "waiting"
    await companion(store).deliverers[item.kind](item)
    assert len(await labels(services, ada, project)) == 2
