"""The onboarding that comes with Softrail."""

import json
from collections.abc import Sequence
from datetime import timedelta

import pytest

from softrail.core.effects import Effect
from softrail.core.ports import Project, Projects, Prompts
from softrail.core.questions import Question
from softrail.processes.builtin.onboarding import Onboarding
from softrail.processes.play import Played
from tests.readers import FakeMarker
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


#: What the small model finds in these messages.
VALUES = {
    "My main project is called Piper Morgan": {"called": "Piper Morgan"},
    "Yes, I have another project to tell you about": {"nothing": ""},
    "Yes, another one called Dynamic Atlas": {"called": "Dynamic Atlas"},
    "Working on Atlas for now": {"called": "Atlas"},
    "called Atlas": {"called": "Atlas"},
    "called CoVa": {"called": "CoVa"},
    "it's called ATLAS": {"called": "ATLAS"},
    "something that waters the plants of people who travel for weeks on end": {"about": "waters the plants"},
    "no, call it Foo": {"called": "Foo"},
    "that's not a project": {"nothing": ""},
    "Atlas is for sailors": {"nothing": ""},
    "ask me later": {"called": "ask me later"},
    "I have three of them, namely the usual ones": {"nothing": ""},
    "it is spelled Atlass": {"called": "Atlass"},
    "it is Attlas": {"called": "Attlas"},
    "remove Atlas": {"called": "remove Atlas"},
    "Atlas has the repo acme/atlas": {"called": "acme/atlas"},
    "Atlas is really called Atlas Labs": {"called": "Atlas Labs"},
    "a weekly talk about old trains": {},
    "restaurants nearby mostly": {"about": "restaurants nearby mostly"},
    "we began in May": {"nothing": ""},
    "just those two": {"nothing": ""},
    "Lumen, which is a lamp rental for events": {"nothing": ""},
    "Blue Harbor: boats for people who have none": {"nothing": ""},
    "well, there is Lumen, a lamp rental, and a thing called Moth": {"nothing": ""},
    "We rent lamps to people who have events": {"nothing": ""},
    "also Moth, it tracks insects by their wings": {"nothing": ""},
    "Yes, a thing for people who rent lamps": {"nothing": ""},
    "Kite, toys for the beach": {"called": "Kite, toys for the beach"},
    "Kestrel, Owl": {"called": "Kestrel, Owl"},
    "hmm no it is named Platform Nine actually": {"called": "Platform Nine"},
}
ACTS = {
    "Yes, I have another project to tell you about": {"affirm": 0.9},
    "Yes, another one called Dynamic Atlas": {"affirm": 0.9, "inform": 0.9},
    "no, call it Foo": {"correct": 0.98},
    "that's not a project": {"correct": 0.9, "negate": 0.4},
    "restaurants nearby mostly": {"inform": 0.3},
    "we began in May": {"inform": 0.3},
    "just those two": {"inform": 0.9},
    "ask me later": {"inform": 0.95, "negate": 0.75},
    "it is spelled Atlass": {"correct": 0.95},
    "it is Attlas": {"correct": 0.95},
    "remove Atlas": {"correct": 0.95},
    "Atlas has the repo acme/atlas": {"correct": 0.95},
    "Atlas is really called Atlas Labs": {"correct": 0.95},
    "hmm no it is named Platform Nine actually": {"correct": 0.95},
}


def onboarding(*projects: str) -> Talk:
    marker = FakeMarker(acts=ACTS, values=VALUES)
    return Talk(Onboarding, services={Projects: Kept(*projects), Prompts: Texts()}, marker=marker)


def names(talk: Talk) -> list[str]:
    return [p["name"] for p in json.loads(talk.instance.data)["data"]["projects"]]


async def test_its_steps_and_its_limit_are_as_documented() -> None:
    definition = onboarding().definition
    assert list(definition.steps) == [
        "initiated",
        "gathering_projects",
        "asking_back",
        "confirming",
        "gathering_repos",
        "reviewing",
    ]
    assert definition.first == "initiated"
    assert (definition.idle_timeout, definition.priority) == (timedelta(minutes=30), 10)


async def test_only_people_without_projects_are_offered_it() -> None:
    for talk, offered in ((onboarding(), True), (onboarding("Atlas"), False)):
        assert await talk.conductor.offer_when(talk.definition, talk.turn("hello")) is offered


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
    review = await talk.say("vercel/next.js")
    assert (review.step, review.end, list(review.effects)) == ("reviewing", None, [])
    assert "- Atlas, vercel/next.js" in review.say
    done = await talk.say("yes")
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


