"""An answer given before, denied by its own words with another in its place: "the RD60 not the RD70", "not Porto, Faro"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from typing import Final

from softrail.core.reading import APART, Bars, Command, Field, Place, Value
from softrail.language import Language, normal
from softrail.processes.spoken import day_in_words, in_digits
from softrail.processes.words import words as word_tables
from softrail.reader.changes.numbers import WORDS, is_number, numbers
from softrail.reader.changes.parts import halves_of_the_day, keys, runs, tells, tells_something, with_part
from softrail.reader.changes.spoken_of import spoken_of
from softrail.reader.clauses import clauses
from softrail.reader.fields import (
    SENTENCE_END,
    TYPED,
    WORDED,
    Span,
    blanked,
    field_query,
    is_named,
    is_the_same,
    is_typed,
    meets,
    open_query,
    question_query,
    readable,
    sentences,
)
from softrail.reader.hearing import Hearing
from softrail.reader.learned import Marker, Marks
from softrail.reader.ranges import DAY_ALONE, Parted

_BEFORE: Final = 3  #: words between "not" and what it denies: "not the old RD70"
_LONGEST: Final = 6  #: words that are denied
_MORE: Final = 2  #: words by which a new value is longer than what was denied: of more it is asked
_SENTENCE: Final = (
    2  #: words that tell something beside those that are denied: the rest of a sentence may stay
)
_MOST: Final = 12  #: denials of a message that are looked at
_WIDEST: Final = 60  #: words of a sentence in which a value of a type is looked for
_SIGNS: Final = 3  #: words that deny: "in place of"
_PLACED: Final = 0.9  #: how sure a place must be, where the message only says that something is wrong
_NEARLY: Final = 6  #: letters by which what takes the place of words may be longer
_APART: Final = " ,;:–—-"
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
    called: bool = False  #: the message calls the answer by its name, and so speaks of all of it
    again: bool = False  #: nothing denies it but that it is said once more: "9 is too early, come at 11"


def instead(message: str, hearing: Hearing) -> Parted | None:
    """The change that names what was before; None where nothing that was given is denied, or nothing takes its place."""
    place, marker, bars, language = hearing.place, hearing.marker, hearing.bars, hearing.language
    if place.own or place.offer:
        return None
    fields = [f for f in place.fields() if f.given and f.present and f.wanted in _CHANGED]
    for start, end in islice(_denials(message, language), _MOST):
        said = _longest([one for f in fields for one in _denied(message, start, end, f, language)])
        told = [(one, found) for one in said if (found := _new(message, one, marker, bars, language))]
        if len(told) == 1:
            return _told(message, *told[0])
        if len(told) > 1 and all(one.field.wanted in TYPED for one, _ in told):
            meant = spoken_of(message, [one.field for one, _ in told], language)
            sure = [one for one in told if one[0].field in meant]  # "it's three floors, not two"
            return _told(message, *sure[0]) if sure else _any_of(message, told)
    denied = [*_said_again(message, fields, place, language)]
    if len({one.field.name for one in denied}) != 1:
        return None  # "5 is fine, and 3:30, too"
    again = [(one, found) for one in denied if (found := _new(message, one, marker, bars, language))]
    if (
        len(again) != 1
        or marker.mark(message, [open_query(place)])[0].acts.get("correct", 0.0) < bars.correct
    ):
        return None
    return _told(message, *again[0])


def _said_again(message: str, fields: Sequence[Field], place: Place, language: Language) -> Iterator[_Denied]:
    """Old values of a type that are said once more, where the other one of that type can be for no other answer."""
    for field in fields:
        others = [f for f in fields if f is not field and f.wanted == field.wanted]
        called = is_named(field, message) and not any(is_named(other, message) for other in others)
        alone = field.options or called or not others
        if not is_typed(field) or field.wanted == place.wanted or not (alone or field.wanted == "date"):
            continue  # a number is said of many things, a day of the month hardly of another that was given
        for start, end in clauses(message):
            for one in _denied(message[:end], start, start, field, language):
                said = (in_digits(one.words[a:b], language.code) for a, b in numbers(one.words, language))
                if field.wanted != "number" or any(is_the_same(n, one.old) for n in said):
                    yield replace(one, again=True)  # "an hour" are 60 minutes, and no 60


def _denials(message: str, language: Language) -> Iterator[Span]:
    """Where words stand after which something is not meant: "not", "instead of"."""
    words = list(WORDS.finditer(message))
    at = 0
    while at < len(words):
        for size in range(_SIGNS, 0, -1):
            said = " ".join(normal(word.group()) for word in words[at : at + size])
            if at + size <= len(words) and language.denies(said):
                yield words[at].start(), words[at + size - 1].end()
                at += size - 1
                break
        at += 1


def _denied(message: str, start: int, end: int, field: Field, language: Language) -> list[_Denied]:
    """What of the old value those words deny, the most of it; nothing where they deny something else."""
    stop = SENTENCE_END.search(message, end)
    until = stop.start() if stop is not None else len(message)
    if field.wanted in ("number", "time"):  # "not one, and let her come at nine"
        until = next((b for a, b in clauses(message[:until]) if a <= end < b), until)
    behind = list(WORDS.finditer(message, end, until))
    for first in range(min(_BEFORE, len(behind))):
        for last in range(min(len(behind), first + _LONGEST), first, -1):
            said = message[behind[first].start() : behind[last - 1].end()]
            for old, whole in _stands_in(said, field, language):
                return [
                    _Denied(
                        field=field,
                        words=said,
                        start=start,
                        end=behind[last - 1].end(),
                        old=old,
                        whole=whole,
                        called=is_named(field, message),
                    )
                ]
    return []


def _longest(said: Sequence[_Denied]) -> Sequence[_Denied]:
    """Without a number that is only a part of a day or a time: "not half past 4" denies no 4."""
    whole = [one for one in said if one.field.wanted in ("date", "time")]
    return [
        one
        for one in said
        if one.field.wanted != "number"
        or not any(one.end <= w.end and len(one.words) < len(w.words) for w in whole)
    ]


def _stands_in(said: str, field: Field, language: Language) -> Iterator[tuple[str, bool]]:
    """The old value, or the item of it, in which those words stand, and whether they are all that it tells."""
    present = field.present or ""
    if not tells_something(said, language) and not (field.wanted == "number" and is_number(said, language)):
        return  # "not take a taxi" is not the first of the options
    if field.options or field.wanted == "choice":
        if readable(field, said, language) == present:
            yield present, True
        return
    if field.wanted in TYPED:
        if _is(field, said, present, language):
            yield present, True
        elif (day := _day(present)) and (part := _part_of(said, day_in_words(day), language)) is not None:
            yield day_in_words(day), part  # "Thursday, 12 February 2026"
        return
    for old in field.items if field.wanted == "list" else [present]:
        if (part := _part_of(said, old, language)) is not None:
            yield old, part


def _stands(said: str, words: str) -> bool:
    """One of them is in the other, word for word."""
    some, all_ = keys(said), keys(words)
    return any(all_[at : at + len(some)] == some for at in range(len(all_) - len(some) + 1))


def _part_of(said: str, old: str, language: Language) -> bool | None:
    """They stand in the old words, and are all that tells something there; None: they do not, or tell nothing."""
    if not _stands(said, old):
        return None
    gone, told = set(keys(said)), {run.key for run in runs(old) if tells(run, language)}
    if 2 * len(told & gone) >= len(told) and not _is_name(said):
        return True  # "not mug, plate" is all of "red mug"
    return told <= gone


def _is(field: Field, said: str, present: str, language: Language) -> bool:
    """They are the old value of its type; of a time of day also without the half of the day: "4" is 16:00."""
    halves = halves_of_the_day(language) if field.wanted == "time" else ()
    parses = field.parses
    return parses is not None and any(
        is_the_same(parses(f"{said} {half}".strip()), present) for half in ("", *halves)
    )


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _new(
    message: str, denied: _Denied, marker: Marker, bars: Bars, language: Language
) -> tuple[Span, Value] | None:
    """Where the new value stands, and the value."""
    field = denied.field
    left = blanked(message, [(denied.start, denied.end)])
    begin, stop = (0, len(message)) if denied.again else _sentence(message, denied)
    if (typed := _typed(left, begin, stop, denied, language)) is not None:
        said = left[slice(*typed)].replace("…", " ")
        text = readable(field, said, language) or said
        if (
            field.wanted == "date"
            and field.parses is not None
            and _says_the_month(left[begin:stop], text, language)
        ):
            text = str(field.parses(left[begin:stop].replace("…", " ")))
        return typed, Value(field=field.name, text=text)
    if denied.again:
        return None
    beside = (
        _other_number(message, denied, (begin, stop), language)
        or _beside(message, denied)
        or _other_name(message, denied, (begin, stop))
    )
    if beside is None and (alike := _alike_but_for_a_part(message, denied, (begin, stop), language)):
        said = message[slice(*alike)]  # what was beside it stays
        new = with_part(denied.old, denied.words, said, language) or said
        return alike, Value(field=field.name, text=_among_the_others(new, denied))
    if beside is not None:
        said = message[slice(*beside)]
        if (whole := _with_the_rest(said, denied, language)) is not None:
            return beside, _or_alone(Value(field=field.name, text=whole), said, denied, language)
    around = [(a, b) for a, b in clauses(message) if a <= denied.start and denied.end <= b]
    for a, b in (*around, (begin, stop)):
        near, asked = f"{' ' * a}{left[a:b]}", [question_query(field), field_query(field)]
        best = max(marker.mark(near, asked), key=lambda marks: marks.value)
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
    long = len(WORDS.findall(said)) > len(WORDS.findall(denied.words)) + _MORE
    placed = 0.0 if long else best.span
    value = Value(field=field.name, text=text, confidence=max(best.value, bars.changed), placed=placed)
    return _or_alone(value, said, denied, language)


def _or_alone(value: Value, said: str, denied: _Denied, language: Language) -> Value:
    """The value, asked about where the rest of a sentence may stay or not: "the miller, not the flour supplier"."""
    part = _part(said, denied, language)
    if denied.field.wanted not in ("text", "list") or part is None or _alike(said, denied.words):
        return value
    return replace(value, placed=0.0, rivals=(replace(value, text=_among_the_others(said, denied)),))


def _beside(message: str, denied: _Denied) -> Span | None:
    """As many words as are denied, before the "not" or behind it, which are names or numbers as those are."""
    size = len(WORDS.findall(denied.words))
    before = list(WORDS.finditer(message, 0, denied.start))[-size:]
    behind = list(WORDS.finditer(message, denied.end))[:size]
    for words in (before, behind):
        start, end = (words[0].start(), words[-1].end()) if words else (0, 0)
        apart = message[end : denied.start] if words is before else message[denied.end : start]
        parted = words is before or bool(apart.strip())
        if len(words) < size or not parted or SENTENCE_END.search(apart):
            continue
        if _alike(message[start:end], denied.words):
            return start, end
    return None


def _alike_but_for_a_part(message: str, denied: _Denied, sentence: Span, language: Language) -> Span | None:
    """The one run of as many words that has some of those that are denied, and another in their place: "not hall B, is hall C"."""
    size = len(WORDS.findall(denied.words))
    telling = {run.key for run in runs(denied.words) if tells(run, language)}
    words = [w for w in WORDS.finditer(message, *sentence) if not denied.start <= w.start() < denied.end]
    old, found = keys(denied.words), list[Span]()
    for at in range(len(words) - size + 1):
        start, end = words[at].start(), words[at + size - 1].end()
        new = keys(message[start:end])
        if end - start > len(denied.words) + _NEARLY or len(new) != len(old):
            continue
        same = [one == other for one, other in zip(new, old, strict=True)]
        if sum(same) < len(same) and same[0] and new[0] in telling:
            found.append((start, end))
    return found[0] if size > 1 and len(found) == 1 else None


def _other_number(message: str, denied: _Denied, sentence: Span, language: Language) -> Span | None:
    """The other number of the sentence: "fourteen bowls, not forty"; of several the one beside what is denied, or just before."""
    if not is_number(denied.words, language):
        return None
    left = blanked(message, [(denied.start, denied.end)])
    found = [(a, b) for a, b in numbers(left, language) if sentence[0] <= a and b <= sentence[1]]
    beside = [
        (start, end)
        for start, end in found
        if not message[end : denied.start].strip(_APART) and not message[denied.end : start].strip(_APART)
    ]
    if len(found) > 1 and not beside:  # "two screens, not one, and she comes at nine"
        before = [c for c in clauses(message) if c[0] < denied.start][-2:]
        beside = [n for n in found if any(a <= n[0] and n[1] <= b for a, b in before)]
    meant = found if len(found) == 1 else beside
    return meant[0] if len(meant) == 1 else None


def _other_name(message: str, denied: _Denied, sentence: Span) -> Span | None:
    """The only other name of the sentence, of as many words: "it was with Dan actually, not Dana"."""
    if not _is_name(denied.words):
        return None
    found: list[list[re.Match[str]]] = []
    last = -1
    for at, word in enumerate(WORDS.finditer(message, *sentence)):
        if denied.start <= word.start() < denied.end or not _is_name(word.group()):
            continue
        if found and last == at - 1:
            found[-1].append(word)
        else:
            found.append([word])
        last = at
    # A sentence begins with a capital, name or not.
    inner = [run for run in found if run[0].start() > sentence[0]] or found
    if len(inner) != 1 or len(inner[0]) != len(WORDS.findall(denied.words)):
        return None
    start, end = inner[0][0].start(), inner[0][-1].end()
    return (start, end) if _alike(message[start:end], denied.words) else None


def _alike(new: str, old: str) -> bool:
    """Both are names, or both have figures: "KT19", "Castle Street 3"."""
    one, other = keys(new), keys(old)
    figures = {key.isdecimal() for key in one} & {key.isdecimal() for key in other}
    return one != other and bool(figures) and _is_name(new) and _is_name(old)


def _is_name(text: str) -> bool:
    """All of it is names or figures: "KT19", "Castle Street 3"; "I" is none."""
    return all(word[0].isdigit() or (word[0].isupper() and len(word) > 1) for word in WORDS.findall(text))


def _sentence(message: str, denied: _Denied) -> Span:
    """The sentence that denies it."""
    found = sentences(message)
    start = max(start for start, _ in found if start <= denied.start)
    return start, min(end for _, end in found if end >= denied.end)


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

    halves = [(a, b) for a, b in clauses(left) if field.wanted == "time" and field.may_read(left[a:b])]
    words = list(WORDS.finditer(left, begin, stop))
    value = read(words) if len(words) <= _WIDEST else None
    if value is None and len(halves) == 1:
        return halves[0]  # "make it seven": of the half of the day that it was in
    if value is None or is_the_same(value, field.present or ""):
        return None
    while read(words[1:]) == value:
        words = words[1:]
    while read(words[:-1]) == value:
        words = words[:-1]
    return words[0].start(), words[-1].end()


def _says_the_month(sentence: str, day: str, language: Language) -> bool:
    """It is no number of a day alone, "the 14th", which is of the month that was."""
    months = word_tables(language.code)["values"]["month"]
    return DAY_ALONE.fullmatch(day) is None or any(key in months for key in keys(sentence))


def _with_the_rest(said: str, denied: _Denied, language: Language) -> str | None:
    """The new value as a whole, where only a part of the old one was denied; None where its type cannot read it."""
    field = denied.field
    if field.options:
        return readable(field, said, language)
    if field.wanted in TYPED:
        part = said if field.reads(said) else with_part(denied.old, denied.words, said, language)
        text = readable(field, part, language) if part is not None else None
        if text is not None and field.wanted == "date" and field.parses is not None:
            return str(field.parses(text))  # of "Tuesday, 8 December" the weekday is another then, too
        return text
    if not denied.whole and is_number(denied.words, language) and is_number(said, language):
        alone = re.compile(rf"(?<!\w){re.escape(denied.words)}(?!\w)", re.IGNORECASE)
        return alone.sub(lambda _: said, field.present or "", count=1)
    new = _part(said, denied, language) or said
    if any(_stands(item, said) for item in field.items if item != denied.old):
        return said if field.wanted == "list" else new  # it says all of them anew
    return _among_the_others(new, denied)


def _part(said: str, denied: _Denied, language: Language) -> str | None:
    """The old words with the new ones where the denied ones stood; None where those were all of it, or nearly all."""
    told = [sum(tells(run, language) for run in runs(text)) for text in (denied.old, denied.words)]
    if denied.whole or not (_alike(said, denied.words) or told[0] - told[1] >= _SENTENCE + denied.called):
        return None
    return with_part(denied.old, denied.words, said, language)


def _among_the_others(new: str, denied: _Denied) -> str:
    """The new words in the place of the old ones: of a list with its other items, one a line."""
    items = denied.field.items if denied.field.wanted == "list" else [denied.old]
    return "\n".join(new if item == denied.old else item for item in items)


def _any_of(message: str, told: Sequence[tuple[_Denied, tuple[Span, Value]]]) -> Parted:
    """The same words are of several old values, of the 8th and of eight o'clock: it is asked which of them changes."""
    (denied, (span, value)), *others = told
    rivals = tuple(one for _, (_, one) in others)
    parted = _told(message, denied, (span, replace(value, placed=0.0, rivals=rivals)))
    return replace(parted, fields=frozenset(one.field.name for one, _ in told))


def _told(message: str, denied: _Denied, new: tuple[Span, Value]) -> Parted:
    (start, end), value = new
    said = [one for one in clauses(message) if meets(one, [(denied.start, denied.end), (start, end)])]
    first, last = min(a for a, _ in said), max(b for _, b in said)
    rest = f"{message[:first]} {message[last:]}".strip(" \t\n,;.!?-–—")
    told = Command(act="correct", confidence=value.confidence, layer="learned", target=APART, values=(value,))
    return Parted(message=rest, told=(told,), fields=frozenset({denied.field.name}))
