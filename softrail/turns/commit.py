"""The commit of a turn: once, or told honestly why not."""

import logging
from collections.abc import Callable
from typing import Protocol

from softrail.core.commits import CommitResult, Committed, Moved, Refused, Seen, Status, TurnCommit
from softrail.core.people import Person
from softrail.core.ports import Store
from softrail.core.sessions import Snapshot
from softrail.core.turns import Turn
from softrail.dialogue.draft import Draft
from softrail.turns.kept import Kept
from softrail.turns.left import Left
from softrail.turns.phases import Committing
from softrail.turns.requests import AnyRequest
from softrail.turns.running import RunningTurn

log = logging.getLogger(__name__)


class Thinker(Protocol):
    """What the order of turns needs of the dispatcher."""

    async def see_project(self, request: AnyRequest, person: Person) -> None:
        """Raise NotFound for a project that the person is not in."""
        ...

    async def admit(self, request: AnyRequest, person: Person) -> None:
        """Raise what forbids the turn before anything of it is stored."""
        ...

    async def think(self, turn: Turn, snapshot: Snapshot, run: RunningTurn | None) -> Draft:
        """Compute a turn; never raises for plugin code or text."""
        ...

    def plainly(self, turn: Turn, snapshot: Snapshot, sentence: str, **values: str) -> Draft:
        """A draft that changes nothing and says that sentence."""
        ...

    def commit_of(
        self,
        draft: Draft,
        request: AnyRequest,
        *,
        fence: int | None,
        status: Status = "committed",
        keep_lease: bool = False,
        alone: bool = False,
    ) -> TurnCommit:
        """What to commit for a draft."""
        ...

    def committed(self, draft: Draft, reply: str, run: RunningTurn | None) -> None:
        """Told after every commit."""
        ...


class Committer:
    """Commits drafts and tells what came of it; `alone` says whether no other turn is under way."""

    def __init__(
        self, store: Store, thinker: Thinker, kept: Kept, left: Left, alone: Callable[[], bool]
    ) -> None:
        self._store = store
        self._left = left
        self._thinker = thinker
        self._kept = kept
        self._alone = alone

    async def commit(
        self,
        run: RunningTurn | None,
        draft: Draft,
        request: AnyRequest,
        fence: int | None,
        *,
        status: Status = "committed",
    ) -> str | None:
        """Commit a draft. None: it was computed from something that has changed."""
        draft.decision.runs = run.runs if run else 1
        if run is not None:
            run.move(Committing(run.seq, fence))
        commit = self._thinker.commit_of(draft, request, fence=fence, status=status, alone=self._alone())
        result = await self.once(commit)
        if isinstance(result, Refused):
            log.warning(
                "Effect %s of turn %s was refused; its decision says why.", result.kind, draft.turn.id
            )
            said = draft
            draft = self._thinker.plainly(
                said.turn, said.snapshot, "not_saved", reason=result.reason.rstrip(" .")
            )
            draft = draft.following(said)
            draft.decision.trouble = f"effect {result.kind} refused: {result.reason}"
            commit = self._thinker.commit_of(draft, request, fence=fence, status=status)
            result = await self.once(commit)
        if isinstance(result, Committed):
            if fence is None:
                self._kept.follow(draft.snapshot, commit, result)
            self._thinker.committed(draft, result.reply, run)
            return result.reply
        if run is not None:
            run.step_back()
            if run.unread:  # why it could not be committed is found out with what is read now
                self._kept.forget(draft.session.id)
                return None
            if isinstance(result, Seen):
                return run.recognise(result.turn)
        if fence is not None and isinstance(result, Moved):
            # Ours still, but what was read under it is old: whoever takes it next reads anew.
            await self._left.release(draft.session.id, fence)
        return None

    async def once(self, commit: TurnCommit) -> CommitResult:
        """One attempt. A caller that is cancelled learns nothing of it; it happens wholly or not at all."""
        if commit.fence is not None:
            self._kept.forget(commit.session.id)
        [result] = await self._store.commit([commit])
        return result
