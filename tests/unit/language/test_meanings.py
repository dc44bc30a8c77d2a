"""Whole messages and heads of messages: consent, greetings, moves, done-words, corrections, slash commands."""

import pytest

from softrail.language import Edit, Slash, items, language, nearest, slash
from softrail.language.slashes import HOW_TO_LEAVE

WORDS = language("en")
FIELDS = {"yesterday": (), "today": ("plan", "planned work"), "blockers": (), "main_project": ("name",)}


def cases(text: str) -> list[str]:
    return [case.strip() for case in text.split("|")]


@pytest.mark.parametrize(
    "message",
    cases(
        "yes|yes please|sure, let's do it|go ahead|sounds good|looks good|ok|y|perfect|Yes.|YES!!|yesss|ok, sounds good"
        "|that works|yep, please do|👍🏽|✅"
    ),
)
def test_consent_is_yes(message: str) -> None:
    assert WORDS.consent(message) == "yes"


@pytest.mark.parametrize(
    "message",
    cases("no|nope|no thanks|not right now|maybe later|I'm good|No, not now.|nooo|I’d rather not|👎"),
)
def test_consent_is_no(message: str) -> None:
    assert WORDS.consent(message) == "no"


@pytest.mark.parametrize(
    "message", cases("yes?|should we?|ok?|why not?|do we have to|is it ok to stop later")
)
def test_a_question_is_never_consent(message: str) -> None:
    assert WORDS.consent(message) == "question"


@pytest.mark.parametrize(
    "message",
    cases(
        "yes, and then the long story of how the parser came to be|Yes, I have another project to tell you about"
        "|yes no|👍👎|no idea|not bad|Yesterday|Nora|okapi|stop|no standup items, vendor is late"
    ),
)
def test_what_merely_opens_like_consent_is_something_else(message: str) -> None:
    assert WORDS.consent(message) == "other"


def test_never_is_a_no_for_good() -> None:
    assert WORDS.is_never("don't ask again")
    assert WORDS.consent("don't ask again") != "yes"
    assert not WORDS.is_never("not now")


@pytest.mark.parametrize(
    "message", cases("hi|Hello!|good morning|hey there 👋|👋|Good morning again!|hi all, I'm back")
)
def test_a_whole_message_of_greeting_words_is_a_greeting(message: str) -> None:
    assert WORDS.is_greeting(message)


@pytest.mark.parametrize(
    "message",
    cases("hi, how is FarmGuard going?|hi Bob|good|morning standup|🛑|hi 5 bugs fixed|everyone|the team|all"),
)
def test_a_greeting_with_something_to_say_is_what_it_says(message: str) -> None:
    assert not WORDS.is_greeting(message)


MOVES = {
    "resume": "resume|continue|Pick it up|please continue|let's pick it back up",
    "undo": "undo|undo that please|take that back",
    "start_over": "start over|Start again!|let's start over|restart",
    "skip": "skip|skip it|skip this one please|pass",
    "skip_all": "skip all|skip them all|skip the rest",
    "back": "back|go back|previous question|can we go back",
    "none": "none|Nothing.|nothing at all",
    "done_word": "that's all|no more|done|Finished.|that's it for now|I'm done, thanks|That will be all, thank you.|"
    "that's all I think|I have finished, that is all.|no more, I'm done I guess|nothing else I suppose",
    "later": "not now|not right now|later|maybe later",
}


@pytest.mark.parametrize("move", MOVES)
def test_each_move_is_known_by_its_words_and_by_no_others(move: str) -> None:
    for other, messages in MOVES.items():
        for message in cases(messages):
            assert getattr(WORDS, f"is_{move}")(message) == (other == move), message


@pytest.mark.parametrize(
    "message",
    cases(
        "skipped the retro|continue the migration|back pain|done with CI, now docs|restart?|undo the merge of #4"
    ),
)
def test_a_move_inside_an_answer_is_none(message: str) -> None:
    assert not any(getattr(WORDS, f"is_{move}")(message) for move in MOVES)


