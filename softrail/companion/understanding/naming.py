"""The name in words that give one: without what takes another back before it, and without what is said about it."""

import re
from typing import Final

_BEGINS: Final = re.compile(r"[\"'“‘„«]?[^\W_a-z]")  #: how a name begins
#: A name is taken back by the one behind it.
_MENDED_NAME: Final = re.compile(
    r",\s*(?:(?:oh|or|ah|hm+|um+|well)[,\s]+)*(?:no|nope|sorry|wait|actually|rather|better|i\s+mean|i\s+meant"
    r"|on\s+second\s+thoughts?)\b[,:]?\s*",
    re.IGNORECASE,
)
#: What stands behind a name that was written as one: ", with a u", " sounds nicer".
_BEHIND_NAME: Final = re.compile(
    r"(?<=\w),\s+(?=[a-z]).*$|(?<=\w)\s+(?:sounds?|is|fits|would|looks)\b.*$", re.DOTALL
)
_TO_BE: Final = re.compile(r"^(?:should|must|shall|is\s+to|has\s+to)\s+be\s+(?:called\s+)?", re.IGNORECASE)


def is_written(text: str) -> bool:
    """It begins as names are written."""
    return _BEGINS.match(text) is not None


def to_be_called(text: str) -> str:
    """The name without the verb that may stand before it: "should be Digest"."""
    return _TO_BE.sub("", text)


def name_alone(text: str) -> str:
    """The name that stands in the end, alone: "Red Kite, no, Green Kite", "Harbour Walk, with a u", "Green Kite sounds nicer"."""
    name = _MENDED_NAME.split(text)[-1].strip() or text
    return _BEHIND_NAME.sub("", name) if is_written(name) else name
