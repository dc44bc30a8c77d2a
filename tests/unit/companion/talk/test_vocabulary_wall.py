"""The words of the machinery never reach a person, however they are written; a person's own words always may."""

import random
import unicodedata
from collections.abc import Iterator

import pytest

from softrail.companion.voice.outlet import Outlet
from softrail.companion.wall import wall

PLAIN = [
    "engagement", "assertion", "shape", "render", "manifestation", "specialist", "materializer",
    "normative_force", "held", "committed", "retracted",
]  # fmt: skip


def _evasions() -> Iterator[str]:
    for word in PLAIN:
        middle = len(word) // 2
        yield word.upper()
        yield word.capitalize()
        yield f"{word[:middle]}\u200b{word[middle:]}"
        yield "\u200d".join(word)
        yield f"{word[:middle]}\u00ad{word[middle:]}"
        yield "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c.isalpha() else c for c in word)
        yield f"**{word}**"
        yield f"“{word}”"
        yield unicodedata.normalize("NFD", word.replace("e", "é"))
        yield word.replace("e", "е").replace("a", "а")  # the last letters are Cyrillic


@pytest.mark.parametrize("word", PLAIN)
def test_every_word_of_the_list_is_caught(word: str) -> None:
    caught = wall().clean(f"Here is the {word}, as you asked.")
    assert len(caught.caught) == 1
    assert word not in caught.text
    assert caught.text.startswith("Here is the ")
    assert caught.text.endswith(", as you asked.")


def test_at_least_95_of_100_ways_to_write_them_otherwise_are_caught() -> None:
    ways = list(_evasions())
    assert len(ways) >= 100
    missed = [way for way in ways if not wall().clean(f"See the {way} now.").caught]
    assert len(missed) <= len(ways) // 20, missed


@pytest.mark.parametrize(
    "text",
    ["handheld", "a shipshape boat", "surrender", "shapely", "he upheld it", "uncommitted", "rendered2"],
)
def test_a_part_of_a_word_is_no_word(text: str) -> None:
    assert wall().clean(text).text == text


def test_a_persons_own_words_are_quoted_back_to_them() -> None:
    said = "The shape of the garden is held by a wall."
    reply = "Noted: the shape of the garden is held by a wall. The render comes later."
    cleaned = wall().clean(reply, quoting=[said])
    assert cleaned.text == "Noted: the shape of the garden is held by a wall. The show comes later."
    assert cleaned.caught == ("render",)


def test_ten_thousand_sentences_of_people_are_never_changed_when_quoted() -> None:
    rng = random.Random(7)
    words = [
        "the",
        "shape",
        "of",
        "we",
        "held",
        "meeting",
        "render",
        "gardens",
        "committed",
        "Atlas",
        "in",
        "June",
    ]
    sentences = [" ".join(rng.choices(words, k=8)) for _ in range(10_000)]
    changed = [s for s in sentences if wall().clean(f"You said: {s}.", quoting=[s]).caught]
    assert changed == []


def test_a_stream_without_a_blank_is_not_kept_back_for_ever() -> None:
    outlet = Outlet()
    shown = "".join(outlet.take("x" * 100) for _ in range(50))
    assert len(shown) > 4000
    assert shown + outlet.end() == "x" * 5000


def test_names_that_programs_agreed_on_are_no_fault_of_a_description() -> None:
    assert wall().faults("The last event is turn.committed.") == []
    assert wall().faults("The turn is committed.") == ["committed"]
