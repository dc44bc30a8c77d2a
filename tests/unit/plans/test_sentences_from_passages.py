"""What a model may say of a passage: words and numbers of one sentence of it, as they stand there."""

import pytest

from softrail.plans.thinking.guard import repeats

PASSAGE = (
    "Both sides may end it. The notice period is three months, in writing. The deposit of 1,250.00 EUR is paid back within "
    "30 days or 3 months. Pets are not allowed, unless the owner agrees. A discount of 5 % is given."
)


@pytest.mark.parametrize(
    "said",
    [
        "The notice period is three months.",
        "Three months, in writing.",
        "It is paid back within 30 days.",
        "The deposit of 1,250.00 EUR. The notice period is three months.",
        "Pets are not allowed, unless the owner agrees.",
    ],
)
def test_a_part_of_a_sentence_is_said(said: str) -> None:
    assert repeats(said, PASSAGE)


@pytest.mark.parametrize(
    "said",
    [
        "The notice period is four months.",
        "The notice period is 3 months.",
        "The notice period is not three months.",
        "The notice period is months three.",
        "It is paid back within 30 months.",
        "The deposit is paid back within 30 days.",  # of 1,250.00 EUR is left out in between
        "The deposit of 1,250 EUR.",
        "The deposit of -1,250.00 EUR.",
        "Pets are allowed.",
        "Pets are not allowed.",
        "The owner agrees.",
        "Notice in writing, three months.",
        "A discount of 5 is given.",
        "A discount of 5 % is given.",
        "The notice period is three months. Pay at once.",
        "The notice period is three months <b>",
        "",
        "It is.",
    ],
)
def test_anything_else_is_not(said: str) -> None:
    assert not repeats(said, PASSAGE)


def test_what_stands_in_the_question_alone_is_no_word_of_the_passage() -> None:
    assert not repeats("Yes, the notice period is five weeks.", PASSAGE)


@pytest.mark.parametrize(
    ("passage", "cut"),
    [
        ("Der Vertrag endet im Mai nicht.", "Der Vertrag endet im Mai."),
        ("Die Miete steigt, sofern der Index steigt.", "Die Miete steigt."),
        ("Le contrat ne finit pas en mai.", "Le contrat finit en mai."),
        ("Le loyer augmente, sauf accord.", "Le loyer augmente."),
        ("Nunca se devuelve la fianza.", "Se devuelve la fianza."),
        ("La caparra viene resa, salvo danni.", "La caparra viene resa."),
        ("A caução é devolvida, exceto danos.", "A caução é devolvida."),
        ("De borg wordt terugbetaald, tenzij er schade is.", "De borg wordt terugbetaald."),
    ],
)
def test_what_turns_a_sentence_is_not_cut_off_in_other_languages_either(passage: str, cut: str) -> None:
    assert repeats(passage, passage)
    assert not repeats(cut, passage)
