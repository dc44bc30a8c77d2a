"""The line below the prompt: how the plan stands, in pieces of a style and a text, never wider than the terminal."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from prompt_toolkit.utils import get_cwidth

from softrail.cli.plan_status import PlanStatus
from softrail.cli.terminal import legible

if TYPE_CHECKING:
    from softrail.plans.phases import Phase
    from softrail.plans.values import Mode

FRAMES: Final = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
ELLIPSIS: Final = "…"
ENOUGH: Final = 12  #: columns by which a name is still known
NAME: Final = "\0"  #: where the name stands in a layout; no text that is shown has it

_MODES: Final[Mapping["Mode", tuple[str, str]]] = {
    "proof": ("bold ansiyellow", "[PROOF]"),
    "exploratory": ("ansicyan", "[EXPLORE]"),
}
_PHASES: Final[Mapping["Phase", str]] = {"executing": "ansigreen", "failed": "ansired"}
_SPINNER: Final = "dim"

Piece = tuple[str, str]


def status_line(status: PlanStatus, width: int, frame: int) -> list[Piece]:
    """The line for a terminal of that width, at that moment of the spinner: the name gives way first.

    Where what is left to the name would tell nothing, the gaps give way, then what was said above in full.
    """
    name = " ".join(legible(status.name).split())
    wanted = min(get_cwidth(name), ENOUGH)
    layouts = _layouts(status, FRAMES[frame % len(FRAMES)], named=bool(name))
    for layout in layouts:
        left = width - sum(get_cwidth(text) for _, text in layout)
        if left >= wanted:
            break
    filled = [(style, text.replace(NAME, cut(name, left))) for style, text in layout]
    return _within(filled, width)


def _layouts(status: PlanStatus, spinner: str, *, named: bool) -> Sequence[list[Piece]]:
    """The line in all its forms, the one with most room first."""
    style = _PHASES.get(status.phase, "")
    head: list[Piece] = [_MODES[status.mode], ("", " "), (style, status.phase)]
    turning: list[Piece] = [("", " "), (_SPINNER, spinner)] if status.working else []
    quoted = f'"{NAME}"' if named else ""
    match status.phase:
        case "executing":
            queued = f"  [queued: {status.waiting}]" if status.waiting else ""
            return [[*head, *turning, ("", f" step {status.step}/{status.steps} {quoted}{queued}")]]
        case "planning":
            return [[*head, *turning, ("", f" {quoted}" if quoted else "")]]
        case "awaiting_approval":
            count, keys = f" ({status.steps} step{'s' if status.steps != 1 else ''})", "[y/n/suggest]"
            forms = (
                f"    plan: {quoted}{count}    {keys}",
                f" plan: {quoted}{count} {keys}",
                f" {quoted}{count} {keys}",
                f" {quoted} {keys}",
            )
            return [[*head, ("", form)] for form in forms]
        case "failed":
            keys, what = "[retry/replan/abandon]", f" step {status.step}" if status.step else ""
            both = (f"{what}    {quoted}    {keys}", f"{what} {quoted} {keys}")
            return [[*head, (style, " ✗"), ("", form)] for form in both]
    return [head]


def cut(text: str, width: int) -> str:
    """The text in at most so many columns, with an ellipsis where something is left out."""
    if get_cwidth(text) <= width:
        return text
    kept, room = "", width - get_cwidth(ELLIPSIS)
    for char in text:
        room -= get_cwidth(char)
        if room < 0:
            break
        kept += char
    return kept.rstrip("\u200d ") + ELLIPSIS if width > 0 else ""


def _within(pieces: Sequence[Piece], width: int) -> list[Piece]:
    """The pieces, cut where the terminal ends."""
    found = list[Piece]()
    for style, text in pieces:
        room = width - sum(get_cwidth(one) for _, one in found)
        if get_cwidth(text) > room:
            return [*found, (style, cut(text, room))] if room > 0 else found
        found.append((style, text))
    return [(style, text) for style, text in found if text]
