"""Snapshots kept from one turn of a session to the next: what this worker has just committed it need not read.

Nothing rests on a kept snapshot being true. The commit of a turn is refused when its session, or an instance that the
turn was computed from, is not at the revision that was kept; then the turn is computed again from what is read. So a
turn may be computed in vain, and where other workers serve the same sessions that would happen all the time: only a
worker that is alone keeps any.
"""

from collections import OrderedDict
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from softrail.core.commits import Committed, TurnCommit, numbers
from softrail.core.instances import State
from softrail.core.sessions import Snapshot, named

MOST: Final = 1000  #: sessions
LARGEST: Final = 16 * 1024  #: characters of what an instance keeps
_ALIVE: Final = (State.ACTIVE, State.OFFERED)
REMEMBERED: Final = 100  #: turn ids of a session; then it is read once


@dataclass(frozen=True, slots=True)
class _Known:
    snapshot: Snapshot
    answered: AbstractSet[
        str
    ]  #: the ids of the turns since it was read: one sent again is answered by the store


class Kept:
    """What the last turn of each session has made of it; `alone` says whether there is no other worker."""

    def __init__(self, alone: Callable[[], bool]) -> None:
        self._alone = alone
        self._sessions: OrderedDict[str, _Known] = OrderedDict()

    def newest(self, session_id: str, *, person_id: str, turn_id: str) -> Snapshot | None:
        """The snapshot to compute a turn from; None: it is to be read."""
        known = self._sessions.get(session_id)
        if known is None or not self._alone():
            return None
        mine = known.snapshot.session.person_id == person_id and turn_id not in known.answered
        return known.snapshot if mine else None

    def forget(self, session_id: str) -> None:
        """It is not true any more, or may not be."""
        self._sessions.pop(session_id, None)

    def follow(self, before: Snapshot, commit: TurnCommit, committed: Committed) -> None:
        """Keep what a turn without a lease has made of `before`, if that is all there is to know of the session.

        It is where at most one run is alive, and nothing is named that stands elsewhere.
        """
        known, turn = self._sessions.pop(commit.session.id, None), commit.turn
        if turn is None or turn.origin != "person" or not self._alone():
            return
        next_seq, at = turn.seq + numbers(turn), turn.accepted_at
        session = commit.session.evolve(rev=committed.rev, next_seq=next_seq, last_turn_at=at)
        found = {one.id: one for one in before.instances}
        for one in commit.instances:
            found[one.id] = one.evolve(rev=one.rev + 1)
        alive = {i: one for i, one in found.items() if one.session_id == session.id and one.state in _ALIVE}
        answered = {turn.turn_id} if known is None else known.answered | {turn.turn_id}
        if len(alive) > 1 or len(answered) > REMEMBERED or named(session, alive.values()) - alive.keys():
            return
        for one in alive.values():
            if len(one.data) > LARGEST:
                return
        snapshot = Snapshot(person=before.person, session=session, instances=tuple(alive.values()))
        self._sessions[session.id] = _Known(snapshot, answered)
        if len(self._sessions) > MOST:
            self._sessions.popitem(last=False)
