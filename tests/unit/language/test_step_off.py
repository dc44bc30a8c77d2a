"""Stepping off: the labelled corpus, the sentences of the rules, and words typed in every odd way."""

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.step_off import CORPUS, FRESH, count, lines, read, upper_bound
from softrail.language import StepOff, language
from softrail.language.words import load

WORDS = language("en")
STANDUP = ("standup", "daily standup")
ESCAPES = ("stop", "quit", "cancel", "nevermind", "never mind", "exit")
PADDING = ("please", "ok", "now", "just", "thanks")

WORD = re.compile(r"[a-z']+")
MANY = tuple(map(str, range(1, 11)))

FROZEN = {
    "held": "39c4f7084aa9172ce95bd64d67d9645d5b93e45a3ff5c28066c4e374489e59fe",
    "fresh": "d538f2e52d34cba25cc1527ad260d259a85d0b1dddfabc0a78ce2bfde35d2e5d",
}


def off(message: str, names: Sequence[str] = STANDUP, **more: Any) -> StepOff | None:
    return WORDS.step_off(message, names=names, **more)


# -- the corpus


@pytest.mark.parametrize("part", FROZEN)
def test_a_frozen_part_is_what_it_was_when_it_was_written(part: str) -> None:
    assert sha256((CORPUS / f"{part}.jsonl").read_bytes()).hexdigest() == FROZEN[part]


@pytest.mark.parametrize("part", ["tune", "held", FRESH])
def test_exact_words_never_take_an_answer_for_a_wish_to_leave(part: str) -> None:
    counts = count(part)

    assert (counts.false_stops, counts.misread) == ([], [])
    assert counts.answers >= 47


def test_exact_words_know_most_ways_out_and_leave_the_others_to_the_reader() -> None:
    counts = count("tune")

    assert len(counts.false_traps) * 10 <= counts.leaving, counts.false_traps


def test_escape_words_are_known_before_anything_is_loaded_and_no_answer_is_one() -> None:
    corpus = [line for half in ("tune", "held") for line in lines(half) if "options" not in line]
    known = {line["text"] for line in corpus if line["label"] == "escape" and WORDS.is_escape(line["text"])}

    assert len(known) > 60
    assert [
        line["text"] for line in corpus if line["label"] != "escape" and WORDS.is_escape(line["text"])
    ] == []


def test_the_corpus_comes_out_the_same_whatever_is_written_around_it() -> None:
    corpus = [line for half in ("tune", "held") for line in lines(half)]
    changed = [
        line["text"]
        for line in corpus
        for around in (f"\n {line['text']} \u200b", f"\ufeff{line['text']}\u2060")
        if (read(line, WORDS) is None) != (read({**line, "text": around}, WORDS) is None)
    ]

    assert changed == []


def test_the_bound_is_the_one_of_the_textbook() -> None:
    assert upper_bound(0, 100) == pytest.approx(1 - 0.05 ** (1 / 100))
    assert upper_bound(2, 50) == pytest.approx(0.12061, abs=1e-5)
    assert upper_bound(5, 5) == 1.0


# -- the rules


@pytest.mark.parametrize(
    "answer",
    [
        "cancel my 3pm and ship v2",
        "I want to exit the beta by May",
        "I'm not going to do that refactor today",
        "change the status of issue #108 to Done",
        "refine the second bullet",
        "skipped the retro, shipped v2",
        "Great Migration",
        "Later Labs",
        "let's start now",
    ],
)
def test_words_inside_an_answer_never_trigger(answer: str) -> None:
    assert off(answer) is None


@pytest.mark.parametrize(
    ("message", "remainder"),
    [
        ("I am not doing the standup right now, restore CoVa", "restore CoVa"),
        ("I'm not doing the standup", ""),
        ("I'm not doing the standup because I am ill", ""),
        ("No – I'm not doing the standup! Restore CoVa…", "Restore CoVa…"),
        ("stop the standup and then close #108 (see below)", "close #108 (see below)"),
        ("stop the standup, and, but, restore CoVa", "restore CoVa"),
        ("cancel the daily standup, please", None),
    ],
)
def test_a_refusal_leaves_what_else_was_asked_for_in_the_persons_own_words(
    message: str, remainder: str | None
) -> None:
    expected = StepOff("exit") if remainder is None else StepOff("refusal", remainder)

    assert off(message) == expected


def test_not_now_is_an_escape_unless_a_yes_no_question_is_open() -> None:
    assert off("not now") == StepOff("escape")
    assert off("not now", yes_no=True) is None


