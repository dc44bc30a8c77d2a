"""Slips of the fingers are mended for reading, and nothing else is."""

import pytest

from softrail.classifier.spelling import Spelling
from softrail.language.slips import slips

EXAMPLES = ("show my notes", "create a project", "how is it going", "organise the notes", "cars and cats")
WORDS = ("boats", "the", "from")


@pytest.fixture
def spelling() -> Spelling:
    return Spelling(EXAMPLES, WORDS.__contains__)


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("shwo my ntoes", "show my notes"),
        ("creat a porject", "create a project"),
        ("hwo is it giong", "how is it going"),
        ("orgnise the notse", "organise the notes"),
        ("SHWO MY NTOES", "show MY notes"),
    ],
)
def test_letters_that_are_missing_exchanged_or_wrong_are_mended(
    spelling: Spelling, said: str, read: str
) -> None:
    assert spelling.mended(said) == read


@pytest.mark.parametrize(
    "said",
    [
        "show my boats",  # a word that is known elsewhere
        "show Ntoes",  # a name
        "show my caxs",  # as near to two words
        "show my xyzzy",  # near to none
        "show my ñotes 12 #3",  # other letters, numbers
    ],
)
def test_what_may_be_meant_stays_as_it_was_said(spelling: Spelling, said: str) -> None:
    assert spelling.mended(said) == said


def test_a_long_text_is_read_as_it_is(spelling: Spelling) -> None:
    said = "ntoes " * 30

    assert spelling.mended(said) == said


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [("notes", "notes", 0), ("ntoes", "notes", 1), ("nots", "notes", 1), ("no", "notes", 2)],
)
def test_slips_are_counted_up_to_the_most_that_matter(one: str, other: str, count: int) -> None:
    assert slips(one, other, 1) == count
