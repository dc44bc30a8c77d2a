"""Columns of text that stand beside each other on a page, one after the other; the rows of a table stay rows."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

_GAP: Final = re.compile(r"(?<=\S) {3,}(?=\S)")
_MOST_BESIDE: Final = 4  #: columns of a page
_FEWEST_LINES: Final = 4  #: in which something stands on both sides
_PROSE: Final = 18  #: characters of a line of a column, on the average: cells of a table are shorter


def unfolded(laid_out: str, most: int = _MOST_BESIDE) -> str:
    """A page as it is laid out, with blanks for what is between; its columns one below the other."""
    lines = [line.rstrip() for line in laid_out.split("\n")]
    at = _begins(lines) if most > 1 else None
    if at is None:
        return "\n".join(" ".join(line.split()) for line in lines)
    done, left, right = list[str](), list[str](), list[str]()

    def ended() -> None:
        for side in (left, right):
            if any(side):
                done.append(unfolded("\n".join(side), most - 1))
            side.clear()

    for line in lines:
        if _crosses(line, at):
            ended()
            done.append(" ".join(line.split()))
        else:
            left.append(line[: at - 1].rstrip())
            right.append(line[at - 1 :].rstrip())
    ended()
    return "\n\n".join(done)


def _begins(lines: Sequence[str]) -> int | None:
    """Where the second column of a page begins; None where there is none."""
    gaps = [[(one.start(), one.end()) for one in _GAP.finditer(line)] for line in lines]
    counts = Counter(end for some in gaps for _, end in some)
    for at, _ in sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:3]:
        beside = [
            line for line, some in zip(lines, gaps, strict=True) if any(abs(end - at) <= 1 for _, end in some)
        ]
        if len(beside) < _FEWEST_LINES:
            return None
        sides = (
            [_own(line[:at]) for line in beside],
            [_own(line[at - 1 :].strip(), first=True) for line in beside],
        )
        if all(sum(map(len, side)) / len(side) >= _PROSE for side in sides):
            return at
    return None


def _own(text: str, *, first: bool = False) -> str:
    """What stands beside the gap itself, without further columns."""
    parts = [one.strip() for one in _GAP.split(text.strip())]
    return parts[0] if first else parts[-1]


def _crosses(line: str, at: int) -> bool:
    """A line stands across both columns, as a title does."""
    return len(line) >= at and line[: at - 1].strip() != "" and line[at - 3 : at - 1].strip() != ""
