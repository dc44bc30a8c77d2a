"""What a conversation has recorded of its plans, and what of that no table allows."""

import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final

from softrail.plans.phases import TABLE
from softrail.processes.lifecycle import TABLE as LIFECYCLE
from softrail.store import SqlStore

_MOST: Final = 10_000  #: records of one conversation
_MOVES: Final = {(source, trigger, dest) for source, trigger, dest in LIFECYCLE}


def _in_one_turn() -> Mapping[str, set[str]]:
    """Where the phases of the table lead within one turn: where a plan is ready at once, it is shown at once."""
    found = {str(phase): {str(there) for there in ways.values()} for phase, ways in TABLE.items()}
    for there in found.values():
        if "planning" in there:
            there.add("awaiting_approval")
    return found


PHASES: Final = _in_one_turn()


async def outside_the_tables(store: SqlStore, person_id: str, session_id: str) -> list[str]:
    """Every recorded move of a conversation, of a lifecycle or a phase, that its table does not have."""
    return [
        *await _lifecycle(store, session_id),
        *await _phases(store, person_id, session_id),
    ]


async def _lifecycle(store: SqlStore, session_id: str) -> list[str]:
    """By the moves as they are stored: each in the table, each from where the one before has led."""
    wrong = list[str]()
    for instance in await store.instances(session_id):
        moves = await store.transitions([instance.id])
        wrong += [
            f"{instance.process} {m.source} {m.trigger} {m.dest}"
            for m in moves
            if (m.source, m.trigger, m.dest) not in _MOVES
        ]
        wrong += [
            f"{instance.process} {a.dest} then {b.source}" for a, b in pairwise(moves) if a.dest != b.source
        ]
        if not moves or moves[0].source is not None or moves[-1].dest != instance.state:
            wrong.append(f"{instance.process} is {instance.state} after {[str(m.dest) for m in moves]}")
    return wrong


async def phases(store: SqlStore, person_id: str, session_id: str) -> list[tuple[str, str]]:
    """Every phase that a run of planning has come to, with that run, in order; by the records of the turns."""
    return [
        (str(changed["instance_id"]), str(changed["patch"]["data"]["phase"]))
        for changed in await _changed(store, person_id, session_id)
        if changed["process"] == "planning" and "phase" in (changed["patch"].get("data") or {})
    ]


async def _changed(store: SqlStore, person_id: str, session_id: str) -> list[Any]:
    records = await store.decisions(person_id, session_id, after=0, limit=_MOST)
    return [changed for _, body in records for changed in json.loads(body).get("changed", ())]


async def _phases(store: SqlStore, person_id: str, session_id: str) -> list[str]:
    came = await phases(store, person_id, session_id)
    wrong, at = list[str](), dict[str, str]()
    for instance_id, phase in came:
        before = at.get(instance_id, "idle")
        if phase not in PHASES[before]:
            wrong.append(f"planning from {before} to {phase}")
        at[instance_id] = phase
    wrong += [
        f"planning is at {one.step}, and its records say {at.get(one.id, 'idle')}"
        for one in await store.instances(session_id)
        if one.process == "planning" and one.step not in (at.get(one.id, "idle"), "choosing")
    ]
    return wrong
