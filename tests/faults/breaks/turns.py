"""The guarantees of one turn: when it is written down, when it is answered, who may write, and what happens once."""

import asyncio
import itertools
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Connection, text

from softrail.core.commits import Accepted, Committed, Moved, Taken, TurnCommit, TurnRow
from softrail.core.effects import Record
from softrail.core.ports import Workers
from softrail.dialogue.free_turn import Talk
from softrail.store import SqlStore, commit, outbox, path, postgres, reading, sql, sqlite
from softrail.store.at_hand import AtHand
from softrail.store.effects import apply
from softrail.store.recent import Recent
from softrail.store.tables import effects
from softrail.turns import dispatcher, leases
from softrail.turns.accepting import Acceptor
from softrail.turns.commit import Committer
from softrail.turns.dispatcher import Dispatcher
from softrail.turns.left import Left
from softrail.turns.queue import SessionQueue
from softrail.turns.running import RunningTurn
from softrail.turns.worker import Watch
from tests.faults.breaking import Breaks, rewritten
from tests.faults.mutants import FencelessStore

BREAKS = Breaks()
breaks = BREAKS.of

FAULTS = "tests/faults"
OWN = f"{FAULTS}/test_guarantees.py::test_"
ORDERLY = "tests/integration/test_order_of_turns.py::test_"
MEMORY = "tests/contracts/test_store.py::TestMemoryStore::test_"
KEPT = "tests/integration/test_kept_snapshots.py::test_"
FILE = "tests/contracts/test_store.py::TestSqliteStore::test_"


def seen_as(present: Any, **standing: Any) -> Any:
    """What a commit is judged by, with every session standing as told."""
    return replace(present, sessions={i: row._replace(**standing) for i, row in present.sessions.items()})


# -- written down before anybody notices


BEFORE = "a turn is written down before anything outside can notice it"


@breaks(BEFORE, "the model is asked first", f"{OWN}a_model_is_asked_only_for_a_turn_that_is_written_down")
def model_first(patch: pytest.MonkeyPatch) -> None:
    async def nothing(self: Acceptor, run: RunningTurn) -> None:
        """Let the model be asked."""

    patch.setattr(Acceptor, "before_outside", nothing)


@breaks(
    BEFORE,
    "a stream begins first",
    "tests/integration/test_api_streams.py::test_a_stream_begins_with_acceptance_and_ends_with_the_whole_reply",
)
def stream_first(patch: pytest.MonkeyPatch) -> None:
    begin = RunningTurn.__init__

    def begun(self: RunningTurn, *args: Any, **named: Any) -> None:
        begin(self, *args, **named)
        self.accept_first = False

    patch.setattr(RunningTurn, "__init__", begun)


@breaks(
    BEFORE,
    "however long it runs, it is not",
    f"{ORDERLY}a_turn_that_takes_long_is_written_down_while_it_runs",
)
def never_accepted(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Acceptor, "overdue", lambda self, run: None)


@breaks(
    BEFORE,
    "with no time to run it is, beside its step",
    f"{ORDERLY}with_no_time_to_run_a_turn_is_written_down_before_its_step_begins",
)
def beside(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, SessionQueue.enter, "or not self._timing.accept_after", "")


@breaks(
    BEFORE,
    "one that lets nothing else run is not",
    f"{FAULTS}/test_signs_of_life.py::test_a_turn_that_holds_the_event_loop_is_written_down_meanwhile_and_runs_once",
)
def never_in_place_of_the_loop(patch: pytest.MonkeyPatch) -> None:
    async def nothing(self: Acceptor, workers: Workers, worker: str) -> None:
        """Leave it to the loop."""

    patch.setattr(Acceptor, "in_place_of_the_loop", nothing)


@breaks(
    BEFORE,
    "it is in memory only",
    f"{ORDERLY}a_turn_that_takes_long_is_written_down_while_it_runs",
    f"{MEMORY}an_accepted_turn_takes_the_lease_of_a_free_session",
)
def in_memory_only(patch: pytest.MonkeyPatch) -> None:
    async def accepted(self: SqlStore, acceptance: Any) -> Accepted:
        return Accepted(seq=acceptance.session.next_seq, fence=1)

    patch.setattr(SqlStore, "accept", accepted)


