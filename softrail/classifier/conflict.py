"""What a message of several segments asks for: one intent, or several in order. Pure rules over readings."""

from collections.abc import Sequence
from dataclasses import dataclass

from softrail.classifier.split import Segment
from softrail.core.intents import GENERAL, GREETING

MOST_INTENTS = 3


@dataclass(frozen=True, slots=True)
class Read:
    """A segment with the intent it alone would be, and whether that clears its bar."""

    segment: Segment
    intent: str
    clear: bool

    @property
    def idle(self) -> bool:
        """It asks for nothing: politeness, an aside, or talk."""
        return self.segment.aside or self.intent in (GENERAL, GREETING)


def wanted(parts: Sequence[Read]) -> Sequence[int] | None:
    """Which segments carry the intents of the message, in order; None: take the message as a whole.

    - Asides, greetings and talk beside a clear wish carry none.
    - A correction takes back what came before it; the latest segment of the kind it corrects stands, or, when it is
      of another kind, the latest of all.
    - Segments that agree are one intent, the latest.
    - Segments that differ are several intents only if each of them is clear.
    """
    busy = [i for i, part in enumerate(parts) if not part.idle]
    if not busy:
        return None
    cut = next((i for i in reversed(range(len(parts))) if parts[i].segment.corrects), None)
    if cut is not None:
        return _corrected(parts, busy, cut)
    if not all(parts[i].clear for i in busy):
        return None
    latest: dict[str, int] = {}
    for i in busy:
        latest[_primary(parts[i])] = i
    return sorted(latest.values())[-MOST_INTENTS:] if len(latest) <= MOST_INTENTS else None


def _corrected(parts: Sequence[Read], busy: Sequence[int], cut: int) -> Sequence[int] | None:
    before = [i for i in busy if i < cut]
    after = [i for i in busy if i >= cut and parts[i].clear]
    if not after:
        return None
    kinds = {_primary(parts[i]) for i in before if parts[i].clear}
    same = [i for i in after if _primary(parts[i]) in kinds]
    return [(same or after)[-1]]


def _primary(part: Read) -> str:
    return part.intent.partition(".")[0]
