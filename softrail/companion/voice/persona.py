"""Who the companion is: its voice, and the instruction for what it is about to answer."""

from collections.abc import Mapping, Sequence
from typing import Final

from softrail import IntentDefinition, Person
from softrail.plugin import Texts

PERSONA: Final = "companion/persona"
OTHER: Final = "instructions/other"
SOMEBODY: Final = "the person"  #: whoever has not said what they are called


class Voice(Texts):
    """The texts of a turn: what holds for everybody, the persona and the instruction among them."""

    def rules(self, abilities: Sequence[IntentDefinition]) -> str:
        """What holds for everybody, with what can be done here: the same for all people and turns of an application."""
        return self.fitting("companion/rules", {"abilities": "\n".join(map(_card, abilities))})

    def persona(self, person: Person, companion_name: str) -> str:
        """Who the companion is to this person."""
        return self.fitting(PERSONA, _names(person, companion_name))

    def instruction(self, intent: str, person: Person, companion_name: str) -> str:
        """What is to be done with a message of that intent."""
        own = f"instructions/{intent}"
        return self.fitting(own if self.has(own) else OTHER, _names(person, companion_name))


def _names(person: Person, companion_name: str) -> Mapping[str, str]:
    return {
        "companion_name": person.companion_name or companion_name,
        "operator_name": person.display_name or SOMEBODY,
    }


def _card(ability: IntentDefinition) -> str:
    label = ability.label or ability.description.partition(".")[0]
    said = f', "{ability.examples[0]}"' if ability.examples else ""
    return f"- {ability.name}: {label}{said}"
