"""The items of a list in a message: what the small model marks is one of them, and the rest may be more."""

import re
from collections.abc import Sequence
from typing import Final

from softrail.core.reading import Act, Bars
from softrail.language import Language
from softrail.reader.fields import WORD
from softrail.reader.learned import Marker, Marks

_BETWEEN: Final = re.compile(r"(?:\s*[,;:]\s*)+|[.!]\s+")
_WORDS: Final = 1  #: a part of no more frames what stands beside it
_MOST: Final = 4  #: parts that are read
_INSTEAD: Final[Sequence[Act]] = ("none", "open", "ask", "request", "social", "hold", "leave", "pause")


def all_items(message: str, query: str, marks: Marks, marker: Marker, bars: Bars, language: Language) -> str:
    """Every item, one a line; the whole message where a part of it may be one and is not sure: nothing is lost."""
    before, marked, after = message[: marks.start], message[marks.start : marks.end], message[marks.end :]
    found: list[str] = []
    for side, parts in (("before", _parts(before, language)[:-1]), ("after", _parts(after, language)[1:])):
        if side == "after":
            found.append(marked)
        for part in [one for one in parts if len(WORD.findall(one)) > _WORDS][:_MOST]:
            [read] = marker.mark(part, [query])
            given = read.acts.get("inform", 0.0)
            if read.value >= bars.inform and given >= bars.inform:
                found.append(part[read.start : read.end])
            elif given >= bars.other > max(read.acts.get(act, 0.0) for act in _INSTEAD):
                return message.strip()
    return "\n".join(found)


def _parts(words: str, language: Language) -> list[str]:
    """Parts between signs and joining words; the one that touches the marked words without any comes last, or first."""
    parted = re.sub(r"[^\W\d_]+", lambda word: "," if language.adds(word[0]) else word[0], words)
    return [part.strip() for part in _BETWEEN.split(parted)]
