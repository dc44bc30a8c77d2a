"""A part of an answer is changed, and the rest of it stays."""

import pytest

from softrail.language import language
from softrail.reader.changes.parts import with_part

WORDS = language("en")


@pytest.mark.parametrize(
    ("old", "denied", "new", "whole"),
    [
        ("Marguerite Oyelaran", "Oyelaran", "Oyelarin", "Marguerite Oyelarin"),
        ("LB71 QSD", "LB", "LD", "LD71 QSD"),
        ("GK14 MNE", "14", "GK41", "GK41 MNE"),
        ("27 Quarry Walk, Bath", "27", "72", "72 Quarry Walk, Bath"),
        ("Tuesday, 3 March 2026", "March", "April", "Tuesday, 3 April 2026"),
        ("ring the plumber", "the plumber", "the electrician", "ring the electrician"),
    ],
    ids=lambda value: value,
)
def test_what_is_not_denied_stays(old: str, denied: str, new: str, whole: str) -> None:
    assert with_part(old, denied, new, WORDS) == whole


@pytest.mark.parametrize(
    ("old", "denied", "new"),
    [
        ("Marguerite Oyelaran", "Oyelaran", "Marguerite Oyelarin"),
        ("27 Quarry Walk", "27", "72 Quarry Walk"),
        ("Ines 0176 55102", "Ines", "Paul on 0176 88341"),
        ("Ines Duarte", "Ines", "Paul Moreau"),
        ("the shed", "shed", "the garage"),
    ],
    ids=lambda value: value,
)
def test_words_that_say_all_of_it_are_no_part(old: str, denied: str, new: str) -> None:
    assert with_part(old, denied, new, WORDS) is None
