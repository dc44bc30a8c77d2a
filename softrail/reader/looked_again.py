"""What is in a clause of which nothing was read: a value beside the name of its answer, an item, an option, a value of a type.

Certain words tell it; what they do not settle is put to the person.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from softrail.core.reading import Bars, Field, Value
from softrail.language import Language, enumerated, normal
from softrail.reader.called import without_opening
from softrail.reader.changes.besides import telling
from softrail.reader.changes.numbers import numbers
from softrail.reader.changes.spoken_of import spoken_of
from softrail.reader.fields import OF_WORDS, TYPED, fewest_words, names_of, question_query
from softrail.reader.learned import Marker
from softrail.reader.meant_for import is_called

_Found = tuple[list[Value], list[Value]]  #: what is told, and what may be


def looked_for_again(
    text: str,
    told: Collection[str],
    faintly: Sequence[str],
    fields: Mapping[str, Field],
    marker: Marker,
    bars: Bars,
    language: Language,
) -> _Found:
    """What it tells, or may tell, of answers that nobody has `told` of; `faintly` are some that may be wrong."""
    left = [one for one in fields.values() if one.given and one.name not in told]
    called = [one for one in left if is_called(one, text, language) and one.wanted != "bool"]
    if len(called) == 1:
        said = _behind(called[0], text, language)
        return ([said], []) if said.text and said.placed else ([], [said])
    if items := _items(text, fields, language):
        return (items, []) if items[0].placed else ([], items)
    values = remarks(left, text, marker, bars)
    if not values and any(numbers(text, language)):
        values = [Value(field=name, text="") for name in faintly if name not in told][:1]
    return [], values


def _items(text: str, fields: Mapping[str, Field], language: Language) -> list[Value]:
    """What is added to a list, and nobody says to which, but for words of its question: "add the letter box to the damage"."""
    edit = language.edit(without_opening(text, language), {})
    if edit is None or edit.op != "add":
        return []
    lists = [one for one in fields.values() if one.given and one.wanted == "list"]
    words = edit.text.split()
    while len(words) > 1 and (language.hedges(words[-1]) or language.ends(words[-1])):
        words = words[:-1]
    to = next((at for at, word in enumerate(words) if at and language.turns_into(word)), len(words))
    meant = spoken_of(" ".join(words[to:]), lists, language)
    new = "\n".join(enumerated(" ".join(words[:to] if meant else words), language))
    lists, sure = meant or lists, float(len(words) == len(edit.text.split()))
    return [
        Value(field=one.name, text=new, placed=sure if len(lists) == 1 else 0.0, adds=True) for one in lists
    ]


def _within(one: Field, text: str, language: Language) -> Value | None:
    """The value of its type in those words; "one more thing" has none."""
    reads = one.parses if one.wanted in TYPED else None
    span = fewest_words(text, (0, len(text)), reads) if reads is not None else None
    if span is None or not telling(text[slice(*span)], language):
        return None
    return Value(field=one.name, text=text[slice(*span)], placed=0.0)


def remarks(fields: Iterable[Field], text: str, marker: Marker, bars: Bars) -> list[Value]:
    """What would answer a question for words that was left out: "my neighbour saw it"."""
    empty = [
        one for one in fields if one.wanted == "text" and not (one.options or one.present or one.required)
    ]
    found = []
    for one in empty:
        [marks] = marker.mark(text, [question_query(one)])
        said = text[marks.start : marks.end]
        if min(marks.value, marks.acts.get("inform", 0.0)) >= bars.inform and said.strip():
            found.append(Value(field=one.name, text=said, confidence=marks.value, placed=0.0))
    return found


def _behind(one: Field, text: str, language: Language) -> Value:
    """The value that stands with its name, sure where there was none: "there was a witness: Olga Meyer"; no words: it is asked for."""
    if (value := _within(one, text, language)) is not None:
        return value
    if (change := language.correction(text, {one.name: one.names})) is not None and change[1]:
        return Value(field=one.name, text=change[1])
    if language.called_wrong(text, {one.name: one.names}):
        return Value(field=one.name, text="")
    words = list(re.finditer(r"\w+", text))
    said = [normal(word.group()) for word in words]
    worded = one.wanted in OF_WORDS and not one.options and not language.says_not(text)
    for name in (name.split() for name in names_of(one) if worded):
        for at in (n + len(name) for n in range(len(said)) if said[n : n + len(name)] == name):
            while at < len(said) and language.links(said[at]):
                at += 1
            if at < len(said) and telling(rest := text[words[at].start() :], language):
                return Value(field=one.name, text=rest.strip(" .!"), placed=float(not one.present))
    return Value(field=one.name, text="")
