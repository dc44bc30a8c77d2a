"""Choosing several of a few options, all of them, or all but some; what may be read otherwise chooses nothing."""

import pytest

from softrail.core.questions import Option
from softrail.language import change_options, choose_several, language, options_named, speaks_of_options

WORDS = language("en")
TASKS = [Option(label=name) for name in ("sorting", "driving", "cooking", "front desk")]
DAYS = [
    Option(label=name, value=name[:3].lower())
    for name in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
]
WEEK = [*DAYS, Option(label="Saturday"), Option(label="Sunday")]
CLUBS = [
    Option(label="arts and crafts"),
    Option(label="music", words=("the band",)),
    Option(label="no preference"),
]


def chosen(
    message: str, options: list[Option] = TASKS, asks: str = "What would you like to do? tasks"
) -> str:
    found = choose_several(message, options, language=WORDS, asks=asks)
    return "; ".join(option.label for option in found) if found is not None else ""


@pytest.mark.parametrize(
    ("message", "meant"),
    [
        ("driving", "driving"),
        ("cooking, sorting and the front desk", "cooking; sorting; front desk"),
        ("sorting driving", "sorting; driving"),
        ("sorting/cooking", "sorting; cooking"),
        ("- sorting\n- driving", "sorting; driving"),
        ("driving and driving", "driving"),
        ("the desk and sorting", "front desk; sorting"),
        ("1 and 3", "sorting; cooking"),
        ("a and c", "sorting; cooking"),
        ("the first and the last", "sorting; front desk"),
        ("I can help with driving or at the desk", "driving; front desk"),
        ("put me down for sorting & cooking", "sorting; cooking"),
        ("only sorting, that's all", "sorting"),
        ("both sorting and driving", "sorting; driving"),
    ],
)
def test_what_is_named_is_chosen_once_and_in_the_order_said(message: str, meant: str) -> None:
    assert chosen(message) == meant


@pytest.mark.parametrize(
    "message",
    ["everything", "all of them", "any", "anything really", "all four", "any task", "all of the above"],
)
def test_all_are_meant(message: str) -> None:
    assert chosen(message) == "sorting; driving; cooking; front desk"


@pytest.mark.parametrize(
    "message",
    [
        "all but driving",
        "anything but driving",
        "everything apart from driving",
        "everything other than driving",
        "any task except driving",
        "anything that isn't driving",
        "everything, but no driving",
        "I'd be happy with anything but driving",
        "everything but I can't do driving",
        "no driving, the rest is fine",
        "not driving but everything else",
    ],
)
def test_all_but_those_that_are_left_out_are_meant(message: str) -> None:
    assert chosen(message) == "sorting; cooking; front desk"


@pytest.mark.parametrize(
    ("message", "meant"),
    [
        ("sorting and NOT driving", "sorting"),
        ("sorting but not driving", "sorting"),
        ("sorting rather than driving", "sorting"),
        ("not driving but cooking", "cooking"),
        ("everything except driving and cooking", "sorting; front desk"),
        ("no driving or cooking, the rest is ok", "sorting; front desk"),
        ("sorting and the rest", "sorting; driving; cooking; front desk"),
    ],
)
def test_what_is_denied_is_left_out(message: str, meant: str) -> None:
    assert chosen(message) == meant


@pytest.mark.parametrize(
    ("message", "meant"),
    [
        ("any weekday except Wednesday", "Monday; Tuesday; Thursday; Friday"),
        ("any day but Friday", "Monday; Tuesday; Wednesday; Thursday"),
        ("I can do any day apart from Tuesdays and Thursdays", "Monday; Wednesday; Friday"),
        ("not Monday, not Tuesday, the other days are fine", "Wednesday; Thursday; Friday"),
        ("mondays and fridays", "Monday; Friday"),
        ("mon and thu", "Monday; Thursday"),
        ("Monday to Wednesday", "Monday; Tuesday; Wednesday"),
        ("from Tuesday until Thursday and Monday", "Tuesday; Wednesday; Thursday; Monday"),
        ("every Monday", "Monday"),
    ],
)
def test_days_are_chosen_as_people_say_them(message: str, meant: str) -> None:
    assert chosen(message, DAYS, "Which days suit you?") == meant


def test_a_weekday_is_none_of_a_weekend() -> None:
    assert chosen("any weekday except Wednesday", WEEK, "When?") == "Monday; Tuesday; Thursday; Friday"
    assert chosen("weekends", WEEK, "When?") == "Saturday; Sunday"
    assert chosen("any day but Sunday", WEEK, "When?").endswith("Friday; Saturday")