async def test_what_is_no_address_twice_is_heard_by_whoever_it_is_for() -> None:
    talk = onboarding()
    await talk.start()
    await talk.say("Working on Atlas for now")
    await talk.say("that's all")
    told = await talk.say("somewhere on my laptop")
    passed_on = await talk.say("what have I told you about the budget")
    assert "owner/name" in told.say
    assert (passed_on.say, passed_on.release is not None) == ("", True)
    assert (await talk.say("vercel/next.js")).step == "reviewing"


async def test_the_name_of_a_project_that_was_told_without_one_renames_no_other() -> None:
    talk = onboarding()
    await talk.start()
    await talk.say("called Atlas")
    asked = await talk.say("a weekly talk about old trains")
    assert "What is it called?" in asked.say
    await talk.say("hmm no it is named Platform Nine actually")
    assert names(talk) == ["Atlas", "Platform Nine"]


async def two_projects() -> Talk:
    talk = onboarding()
    await talk.start()
    await talk.say("called Atlas")
    await talk.say("called CoVa")
    await talk.say("that's all")
    assert talk.instance.step == "confirming"
    return talk


@pytest.mark.parametrize(
    ("said", "main"), [("CoVa", "CoVa"), ("the first one", "Atlas"), ("save", None), ("Save", None)]
)
async def test_the_main_project_is_asked_for_once_when_there_are_several(said: str, main: str | None) -> None:
    talk = await two_projects()
    assert (await talk.say(said)).step == "gathering_repos"
    await talk.say("skip all")
    done = await talk.say("Save")
    mains = [e.payload["name"] for e in done.effects if isinstance(e, Effect) and e.payload["main"]]
    assert mains == ([main] if main else [])


async def test_an_answer_that_names_no_project_is_asked_again_and_may_be_left_out() -> None:
    talk = await two_projects()
    again = await talk.say("hm, hard to say")
    assert again.say.startswith(
        "Please choose one of these.\n\nWhich of these is your main project: Atlas, CoVa?"
    )
    assert (await talk.say("really hard")).step == "confirming"
    assert (await talk.say("skip")).step == "gathering_repos"


async def test_repositories_are_asked_for_project_by_project() -> None:
    talk = await two_projects()
    assert "Atlas" in (await talk.say("save")).say
    assert "CoVa" in (await talk.say("skip")).say
    await talk.say("https://github.com/mediajunkie/cova.git")
    done = await talk.say("yes")
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


async def test_what_a_project_does_is_kept_until_its_name_is_told() -> None:
    talk = onboarding()
    await talk.start()
    asked = await talk.say("something that waters the plants of people who travel for weeks on end")
    assert "What is it called?" in asked.say
    await talk.say("Atlas")
    [project] = json.loads(talk.instance.data)["data"]["projects"]
    assert project["name"] == "Atlas"
    assert "waters the plants" in project["description"]
    assert talk.conductor.kept(talk.definition, talk.instance) == "Atlas is saved."


async def test_the_last_name_is_corrected_or_taken_out() -> None:
    talk = onboarding()
    await talk.start()
    await talk.say("called Atlas")
    await talk.say("no, call it Foo")
    assert names(talk) == ["Foo"]
    asked = await talk.say("that's not a project")
    assert names(talk) == ["Foo"]
    assert [o.label for o in question(asked).options] == [
        "Another project",
        "It is about Foo",
        "Take Foo out",
        "None of these",
    ]
    gone = await talk.say("Take Foo out")
    assert names(talk) == []
    assert "taken Foo out" in gone.say


def question(played: Played) -> Question:
    assert played.question is not None
    return played.question


async def told(*lines: str) -> Talk:
    talk = onboarding()
    await talk.start()
    for line in lines:
        await talk.say(line)
    return talk


async def test_several_projects_in_one_message_are_all_noted() -> None:
    both = "one called Thrush and another called Wren"
    left = both.replace("Wren", "…   ")
    values = {
        both: {"called": "Wren"},
        left: {"called": "Thrush"},
        left.replace("Thrush", "…     "): {"called": ""},
    }
    marker = FakeMarker(values=values)
    talk = Talk(Onboarding, services={Projects: Kept(), Prompts: Texts()}, marker=marker)
    await talk.start()

    assert "I've noted Thrush and Wren." in (await talk.say(both)).say
    assert names(talk) == ["Thrush", "Wren"]


