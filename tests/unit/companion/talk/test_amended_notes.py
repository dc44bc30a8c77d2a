"""What is said to be wrong in a note: the value is exchanged, and nothing where it is not clear which."""

import pytest

from softrail.companion.understanding.amending import is_value, mended, only_name

RENT = "The rent is 1,450 euros a month"
FLOUR = "Flour deliveries come on Tuesday morning"
ROLLS = "The vet next door buys twelve rolls every Monday"


@pytest.mark.parametrize(
    ("text", "said", "says"),
    [
        (RENT, "1,500 not 1,450", "The rent is 1,500 euros a month"),
        (RENT, "please make it 1,480.", "The rent is 1,480 euros a month"),
        (RENT, "make it 1,600 and not euros but pounds", "The rent is 1,600 pounds a month"),
        (FLOUR, "it's Wednesday morning, not Tuesday", "Flour deliveries come on Wednesday morning"),
        (FLOUR, "they come on Thursday now", "Flour deliveries come on Thursday morning"),
        (ROLLS, "it's ten rolls, not twelve", "The vet next door buys ten rolls every Monday"),
        (ROLLS, "the twelve rolls are fourteen now", "The vet next door buys fourteen rolls every Monday"),
        (
            "The oven was repaired by Mr. Falk in March",
            "it's Mr. Falke with an e, not Falk",
            "The oven was repaired by Mr. Falke in March",
        ),
        (
            "The landlord is called Greta Olsson",
            "wrong name, Greta Olson",
            "The landlord is called Greta Olson",
        ),
        ("the altos need new folders", "I meant the tenors, not the altos", "the tenors need new folders"),
        (FLOUR, "it's Wednesday not Tuesday for the flour", "Flour deliveries come on Wednesday morning"),
        (ROLLS, "not twelve rolls, thirteen", "The vet next door buys thirteen rolls every Monday"),
        ("the fog machine leaks", "it's the rain machine", "the rain machine leaks"),
        ("We close for two weeks in August", "july instead of august", "We close for two weeks in July"),
        ("Falk repaired the pump", "it was Omar", "Omar repaired the pump"),
        ("Mia pays the band", "Jonas does", "Jonas pays the band"),
        ("the flyers are blue", "green I mean", "the flyers are green"),
    ],
)
def test_a_value_takes_the_place_of_the_one_it_puts_right(text: str, said: str, says: str) -> None:
    assert mended(text, said) == says


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Anna works on Saturdays", "Anna, not limes"),
        ("From 8 to 12 we bake", "it's 9"),
        (FLOUR, "that is wrong"),
        ("The tents are hired", "it was Omar"),
        ("the rent is due", "thanks"),
        ("the bread van is late", "forget that"),
        ("the hall is booked", "that is fine"),
        ("Sam wants the sofa", "Sam does not want the sofa any more"),
        (FLOUR, "not on Friday, on Saturday"),
    ],
)
def test_nothing_is_changed_where_it_is_not_clear_what(text: str, said: str) -> None:
    assert mended(text, said) is None


def test_a_value_alone_is_no_text_of_its_own() -> None:
    assert is_value("1,530 euros")
    assert not is_value("the rent is 1,530 euros from May")
    assert not is_value("closed")


def test_the_one_name_of_what_is_said() -> None:
    assert only_name("I meant Greenfield Summer Fete") == "Greenfield Summer Fete"
    assert only_name("Ada or Grace") == only_name("the other one") == only_name("it's in May") == ""
