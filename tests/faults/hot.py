"""Many turns at once to one session: each once, in one order, none lost."""

import asyncio
from collections.abc import Sequence

from tests.faults.client import Acked, Client
from tests.faults.findings import Findings


async def hot_session(
    client: Client, *, person: str, rounds: int, at_once: int, opens: str = "hello there"
) -> Findings:
    """Rounds of turns sent at once to one session; what reading it back shows."""
    findings = Findings()
    first = await client.turn(person, message=opens, turn_id=f"{person}-0")
    if first is None:
        findings.wire(client)
        return findings
    session_id = first.reply["session_id"]
    acked: list[Acked] = [first]
    for round_ in range(rounds):
        ids = [f"{person}-{round_}-{n}" for n in range(at_once)]
        found = await asyncio.gather(
            *(client.turn(person, message=f"I like tea {i}", turn_id=i, session_id=session_id) for i in ids)
        )
        before = acked[-1].reply["seq"]
        done = sorted((one for one in found if one is not None), key=lambda one: one.reply["seq"])
        seqs = [one.reply["seq"] for one in done]
        # Consecutive, each once, and after everything that was answered before they were sent.
        findings.order_violation += seqs != list(range(before + 2, before + 2 + 2 * at_once, 2))
        acked += done
    sent = [opens, *(one.request["message"] for one in acked[1:])]
    exported = await client.get(person, "/me/export")
    findings.history(sent, acked, exported["sessions"])
    findings.wire(client)
    return findings


async def hot_sessions(client: Client, *, sessions: int, turns: int, at_once: int) -> Findings:
    """Many sessions with a few turns at once each; `at_once` sessions at a time."""
    findings = Findings()
    places = asyncio.Semaphore(at_once)

    async def one(n: int) -> None:
        async with places:
            found = await hot_session(client, person=f"s{n}", rounds=1, at_once=turns - 1)
        add(findings, found)

    await asyncio.gather(*(one(n) for n in range(sessions)))
    findings.http_500 = findings.leaks = findings.reply_changed = findings.stuck = findings.no_retry_after = 0
    findings.wire(client)
    return findings


def add(total: Findings, *more: Findings) -> Findings:
    """All findings together."""
    for found in more:
        for name in vars(found):
            setattr(total, name, getattr(total, name) + getattr(found, name))
    return total


def spread(values: Sequence[float], share: float) -> float:
    """The value below which that share of them lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0
