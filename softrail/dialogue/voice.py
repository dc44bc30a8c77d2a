"""Says words of a turn while it is still computed, to whoever listens, and as the first words of its reply."""

from collections.abc import Awaitable, Callable, Sequence
from time import perf_counter

from softrail.core.decisions import SaidEarly
from softrail.core.ports import Wall
from softrail.dialogue.draft import Draft

Tell = Callable[[Sequence[str]], None]


class DraftVoice:
    """The voice of one attempt at a turn. What it has said stays said: of a step that fails, too. Implements `Voice`."""

    def __init__(
        self,
        draft: Draft,
        *,
        wall: Wall | None = None,
        accept: Callable[[], Awaitable[None]] | None = None,
        tell: Tell | None = None,
    ) -> None:
        """Make it.

        Args:
            draft: What is computed.
            wall: Keeps words from people.
            accept: Writes the turn down; None: it is, or nobody is told before it is over.
            tell: Tells those who watch the session the messages that are new.
        """
        self._draft = draft
        self._wall = wall
        self._accept = accept
        self._tell = tell
        self._begun = perf_counter()
        self._said: set[str] = set()

    async def ready(self) -> None:
        """Returns when the turn is written down."""
        if self._accept is not None:
            await self._accept()

    def say(self, before: Sequence[str], text: str, *, by: str, quoting: Sequence[str]) -> bool:
        """Say it once."""
        if text in self._said:
            return False
        self._said.add(text)
        draft = self._draft
        if self._wall is not None:
            cleaned = self._wall.clean(text, quoting=[draft.turn.message, *quoting])
            text = cleaned.text
            draft.decision.caught.extend(cleaned.caught)
        new = len(draft.words)
        draft.say_at_once([*before, text])
        after = round((perf_counter() - self._begun) * 1000, 1)
        draft.decision.said.append(SaidEarly(by=by, message=len(draft.words) - 1, milliseconds=after))
        if self._tell is not None:
            self._tell(draft.words[new:])
        return True
