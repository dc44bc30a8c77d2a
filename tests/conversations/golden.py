"""Golden records: which gates each turn of a conversation passed, who owned it and what moved.

    python -m tests.conversations.golden

writes them anew for every `.talk` file. What changes in them is what a change of the path of a turn does.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from softrail.core.decisions import Decision, Gate
from softrail.replay.clock import FrozenClock
from softrail.replay.conversation import conversation
from softrail.replay.script import Script

HERE = Path(__file__).parent
FOLDER = HERE / "golden"
TALKS = sorted(HERE.glob("*.talk"))


def line(decision: Decision) -> str:
    """One turn: its gates with what each found, its owner, its moves; nothing that differs from run to run.

    Of what was read only the surest act: what else is just likely enough may not be on another processor.
    """
    gates = " ".join(f"{g.gate}:{_found(g)}" for g in decision.gates[2:-1])
    moves = "".join(f" | {t.process} {t.trigger} {t.source} -> {t.dest}" for t in decision.transitions)
    return f"{decision.seq:>3} {decision.owner} | {gates}{moves}"


def _found(gate: Gate) -> str:
    return gate.outcome.split(" ")[0] if gate.gate == "read" else gate.outcome.replace(" ", "-")


def text(decisions: Sequence[Decision]) -> str:
    """A conversation as it is kept."""
    return "".join(f"{line(decision)}\n" for decision in decisions)


async def played(script: Script) -> str:
    """The records of a conversation, played now."""
    decisions: list[Decision] = []
    used = script.uses()
    async with conversation(
        *used, clock=FrozenClock(), discover=not used, on_turn=[decisions.append]
    ) as spoken:
        await script.play(spoken)
    return text(decisions)


def script_of(talk: Path) -> Script:
    """What a `.talk` file says."""
    return Script.parse(talk.read_text(encoding="utf-8"), name=talk.name)


def _write() -> None:
    FOLDER.mkdir(exist_ok=True)
    for talk in TALKS:
        (FOLDER / f"{talk.stem}.txt").write_text(asyncio.run(played(script_of(talk))), encoding="utf-8")


if __name__ == "__main__":
    _write()
