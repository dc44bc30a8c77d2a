"""What people say while they describe a project, whatever they were asked: where it goes, and what comes next."""

from collections.abc import AsyncIterator

import pytest

from softrail.testing import FrozenClock, Said
from tests.unit.companion.talk.kit import Talk, companion_talk

ANSWERS = {
    "what": "a museum guide",
    "name": "Muse",
    "who": "tourists",
    "success": "10 visits",
    "voice": "skip",
    "constraints": "skip",
    "notes": "skip",
}
QUESTIONS = {
    "what": "What is the work about? A sentence or two is enough.",
    "name": "What shall we call it? I would call it “Museum Guide”.",
    "who": "Who will use it, or read it?",
    "success": "How will you know that it is a success?",
    "voice": "Which voice should it have: plain, formal, playful? “Skip” leaves it open.",
    "constraints": "Are there constraints to keep: money, time, rules, technology? “Skip” if there are none.",
    "notes": "What else should I note? “Skip” if that is all.",
    "review": "Shall I create it?",
}
HEADINGS = {
    "what": "What it is",
    "who": "Who it is for",
    "success": "Success conditions",
    "voice": "Voice",
    "constraints": "Constraints",
    "notes": "Additional notes",
}


@pytest.fixture
async def c(frozen: FrozenClock) -> AsyncIterator[Talk]:
    async with companion_talk(frozen) as talk:
        yield talk


async def asked_for(c: Talk, asked: str) -> None:
    """Everything before this part is answered, so that it is what is asked for."""
    await c.say("create a project", "create_project")
    for key, answer in ANSWERS.items():
        if key == asked:
            return
        await c.say(answer)


def told(said: Said) -> dict[str, str]:
    """The draft by part."""
    parts = (said.reply.draft_specification or "").split("## ")
    found = {"name": parts[0].strip(" #\n")} if parts[0].strip() else {}
    headings = {heading: key for key, heading in HEADINGS.items()}
    for part in parts[1:]:
        heading, _, text = part.partition("\n")
        found[headings[heading]] = text.strip()
    return found


def before(asked: str) -> dict[str, str]:
    """What was told before this part was asked for."""
    found = {}
    for key, answer in ANSWERS.items():
        if key == asked:
            break
        if answer != "skip":
            found[key] = answer
    return found


@pytest.mark.parametrize(
    ("asked", "message", "answers", "then"),
    [
        ("what", "who consumes it: museum visitors", {"who": "museum visitors"}, "what"),
        ("what", "for farmers", {"who": "farmers"}, "what"),
        ("what", "the goal is 500 users", {"success": "500 users"}, "what"),
        ("name", "the success is 10 practices pay by June", {"success": "10 practices pay by June"}, "name"),
        ("name", "our users are farmers", {"who": "farmers"}, "name"),
        ("name", "the goal is 500 users", {"success": "500 users"}, "name"),
        ("name", "for farmers", {"who": "farmers"}, "name"),
        ("name", "it's for kids and their parents", {"who": "kids and their parents"}, "name"),
        ("name", "the budget is 20k", {"constraints": "the budget is 20k"}, "name"),
        ("name", "it must run offline", {"constraints": "it must run offline"}, "name"),
        (
            "name",
            "The audience is kids. The budget is 20k.",
            {"who": "kids", "constraints": "The budget is 20k"},
            "name",
        ),
        (
            "name",
            "we already agreed with two museums",
            {"notes": "we already agreed with two museums"},
            "name",
        ),
        ("who", "no wait, it should be called Velo", {"name": "Velo"}, "who"),
        ("who", "rename it to Foo", {"name": "Foo"}, "who"),
        ("who", "the goal is 500 users", {"success": "500 users"}, "who"),
        (
            "who",
            "we are done when ten people use it",
            {"success": "we are done when ten people use it"},
            "who",
        ),
        ("success", "actually the audience is kids", {"who": "kids"}, "success"),
        ("success", "the name is Foo and the audience is kids", {"name": "Foo", "who": "kids"}, "success"),
        ("voice", "call it Foo", {"name": "Foo"}, "voice"),
        ("who", "what it is: a boat", {"what": "a boat"}, "who"),
        ("notes", "the audience is kids", {"who": "kids"}, "notes"),
    ],
)
async def test_what_says_itself_what_it_answers_goes_there_and_the_question_comes_again(
    c: Talk, asked: str, message: str, answers: dict[str, str], then: str
) -> None:
    await asked_for(c, asked)
    said = await c.say(message)
    assert told(said) == before(asked) | answers
    assert said.text.endswith(QUESTIONS[then])
    assert not said.text.startswith("Noted.")  # it is said what was understood


