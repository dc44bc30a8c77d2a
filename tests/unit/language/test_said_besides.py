"""What is told behind a none, and what is only added."""

import pytest

from softrail.language import language


@pytest.mark.parametrize(
    ("said", "more"),
    [
        ("no blockers except the VPN", True),
        ("none, only the build is slow", True),
        ("not really, although legal hasn't answered", True),
        ("nothing apart from the usual", True),
        ("nothing at all", False),
        ("no but", False),
        ("except the VPN", False),
        ("the build but not the tests", False),
    ],
)
def test_a_none_that_goes_on_tells_something(said: str, more: bool) -> None:
    assert language().tells_besides(said) is more


@pytest.mark.parametrize(
    ("said", "added"),
    [
        ("librarians too", "librarians"),
        ("the night staff as well", "the night staff"),
        ("Sam also.", "Sam"),
        ("too", ""),
        ("as well", ""),
        ("the report, and reviewing too", ""),
        ("we want to be known for being kind too", ""),
        ("students", ""),
    ],
)
def test_few_words_that_end_in_one_for_adding_are_added(said: str, added: str) -> None:
    assert language().without_too(said) == added


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("take out the meetings", "the meetings"),
        ("can you take the meetings out", "can you the meetings"),
        ("scrap the colour", "the colour"),
        ("the meetings", "the meetings"),
    ],
)
def test_what_is_taken_back_is_told_without_the_words_for_it(said: str, left: str) -> None:
    assert language().without_taking_back(said) == left


@pytest.mark.parametrize("word", ["please", "then", "since", "too", "today"])
def test_some_words_end_what_is_said_and_are_no_part_of_it(word: str) -> None:
    assert language().ends(word)
    assert not language().ends("working")


@pytest.mark.parametrize(
    ("said", "skips"),
    [
        ("skip that", True),
        ("nah skip that", True),
        ("no, skip it", True),
        ("no", False),
        ("no next of kin", False),
    ],
)
def test_a_no_before_a_wish_to_skip_changes_nothing_of_it(said: str, skips: bool) -> None:
    assert language().is_skip(said) is skips


@pytest.mark.parametrize(
    ("said", "is_note"),
    [
        ("please remember that the oven is slow", True),
        ("Note: Harris timber gives 10 percent", True),
        ("reminder: the MOT is due", True),
        ("note paper and pens", False),
        ("note:", False),
        ("remember me", False),
    ],
)
def test_what_is_to_be_remembered_says_so(said: str, is_note: bool) -> None:
    assert language().is_to_remember(said) is is_note


@pytest.mark.parametrize(
    ("label", "indifferent"),
    [
        ("no preference", True),
        ("Either", True),
        ("don't mind", True),
        ("I don't know", True),
        ("driver", False),
        ("no tax", False),
        ("company", False),
    ],
)
def test_an_option_may_say_that_it_does_not_matter(label: str, indifferent: bool) -> None:
    assert language().is_indifferent(label) is indifferent


@pytest.mark.parametrize(
    ("said", "changes"),
    [
        ("wait the plate was wrong its B-KT 4417", ("plate", "B-KT 4417")),
        ("typo in the plate, it must be HH 2", ("plate", "HH 2")),
        ("change the plate to HH 3, please", ("plate", "HH 3")),
        ("the plate was wrong", None),
    ],
)
def test_what_was_wrong_and_what_it_is_are_read_together(said: str, changes: tuple[str, str] | None) -> None:
    assert language().correction(said, {"plate": ("number plate",)}) == changes
