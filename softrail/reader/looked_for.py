"""What an author's own step looks for in a message, and changes of answers that were given before it."""

from collections.abc import Sequence
from typing import Final

from softrail.core.reading import Act, Bars, Command, Field, Value
from softrail.language import normal
from softrail.reader.fields import (
    BESIDE,
    TYPED_VALUE,
    WORD,
    Span,
    blanked,
    field_query,
    is_named,
    is_typed,
    meets,
    readable,
)
from softrail.reader.hearing import Hearing
from softrail.reader.learned import Marker, Marks

_MOST_AGAIN: Final = 8  #: values of one field in a message, beside the first
_LEAST: Final = (
    0.3  #: how likely it must be that the message gives other answers, for looking at those given before
)


def looked_for(message: str, hearing: Hearing, open_marks: Marks) -> list[Command]:
    """The values that the step looks for, each as often as the message gives it, and changes of answers given before."""
    place, marker, bars, language = hearing.place, hearing.marker, hearing.bars, hearing.language
    changes = open_marks.acts.get("correct", 0.0)
    # What becomes of a list that was told before is read item by item.
    fields = [f for f in place.fields() if f.name not in (place.field, *place.lists)]
    if max(open_marks.acts.get("inform_other", 0.0), changes) < _LEAST and all(f.given for f in fields):
        return []
    if place.own and changes < bars.correct:
        fields = [f for f in fields if not f.given]  # an answer to an author's own question changes no other
    bar = bars.doubt if changes >= bars.correct else bars.value
    seen: list[tuple[bool, Field, Marks, Value]] = []
    for field, marks in zip(fields, marker.mark(message, [field_query(f) for f in fields]), strict=True):
        named = is_named(field, f"{message[: marks.start]} {message[marks.end :]}")
        least = bars.doubt if named else min(bar, TYPED_VALUE) if is_typed(field) else bar
        if marks.value < least or marks.end <= marks.start:
            continue
        start, end = field.widened(message, marks.start, marks.end)
        text = readable(field, message[start:end], language)
        if text is not None:
            value = Value(field=field.name, text=text, confidence=marks.value, placed=marks.span)
            seen.append((named, field, marks, value))
    seen.sort(key=lambda one: (not one[0], -one[3].confidence))
    taken: list[Span] = []
    commands: list[Command] = []
    for _, field, marks, value in seen:
        if meets((marks.start, marks.end), taken):
            continue  # the same words are the value of a likelier field
        taken.append((marks.start, marks.end))
        commands.append(_command(field, value))
    return commands + _again(message, commands, fields, taken, marker, bars)


def _command(field: Field, value: Value) -> Command:
    act: Act = "correct" if field.given else "inform"
    target = "" if field.given else "own"
    return Command(act=act, confidence=value.confidence, layer="learned", target=target, values=(value,))


def _again(
    message: str,
    found: Sequence[Command],
    fields: Sequence[Field],
    taken: list[Span],
    marker: Marker,
    bars: Bars,
) -> list[Command]:
    """Further values of what is looked for: "one called Thrush and another called Wren".

    The message is read anew with what was found blanked out, until nothing likely is left.
    """
    commands: list[Command] = []
    for field in fields:
        told = [c for c in found if c.target == "own" and c.values[0].field == field.name]
        if field.wanted != "text" or not told or told[0].confidence < bars.inform:
            continue
        said = {normal(told[0].values[0].text)}
        for _ in range(_MOST_AGAIN):
            left = blanked(message, taken)
            if len(WORD.findall(left)) < BESIDE:
                break
            [marks] = marker.mark(left, [field_query(field)])
            start, end = marks.start, marks.end
            if marks.value < bars.inform or end <= start or meets((start, end), taken):
                break
            taken.append((start, end))
            text = message[start:end]
            if not any(one in normal(text) for one in said):
                said.add(normal(text))
                commands.append(_command(field, Value(field=field.name, text=text, confidence=marks.value)))
    return commands
