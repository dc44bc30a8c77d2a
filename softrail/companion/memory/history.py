"""Which earlier turns go along with a message: enough to follow it, and in a form that a provider's cache knows again."""

from collections.abc import Sequence
from typing import Final

from softrail import Message
from softrail.plugin import Exchange

MAX_CONVERSATION_TURNS_IN_CONTEXT: Final = 10
_LONGEST_TURN: Final = 1_000  #: characters of an earlier turn that go along
_ITEMS: Final = 10  #: numbers in a session of five exchanges: each takes two


def kept(found: Sequence[Exchange]) -> Sequence[Exchange]:
    """Of the last exchanges, oldest first, those that go along: at most ten, and five are dropped at a time.

    `found` holds one more than may go along, where there are so many. What is kept begins where five exchanges of a
    session begin, so it is the same beginning for five turns, on every worker, and grows only at its end.
    """
    most = MAX_CONVERSATION_TURNS_IN_CONTEXT
    if len(found) <= most:
        return found
    for at in range(len(found) - most, len(found)):
        if _five(found[at]) != _five(found[at - 1]):
            return found[at:]
    return found[-most:]


def messages(exchanges: Sequence[Exchange]) -> list[Message]:
    """The exchanges as a model reads them."""
    found: list[Message] = []
    for exchange in exchanges:
        found.append(Message(role="user", content=exchange.said[:_LONGEST_TURN]))
        found.append(Message(role="assistant", content=exchange.answered[:_LONGEST_TURN]))
    return found


def _five(exchange: Exchange) -> tuple[str, int]:
    return exchange.session_id, (exchange.seq - 1) // _ITEMS
