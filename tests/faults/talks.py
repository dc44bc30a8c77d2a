"""Scripted conversations for the black box: what the person says, and where that must lead."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Line:
    """One thing to say; `at` is the process's state and step afterwards, None where no process is shown."""

    message: str
    at: str | None = None
    effects: tuple[str, ...] = ()  #: kinds that this turn must bring about
    holds: dict[str, list[str]] | None = None  #: what the standup kept by this turn must hold


def free(tag: str, rng: Random) -> Iterator[Line]:
    """Small talk; every message of a conversation is another."""
    for n in range(rng.randint(0, 2)):
        word = rng.choice(("thanks a lot", "thank you very much", "thanks again", "many thanks"))
        yield Line(f"{word}, {n} {tag}")


def standup(tag: str, rng: Random) -> Iterator[Line]:
    """A standup with stepping off, coming back, skipping and correcting."""
    kept = {
        "yesterday": [f"fixed login {tag}"],
        "today": [f"ship version {tag}"],
        "blockers": [f"disk {tag}"],
    }
    yield Line("let's do my standup", "active gathering_yesterday")
    if rng.random() < 0.3:
        yield Line("stop", "suspended gathering_yesterday")
        yield from free(f"{tag} aside", rng)
        yield Line("resume", "active gathering_yesterday")
    yield Line(kept["yesterday"][0], "active gathering_today")
    if rng.random() < 0.3:
        kept["today"] = []
        yield Line("skip", "active gathering_blockers")
    else:
        yield Line(kept["today"][0], "active gathering_blockers")
    if rng.random() < 0.3:
        yield Line("cancel", "suspended gathering_blockers")
        yield Line("resume", "active gathering_blockers")
    yield Line(kept["blockers"][0], "active refining")
    if rng.random() < 0.4:
        kept["today"] = [f"rest {tag}"]
        yield Line(f"change today to rest {tag}", "active refining")
    yield Line("looks good", "completed refining", effects=("standup_saved",), holds=kept)


def talk(number: int, turns: int, rng: Random) -> list[Line]:
    """One conversation of at least that many turns."""
    lines = [Line(f"thank you for today, {number}")]
    part = 0
    while len(lines) < turns:
        part += 1
        tag = f"{number}x{part}"
        lines += free(tag, rng)
        lines += standup(tag, rng)
    return lines
