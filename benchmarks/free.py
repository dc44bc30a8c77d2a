"""Free talk by people nobody had listed: what each line does to notes and projects, and what is heard.

python -m benchmarks.free [--second | --third | --fourth | --fifth | --sixth] [--show]
"""

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from softrail.bootstrap import plugin_tables
from softrail.companion.memory.notes import Origin
from softrail.companion.memory.projects import create
from softrail.companion.memory.values import NewProject
from softrail.companion.plugin import Companion
from softrail.core.clock import now
from softrail.core.ids import TimeOrderedIds
from softrail.settings import Settings
from softrail.testing import Conversation, FrozenClock, MemoryStore, Said, conversation

DATA: Final = Path(__file__).parent / "data" / "free"
AT: Final = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
LAST_RESORT: Final = "replies/general_conversation"
LATER: Final = (
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
)  #: lists written after the first; their files begin with that
#: What a list calls a process by, where that is not its name.
PROCESSES: Final[Mapping[str, str]] = dict.fromkeys(
    ("seed", "project", "set up a project"), "seed_conversation"
)
_MOST_YES: Final = 3  #: questions of one message that are answered with a yes
DECLINING: Final = frozenset(
    [
        "booking",
        "world_now",
        "sending",
        "reminding",
        "buying",
        "media",
        "translating",
        "connecting",
        "manage_members",
        "redo",
        "not_served",
    ]
)
BAKERY: Final[Sequence[Mapping[str, Any]]] = (
    {
        "name": "Corner Bakery",
        "notes": (
            ("The oven was repaired by Mr. Falk in March", "saved"),
            ("The rent is 1,450 euros a month", "saved"),
            ("Sourdough sells out before ten on Saturdays", "waiting"),
            ("The vet next door buys twelve rolls every Monday", "waiting"),
            ("Flour deliveries come on Tuesday morning", "waiting"),
            ("The window needs a new pane", "waiting"),
            ("The landlord is called Greta Olsson", "saved"),
            ("We close for two weeks in August", "saved"),
        ),
    },
    {"name": "Harbor Walk", "notes": (("The walk is four kilometres long", "saved"),)},
    {"name": "Blue Kite", "notes": ()},
    {"name": "Recap", "notes": ()},
    {"name": "Old Barn", "notes": (), "archived": True},
)

Done = dict[str, Any]


@dataclass
class Judged:
    """One line, or one turn of a talk."""

    group: str
    said: str
    verdict: str  #: right, asked, missed, half, wrong
    heard: str
    why: str = ""
    free: bool = True
    last_resort: bool = False


@dataclass
class World:
    """A person's projects, by the names they were made with."""

    talk: Conversation
    projects: dict[str, str] = field(default_factory=dict)
    under_way: str | None = None  #: the process that holds the talk

    @property
    def companion(self) -> Companion:
        found: Companion = self.talk.dispatcher.registry.service(Companion)
        return found

    async def furnish(self, projects: Sequence[Mapping[str, Any]], files: Sequence[str] = ()) -> None:
        """Make the projects with their notes."""
        me, store = self.talk.person.id, self.talk.dispatcher.store
        assert isinstance(store, MemoryStore)
        for one in projects:
            made = NewProject(id=TimeOrderedIds().new(), name=one["name"])
            at, origin = now(), Origin(person_id=me)
            await store.write(lambda conn, p=made, at=at, o=origin: create(conn, me, p, o, at=at))  # type: ignore[misc] # bound at once
            self.projects[made.name] = made.id
            for text, state in one["notes"]:
                await self.companion.notes.add(me, made.id, text, state=state)
            if one.get("archived"):
                await self.companion.projects.change(me, made.id, archived=True)
            self.talk.advance(seconds=1)
        for title in files:
            first = next(iter(self.projects.values()))
            await self.companion.artifacts.store(
                me, first, title=title, type="report", file_name="file.txt", content=title.encode()
            )

    async def standing(self) -> Done:
        """Every project and every note, as they stand."""
        me, found = self.talk.person.id, dict[str, Any]()
        for project in await self.companion.projects.details(me):
            found[project.id] = (project.name, project.archived)
            states: Any = ("waiting", "saved", "withdrawn")
            for note in await self.companion.notes.list(me, project.id, states=states):
                found[f"{project.id} {note.number}"] = (note.state, note.text)
        return found

    def changed(self, before: Done, after: Done) -> Done:
        """What became of what, in the words of the labels."""
        done: Done = {}
        for key, value in after.items():
            old, is_note = before.get(key), " " in key
            if old == value:
                continue
            if is_note and old is None:
                withdrawn = " (withdrawn)" if value[0] == "withdrawn" else ""
                done.setdefault("added", []).append(value[1] + withdrawn)
            elif is_note:
                number = key.partition(" ")[2]
                if old is not None and old[0] != value[0]:
                    done.setdefault("notes", {})[number] = value[0]
                if old is not None and old[1] != value[1]:
                    done.setdefault("texts", {})[number] = value[1]
            elif old is None:
                done.setdefault("created", []).append(value[0])
            else:
                if old[0] != value[0]:
                    done.setdefault("renamed", {})[old[0]] = value[0]
                if old[1] != value[1]:
                    done.setdefault("archived" if value[1] else "restored", []).append(value[0])
        return {key: sorted(value) if isinstance(value, list) else value for key, value in done.items()}


