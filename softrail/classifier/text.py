"""The forms of a message that are compared: its words, and its words without politeness around them."""

import re

from softrail.language import language, normal

#: The classifier reads this much of a message; what a person wants stands in its first sentences.
READ = 2000

_WORD = re.compile(r"[^\W_]+(?:['.\-][^\W_]+)*")


def words(text: str) -> tuple[str, ...]:
    """The words of a text in their normal form; "3.14" and "don't" are one word each."""
    return tuple(_WORD.findall(normal(text[:READ])))


def form(text: str) -> str:
    """The words of a text with single spaces: equal for messages that differ in case and punctuation only."""
    return " ".join(words(text))


def bare(text: str) -> str:
    """`form` without polite words at either end; as it is when nothing else would be left."""
    return " ".join(words(language().unpadded(text))) or form(text)
