"""Answers that a message changes by their names, in words that are certain: "people is off", "add my sister to the audience"."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from softrail.core.reading import SETTLED, Command, Field, Place, Value
from softrail.language import Language, choose, normal
from softrail.language.text import spoken
from softrail.processes.spoken import is_amount_alone, is_told_to_move
from softrail.reader.changes.added import both
from softrail.reader.changes.among import settled_among
from softrail.reader.changes.parts import tells_something
from softrail.reader.changes.several import may_be_several, several_changes, several_edits
from softrail.reader.clauses import clauses
from softrail.reader.fields import TYPED, fewest_words, is_named, names_of

_SEVERAL: Final = 4  #: words from which on two answers may be changed


def changed_by_name(message: str, place: Place, language: Language) -> Iterator[Command]:
    """What changes; nothing where any words may be the answer."""
    if place.takes_anything:
        return
    yield from _several(message, place, language)
    if (among := settled_among(message, place, language)) is not None:
        yield among
    yield from _moved(message, place, language)
    yield from _of_another(message, place, language)
    yield from _left_out_or_added(message, place, language)
    yield from _changed(message, place, language)


def _several(message: str, place: Place, language: Language) -> Iterator[Command]:
    """More than one answer is changed, each by its name."""
    if len(message.split()) < _SEVERAL or not may_be_several(message, language):
        return
    fields = [field for field in place.fields() if field.given or not place.own]
    if changes := several_changes(message, fields, language):
        yield Command(act="correct", target=SETTLED, values=tuple(changes))
    elif edits := several_edits(message, fields, language):
        for adds, value in edits:
            yield Command(act="inform" if adds else "correct", target=SETTLED, values=(value,))


def _moved(message: str, place: Place, language: Language) -> Iterator[Command]:
    """A number given before is to be so much more or less, and is called by its name: "add 300 to the amount"."""
    if not is_told_to_move(message, language.code):
        return
    called = [field for field in place.fields() if field.given and is_named(field, message)]
    if len(called) == 1 and called[0].wanted == "number" and called[0].present:
        yield Command(
            act="correct", target=SETTLED, values=(Value(field=called[0].name, text=message.strip()),)
        )


def _of_another(message: str, place: Place, language: Language) -> Iterator[Command]:
    """All that is said is that an answer given before is wrong, by its name, or what it is: "people is off", "the machine is lathe 2"."""
    if place.wanted in ("text", "list"):
        return  # there it may be the answer
    given = {field.name: field for field in place.fields() if field.given and field.name != place.field}
    names = {name: field.names for name, field in given.items()}
    if not language.names_any(message, names):
        return
    if wrong := language.called_wrong(message, names):
        yield _settled_anew([Value(field=name, text="") for name in wrong])
    else:
        told = [
            (field, text) for field in given.values() if (text := _beside_its_name(message, field, language))
        ]
        if len(told) == 1:
            yield _settled_anew([Value(field=told[0][0].name, text=told[0][1])])


def _beside_its_name(message: str, field: Field, language: Language) -> str:
    """The value of a type that stands with the name of its answer, where no other word tells anything: "the machine is lathe 2", "rent 950 euros"."""
    if language.is_question(message) or len([*clauses(message)]) > 1:
        return ""
    words = list(re.finditer(r"\w+", message))
    keys = [normal(word.group()) for word in words]
    for name in sorted((name.split() for name in names_of(field)), key=len, reverse=True):
        for at in (at for at in range(len(keys)) if keys[at : at + len(name)] == name):
            end = at + len(name)
            while end < len(keys) and (language.turns_into(keys[end]) or language.links(keys[end])):
                end += 1
            rest = f"{message[: words[at].start()]} {message[words[end - 1].end() :]}"
            if field.options:
                chosen = choose(rest, field.options, language=language, alone=True)
                text = chosen.means if chosen is not None else ""
            else:
                text = _alone(rest, field, language)
            if text:
                return text
    return ""


def _alone(words: str, field: Field, language: Language) -> str:
    """The value of a type in words of which no others tell anything; "" where there is none."""
    span = (
        fewest_words(words, (0, len(words)), field.parses) if field.parses and field.wanted in TYPED else None
    )
    if span is None:
        amount = field.wanted in TYPED and is_amount_alone(words, language.code)
        return words.strip() if amount and field.reads(words) else ""
    around = f"{words[: span[0]]} {words[span[1] :]}"
    return "" if tells_something(around, language) or language.says_not(around) else words[slice(*span)]


def _settled_anew(values: Sequence[Value]) -> Command:
    return Command(act="correct", target=SETTLED, values=tuple(values))


def _left_out_or_added(message: str, place: Place, language: Language) -> Iterator[Command]:
    """Said to a summary: there is none of it, "no voice please", or more of it, "add my sister to the audience"."""
    if place.wanted != "confirm" or place.offer:
        return
    given = {field.name: field for field in place.fields() if field.given and field.present}
    for field in given.values():
        if not field.required and _is_no_such(message, field, language):
            yield _settled_anew([Value(field=field.name, text="", none=True)])
    edit = language.edit(message, {name: field.names for name, field in given.items()})
    if edit is not None and edit.op == "add" and edit.field is not None and edit.text:
        field = given[edit.field]
        if field.wanted == "text" and not field.options:
            yield _settled_anew([Value(field=field.name, text=both(field, edit.text))])


def _is_no_such(message: str, field: Field, language: Language) -> bool:
    """All that it says is that there is none of it, by its name."""
    first, *rest = [word.key for word in spoken(language.unpadded(message)).words] or [""]
    return language.says_not(first) and " ".join(rest) in names_of(field)


def _changed(message: str, place: Place, language: Language) -> Iterator[Command]:
    """A change of an answer by its name, said to the question of a step of one's own: "change age to 20"."""
    if not place.own:
        return
    given = {field.name: field.names for field in place.fields() if field.given}
    changed = language.correction(message, given) if given else None
    if changed is not None:
        yield Command(act="correct", target="named", values=(Value(field=changed[0], text=changed[1]),))
