"""Few words that were put right in the same breath: of "Marek, no wait, Ilse" it is Ilse that is meant."""

import re
from dataclasses import replace
from typing import Final

from softrail.core.reading import Command, Reading, Value, at_most, just_below
from softrail.language import normal
from softrail.reader.hearing import Hearing

_CLAUSE: Final = re.compile(r"\s*[,;.!?](?:\s|\Z)")
_MOST: Final = 6  #: words of either; in longer ones "I mean" is a way of talking


def with_repairs(reading: Reading, hearing: Hearing) -> Reading:
    """The reading with what was meant in place of what was said first, in the values of words.

    Words that only begin to put something right are no value that is sure: "no wait".
    """
    language = hearing.language
    words = {field.name for field in hearing.place.fields() if field.wanted == "text"}

    def meant(value: Value) -> Value:
        at = reading.message.find(value.text)
        if value.field not in words or not value.text or at < 0:
            return value
        first, then = language.repaired(reading.message[at:])
        then = _CLAUSE.split(then)[0].strip() if not normal(value.text).endswith(normal(then)) else then
        short = max(len(first.split()), len(then.split())) <= _MOST
        if any(v.field not in words and v.text and v.text in then for v in _values(reading)):
            return value  # "2 dozen eggs, I mean 24 people" puts another answer right
        spoken_of = normal(first) == normal(value.text) or normal(value.text).startswith(normal(first))
        return replace(value, text=then) if first and then and short and spoken_of else value

    def told(command: Command) -> Command:
        if command.layer == "exact" or not command.values:
            return command
        begun = any(
            v.field in words and v.text and language.repaired(v.text) == ("", "") for v in command.values
        )
        read = at_most(command, just_below(hearing.bars.inform)) if begun else command
        return read.with_each(meant)

    commands = tuple(map(told, reading.commands))
    if commands == reading.commands:
        return reading
    right = {normal(v.text): v.field for c in commands for v in c.values if v not in _values(reading)}
    kept = [
        replace(c, values=tuple(v for v in c.values if right.get(normal(v.text), v.field) == v.field))
        for c in commands
    ]  # what was meant instead is no other answer as well
    return reading.evolve(
        commands=tuple(c for c, was in zip(kept, commands, strict=True) if c.values or not was.values)
    )


def _values(reading: Reading) -> list[Value]:
    return [value for command in reading.commands for value in command.values]