async def test_one_name_or_two_is_asked() -> None:
    for answer, kept in (
        ("A project called Kestrel and Owl", ["Kestrel and Owl"]),
        ("2 projects", ["Kestrel", "Owl"]),
    ):
        talk = await told("Kestrel and Owl")
        assert names(talk) == []
        await talk.say(answer)
        assert names(talk) == kept


async def test_the_very_name_said_again_is_one_project_and_not_its_parts() -> None:
    talk = await told("Crumb & Co")
    assert names(talk) == []
    await talk.say("Crumb & Co")
    assert names(talk) == ["Crumb & Co"]


async def test_what_names_a_project_that_is_there_is_asked_about() -> None:
    for answer, kept in (
        ("It is about Atlas", ["Atlas"]),
        ("Take Atlas out", []),
        ("None of these", ["Atlas"]),
        ("no", ["Atlas"]),
    ):
        talk = await told("called Atlas", "Atlas is for sailors")
        assert talk.instance.step == "asking_back"
        await talk.say(answer)
        assert (talk.instance.step, names(talk)) == ("gathering_projects", kept)
    description = json.loads(
        (await told("called Atlas", "Atlas is for sailors", "It is about Atlas")).instance.data
    )
    assert description["data"]["projects"][0]["description"] == "called Atlas\nAtlas is for sailors"


async def test_a_name_in_a_refusal_is_doubted() -> None:
    talk = await told("ask me later")
    assert (talk.instance.step, names(talk)) == ("asking_back", [])
    again = await talk.say("None of these")
    assert question(again).prompt.startswith("Tell me about your main project")


async def test_a_sentence_is_never_taken_for_a_name() -> None:
    talk = await told("I have three of them, namely the usual ones")
    assert names(talk) == []


async def test_what_was_told_of_a_project_without_a_name_is_not_dropped_by_a_no() -> None:
    talk = await told("something that waters the plants of people who travel for weeks on end", "no")
    assert talk.instance.state == "active"
    await talk.say("called Atlas")
    [project] = json.loads(talk.instance.data)["data"]["projects"]
    assert "waters the plants" in project["description"]


async def test_of_the_old_name_and_the_new_one_in_a_message_the_new_one_is_taken() -> None:
    both = "Atlas should be called CoVa"
    marker = FakeMarker(
        acts={both: {"correct": 0.95}},
        values={
            "called Atlas": {"called": "Atlas"},
            both: {"called": "Atlas"},
            both.replace("Atlas", "…    "): {"called": "CoVa"},
        },
    )
    talk = Talk(Onboarding, services={Projects: Kept(), Prompts: Texts()}, marker=marker)
    await talk.start()
    await talk.say("called Atlas")

    assert "Atlas is called CoVa now." in (await talk.say(both)).say
    assert names(talk) == ["CoVa"]


async def test_a_name_is_put_right_until_everything_is_saved() -> None:
    talk = await told("called Atlas", "called CoVa", "no", "save", "it is spelled Atlass")
    assert names(talk) == ["Atlass", "CoVa"]
    await talk.say("skip all")
    shown = await talk.say("it is Attlas")
    assert "Atlass is called Attlas now." in shown.say
    assert names(talk) == ["Attlas", "CoVa"]


async def test_the_review_leaves_one_out_adds_one_or_begins_anew() -> None:
    talk = await two_projects()
    await talk.say("save")
    await talk.say("skip all")
    without = await talk.say("Without Atlas")
    assert (without.step, names(talk)) == ("reviewing", ["CoVa"])
    more = await talk.say("One more project")
    assert more.step == "gathering_projects"
    await talk.say("called Atlas")
    assert names(talk) == ["CoVa", "Atlas"]


@pytest.mark.parametrize("said", ["Atlas", "I like Atlas", "Atlas and/or something"])
async def test_the_review_takes_nothing_out_and_renames_nothing_on_a_guess(said: str) -> None:
    talk = await told("called Atlas", "called CoVa", "no", "save", "skip all")
    again = await talk.say(said)
    assert (again.step, names(talk)) == ("reviewing", ["Atlas", "CoVa"])
    assert again.say.startswith("What should be different?")


