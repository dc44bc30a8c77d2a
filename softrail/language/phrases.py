"""Phrases as the word files write them, and the patterns they become.

A phrase is words; `(a|b)` is one of them, `[a|b]` one of them or nothing, `<list>` any phrase of that list,
`...` further words, `{process}` and `{field}` a process or an answer by its name, `{text}` words to read out, `{new}` those that take their place.
A phrase is compiled to a pattern over whole words with bounded repeats only, so matching is linear in the
message. Nothing that a person or a process brings ever becomes part of a pattern.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

PROCESS: Final = "{process}"
FIELD: Final = "{field}"
TEXT: Final = "{text}"
NEW: Final = "{new}"

_PIECE: Final = re.compile(r"\.\.\.|<[a-z_]+>|\{[a-z_]+\}|[()\[\]|]|[^\s()\[\]|<>{}]+|\S")
_WORDS: Final = r"(?:\S++ ){1,8}?"
_TEXT: Final = r"(?:\S++ ){1,60}?"
_REST: Final = r"(?:\S++ )++"
_CLOSING: Final = {"(": ")", "[": "]"}
_DEEPEST: Final = 6


class PhraseError(ValueError):
    """A phrase is not written as phrases are; the message says what is wrong with it."""


class _Reader:
    """Reads one phrase; used once."""

    def __init__(self, phrase: str, lists: Mapping[str, Sequence[str]], key: Callable[[str], str]) -> None:
        self._pieces = _PIECE.findall(phrase)
        self._at = 0
        self._lists = lists
        self._key = key

    def pattern(self, seen: tuple[str, ...]) -> str:
        if not self._pieces:
            raise PhraseError("is empty")
        pattern = self._alternatives(None, seen)
        if self._at < len(self._pieces):
            raise PhraseError(f"has a {self._pieces[self._at]!r} that nothing opened")
        return pattern

    def _alternatives(self, closing: str | None, seen: tuple[str, ...], depth: int = 0) -> str:
        if depth > _DEEPEST:
            raise PhraseError("has too many brackets within brackets")
        branches = [""]
        while self._at < len(self._pieces) and self._pieces[self._at] not in (")", "]"):
            piece = self._pieces[self._at]
            self._at += 1
            if piece == "|":
                branches.append("")
            elif piece in _CLOSING:
                inner = self._alternatives(_CLOSING[piece], seen, depth + 1)
                branches[-1] += f"(?:{inner})" + ("?" if piece == "[" else "")
            else:
                branches[-1] += self._piece(piece, seen)
        if closing is not None:
            if self._at >= len(self._pieces) or self._pieces[self._at] != closing:
                raise PhraseError(f"never closes a bracket with {closing!r}")
            self._at += 1
        if not all(branches):
            raise PhraseError("has an empty choice: write [a|b] when it may be left out")
        return "|".join(branches) if closing is not None else f"(?:{'|'.join(branches)})"

    def _piece(self, piece: str, seen: tuple[str, ...]) -> str:
        if piece == "...":
            return _REST if self._is_last() else _WORDS
        if piece in (PROCESS, FIELD):
            return re.escape(piece) + " "  # a message has this word where the name stood
        if piece in (TEXT, NEW):
            return f"(?P<{piece.strip('{}')}>{_REST if self._is_last() else _TEXT})"
        if piece.startswith("<") and piece.endswith(">"):
            return list_pattern(piece[1:-1], self._lists, self._key, seen)
        key = self._key(piece)
        if not key:
            raise PhraseError(f"has {piece!r}, which is neither a word nor a sign of phrases")
        return re.escape(key) + " "

    def _is_last(self) -> bool:
        return all(piece in _CLOSING.values() for piece in self._pieces[self._at :])


def phrase_pattern(
    phrase: str,
    lists: Mapping[str, Sequence[str]],
    key: Callable[[str], str],
    seen: tuple[str, ...] = (),
) -> str:
    """The pattern of one phrase over words joined by blanks, each followed by one. Raises PhraseError."""
    return _Reader(phrase, lists, key).pattern(seen)


def list_pattern(
    name: str,
    lists: Mapping[str, Sequence[str]],
    key: Callable[[str], str],
    seen: tuple[str, ...] = (),
) -> str:
    """The pattern of any phrase of a list. Raises PhraseError when lists refer to each other in a ring."""
    if name in seen:
        raise PhraseError(f"refers to <{name}>, which leads back to itself")
    if name not in lists:
        raise PhraseError(f"refers to <{name}>, which is no list of this file")
    branches = [phrase_pattern(phrase, lists, key, (*seen, name)) for phrase in lists[name]]
    return f"(?:{'|'.join(branches)})" if branches else "(?!)"
