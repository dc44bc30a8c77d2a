"""What a text must be to be kept, wherever it came from."""

from typing import Final

from softrail.plugin import unusable

LONGEST_NAME: Final = 200
LONGEST_TEXT: Final = 16_000


def line(name: str, text: str, longest: int = LONGEST_NAME) -> str:
    """One line of text without outer space. Raises BadRequest that names the field, never the text."""
    text = text.strip()
    if not text or len(text) > longest or not text.isprintable():
        raise unusable(name, f"it must have 1 to {longest} printable characters")
    return text


def passage(name: str, text: str, longest: int = LONGEST_TEXT) -> str:
    """Text of any number of lines, without outer space. Raises BadRequest that names the field."""
    text = text.strip()
    if not text or len(text) > longest:
        raise unusable(name, f"it must have 1 to {longest} characters")
    if not keepable(text):
        raise unusable(name, "U+0000 and lone surrogates cannot be kept")
    return text


def shortened(text: str, longest: int = LONGEST_NAME) -> str:
    """The text on one line, cut where it is too long: for names made from what someone said."""
    one = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return one if len(one) <= longest else one[: longest - 1].rstrip() + "…"


def keepable(text: str) -> bool:
    """Every database can keep it: no NUL, no half of a surrogate pair."""
    return "\0" not in text and not any("\ud800" <= c <= "\udfff" for c in text)
