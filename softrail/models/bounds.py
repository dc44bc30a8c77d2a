"""What every language model over HTTP keeps to, whoever its provider is."""

from typing import Final

MOST_RETRIES: Final = 2
LONGEST_ANSWER: Final = 200_000  #: characters; what comes after them is not read
ROOM_TO_THINK: Final = 2_048  #: tokens more for a model that thinks before it answers
THERE: Final = frozenset({400, 401, 403, 404, 405, 409, 413, 422})  #: statuses that say: not like this


def sendable(text: str) -> str:
    """A lone surrogate cannot be sent as UTF-8; a question mark stands for it."""
    return text.encode("utf-8", "replace").decode("utf-8")