@pytest.mark.parametrize(
    ("asked", "message", "answers"),
    [
        (
            "what",
            "We sell bikes. Our users are kids. The goal is 500 bikes.",
            {"what": "We sell bikes.", "who": "kids", "success": "500 bikes"},
        ),
        ("what", "call it Velo, a bike app", {"name": "Velo", "what": "call it Velo, a bike app"}),
        ("name", "Velo. The audience is kids.", {"name": "Velo", "who": "kids"}),
        ("who", "Kids, and the budget is 20k", {"who": "Kids", "constraints": "the budget is 20k"}),
        ("who", "for kids and it must be free", {"who": "kids", "constraints": "it must be free"}),
    ],
)
async def test_an_answer_may_tell_more_than_it_was_asked_for(
    c: Talk, asked: str, message: str, answers: dict[str, str]
) -> None:
    await asked_for(c, asked)
    said = await c.say(message)
    assert told(said) == before(asked) | answers
    assert all(QUESTIONS[key] not in said.text for key in answers)


async def test_a_long_answer_is_one_answer_to_its_last_word(c: Talk) -> None:
    await asked_for(c, "success")
    message = f"the audience is {'very ' * 600}pleased"
    assert told(await c.say(message))["success"] == message


@pytest.mark.parametrize(
    ("asked", "message", "answer"),
    [
        ("what", "it's for tracking bees", "it's for tracking bees"),
        ("what", "the goal is to help farmers find water", "the goal is to help farmers find water"),
        ("what", "it must help farmers find water", "it must help farmers find water"),
        ("what", "users book tennis courts and pay", "users book tennis courts and pay"),
        ("name", "Good Food Guide", "Good Food Guide"),
        ("name", "For Farmers", "For Farmers"),
        ("name", "Must Have", "Must Have"),
        ("name", "call it Foo please", "Foo"),
        ("who", "for farmers", "farmers"),
        ("who", "customers", "customers"),
        ("who", "our readers are kids", "kids"),
        ("who", "people who download files", "people who download files"),
        ("who", "people who write drafts", "people who write drafts"),
        ("success", "- 100 orders a month\n- no returns", "- 100 orders a month\n- no returns"),
        ("success", "users are happy", "users are happy"),
        ("success", "users must be able to work offline", "users must be able to work offline"),
        ("success", "it must be profitable", "it must be profitable"),
        ("success", "the budget is kept", "the budget is kept"),
        ("voice", "for kids", "for kids"),
        ("voice", "playful, but not for kids", "playful, but not for kids"),
        ("constraints", "it has to run without internet", "it has to run without internet"),
        ("constraints", "no users under 13", "no users under 13"),
        ("notes", "our users are mostly nurses", "our users are mostly nurses"),
    ],
)
async def test_an_answer_stays_an_answer(c: Talk, asked: str, message: str, answer: str) -> None:
    await asked_for(c, asked)
    said = await c.say(message)
    assert told(said) == before(asked) | {asked: answer}
    order = [*QUESTIONS]
    following = order[order.index(asked) + 1]
    assert said.text.endswith(QUESTIONS[following]) or following == "name"


