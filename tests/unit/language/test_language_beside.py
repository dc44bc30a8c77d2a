"""What is told beside what is spoken of, by the words that say so."""

import pytest

from softrail.language import language


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("btw Omar moved the launch to May", "Omar moved the launch to May"),
        ("FYI: the caterer cancelled this morning.", "the caterer cancelled this morning"),
        ("oh and before it slips my mind, the caterer wants the count", "the caterer wants the count"),
        ("just a heads up - Mia quit", "Mia quit"),
        ("the printer is broken, just so you know", "the printer is broken"),
        ("our biggest client is a dentist chain btw", "our biggest client is a dentist chain"),
    ],
)
def test_what_words_set_apart_is_told_beside(message: str, told: str) -> None:
    found = language().told_beside(message)
    assert found is not None
    assert (found.text, found.surely) == (told, True)


@pytest.mark.parametrize(
    "message",
    [
        "by the way, who can see this?",
        "yes btw",
        "school classes, by the way",
        "60. new customer btw",
        "one thing I like is music",
        "news coverage of local events",
        "Aside from that we need a stage",
        "the caterer cancelled this morning",
    ],
)
def test_a_question_a_word_and_what_only_sounds_so_are_not(message: str) -> None:
    assert language().told_beside(message) is None


def test_what_is_added_may_be_more_of_the_same() -> None:
    found = language().told_beside("oh, and it starts in May")
    assert found is not None
    assert (found.text, found.surely) == ("it starts in May", False)