def test_a_move_may_name_its_process() -> None:
    assert not WORDS.is_resume("resume the standup")
    assert WORDS.is_resume("resume the stand-up", names=["standup"])
    assert WORDS.is_start_over("restart my standup", names=["standup"])


@pytest.mark.parametrize(
    ("message", "before"),
    [
        ("fixed login. that's all", "fixed login"),
        ("fixed login that's all thanks", "fixed login"),
        ("fixed login\nship v2\nthat's all!", "fixed login\nship v2"),
        ("wrote docs and that's all.", "wrote docs"),
        ("Fixed #108. Done!", "Fixed #108"),
        ("that's all", ""),
        ("the login is done", None),
        ("Working on Atlas for now", None),
        ("that's all I know about it", None),
    ],
)
def test_what_came_before_a_trailing_done_word_is_kept(message: str, before: str | None) -> None:
    assert WORDS.done_with(message) == before


@pytest.mark.parametrize(
    "message", cases("really?|what is this|how do I stop it|can you wait|¿Qué?|fixed it?!")
)
def test_a_question_ends_or_begins_like_one(message: str) -> None:
    assert WORDS.is_question(message)


@pytest.mark.parametrize("message", cases("When I finish I deploy|what a day|asked: why? nobody knew|is"))
def test_an_answer_that_begins_with_a_question_word_is_no_question(message: str) -> None:
    assert not WORDS.is_question(message)


def test_politeness_around_a_message_does_not_change_what_is_asked_for() -> None:
    assert WORDS.unpadded("OK, please let's do my standup now. Thank you!") == "let's do my standup"
    assert WORDS.unpadded("please") == ""


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("actually, today is fixing login", ("today", "fixing login")),
        ("change yesterday to wrote docs, fixed #108", ("yesterday", "wrote docs, fixed #108")),
        ("no wait, the name should be Great Migration", ("main_project", "Great Migration")),
        ("Sorry, my main project is Atlas", ("main_project", "Atlas")),
        ("change today to what I did yesterday", ("today", "what I did yesterday")),
        ("change the planned work to docs", ("today", "docs")),
        ("today is Friday", None),
        ("change the status of issue #108 to Done", None),
        ("actually, it was fine", None),
    ],
)
def test_a_correction_names_its_field_and_the_new_words(
    message: str, expected: tuple[str, str] | None
) -> None:
    assert WORDS.correction(message, FIELDS) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("add blocker: vendor is late", Edit("add", "blockers", "vendor is late")),
        ("add vendor (Acme) is late to the blockers", Edit("add", "blockers", "vendor (Acme) is late")),
        ("add to blockers: no access", Edit("add", "blockers", "no access")),
        ("add tests for login", Edit("add", None, "tests for login")),
        ("remove the second blocker", Edit("remove", "blockers", "2")),
        ("remove blocker 2", Edit("remove", "blockers", "2")),
        ("drop the first item from today", Edit("remove", "today", "1")),
        ("delete the last one", Edit("remove", None, "last")),
        ("remove vendor is late", Edit("remove", None, "vendor is late")),
        ("change yesterday to docs", Edit("change", "yesterday", "docs")),
        ("looks good", None),
        ("the address is wrong", None),
        ("hang on, add sweeping to blockers too", Edit("add", "blockers", "sweeping")),
        ('oh and add "print it" to blockers', Edit("add", "blockers", "print it")),
        ("looks good but yesterday should say two tickets", Edit("change", "yesterday", "two tickets")),
        ("ok, only blockers should be the vpn, please", Edit("change", "blockers", "the vpn")),
        ("yes, add tests to today", Edit("add", "today", "tests")),
        ("yes, add it", None),
        ("wait, today was wrong", None),
        ("add the vendor to the blockers though", Edit("add", "blockers", "the vendor")),
        ("yesterday should say code review, please", Edit("change", "yesterday", "code review")),
        ("yesterday should say code review, tests", Edit("change", "yesterday", "code review, tests")),
    ],
)
def test_an_edit_says_what_to_change_where(message: str, expected: Edit | None) -> None:
    assert WORDS.edit(message, FIELDS) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("/help", Slash("help")),
        (" /Why  the last turn \n", Slash("why", "the last turn")),
        ("/start-over", Slash("start-over")),
        ("/etc/hosts", None),
        ("/a1", None),
        ("/ help", None),
        ("/", None),
        ("see /help", None),
    ],
)
def test_a_slash_command_is_a_slash_and_a_word(message: str, expected: Slash | None) -> None:
    assert slash(message) == expected