def test_a_label_the_step_offers_is_an_answer_in_any_typing() -> None:
    assert WORDS.step_off(" STOP! ", names=STANDUP, options=("Go on", "Stop")) is None
    assert WORDS.step_off("quit", names=STANDUP, options=("Go on", "Stop")) == StepOff("escape")


@pytest.mark.parametrize("name", ["a.b*c (x|y)", "stand-up [v2]", "{process}", "(?P<x>.*)+$"])
def test_the_name_of_a_process_is_never_a_pattern(name: str) -> None:
    assert off(f"stop the {name}", names=[name]) == StepOff("exit")
    assert off("stop the aXbbc xx", names=[name]) is None
    assert off("stop the importer", names=[name]) is None


@pytest.mark.parametrize("spelling", ["stand-up", "Stand Up", "STANDUP", "ｓｔａｎｄｕｐ"])
def test_a_name_is_known_however_it_is_spelled(spelling: str) -> None:
    assert off(f"end the {spelling}") == StepOff("exit")


# -- any typing

IGNORABLE = st.sampled_from("\u00ad\u200b\u200d\u2060\ufe0f\ufeff\u034f\U000e0041")
WIDE = {
    ord(narrow): ord(narrow) + 0xFEE0 for narrow in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
}
AROUND = st.text(alphabet=" \t\n.,!?;:\"'“”‘’()[]*_~-…¡🛑😤🙏\u200b\u00a0", max_size=8)


@st.composite
def odd_escapes(draw: st.DrawFn) -> str:
    words = [
        *draw(st.lists(st.sampled_from(PADDING), max_size=2)),
        draw(st.sampled_from(ESCAPES)),
        *draw(st.lists(st.sampled_from(PADDING), max_size=2)),
    ]
    between = draw(st.sampled_from([" ", "  ", "\u00a0", ", ", " - ", "\n"]))
    letters = []
    for letter in between.join(words):
        letters.append(letter.upper() if draw(st.booleans()) else letter)
        if draw(st.integers(0, 5)) == 0:
            letters.append(draw(IGNORABLE))
    text = "".join(letters)
    if draw(st.booleans()):
        text = text.translate(WIDE)
    return f"{draw(AROUND)}{text}{draw(AROUND)}"


@settings(max_examples=300, deadline=None)
@given(odd_escapes())
def test_an_escape_word_is_one_in_any_typing(message: str) -> None:
    assert WORDS.is_escape(message)
    assert off(message) == StepOff("escape")


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(["stop", "quit", "cancel", "exit"]), st.sampled_from(".-*_' "), st.integers(3, 9))
def test_an_escape_word_spelled_out_or_dragged_out_is_one(word: str, sign: str, times: int) -> None:
    assert WORDS.is_escape(sign.join(word))
    assert WORDS.is_escape(word[:-1] + word[-1] * times)


PROSE = st.lists(
    st.sampled_from(
        ["parser", "invoice", "Ana", "release", "the", "my", "before", "with", "v2", *ESCAPES, *PADDING]
    ),
    min_size=3,
    max_size=12,
).filter(lambda words: any(word in ("parser", "invoice", "Ana", "release", "v2") for word in words))


@settings(max_examples=300, deadline=None)
@given(PROSE, st.sampled_from([" ", ", ", "\n"]))
def test_prose_with_an_escape_word_in_it_is_not_an_escape(words: list[str], between: str) -> None:
    message = between.join(words)

    assert not WORDS.is_escape(message)
    assert off(message) is None


KNOWN = sorted(
    {word for phrases in load("en").values() for phrase in phrases for word in WORD.findall(phrase)}
)
MIX = st.lists(
    st.one_of(
        st.sampled_from(KNOWN),
        st.sampled_from(["standup", "daily standup", "today", "#4", "CoVa", ", ", ". ", "?"]),
    ),
    max_size=14,
).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(MIX)
def test_no_mix_of_known_words_breaks_a_reading_or_makes_words_up(message: str) -> None:
    found = off(message)
    change = WORDS.edit(message, {"today": ["plan"], "blockers": ["blocker"]})
    before = WORDS.done_with(message)

    assert found is None or found.remainder in message
    assert change is None or change.text in (*MANY, "last") or change.text in message
    assert before is None or before in message
    assert WORDS.consent(message) in ("yes", "no", "question", "other")
    assert WORDS.unpadded(message) == WORDS.unpadded(WORDS.unpadded(message))
