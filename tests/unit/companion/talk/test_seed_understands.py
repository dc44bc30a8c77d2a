"""What people say while they describe a project, as a reader finds it: where it goes, and what comes next."""

from collections.abc import AsyncIterator

import pytest

from softrail.companion.memory.replying import ReplyFields
from softrail.settings import Settings
from softrail.testing import FrozenClock, Said
from tests.readers import reader
from tests.unit.companion.talk.kit import Talk, companion_talk, reviewed

ANSWERS = ("a museum guide", "Muse", "tourists", "10 visits", "skip", "skip", "skip")
WHERE = {"what": 0, "name": 1, "who": 2, "success": 3, "voice": 4, "constraints": 5, "notes": 6, "review": 7}
QUESTIONS = {
    "what": "What is the work about? A sentence or two is enough.",
    "name": "What shall we call it?",
    "who": "Who will use it, or read it?",
    "success": "How will you know that it is a success?",
    "voice": "Which voice should it have: plain, formal, playful? “Skip” leaves it open.",
    "constraints": "Are there constraints to keep: money, time, rules, technology? “Skip” if there are none.",
    "review": "Shall I create it?",
}
ACTS = {
    "I think families": {"inform": 0.97},
    "Muse, for kids": {"inform": 0.96, "inform_other": 0.9},
    "no wait, it should be called Velo": {"correct": 0.95, "inform": 0.1},
    "it must run offline": {"inform_other": 0.9, "inform": 0.3},
    "no idea": {"open": 0.95},
    "I don't care": {"none": 0.9, "open": 0.6},
    "hm good question": {"hold": 0.9},
    "what do you mean by that?": {"ask": 0.95},
    "make it 20 visits": {"correct": 0.9},
    "the name is wrong": {"correct": 0.9},
    "Paris and it has to be free": {"correct": 0.9},
    "nah": {"negate": 0.9},
    "sounds wonderful to me": {"affirm": 0.9},
    "hm maybe": {"affirm": 0.4, "hold": 0.3},
    "I have to run": {"pause": 0.9},
    "no I mean schools": {"inform": 0.65},
    "no deadline as such, but spring would be good": {"inform": 0.84, "none": 0.53},
    "an irrigation planner for vineyards": {"inform": 0.96},
    "ugh stop": {"inform": 0.4, "leave": 0.55},
    "I have a fresh project that I would love to write up here": {"request": 0.92},
    "I need to document a thing we are kicking off": {"request": 0.81, "inform": 0.1},
    "we run a bakery and would like to keep on top of it": {"inform": 0.95, "request": 0.25},
    "would like to keep on top of it": {"request": 0.8},
    "we are hoping to start a van for books, shall we?": {"request": 0.8, "inform": 0.4},
}
VALUES = {
    "I think families": {"Who will use it": "families"},
    "Muse, for kids": {"call it": "Muse", "the people": "kids"},
    "no wait, it should be called Velo": {"the name of": "Velo"},
    "it must run offline": {"constraints to keep: budget": "it must run offline"},
    "make it 20 visits": {"the goal": "20 visits"},
    "Paris and it has to be free": {"the people": "Paris", "constraints to keep": "it has to be free"},
    "the name is wrong": {},
    "hm maybe": {},
    "no I mean schools": {"the goal": "schools", "it is a success": "schools"},
    "we run a bakery and would like to keep on top of it": {"work about": "we run a bakery"},
}


@pytest.fixture
async def c(frozen: FrozenClock) -> AsyncIterator[Talk]:
    async with companion_talk(frozen, settings=Settings(), reader=reader(acts=ACTS, values=VALUES)) as talk:
        yield talk


async def asked_for(c: Talk, asked: str) -> None:
    """Everything before this part is answered, so that it is what is asked for."""
    await c.say("create a project", "create_project")
    for answer in ANSWERS[: WHERE[asked]]:
        await c.say(answer)


def draft(said: Said) -> str:
    """The draft as it stands."""
    return said.reply.brought(ReplyFields).draft_specification or ""


async def test_an_answer_is_kept_without_its_framing_and_read_back(c: Talk) -> None:
    await asked_for(c, "who")
    said = await c.say("I think families")
    assert said.text == f"Audience: families.\n\n{QUESTIONS['success']}"
    assert draft(said).endswith("## Who it is for\n\nfamilies")


@pytest.mark.parametrize("wish", [message for message in ACTS if "request" in ACTS[message]][:2])
async def test_a_wish_to_begin_is_no_idea(c: Talk, wish: str) -> None:
    said = await c.say(wish, "create_project")
    assert (said.text, draft(said)) == (QUESTIONS["what"], "")


async def test_what_the_first_message_tells_is_kept_in_the_words_that_tell_it(c: Talk) -> None:
    said = await c.say("we run a bakery and would like to keep on top of it", "create_project")
    assert said.text.startswith("Description: we run a bakery.\n\n")


async def test_behind_words_that_begin_something_less_is_enough(c: Talk) -> None:
    said = await c.say("we are hoping to start a van for books, shall we?", "create_project")
    assert said.text.startswith("Description: a van for books")


async def test_what_is_meant_instead_of_the_answer_before_is_asked_about(c: Talk) -> None:
    await asked_for(c, "success")
    said = await c.say("no I mean schools")
    assert said.reply.pending is not None
    assert list(said.reply.pending.options) == [
        "Audience: schools instead of tourists",
        "Success condition: schools",
        "None of these",
    ]
    assert "schools" not in draft(said)