@pytest.mark.parametrize(
    ("asked", "message", "head", "then"),
    [
        ("name", "no name yet", "All right, we come back to a name.", "who"),
        ("name", "I'll decide later", "All right, we come back to a name.", "who"),
        ("name", "I haven't decided yet", "All right, we come back to a name.", "who"),
        ("who", "I'll decide later", "All right, we come back to who it is for.", "success"),
        ("success", "I'll decide later", "A rough answer is enough;", "success"),
        ("who", "I already told you", "I can't find it in what you have told me;", "who"),
        ("who", "download the specification", "Your new project is not created yet", "who"),
        ("success", "download the specification", "Your new project is not created yet", "success"),
        ("voice", "wait", "There is no hurry:", "voice"),
        ("voice", "hold on", "There is no hurry:", "voice"),
        ("voice", "success", "", "success"),
        ("voice", "the constraints", "", "constraints"),
        ("voice", "nothing", "", "constraints"),
        ("voice", "none", "", "constraints"),
        ("voice", "you decide", "", "constraints"),
        ("constraints", "no constraints", "", "notes"),
        ("constraints", "there are none", "", "notes"),
        ("success", "none", "I need this one", "success"),
        ("success", "remove the audience", "I need this one", "who"),
        ("who", "show me the draft", "Here is the project as I understand it:", "who"),
    ],
)
async def test_what_is_no_answer_is_not_kept_as_one(
    c: Talk, asked: str, message: str, head: str, then: str
) -> None:
    await asked_for(c, asked)
    said = await c.say(message)
    assert said.text.startswith(head)
    assert said.text.endswith(QUESTIONS[then])
    seen = await c.say("what have I told you?")
    assert message not in seen.text.splitlines()


@pytest.mark.parametrize(
    "message", ["you choose", "your suggestion is fine", "up to you", "take your suggestion"]
)
async def test_the_choice_left_to_us_takes_the_name_that_was_proposed(c: Talk, message: str) -> None:
    await asked_for(c, "name")
    said = await c.say(message)
    assert told(said)["name"] == "Museum Guide"
    assert said.text == f"So it is called Museum Guide.\n\n{QUESTIONS['who']}"


async def test_what_the_work_is_may_be_said_again_where_a_name_is_asked_for(c: Talk) -> None:
    await asked_for(c, "name")
    said = await c.say("it is a boat rental app")
    assert told(said) == {"what": "a boat rental app"}
    assert said.text.endswith("I would call it “Boat Rental”.")


async def test_a_name_left_for_later_is_asked_after_the_other_required_ones(c: Talk) -> None:
    await asked_for(c, "name")
    await c.say("no name yet")
    await c.say("tourists")
    assert (await c.say("10 visits")).text.endswith(QUESTIONS["name"])
    assert (await c.say("Muse")).text.endswith(QUESTIONS["voice"])


@pytest.mark.parametrize(
    ("message", "answers"),
    [
        ("the audience is kids", {"who": "kids"}),
        ("yes but the audience is kids", {"who": "kids"}),
        ("it's for kids, not tourists", {"who": "kids"}),
        ("I changed my mind, it is for kids", {"who": "kids"}),
        ("Muse is for kids", {"who": "kids"}),
        ("looks good but change the name to Foo", {"name": "Foo"}),
        ("call it Foo", {"name": "Foo"}),
        ("rename it to Foo", {"name": "Foo"}),
        ("no, it should be called Foo", {"name": "Foo"}),
        ("also it must be free", {"constraints": "it must be free"}),
        ("I like it but it must be free", {"constraints": "it must be free"}),
        ("the voice is formal", {"voice": "formal"}),
        ("yes, and remember that it rains", {"notes": "it rains"}),
        ("tourists come only in summer", {"notes": "tourists come only in summer"}),
        ("yes, but tourists come only in summer", {"notes": "tourists come only in summer"}),
        ("kids are the ones who really use it", {"notes": "kids are the ones who really use it"}),
        ("- a thing\n- b thing", {"notes": "a thing\nb thing"}),
        ("also kids", {"notes": "kids"}),
        ("kids instead of tourists", {"who": "kids"}),
        ("not tourists, kids", {"who": "kids"}),
        ("20 visits, not 10", {"success": "20 visits"}),
        ("add constraints: no personal data", {"constraints": "no personal data"}),
        ("yes create it but it must be free", {"constraints": "it must be free"}),
        ("create it but make it free for kids", {"notes": "make it free for kids"}),
    ],
)
async def test_nothing_that_is_told_in_the_review_is_lost(
    c: Talk, message: str, answers: dict[str, str]
) -> None:
    await asked_for(c, "review")
    said = await c.say(message)
    assert told(said) == before("review") | answers
    assert (said.pending, said.effects) == ("confirm", [])
    assert said.text.endswith(QUESTIONS["review"])


