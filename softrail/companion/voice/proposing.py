"""What a language model would do in free talk: shown to the person in our own words, and done after their yes alone."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from softrail import Clarify, IntentDefinition, Option, Turn
from softrail.companion.catalogue import SAVE
from softrail.companion.memory.facts import cut
from softrail.companion.memory.service import CompanionProjects, Notes
from softrail.companion.voice.persona import Voice
from softrail.plugin import IntentReading as Reading
from softrail.plugin import Tool

NAME: Final = "propose"
_MOST_NOTES: Final = 20
_ASKED: Final = "They are asked now whether this shall be done. It has not been done: do not say that it has."
_ONE_ONLY: Final = "Something is proposed already. Only one thing can be asked at a time."
_NOT_NOW: Final = "Another question is open. Tell them what they can say instead."
_NOT_THERE: Final = "There is nothing of that kind to be done here."


class Proposed(BaseModel):
    """One thing that could be done; `wish` is the name of what people may wish for."""

    model_config = ConfigDict(extra="forbid")

    wish: str = Field(description="a name from the list of what can be done")
    text: str | None = Field(default=None, description="what it needs to be told")
    numbers: list[int] | None = Field(default=None, description="of notes to save or withdraw")
    state: Literal["saved", "withdrawn"] | None = Field(default=None, description="what they become")


class Proposal:
    """The tool of one turn by which a model proposes; `question` is what the person is asked, once there is one."""

    def __init__(
        self,
        turn: Turn,
        abilities: Sequence[IntentDefinition],
        *,
        projects: CompanionProjects,
        notes: Notes,
        voice: Voice,
        open_: bool,
    ) -> None:
        self._turn = turn
        self._abilities = {one.name: one for one in abilities}
        self._projects = projects
        self._notes = notes
        self._voice = voice
        self._open = open_
        self.question: Clarify | None = None

    @property
    def tool(self) -> Tool:
        """The same for everybody, so that it stays in a provider's cache."""
        return Tool(
            name=NAME,
            description="Proposes something, for their yes.",
            arguments=Proposed,
            look=self._propose,
        )

    async def _propose(self, wanted: Proposed) -> str:
        ability = self._abilities.get(wanted.wish)
        if ability is None:
            return _NOT_THERE
        if self._open or self.question is not None:
            return _NOT_NOW if self._open else _ONE_ONLY
        parameters, shown = (
            await self._of_notes(wanted) if ability.name == SAVE else _of_text(ability, wanted)
        )
        if ability.name == SAVE and not parameters:
            return _NOT_THERE
        label = ability.label or ability.name.replace("_", " ").capitalize()
        what = shown if ability.name == SAVE else f"{label}: {shown}" if shown else label
        yes = Option(label=self._voice.text("replies/choice_yes"), words=("do it", "go ahead"))
        reading = Reading(
            option=yes, intent=ability.name, parameters=parameters, project_id=self._turn.project_id
        )
        self.question = Clarify(
            question=self._voice.text("companion/propose", what=what), options=[reading], why="confirm"
        )
        return _ASKED

    async def _of_notes(self, wanted: Proposed) -> tuple[Mapping[str, Any], str]:
        """The notes meant, as they stand: the person agrees to these words, not to a number."""
        here = self._turn.project_id
        mine = await self._projects.details(self._turn.person.id)
        project = here or (mine[0].id if len(mine) == 1 else None)
        if project is None or not wanted.numbers or wanted.state is None:
            return {}, ""
        found = [
            await self._notes.get(self._turn.person.id, project, n) for n in wanted.numbers[:_MOST_NOTES]
        ]
        there = [one for one in found if one is not None]
        if not there:
            return {}, ""
        lines = [
            self._voice.text(
                f"replies/to_be_{wanted.state}", number=str(one.number), text=f"“{cut(one.text, 120)}”"
            )
            for one in there
        ]
        return {"numbers": [one.number for one in there], "state": wanted.state}, "\n".join(lines)


def _of_text(ability: IntentDefinition, wanted: Proposed) -> tuple[Mapping[str, Any], str]:
    """What it is told, in the one field of words that it needs."""
    fields = ability.parameters.model_fields if ability.parameters is not None else {}
    taken = [name for name, field in fields.items() if field.annotation in (str, str | None)]
    text = (wanted.text or "").strip()
    return ({taken[0]: text}, f"“{cut(text)}”") if text and len(taken) == 1 else ({}, "")
