"""What was acknowledged against what is there: the invariants, counted by reading back."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any

from sqlalchemy import select

from softrail.store import open_store
from softrail.store.tables import effects, records
from tests.faults.client import Acked, Client
from tests.faults.talks import Line

Said = Sequence[tuple[Line, Acked | None]]


def given_up(said: Said) -> int:
    """How many turns of a conversation were answered with words of failure after their third start."""
    return sum(acked is not None and acked.given_up for _, acked in said)


@dataclass
class Findings:
    """How often each promise was broken; all zeros is a pass."""

    lost_acked: int = 0
    dup_turns: int = 0
    effects_dup: int = 0
    effects_missing: int = 0
    order_violation: int = 0
    orphan_reply: int = 0
    http_500: int = 0
    leaks: int = 0
    reply_changed: int = 0
    wrong_place: int = 0  #: the process was not where the script must have brought it
    stuck: int = 0
    no_retry_after: int = 0

    @property
    def clean(self) -> bool:
        return not any(getattr(self, f.name) for f in fields(self))

    def __str__(self) -> str:
        broken = [f"{f.name} {getattr(self, f.name)}" for f in fields(self) if getattr(self, f.name)]
        return ", ".join(broken) or "all zero"

    def wire(self, client: Client) -> None:
        """Count what the client saw."""
        seen = client.seen
        self.http_500 += sum(n for status, n in seen.statuses.items() if status >= 500 and status != 503)
        self.leaks += len(seen.leaks)
        self.reply_changed += seen.differing
        self.stuck += seen.stuck
        self.no_retry_after += seen.no_retry_after

    def history(self, sent: Iterable[str], acked: Sequence[Acked], sessions: Sequence[Any]) -> None:
        """Check all sessions of one person, as exported, against what was sent and acknowledged in order."""
        items = [(s["id"], item) for s in sessions for item in s["turns"]]
        by_turn = {(i["turn_id"], i["role"]): (s, i) for s, i in items}
        for one in acked:
            reply = one.reply
            asked = by_turn.get((reply["turn_id"], "operator"))
            told = by_turn.get((reply["turn_id"], "companion"))
            wanted = (reply["session_id"], reply["seq"], one.request["message"])
            if asked is None or told is None or told[1]["content"] != reply["companion_message"]:
                self.lost_acked += 1
            elif (asked[0], asked[1]["seq"], asked[1]["content"]) != wanted:
                self.order_violation += 1
        stored = Counter(i["content"] for _, i in items if i["role"] == "operator")
        self.dup_turns += sum((stored - Counter(sent)).values())
        for session in sessions:
            self._order(session["turns"])
        seqs = [one.reply["seq"] for one in acked]
        self.order_violation += sum(a >= b for a, b in pairwise(seqs))

    def _order(self, turns: Sequence[Any]) -> None:
        seqs = [item["seq"] for item in turns]
        self.order_violation += seqs != list(range(1, len(seqs) + 1))
        asked: str | None = None
        for item in turns:
            if item["role"] == "operator":
                self.orphan_reply += asked is not None  # the one before got no reply
                asked = item["turn_id"]
            else:
                self.orphan_reply += item["turn_id"] != asked
                asked = None
        self.orphan_reply += asked is not None

    def places(self, said: Said) -> None:
        """Check where each acknowledged turn left its process."""
        for line, acked in said:
            if acked is None or acked.given_up:
                return
            process = acked.reply["process"]
            at = f"{process['state']} {process['step']}" if process else None
            kinds = tuple(effect["kind"] for effect in acked.reply["side_effects"])
            self.wrong_place += (line.at is not None and at != line.at) or kinds != line.effects

    async def effects(self, url: str, talks: Sequence[Said]) -> int:
        """Compare the effects in the database with those acknowledged; how many there are."""
        expected: Counter[tuple[str, int, str]] = Counter()
        for said in talks:
            for _, acked in said:
                if acked is not None:
                    told = acked.reply
                    kinds = [side["kind"] for side in told["side_effects"]]
                    expected.update((told["session_id"], told["seq"], kind) for kind in kinds)
        store = open_store(url)
        await store.start()
        try:
            rows = await store.read(
                lambda conn: conn.execute(select(effects.c.session_id, effects.c.seq, effects.c.kind)).all()
            )
            kept = await store.read(
                lambda conn: conn.execute(select(records.c.session_id, records.c.data)).all()
            )
        finally:
            await store.close()
        found = Counter((row.session_id, row.seq, row.kind) for row in rows)
        self.effects_dup += sum((found - expected).values())
        self.effects_missing += sum((expected - found).values())
        latest = {row.session_id: json.loads(row.data) for row in kept}
        for said in talks:
            if given_up(said):
                continue
            last = [(line, acked) for line, acked in said if line.holds is not None and acked is not None]
            if last and last[-1][1].reply["session_id"] in latest:
                self.effects_missing += latest[last[-1][1].reply["session_id"]] != last[-1][0].holds
        return sum(found.values())