async def test_the_review_takes_the_repository_of_a_project_that_is_named() -> None:
    talk = await told("called Atlas", "called CoVa", "no", "save", "skip all")
    again = await talk.say("Atlas has the repo acme/atlas")
    assert again.say.startswith("I've noted that with Atlas.")
    assert [p["repository"] for p in json.loads(again.data)["data"]["projects"]] == ["acme/atlas", None]


@pytest.mark.parametrize(
    "said", ["Without Atlas", "without atlas please", "remove Atlas", "drop the first one", "B", "2"]
)
async def test_the_review_takes_out_what_a_button_says(said: str) -> None:
    talk = await told("called Atlas", "called CoVa", "no", "save", "skip all")
    await talk.say(said)
    assert names(talk) == ["CoVa"]


async def test_a_name_becomes_longer_where_both_are_told() -> None:
    talk = await told("called Atlas", "called CoVa", "no", "save", "skip all")
    await talk.say("Atlas is really called Atlas Labs")
    assert names(talk) == ["Atlas Labs", "CoVa"]


async def test_a_project_without_a_button_is_left_out_in_the_same_words() -> None:
    six = [f"A{number}" for number in range(1, 7)]
    talk = await told(*six, "no", "save", "skip all")
    await talk.say("without a6")
    assert names(talk) == six[:-1]


async def test_a_project_is_not_taken_out_by_its_name_alone() -> None:
    talk = await told("called Atlas", "Atlas is for sailors")
    await talk.say("Atlas is out")
    assert (talk.instance.step, names(talk)) == ("asking_back", ["Atlas"])


async def test_names_that_differ_by_a_sign_are_two() -> None:
    talk = await told("C++", "C#", "c++")
    assert names(talk) == ["C++", "C#"]


async def test_a_turn_that_runs_twice_creates_the_same_project() -> None:
    talk = onboarding()
    await talk.start()
    turn = talk.turn("called Atlas")
    first, second = [await talk.conductor.answer(talk.definition, talk.instance, turn) for _ in range(2)]
    assert first == second


async def test_a_name_is_put_right_where_the_main_project_is_asked_for() -> None:
    talk = await two_projects()
    again = await talk.say("it is spelled Atlass")
    assert again.step == "confirming"
    assert again.say.startswith(
        "Atlas is called Atlass now.\n\nWhich of these is your main project: Atlass, CoVa?"
    )


@pytest.mark.parametrize("beside", ["restaurants nearby mostly", "we began in May"])
async def test_what_has_no_name_is_no_further_project_unasked(beside: str) -> None:
    talk = onboarding()
    await talk.start()
    await talk.say("called Atlas")
    asked = await talk.say(beside)
    assert f"what to make of “{beside}”" in asked.say
    assert [o.label for o in question(asked).options][:2] == ["Another project", "It is about Atlas"]
    assert "I've noted that with Atlas." in (await talk.say("It is about Atlas")).say


async def test_short_words_said_beside_the_buttons_are_no_name_unasked() -> None:
    talk = onboarding()
    await talk.start()
    await talk.say("called Atlas")
    await talk.say("restaurants nearby mostly")
    asked = await talk.say("just those two")
    assert question(asked).options[0].label == "A project called just those two"
    await talk.say("None of these")
    assert "Atlas" in (await talk.say("that's all")).say


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("Lumen, which is a lamp rental for events", ["Lumen"]),
        ("Blue Harbor: boats for people who have none", ["Blue Harbor"]),
        ("also Moth, it tracks insects by their wings", ["Moth"]),
        ("Yes, a thing for people who rent lamps", []),
        ("Kite, toys for the beach", ["Kite"]),
        ("Kestrel, Owl", []),
        ("well, there is Lumen, a lamp rental, and a thing called Moth", []),
        ("We rent lamps to people who have events", []),
    ],
)
async def test_a_name_that_nobody_read_is_known_by_how_it_is_written(told: str, kept: list[str]) -> None:
    talk = onboarding()
    await talk.start()
    await talk.say(told)
    assert names(talk) == kept


async def test_several_that_are_written_as_names_are_asked_about() -> None:
    talk = onboarding()
    await talk.start()
    asked = await talk.say("well, there is Lumen, a lamp rental, and a thing called Moth")
    assert question(asked).options[0].label == "2 projects: Lumen and Moth"
    await talk.say("2 projects: Lumen and Moth")
    assert names(talk) == ["Lumen", "Moth"]
