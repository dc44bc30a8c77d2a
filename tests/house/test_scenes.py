"""What is learned from a scene: whole messages, their clauses, hints of a yes or no, and answers that are denied."""

from pathlib import Path

import pytest

from softrail.reader.learned.questions import query
from training.pairs import Pair
from training.scene_pairs import pairs
from training.scenes import Unreadable, read

FORM = """[order: the order]
what: text | What shall we send? | what is sent
many: number | How many? | number of pieces
gift: bool | Is it a gift?
when: date | When shall it come? | the day of delivery

"""


def learned(folder: Path, *said: str) -> list[Pair]:
    """Every pair of those messages."""
    file = folder / "order.txt"
    file.write_text(FORM + "\n".join(said), encoding="utf-8")
    return list(pairs(20, seed=1, of=read(file), parts=True))


def told(found: list[Pair], query: str, act: str) -> set[int]:
    """What is learned of that act for a query that begins so."""
    return {pair.acts[act] for pair in found if pair.query.startswith(query) and act in pair.acts}


def test_a_hint_is_a_yes_to_a_question_that_is_not_open(tmp_path: Path) -> None:
    found = learned(
        tmp_path,
        "what | {a radio}, {gift:it's for my father=yes} | inform inform_other",
        "what | {two lamps} | inform",
    )
    of = {
        pair.acts["affirm"]
        for pair in found
        if pair.query == "bool: Is it a gift?" and "father" in pair.message.lower()
    }
    assert of == {1}
    assert told(found, "bool: Is it a gift?", "affirm") == {0, 1}


def test_a_clause_is_an_answer_to_its_own_question_alone(tmp_path: Path) -> None:
    found = learned(tmp_path, "what | {a radio}. we want {many:three} of them please | inform inform_other")
    clause = [pair for pair in found if 18 < len(pair.message) < 32]  # "we want three of them please"
    assert told(clause, "text: What shall we send?", "inform") == {0}
    assert 1 in told(clause, "number: How many?", "inform")
    assert all(pair.spans for pair in clause if pair.query.startswith("number") and pair.value)


def test_an_answer_that_is_taken_back_is_denied_and_the_others_are_not(tmp_path: Path) -> None:
    found = learned(tmp_path, "when (what=a radio; many=3) | hm, the number I gave is wrong | correct -many")
    assert told(found, "bool: Is 3 right?", "negate") == {1}
    assert told(found, "bool: Is a radio right?", "negate") == {0}


@pytest.mark.parametrize(
    "said",
    [
        "when (what=a radio) | that is wrong | correct -many",
        "when (many=3) | that is wrong | inform -many",
        "gift | {yes} | affirm",
        "what | {a radio} | inform shout",
    ],
)
def test_a_line_that_cannot_be_meant_is_named(tmp_path: Path, said: str) -> None:
    with pytest.raises(Unreadable, match=r"order\.txt:7"):
        learned(tmp_path, said)


def test_a_value_that_is_named_behind_a_denial_is_denied_when_it_is_asked_about(tmp_path: Path) -> None:
    found = learned(tmp_path, "many | definitely not forty | open", "many | {forty}, not fewer | inform")

    assert told(found, query("bool", "Is it forty?"), "negate") == {0, 1}
    assert {pair.acts["negate"] for pair in found if pair.label == "open" and "forty" in pair.query} == {1}
    assert {pair.acts["negate"] for pair in found if pair.label == "inform" and "forty" in pair.query} == {0}