@pytest.mark.parametrize(
    ("message", "asks"),
    [
        ("how do I cancel?", True),
        ("How can I stop this", True),
        ("ok, how would one get out of here now?", True),
        ("how to quit", True),
        ("Tell me how to cancel.", True),
        ("do you know how I can leave this?", True),
        ("I wonder how I could cancel this", True),
        ("what's the command to quit", True),
        ("Is there a way to get out of this?", True),
        ("what happens if I stop?", True),
        ("should I cancel?", True),
        ("I don't know if I should stop", True),
        ("should I cancel the order?", False),
        ("the way to leave", False),
        ("teach people how to quit", False),
        ("what happens if I stop paying", False),
        ("can I stop?", False),
        ("how do I cancel my subscription?", False),
        ("how do I stop worrying?", False),
        ("cancel", False),
        ("tell me how to leave the house", False),
        ("how do I " + "cancel " * 1000, False),
    ],
)
def test_who_asks_how_to_leave_has_not_left(message: str, asks: bool) -> None:
    assert (slash(message) == Slash(HOW_TO_LEAVE)) == asks


def test_the_nearest_command_is_named() -> None:
    assert nearest("statsu", ["help", "status", "why"]) == "status"
    assert nearest("x" * 100_000, ["help"]) == "help"
    assert nearest("help", []) == ""


def test_each_line_that_says_something_is_an_item_without_its_bullet() -> None:
    message = (
        "- fix login - again\n* b\n  • c\n1. d\n2) e\n\n -\n-3 degrees\nship v2, docs\r\n3.5 hours of calls"
    )

    assert items(message) == [
        "fix login - again",
        "b",
        "c",
        "d",
        "e",
        "-3 degrees",
        "ship v2, docs",
        "3.5 hours of calls",
    ]


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("no, show my notes", ("no", "show my notes")),
        ("yes! and the rest", ("yes", "and the rest")),
        ("yes please archive it", ("yes", "archive it")),
        ("no idea", ("other", "")),
        ("show my notes", ("other", "")),
    ],
)
def test_what_is_said_behind_a_yes_or_no_is_found(message: str, found: tuple[str, str]) -> None:
    assert WORDS.consent_and_more(message) == found


def test_a_yes_with_a_condition_is_no_whole_one() -> None:
    assert WORDS.has_a_condition("yes, but only tomorrow")
    assert not WORDS.has_a_condition("yes please")


def test_a_yes_may_be_said_with_a_reserve() -> None:
    assert WORDS.has_a_reserve("sure, but what does it cost?")
    assert not WORDS.has_a_reserve("but of course")
    assert not WORDS.has_a_reserve("yes, what does it cost?")
    assert WORDS.points("keep it")
    assert not WORDS.points("show my notes")


@pytest.mark.parametrize(
    "question",
    [
        "Any blockers?",
        "Anything else?",
        "Are there constraints to keep: money, time? “Skip” if there are none.",
        "Thanks. Do you take medicines?",
        "And is there anybody who helps?",
    ],
)
def test_a_question_whether_there_is_any(question: str) -> None:
    assert WORDS.asks_whether(question)


@pytest.mark.parametrize(
    "question", ["Which pets do you bring?", "What is missing?", "Is this the list?", "Tell me any of them."]
)
def test_no_question_whether_there_is_any(question: str) -> None:
    assert not WORDS.asks_whether(question)
