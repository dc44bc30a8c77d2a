"""What comes to an answer of words takes not its place: "add my sister" leaves "me and my brother" where it is."""

from dataclasses import replace

from softrail.core.reading import Field, Reading, Value
from softrail.language import Language
from softrail.reader.changes.parts import keys
from softrail.reader.clauses import clause_of
from softrail.reader.hearing import Hearing


def both(field: Field, words: str) -> str:
    """The answer with those words behind it."""
    return f"{field.present}, {words}"


def with_what_is_added(reading: Reading, hearing: Hearing) -> Reading:
    """The reading in which it is asked whether new words come to an answer or take its place, where they are said to come."""
    place, language = hearing.place, hearing.language
    if place.own or place.offer:
        return reading
    fields = {f.name: f for f in place.fields() if f.present and f.wanted == "text" and not f.options}

    def told(value: Value) -> Value:
        field = fields.get(value.field)
        if field is None or not value.text:
            return value
        words = _added(reading.message, value.text, language)
        if not words or {*keys(field.present or "")} <= {*keys(words)}:
            return value
        instead = replace(value, text=words, placed=0.0, rivals=())
        return replace(instead, text=both(field, words), rivals=(instead, *value.rivals))

    return reading.with_changes(told)


def _added(message: str, text: str, language: Language) -> str:
    """The words, where those around them say that they come to what there is; "" where nothing does."""
    at = message.find(text)
    if at < 0:
        return ""
    start, end = clause_of(message, (at, at + len(text)))
    before, behind = message[start:at].split(), message[at + len(text) : end]
    edit = language.edit(message[start:end], {})
    adds = edit is not None and edit.op == "add"
    more = any(map(language.is_more, before)) or bool(language.without_too(f"{text}{behind}"))
    joins = start == 0 and len(before) == 1 and language.adds(before[0])
    return text if adds or more or joins else ""