@asynccontextmanager
async def world(projects: Sequence[Mapping[str, Any]], files: Sequence[str] = ()) -> AsyncIterator[World]:
    """The whole application on a store in memory, without a language model, with these projects."""
    store = MemoryStore(plugins=plugin_tables(discover=False))
    async with conversation(clock=FrozenClock(AT), discover=True, store=store, settings=Settings()) as talk:
        made = World(talk)
        await made.furnish(projects, files)
        yield made


async def lines(*groups: str, of: str = "", file: Path | None = None) -> list[Judged]:
    """Every line of the list `of` that name, or of a `file` like it, or of these groups, each in a bakery of its own."""
    found = []
    for line in _rows(file or DATA / f"{of}lines.jsonl"):
        if groups and line["group"] not in groups:
            continue
        async with world(BAKERY, ["Price list"]) as here:
            project = here.projects["Corner Bakery"] if line.get("project", True) else None
            before = await here.standing()
            for message in line["says"][:-1]:
                await here.talk.say(message, project_id=project)
            found.append(await _turn(here, line["says"][-1], line, project, before))
    return found


async def talks(*, of: str = "") -> Mapping[str, list[Judged]]:
    """Every talk of twenty turns; each turn is judged by what it did to what was there before it."""
    found: dict[str, list[Judged]] = {}
    for talk in _rows(DATA / f"{of}talks.jsonl"):
        turns = found.setdefault(talk["title"], [])
        async with world([{**one, "notes": one["notes"]} for one in talk["projects"]], talk["files"]) as here:
            project = here.projects.get(talk["here"])
            for turn in talk["turns"]:
                before = await here.standing()
                turns.append(await _turn(here, turn["say"], {"group": "talk", **turn}, project, before))
    return found


async def _turn(
    here: World, message: str, line: Mapping[str, Any], project: str | None, before: Done
) -> Judged:
    standing = await here.standing()
    said = await here.talk.say(message, project_id=project)
    under_way, here.under_way = here.under_way, said.process if said.state == "active" else None
    at_once = here.changed(before, await here.standing()) | _begun(said, under_way)
    direct = await here.standing() != standing
    asked = said.pending == "clarify"
    text, first = said.text, said
    for _ in range(_MOST_YES if any(line["does"]) else 0):
        way = _way(said, line.get("takes", "")) if said.pending == "clarify" else ""
        if not way:
            break
        said = await here.talk.say(way, project_id=project)
        text += "\n" + said.text
    done = here.changed(before, await here.standing()) | _begun(said, under_way)
    if said is not first and "chosen" in at_once:
        done.setdefault("chosen", at_once["chosen"])
    verdict, why = _verdict(line, first, text, at_once, done, asked=asked, direct=direct)
    last = any(ref.startswith(LAST_RESORT) for ref in first.decision.prompts)
    free = first.intent is not None
    return Judged(line["group"], message, verdict, text, why, free, last)


def _begun(said: Said, under_way: str | None) -> Done:
    chosen = [side.summary for side in said.reply.side_effects if side.kind == "project_chosen"]
    found: Done = {"chosen": chosen[-1]} if chosen else {}
    if (
        said.process not in (None, "clarification", under_way)
        and said.intent is not None
        and said.state == "active"
    ):
        found["begins"] = said.process
    return found


def _way(said: Said, takes: str) -> str:
    """The button that a person would press who meant it."""
    ways = list(said.reply.suggested_actions)
    if takes and (fitting := [way for way in ways if takes in way]):
        return fitting[0]
    return "Yes" if "Yes" in ways else ""


