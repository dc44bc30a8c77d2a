"""What the companion sees of a project when it answers: the seed, the notes or the groups, and the last turns.

Three tiers: `seed_only` while there is nothing else, `seed_recent` with the newest notes, `grouped` once the
project is organised. A tier's text is kept for as long as the content of the project is the same.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from softrail import Person
from softrail.companion.memory.facts import cut
from softrail.companion.memory.history import MAX_CONVERSATION_TURNS_IN_CONTEXT, kept
from softrail.companion.memory.seed import LABELS, heading
from softrail.companion.memory.service import CompanionProjects, Groups, Notes
from softrail.companion.memory.values import Group, Note, NoteCounts, ProjectDetail
from softrail.plugin import Exchange, NotFound, SqlStore, last_exchanges

MAX_NOTES_IN_CONTEXT: Final = 20
CONTEXT_TOKEN_BUDGET: Final = 2000
_CHARACTERS_A_TOKEN: Final = 4
_FIELD: Final = 200  #: characters of one field of the seed
_NOTE: Final = 150  #: characters of one note
_KEPT: Final = 512  #: contexts that are kept
_PROJECTS: Final = 12  #: projects of the person's that are named; the rest are counted

Tier = Literal["none", "seed_only", "seed_recent", "grouped"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Context:
    """What the project holds, as text for a language model."""

    tier: Tier
    text: str
    version: int = 0  #: of the content it was made from

    @property
    def tokens(self) -> int:
        """About how long it is."""
        return len(self.text) // _CHARACTERS_A_TOKEN


class Contexts:
    """Makes contexts and keeps them by content version; rights are checked every time."""

    def __init__(self, store: SqlStore, projects: CompanionProjects, notes: Notes, groups: Groups) -> None:
        self._store = store
        self._projects = projects
        self._notes = notes
        self._groups = groups
        self._kept: OrderedDict[tuple[str, str], Context] = OrderedDict()
        self.made = 0  #: how many were made, not found

    async def of(self, person_id: str, project_id: str | None) -> Context:
        """The context of a project as it is now; of tier `none` when there is none or it is not theirs."""
        detail = await self._projects.detail(person_id, project_id) if project_id is not None else None
        if detail is None:
            return Context(tier="none", text="")
        key = (person_id, detail.id)  # who told a note is a name to all but that person
        found = self._kept.get(key)
        if found is not None and found.version == detail.content_version:
            self._kept.move_to_end(key)
            return found
        try:
            made = await self._make(person_id, detail)
        except NotFound:  # let go between the two reads
            return Context(tier="none", text="")
        self.made += 1
        self._kept[key] = made
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return made

    async def around(self, person: Person) -> str:
        """What changes seldom and is not of one project: whom the companion talks with, where, and their projects."""
        details = await self._projects.details(person.id)
        named = [f"{cut(d.name, 80)} ({d.role}{', main' if d.main else ''})" for d in details[:_PROJECTS]]
        more = f", and {len(details) - _PROJECTS} more" if len(details) > _PROJECTS else ""
        mine = f"{', '.join(named)}{more}" if named else "none"
        return f"Their time zone: {person.timezone}\nTheir projects: {mine}"

    async def turns(self, person_id: str, project_id: str | None, *, but: str) -> Sequence[Exchange]:
        """The last turns of this person with this project, oldest first, without the turn of id `but`."""
        limit = MAX_CONVERSATION_TURNS_IN_CONTEXT + 1  # one more tells where five of them begin
        found = await self._store.read(
            lambda conn: last_exchanges(conn, person_id, project_id, but=but, limit=limit)
        )
        return kept(found)

    async def _make(self, person_id: str, detail: ProjectDetail) -> Context:
        organised = await self._groups.list(person_id, detail.id, numbers=False)
        if organised.groups:
            newest = await self._notes.since_groups(person_id, detail.id, limit=MAX_NOTES_IN_CONTEXT)
        else:
            newest = await self._notes.list(
                person_id, detail.id, states=("saved",), newest_first=True, limit=MAX_NOTES_IN_CONTEXT
            )
        counts = await self._notes.counts(person_id, detail.id)
        budget = CONTEXT_TOKEN_BUDGET * _CHARACTERS_A_TOKEN
        text = _seed(detail)
        tier: Tier = "grouped" if organised.groups else "seed_recent" if newest else "seed_only"
        if organised.groups:
            text += _groups(organised.groups, budget - len(text) - _room(newest))
        text += _notes(newest, budget - len(text), counts=counts, later=bool(organised.groups))
        return Context(tier=tier, text=text, version=detail.content_version)


def _seed(detail: ProjectDetail) -> str:
    told: Mapping[str, object] = detail.seed
    lines = [f"Project: {cut(detail.name, _FIELD)}"]
    for part in LABELS:
        value = told.get(part)
        if part != "name" and value:
            lines.append(f"{heading(part)}: {cut(str(value), _FIELD)}")
    if len(lines) == 1 and detail.description:
        lines.append(f"What it is: {cut(detail.description, _FIELD)}")
    return "\n".join(lines)


def _groups(groups: Sequence[Group], room: int) -> str:
    """Each group with its summary, and its rationale where that fits; else names and counts only."""
    heads = [f"- {cut(g.label, _NOTE)} ({g.count} {'note' if g.count == 1 else 'notes'})" for g in groups]
    told = [
        f"{head}: {cut(g.summary, _FIELD)}" if g.summary else head
        for head, g in zip(heads, groups, strict=True)
    ]
    full = [
        f"{line} Together because: {cut(g.rationale, _FIELD)}" if g.rationale else line
        for line, g in zip(told, groups, strict=True)
    ]
    for lines in (full, told, heads):
        text = "\n\nIts notes, by group:\n" + "\n".join(lines)
        if len(text) <= room:
            return text
    return text[: max(room, 0)].rpartition("\n")[0]


def _room(notes: Sequence[Note]) -> int:
    return sum(min(len(note.text), _NOTE) + 20 for note in notes)


def _notes(notes: Sequence[Note], room: int, *, counts: NoteCounts, later: bool) -> str:
    waiting = f"\n\nNotes that wait for their yes: {counts.waiting}" if counts.waiting else ""
    if not notes:
        return waiting
    lines: list[str] = []
    for note in notes:
        by = f" ({cut(note.told_by, 40)})" if note.told_by else ""
        lines.append(f"\n#{note.number}{by}: {cut(note.text, _NOTE)}")
        if sum(map(len, lines)) > room - 60:
            lines.pop()
            break
    which = "saved since then" if later else "the newest"
    return f"{waiting}\n\nNotes, {which}: {len(lines)} of {counts.saved}{''.join(lines)}"
