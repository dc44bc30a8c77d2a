"""The form that the pattern of a text wants: a code as people say it, and as they are told of it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from softrail.language import language
from softrail.processes.definition import FieldDefinition
from softrail.processes.fitting_part import Part, fitting_part, like
from softrail.processes.spoken import in_digits


def pattern_of(asked: FieldDefinition) -> str:
    """The pattern that its text has to match; "" where it has none."""
    return str(next(_told(asked, "pattern"), "")) if asked.reader.kind == "text" else ""


def part_in_form(asked: FieldDefinition, words: str, fits: Callable[[str], bool], locale: str) -> Part | None:
    """The one part of the words that fits, in whatever writing, its numbers in figures or in words."""
    known = language(locale)

    def ordinary(word: str) -> bool:
        return known.is_choosing_word(word) or known.links(word) or known.negates(word)

    pattern = pattern_of(asked)
    if (part := fitting_part(words, fits, pattern=pattern, ordinary=ordinary)) is not None:
        return part
    figures = in_digits(words, locale)
    if sum(map(str.isdecimal, figures)) == sum(map(str.isdecimal, words)):
        return None
    part = fitting_part(figures, fits, pattern=pattern, ordinary=ordinary)
    return part and Part(part.value, words)


def form_in_words(asked: FieldDefinition) -> str:
    """What it has to look like: what it is described with, and an example; "" where nothing is known of it."""
    examples = next(_told(asked, "examples"), None)
    example = (
        examples[0]
        if isinstance(examples, list) and examples
        else like(pattern_of(asked), fits_its_type(asked))
    )
    return ", ".join(part for part in (asked.about.rstrip("."), f"like {example}" if example else "") if part)


def fits_its_type(asked: FieldDefinition) -> Callable[[Any], bool]:
    """Its type takes a value by itself."""

    def fits(part: Any) -> bool:
        try:
            asked.adapter.validate_python(part)
        except Exception:  # whatever its type says
            return False
        return True

    return fits


def _told(asked: FieldDefinition, name: str) -> Iterator[Any]:
    """What its schema says by that name, of the type or of one of several."""
    schema: Mapping[str, Any] = asked.schema or {}
    return (one[name] for one in (schema, *schema.get("anyOf", ())) if name in one)
