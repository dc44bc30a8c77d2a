"""An answer given before, denied by its own words with another in its place: "the RD60 not the RD70", "not Porto, Faro"."""

import re
from typing import Final

from softrail.core.reading import Bars, Command, Field, Place, Value
from softrail.language import Language, normal
from softrail.reader.clauses import clauses
from softrail.reader.fields import TYPED, WORDED, Span, blanked, field_query, question_query, readable
from softrail.reader.learned import Marker
from softrail.reader.ranges import Parted

_BEFORE: Final = 3  #: words between "not" and what it denies: "not the old RD70"
_PLACED: Final = (
    0.9  #: how sure the place of the new value must be, where the message only says that something is wrong
)
_SHORT: Final = 2  #: letters of a word that tells nothing
_WORDS: Final = re.compile(r"[\w'’-]*\w")
_CHANGED: Final = frozenset({*WORDED, "choice"} - {"list"})  #: which item of a list is meant is asked


def instead(message: str, place: Place, marker: Marker, bars: Bars, language: Language) -> Parted | None:
    """The change that names what was before; None where nothing that was given is denied, or nothing takes its place."""
    if place.own or place.offer:
        return None
    for field in place.fields():
        denied = _denied(message, field, language) if _may_change(field) else None
        if denied is None:
            continue
        new = _new(message, denied, field, marker, bars, language)
        if new is not None:
            return _told(message, denied, new, field)
    return None


def _may_change(field: Field) -> bool:
    return field.given and bool(field.present) and field.wanted in _CHANGED


def _denied(message: str, field: Field, language: Language) -> Span | None:
    """Where words of the old value stand, with the "not" before them."""
    old = _told_by(field.present or "", language)
    words = [(m.start(), m.end(), normal(m.group())) for m in _WORDS.finditer(message)]
    for at, (start, _, word) in enumerate(words):
        if not language.denies(word):
            continue
        near = [n for n in range(at + 1, min(at + 2 + _BEFORE, len(words))) if words[n][2] in old]
        if near and not re.search(r"[.!?;\n]", message[start : words[near[0]][0]]):
            last = near[0]
            while last + 1 in near:
                last += 1
            said = {word for _, _, word in words[near[0] : last + 1]}
            return (start, words[last][1]) if _is_most_of(said & old, old, field) else None
    return None


def _told_by(text: str, language: Language) -> set[str]:
    """The words that tell something: no "the", and none that stands around any choice."""
    words = map(normal, _WORDS.findall(text))
    return {word for word in words if len(word) > _SHORT and not language.is_choosing_word(word)}


def _is_most_of(said: set[str], old: set[str], field: Field) -> bool:
    """What is denied is the old value, not a word of a long one; of a day or an option any word is enough."""
    return bool(said) and (field.wanted != "text" or 2 * len(said) >= len(old))


def _new(
    message: str, denied: Span, field: Field, marker: Marker, bars: Bars, language: Language
) -> tuple[Span, Value] | None:
    """Where the new value stands, and the value."""
    left = blanked(message, [denied])
    asked = [question_query(field), field_query(field)]
    best = max(marker.mark(left, asked), key=lambda marks: marks.value)
    says_so = best.acts.get("correct", 0.0) >= bars.correct and best.span >= _PLACED
    if best.end <= best.start or (best.value < bars.value and not says_so):
        return None
    words = [message[best.start : best.end], *([left] if field.wanted in TYPED else [])]
    text = next((t for w in words if (t := readable(field, w, language)) is not None), None)
    if text is None or normal(text) == normal(field.present or ""):
        return None
    likely = max(best.value, bars.changed)
    return (best.start, best.end), Value(field=field.name, text=text, confidence=likely, placed=best.span)


def _told(message: str, denied: Span, new: tuple[Span, Value], field: Field) -> Parted:
    (start, end), value = new
    said = [
        (a, b) for a, b in clauses(message) if (a < denied[1] and denied[0] < b) or (a < end and start < b)
    ]
    first, last = min(a for a, _ in said), max(b for _, b in said)
    rest = f"{message[:first]} {message[last:]}".strip(" \t\n,;.!?-–—")
    told = Command(act="correct", confidence=value.confidence, layer="learned", values=(value,))
    return Parted(message=rest, told=(told,), fields=frozenset({field.name}))
