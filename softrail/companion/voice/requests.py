"""What a language model is asked in free talk, in the order that a provider's cache wants.

First what is the same for everybody: tools and rules. Then who the two are. Then, as a message, the person's projects and
what this one holds, until its content changes. Then the talk so far, of which five exchanges are dropped at a time. Last this turn: the
instruction, and as JSON the time, the facts and the message.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic_core import to_json

from softrail import Intent, IntentDefinition, Message, Model, ModelRequest, Turn
from softrail.companion.memory.context import Contexts
from softrail.companion.memory.facts import brief
from softrail.companion.memory.history import messages
from softrail.companion.memory.service import CompanionProjects, Notes
from softrail.companion.memory.values import ProjectDetail
from softrail.companion.voice.lookups import Lookups
from softrail.companion.voice.persona import Voice
from softrail.companion.voice.proposing import Proposal
from softrail.plugin import Looks, ModelAnswer, Tool

LONGEST_ANSWER: Final = 1024  #: tokens
_NOT_FACTS: Final = frozenset({"can", "abilities", "may_ask"})  #: what could be done, not what was found


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A request with what may be looked up for it, and what the model may propose."""

    request: ModelRequest
    tools: Sequence[Tool]
    proposal: Proposal
    looks: Looks

    def pieces(self, model: Model, *, streamed: bool) -> AsyncGenerator[str | ModelAnswer]:
        """The model's answer as it comes."""
        return self.looks.ask(model, self.request, self.tools, streamed=streamed)


class Requests:
    """Makes them."""

    def __init__(
        self,
        contexts: Contexts,
        lookups: Lookups,
        projects: CompanionProjects,
        notes: Notes,
        *,
        companion_name: str,
    ) -> None:
        self._contexts = contexts
        self._lookups = lookups
        self._projects = projects
        self._notes = notes
        self._name = companion_name
        self._looks = Looks()

    async def make(self, voice: Voice, turn: Turn, intent: Intent, data: Mapping[str, Any]) -> Asked:
        """What is asked for one turn."""
        abilities: Sequence[IntentDefinition] = data.get("abilities") or ()
        rules = f"{voice.rules(abilities)}\n\n"
        before = messages(await self._contexts.turns(turn.person.id, turn.project_id, but=turn.id))
        request = ModelRequest(
            purpose="respond",
            system=rules + voice.persona(turn.person, self._name),
            stable=len(rules),
            messages=[
                Message(role="user", content=await self._holds(voice, turn)),
                *before,
                Message(role="user", content=self._turn(voice, turn, intent, data)),
            ],
            settled=(1, len(before) + 1) if before else (1,),
            max_tokens=LONGEST_ANSWER,
        )
        proposal = Proposal(
            turn,
            abilities,
            projects=self._projects,
            notes=self._notes,
            voice=voice,
            open_=not data.get("may_ask", True),
        )
        tools = (self._lookups.tool(turn), proposal.tool)
        return Asked(request=request, tools=tools, proposal=proposal, looks=self._looks)

    async def may_note_in(self, turn: Turn) -> ProjectDetail | None:
        """The project of the turn, or the only one, where the person may note something; else None."""
        known = [one for one in await self._projects.details(turn.person.id) if not one.archived]
        here = [one for one in known if one.id == turn.project_id] or known
        return here[0] if len(here) == 1 and here[0].role != "viewer" else None

    async def none_yet(self, turn: Turn) -> bool:
        """The person has no project yet."""
        return not await self._projects.details(turn.person.id)

    async def _holds(self, voice: Voice, turn: Turn) -> str:
        """Their projects, and what this one holds: what people wrote stands among the messages."""
        context = await self._contexts.of(turn.person.id, turn.project_id)
        around = await self._contexts.around(turn.person)
        here = context.text or voice.text("companion/no_project")
        return voice.text("companion/holds", context=f"{around}\n\n{here}")

    def _turn(self, voice: Voice, turn: Turn, intent: Intent, data: Mapping[str, Any]) -> str:
        """The instruction, and everything else as JSON: it cannot be taken for one."""
        local = turn.at.astimezone(turn.person.zone)
        facts = brief({name: value for name, value in data.items() if name not in _NOT_FACTS})
        known = {
            "now": f"{local:%A, %Y-%m-%d %H:%M}",
            "understood_as": intent.name,
            **facts,
            "message": turn.message,
        }
        return voice.fitting(
            "companion/turn",
            {
                "instruction": voice.instruction(intent.name, turn.person, self._name),
                "facts": to_json(known, fallback=str).decode("utf-8", "replace"),
                "message": turn.message,
                "context": "",
            },
        )
