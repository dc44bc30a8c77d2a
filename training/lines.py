"""Lines written by hand: `lines.txt` to choose the bars, `test.txt` for figures only; neither is trained on."""

import re
from pathlib import Path

from softrail.reader.learned.questions import query
from training.pairs import Pair, acts

DEV = Path(__file__).parent / "dev"
_OPTIONS = re.compile(r"^(.*\?) \(([^()]*)\)$")


def lines(name: str = "lines.txt") -> list[Pair]:
    """Every line as a pair; its label is its first act, all acts that may be found are known as present or not known."""
    found = []
    for line in (DEV / name).read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        asked, message, said, value = (part.strip() for part in line.split(" | "))
        kind, about = asked.split(": ", 1)
        options: list[str] = []
        match = _OPTIONS.match(about)
        if match and kind == "choice":
            about, options = match[1], match[2].split(", ")
        first, *others = said.split()
        spans: tuple[tuple[int, int], ...] = ()
        if value == "=":
            spans = ((0, len(message)),)
        elif value not in ("-", "."):
            at = message.index(value)
            spans = ((at, at + len(value)),)
        found.append(
            Pair(
                query=query(kind, about, options=options),
                message=message,
                acts=acts(first, unknown=others),
                value=0 if value == "-" else 1,
                spans=spans,
                source="lines",
                label=first,
                form=kind,
            )
        )
    return found
