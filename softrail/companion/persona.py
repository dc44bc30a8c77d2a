"""Who the companion is: its voice, and the instruction for what it is about to answer."""

from typing import Final

from softrail import Person
from softrail.plugin import Texts

PERSONA: Final = "companion/persona"
OTHER: Final = "instructions/other"


class Voice(Texts):
    """The texts of a turn, its persona and instruction among them."""

    def system(self, intent: str, person: Person, companion_name: str) -> tuple[str, str]:
        """Persona, the same on every turn of this person, and instruction, the same for this intent: both can be cached."""
        names = {
            "companion_name": person.companion_name or companion_name,
            "operator_name": operator_name(person),
        }
        instruction = f"instructions/{intent}"
        chosen = instruction if self.has(instruction) else OTHER
        return self.fitting(PERSONA, names), f"\n\n{self.fitting(chosen, names)}"


def operator_name(person: Person) -> str:
    """What the person is called: the display name, else the e-mail's local part."""
    return person.display_name or person.email.partition("@")[0]