@breaks(
    "what was answered is durable",
    "the answer goes out while the commit is on its way",
    f"{OWN}nobody_is_answered_before_the_commit",
)
def answered_early(patch: pytest.MonkeyPatch) -> None:
    once, late = Committer.once, []

    async def early(self: Committer, commit: TurnCommit) -> Any:
        if commit.turn is None:
            return await once(self, commit)
        late.append(asyncio.create_task(once(self, commit)))
        return Committed(seq=commit.turn.seq, rev=commit.session.rev + 1, reply=commit.turn.reply or "")

    patch.setattr(Committer, "once", early)


@breaks(
    "what was answered is durable",
    "a SQLite file is not synced",
    "tests/integration/test_store_sqlite.py::test_durability_is_what_was_asked_for",
    "tests/faults/test_power_cuts.py::test_what_was_told_is_there_after_a_power_cut_unless_it_was_not_to_be_synced",
)
def not_synced(patch: pytest.MonkeyPatch) -> None:
    connection = sqlite.sqlite_connection

    def hasty(*args: Any, **named: Any) -> sqlite3.Connection:
        raw = connection(*args, **named)
        raw.execute("PRAGMA synchronous = OFF")
        return raw

    patch.setattr(sqlite, "sqlite_connection", hasty)


# -- once


ONCE = "a turn id is used once, and sent again it gets the same reply"


@breaks(
    ONCE,
    "turn ids are not looked at",
    f"{ORDERLY}the_same_turn_sent_eight_times_at_once_runs_once",
)
def forgetful(patch: pytest.MonkeyPatch) -> None:
    submit = Dispatcher.submit

    def forgotten(self: Dispatcher, request: Any, person: Any, **named: Any) -> RunningTurn:
        return submit(self, request.model_copy(update={"turn_id": None}), person, **named)

    patch.setattr(Dispatcher, "submit", forgotten)


@breaks(
    ONCE,
    "another body under the same id gets the reply of the first",
    "tests/unit/turns/test_phases.py::test_another_body_under_the_same_id_is_no_turn_of_ours",
    f"{FAULTS}/test_races.py::test_a_turn_id_belongs_to_one_body_and_one_person",
)
def any_body(patch: pytest.MonkeyPatch) -> None:
    recognise = RunningTurn.recognise

    def anyhow(self: RunningTurn, row: TurnRow) -> str | None:
        return recognise(self, replace(row, hash=self.request.hash))

    patch.setattr(RunningTurn, "recognise", anyhow)


@breaks(
    "the companion says something of its own once",
    "its key is not looked at",
    f"{MEMORY}an_item_of_the_companions_own_is_said_exactly_once",
)
def said_twice(patch: pytest.MonkeyPatch) -> None:
    written, count = SqlStore.commit, itertools.count()

    def renamed(one: TurnCommit) -> TurnCommit:
        if one.turn is None or one.turn.origin != "companion":
            return one
        return replace(one, turn=replace(one.turn, turn_id=f"{one.turn.turn_id} {next(count)}"))

    async def anew(self: SqlStore, commits: Sequence[TurnCommit]) -> Any:
        return await written(self, [renamed(one) for one in commits])

    patch.setattr(SqlStore, "commit", anew)


# -- in order


ORDER = "the turns of a session run in the order of their numbers"


@breaks(ORDER, "the newest goes first", f"{MEMORY}turns_queue_behind_the_lease_and_run_in_order")
def newest_first(patch: pytest.MonkeyPatch) -> None:
    take = SqlStore.take

    async def turned(self: SqlStore, *args: Any, **named: Any) -> Any:
        taken = await take(self, *args, **named)
        return replace(taken, waiting=taken.waiting[::-1]) if isinstance(taken, Taken) else taken

    patch.setattr(SqlStore, "take", turned)


@breaks(
    ORDER,
    "one that is computed overtakes those that wait",
    f"{MEMORY}nothing_is_committed_at_once_past_a_turn_that_waits",
)
def overtakes(patch: pytest.MonkeyPatch) -> None:
    judge = commit._verdict

    def blind(one: TurnCommit, present: Any) -> Any:
        if one.fence is not None:
            return judge(one, present)
        return judge(one, seen_as(present, leased_to=None, waiting=0))

    patch.setattr(commit, "_verdict", blind)


@breaks(
    "numbers come in pairs",
    "a turn takes one number",
    f"{MEMORY}turns_queue_behind_the_lease_and_run_in_order",
)
def single_numbers(patch: pytest.MonkeyPatch) -> None:
    for module in (commit, path):
        patch.setattr(module, "numbers", lambda turn: int(turn is not None))


