"""Who the companion is: its voice, and the instruction for what it is about to answer."""

from typing import Final

from softrail.core.people import Person
from softrail.core.ports import Prompts

PERSONA: Final = "companion/persona"
OTHER: Final = "instructions/other"


class Voice:
    """Renders texts and remembers which they were, for the record of the turn."""

    def __init__(self, prompts: Prompts) -> None:
        self._prompts = prompts
        self._refs: dict[str, None] = {}

    @property
    def refs(self) -> tuple[str, ...]:
        """The texts used so far, each with its version."""
        return tuple(self._refs)

    def has(self, name: str) -> bool:
        """There is such a text."""
        return self._prompts.get(name) is not None

    def text(self, name: str, /, **values: str) -> str:
        """The text with exactly these values."""
        found = self._prompts.get(name)
        if found is not None:
            self._refs[found.ref] = None
        return self._prompts.render(name, **values)

    def fitting(self, name: str, values: dict[str, str]) -> str:
        """The text with those of the values that it has places for."""
        found = self._prompts.get(name)
        wanted = values if found is None else {k: v for k, v in values.items() if f"{{{k}}}" in found.text}
        return self.text(name, **wanted)

    def system(self, intent: str, person: Person, companion_name: str) -> str:
        """Persona and instruction: the same for every turn of this person and intent, so it can be cached."""
        names = {
            "companion_name": person.companion_name or companion_name,
            "operator_name": operator_name(person),
        }
        instruction = f"instructions/{intent}"
        chosen = instruction if self.has(instruction) else OTHER
        return f"{self.fitting(PERSONA, names)}\n\n{self.fitting(chosen, names)}"


def operator_name(person: Person) -> str:
    """What the person is called: the display name, else the e-mail's local part."""
    return person.display_name or person.email.partition("@")[0]
