"""Words are found by what they have in common, in any script."""

import pytest

from softrail.companion.memory.stems import LONGEST, stem, terms


@pytest.mark.parametrize(
    "words",
    [
        ("price", "prices", "priced", "pricing"),
        ("supply", "supplies", "supplied"),
        ("plan", "plans", "planned", "planning"),
        ("box", "boxes"),
        ("glass", "glasses"),
        ("invoice", "invoices"),
    ],
    ids=lambda words: words[0],
)
def test_endings_of_a_word_come_to_one_form(words: tuple[str, ...]) -> None:
    assert len({stem(word) for word in words}) == 1


@pytest.mark.parametrize("word", ["bus", "string", "red", "seed", "news", "42", "größe", "is"])
def test_short_words_and_those_of_other_languages_keep_apart(word: str) -> None:
    assert stem(word) != ""
    assert stem(word) in (word, word.removesuffix("s"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("GRÖSSE", "größe"),
        ("Café", "cafe\u0301"),
        ("ﬁnal", "FINAL"),
        ("Ärger", "ärger"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
    ],
    ids=["case", "accents", "ligature", "umlaut", "greek"],
)
def test_case_and_form_of_letters_do_not_matter(one: str, other: str) -> None:
    assert terms(one, 9) == terms(other, 9) != ()


def test_words_that_say_nothing_and_signs_are_left_out() -> None:
    assert terms("What about the soil, and THE price?! -- 15 %", 9) == ("soil", "pric", "15")
    assert terms("___ … 🙂 the", 9) == ()


def test_scripts_without_spaces_are_found_by_pairs_of_letters() -> None:
    assert set(terms("価格", 9)) <= set(terms("東京の価格表", 9))
    assert terms("価", 9) == ("価",)


def test_terms_are_bounded_in_number_and_length() -> None:
    assert terms(" ".join(f"word{n}x" for n in range(99)), 7) == tuple(f"word{n}x" for n in range(7))
    assert terms("x" * 16_000, 9) == ("x" * LONGEST,)
