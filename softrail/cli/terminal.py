"""What may reach a terminal: words, never commands to it."""

import unicodedata
from typing import Final

import typer

_TURNED: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_KEPT: Final = frozenset("\n\t")
_INSTEAD: Final = "\ufffd"


def legible(text: str) -> str:
    """The text with a replacement character for what would move the cursor, change colours or turn the line around."""
    return text if text.isprintable() else "".join(map(_shown, text))


def tell(text: str, *, err: bool = False) -> None:
    """Print one line in which words of people may stand; they cannot begin another."""
    typer.echo(legible(text).replace("\n", " "), err=err)


def _shown(char: str) -> str:
    unfit = unicodedata.category(char) in ("Cc", "Cs") or char in _TURNED
    return _INSTEAD if unfit and char not in _KEPT else char
