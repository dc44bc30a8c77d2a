"""Words that are heard while a turn is still computed: who says them, from wherever plugin code runs."""

from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final, Protocol

from softrail.core.within import Within

MOST_SAID: Final = 20  #: messages that one turn says at once


@dataclass(frozen=True, kw_only=True, slots=True)
class SaidAtOnce:
    """A message of a reply that was said before the turn was over, as those who watch its session are told."""

    session_id: str
    turn_id: str
    seq: int  #: of the item it becomes part of
    text: str


class Voice(Protocol):
    """Says words at once, as the next ones of the turn's reply."""

    async def ready(self) -> None:
        """Returns when the turn is written down: from then on words of its may be heard."""
        ...

    def say(self, before: Sequence[str], text: str, *, by: str, quoting: Sequence[str]) -> bool:
        """Say `text`, after those that come before it; False: it was said in this turn, and nothing is said again.

        `quoting` are words of the person's, which are theirs and may be repeated.
        """
        ...


_voice: ContextVar[Voice | None] = ContextVar("softrail_voice", default=None)


def speaking(voice: Voice) -> Within[Voice | None]:
    """Within the block, what is said at once is said by that voice."""
    return Within(_voice, voice)


def voice() -> Voice | None:
    """The voice of the turn under way; None outside of one."""
    return _voice.get()