@breaks(
    "items are seen once they are committed, and in order",
    "what comes after an unfinished turn is shown",
    f"{MEMORY}an_unfinished_turn_hides_what_comes_after_it",
)
def shown_early(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(reading, "text", lambda words: text(words.replace("'accepted'", "'never'")))


@breaks(
    "a turn that ends its worker is not tried for ever",
    "it is",
    f"{FAULTS}/test_signs_of_life.py::test_a_turn_that_was_given_up_gets_its_reply_when_it_is_sent_again[sqlite]",
)
def tried_for_ever(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(leases, "MAX_STARTS", 1_000_000)


@breaks(
    "given up is never final",
    "it is",
    f"{FAULTS}/test_signs_of_life.py::test_a_turn_that_was_given_up_gets_its_reply_when_it_is_sent_again[sqlite]",
    f"{MEMORY}a_turn_that_was_given_up_is_accepted_again_as_if_it_had_never_begun",
)
def final(patch: pytest.MonkeyPatch) -> None:
    async def refused(self: SqlStore, person_id: str, turn_id: str) -> bool:
        return False

    patch.setattr(SqlStore, "reopen", refused)


@breaks(
    "who waits too long for a place is told so, and the turn stays",
    "nobody is told",
    f"{ORDERLY}a_turn_that_waits_too_long_is_told_so_and_not_lost",
)
def waits_for_ever(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(RunningTurn, "lose_patience", lambda self, waiting: None)


LEFT = "what was told “not now” goes on when the store is back, and keeps no session"
BACK = f"{FAULTS}/test_store_that_is_back.py::test_"


@breaks(
    LEFT,
    "it waits for the next sweep",
    f"{BACK}a_turn_that_was_told_not_now_is_answered_once_the_store_is_back_though_nobody_sends_it_again",
)
def left_alone(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Left, "go_on_with", lambda self, session_id: None)


@breaks(
    LEFT,
    "its step is run again and again meanwhile",
    f"{BACK}a_step_is_not_run_again_while_the_store_is_away",
)
def run_for_nothing(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, Left._once, "await self._store.check()", "pass")


@breaks(
    LEFT,
    "a lease that could not be given back is kept",
    f"{BACK}a_turn_that_could_not_be_interrupted_leaves_its_session_free",
)
def kept_for_ever(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, Left.release, "self.give_back(session_id, fence)", "pass")


READY = "a worker that cannot write a turn is not ready"
UNREADY = "tests/integration/test_nothing_can_be_written.py::test_"


@breaks(
    READY,
    "it looks at another table",
    f"{UNREADY}a_postgres_of_which_a_turn_needs_a_table_that_others_keep_is_not_ready",
)
def looks_elsewhere(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(postgres, "rehearse", lambda conn: None)


@breaks(
    READY,
    "what its last turn was told counts for nothing",
    f"{UNREADY}a_server_that_could_not_write_the_last_turn_is_not_ready_until_one_is_written",
)
def forgets_refusals(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Recent, "require", lambda self: None)


# -- one writer


WRITER = "a session has one writer at a time"


@breaks(
    WRITER,
    "what a turn has left is taken for true by the next one",
    f"{KEPT}a_run_that_went_on_in_another_conversation_is_not_answered_in_this_one",
)
def kept_is_true(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, SessionQueue._at_once, "if run.unread:", "if False:")


@breaks(
    WRITER,
    "what was computed from an old revision is committed",
    f"{MEMORY}the_loser_of_two_commits_on_one_revision_is_told",
    f"{FILE}of_many_commits_at_once_on_one_session_exactly_one_stands",
)
def fenceless(patch: pytest.MonkeyPatch) -> None:
    written = SqlStore.commit

    async def each(self: SqlStore, commits: Sequence[TurnCommit]) -> Any:
        inner = SimpleNamespace(
            commit=lambda some: written(self, some), session=self.session, instances=self.instances
        )
        without = FencelessStore(inner)
        return [result for one in commits for result in await without.commit([one])]

    patch.setattr(SqlStore, "commit", each)


@breaks(
    WRITER,
    "a worker that was thought dead still writes",
    f"{MEMORY}a_worker_declared_dead_writes_nothing_more",
    f"{FILE}fences_hold_over_stores",
)
def zombie(patch: pytest.MonkeyPatch) -> None:
    judge = commit._verdict

    def credulous(one: TurnCommit, present: Any) -> Any:
        if one.fence is None:
            return judge(one, present)
        return judge(one, seen_as(present, leased_to="", fence=one.fence))

    patch.setattr(commit, "_verdict", credulous)


@breaks(
    "a dead worker frees its sessions by itself",
    "nobody notices that it is dead",
    f"{FAULTS}/test_signs_of_life.py::test_silence_is_counted_while_somebody_watches",
)
def never_dead(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Watch, "silent", lambda self, clock, beats, *, but: [])


@breaks(
    "no clock but a worker's own says who is dead",
    "the time that the watcher slept counts, too",
    f"{FAULTS}/test_signs_of_life.py::test_who_slept_cannot_tell_whether_the_others_did",
)
def sleeper_judges(patch: pytest.MonkeyPatch) -> None:
    begin = Watch.__init__

    def sure(self: Watch, dead_after: float, *, most: float) -> None:
        begin(self, dead_after, most=float("inf"))

    patch.setattr(Watch, "__init__", sure)


# -- nothing held, many at once


@breaks(
    "nothing of the database is held while plugin code runs",
    "a transaction is open around a turn",
    f"{OWN}nothing_of_the_database_is_held_while_a_step_runs[sqlite-committed at once]",
    f"{OWN}nothing_of_the_database_is_held_while_a_step_runs[postgres-committed at once]",
)
def held_open(patch: pytest.MonkeyPatch) -> None:
    think = Dispatcher.think

    @asynccontextmanager
    async def transaction(store: Any) -> AsyncIterator[None]:
        if store.url.startswith("sqlite"):
            with store._own._hasty.connect() as conn:
                sql.BEGIN_WRITING.run(conn, {})
                yield
            return
        async with store._own.engine.begin() as conn:
            await conn.execute(text("SELECT 1"))
            yield

    async def slowly(self: Dispatcher, *args: Any) -> Any:
        async with transaction(self.store):
            return await think(self, *args)

    patch.setattr(Dispatcher, "think", slowly)


@breaks(
    "a turn that fails in its group spoils no other",
    "the whole group fails",
    f"{FILE}a_refused_effect_refuses_its_turn_and_no_other",
)
def all_or_none(patch: pytest.MonkeyPatch) -> None:
    def together(self: Any, jobs: Any) -> Any:
        try:
            return self._transaction(lambda conn: self._together(conn, jobs))
        except Exception as error:
            return [(job, None, error) for job in jobs]

    patch.setattr(sqlite._Threads, "_write_all", together)


# -- effects


EFFECTS = "effects happen once, with the reply of their turn"


def write_effects(conn: Connection, one: TurnCommit, seq: int) -> None:
    """Write a turn's effects as its commit would."""
    applied = apply(conn, one, seq, {})
    sql.INSERT_EFFECT.each(conn, applied.effects)
    sql.SAVE_RECORD.each(conn, [record for record in applied.records if "data" in record])


@breaks(
    EFFECTS,
    "the reply is committed before them",
    f"{FAULTS}/test_cut_writes.py::test_a_write_that_is_cut_anywhere_has_not_happened[sqlite-a turn that changes everything]",
    f"{FAULTS}/test_cut_writes.py::test_a_write_that_is_cut_anywhere_has_not_happened[postgres-a turn that changes everything]",
)
def reply_first(patch: pytest.MonkeyPatch) -> None:
    written = SqlStore.commit

    async def in_two(self: SqlStore, commits: Sequence[TurnCommit]) -> Any:
        results = await written(self, [replace(one, effects=(), made_by=()) for one in commits])
        done = [(one, r) for one, r in zip(commits, results, strict=True) if isinstance(r, Committed)]
        for one, result in done:
            if one.effects:
                seq = result.seq or -result.rev
                await self.write(lambda conn, one=one, seq=seq: write_effects(conn, one, seq))  # type: ignore[misc]
        return results

    patch.setattr(SqlStore, "commit", in_two)


CUT = f"{FAULTS}/test_cut_writes.py::test_a_write_that_is_cut_anywhere_has_not_happened"


@breaks(
    EFFECTS,
    "what a handler writes is committed before it",
    f"{CUT}[sqlite-a turn whose effect writes rows of its own]",
)
def handlers_apart(patch: pytest.MonkeyPatch) -> None:
    written = SqlStore.commit

    async def in_two(self: SqlStore, commits: Sequence[TurnCommit]) -> Any:
        for one in commits:
            await self.write(lambda conn, one=one: apply(conn, one, 1, self.effect_handlers))  # type: ignore[misc]
        by_hand = [replace(one, effects=[e for e in one.effects if isinstance(e, Record)]) for one in commits]
        return await written(self, by_hand)

    patch.setattr(SqlStore, "commit", in_two)


WHOLE = "a write happens wholly or not at all"


@breaks(
    WHOLE,
    "a SQLite file keeps each statement by itself",
    f"{CUT}[sqlite-a turn that changes everything]",
    f"{CUT}[sqlite-erasing a person]",
    f"{CUT}[sqlite-packing old turns]",
)
def statements_alone(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, sqlite._Threads._transaction, "begin.run(conn, {})", "pass")


@breaks(WHOLE, "so it does where the event loop writes", f"{CUT}[sqlite-a turn that is alone]")
def statements_alone_at_hand(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, AtHand._transaction, "raw.execute(begin)", "pass")


@breaks(
    WHOLE,
    "PostgreSQL keeps each statement by itself",
    f"{CUT}[postgres-a turn that changes everything]",
    f"{CUT}[postgres-a turn that is alone]",
)
def statements_alone_on_postgres(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch, postgres.postgres_engine, 'isolation_level="READ COMMITTED"', 'isolation_level="AUTOCOMMIT"'
    )


@breaks(
    EFFECTS, "those of a lost attempt happen, too", f"{MEMORY}what_a_lost_attempt_computed_does_not_happen"
)
def losers_count(patch: pytest.MonkeyPatch) -> None:
    written = SqlStore.commit

    async def generous(self: SqlStore, commits: Sequence[TurnCommit]) -> Any:
        results = await written(self, commits)
        for n, (one, result) in enumerate(zip(commits, results, strict=True)):
            if isinstance(result, Moved) and one.effects:
                await self.write(lambda conn, one=one, n=n: write_effects(conn, one, 1000 + n))  # type: ignore[misc]
        return results

    patch.setattr(SqlStore, "commit", generous)


@breaks(EFFECTS, "each happens twice", f"{MEMORY}an_effect_for_after_the_commit_waits_in_the_outbox")
def effects_twice(patch: pytest.MonkeyPatch) -> None:
    def doubled(*args: Any) -> Any:
        applied = apply(*args)
        return replace(
            applied, effects=[*applied.effects, *({**e, "n": e["n"] + 100} for e in applied.effects)]
        )

    patch.setattr(commit, "apply", doubled)


@breaks(
    "what was done is told, even when the model fails after it",
    "it is not",
    f"{OWN}what_was_done_is_told_when_the_model_fails_after_it",
)
def not_told(patch: pytest.MonkeyPatch) -> None:
    respond = Talk._respond

    async def forgets(self: Talk, draft: Any, *args: Any) -> None:
        await respond(self, draft, *args)
        draft.effects.clear()

    patch.setattr(Talk, "_respond", forgets)


DELIVERED = "an effect for after the commit is in the hands of one worker at a time"


@breaks(
    DELIVERED,
    "it is delivered without a claim",
    f"{MEMORY}what_one_worker_has_in_hand_no_other_gets",
    "tests/integration/test_deliveries_of_workers.py::test_two_workers_deliver_each_effect_once_and_never_both_at_once[sqlite]",
)
def no_claim(patch: pytest.MonkeyPatch) -> None:
    async def unclaimed(self: SqlStore, items: Any, worker: str) -> Any:
        return items

    patch.setattr(SqlStore, "claim", unclaimed)


@breaks(
    DELIVERED,
    "a dead worker keeps what it had",
    f"{MEMORY}what_a_worker_that_is_gone_had_in_hand_is_free_and_its_try_counts",
)
def keeps_its_claims(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(outbox, "_free", lambda worker: effects.c.claimed_by.is_(None))


# -- time


@breaks(
    "time comes from one place, which can be stopped",
    "a turn asks the machine",
    f"{FAULTS}/test_clocks.py::test_at_exactly_the_limit_a_process_is_still_active_and_a_late_answer_is_not_lost[sqlite-30:00.001-unswept]",
)
def other_clock(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(dispatcher, "now", lambda: datetime.now(UTC))  # noqa: TID251 - on purpose
