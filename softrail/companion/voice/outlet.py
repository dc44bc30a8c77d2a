"""Lets a model's words through as they come, a word at a time, so that nothing in them acts on a reader of Markdown."""

import re
from typing import Final

from softrail.plugin import inert

_WORD_END: Final = re.compile(r"\s+\S*\Z")
_LONGEST_WORD: Final = 400  #: characters; what is longer is no word any more, and nothing is kept for ever


class Outlet:
    """What has come so far, and what of it was let through."""

    def __init__(self) -> None:
        self._waiting = ""
        self.text = ""  #: everything let through so far

    def take(self, piece: str) -> str:
        """What may be shown now that `piece` has come."""
        self._waiting += piece
        match = _WORD_END.search(self._waiting)
        cut = match.start() if match else 0
        return self._let(len(self._waiting) if len(self._waiting) - cut > _LONGEST_WORD else cut)

    def end(self) -> str:
        """The rest, without blanks at its end."""
        self._waiting = self._waiting.rstrip()
        return self._let(len(self._waiting))

    def _let(self, cut: int) -> str:
        ready, self._waiting = self._waiting[:cut], self._waiting[cut:]
        before = self.text[-1:]  # a picture's sign may have been let through just before what makes it one
        shown = inert(before + (ready if before else ready.lstrip()))[len(before) :]
        self.text += shown
        return shown
