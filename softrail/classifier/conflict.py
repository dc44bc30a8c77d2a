"""What a message of several segments asks for: one intent, or several in order. Pure rules over readings."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from softrail.classifier.split import Segment
from softrail.core.intents import GENERAL, GREETING

MOST_INTENTS = 3


@dataclass(frozen=True, slots=True)
class Read:
    """A segment with the intent it alone would be, and whether that clears its bar."""

    segment: Segment
    intent: str
    clear: bool
    keeps: bool = False  #: its intent keeps what was said, as a note does
    denies: str = ""  #: the intent it would be, were it not denied or asked about
    asks: bool = False  #: it asks about that

    @property
    def idle(self) -> bool:
        """It wishes for nothing: an aside, clear talk, or an act that is denied or only asked about."""
        talk = self.clear and self.intent in (GENERAL, GREETING)
        return self.segment.aside or talk or bool(self.denies)

    @property
    def kind(self) -> str:
        """Its primary intent; only parts of one kind are one wish."""
        return self.intent.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Wish:
    """One intent of a message: the segment that names it, and those whose words belong to it, in order."""

    lead: int
    parts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """The wishes of a message in order, at most three, and the segments that nobody acts on."""

    wishes: tuple[Wish, ...]
    left: tuple[int, ...] = ()


def wanted(parts: Sequence[Read]) -> Wanted | None:
    """The wishes of a message; None: take the message as a whole.

    - Asides, greetings and clear talk beside a clear wish carry none.
    - A correction takes back what it corrects: all of its own kind before it, or, when there is none, the wish
      directly before it. A note is never taken back as a whole: both sides stay, with the words between them.
    - Segments of one kind are one wish, named by the latest of them.
    - Segments that differ are several wishes. One that is not clear belongs to a note beside it, else to the wish
      before it; beside a single wish that is no note, it leaves the message whole when it may be another wish.
    - A question about an act is left, and so is what goes beyond three wishes.
    """
    clear = [i for i, part in enumerate(parts) if part.clear and not part.idle]
    clear = [i for i in clear if not _denied(parts, i)]
    if not clear or _corrected_unclearly(parts, clear):
        return None
    owners = _owners(parts, clear)
    gone = _taken_back(parts, clear)
    stands = [i for i in clear if i not in gone]
    kinds = list(dict.fromkeys(parts[i].kind for i in stands))
    if len(kinds) == 1 and _may_be_more(parts, stands[-1]):
        return None
    wishes = [_wish(parts, kind, stands, owners) for kind in kinds]
    left = {i for wish in wishes[MOST_INTENTS:] for i in wish.parts}
    left |= {i for i, part in enumerate(parts) if part.denies and part.asks}
    return Wanted(tuple(wishes[:MOST_INTENTS]), tuple(sorted(left)))


def _denied(parts: Sequence[Read], at: int) -> bool:
    """A later part says that this is not wanted; what a note tells is told all the same."""
    return not parts[at].keeps and any(later.denies == parts[at].kind for later in parts[at + 1 :])


def _corrected_unclearly(parts: Sequence[Read], clear: Sequence[int]) -> bool:
    """The last correction is of a wish, and nobody knows what is wanted instead."""
    cut = next((i for i in reversed(range(len(parts))) if parts[i].segment.corrects), None)
    if cut is None or any(i >= cut for i in clear):
        return False
    before = [i for i in clear if i < cut]
    return bool(before) and not parts[before[-1]].keeps


def _taken_back(parts: Sequence[Read], clear: Sequence[int]) -> set[int]:
    """The clear segments that a correction takes back."""
    gone: set[int] = set()
    cuts = [i for i, part in enumerate(parts) if part.segment.corrects]
    for cut, end in pairwise([*cuts, len(parts)]):
        after = [i for i in clear if cut <= i < end]
        before = [i for i in clear if i < cut and i not in gone]
        if not after or not before:
            continue
        kinds = {parts[i].kind for i in before} & {parts[i].kind for i in after}
        replaced = [i for i in before if parts[i].kind in kinds] if kinds else before[-1:]
        gone |= {i for i in replaced if not parts[i].keeps}
    return gone


def _owners(parts: Sequence[Read], clear: Sequence[int]) -> dict[int, int]:
    """The clear segment that each segment belongs to whose own wish is not clear."""
    owners = {i: i for i in clear}
    for i, part in enumerate(parts):
        beside = [*[c for c in clear if c < i][-1:], *[c for c in clear if c > i][:1]]
        alike = [c for c in beside if parts[c].kind == part.kind]
        notes = [c for c in beside if parts[c].keeps and parts[c].kind != part.denies]
        if i in owners:
            continue
        if part.denies:  # that something is not to be done may be a fact to keep
            if notes and not part.asks:
                owners[i] = notes[0]
        elif not part.idle or (part.segment.aside and part.segment.corrects):
            owners[i] = (alike or notes or beside)[0]
    return owners


def _may_be_more(parts: Sequence[Read], lead: int) -> bool:
    """A segment that is not clear may be another wish than the only clear one, which has no room for it."""
    if parts[lead].keeps:
        return False
    unclear = [part for part in parts if not part.idle and not part.clear]
    return any(part.kind not in (GENERAL, GREETING, parts[lead].kind) for part in unclear)


def _wish(parts: Sequence[Read], kind: str, stands: Sequence[int], owners: dict[int, int]) -> Wish:
    own = [i for i in stands if parts[i].kind == kind]
    return Wish(own[-1], tuple(sorted(i for i, owner in owners.items() if owner in own)))
