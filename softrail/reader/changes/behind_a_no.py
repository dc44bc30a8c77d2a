"""What stands behind a no is a remark as often as a change, or not what is meant: "no, but he's allergic", "not a Lyft"."""

from dataclasses import replace

from softrail.core.reading import APART, Command, Place, Reading, Value
from softrail.language import Language
from softrail.reader.clauses import clauses
from softrail.reader.fields import is_named
from softrail.reader.hearing import Hearing


def asked_behind_a_no(reading: Reading, hearing: Hearing) -> Reading:
    """The reading in which words behind a no take the place of no earlier answer of words unasked, unless they call it.

    Only where a no answers: to "What is it for?", "no, call it Foo" is a change. To a summary "no, the sixth" is one, too;
    there it is only asked about what is said with a reserve.
    """
    place = hearing.place
    if (
        place.own
        or place.offer
        or not place.yes_no
        or not _says_no_first(reading.message, place, hearing.language)
    ):
        return reading
    fields = {field.name: field for field in place.fields()}

    def told(value: Value) -> Value:
        field = fields.get(value.field)
        if field is None or not value.text or field.options:
            return value
        if field.wanted not in ("text", "list"):
            return value
        return value if is_named(field, reading.message) else replace(value, placed=0.0)

    return reading.with_changes(told)


def without_denied(reading: Reading, hearing: Hearing) -> Reading:
    """The reading without new values of words that the message denies: "as long as it's not a Lyft" changes nothing to one.

    What becomes of a list is read item by item.
    """
    lists = {field.name for field in hearing.place.fields() if field.wanted == "list"}

    def denied(value: Value) -> bool:
        return (
            bool(value.text)
            and value.field not in lists
            and hearing.language.denies_it(reading.message, value.text)
        )

    def meant(command: Command) -> Command:
        if command.act not in ("correct", "inform") or command.layer == "exact" or command.target == APART:
            return command
        return replace(command, values=tuple(value for value in command.values if not denied(value)))

    return reading.evolve(commands=tuple(map(meant, reading.commands)))


def _says_no_first(message: str, place: Place, language: Language) -> bool:
    """A no comes first, and there is more: "no, …", "no meds, but …"."""
    said = list(clauses(message))
    if len(said) < 2 or (place.wanted == "confirm" and not language.has_a_reserve(message)):
        return False
    first = message[slice(*said[0])]
    return "no" in (language.consent(first), language.consent(first.partition(" ")[0])) or language.says_not(
        first.partition(" ")[0]
    )
