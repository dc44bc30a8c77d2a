"""Words that mean the same to a reader of plain text and do nothing to a reader of Markdown.

A picture is fetched as soon as it is shown, and its address may carry away what the text says; HTML and the address of
a link may be programs. A word joiner, which nobody sees, keeps each of them from being one.
"""

import re
from typing import Final

_JOINER: Final = "\u2060"
_ACTIVE: Final = re.compile(
    r"!(?=\[)"  # a picture
    r"|<(?=[A-Za-z/!?])"  # HTML, or an address in angle brackets
    r"|\](?=:|\((?!https?://|mailto:|[#/)]))",  # a link to anything but a page or a mailbox, or its address apart
    re.IGNORECASE,
)


def inert(text: str) -> str:
    """The text with a word joiner inside everything that a reader of Markdown would fetch or run."""
    return _ACTIVE.sub(lambda found: found.group() + _JOINER, text)
