"""An answer given before, denied by its own words with another in its place: "the RD60 not the RD70", "not Porto, Faro"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import Final

from softrail.core.reading import APART, Bars, Command, Field, Place, Value
from softrail.language import Language, normal
from softrail.processes.spoken import day_in_words, in_digits
from softrail.reader.clauses import clauses
from softrail.reader.fields import TYPED, WORDED, Span, blanked, field_query, question_query, readable
from softrail.reader.learned import Marker, Marks
from softrail.reader.parts import is_nearly, runs, tells, with_part
from softrail.reader.ranges import DAY_ALONE, Parted

_BEFORE: Final = 3  #: words between "not" and what it denies: "not the old RD70"
_LONGEST: Final = 6  #: words that are denied
_MORE: Final = 2  #: words by which a new value is longer than what was denied: of more it is asked
_SIGNS: Final = 3  #: words that deny: "in place of"
#: How sure the place of the new value must be, where the message only says that something is wrong.
_PLACED: Final = 0.9
_WORDS: Final = re.compile(r"[\w'’.:/-]*\w")
_ENDS: Final = re.compile(r"[.!?;\n](?=\s|$)")
_APART: Final = " ,;:–—-"
_FIGURES: Final = re.compile(r"\d")
_CHANGED: Final = frozenset({*WORDED, "choice"})


@dataclass(frozen=True, kw_only=True, slots=True)
class _Denied:
    """An old value, or a part of it, that the message denies."""

    field: Field
    words: str
    start: int  #: of the "not" before it
    end: int
    old: str  #: the value as text, or the item of it
    whole: bool  #: it is all that tells something in it, or most of it in words that are no names


def instead(message: str, place: Place, marker: Marker, bars: Bars, language: Language) -> Parted | None:
    """The change that names what was before; None where nothing that was given is denied, or nothing takes its place."""
    if place.own or place.offer:
        return None
    fields = [f for f in place.fields() if f.given and f.present and f.wanted in _CHANGED]
    for start, end in _denials(message, language):
        found = [one for f in fields for one in _denied(message, start, end, f, language)]
        new = [(one, new) for one in _likeliest(found) if (new := _new(message, one, marker, bars, language))]
        if len(new) == 1:
            return _told(message, *new[0])
    return None


def _denials(message: str, language: Language) -> Iterator[Span]:
    """Where words stand after which something is not meant: "not", "instead of"."""
    words = list(_WORDS.finditer(message))
    at = 0
    while at < len(words):
        for size in range(_SIGNS, 0, -1):
            said = " ".join(normal(word.group()) for word in words[at : at + size])
            if at + size <= len(words) and language.denies(said):
                yield words[at].start(), words[at + size - 1].end()
                at += size - 1
                break
        at += 1


def _likeliest(found: list[_Denied]) -> list[_Denied]:
    """Those that are denied as a whole, where there are any."""
    return [one for one in found if one.whole] or found


def _denied(message: str, start: int, end: int, field: Field, language: Language) -> list[_Denied]:
    """What of the old value those words deny, the most of it; nothing where they deny something else."""
    stop = _ENDS.search(message, end)
    behind = list(_WORDS.finditer(message, end, stop.start() if stop is not None else len(message)))
    for first in range(min(_BEFORE, len(behind))):
        for last in range(min(len(behind), first + _LONGEST), first, -1):
            said = message[behind[first].start() : behind[last - 1].end()]
            for old, whole in _stands_in(said, field, language):
                return [
                    _Denied(
                        field=field, words=said, start=start, end=behind[last - 1].end(), old=old, whole=whole
                    )
                ]
    return []


def _stands_in(said: str, field: Field, language: Language) -> Iterator[tuple[str, bool]]:
    """The old value, or the item of it, in which those words stand, and whether they are all that it tells."""
    present = field.present or ""
    if not any(tells(run, language) for run in runs(said)):
        return  # "not take a taxi" is not the first of the options
    if field.options or field.wanted == "choice":
        if readable(field, said, language) == present:
            yield present, True
        return
    if field.wanted in TYPED:
        if _is(field, said, present):
            yield present, True
        elif (old := _spelled(present)) and (part := _part_of(said, old, language)) is not None:
            yield old, part
        return
    for old in present.split("; ") if field.wanted == "list" else [present]:
        if (part := _part_of(said, old, language)) is not None:
            yield old, part


def _stands(said: str, words: str) -> bool:
    """One of them is in the other, word for word."""
    keys, was = [run.key for run in runs(said)], [run.key for run in runs(words)]
    return any(was[at : at + len(keys)] == keys for at in range(len(was) - len(keys) + 1))


def _part_of(said: str, old: str, language: Language) -> bool | None:
    """They stand in the old words, and are all that tells something there; None: they do not, or tell nothing."""
    if not _stands(said, old):
        return None
    keys = {run.key for run in runs(said)}
    told = {run.key for run in runs(old) if tells(run, language)}
    if 2 * len(told & keys) >= len(told) and not _is_name(said):
        return True  # "not mug, plate" is all of "red mug"
    certain = _is_name(said) or _FIGURES.search(said) or _is_number(said, language)
    return told <= keys if told <= keys or certain else None


def _is(field: Field, said: str, present: str) -> bool:
    """They are the old value of its type; of a time of day also without the half of the day: "4" is 16:00."""
    if field.parses is None:
        return False
    tries = [said, f"{said} am", f"{said} pm"] if field.wanted == "time" else [said]
    return any(_same(field.parses(words), present) for words in tries)


def _same(value: object, present: str) -> bool:
    if isinstance(value, time):
        return value.isoformat().startswith(present[:5])
    try:
        return value is not None and (str(value) == present or float(str(value)) == float(present))
    except ValueError:
        return False


def _spelled(present: str) -> str:
    """A day as its parts are called: "Thursday, 12 February 2026"; "" for anything else."""
    try:
        return day_in_words(date.fromisoformat(present))
    except ValueError:
        return ""


def _new(
    message: str, denied: _Denied, marker: Marker, bars: Bars, language: Language
) -> tuple[Span, Value] | None:
    """Where the new value stands, and the value."""
    field = denied.field
    left = blanked(message, [(denied.start, denied.end)])
    for begin, stop in _around(message, denied, language):
        if (typed := _typed(left, begin, stop, denied, language)) is not None:
            text = readable(field, left[slice(*typed)].replace("…", " "), language) or ""
            if (
                field.wanted == "date"
                and field.parses is not None
                and _says_the_month(left[begin:stop], text)
            ):
                text = str(field.parses(left[begin:stop].replace("…", " ")))
            return typed, Value(field=field.name, text=text)
    if (beside := _other_number(message, denied, language) or _beside(message, denied, language)) is not None:
        whole = _with_the_rest(message[slice(*beside)], denied, language)
        if whole is not None:
            return beside, Value(field=field.name, text=whole)
    for begin, stop in _around(message, denied, language):
        near = f"{' ' * begin}{left[begin:stop]}"
        best = max(
            marker.mark(near, [question_query(field), field_query(field)]), key=lambda marks: marks.value
        )
        says_so = best.acts.get("correct", 0.0) >= bars.correct and best.span >= _PLACED
        if best.end > best.start and (best.value >= bars.value or says_so):
            found = _marked(message, best, denied, bars, language)
            return ((best.start, best.end), found) if found is not None else None
    return None


def _marked(message: str, best: Marks, denied: _Denied, bars: Bars, language: Language) -> Value | None:
    """The words that the small model takes for the new value; many are asked about."""
    field, said = denied.field, message[best.start : best.end]
    text = _with_the_rest(said, denied, language)
    if text is None or normal(text) == normal(field.present or ""):
        return None
    long = len(_WORDS.findall(said)) > len(_WORDS.findall(denied.words)) + _MORE
    placed = 0.0 if long else best.span
    return Value(field=field.name, text=text, confidence=max(best.value, bars.changed), placed=placed)


def _beside(message: str, denied: _Denied, language: Language) -> Span | None:
    """As many words as are denied, before the "not" or behind it, which are as they are: names, numbers, slips."""
    size = len(_WORDS.findall(denied.words))
    before = list(_WORDS.finditer(message, 0, denied.start))[-size:]
    behind = list(_WORDS.finditer(message, denied.end))
    while behind and language.is_choosing_word(normal(behind[0].group())):
        behind = behind[1:]  # "not Jonas, it's Jannis"
    behind = behind[:size]
    for words, between in ((before, (-1, denied.start)), (behind, (denied.end, 0))):
        if len(words) < size or not words:
            continue
        start, end = words[0].start(), words[-1].end()
        apart = message[end : between[1]] if between[0] < 0 else message[between[0] : start]
        if _ENDS.search(apart) or (between[0] >= 0 and not re.match(r"\s*[,;:–—-]", apart)):
            continue
        if _alike(message[start:end], denied.words, language):
            return start, end
    return None


def _other_number(message: str, denied: _Denied, language: Language) -> Span | None:
    """The other number of the clause or sentence: "fourteen bowls, not forty"; of several the one beside what is denied."""
    if not _is_number(denied.words, language):
        return None
    numbers = list(_numbers(blanked(message, [(denied.start, denied.end)]), language))
    for begin, stop in _around(message, denied, language):
        found = [span for span in numbers if span[0] < stop and begin < span[1]]
        if found:
            beside = [
                span
                for span in found
                if not message[span[1] : denied.start].strip(_APART)
                and not message[denied.end : span[0]].strip(_APART)
            ]
            meant = found if len(found) == 1 else beside
            return meant[0] if meant else None
    return None


def _numbers(message: str, language: Language) -> Iterator[Span]:
    """Where numbers stand, each as long as it is: "a hundred and five"."""
    at = 0
    while (first := _WORDS.search(message, at)) is not None:
        run = [first.end(), *(word.end() for word in _WORDS.finditer(message, first.end()))][:_LONGEST]
        ends = [end for end in run if _is_number(message[first.start() : end], language)]
        at = ends[-1] if ends else first.end()
        if ends:
            yield first.start(), at


def _alike(new: str, old: str, language: Language) -> bool:
    """Both are names, both are numbers, or one is the other but for a slip."""
    one, other = runs(new), runs(old)
    if [run.key for run in one] == [run.key for run in other]:
        return False
    if any(is_nearly(a.key, b.key, language) for a in one for b in other):
        return True
    if _is_number(new, language) and _is_number(old, language):
        return True
    figures = {run.key.isdecimal() for run in one} & {run.key.isdecimal() for run in other}
    return bool(figures) and _is_name(new) and _is_name(old)


def _is_number(text: str, language: Language) -> bool:
    """All of it is one number, in figures or in words: "forty"."""
    return in_digits(text, language.code).isdecimal()


def _is_name(text: str) -> bool:
    """All of it is names or figures: "KT19", "Castle Street 3"; "I" is none."""
    return all(word[0].isdigit() or (word[0].isupper() and len(word) > 1) for word in _WORDS.findall(text))


def _around(message: str, denied: _Denied, language: Language) -> Iterator[Span]:
    """The clause that denies it, and the sentence; with the one behind, or else the one before, where it does nothing else."""
    ends = [0, *(m.end() for m in _ENDS.finditer(message)), len(message)]
    begin = max(end for end in ends if end <= denied.start)
    stop = min(end for end in ends if end >= denied.end)

    def says_more(begin: int, stop: int) -> bool:
        return any(
            tells(run, language)
            for part in (message[begin : denied.start], message[denied.end : stop])
            for run in runs(part)
        )

    for a, b in clauses(message):
        if a <= denied.start and denied.end <= b and says_more(a, b):
            yield a, b
    if says_more(begin, stop):
        yield begin, stop
    elif message[stop:].strip():
        yield begin, next(end for end in ends if end > stop)
    else:
        yield max((end for end in ends if end < begin), default=0), stop


def _typed(left: str, begin: int, stop: int, denied: _Denied, language: Language) -> Span | None:
    """Where the one value of its type stands in the words around: "at 5pm not 4"."""
    field = denied.field
    if not (field.options or field.wanted in TYPED):
        return None

    def read(words: Sequence[re.Match[str]]) -> str | None:
        said = left[words[0].start() : words[-1].end()].replace("…", " ") if words else ""
        if (text := readable(field, said, language)) is None or field.options or field.parses is None:
            return text
        return str(field.parses(text))

    words = list(_WORDS.finditer(left, begin, stop))
    value = read(words)
    if value is None or _same(value, field.present or ""):
        return None
    if (
        field.wanted == "date"
        and (named := _months(left[begin:stop]))
        and not named & _months(_spelled(value))
    ):
        return None  # "April, the 1st" was read for a day of another month
    while read(words[1:]) == value:
        words = words[1:]
    while read(words[:-1]) == value:
        words = words[:-1]
    return words[0].start(), words[-1].end()


def _says_the_month(clause: str, day: str) -> bool:
    """It is no number of a day alone, "the 14th", which is of the month that was."""
    return DAY_ALONE.fullmatch(day) is None or bool(_months(clause))


def _months(said: str) -> set[str]:
    names = {f"{date(2000, month, 1):%B}".casefold() for month in range(1, 13)}
    return {run.key for run in runs(said)} & names


def _with_the_rest(said: str, denied: _Denied, language: Language) -> str | None:
    """The new value as a whole, where only a part of the old one was denied; None where its type cannot read it."""
    field = denied.field
    if field.options or field.wanted in TYPED:
        if (text := readable(field, said, language)) is not None or field.options:
            return text
        part = with_part(denied.old, said, language, denied=denied.words)
        return readable(field, part, language) if part is not None else None
    part = None
    if not denied.whole:
        alone = re.compile(rf"(?<!\w){re.escape(denied.words)}(?!\w)", re.IGNORECASE)
        part = with_part(denied.old, said, language, denied=denied.words)
        if _is_number(denied.words, language) and _is_number(said, language) and alone.search(denied.old):
            part = alone.sub(lambda _: said, denied.old, count=1)
    new = part if part is not None and _alike(said, denied.words, language) else said
    if field.wanted != "list":
        return new
    items = [item for item in (field.present or "").split("; ") if item != denied.old]
    if any(_stands(item, said) for item in items):
        return said  # it says all of them anew
    return "\n".join(new if item == denied.old else item for item in (field.present or "").split("; "))


def _told(message: str, denied: _Denied, new: tuple[Span, Value]) -> Parted:
    (start, end), value = new
    said = [
        (a, b)
        for a, b in clauses(message)
        if (a < denied.end and denied.start < b) or (a < end and start < b)
    ]
    first, last = min(a for a, _ in said), max(b for _, b in said)
    rest = f"{message[:first]} {message[last:]}".strip(" \t\n,;.!?-–—")
    told = Command(act="correct", confidence=value.confidence, layer="learned", target=APART, values=(value,))
    return Parted(message=rest, told=(told,), fields=frozenset({denied.field.name}))