@pytest.mark.parametrize(
    "message",
    [
        "hmm",
        "thanks",
        "that sounds wonderful to me",
        "the audience is fine",
        "not quite right",
        "go back",
        "no",
    ],
)
async def test_what_tells_nothing_in_the_review_leaves_the_draft_as_it_is(c: Talk, message: str) -> None:
    await asked_for(c, "review")
    said = await c.say(message)
    assert (said.state, said.effects) == ("active", [])
    assert "change the audience to …" in said.text
    assert told(await c.say("show me the draft")) == before("review")


@pytest.mark.parametrize(
    ("message", "then"),
    [
        ("the name is wrong", "What shall we call it?"),
        ("the description is wrong", QUESTIONS["what"]),
        ("change the audience", QUESTIONS["who"]),
        ("the audience", QUESTIONS["who"]),
        ("the audience is not tourists", QUESTIONS["who"]),
        ("remove the audience", QUESTIONS["who"]),
    ],
)
async def test_a_part_that_is_named_as_wrong_is_asked_again(c: Talk, message: str, then: str) -> None:
    await asked_for(c, "review")
    said = await c.say(message)
    assert then in said.text
    assert told(await c.say("show me the draft")) == before("review")


async def test_what_is_dropped_in_the_review_is_gone_and_not_asked_for(c: Talk) -> None:
    await asked_for(c, "review")
    await c.say("also it must be free")
    said = await c.say("remove the constraints")
    assert said.text.startswith("I've dropped its constraints.")
    assert told(said) == before("review")


async def test_further_constraints_stand_beside_those_there_are(c: Talk) -> None:
    await asked_for(c, "constraints")
    await c.say("no personal data")
    await c.say("skip")
    said = await c.say("also it must be free")
    assert said.text.startswith("I've changed this: constraints.")
    assert told(said)["constraints"] == "no personal data\nit must be free"


async def test_a_correction_of_what_is_asked_again_goes_on(c: Talk) -> None:
    await asked_for(c, "success")
    assert (await c.say("go back")).text == QUESTIONS["who"]
    said = await c.say("actually the audience is kids")
    assert told(said)["who"] == "kids"
    assert said.text.endswith(QUESTIONS["success"])


async def test_a_list_is_one_note_of_the_project_when_it_is_one_answer(c: Talk) -> None:
    await asked_for(c, "success")
    await c.say("- 100 orders a month\n- no returns")
    said = await c.say("finalize it")
    assert "Success conditions: 100 orders a month; no returns" in [
        note.text for note in await c.notes(said.reply.project_id or "")
    ]


@pytest.mark.parametrize("asked", ["who", "notes", "review"])
async def test_what_is_to_be_remembered_of_another_project_is_kept_there(c: Talk, asked: str) -> None:
    farm = await c.project("FarmGuard")
    await asked_for(c, asked)
    named = await c.say("Remember that FarmGuard is for kids too")
    by_id = await c.say("remember that the barn is old", project_id=farm)
    for said in (named, by_id):
        assert (said.effects, said.process, said.state) == (["note_saved"], "seed_conversation", "active")
        assert said.text.endswith(QUESTIONS[asked])
    assert [note.text for note in await c.notes(farm)] == ["FarmGuard is for kids too", "the barn is old"]
    assert told(await c.say("show me the draft")) == before(asked)


async def test_what_is_to_be_remembered_otherwise_stays_with_the_description(c: Talk) -> None:
    await c.project("Muse Shop")
    await asked_for(c, "who")
    await c.say("remember that the barn is old")
    said = await c.say("remember that Muse is closed on Mondays")
    assert told(said)["notes"] == "the barn is old\nMuse is closed on Mondays"
