"""What a message says of an answer that it calls by its name, in words that are certain."""

from collections.abc import Sequence
from typing import Final

from softrail.core.reading import Bars, Command, Field, Value
from softrail.language import Language, normal
from softrail.reader.changes.parts import denies_the_old
from softrail.reader.fields import SENTENCE_END, is_named, is_typed

_PLACED: Final = 0.8  #: from here on the small model knows better where a value ends than words do


def _opened_by_name(
    message: str, commands: Sequence[Command], fields: Sequence[Field], language: Language
) -> list[Command]:
    """An answer that is not there yet, given as if it were changed: "change the audience to beginners"."""
    called = language.correction(message, {field.name: field.names for field in fields if not field.given})
    if called is None or not called[1].strip():
        return list(commands)
    value = Value(field=called[0], text=called[1])
    told = Command(act="inform", layer="learned", target="other", values=(value,))
    return [*commands, told]


def called_by_name(
    message: str, commands: Sequence[Command], fields: Sequence[Field], bars: Bars, language: Language
) -> list[Command]:
    """The commands, where certain words change one answer: what else was seen in them is none.

    Where the small model is sure where the new value ends, it is that; else the words are taken as they are, up to the
    end of their sentence: "change the audience to beginners and their teachers".
    """
    given = {field.name: field for field in fields if field.given}
    called = language.correction(message, {name: f.names for name, f in given.items()}) if given else None
    if called is None:
        return _opened_by_name(message, commands, fields, language)
    if given[called[0]].wanted == "bool" or not called[1].strip() or language.consent(called[1]) == "no":
        return list(commands)
    field, words = given[called[0]], SENTENCE_END.split(called[1])[0].strip()
    by_name = {one.name: one for one in fields}

    def is_of_another(value: Value) -> bool:
        shared = value.text in words or words in value.text
        return value.field != field.name and shared and not is_named(by_name[value.field], message)

    kept = [c for c in commands if c.act != "correct" or not any(map(is_of_another, c.values))]
    told = [v for c in kept if c.act == "correct" for v in c.values]
    found = next((value for value in told if value.field == field.name), None)
    if not told:
        return [*kept, Command(act="correct", layer="learned")]
    if found is None or denies_the_old(field.present or "", words, language):
        return kept
    ends = is_typed(field) or (found.placed >= _PLACED and bars.is_sure(found))
    if ends and normal(found.text) != normal(words):
        return kept
    rest = [c for c in kept if found not in c.values]
    # What is one answer whole is taken when the turn is carried out; of a list its items are told apart before.
    more = language.is_more(normal(words).partition(" ")[0]) or bool(language.without_too(words))
    all_of_it = len(told) == 1 and words == called[1].strip() and field.wanted != "list" and not more
    values = () if all_of_it else (Value(field=field.name, text=words),)
    return [*rest, Command(act="correct", layer="learned", values=values)]
