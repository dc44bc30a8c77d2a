"""What a page shows beside what came."""

import re
from typing import Any


def as_shown(shown: str, printed: str) -> bool:
    """The text is as shown, but for white space; `…` stands for any of it. What shows nothing is not compared."""
    if not shown.strip():
        return True
    parts = [re.escape(" ".join(part.split())) for part in shown.split("…")]
    pattern = ".*".join(parts)
    return re.fullmatch(f" ?{pattern} ?", " ".join(printed.split())) is not None


def as_shown_line(shown: str, printed: str) -> bool:
    """The line is as shown, blanks and all."""
    return re.fullmatch(".*".join(map(re.escape, shown.split("…"))), printed) is not None


def same(shown: Any, got: Any, where: str) -> None:
    """The value is as shown, in the fields that are shown. Raises AssertionError, naming the first that is not."""
    if shown == "…":
        return
    if isinstance(shown, dict):
        assert isinstance(got, dict), f"{where}: {got!r} is no object"
        for name, value in shown.items():
            assert name in got, f"{where}: there is no {name!r} in {sorted(got)}"
            same(value, got[name], f"{where} {name}")
    elif isinstance(shown, list):
        assert isinstance(got, list), f"{where}: {got!r} is no list"
        assert len(shown) == len(got), f"{where}: {got!r}"
        for one, other in zip(shown, got, strict=True):
            same(one, other, where)
    elif isinstance(shown, str) and "…" in shown:
        assert isinstance(got, str), f"{where}: {got!r}"
        assert as_shown(shown, got), f"{where}: {got!r} is not {shown!r}"
    else:
        assert shown == got, f"{where}: {got!r} is not {shown!r}"
