"""Which words of a message are to be noted, and in which project, where it says so."""

import pytest

from softrail.companion.understanding.phrases import phrases


@pytest.mark.parametrize(
    ("message", "note"),
    [
        ("put a note: the oven is due for service", "the oven is due for service"),
        ("could you write a note that we open at nine on Sundays", "we open at nine on Sundays"),
        ("I need you to remember something: Lena's number is 555", "Lena's number is 555"),
        ("leave a note", ""),
        ("the note on the door is gone", ""),
    ],
)
def test_what_is_to_be_noted_stands_behind_the_words_that_say_so(message: str, note: str) -> None:
    assert phrases().notes.aside(message) == note


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("leave a note on Crumbs: paper has to be matte", ("Crumbs", "paper has to be matte")),
        ("please put a note in the project Gazebo that the wood came", ("Gazebo", "the wood came")),
        ("add a new note to Crumbs: ask Lena", ("Crumbs", "ask Lena")),
        ("leave a note: on Crumbs there is nothing new", None),
        ("put a note on the fridge", None),
    ],
)
def test_a_project_may_be_named_in_the_words_that_say_so(message: str, found: tuple[str, str] | None) -> None:
    assert phrases().notes.elsewhere(message) == found
