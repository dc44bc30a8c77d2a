"""False stops and false traps of stepping off, over the two halves of a labelled corpus.

    python -m benchmarks.step_off

Phrases are tuned on one half only; the held half was written before them and has not changed since. A third
part, "fresh", was written when the phrases were thought done: what they made of it at first sight is the figure
to believe. They have learned from it since. A false stop
takes an answer for a wish to leave; a false trap takes a wish to leave for an answer. A message that leaves by
another layer than labelled, or leaves something else to be answered, counts as misread.
"""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from softrail.language import Language, StepOff, language

CORPUS = Path(__file__).parent.parent / "tests" / "data" / "step_off"
HALVES = ("tune", "held")
FRESH = "fresh"
#: False stops, false traps and misread lines of the fresh part when it was read for the first time.
FIRST_SIGHT = (2, 12, 0)
STAYS = "answer"
#: What is no answer and no exact word of leaving either is the learned layer's; `benchmarks.tape` judges that.
LEARNED = "off_intent"


@dataclass(kw_only=True)
class Counts:
    """What became of one half."""

    answers: int = 0
    leaving: int = 0
    false_stops: list[str] = field(default_factory=list)
    false_traps: list[str] = field(default_factory=list)
    misread: list[str] = field(default_factory=list)
    microseconds: float = 0.0  #: per message, best of the rounds


def lines(half: str) -> list[dict[str, Any]]:
    """The labelled lines of one half."""
    text = (CORPUS / f"{half}.jsonl").read_text(encoding="utf-8")
    found = [json.loads(line) for line in text.split("\n") if line]
    return [line for line in found if line["label"] != LEARNED]


def read(line: dict[str, Any], words: Language) -> StepOff | None:
    """What stepping off makes of one line."""
    return words.step_off(
        line["text"],
        names=line["process"],
        options=line.get("options", ()),
    )


def count(half: str, *, rounds: int = 0) -> Counts:
    """The counts of one half; timed as well when `rounds` are given."""
    words, counts, corpus = language("en"), Counts(), lines(half)
    for line in corpus:
        _judge(line, read(line, words), counts)
    if rounds:
        counts.microseconds = min(
            _timed(lambda: [read(line, words) for line in corpus]) for _ in range(rounds)
        )
        counts.microseconds *= 1e6 / len(corpus)
    return counts


def _judge(line: dict[str, Any], found: StepOff | None, counts: Counts) -> None:
    text, label = line["text"], line["label"]
    if label == STAYS:
        counts.answers += 1
        if found is not None:
            counts.false_stops.append(f"{text!r} -> {found.layer}")
        return
    counts.leaving += 1
    if found is None:
        counts.false_traps.append(f"{text!r} ({label})")
    elif found.layer != label or ("remainder" in line and found.remainder != line["remainder"]):
        counts.misread.append(f"{text!r} ({label}) -> {found.layer} {found.remainder!r}")


def _timed(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


FIELDS = {"today": ["plan"], "blockers": ["blocker"]}
HOSTILE = {
    name: (piece * 50_000)[:50_000]
    for name, piece in {
        "blanks": " ",
        "zero width": "\u200b",
        "letters": "a",
        "padding": "please ok ",
        "escapes": "stop, ",
        "refusals": "i don't want to do ",
        "edits": "remove the first from ",
        "additions": "add to blockers as ",
        "done-words": "that's all. done. ",
        "stops": "!",
        "dashes": " - -",
        "marks": "a\u0301\u0301",
        "ligatures": "\ufdfa",
        "consent": "yes no ",
    }.items()
}


def readings(words: Language) -> dict[str, Callable[[str], object]]:
    """Every way a message is read."""
    return {
        "step_off": lambda message: words.step_off(message, names=["daily standup"]),
        "consent": words.consent,
        "edit": lambda message: words.edit(message, FIELDS),
        "done_with": words.done_with,
        "is_greeting": words.is_greeting,
        "is_question": words.is_question,
        "unpadded": words.unpadded,
    }


def worst(words: Language) -> tuple[float, str]:
    """The slowest reading of a hostile message: seconds, best of three, and which."""
    found = (0.0, "")
    for name, message in HOSTILE.items():
        for reading, work in readings(words).items():
            seconds = min(_timed(partial(work, message)) for _ in range(3))
            found = max(found, (seconds, f"{reading} of {name}"))
    return found


def upper_bound(errors: int, n: int, *, confidence: float = 0.95) -> float:
    """The one-sided Clopper-Pearson bound: the largest rate at which so few errors are still that likely."""
    if n == 0 or errors >= n:
        return 1.0
    low, high = errors / n, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _at_most(errors, n, middle) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


def _at_most(errors: int, n: int, rate: float) -> float:
    return sum(math.comb(n, k) * rate**k * (1 - rate) ** (n - k) for k in range(errors + 1))


def _row(half: str, name: str, errors: int, n: int) -> str:
    bound = 100 * upper_bound(errors, n)
    return f"{half:<22}{name:<13}{errors:>4} of {n:<5} upper 95 % bound {bound:5.1f} %"


def main() -> None:
    """Print the table, then every line that went wrong."""
    wrong: list[str] = []
    for half in (*HALVES, FRESH):
        counts = count(half, rounds=3)
        print(_row(half, "false stops", len(counts.false_stops), counts.answers))
        print(_row(half, "false traps", len(counts.false_traps), counts.leaving))
        print(_row(half, "misread", len(counts.misread), counts.leaving))
        print(f"{half:<22}{'time':<13}{counts.microseconds:>7.0f} µs per message")
        for kind in ("false_stops", "false_traps", "misread"):
            wrong += [f"  {half} {kind.replace('_', ' ')}: {text}" for text in getattr(counts, kind)]
    stops, traps, misread = FIRST_SIGHT
    for title, errors, n in (
        ("false stops", stops, counts.answers),
        ("false traps", traps, counts.leaving),
        ("misread", misread, counts.leaving),
    ):
        print(_row("first sight of fresh", title, errors, n))
    seconds, name = worst(language())
    print(
        f"slowest reading of {len(HOSTILE)} hostile messages of 50,000 characters: {1e3 * seconds:.1f} ms ({name})"
    )
    blanks = partial(language().is_escape, " " * 500_000)
    print(f"escape check on 0.5 MB of blanks: {1e3 * _timed(blanks):.1f} ms")
    print(
        "\nThe lines are our own, and whoever wrote the phrases wrote every part: the halves show what was"
        "\nthought of, the first sight of fresh what was not. No rate is claimed for real people."
    )
    if wrong:
        print("\n" + "\n".join(wrong))


if __name__ == "__main__":
    main()
