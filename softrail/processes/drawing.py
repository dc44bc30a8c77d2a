"""The steps of a process as a picture: one below the other, ways ahead on the right, ways back on the left.

The layout is our own: a process is a line with jumps, and nothing that is installed anyway draws that.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Final, Literal

from softrail.processes.graph import END, Edge, asks, notes

if TYPE_CHECKING:
    from softrail.processes.definition import Definition

_WIDE: Final = 340  #: of a step
_LINE: Final = 18  #: of text
_GAP: Final = 44  #: between two steps
_PORT: Final = 18  #: between two ways at one side of a step
_LANE: Final = 14  #: between two ways beside each other
_EDGE: Final = 20  #: around everything
_SIGN: Final = 6.6  #: how wide a letter is, about
_RING: Final = 10  #: around the end
_LETTERS: Final = 48  #: of a line within a step
_LABEL: Final = 40  #: letters beside a way
_START, _STOP = "\0start", "\0stop"

_STYLE: Final = (
    "text{font:12px system-ui,sans-serif;fill:#222}.name{font-weight:600;font-size:13px}"
    ".note{fill:#666;font-style:italic}.way{fill:none;stroke:#555}.label{fill:#444;font-size:11px}"
    ".page{fill:#fff}.tip,.dot{fill:#555}.ring{fill:none;stroke:#555}"
    ".step{stroke:#8a8a8a}.gathering{fill:#e8f1fb}.confirming{fill:#e7f6ea}.own{fill:#f3f1ee}"
    ".all{fill:none;stroke:#8fb3dd;stroke-dasharray:5 4}.here{stroke:#b3541e;stroke-width:3}"
    "@media(prefers-color-scheme:dark){text{fill:#eee}.note{fill:#aaa}.label{fill:#bbb}.page{fill:#1b1d21}"
    ".way,.ring{stroke:#aaa}.tip,.dot{fill:#aaa}.step{stroke:#777}.gathering{fill:#1f3550}"
    ".confirming{fill:#1f4029}.own{fill:#36332e}.all{stroke:#4c6f99}.here{stroke:#ff9d5c}}"
)

Side = Literal["left", "right"]


@dataclass(slots=True)
class _Box:
    """A step, or the beginning or the end, where it is drawn."""

    lines: list[tuple[str, str]] = field(default_factory=list)  #: class and words
    kind: str = ""  #: of a step; "": the beginning or the end
    here: bool = False  #: it is the one that is marked
    ports: dict[Side, int] = field(default_factory=lambda: {"left": 0, "right": 0})
    used: dict[Side, int] = field(default_factory=lambda: {"left": 0, "right": 0})
    top: float = 0
    high: float = 14

    @property
    def bottom(self) -> float:
        return self.top + self.high

    def port(self, side: Side) -> float:
        """The next free place at that side."""
        self.used[side] += 1
        return self.top + self.high * self.used[side] / (self.ports[side] + 1)


@dataclass(slots=True)
class _Way:
    """A way between two steps that do not follow each other."""

    source: str
    label: str
    dest: str
    side: Side
    lane: int = 0


def svg(definition: "Definition", step: str | None = None) -> str:
    """The picture, as one SVG element that needs nothing else; what authors wrote is only ever text in it.

    `step` is marked: somebody stands there.
    """
    boxes = _boxes(definition, step)
    order = list(boxes)
    straight, around = _sorted(definition.edges(), order)
    for way in around:
        boxes[way.source].ports[way.side] += 1
        boxes[way.dest].ports[way.side] += 1
    high = _placed(boxes)
    room = {side: _lanes([w for w in around if w.side == side], order) for side in ("left", "right")}
    labels = {
        side: max((len(_short(w.label, _LABEL)) for w in around if w.side == side), default=0) * _SIGN
        for side in ("left", "right")
    }
    left = _EDGE + room["left"] * _LANE + labels["left"] + 28
    wide = left + _WIDE + labels["right"] + room["right"] * _LANE + 28 + _EDGE
    parts = [*_group(definition, boxes, left)]
    for name, box in boxes.items():
        parts += _drawn(name, box, left)
    for source, label, dest in straight:
        parts += _down(boxes[source], boxes[dest], label, left + _WIDE / 2)
    for way in around:
        parts += _round(way, boxes, left, labels[way.side])
    title = f"{definition.name} v{definition.version}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high:.0f}" width="{wide:.0f}" '
            f'height="{high:.0f}" role="img">',
            f"<title>{_plain(title)}</title>",
            f"<style>{_STYLE}</style>",
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
            'orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>',
            '<rect class="page" width="100%" height="100%"/>',
            *parts,
            "</svg>",
            "",
        ]
    )


def _boxes(definition: "Definition", here: str | None) -> dict[str, _Box]:
    """What is drawn, from top to bottom: the first step first, then as they are written."""
    names = sorted(definition.steps, key=lambda name: name != definition.first)
    gathers = definition.steps[definition.first].kind == "gathering"
    found = {_START: _Box()}
    for name in definition.steps if gathers else names:
        step = definition.steps[name]
        lines = [("name", name)]
        if asked := asks(definition, step):
            lines.append(("", asked if step.kind == "confirming" else f"“{asked}”"))
        if said := notes(definition, step):
            lines.append(("note", " · ".join(said)))
        found[name] = _Box(lines=lines, kind=step.kind, here=name == here)
    found[_STOP] = _Box()
    return found


def _sorted(ways: Sequence[Edge], order: Sequence[str]) -> tuple[list[Edge], list[_Way]]:
    """The ways to the very next step, and those that lead around others."""
    straight: list[Edge] = []
    around: list[_Way] = []
    for source, label, dest in ways:
        start, end = (_START if source == END else source), (_STOP if dest == END else dest)
        if start not in order or end not in order:
            continue
        step = order.index(end) - order.index(start)
        if step == 1 and not any((s, d) == (start, end) for s, _, d in straight):
            straight.append((start, label, end))
        else:
            around.append(_Way(start, label, end, "left" if step < 0 else "right"))
    return straight, around


def _placed(boxes: dict[str, _Box]) -> float:
    """Give every box its place; how high all of it is."""
    at = float(_EDGE)
    for box in boxes.values():
        ports = max(box.ports.values())
        box.high = max(box.high, 14 + _LINE * len(box.lines) if box.lines else 0, _PORT * (ports + 1))
        box.top = at
        at = box.bottom + _GAP
    return at - _GAP + _EDGE


def _lanes(ways: Sequence[_Way], order: Sequence[str]) -> int:
    """Give ways that run beside each other lanes of their own, short ones inside; how many there are."""
    taken: list[list[tuple[int, int]]] = []

    def span(way: _Way) -> tuple[int, int]:
        low, high = sorted((order.index(way.source), order.index(way.dest)))
        return low, high

    for way in sorted(ways, key=lambda w: (span(w)[1] - span(w)[0], span(w))):
        low, high = span(way)
        free = (n for n, lane in enumerate(taken) if all(high < a or b < low for a, b in lane))
        way.lane = next(free, len(taken))
        if way.lane == len(taken):
            taken.append([])
        taken[way.lane].append((low, high))
    return len(taken)


def _group(definition: "Definition", boxes: dict[str, _Box], left: float) -> list[str]:
    """A frame around the answers, which are asked for one by one."""
    asked = [boxes[f.step] for f in definition.fields.values() if f.step in boxes]
    if not asked:
        return []
    top = min(b.top for b in asked) - 12
    high = max(b.bottom for b in asked) + 12 - top
    return [
        f'<rect class="all" x="{left - 8:.1f}" y="{top:.1f}" width="{_WIDE + 16}" height="{high:.1f}" rx="10"/>',
        f'<text class="note" x="{left:.1f}" y="{top - 4:.1f}">gathering, one by one</text>',
    ]


def _drawn(name: str, box: _Box, left: float) -> list[str]:
    if name in (_START, _STOP):
        middle, x = box.top + box.high / 2, left + _WIDE / 2
        dot = f'<circle class="dot" cx="{x:.1f}" cy="{middle:.1f}" r="{_RING - 3}"/>'
        ring = f'<circle class="ring" cx="{x:.1f}" cy="{middle:.1f}" r="{_RING}"/>'
        return [dot] if name == _START else [dot, ring]
    kinds, marked = (f"{box.kind} here", ' aria-current="step"') if box.here else (box.kind, "")
    parts = [
        f'<rect class="step {kinds}" x="{left:.1f}" y="{box.top:.1f}" width="{_WIDE}" height="{box.high:.1f}" '
        f'rx="7"{marked}/>'
    ]
    first = box.top + (box.high - _LINE * len(box.lines)) / 2 + 13
    for number, (kind, words) in enumerate(box.lines):
        y = first + number * _LINE
        parts.append(
            f'<text class="{kind}" x="{left + 12:.1f}" y="{y:.1f}">{_plain(_short(words, _LETTERS))}</text>'
        )
    return parts


def _down(source: _Box, dest: _Box, label: str, x: float) -> list[str]:
    """Straight to the next one; around the end there is a ring."""
    end = dest.top - (0 if dest.kind else 3)
    path = f'<path class="way" d="M{x:.1f} {source.bottom:.1f}V{end:.1f}" marker-end="url(#tip)"/>'
    return [path, _worded(label, x + 8, (source.bottom + dest.top) / 2 + 4, "start")]


def _round(way: _Way, boxes: dict[str, _Box], left: float, labels: float) -> list[str]:
    out, into = boxes[way.source].port(way.side), boxes[way.dest].port(way.side)
    right = way.side == "right"
    sign, edge = (1, left + _WIDE) if right else (-1, left)
    lane = edge + sign * (labels + 20 + way.lane * _LANE)
    dots = left + _WIDE / 2 + sign * _RING
    start, end = (edge if boxes[name].kind else dots for name in (way.source, way.dest))
    path = (
        f'<path class="way" d="M{start:.1f} {out:.1f}H{lane:.1f}V{into:.1f}H{end + sign * 2:.1f}" '
        'marker-end="url(#tip)"/>'
    )
    return [path, _worded(way.label, edge + sign * 12, out - 3, "start" if right else "end")]


def _worded(label: str, x: float, y: float, anchor: str) -> str:
    words = _plain(_short(label, _LABEL))
    return (
        f'<text class="label" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{words}</text>' if words else ""
    )


def _short(words: str, most: int) -> str:
    line = " ".join(words.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def _plain(words: str) -> str:
    """Words as text of XML: no sign of it, and nothing that it cannot hold."""
    return escape("".join(c if c.isprintable() else "\ufffd" for c in words), quote=True)
