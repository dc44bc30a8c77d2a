import pytest

from softrail.classifier.split import MOST_SEGMENTS, joined, split
from softrail.classifier.text import READ


def texts(message: str) -> list[str]:
    return [segment.text for segment in split(message)]


@pytest.mark.parametrize(
    "message",
    [
        "set threshold to 3.14",
        "use version v2.1 of the API",
        "see https://example.org/a.b/c?x=1 for details",
        "use e.g. two pumps",
        "Dr. Okafor owns it",
        "it opens at 9 a.m. on Mondays",
        "No. 5 is broken",
        "The irrigation system needs to handle three soil types: sandy, clay, and loam.",
        "compare north and south",
        "1. the first point",
    ],
)
def test_a_full_stop_that_ends_no_sentence_cuts_nothing(message: str) -> None:
    assert len(split(message)) == 1


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("Save this. Then stop", ["Save this.", "Then stop"]),
        ("save this; download that", ["save this;", "download that"]),
        ("How is it going? Show my notes", ["How is it going?", "Show my notes"]),
        ("it runs version 2.0. Draft the report", ["it runs version 2.0.", "Draft the report"]),
        ("draft the report and also show my notes", ["draft the report", "show my notes"]),
        ("draft it, and then approve it", ["draft it", "approve it"]),
        ("first line\nsecond line", ["first line", "second line"]),
        ('He said "stop." Then he left', ['He said "stop."', "Then he left"]),
    ],
)
def test_sentences_and_cue_words_cut(message: str, parts: list[str]) -> None:
    assert texts(message) == parts


def test_words_that_take_something_back_begin_a_correction() -> None:
    found = split("analyze sales. wait, I got that wrong. analyze revenue instead")

    assert [s.corrects for s in found] == [False, True, False]
    after = split("download the report. no wait, show my notes")[1]
    assert (after.text, after.said) == ("show my notes", "no wait, show my notes")


def test_a_correction_may_stand_alone_and_then_asks_for_nothing() -> None:
    assert [(s.cue, s.aside) for s in split("draft it. wait, I got that wrong. show it")] == [
        ("", False),
        ("slip", True),
        ("", False),
    ]


def test_politeness_and_instructions_on_manner_are_asides() -> None:
    found = split("be creative, do not worry about low confidence. plan the launch. Thanks in advance!")

    assert [s.aside for s in found] == [True, False, True]


def test_a_wish_that_begins_politely_is_no_aside() -> None:
    assert [s.aside for s in split("please download the report. thanks, now show me my notes")] == [
        False,
        False,
    ]


def test_of_a_long_message_every_word_is_in_a_segment() -> None:
    many = " ".join(f"The pump {n} is old." for n in range(20))
    long = f"{'word ' * (READ // 5)}and the end"

    assert " ".join(s.said for s in split(many)) == many
    assert " ".join(s.said for s in split(long)) == long


def test_segments_that_follow_each_other_are_joined_as_they_stand_in_the_message() -> None:
    message = "- the roof is red\n- the door is blue\nShow me my notes. The roof is red."
    segments = split(message)

    assert joined(message, segments, [0, 1]) == "- the roof is red\n- the door is blue"
    assert joined(message, segments, [0, 2]) == "- the roof is red Show me my notes."
    assert joined(message, segments, [3]) == "The roof is red."
    assert joined(message, segments, []) == ""


def test_endless_messages_are_read_to_a_limit() -> None:
    assert len(split("go on. " * 50_000)) == MOST_SEGMENTS
    assert split("?!" * 100_000) == ()
