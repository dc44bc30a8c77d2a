"""What becomes of a list that was told before, as the model reads it: which items stay, and which come."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from softrail.reader.items import Marked, marked, surely
from softrail.reader.learned import Edited

STAYS: Final = 0.9  #: how likely nothing of it must be, for what was read of the list otherwise to be nothing
_SURE: Final = 0.95  #: how likely the least likely part of it must be for the list to be changed
_SURELY_GONE: Final = 0.99  #: the same, where something goes and nothing comes for it
_GOES: Final = 0.5  #: from here on an item goes; all set on changes that were kept back from training


class Outcome(NamedTuple):
    """A list as it is then."""

    there: tuple[str, ...]  #: as it was
    stay: tuple[str, ...]
    come: tuple[Marked, ...]
    likely: float  #: how likely the least likely part of it is, but for what comes

    @property
    def items(self) -> tuple[str, ...]:
        """What stays, and then what comes."""
        return (
            *self.stay,
            *(item for item in dict.fromkeys(one.text for one in self.come) if item not in self.stay),
        )

    @property
    def surely(self) -> float:
        """How likely the least likely part of it is."""
        return min(self.likely, *(one.likely for one in self.come)) if self.come else self.likely

    @property
    def is_sure(self) -> bool:
        """It is done, and not asked about."""
        return self.surely >= (_SURE if self.come else _SURELY_GONE)

    @property
    def adds(self) -> bool:
        """Nothing goes."""
        return len(self.stay) == len(self.there)


def outcome(message: str, there: Sequence[str], read: Edited) -> Outcome:
    """The list as the message most likely makes it."""
    come = tuple(marked(message, read.pieces))
    begun = {one.span[0] for one in come}
    odds = [
        *map(surely, read.goes),
        *(1 - one.begins for one in read.pieces if one.start not in begun),
    ]
    stay = tuple(item for item, goes in zip(there, read.goes, strict=True) if goes < _GOES)
    return Outcome(tuple(there), stay, come, min(odds, default=1.0))
