"""The onboarding that comes with Softrail."""

import json
from collections.abc import Sequence
from datetime import timedelta

import pytest

from softrail.core.effects import Effect
from softrail.core.ports import Project, Projects, Prompts
from softrail.processes.builtin.naming import announces, name_of
from softrail.processes.builtin.onboarding import Onboarding
from tests.unit.processes.kit import Talk, Texts


class Kept:
    """Projects in memory."""

    def __init__(self, *names: str) -> None:
        self._projects = [Project(id=name, name=name) for name in names]

    async def count(self, person_id: str) -> int:
        return len(self._projects)

    async def list(self, person_id: str) -> Sequence[Project]:
        return self._projects

    async def get(self, person_id: str, project_id: str) -> Project | None:
        return next((p for p in self._projects if p.id == project_id), None)

    def create(self, project: Project) -> Effect:
        payload = {
            "name": project.name,
            "description": project.description,
            "repository": project.repository,
            "main": project.main,
        }
        return Effect(kind="project_created", summary=f"Project {project.name} created", payload=payload)


def onboarding(*projects: str) -> Talk:
    return Talk(Onboarding, services={Projects: Kept(*projects), Prompts: Texts()})


def names(talk: Talk) -> list[str]:
    return [p["name"] for p in json.loads(talk.instance.data)["data"]["projects"]]


async def test_its_steps_and_its_limit_are_as_documented() -> None:
    definition = onboarding().definition
    assert list(definition.steps) == ["initiated", "gathering_projects", "confirming", "gathering_repos"]
    assert definition.first == "initiated"
    assert (definition.idle_timeout, definition.priority) == (timedelta(minutes=30), 10)


async def test_only_people_without_projects_are_offered_it() -> None:
    for talk, offered in ((onboarding(), True), (onboarding("Atlas"), False)):
        assert await talk.conductor.offer_when(talk.definition, talk.turn("hello")) is offered


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("My main project is called Piper Morgan", "Piper Morgan"),
        ("It's called Atlas and it maps rivers.", "Atlas"),
        ("a thing named FarmGuard, for my cousin", "FarmGuard"),
        ("my project is HealthTrack", "HealthTrack"),
        ("The main project is Later Labs", "Later Labs"),
        ("Another project is CoVa.", "CoVa"),
        ("Working on Atlas for now", "Atlas"),
        ("I'm building a recipe box for my mother", "recipe box"),
        ("I make the FarmGuard app", "FarmGuard"),
        ("it's called Search and Rescue and nobody uses it", "Search and Rescue"),
        ('We call it "great migration"', "great migration"),
        ("Great Migration", "Great Migration"),
        ("Yes, another one called Dynamic Atlas", "Dynamic Atlas"),
        ("A budget planner. It is for students.", "A budget planner"),
    ],
)
def test_the_name_of_a_project_is_found_in_what_is_said_of_it(said: str, name: str) -> None:
    assert name_of(said) == name


def test_a_long_description_without_a_name_is_shortened() -> None:
    name = name_of("something with very many words " * 20)
    assert len(name) <= 61
    assert name.endswith("…")


@pytest.mark.parametrize(
    ("said", "only"),
    [
        ("Yes, I have another project to tell you about", True),
        ("yes there is one more", True),
        ("I have a few projects", True),
        ("Another one called Dynamic Atlas", False),
        ("Later Labs", False),
        ("I have an app for farms", False),
    ],
)
def test_announcing_a_project_is_told_from_describing_one(said: str, only: bool) -> None:
    assert announces(said) is only


async def test_projects_are_told_one_by_one_with_the_words_said_as_description() -> None:
    talk = onboarding()
    started = await talk.start("yes please")
    assert started.step == "gathering_projects"
    noted = await talk.say("My main project is called Piper Morgan")
    assert "Piper Morgan" in noted.say
    assert "another project?" in noted.say
    assert (await talk.say("Yes, I have another project to tell you about")).step == "gathering_projects"
    assert names(talk) == ["Piper Morgan"]
    await talk.say("Yes, another one called Dynamic Atlas")
    assert names(talk) == ["Piper Morgan", "Dynamic Atlas"]
    kept = json.loads(talk.instance.data)["data"]["projects"]
    assert kept[0]["description"] == "My main project is called Piper Morgan"
    assert (await talk.say("no")).step == "confirming"


