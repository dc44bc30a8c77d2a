"""Several wishes of one message: each is routed by itself, and one answer of a language model tells of all of them."""

from collections.abc import Mapping
from typing import Any

from softrail.core.intents import Intent


class Wishes:
    """What the wishes of a message found, in order, and where its words belong in the reply."""

    def __init__(self) -> None:
        self.found: list[tuple[Intent, Mapping[str, Any]]] = []
        self.place = 0  #: how many words of the reply come before those that tell of them

    def add(self, intent: Intent, data: Mapping[str, Any], *, place: int) -> None:
        """One more was found, after so many words of the reply."""
        if not self.found:
            self.place = place
        self.found.append((intent, data))

    @property
    def told(self) -> tuple[Intent, dict[str, Any]]:
        """The first wish, with what it and the others found."""
        intent, data = self.found[0]
        others = [{"understood_as": other.name, "said": other.text, **more} for other, more in self.found[1:]]
        return intent, {**data, "also_wanted": others} if others else dict(data)
