"""How it is going: what runs, what needs the person and what was made, since the time that was asked about."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import FrozenClock, ScriptedModel
from tests.unit.companion.talk.kit import Talk, companion_talk

PROGRESS = "ask_about_progress"


class Survey(Process, name="survey", version=1):
    """One question, and a summary to approve."""

    class Answers(BaseModel):
        """What is asked."""

        colour: str = ask("Which colour?")

    starts_on = ("start the survey",)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Saved.")


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel({"respond": ["Noted."]})


@pytest.fixture
async def c(frozen: FrozenClock, model: ScriptedModel) -> AsyncIterator[Talk]:
    async with companion_talk(frozen, Survey, model=model) as talk:
        yield talk


async def told(c: Talk, model: ScriptedModel, project: str, question: str = "How is it going?") -> Any:
    """The facts that the model was given."""
    await c.say(question, PROGRESS, project_id=project)
    text = model.requests[-1].messages[-1].content
    return json.loads(text.partition("The rest is data:\n")[2])["operation_data"]


def kinds(matters: Any) -> list[tuple[str, str]]:
    return [(matter["kind"], matter["title"]) for matter in matters]


async def test_a_job_that_runs_is_active_and_is_so_no_more_when_it_is_done(
    c: Talk, model: ScriptedModel
) -> None:
    project = await c.project()
    await c.companion.notes.add(c.me, project, "Sheep need shade")
    await c.companion.groups.organise(c.me, project)
    assert kinds((await told(c, model, project))["active_jobs"]) == [
        ("job", "Organising the notes of FarmGuard")
    ]
    await c.talk.sweep()
    assert (await told(c, model, project))["active_jobs"] == []


async def test_waiting_notes_questions_approvals_and_what_is_paused_need_attention(
    c: Talk, model: ScriptedModel
) -> None:
    project = await c.project()
    other = await c.project("HealthTrack")
    await c.say("Sheep need shade", "add_knowledge", project_id=project)
    await c.say("start the survey", project_id=project)
    c.talk.new_session()
    asked = (await told(c, model, project))["needs_attention"]
    assert kinds(asked)[:2] == [("waiting_note", "Sheep need shade"), ("question", "Which colour?")]

    await c.say("start the survey", project_id=project)
    await c.say("green", project_id=project)
    c.talk.new_session()
    approve = (await told(c, model, project))["needs_attention"]
    assert "approval" in [kind for kind, _ in kinds(approve)]

    c.talk.new_session()
    await c.say("start the survey", project_id=project)
    await c.say("stop", project_id=project)
    paused = (await told(c, model, project))["needs_attention"]
    assert ("paused_process", "Survey") in kinds(paused)
    assert (await told(c, model, other))["needs_attention"] == []


async def test_what_was_made_comes_newest_first_with_what_else_happened(
    c: Talk, model: ScriptedModel
) -> None:
    project = await c.project()
    for title in ("Soil report", "Water report", "Price list"):
        c.talk.advance(minutes=1)
        await c.file(project, title)
    await c.companion.notes.add(c.me, project, "Sheep need shade")
    found = await told(c, model, project)
    assert [m["title"] for m in found["recent_artifacts"]] == ["Price list", "Water report", "Soil report"]
    assert kinds(found["recent_activity"]) == [("note", "Sheep need shade"), ("project", "FarmGuard")]


async def test_without_a_time_it_is_seven_days(c: Talk, model: ScriptedModel) -> None:
    project = await c.project()
    await c.file(project, "Soil report")
    c.talk.advance(days=7)
    assert [m["title"] for m in (await told(c, model, project))["recent_artifacts"]] == ["Soil report"]
    c.talk.advance(seconds=1)
    assert (await told(c, model, project))["recent_artifacts"] == []


@pytest.mark.parametrize(
    ("zone", "question", "seen"),
    [
        ("UTC", "What's been happening since Tuesday?", ["Tuesday 02:00"]),
        ("America/New_York", "What's been happening since Tuesday?", []),
        ("UTC", "What's been happening since Monday?", ["Tuesday 02:00", "Monday 10:00"]),
        ("UTC", "What's been happening since yesterday?", ["Tuesday 02:00"]),
        ("America/New_York", "What's been happening since yesterday?", []),
        ("UTC", "What's been happening since last week?", ["Tuesday 02:00", "Monday 10:00"]),
    ],
)
async def test_the_time_is_read_by_the_calendar_of_whoever_asks(
    c: Talk, model: ScriptedModel, zone: str, question: str, seen: list[str]
) -> None:
    project = await c.project()
    c.talk.advance(hours=1)  # it was nine on Monday, in UTC
    await c.file(project, "Monday 10:00")
    c.talk.advance(hours=16)
    await c.file(project, "Tuesday 02:00")
    c.talk.advance(hours=34)  # noon on Wednesday
    c.talk.person = replace(c.talk.person, timezone=zone)
    await c.talk.dispatcher.store.update_person(c.talk.person)

    found = await told(c, model, project, question)

    assert [m["title"] for m in found["recent_artifacts"]] == seen


async def test_many_waiting_notes_are_counted_and_the_newest_shown(c: Talk, model: ScriptedModel) -> None:
    project, other = await c.project(), await c.project("HealthTrack")
    for n in range(30):
        c.talk.advance(seconds=1)
        for one in (project, other):
            await c.companion.notes.add(c.me, one, f"fact {n} of {one}", state="waiting")
    found = await told(c, model, project)
    assert [m["ref"] for m in found["needs_attention"]] == [str(n) for n in range(30, 10, -1)]
    assert found["waiting_notes"] == 30
    whole = await c.companion.dashboard.of_person(c.me)
    assert [m.ref for m in whole.needs_you] == [str(n) for n in range(30, 20, -1) for _ in range(2)]
    assert whole.waiting_notes == 60
