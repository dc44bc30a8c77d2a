"""The normal form, and how much of a message is ever read."""

import itertools
import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from softrail.language import language, normal
from softrail.language.patterns import LONGEST_WORDS, forms
from softrail.language.text import READ_AT_MOST, spoken
from softrail.language.words import PLAIN


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  “Stop!!!” 🛑", "stop"),
        ("Ｎｅｖｅｒ\u00a0 \n mind…", "never mind"),
        ("I’m   GOOD", "i'm good"),
        ("Straße", "strasse"),
        ("well -- maybe", "well - maybe"),
        ("हिन्दी!", "हिन्दी"),
        ("¿?", ""),
        ("\u200b", ""),
    ],
)
def test_the_normal_form_keeps_letters_and_drops_what_is_around_them(text: str, expected: str) -> None:
    assert normal(text) == expected


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_the_normal_form_of_a_normal_form_is_itself(text: str) -> None:
    once = normal(text)

    assert normal(once) == once
    assert unicodedata.is_normalized("NFKC", once)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_every_word_is_found_where_it_stands(message: str) -> None:
    words = spoken(message).words

    assert [normal(message[word.start : word.end]).replace("'", "").replace(" ", "") for word in words] == [
        word.key for word in words
    ]
    assert all(before.end <= after.start for before, after in itertools.pairwise(words))


@pytest.mark.parametrize(
    "piece", ["please ok ", "stop, ", "remove the first from ", "a", "a\u0301", "\ufdfa", "!"]
)
def test_no_pattern_ever_sees_more_than_the_head_of_a_message(piece: str) -> None:
    message = piece * (50_000 // len(piece))
    said = spoken(message)

    assert forms(message) == () or piece == "!"
    assert all(word.end <= READ_AT_MOST for word in said.words)
    assert all(len(form) <= 2 * LONGEST_WORDS for form in forms(piece * 30))
    assert not said.whole


def test_blanks_around_a_word_are_no_length() -> None:
    words = language()

    assert words.is_escape(" \u200b" * 100_000 + "stop" + "\n" * 100_000)
    assert not words.is_escape(" " * 500_000)


def test_patterns_repeat_within_bounds_or_without_going_back() -> None:
    # A rest of words is `(?:\S++ )++`, which never gives back what it took; all else has a fixed most.
    patterns = language()._patterns
    sources = []
    for name in (name for name in dir(patterns) if not name.startswith("_")):
        value = getattr(patterns, name)
        found = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else [value]
        sources += [one.pattern for one in found if isinstance(one, re.Pattern)]

    phrases = (one for name in patterns.lists if name not in PLAIN for one in patterns.each(name))
    sources += [one.pattern for one in phrases]

    assert len(sources) > 200
    for source in sources:
        rest = source.replace(r"(?:\S++ )++", "").replace(r"(?:\S++ ){", "{")
        assert "*" not in rest.replace(r"\*", "")
        assert "+" not in rest.replace(r"\+", "")
