"""What is said to choices besides their labels: their places, that none is meant, and what each of them is."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from softrail import Option
from softrail.plans.data.profile import Column, DataTable, Source
from softrail.plans.forms.choices import LEFT_OUT
from softrail.plans.forms.form import Question
from softrail.plans.forms.vocabulary import usual
from softrail.plans.words import AGGREGATES
from softrail.plugin import language, normal

NONE: Final = "none"  #: the value of the last option: none of what there is was meant
_NUMBERS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight")
_REFUSED: Final = (
    "no",
    "nope",
    "nah",
    "neither",
    "neither of them",
    "none of those",
    "not these",
    "not any of it",
)
_PLACE: Final = re.compile(
    rf"(?:the |i'd (?:take|go for) )?(?:number|option|choice) (?:{'|'.join(_NUMBERS)}|\d)(?:,? please)?",
    re.IGNORECASE,
)
_HEAD: Final = re.compile(r" (?:of|by|beside|is) ")  #: behind it stands what the thing is more exactly
_FILLERS: Final = ("of", "the", "in", "by", "is", "to", "from", "and", "or", "on", "a", "an")
_AT_THE_ENDS: Final = re.compile(rf"^(?:(?:{'|'.join(_FILLERS)}) )+|(?: (?:{'|'.join(_FILLERS)}))+$")
#: Words that tell no choice, or tell its place.
_PLACES: Final = frozenset([*_FILLERS, "one", "ones", "each", "first", "second", "third", "last"])
_LEFT: Final = ("leave it out", "leave that out", "leave them out", "without that", "without it")
_ENDS: Final = ("the former", "the latter")
_EXAMPLES: Final = 4  #: values of a column


def options_of(question: Question) -> list[Option]:
    """The buttons of a question, each with another label, and known by its place."""
    labels: dict[str, str] = {}
    for choice in question.choices:
        labels.setdefault(choice.label, choice.key)
    apart = _apart([label for label, key in labels.items() if not key.startswith(LEFT_OUT)])
    ends = (("the former",), ("the latter",)) if len(labels) == 2 else ((),) * len(labels)
    return [
        Option(label=label, value=key, words=(f"number {number}", *more, *apart.get(label, _LEFT)))
        for (label, key), number, more in zip(labels.items(), _NUMBERS, ends, strict=False)
    ]


def _apart(labels: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """What each label has and no other: of “Q4 2023” and “Q4 2024” the year is said; of “The average of all rows” the average."""
    words = {label: normal(label.replace("(", " ").replace(")", " ")).split() for label in labels}
    found = dict[str, Sequence[str]]()
    for label, own in words.items():
        others = {word for other in labels if other != label for word in words[other]}
        head = _HEAD.split(" ".join(own))[0]
        alone = sum(normal(other).startswith(head) for other in labels) == 1
        runs = " ".join("|" if word in others else word for word in own).split("|")
        parts = [run.strip() for run in (*runs, *[head] * alone)]
        parts += [_AT_THE_ENDS.sub("", part) for part in parts]
        telling = [part for part in dict.fromkeys(parts) if set(part.split()) - _PLACES]
        found[label] = [part for part in telling if part != " ".join(own)]
    return found


def none_of(label: str) -> Option:
    """The button of whoever means none of them."""
    return Option(label=label, value=NONE, words=_REFUSED)


def names_a_place(message: str) -> bool:
    """“Number two, please”: one of several choices, and no number that is asked for."""
    return _PLACE.fullmatch(" ".join(message.split()).strip(" .!")) is not None


def is_a_place(message: str) -> bool:
    """“The second one”, “the latter”: one of several, by nothing but where it stands, whatever they are."""
    if normal(message) in _ENDS or names_a_place(message):
        return True
    own = [word for word in normal(message).split() if not language().is_choosing_word(word)]
    return len(own) == 1 and language().ordinal(own[0], len(_NUMBERS)) is not None


def explained(question: Question, sources: Sequence[Source]) -> str:
    """What each choice is, from what is known of the data; "" where nothing is to be said of them."""
    lines = [(one.label, _about(one.key, sources)) for one in question.choices]
    return "\n".join(f"- {label}: {about}" for label, about in lines if about)


def _about(key: str, sources: Sequence[Source]) -> str:
    name, _, value = key.partition("=")
    tables = [(source, table) for source in sources for table in source.tables]
    for source, table in tables:
        if table.name == key:
            return f"{table.rows} rows in {source.name}, with {', '.join(c.title for c in table.columns[:8])}"
        column = next((one for one in table.columns if one.name == name), None)
        if column is not None:
            return f"the value {value} of `{column.title}`" if value else _column(column, table)
    return "how many rows there are" if key == "rows" else ""


def _column(column: Column, table: DataTable) -> str:
    told = [f"`{column.title}` of {table.title}"]
    if column.kind == "number" and usual(column) in AGGREGATES:
        told.append(f"numbers{f' in {column.unit}' if column.unit else ''}, {AGGREGATES[usual(column)]}")
    if column.values:
        more = " …" if len(column.values) > _EXAMPLES else ""
        told.append(f"for example {', '.join(column.values[:_EXAMPLES])}{more}")
    elif column.least is not None and column.most is not None:
        told.append(f"from {column.least[:10]} to {column.most[:10]}")
    if column.empty:
        told.append(f"empty in {column.empty} of {table.rows} rows")
    return ", ".join(told)
