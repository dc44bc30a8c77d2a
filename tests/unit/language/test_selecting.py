"""What is said to several things that were shown: some are left out, kept alone, or joined by others."""

import pytest

from softrail import Shown
from softrail.language import language

SHOWN = [
    Shown(key="3", names=("3",), text="The boat needs new paint"),
    Shown(key="4", names=("4",), text="The mast was bought from Ines"),
    Shown(key="5", names=("5",), text="Ropes are kept in the shed"),
    Shown(key="6", names=("6",), text="The anchor is rusty", there=False),
]
PLACES = [Shown(key="a", names=("Green Lake",)), Shown(key="b", names=("Summary",))]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("but number 4 not", ["3", "5"]),
        ("yes, but not the mast", ["3", "5"]),
        ("without 3 and 5", ["4"]),
        ("leave the ropes out", ["3", "4"]),
        ("only the boat one!", ["3"]),
        ("no, just 4 and 5", ["4", "5"]),
        ("3 alone, please", ["3"]),
        ("and 6 too", ["3", "4", "5", "6"]),
        ("the anchor as well", ["3", "4", "5", "6"]),
        ("and the next one too", ["3", "4", "5", "6"]),
        ("not 4 but 6", ["3", "5", "6"]),
        ("the anchor, not the ropes", ["3", "4", "6"]),
        ("all but 5", ["3", "4"]),
        ("yes to 4", ["4"]),
        ("ok for 5", ["5"]),
        ("sure, at least the mast", ["4"]),
        ("yes please, the ropes", ["5"]),
        ("yes, 3 and 4", ["3", "4"]),
        ("yeah, withdraw 5", ["5"]),
        ("yes but keep 5", ["3", "4"]),
        ("sure, but leave the mast", ["3", "5"]),
    ],
)
def test_it_is_heard_which_are_meant(said: str, meant: list[str]) -> None:
    assert language().selected(said, SHOWN) == meant


def test_all_of_them_left_out_leaves_none() -> None:
    assert language().selected("not Summary", PLACES[1:]) == []


def test_a_thing_may_be_called_by_its_name() -> None:
    assert language().selected("not Summary", PLACES) == ["a"]
    assert language().selected("just green lake", PLACES) == ["a"]


@pytest.mark.parametrize(
    "said",
    [
        "yes",
        "no",
        "ok",
        "just do it",
        "not now",
        "no, not that",
        "what is 4?",
        "show 4",
        "yes, 3, 4 and 5",
        "yes, Ben has the key",
        "yes and the oars",
        "no, 4",
        "well, 4",
        "not the sail",
        "save it",
    ],
)
def test_what_names_none_of_them_changes_nothing(said: str) -> None:
    assert language().selected(said, SHOWN) is None


def test_what_may_be_two_of_them_changes_nothing() -> None:
    two = [Shown(key="1", text="The red door"), Shown(key="2", text="The blue door")]

    assert language().selected("not the door", two) is None
