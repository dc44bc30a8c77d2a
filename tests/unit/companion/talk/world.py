"""Five projects and eight notes, how they stand, and how they should stand after a message."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.unit.companion.talk.kit import Talk

FIVE = ("FarmGuard", "Blue Harbor", "Choir News", "Marathon", "Old Mill")
NOTES = (
    "The budget is 80k",
    "Anna is the contact at the bank",
    "The fence on the north side is broken",
    "Deliveries arrive on Tuesdays",
    "The vet visits twice a year",
    "Milk is sold at 42 cents",
    "The barn needs a new roof",
    "The launch is in June",
)
WAITING = (3, 4, 5, 6)

#: Notes of the first project by number, and projects by the name they had: state and text, name and archived.
Standing = dict[str, tuple[Any, ...]]


@dataclass(frozen=True)
class World:
    """The projects by the names they were made with."""

    projects: Mapping[str, str]

    @property
    def here(self) -> str:
        """The project that the turns are about."""
        return self.projects[FIVE[0]]

    def after(self, before: Standing, means: Mapping[str, Any]) -> Standing:
        """How everything should stand after what a message means."""
        wanted = dict(before)
        for number, state in means.get("notes", {}).items():
            wanted[number] = (state, wanted[number][1])
        for name in means.get("archived", ()):
            wanted[name] = (wanted[name][0], True)
        for name in means.get("restored", ()):
            wanted[name] = (wanted[name][0], False)
        for name, other in means.get("renamed", {}).items():
            wanted[name] = (other, wanted[name][1])
        return wanted


async def furnished(c: Talk) -> World:
    """Five projects, the last one archived; the first with eight notes, of which four wait."""
    projects = {name: await c.project(name) for name in FIVE}
    for number, text in enumerate(NOTES, 1):
        state: Any = "waiting" if number in WAITING else "saved"
        await c.companion.notes.add(c.me, projects[FIVE[0]], text, state=state)
    await c.companion.projects.change(c.me, projects["Old Mill"], archived=True)
    return World(projects)


async def standing(c: Talk, world: World) -> Standing:
    """How notes and projects stand."""
    found: Standing = {str(note.number): (note.state, note.text) for note in await c.notes(world.here)}
    details = {one.id: one for one in await c.companion.projects.details(c.me)}
    return found | {name: (details[i].name, details[i].archived) for name, i in world.projects.items()}
