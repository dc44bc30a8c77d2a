"""The words of one performance, in the order in which they are said, and those that are heard at once."""

from collections.abc import Callable, Sequence

from softrail.core.errors import StepFailed
from softrail.core.saying import MOST_SAID, voice
from softrail.processes.checked import check_text

Quoting = Callable[[], Sequence[str]]


class Speech:
    """Gathers words; `quoting` tells what the person said that may stand in them."""

    def __init__(self, quoting: Quoting) -> None:
        self._quoting = quoting
        self._at_once = 0
        self.words: list[str] = []
        self._parted = False

    def say(self, words: str | Sequence[str]) -> None:
        """Say a text, or several that are messages of their own."""
        if not isinstance(words, str):
            self._parted = True
            for one in words:
                self.say(one)
        elif words.strip():
            self.words.append(words.strip())

    def say_once(self, words: str) -> None:
        """Say it, unless it was said."""
        if words not in self.words:
            self.say(words)

    @property
    def text(self) -> str:
        """All that is not heard yet."""
        return "\n\n".join(self.words)

    @property
    def messages(self) -> Sequence[str]:
        """The same in parts, where a step said that they are messages of their own."""
        return tuple(self.words) if self._parted else ()

    async def at_once(self, where: str, text: str, over: Callable[[], bool]) -> None:
        """Have a text heard now, after what was said before it, unless it is `over` when that can be.

        Raises:
            StepFailed: It cannot be said.
        """
        check_text(where, text)
        if not text.strip():
            return
        self._at_once += 1
        if self._at_once > MOST_SAID:
            raise StepFailed(
                f"{where} said more than {MOST_SAID} messages at once. How far long work is, is told by a Progress.",
                where=where,
            )
        spoken = voice()
        if spoken is None:  # nobody can listen: it is part of what comes of the step
            self.say([text])
            return
        await spoken.ready()
        if not over() and spoken.say(self.words, text.strip(), by=where, quoting=self._quoting()):
            self.words = []