def _verdict(
    line: Mapping[str, Any], said: Said, text: str, at_once: Done, done: Done, *, asked: bool, direct: bool
) -> tuple[str, str]:
    wanted: Sequence[Done] = [_by_name(one) for one in line["does"]]
    here = (
        direct or "begins" in at_once or "chosen" in at_once
    )  # else it was done by the line before, as it was said
    if here and at_once and not any(_part_of(at_once, one) for one in wanted):
        return "wrong", f"did {at_once}"
    if direct and line.get("asks") == "must":
        return "wrong", f"did {at_once} and did not ask"
    missed = [f"not heard: {words}" for words in line.get("hears", ()) if not _heard(words, text)]
    missed += [f"heard: {words}" for words in line.get("never", ()) if words in text]
    if "kind" in line and not _of_kind(said.intent, line["kind"]):
        missed.append(f"read as {said.intent}")
    if any(_same(done, one) for one in wanted):
        if not missed:
            return "right", ""
        return ("asked" if asked else "missed"), "; ".join(missed)
    if asked:
        fits = any(_part_of(done, one) for one in wanted)
        return ("asked", f"asked: {missed}") if fits else ("missed", f"a yes did {done}")
    if here and at_once:
        return "half", f"did only {at_once}"
    return "missed", "; ".join(["nothing done", *missed])


def _by_name(wanted: Done) -> Done:
    """With the process to begin by the name it is registered under."""
    return {key: PROCESSES.get(value, value) if key == "begins" else value for key, value in wanted.items()}


def _heard(words: str, text: str) -> bool:
    return any(one.casefold() in text.casefold() for one in words.split("|"))


def _of_kind(intent: str | None, kinds: Sequence[str]) -> bool:
    name = intent or ""
    declined = name.removeprefix("general_conversation.") in DECLINING
    return name in kinds or ("declined" in kinds and declined)


def _same(done: Done, wanted: Done) -> bool:
    return done.keys() == wanted.keys() and _part_of(done, wanted) and _part_of(wanted, done, said=True)


def _part_of(done: Done, wanted: Done, *, said: bool = False) -> bool:
    """Everything done is wanted; texts that are kept may have words around what is wanted."""
    for key, value in done.items():
        other = wanted.get(key)
        if isinstance(value, Mapping):
            if not isinstance(other, Mapping) or any(
                _plain(other.get(k)) != _plain(v) for k, v in value.items()
            ):
                return False
        elif isinstance(value, list):
            if other is None or not all(any(_alike(one, two) for two in other) for one in value):
                return False
        elif other is None or not _alike(str(value), str(other)):
            return False
    return True


def _alike(one: str, two: str) -> bool:
    one, two = _plain(one), _plain(two)
    return one in two or two in one


def _plain(text: str | None) -> str:
    return (text or "").casefold().strip(" .")


def _rows(file: Path) -> Sequence[Mapping[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def table(judged: Sequence[Judged]) -> str:
    """How many of each group were handled how."""
    rows = []
    for group in dict.fromkeys(one.group for one in judged):
        of = [one for one in judged if one.group == group]
        rows.append(_row(group, of))
    return "\n".join([*rows, _row("all", judged)])


def _row(name: str, of: Sequence[Judged]) -> str:
    counts = Counter(one.verdict for one in of)
    told = ", ".join(f"{kind} {counts[kind]}" for kind in ("right", "asked", "missed", "half", "wrong"))
    free = [one for one in of if one.free]
    last = sum(one.last_resort for one in of)
    return f"{name:12} n={len(of):3}: {told}; last resort {last} of {len(free)} free turns"


async def main() -> None:
    """Play both and print what became of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    later = parser.add_mutually_exclusive_group()
    for name in LATER:
        said = f"play the {name} list instead of the first"
        later.add_argument(
            f"--{name}", dest="of", action="store_const", const=f"{name}_", default="", help=said
        )
    parser.add_argument("--show", action="store_true", help="print each line that was not handled right")
    asked = parser.parse_args()
    shown, of = asked.show, asked.of
    judged = await lines(of=of)
    print(table(judged))
    heard = await talks(of=of)
    turns = [turn for talk in heard.values() for turn in talk]
    print(table(turns))
    for title, talk in heard.items():
        text, often = Counter(turn.heard for turn in talk).most_common(1)[0]
        print(_row(title[:30], talk), f"; most often said, {often} times: {text[:60]!r}")
    for one in [*judged, *turns] if shown else ():
        if one.verdict != "right" or one.last_resort:
            print(f"\n[{one.group}] {one.said}\n  {one.verdict}: {one.why}\n  {one.heard[:400]!r}")


if __name__ == "__main__":
    asyncio.run(main())
