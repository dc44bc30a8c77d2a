"""Words that put right what was said before them, where they begin a clause."""

import pytest

from softrail.language import language

WORDS = language("en")


@pytest.mark.parametrize(
    ("said", "heads"),
    [
        ("friday. no saturday", ["no "]),
        ("one hour, better 90 min", ["better "]),
        ("three, or make it four", ["or make it "]),
        ("no sorry, I mean the 8th", ["no sorry, I mean "]),
        ("ruler and compass, not the compass", []),
        ("I have no idea", []),
        ("", []),
    ],
)
def test_they_are_found_at_the_head_of_a_clause(said: str, heads: list[str]) -> None:
    assert [said[start:end] for start, end in WORDS.puts_right(said)] == heads


@pytest.mark.parametrize("said", ["no sorry", "no", "I mean", "oops"])
def test_some_deny_what_was_said(said: str) -> None:
    assert WORDS.denies_what_was_said(said)


@pytest.mark.parametrize("said", ["oh wait", "sorry", "actually", "better"])
def test_some_only_ask_for_time_or_for_pardon(said: str) -> None:
    assert not WORDS.denies_what_was_said(said)
