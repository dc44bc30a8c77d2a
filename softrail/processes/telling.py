"""Answers as a person reads them."""

import enum
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from math import isfinite
from typing import Any, Final

from pydantic import ValidationError

from softrail.core.questions import Option
from softrail.processes.definition import Definition, FieldDefinition
from softrail.processes.readers import key_of
from softrail.processes.sentences import Wording
from softrail.processes.spoken import day_in_words, length_in_words
from softrail.processes.state import State, answers_of

_AS_TOLD: Final = 4  #: digits behind the point, as many as a person may have told
_DIGITS: Final = 2  #: behind the point, of a number that has more
_ISO: Final = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?)?")
_FLOAT: Final = re.compile(r"-?\d+\.0")
YES, NO = "yes", "no"  #: the values of the options of a yes/no question


def options_of_answer(asked: FieldDefinition, wording: Wording) -> tuple[Option, ...]:
    """The options of an answer: those of its type; a yes/no question has Yes and No."""
    if asked.reader.kind != "consent":
        return asked.reader.options
    return (
        Option(label=wording.say("option_yes"), value=YES),
        Option(label=wording.say("option_no"), value=NO),
    )


def in_words(value: Any, wording: Wording) -> list[str]:
    """A value as a person reads it; several lines for several items."""
    if value is None or value == "" or value == [] or value == {}:
        return [wording.say("nothing")]
    if isinstance(value, bool):
        return [wording.say("yes" if value else "no")]
    if isinstance(value, enum.Enum):
        return [str(value.value if isinstance(value.value, str) else value.name).replace("_", " ")]
    if isinstance(value, list | tuple | set | frozenset):
        return [" ".join(in_words(v, wording)) for v in value]
    if isinstance(value, date) and not isinstance(value, datetime):
        return [day_in_words(value)]
    if isinstance(value, datetime):
        return [f"{day_in_words(value)}, {value:%H:%M}"]
    if isinstance(value, time):
        return [f"{value:%H:%M}"]
    if isinstance(value, timedelta):
        return [length_in_words(value)]
    if isinstance(value, float | Decimal) and isfinite(value):
        return [_number_in_words(value)]
    return [str(value)]


def answer_in_words(asked: FieldDefinition, value: Any, wording: Wording) -> list[str]:
    """An answer as a person reads it: an option by its label, whatever value a process receives."""
    value = typed(asked, value)
    if asked.reader.options and isinstance(value, list | tuple) and value:
        return labels_of(asked, value)
    if asked.reader.options and isinstance(value, str):
        return labels_of(asked, [value])
    return in_words(value, wording)


def labels_of(asked: FieldDefinition, values: Sequence[Any]) -> list[str]:
    """What the options with those values are called; what is no option any more as it is."""
    labels = {option.means: option.label for option in asked.reader.options}
    return [labels.get(key_of(value), key_of(value)) for value in values]


def _number_in_words(value: float | Decimal) -> str:
    """A number with the digits that say something: 136.077711 kilograms are 136.08, and what is kept stays exact."""
    exact = Decimal(str(value))
    if exact == exact.to_integral_value():
        return f"{exact:.0f}" if isinstance(value, float) else str(value)
    behind = -int(exact.as_tuple().exponent)
    if behind <= _AS_TOLD:
        return f"{exact:f}"
    return f"{round(exact, max(_DIGITS, _DIGITS - 1 - exact.adjusted())).normalize():f}"


def said_in_words(text: str) -> str:
    """Words as they were said; a day or a number that was made of them, as a person reads it."""
    for read in (_day_or_moment, _whole):
        if (value := read(text)) is not None:
            return value
    return text


def _day_or_moment(text: str) -> str | None:
    if _ISO.fullmatch(text) is None:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return day_in_words(at) if len(text) == len("2026-03-02") else f"{day_in_words(at)}, {at:%H:%M}"


def _whole(text: str) -> str | None:
    return text.removesuffix(".0") if _FLOAT.fullmatch(text) else None


def typed(asked: FieldDefinition, value: Any) -> Any:
    """A stored answer as its type has it, as far as it can be read."""
    try:
        return asked.adapter.validate_python(value)
    except ValueError:
        return value


def kept_in_words(definition: Definition, state: State, wording: Wording) -> str:
    """One sentence about what has been answered so far; "" when nothing has."""
    parts = []
    for name, value in state.answers.items():
        if not definition.fields[name].shown:
            continue
        told = "; ".join(answer_in_words(definition.fields[name], value, wording))
        parts.append(f"{definition.fields[name].label}: {told if len(told) <= 80 else told[:79] + '…'}")
    return wording.say("kept", summary=", ".join(parts)) if parts else ""


def summary(definition: Definition, state: State, wording: Wording) -> str:
    """What was captured, line by line; nothing else."""
    try:
        answers: Any = answers_of(definition, state)
    except ValidationError:
        answers = None
    lines: list[str] = []
    for name, asked in definition.fields.items():
        if not asked.shown:
            continue
        value = getattr(answers, name) if answers is not None else state.answers.get(name)
        told = answer_in_words(asked, value, wording)
        label = asked.label[:1].upper() + asked.label[1:]
        if len(told) == 1:
            lines.append(f"- {label}: {told[0]}")
        else:
            lines += [f"- {label}:", *(f"  - {item}" for item in told)]
    return "\n".join(lines)


@dataclass(frozen=True, kw_only=True, slots=True)
class Given:
    """An answer as it is told to the person."""

    label: str
    value: str  #: "" where it was not given, or left out
    shown: bool  #: False: neither this value nor another is to be seen
    labels: Mapping[str, str] = field(default_factory=dict)  #: of options, by what a process receives


def given_in_words(definition: Definition, state: State, wording: Wording) -> dict[str, Given]:
    """By name: every answer, and what was given so far."""
    return {
        name: Given(
            label=asked.label,
            value="; ".join(answer_in_words(asked, state.answers[name], wording))
            if name in state.answers
            else "",
            shown=asked.shown,
            labels={option.means: option.label for option in asked.reader.options},
        )
        for name, asked in definition.fields.items()
    }
