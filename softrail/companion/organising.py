"""Organising by conversation: has the notes put into groups, and shows the groups. Two intents in one file."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

from softrail import Clarify, Intent, IntentDefinition, Option, Prompts, RouteResult, Turn
from softrail.companion.catalogue import TELLS
from softrail.companion.jobs import UNDER_WAY
from softrail.companion.persona import Voice
from softrail.companion.service import Groups, Jobs, Notes
from softrail.companion.values import Group, ProjectDetail
from softrail.plugin import IntentReading as Reading

MOST_GROUPS_TOLD: Final = 12

#: Which project a turn is about, or what is to be answered instead.
Find = Callable[[Turn, Intent], Awaitable[ProjectDetail | RouteResult | Clarify]]

ORGANISE: Final = IntentDefinition(
    name="organise_notes",
    description="They want their notes put into groups by what they are about.",
    label="Put my notes into groups",
    say="organise my notes",
    surely=True,
    examples=(
        "organise my notes",
        "organize the notes",
        "organise the notes of the project",
        "group the notes of this project",
        "put my notes into groups",
        "group the notes by topic",
        "sort everything into groups",
        "tidy up the notes for me",
        "cluster what is saved",
        "the notes are a mess, bring some order into them",
        "make new groups",
        "arrange the notes by theme",
        "could you structure the notes?",
        "regroup everything",
        "cluster the notes please",
        "the notes are a mess, put them into topics",
        "my notes are all over the place, group em",
        "Please arrange the notes by subject.",
        "put what belongs together into one group",
    ),
)
SHOW: Final = IntentDefinition(
    name="show_groups",
    description="They want to see the groups that their notes were put into.",
    label="See the groups",
    say="show me the groups",
    bar=TELLS,
    examples=(
        "show me the groups",
        "which groups are there?",
        "what groups do we have",
        "how are the notes grouped?",
        "show the organised view",
        "are the groups ready?",
        "list the groups",
        "let me see how it is organised",
        "which themes did you find?",
        "what is in the groups",
        "let me view the groups of notes",
        "which topics were the notes sorted into",
        "what clusters have you made",
        "which groups did my notes land in",
        "into what groups are the notes sorted",
    ),
)


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
        lines = _lines(voice, [_told(group) for group in made[:MOST_GROUPS_TOLD]])
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


def begun(voice: Voice, found: Mapping[str, Any]) -> str:
    """The words for what `organise` did."""
    if not found["allowed"]:
        return voice.text("replies/view_only", project=found["project"])
    name = "organise_begun" if found["notes"] else "organise_nothing"
    return voice.text(f"replies/{name}", project=found["project"])


def shown(voice: Voice, found: Mapping[str, Any]) -> str:
    """The words for what `show` found."""
    project, groups = found["project"], found["groups"]
    if not groups:
        name = "groups_being_made" if found["being_made"] else "groups_none"
        return voice.text(f"replies/{name}", project=project)
    lines = _lines(voice, groups)
    if found["more"]:
        lines.append(voice.text("replies/past_input_more", count=str(found["more"])))
    return voice.text("replies/groups", project=project, groups="\n".join(lines))


def _lines(voice: Voice, groups: Sequence[Mapping[str, Any]]) -> list[str]:
    return [
        voice.text(
            "replies/group_line",
            label=group["label"],
            numbers=", ".join(f"#{number}" for number in group["notes"]),
        )
        for group in groups
    ]


def _told(group: Group) -> dict[str, Any]:
    return {
        "label": group.label,
        "summary": group.summary,
        "count": group.count,
        "notes": list(group.numbers),
    }
