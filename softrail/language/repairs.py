"""Words that put right what was said before them: "Marek, no wait, Ilse", "one hour, better 90 minutes"."""

from collections.abc import Sequence
from typing import Final

from softrail.language.patterns import Pattern, Patterns
from softrail.language.text import Spoken, spoken

_TRAILING: Final = " \t\r\n.,;:!-–—…"
Span = tuple[int, int]


def repaired(patterns: Patterns, words: str) -> tuple[str, str]:
    """What was said first and what was meant instead; what was said and "" where nothing is put right."""
    said, pattern = spoken(words), patterns.words("repair")
    for at in _clauses(said):
        behind = _behind(said, at, pattern)
        if at < behind:
            return said.since(0, at).rstrip(_TRAILING) if at else "", said.since(behind)
    return words, ""


def puts_right(patterns: Patterns, message: str, *, anywhere: bool = False) -> Sequence[Span]:
    """Where such words stand at the head of a clause, or `anywhere`, all of them that follow each other: "no sorry, I mean"."""
    said, pattern = spoken(message), patterns.words("puts_right")
    found: list[Span] = []
    until = 0
    for at in range(len(said.words)) if anywhere else _clauses(said):
        behind = at
        while (more := _behind(said, behind, pattern)) > behind:
            behind = more
        if at >= until and behind > at:
            end = said.words[behind].start if behind < len(said.words) else len(message)
            found.append((said.words[at].start, end))
            until = behind
    return found


def denies(patterns: Patterns, words: str) -> bool:
    """They say that what was said before is wrong."""
    said = spoken(words)
    return any(_behind(said, at, patterns.words("denying")) > at for at in range(len(said.words)))


def _clauses(said: Spoken) -> Sequence[int]:
    """The words with which a clause begins."""
    return [at for at in range(len(said.words)) if not at or said.words[at - 1].closes]


def _behind(said: Spoken, at: int, pattern: Pattern) -> int:
    """The word behind those of that pattern that stand there; `at` where none do."""
    found = pattern.match("".join(f"{word.key} " for word in said.words[at:]))
    return at + found.group().count(" ") if found is not None else at
