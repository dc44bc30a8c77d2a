"""The clarification that comes with Softrail."""

from datetime import timedelta
from typing import Any

import pytest

from softrail.core.outcomes import Release, Reroute
from softrail.core.ports import Prompts
from softrail.processes.builtin.clarification import Clarification
from tests.unit.processes.kit import MONDAY, Talk, Texts

READINGS = [
    {
        "option": {"label": "FarmGuard", "value": "p1", "hint": "saves the note in FarmGuard"},
        "intent": "save_note",
        "parameters": {"project": "p1"},
        "project_id": "p1",
    },
    {
        "option": {"label": "Piper Morgan", "value": "p2"},
        "intent": "save_note",
        "parameters": {"project": "p2"},
        "project_id": "p2",
    },
]


async def asked(**more: Any) -> Talk:
    talk = Talk(Clarification, services={Prompts: Texts()})
    prefill = {
        "turn": {"message": "note: buy seeds", "project_id": None, "turn_id": "t0", "intent": "save_note"},
        "question": "Which project is that for?",
        "readings": READINGS,
        "why": "vague",
        **more,
    }
    await talk.start("note: buy seeds", prefill=prefill)
    return talk


def routed(project: str) -> Reroute:
    return Reroute(
        message="note: buy seeds", intent="save_note", parameters={"project": project}, project_id=project
    )


async def test_it_asks_one_question_with_what_each_answer_would_do_and_two_ways_out() -> None:
    question = (await asked()).instance.question
    assert question is not None
    assert question.kind == "clarify"
    assert [o.label for o in question.options] == [
        "FarmGuard",
        "Piper Morgan",
        "Go ahead with your best guess",
        "Never mind",
    ]
    assert "A) FarmGuard: saves the note in FarmGuard" in question.prompt
    assert question.expires_at is None


@pytest.mark.parametrize(
    ("said", "project"),
    [
        ("B", "p2"),
        ("2", "p2"),
        ("the first one", "p1"),
        ("Piper Morgan", "p2"),
        ("piper", "p2"),
        ("the farm guard one", "p1"),
        ("p2", "p2"),
        ("go ahead with your best guess", "p1"),
        ("go ahead", "p1"),
    ],
)
async def test_an_answer_in_any_of_the_usual_ways_routes_the_original_turn(said: str, project: str) -> None:
    done = await (await asked()).say(said)
    assert (done.end, done.say) == ("completed", "")
    assert done.reroute == [routed(project)]


@pytest.mark.parametrize("said", ["never mind", "no", "neither"])
async def test_never_mind_drops_it(said: str) -> None:
    done = await (await asked()).say(said)
    assert (done.end, done.reroute) == ("declined", ())


async def test_what_is_no_answer_is_released_and_the_second_time_the_question_goes() -> None:
    talk = await asked()
    first = await talk.say("what's the weather in Oslo?")
    assert isinstance(first.release, Release)
    assert not first.release.close
    second = await talk.say("and in Bergen?")
    assert isinstance(second.release, Release)
    assert second.release.close
    assert second.release.say == "I've set this aside, as it stayed open: “note: buy seeds”."


async def test_an_answer_after_a_miss_still_counts() -> None:
    talk = await asked()
    await talk.say("what's the weather in Oslo?")
    assert (await talk.say("B")).reroute == [routed("p2")]


async def test_a_default_is_taken_when_its_time_has_come() -> None:
    talk = await asked(default_after=3600.0, default=1)
    assert talk.instance.question is not None
    assert talk.instance.question.expires_at == MONDAY + timedelta(hours=1)
    done = await talk.conductor.default(talk.definition, talk.instance, talk.turn(""))
    assert done.reroute == [routed("p2")]


async def test_without_readings_free_words_complete_the_original_turn() -> None:
    talk = await asked(readings=[])
    done = await talk.say("for the farm")
    assert done.reroute == [Reroute(message="note: buy seeds\nfor the farm", intent="save_note")]

    talk = await asked(readings=[], missing="project")
    done = await talk.say("the farm")
    assert done.reroute == [
        Reroute(
            message="note: buy seeds",
            intent="save_note",
            parameters={"project": "the farm"},
            told="project",
        )
    ]
