"""A total that is told first, with those of whom it is made up behind it: "six: mum, dad, gran and 3 kids"."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from softrail.language import language
from softrail.processes.spoken.said import Said

_BEFORE: Final = 4  #: words before it: "we are", "it's now"
_PARTED: Final = (":", ",", "-", "–", "—")
_FEWEST: Final = 2  #: parts of it
_BETWEEN: Final = ("comma", "and", "added")


def total_ahead(text: Said) -> Decimal | None:
    """The first number, where it stands alone and what follows comes to it; None where it does not."""
    at = next((at for at in range(min(len(text), _BEFORE)) if text.is_a(at, "int")), None)
    if at is None:
        return None
    behind = at + 3 if text.is_a(at + 1, "of") else at + 1  # "the five of us"
    counted = text.is_a(behind, "with") and text.is_a(behind + 1, "self")  # "four with me"
    behind += 2 * counted
    if behind >= len(text) or text.texts[behind] not in _PARTED:
        return None
    total, parts = Decimal(text.texts[at]), list(_parts(text, behind + 1))
    least, most = (sum((part[n] for part in parts), Decimal(counted)) for n in (0, 1))
    return total if len(parts) >= _FEWEST and least <= total <= most else None


def _parts(text: Said, first: int) -> Iterator[tuple[Decimal, Decimal]]:
    """For how many each part counts, at least and at most: "father mother" may be two."""
    known, part = language(text.known.locale), list[int]()
    for at in range(first, len(text) + 1):
        if at < len(text) and not text.is_a(at, "stop") and not any(text.is_a(at, one) for one in _BETWEEN):
            part.append(at)
            continue
        numbers = [Decimal(text.texts[n]) for n in part if text.is_a(n, "int")]
        numbers = numbers or [Decimal(many) for n in part if (many := text.value(n, "several"))]
        words = sum(text.texts[n].isalpha() and not known.is_choosing_word(text.texts[n]) for n in part)
        if numbers:
            yield sum(numbers, Decimal(0)), sum(numbers, Decimal(0))
        elif words:
            yield Decimal(1), Decimal(words)
        part = []
        if text.is_a(at, "stop"):
            return
