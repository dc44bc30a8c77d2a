"""The standup that comes with Softrail."""

import json
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from softrail.core.effects import Record, StoredRecord
from softrail.core.errors import ModelUnavailable
from softrail.core.people import Person
from softrail.core.ports import ModelAnswer, ModelRequest, Prompts
from softrail.processes.builtin.standup import TRIES, Standup, last_standup
from tests.unit.processes.kit import ANN, MONDAY, Talk, Texts


class Scripted:
    """A model that says what it was given, in order; then it is away."""

    def __init__(self, *answers: str, name: str = "scripted") -> None:
        self.name = name
        self._answers = list(answers)
        self.asked: list[ModelRequest] = []

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        self.asked.append(request)
        if not self._answers:
            raise ModelUnavailable("away")
        return ModelAnswer(text=self._answers.pop(0), model=self.name)

    def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        raise NotImplementedError


def standup(model: Scripted | None = None, person: Person = ANN) -> Talk:
    return Talk(Standup, services={Prompts: Texts()}, model=model or Scripted(name="plain"), person=person)


async def up_to_the_summary(talk: Talk) -> str:
    await talk.start()
    await talk.say("fixed login #108")
    await talk.say("ship v2")
    return (await talk.say("none")).say


async def test_its_steps_and_its_limit_are_as_documented() -> None:
    definition = standup().definition
    assert list(definition.steps) == [
        "gathering_yesterday",
        "gathering_today",
        "gathering_blockers",
        "refining",
    ]
    assert definition.idle_timeout == timedelta(minutes=15)
    assert definition.priority == 20


async def test_acceptance_saves_it_under_the_persons_own_day_in_one_turn() -> None:
    talk = standup(person=Person(id="p", email="k@example.com", timezone="Pacific/Kiritimati"))
    talk.at = MONDAY.replace(hour=11)
    await up_to_the_summary(talk)
    done = await talk.say("looks good")
    assert done.end == "completed"
    assert done.effects == (
        Record(
            "standup",
            {"yesterday": ["fixed login #108"], "today": ["ship v2"], "blockers": []},
            key="2026-03-03",
            summary="Standup of 2026-03-03 saved",
        ),
    )


@pytest.mark.parametrize(
    "words",
    ["skipped the retro, shipped v2", "cancel my 3pm and ship v2", "change the status of issue #108 to Done"],
)
async def test_answers_that_sound_like_commands_are_kept_as_they_are(words: str) -> None:
    talk = standup()
    await talk.start()
    await talk.say("skip")
    assert (await talk.say(words)).step == "gathering_blockers"
    assert json.loads(talk.instance.data)["answers"] == {"today": [words]}


async def test_a_model_may_phrase_the_summary_and_the_persons_words_are_what_is_kept() -> None:
    better = {"yesterday": ["Fixed the login (#108)."], "today": ["Ship v2."], "blockers": []}
    talk = standup(Scripted(json.dumps(better)))
    assert "Fixed the login (#108)." in await up_to_the_summary(talk)
    done = await talk.say("yes")
    [record] = done.effects
    assert isinstance(record, Record)
    assert isinstance(record.data, dict)
    assert record.data["yesterday"] == ["fixed login #108"]


@pytest.mark.parametrize(
    "invented",
    [
        {"yesterday": ["Fixed login #108", "Refactored search"], "today": ["Ship v2"], "blockers": []},
        {"yesterday": ["Fixed login #109"], "today": ["Ship v2"], "blockers": []},
        {"yesterday": ["Fixed login #108"], "today": ["Ship v2"], "blockers": ["None so far"]},
        {"yesterday": ["Fixed login #108 " + "at last " * 30], "today": ["Ship v2"], "blockers": []},
        {"yesterday": [""], "today": ["Ship v2"], "blockers": []},
    ],
    ids=["another item", "another number", "another blocker", "long additions", "an item lost"],
)
async def test_a_model_that_invents_is_tried_three_times_then_the_summary_is_plain_and_says_so(
    invented: dict[str, list[str]],
) -> None:
    model = Scripted(*[json.dumps(invented)] * TRIES)
    said = await up_to_the_summary(standup(model))
    assert len(model.asked) == TRIES
    assert "plainly, in your words" in said
    assert "fixed login #108" in said


async def test_a_model_that_answers_the_third_time_is_good_enough() -> None:
    better = {"yesterday": ["Fixed login #108."], "today": ["Ship v2."], "blockers": []}
    model = Scripted("not json", "{}", json.dumps(better))
    said = await up_to_the_summary(standup(model))
    assert "Fixed login #108." in said
    assert "plainly" not in said


async def test_without_a_model_the_summary_is_simply_the_summary() -> None:
    said = await up_to_the_summary(standup())
    assert "plainly" not in said
    assert "- Yesterday: fixed login #108" in said


async def test_what_a_person_said_reaches_the_model_as_data_only() -> None:
    model = Scripted()
    await up_to_the_summary(standup(model))
    request = model.asked[0]
    assert "login" not in request.system
    assert json.loads(request.messages[0].content)["yesterday"] == ["fixed login #108"]


def test_the_last_standup_is_told_from_the_records() -> None:
    def kept(day: str, today: str) -> StoredRecord:
        data = {"yesterday": [], "today": [today]}
        return StoredRecord(kind="standup", key=day, data=data, session_id="s", seq=1)

    said = last_standup([kept("2026-03-03", "ship v2"), kept("2026-03-02", "fix login")], Texts())
    assert "2026-03-03" in said
    assert "ship v2" in said
    assert "fix login" not in said
    assert last_standup([], Texts()).startswith("There is no standup of yours yet.")