async def test_one_project_is_the_main_one_by_itself_and_everything_is_saved_once() -> None:
    talk = onboarding()
    await talk.start()
    await talk.say("Working on Atlas for now")
    asked = await talk.say("that's all")
    assert (asked.step, "Atlas" in asked.say) == ("gathering_repos", True)
    wrong = await talk.say("somewhere on my laptop")
    assert wrong.step == "gathering_repos"
    assert "owner/name" in wrong.say
    done = await talk.say("vercel/next.js")
    assert done.end == "completed"
    assert [(e.kind, e.payload) for e in done.effects if isinstance(e, Effect)] == [
        (
            "project_created",
            {
                "name": "Atlas",
                "description": "Working on Atlas for now",
                "repository": "vercel/next.js",
                "main": True,
            },
        )
    ]


async def two_projects() -> Talk:
    talk = onboarding()
    await talk.start()
    await talk.say("called Atlas")
    await talk.say("called CoVa. that's all")
    assert talk.instance.step == "confirming"
    return talk


@pytest.mark.parametrize(
    ("said", "main"), [("CoVa", "CoVa"), ("the first one", "Atlas"), ("save", None), ("Save", None)]
)
async def test_the_main_project_is_asked_for_once_when_there_are_several(said: str, main: str | None) -> None:
    talk = await two_projects()
    assert (await talk.say(said)).step == "gathering_repos"
    done = await talk.say("skip all")
    mains = [e.payload["name"] for e in done.effects if isinstance(e, Effect) and e.payload["main"]]
    assert mains == ([main] if main else [])


async def test_an_answer_that_names_no_project_is_asked_about_one_more_time_only() -> None:
    talk = await two_projects()
    assert (await talk.say("hm, hard to say")).step == "confirming"
    assert (await talk.say("really hard")).step == "gathering_repos"


async def test_repositories_are_asked_for_project_by_project() -> None:
    talk = await two_projects()
    assert "Atlas" in (await talk.say("save")).say
    assert "CoVa" in (await talk.say("skip")).say
    done = await talk.say("https://github.com/mediajunkie/cova.git")
    payloads = [e.payload for e in done.effects if isinstance(e, Effect)]
    assert [p["repository"] for p in payloads] == [None, "mediajunkie/cova"]


async def test_no_before_any_project_declines_and_after_one_goes_on() -> None:
    talk = onboarding()
    await talk.start()
    assert (await talk.say("no thanks")).end == "declined"

    talk = onboarding()
    await talk.start()
    await talk.say("called Atlas")
    assert (await talk.say("no")).step == "gathering_repos"


async def test_done_without_a_project_asks_for_one() -> None:
    talk = onboarding()
    await talk.start()
    assert (await talk.say("done")).step == "gathering_projects"
    assert names(talk) == []


async def test_the_same_project_is_noted_once() -> None:
    talk = onboarding()
    await talk.start()
    await talk.say("called Atlas")
    await talk.say("it's called ATLAS")
    assert names(talk) == ["Atlas"]


async def test_a_message_that_names_a_project_starts_with_it() -> None:
    talk = onboarding()
    started = await talk.start("set up my project called HealthTrack")
    assert started.step == "gathering_projects"
    assert names(talk) == ["HealthTrack"]
    assert talk.conductor.kept(talk.definition, talk.instance) == "HealthTrack is saved."


async def test_a_turn_that_runs_twice_creates_the_same_project() -> None:
    talk = onboarding()
    await talk.start()
    turn = talk.turn("called Atlas")
    first, second = [await talk.conductor.answer(talk.definition, talk.instance, turn) for _ in range(2)]
    assert first == second
