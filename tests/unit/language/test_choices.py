"""Choosing among options by letter, number, place, name or words that fit one."""

import pytest

from softrail.core.questions import Option
from softrail.language import choose, is_bulleted, items, language

WORDS = language("en")
PROJECTS = [
    Option(label="FarmGuard", words=("the sensor thing",)),
    Option(label="HealthTrack", value="p-17"),
    Option(label="Dynamic Atlas"),
    Option(label="Great Migration"),
]


def chosen(message: str, options: list[Option] = PROJECTS) -> str | None:
    found = choose(message, options, language=WORDS)
    return found.label if found else None


@pytest.mark.parametrize(
    ("label", "messages"),
    [
        (
            "FarmGuard",
            "a|A.|the farm one|farm|option 1|first|the sensor thing|sensor|FARMGUARD!|#1|farm guard",
        ),
        (
            "HealthTrack",
            "b|B)|2|the second one|option 2|p-17|I mean HealthTrack|(b)|the 2nd, please|number 2",
        ),
        ("Dynamic Atlas", "atlas please|dynamic|letter c|go with Atlas|3.|dynamicatlas"),
        ("Great Migration", "the last one|d|great|I'd like the migration one"),
    ],
)
def test_an_option_is_chosen_in_many_ways(label: str, messages: str) -> None:
    for message in messages.split("|"):
        assert chosen(message) == label, message


@pytest.mark.parametrize(
    "message",
    [
        "e",
        "5",
        "0",
        "the fifth",
        "not the farm one",
        "farm or health",
        "farm and health",
        "which one?",
        "yes",
        "t",
        "",
        "restore the FarmGuard backup",
        "what about the weather in Oslo",
        "I want it",
        "FarmGuard " * 300,
    ],
)
def test_what_fits_none_or_several_chooses_nothing(message: str) -> None:
    assert chosen(message) is None


def test_the_very_label_wins_over_letters_numbers_and_likenesses() -> None:
    assert chosen("C++", [Option(label="C"), Option(label="C++"), Option(label="C#")]) == "C++"
    assert chosen("c", [Option(label="B"), Option(label="C"), Option(label="A")]) == "C"
    assert chosen("2", [Option(label="3"), Option(label="5"), Option(label="2")]) == "2"
    assert chosen("don't save", [Option(label="Save"), Option(label="Don't save")]) == "Don't save"


def test_words_shared_by_two_options_choose_neither() -> None:
    both = [Option(label="Atlas web"), Option(label="Atlas mobile")]

    assert chosen("atlas", both) is None
    assert chosen("the mobile atlas", both) == "Atlas mobile"


def test_a_way_on_is_chosen_by_part_of_its_label() -> None:
    ways = [
        Option(label="go ahead with your best guess"),
        Option(label="never mind"),
        Option(label="Yes, save"),
    ]

    assert chosen("best guess", ways) == "go ahead with your best guess"
    assert chosen("nevermind", ways) == "never mind"
    assert chosen("yes please", ways) == "Yes, save"


@pytest.mark.parametrize("message", ["that's all", "I'm done", "no more", "finished"])
def test_every_word_for_the_end_chooses_the_one_option_that_says_it(message: str) -> None:
    assert chosen(message, [Option(label="Relative"), Option(label="Done")]) == "Done"
    assert chosen(message, [Option(label="Amber"), Option(label="That is all")]) == "That is all"
    assert chosen(message, [Option(label="Amber"), Option(label="Blue")]) is None


def test_a_yes_that_names_a_deed_is_one_where_the_option_names_it() -> None:
    assert chosen("save it", [Option(label="Yes"), Option(label="No")]) is None
    assert chosen("yes, save it", [Option(label="Yes"), Option(label="No")]) is None
    assert chosen("save it", [Option(label="Yes, save"), Option(label="No")]) == "Yes, save"
    assert chosen("go ahead", [Option(label="Yes"), Option(label="No")]) == "Yes"


def test_a_choice_that_stands_alone_says_nothing_else() -> None:
    options = [Option(label="Choir Tour"), Option(label="Bake Sale")]
    assert choose("archive the choir tour please", options, language=WORDS) is options[0]
    assert choose("archive the choir tour please", options, language=WORDS, alone=True) is None
    assert choose("it's for the choir tour, please", options, language=WORDS, alone=True) is options[0]


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("1. soap 2. towels", ["soap", "towels"]),
        ("1) soap; 2) towels;", ["soap", "towels"]),
        ("1. 50 chairs 2. 20 tables", ["50 chairs", "20 tables"]),
        ("1. sweep the 2. floor 2. lock up", ["sweep the 2. floor", "lock up"]),
        ("1. 50\n2. 60", ["50", "60"]),
        ("1. 2. 2027", ["1. 2. 2027"]),
        ("1. we meet at 2. pm", ["we meet at 2. pm"]),
        ("call 1. Bob 2. Ann", ["call 1. Bob 2. Ann"]),
    ],
)
def test_numbers_count_items_where_each_has_words_and_nothing_goes_on(message: str, found: list[str]) -> None:
    assert items(message, WORDS) == found
    assert is_bulleted(message, WORDS) == (len(found) > 1)


@pytest.mark.parametrize(
    ("message", "left_out"),
    [
        ("anywhere but the bar", True),
        ("everything except bar", True),
        ("not the bar, please", True),
        ("somewhere other than the bar", True),
        ("it isn't the bar", True),
        ("of course not, the bar", False),
        ("the bar but not by the door", False),
        ("not inside, bar", False),
        ("not the bar, or well, the bar", False),
        ("but I think we would be happy at the bar", False),
        ("inside", False),
    ],
)
def test_an_option_behind_words_that_leave_it_out_is_not_meant(message: str, left_out: bool) -> None:
    assert language("en").leaves_out(message, "bar") is left_out


@pytest.mark.parametrize(
    ("said", "options", "meant"),
    [
        ("the middle one will probably do", "small regular large", "regular"),
        ("the middle one", "small large", None),
        ("the last one will do", "small regular large", "large"),
    ],
)
def test_the_middle_one_is_one_of_three(said: str, options: str, meant: str | None) -> None:
    assert chosen(said, [Option(label=label) for label in options.split()]) == meant


@pytest.mark.parametrize(
    ("message", "meant"),
    [
        ("b/w", "black and white"),
        ("B&W please", "black and white"),
        ("s", "sepia"),
        ("c", None),  # the third one, or that which begins so
        ("ok", None),
        ("w", None),
    ],
)
def test_initials_of_one_option_choose_it(message: str, meant: str | None) -> None:
    options = [Option(label=name) for name in ("colour", "black and white", "both", "sepia", "oil on kapok")]

    found = choose(message, options, language=language("en"))

    assert (found.label if found is not None else None) == meant