def test_words_that_join_or_deny_within_a_name_are_of_the_name() -> None:
    assert chosen("music, arts and crafts", CLUBS) == "music; arts and crafts"
    assert chosen("no preference", CLUBS) == "no preference"
    assert chosen("the band but not arts and crafts", CLUBS) == "music"


@pytest.mark.parametrize(
    ("message", "meant"),
    [
        ("l and m", "large; medium"),
        ("s and xl", "small; extra large"),
        ("S, M and L", "small; medium; large"),
        ("s/m", "small; medium"),
        ("XL please", "extra large"),
        ("children and xl", "children; extra large"),
        ("all but s", "children; medium; large; extra large"),
        ("l and q", ""),
        ("c and l", ""),  # the third one, or that which begins so
    ],
)
def test_initials_that_only_one_option_has_stand_for_it(message: str, meant: str) -> None:
    sizes = [Option(label=name) for name in ("children", "small", "medium", "large", "extra large")]

    assert chosen(message, sizes, "Which sizes do you need?") == meant


def test_both_are_all_of_two() -> None:
    assert chosen("both", TASKS[:2]) == chosen("both of them", TASKS[:2]) == "sorting; driving"
    assert chosen("both") == ""


@pytest.mark.parametrize(
    "message",
    [
        "bowling",
        "sorting and bowling",
        "everything but bowling",
        "all except",
        "apart from driving",
        "excluding driving",
        "sorting, although driving is fine",
        "not driving",
        "no driving and cooking",
        "not everything, just driving",
        "everything, though I prefer driving",
        "anything, but I prefer driving",
        "everything but I can help with driving",
        "any outdoor task",
        "driving lessons",
        "I'm allergic to cooking",
        "driving is awful, sorting",
        "sorting, no wait, driving",
        "cooking to sorting",
        "sorting - cooking",
        "sorting? driving?",
        "all good",
        "no cooking after all",
        "all of it?",
        "that's all",
        "none of them",
        "both of you",
        "",
        "x" * 3000,
    ],
)
def test_what_is_no_option_or_may_be_read_otherwise_chooses_nothing(message: str) -> None:
    assert chosen(message) == ""


@pytest.mark.parametrize("message", ["all day", "all day on Monday", "Friday to Monday", "weekends"])
def test_what_only_sounds_like_all_days_chooses_none(message: str) -> None:
    assert chosen(message, DAYS, "Which days suit you?") == ""


def changed(message: str, there: list[Option]) -> str:
    found = change_options(message, TASKS, there, language=WORDS)
    return "; ".join(option.label for option in found) if found is not None else ""


@pytest.mark.parametrize(
    ("message", "meant"),
    [
        ("also driving", "cooking; sorting; driving"),
        ("driving as well", "cooking; sorting; driving"),
        ("and the front desk", "cooking; sorting; front desk"),
        ("also sorting", "cooking; sorting"),
        ("no cooking", "sorting"),
        ("not cooking but driving", "sorting; driving"),
    ],
)
def test_what_was_chosen_before_is_added_to_or_taken_from(message: str, meant: str) -> None:
    assert changed(message, [TASKS[2], TASKS[0]]) == meant


@pytest.mark.parametrize(
    "message",
    [
        "driving",
        "sorting, not driving",
        "no driving",
        "all but cooking",
        "also bowling",
        "no cooking, no sorting",
    ],
)
def test_what_says_all_of_it_anew_or_is_not_clear_changes_nothing(message: str) -> None:
    assert changed(message, [TASKS[2], TASKS[0]]) == ""


def test_where_nothing_was_chosen_nothing_is_changed() -> None:
    assert changed("also driving", []) == changed("no driving", []) == ""


@pytest.mark.parametrize(
    ("message", "named"),
    [
        ("the phones, the front desk and then the cooking of course!", "front desk; cooking"),
        ("two drivings and a bowling", "driving"),
        ("sorting, the others no idea", ""),
        ("sorting, my brother no idea", "sorting"),
        ("sorting and bowling, no driving", ""),
        ("everything but bowling and driving", ""),
        ("driving is awful, but I can do the phones", ""),
        ("sorting or bowling?", ""),
        ("the desk", ""),
        ("bowling", ""),
    ],
)
def test_options_are_named_among_other_words_where_none_may_be_left_out(message: str, named: str) -> None:
    found = options_named(message, TASKS, language=WORDS)

    assert "; ".join(option.label for option in found) == named


@pytest.mark.parametrize(
    ("message", "does"),
    [
        ("my brother is good at driving", True),
        ("all of it is fine", True),
        ("the rest is too much", True),
        ("my knees are not for that", False),
    ],
)
def test_words_speak_of_the_options_or_of_something_else(message: str, does: bool) -> None:
    assert speaks_of_options(message, TASKS, language=WORDS) is does
