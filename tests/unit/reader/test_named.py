"""Certain words say which answer changes, and the small model where its new value ends, if it is sure of that."""

import pytest

from softrail.core.reading import Bars, Command, Field, Value
from softrail.language import language
from softrail.reader.fields import SENTENCE_END
from softrail.reader.named import called_by_name

ROLE = Field(name="role", label="role", wanted="text", question="Which role?", present="tester", given=True)
ABOUT = Field(name="about", label="about", wanted="text", question="What for?", present="apps", given=True)


def changed(message: str, **told: tuple[str, float]) -> list[tuple[str, str]]:
    """What changes, where the model reads those words for those answers, each with how sure it is of their place."""
    values = [
        Value(field=name, text=text, confidence=0.9, placed=placed) for name, (text, placed) in told.items()
    ]
    commands = [Command(act="correct", confidence=0.9, layer="learned", values=(value,)) for value in values]
    found = called_by_name(message, commands, [ROLE, ABOUT], Bars(), language("en"))
    return [(v.field, v.text) for c in found for v in c.values] or [(c.act, "") for c in found]


def test_the_model_knows_where_a_remark_begins() -> None:
    message = "role should be frontend developer btw, my mistake"

    assert changed(message, role=("frontend developer", 0.9)) == [("role", "frontend developer")]


@pytest.mark.parametrize("told", [{"role": ("Lisbon", 0.5)}, {}], ids=["it is not sure", "it sees none"])
def test_else_all_the_words_are_taken_when_the_turn_is_carried_out(
    told: dict[str, tuple[str, float]],
) -> None:
    assert changed("change the role to Lisbon, no. 7", **told) == [("correct", "")]


def test_certain_words_end_with_their_sentence() -> None:
    said = changed("change the role to cook! I'm so excited", role=("cook", 0.5))

    assert said == [("role", "cook")]


def test_the_same_words_change_no_other_answer() -> None:
    message = "actually, the role is beginners and their teachers"

    assert changed(message, about=("the role is beginners and their teachers", 0.9)) == [("correct", "")]


@pytest.mark.parametrize(
    "message", ["no, the role was wrong", "the login page", "actually, the role is cook no tester"]
)
def test_what_only_denies_or_calls_nothing_is_left_as_it_was_read(message: str) -> None:
    assert changed(message, role=("whatever", 0.0)) == [("role", "whatever")]


@pytest.mark.parametrize(
    ("said", "first"),
    [
        ("Lisbon, no. 7", "Lisbon, no. 7"),
        ("Hauptstr. 3 in Bern", "Hauptstr. 3 in Bern"),
        ("Dr. Morgan now. I'm worried", "Dr. Morgan now"),
        ("the cats. Two of them", "the cats"),
        ("a mill! And a shop", "a mill"),
        ("beginners; teachers, too", "beginners"),
    ],
)
def test_a_sentence_ends_where_another_one_may_begin(said: str, first: str) -> None:
    assert SENTENCE_END.split(said)[0] == first
