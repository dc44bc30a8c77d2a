"""Organising by conversation: has the notes put into groups, and shows the groups. Two intents in one file."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from softrail import Clarify, Intent, Option, Prompts, RouteResult, Turn
from softrail.companion.catalogue import ORGANISE, SHOW
from softrail.companion.memory.jobs import UNDER_WAY
from softrail.companion.memory.service import Groups, Jobs, Notes
from softrail.companion.memory.values import Group, ProjectDetail
from softrail.companion.voice.acting_words import group_lines
from softrail.companion.voice.persona import Voice
from softrail.plugin import IntentReading as Reading

MOST_GROUPS_TOLD: Final = 12

#: Which project a turn is about, or what is to be answered instead.
Find = Callable[[Turn, Intent], Awaitable[ProjectDetail | RouteResult | Clarify]]


class Organising:
    """One method for each of the two. Nothing is kept between turns."""

    def __init__(self, find: Find, notes: Notes, groups: Groups, jobs: Jobs, prompts: Prompts) -> None:
        self._find = find
        self._prompts = prompts
        self._notes = notes
        self._groups = groups
        self._jobs = jobs

    async def organise(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        """Groups are made after the turn, in the background, where there are none or they are to be made anew."""
        found = await self._find(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        saved = (await self._notes.counts(turn.person.id, found.id)).saved
        allowed = found.role != "viewer"
        if saved and allowed and not intent.parameters.get("anew"):
            made = (await self._groups.list(turn.person.id, found.id)).groups
            if made:
                return self._anew(found, made)
        return RouteResult(
            side_effects=[self._groups.organising(found.id)] if saved and allowed else [],
            suggested_actions=["show me the groups"] if saved and allowed else [],
            project_id=found.id,
            operation_data={"project": found.name, "notes": saved, "allowed": allowed},
        )

    def _anew(self, project: ProjectDetail, made: Sequence[Group]) -> Clarify:
        """New groups take the place of those there are: these are shown, and it is asked."""
        voice = Voice(self._prompts)
        lines = group_lines(voice, [_told(group) for group in made[:MOST_GROUPS_TOLD]])
        return Clarify(
            question=voice.text("replies/group_anew", project=project.name, groups="\n".join(lines)),
            options=[
                Reading(
                    option=Option(label=voice.text("replies/choice_group_anew")),
                    intent=ORGANISE.name,
                    parameters={"anew": True},
                    project_id=project.id,
                ),
                Reading(
                    option=Option(label=voice.text("replies/choice_keep_groups")),
                    intent=SHOW.name,
                    project_id=project.id,
                ),
            ],
            why="confirm",
        )

    async def show(self, turn: Turn, intent: Intent) -> RouteResult | Clarify:
        """The groups as they were made last, and whether new ones are on their way."""
        found = await self._find(turn, intent)
        if not isinstance(found, ProjectDetail):
            return found
        made = (await self._groups.list(turn.person.id, found.id)).groups
        newest = await self._jobs.list(turn.person.id, found.id, limit=1)
        under_way = any(job.state in UNDER_WAY for job in newest)
        return RouteResult(
            suggested_actions=[] if made or under_way else ["organise my notes"],
            project_id=found.id,
            operation_data={
                "project": found.name,
                "groups": [_told(group) for group in made[:MOST_GROUPS_TOLD]],
                "more": max(0, len(made) - MOST_GROUPS_TOLD),
                "being_made": under_way,
            },
        )


def _told(group: Group) -> dict[str, Any]:
    return {
        "label": group.label,
        "summary": group.summary,
        "count": group.count,
        "notes": list(group.numbers),
    }
