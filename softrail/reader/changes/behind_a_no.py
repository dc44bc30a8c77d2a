"""What stands behind a no is a remark as often as a change: "no, but he's allergic to penicillin"."""

from dataclasses import replace

from softrail.core.reading import Place, Reading, Value
from softrail.language import Language
from softrail.reader.clauses import clauses
from softrail.reader.fields import is_named


def asked_behind_a_no(reading: Reading, place: Place, language: Language) -> Reading:
    """The reading in which words behind a no take the place of no earlier answer of words unasked, unless they call it.

    Only where a no answers: to "What is it for?", "no, call it Foo" is a change. To a summary "no, the sixth" is one, too;
    there it is only asked about what is said with a reserve.
    """
    if place.own or place.offer or not place.yes_no or not _says_no_first(reading.message, place, language):
        return reading
    fields = {field.name: field for field in place.fields()}

    def told(value: Value) -> Value:
        field = fields.get(value.field)
        if field is None or not value.text or field.options:
            return value
        if field.wanted == "bool" and field.present == "False":
            return replace(value, placed=0.0)  # "no fever" says once more that there is none
        if field.wanted not in ("text", "list"):
            return value
        return value if is_named(field, reading.message) else replace(value, placed=0.0)

    commands = [
        replace(c, values=tuple(map(told, c.values))) if c.act == "correct" and c.layer != "exact" else c
        for c in reading.commands
    ]
    return reading.evolve(commands=tuple(commands))


def _says_no_first(message: str, place: Place, language: Language) -> bool:
    """A no comes first, and there is more: "no, …", "no meds, but …"."""
    said = list(clauses(message))
    if len(said) < 2 or (place.wanted == "confirm" and not language.has_a_reserve(message)):
        return False
    first = message[slice(*said[0])]
    return "no" in (language.consent(first), language.consent(first.partition(" ")[0])) or language.says_not(
        first.partition(" ")[0]
    )
