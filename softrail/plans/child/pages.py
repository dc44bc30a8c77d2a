"""The text of a PDF, page by page, in the order in which a person reads it: columns one after the other."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import Any, Final

import pypdf

from softrail.plans.child.columns import unfolded
from softrail.plans.child.faults import Refused, unreadable

MOST_PAGES: Final = 500
MOST_CHARACTERS: Final = 1_000_000
_TIME: Final = 0.7  #: of what this process may use, for reading pages; what was read by then is given
_MARK: Final = b"%PDF-"
_LOOKED_AT: Final = 1024  #: bytes in which the mark has to stand
_BROKEN: Final = re.compile(r"(?<=[^\W\d_])-\n\s*(?=[^\W\d_A-Z])")
_BLANK: Final = re.compile(r"\n{3,}")
_UNPAIRED: Final = re.compile(r"[\ud800-\udfff]")  #: halves of letters, which no text can have
_LIGATURES: Final = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\u00ad": "", "\f": "\n"}
)
_DAMAGED: Final = "Its pages are damaged, or take more than may be used for one. Save it again as PDF."
_NO_TEXT: Final = "It has no text: its pages are empty, or pictures as a scanner makes them. Send it with its text recognised."


def pages(
    folder: Path, job: Mapping[str, Any], limits: Mapping[str, Any], tell: Callable[[Mapping[str, Any]], None]
) -> Mapping[str, Any]:
    """Tell how many pages there are, then the text of each as soon as it is read, "" for one without. Raises Refused."""
    until = monotonic() + _TIME * float(limits["seconds"])
    with (folder / str(job["file"])).open("rb") as file:
        if _MARK not in file.read(_LOOKED_AT):
            raise unreadable("It is no PDF, whatever its name says.")
        reader, count = _opened(file)
        tell({"count": count})
        size, damaged = 0, 0
        for number in range(min(count, MOST_PAGES)):
            if size > MOST_CHARACTERS or monotonic() > until:
                break
            text = _text(reader, number)
            damaged += text is None
            found = (text or "")[: MOST_CHARACTERS - size]
            size += len(found)
            # At once: one of the next may be the end of this process.
            tell({"page": found, "damaged": text is None})
    if not size:
        raise unreadable(_DAMAGED if damaged else _NO_TEXT)
    return {}


def _opened(file: Any) -> tuple[pypdf.PdfReader, int]:
    """The document and the number of its pages. Raises Refused."""
    try:
        reader = pypdf.PdfReader(file, strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise unreadable("It is locked with a password. Send it without one.")
        count = len(reader.pages)
    except (MemoryError, Refused):
        raise
    except (
        Exception
    ) as error:  # a library that reads whatever people send fails in many ways, and in its own words
        raise unreadable("It is damaged, or no PDF that can be opened. Save it again as PDF.") from error
    if not count:
        raise unreadable("It has no pages.")
    return reader, count


def _text(reader: pypdf.PdfReader, number: int) -> str | None:
    """What stands on a page, "" where that is nothing; None: it cannot be read, and the others are all the same."""
    text = None
    for how in (_as_laid_out, _as_written):
        try:
            text = _cleaned(how(reader.pages[number]))
        except Exception:  # noqa: S112 - a library that reads whatever people send fails in many ways
            continue
        if text:
            break
    return text


def _cleaned(text: str) -> str:
    """Without what a page needs to look as it does: broken words, ligatures, much room."""
    whole = _UNPAIRED.sub("\ufffd", text.translate(_LIGATURES))
    return _BLANK.sub("\n\n", _BROKEN.sub("", whole)).strip()


def _as_laid_out(page: pypdf.PageObject) -> str:
    return unfolded(page.extract_text(extraction_mode="layout"))


def _as_written(page: pypdf.PageObject) -> str:
    """In the order of the file: where a page is turned, or its text is."""
    return page.extract_text()