async def test_none_with_something_to_keep_beside_it_is_asked_about(c: Talk) -> None:
    await asked_for(c, "constraints")
    said = await c.say("no deadline as such, but spring would be good")
    assert said.reply.pending is not None
    assert list(said.reply.pending.options) == ["It is your answer", "None", "Neither"]
    await c.say("It is your answer")
    assert "no deadline as such, but spring would be good" in draft(await c.say("skip"))


async def test_an_answer_may_tell_more_than_it_was_asked_for(c: Talk) -> None:
    await asked_for(c, "name")
    said = await c.say("Muse, for kids")
    assert said.text == f"Audience: kids. Name: Muse.\n\n{QUESTIONS['success']}"


@pytest.mark.parametrize(
    ("asked", "message", "noted", "then"),
    [
        ("who", "no wait, it should be called Velo", "Name: Velo.", "who"),
        ("who", "it must run offline", "Constraints: it must run offline.", "who"),
        ("success", "no wait, it should be called Velo", "Name: Velo.", "success"),
    ],
)
async def test_what_answers_something_else_goes_there_and_the_question_comes_again(
    c: Talk, asked: str, message: str, noted: str, then: str
) -> None:
    await asked_for(c, asked)
    said = await c.say(message)
    assert said.text == f"{noted}\n\n{QUESTIONS[then]}"


@pytest.mark.parametrize(
    ("asked", "message", "then"),
    [
        ("voice", "no idea", "constraints"),
        ("voice", "I don't care", "constraints"),
        ("who", "hm good question", "who"),
        ("who", "what do you mean by that?", "who"),
        ("review", "what do you mean by that?", "review"),
    ],
)
async def test_what_is_no_answer_is_not_kept_as_one(c: Talk, asked: str, message: str, then: str) -> None:
    await asked_for(c, asked)
    said = await c.say(message)
    assert said.text.endswith(QUESTIONS[then])
    assert message not in draft(said)
    assert (said.state, said.effects) == ("active", [])


async def test_what_may_be_a_yes_or_a_no_is_asked_before_anything_is_created(c: Talk) -> None:
    await asked_for(c, "review")
    said = await c.say("hm maybe")
    assert said.text == "Is “hm maybe” a yes or a no?"
    assert (said.state, said.effects) == ("active", [])


@pytest.mark.parametrize(("asked", "missing"), [("what", "description"), ("success", "success condition")])
async def test_without_what_is_required_it_offers_to_pause(c: Talk, asked: str, missing: str) -> None:
    await asked_for(c, asked)
    said = await c.say("no idea")
    assert said.text.startswith(f"I can't go on without the {missing}. Shall I pause your new project")
    assert (said.state, said.pending, said.effects) == ("active", "clarify", [])
    assert "no idea" not in draft(said)


async def test_in_doubt_nothing_is_kept_and_the_draft_is_shown_as_it_is(c: Talk) -> None:
    await asked_for(c, "who")
    said = await c.say("ugh stop")
    assert said.pending == "clarify"
    assert "the audience" in said.text
    assert draft(said).endswith("a museum guide")
    assert said.reply.brought(ReplyFields).readiness == "drafting"


async def test_a_wish_to_leave_pauses_it_with_everything(c: Talk) -> None:
    await asked_for(c, "success")
    said = await c.say("I have to run")
    assert said.state == "suspended"
    assert "For Muse I have noted what it is and who it is for." in said.text


async def test_a_change_in_the_review_is_carried_out_and_shown(c: Talk) -> None:
    await asked_for(c, "review")
    said = await c.say("make it 20 visits")
    assert "## Success conditions\n\n20 visits" in said.text
    assert (said.pending, said.effects) == ("confirm", [])


async def test_two_changes_in_one_message_are_both_carried_out(c: Talk) -> None:
    await asked_for(c, "review")
    said = await c.say("Paris and it has to be free")
    assert "## Who it is for\n\nParis" in draft(said)
    assert "## Constraints\n\nit has to be free" in draft(said)


async def test_a_part_that_is_named_as_wrong_is_asked_again(c: Talk) -> None:
    await asked_for(c, "review")
    assert (await c.say("the name is wrong")).text == QUESTIONS["name"]
    assert (await c.say("Velo")).text.endswith(QUESTIONS["review"])


async def test_a_no_to_the_review_asks_what_to_change_and_a_yes_creates(c: Talk) -> None:
    await asked_for(c, "review")
    assert "What should I change?" in (await c.say("nah")).text
    assert (await c.say("sounds wonderful to me")).effects == ["project_created"]


async def test_a_change_that_comes_with_a_hint_to_create_is_made_and_shown_first(c: Talk) -> None:
    await asked_for(c, "review")
    said = await c.say("make it 20 visits", "finalize_project")
    assert (said.effects, said.pending) == ([], "confirm")
    assert "20 visits" in said.text


async def test_a_hint_to_begin_says_the_idea_in_its_own_words(c: Talk) -> None:
    said = await c.say("an irrigation planner for vineyards", "create_project")
    assert said.text == f"Description: an irrigation planner for vineyards.\n\n{QUESTIONS['name']}"


@pytest.mark.parametrize("yes", ["do it", "ok do it", "do that please"])
async def test_a_yes_that_begins_as_questions_do_is_none(c: Talk, yes: str) -> None:
    await reviewed(c)
    assert (await c.say(yes)).effects == ["project_created"]


async def test_a_quoted_name_ends_with_its_quotes(c: Talk) -> None:
    said = await c.say(
        'new project: "Quiet Hours" - a booking tool for library study rooms', "create_project"
    )
    assert said.text.startswith("Name: Quiet Hours. Description: a booking tool for library study rooms.")
