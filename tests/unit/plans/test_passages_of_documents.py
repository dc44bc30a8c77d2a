"""Where passages of a text stand, which is the best, and how it is quoted."""

from time import monotonic

import pytest

from softrail.plans.documents.passages import LONGEST, Document, Passage, found_in


def best(text: str, question: str, *, marked: bool = True) -> Passage:
    return found_in([Document("a.md", text, marked)], question, until=monotonic() + 60)[0]


def test_a_paragraph_stands_under_the_heading_before_it_in_either_way_of_writing_one() -> None:
    for heading in ("# The rent #", "The rent\n========", "The rent\n---"):
        found = best(f"{heading}\n\nIt is due\non the third.\n", "when is it due?")
        assert (found.heading, found.quoted) == ("The rent", "It is due on the third.")


def test_a_word_of_the_heading_counts_for_what_stands_under_it() -> None:
    found = best(
        "# Rent\n\nDue on the third.\n\n# Deposit\n\nDue on the ninth.\n", "when is the deposit due?"
    )
    assert (found.quoted, found.line, found.share) == ("Due on the ninth.", 7, 1.0)


def test_what_is_fenced_has_no_headings_and_a_plain_text_has_none_at_all() -> None:
    assert best("```\n# rent\ndue: 3\n```\n", "rent due?").heading == ""
    assert best("# rent\n\ndue on the third", "due?", marked=False).heading == ""


def test_a_rare_word_counts_for_more_than_a_frequent_one() -> None:
    text = "\n\n".join([*["The rent of a shop."] * 20, "The deposit of a garage."])
    assert best(text, "rent or deposit?").quoted == "The deposit of a garage."


def test_of_a_long_paragraph_the_sentence_is_quoted_and_what_is_left_out_is_marked() -> None:
    filler = "Nothing to see in this sentence at all. " * 20
    found = best(f"{filler}The deposit is 900 EUR. {filler}", "how much is the deposit?")
    assert found.quoted.startswith("… The deposit is 900 EUR. Nothing")
    assert found.quoted.endswith(" …")
    assert len(found.quoted) <= LONGEST + 4


def test_one_line_without_an_end_is_cut_and_found_in_its_part() -> None:
    found = best("word " * 100_000 + "the deposit is due", "is the deposit due?")
    assert "deposit is due" in found.quoted
    assert found.line == 1


@pytest.mark.parametrize(
    "text",
    [
        "a\n" * 500_000,
        "# " + "a" * 500_000 + "\n\nnotice period\n" * 30_000,
        "a" * 1_000_000,
        " " * 999_999 + "|",
        "- " * 500_000,
        "#" * 1_000_000,
        "\n" * 1_000_000,
        "a. " * 333_333,
        "Notice period\n---\n" * 55_000,
        "notice " * 140_000,
        "| notice | period |\n" * 50_000,
    ],
    ids=[
        "lines",
        "heading",
        "word",
        "blank",
        "items",
        "marks",
        "ends",
        "sentences",
        "headings",
        "said",
        "rows",
    ],
)
def test_no_text_of_a_megabyte_takes_long(text: str) -> None:
    begun = monotonic()
    found_in([Document("a.md", text, True)], "what is the notice period?", until=begun + 2.0)
    assert monotonic() - begun < 4.0


def test_lines_are_counted_as_editors_count_them() -> None:
    found = best("one\r\n\r\ntwo\x0c\u2028and\r\n\r\nthe deposit\r\n", "deposit?")
    assert (found.line, found.quoted) == (5, "the deposit")


def test_words_are_found_in_their_other_endings() -> None:
    assert best("Deposits were paid.", "who pays the deposit?").share == 0.5
    assert best("The policies are old.", "which policy is old?").share == 1.0


def test_what_takes_too_long_is_not_found() -> None:
    assert found_in([Document("a.md", "deposit", True)], "deposit?", until=monotonic() - 1) == []


def test_a_question_of_no_words_finds_nothing() -> None:
    assert found_in([Document("a.md", "what is it", True)], "what is it?", until=monotonic() + 60) == []
