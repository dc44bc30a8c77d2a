"""A question as it is asked, and as it is shown."""

import pytest

from softrail.core.questions import Option, Question

SAVE, LEAVE = Option(label="Save it"), Option(label="Leave it", hint="nothing is kept")


@pytest.mark.parametrize(
    ("prompt", "asks"),
    [
        ("Which one?", "Which one?"),
        ("Which one?\n\nA) Save it\nB) Leave it: nothing is kept", "Which one?"),
        (
            "Here it is:\n\n- a line\n\nSave it?\n\nA) Save it\nB) Leave it",
            "Here it is:\n\n- a line\n\nSave it?",
        ),
        ("A) Save it", "A) Save it"),  # something is always asked
    ],
)
def test_what_is_asked_has_none_of_the_lines_that_list_its_options(prompt: str, asks: str) -> None:
    assert Question(prompt=prompt, options=(SAVE, LEAVE)).asks == asks
