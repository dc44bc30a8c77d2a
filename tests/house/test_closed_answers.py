"""Answers to closed questions that the choosing model learns from: how a file is read, and what becomes of a scene."""

import random
from pathlib import Path

import pytest

from training.choosing.answers import Answer, Unreadable, of_scenes, read, shuffled, to_others, written
from training.scenes import read as scenes_of

SCENE = """[order: the order]
what: text | What shall we send? | what is sent
size: choice (small, large) | Which size? | the size
gift: bool | Is it a gift? | whether it is a gift

what | {a radio}, {gift:it's for my father=yes} and {size:the big one=large} | inform inform_other
what | {two lamps} | inform
size | {the tiny one=small} | inform
size | what sizes are there? | ask
gift | it's for my father | affirm
gift | no idea | open
"""


def test_a_message_stands_with_its_question_and_what_it_means(tmp_path: Path) -> None:
    file = tmp_path / "hand.txt"
    file.write_text("# one\n? Which size, please? | small, large\nthe tiny one = small\nhm = ~\nwhy? = *\n")
    assert [(one.message, one.meant) for one in read(file)] == [
        ("the tiny one", "small"),
        ("hm", "open"),
        ("why?", "aside"),
    ]
    assert read(file)[0].options == ("small", "large")


@pytest.mark.parametrize(
    ("line", "why"), [("the huge one = huge", "'huge' is no option"), ("the huge one", "is no option")]
)
def test_what_is_no_option_is_told_with_its_line(tmp_path: Path, line: str, why: str) -> None:
    file = tmp_path / "hand.txt"
    file.write_text(f"? Which size? | small, large\n{line}\n")
    with pytest.raises(Unreadable, match=r"hand\.txt:2: "):
        read(file)
    with pytest.raises(Unreadable, match=why):
        read(file)


def test_a_question_without_options_is_told(tmp_path: Path) -> None:
    file = tmp_path / "hand.txt"
    file.write_text("? Which size?\nsmall = small\n")
    with pytest.raises(Unreadable, match=r"hand\.txt:1: a question is"):
        read(file)


def test_a_scene_tells_what_is_said_to_a_closed_question_and_beside_another(tmp_path: Path) -> None:
    file = tmp_path / "scene.txt"
    file.write_text(SCENE)
    found = {(one.asks, one.message): one for one in of_scenes(scenes_of(file), random.Random(1))}
    radio = "a radio, it's for my father and the big one"
    assert (found["Is it a gift?", radio].meant, found["Is it a gift?", radio].beside) == ("yes", True)
    assert (found["Which size?", radio].meant, found["Which size?", radio].beside) == ("large", True)
    assert (found["Which size?", "the tiny one"].meant, found["Which size?", "the tiny one"].beside) == (
        "small",
        False,
    )
    assert found["Which size?", "what sizes are there?"].meant == "aside"
    assert found["Is it a gift?", "it's for my father"].meant == "yes"
    assert found["Is it a gift?", "no idea"].meant == "open"


def test_options_change_places_and_the_one_that_is_meant_stays() -> None:
    answer = Answer(asks="Which?", options=("a", "b", "c", "d"), message="the second", meant="b")
    found = {shuffled(answer, random.Random(seed)).options for seed in range(40)}
    assert len(found) > 10
    assert all("b" in options and len(options) > 1 for options in found)


def test_what_was_said_to_one_question_is_no_answer_to_another() -> None:
    found = list(to_others(written(), random.Random(1)))
    assert found
    assert all(one.beside and one.meant == "aside" for one in found)


def test_all_that_is_written_can_be_read_and_is_of_many_questions() -> None:
    every = written()
    assert len({one.asks for one in every}) > 1_500
    assert len(every) > 30_000
