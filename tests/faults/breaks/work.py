"""The guarantees of what goes on beside turns: deliveries, long work, plans, the file and its tables, and an end."""

import shutil
import tempfile
from collections.abc import Collection
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any

import pytest

from softrail.plans import advancing, planning
from softrail.plans.data import children
from softrail.plans.proofs import verifying
from softrail.plans.thinking import guard
from softrail.store import archiving, claims, effects, rows, schema, spending, upkeep
from softrail.store.fitting import Fitting, Read
from softrail.store.tables import effects as effect_rows
from softrail.turns import deliveries, queue, trouble
from softrail.turns.commit import Committer
from softrail.turns.deliveries import Deliveries
from tests.faults.breaking import Breaks, rewritten

BREAKS = Breaks()
breaks = BREAKS.of

POST = "tests/unit/turns/test_deliveries.py::test_"
RUNS = "tests/integration/test_plan_runs.py::test_"
MEMORY = "tests/contracts/test_store.py::TestMemoryStore::test_"
QUERIES = "tests/security/test_data_is_confined.py::test_"
REFUSED = "tests/conversations/test_a_refused_effect.py::test_"
LINE = "tests/integration/test_one_session_at_a_time.py::test_"


# -- effects in the commit, and after it


@breaks(
    "what is for after the commit does not happen in it",
    "its handler runs inside",
    f"{MEMORY}what_is_for_after_the_commit_is_not_handled_in_it",
)
def delivered_inside(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        effects._handled,
        "handler = None if effect.after_commit else handlers.get(effect.kind)",
        "handler = handlers.get(effect.kind)",
    )


@breaks(
    "an effect that is refused undoes its turn, and that is said",
    "the turn is committed without it",
    f"{REFUSED}why_is_said_in_one_sentence_whether_or_not_the_handler_ends_its_own",
)
def refusal_ignored(patch: pytest.MonkeyPatch) -> None:
    handled = effects._handled

    def anyhow(*args: Any) -> str | None:
        try:
            return handled(*args)
        except effects.Refusal:
            return None

    patch.setattr(effects, "_handled", anyhow)


@breaks(
    "an effect that is refused undoes its turn, and that is said",
    "its reply is kept as it was",
    f"{REFUSED}why_is_said_in_one_sentence_whether_or_not_the_handler_ends_its_own",
)
def refusal_unsaid(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        Committer.commit,
        "draft = draft.following(said)",
        "draft = said; draft.effects.clear()",
    )


TRIES = "what cannot be delivered is tried five times, then set aside"


@breaks(
    TRIES,
    "it is tried once more",
    f"{POST}what_fails_five_times_is_set_aside_and_told_once",
)
def delivered_once_more(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(deliveries, "MOST_TRIES", deliveries.MOST_TRIES + 1)


@breaks(
    TRIES,
    "it is dropped after the first try",
    f"{POST}what_fails_five_times_is_set_aside_and_told_once",
)
def dropped_at_once(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        Deliveries._deliver,
        "elif tries < MOST_TRIES and not isinstance(error, _Final):",
        "elif False:",
    )


@breaks(
    TRIES,
    "it is tried again although its deliverer knows that this changes nothing",
    f"{POST}what_no_other_try_would_change_is_set_aside_at_once_in_its_own_words",
)
def final_again(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, Deliveries._within, "if isinstance(error, SoftrailError) and error.final:", "if False:")


@breaks(
    "a deliverer that hangs delays nothing else",
    "it has no limit",
    f"{POST}a_delivery_that_takes_too_long_has_failed",
)
def hangs_for_ever(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, Deliveries._within, "asyncio.timeout(limit)", "asyncio.timeout(None)")


@breaks(
    "a deliverer that hangs delays nothing else",
    "all kinds share their places",
    f"{POST}a_kind_that_hangs_delays_no_other_kind",
)
def kinds_share(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        Deliveries._begin,
        "room.subtract(kind for kind, _ in self._under_way.values())",
        "room.subtract({kind: len(self._under_way) for kind in room})",
    )


@breaks(
    "a failure is kept in words that hold no secret",
    "as its error says it",
    f"{POST}whatever_a_deliverer_raises_is_a_failed_try_and_tells_no_secret",
)
def failure_talks(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, trouble.in_short, "told = name\n", "told = str(error)\n")


# -- long work and plans


DRIVEN = "a run of long work is in the hands of one worker at a time"


@breaks(
    DRIVEN,
    "a second worker claims it, too",
    "tests/contracts/test_engines.py::TestEmbeddedInMemory::test_a_run_is_never_driven_twice_at_the_same_time",
)
def claimed_twice(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        claims.claim_run,
        "if row is not None and row.worker in set(conn.scalars(_LIVING)):",
        "if False:",
    )


@breaks(
    DRIVEN,
    "a worker that lost it goes on writing",
    f"{MEMORY}a_dead_workers_run_is_abandoned_and_claimed_under_a_higher_fence",
)
def lost_but_writes(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, claims.claim_stands, "return _STANDS.first(conn,", "return True or _STANDS.first(conn,")


@breaks(
    DRIVEN,
    "nobody takes up what a dead worker left",
    f"{MEMORY}a_dead_workers_run_is_abandoned_and_claimed_under_a_higher_fence",
)
def left_behind(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, claims.free_claims, "conn.execute(", "(")


PLANS = "a step of a plan is done once, and none after it was stopped"


@breaks(
    PLANS,
    "a step is written without looking who has the run",
    f"{RUNS}who_has_lost_the_run_writes_nothing",
)
def step_without_claim(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(advancing, "claim_stands", lambda conn, claim: True)


@breaks(
    PLANS,
    "a step that cannot be repeated is begun again after it was cut off",
    f"{RUNS}what_was_cut_off_is_begun_again_where_that_does_no_harm",
)
def cut_off_again(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        advancing._Round._begin,
        "elif before.tries and not action.repeatable and action.attempt is None:",
        "elif False:",
    )


@breaks(
    PLANS,
    "a stop lets the next step begin",
    f"{RUNS}a_cancel_before_during_and_after_a_step",
)
def goes_on_after_a_stop(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, advancing.advance, 'if row.state != "running":', 'if row.state in ("done", "failed"):')


@breaks(
    "a step does what was agreed to",
    "its action may have changed meanwhile",
    f"{RUNS}an_action_that_has_changed_since_the_yes_is_not_run",
)
def another_action(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        advancing._Round._begin,
        "action is None or form_of(self._actions, step.action) != before.form",
        "action is None",
    )


NUMBERS = "a model says no number of its own"


@breaks(
    NUMBERS,
    "what it says is not looked at",
    "tests/integration/test_findings_in_a_models_words.py::test_a_model_that_lies_or_fails_leaves_the_plain_words",
)
def any_number(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(planning, "holds", lambda text, findings, plan: True)


@breaks(
    NUMBERS,
    "a number may stand behind another name",
    "tests/unit/plans/test_numbers_of_models.py::test_what_is_beside_the_facts_is_refused",
)
def any_name_of_number(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, guard._Line.says, "or not words & own", "")


CONFINED = "a query reads the data it is given, and nothing else"


class Copied:
    """What a process of its own is begun with, with one piece of its source replaced; gone with this process, or before."""

    def __init__(self, file: str, old: str, new: str) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="softrail-broken-"))
        # Also at the end of a process that was forked, where a test still has it.
        Finalize(self, shutil.rmtree, (self._folder,), {"ignore_errors": True}, exitpriority=0)
        there = self._folder / "softrail" / "plans" / "child"
        shutil.copytree(children.CHILD.parent, there)
        source = (there / file).read_text()
        assert source.count(old) == 1, f"{file} holds {old!r} {source.count(old)} times."
        (there / file).write_text(source.replace(old, new))
        self._main = there / children.CHILD.name

    def __str__(self) -> str:
        return str(self._main)


@breaks(
    CONFINED,
    "statements are run as they come",
    f"{QUERIES}no_query_reaches_beyond_the_tables_of_its_conversation",
)
def any_statement(patch: pytest.MonkeyPatch) -> None:
    old = 'sql = self._allowed.statement(str(job["sql"]))'
    patch.setattr(children, "CHILD", Copied("asking.py", old, 'sql = str(job["sql"])'))


@breaks(
    CONFINED,
    "its database is open when it begins",
    f"{QUERIES}a_query_that_takes_too_much_memory_or_gives_too_much_is_ended_and_the_worker_keeps_its_own",
)
def open_database(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(children, "CHILD", Copied("asking.py", "for setting in _CLOSED:", "for setting in ():"))


@breaks(
    "a proof is worth what can be found again",
    "nothing is compared",
    "tests/integration/test_proofs_of_plans.py::test_a_value_that_was_forged_with_its_signature_is_found_by_doing_it_again",
)
def nothing_compared(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(verifying, "_comparable", lambda value, unit, kind: "")


# -- the database and its worker


@breaks(
    "what went into another file is not acknowledged",
    "a file that was moved is written into",
    "tests/integration/test_store_upkeep.py::test_a_file_that_is_not_there_any_more_is_written_to_by_nobody",
)
def any_file(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(upkeep.SameFile, "require", lambda self: None)


TABLES = "code runs on tables that it knows"


@breaks(
    TABLES,
    "tables of a newer version are taken for its own",
    "tests/integration/test_not_ready.py::test_a_worker_on_tables_it_cannot_run_on_says_so_and_becomes_ready",
    "tests/integration/test_not_ready.py::test_older_code_takes_turns_on_newer_tables_that_allow_it_and_on_no_others",
)
def newer_tables(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(schema._Part, "_beyond", lambda self, conn: "ahead")


@breaks(
    TABLES,
    "newer ones that come while it runs are not looked at",
    "tests/faults/test_older_workers.py::test_a_worker_stops_where_tables_come_that_forbid_it_and_goes_on_where_they_go",
)
def newer_tables_meanwhile(patch: pytest.MonkeyPatch) -> None:
    async def unheard(self: Fitting, said: Collection[str], read: Read) -> None:
        """Whatever it is."""

    patch.setattr(Fitting, "heard", unheard)


@breaks(
    "what a newer version has kept is refused and left alone",
    "it is an error of the server",
    "tests/faults/test_newer_states.py::test_a_session_that_a_newer_version_has_written_is_refused_and_left_alone",
)
def newer_state(patch: pytest.MonkeyPatch) -> None:
    for read in (rows.session_from, rows.instance_from):
        rewritten(patch, read, "except ValueError:", "except KeyError:")


@breaks(
    "what is packed away stays what it was",
    "turns that wait are packed, too",
    f"{MEMORY}what_waits_for_its_answer_is_not_packed",
)
def packs_everything(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        archiving.archive,
        'if row.status == "accepted" or answered >= stamp(before):',
        "if answered >= stamp(before):",
    )


@breaks(
    "what is packed away stays what it was",
    "what is still to be delivered goes with it",
    f"{MEMORY}an_effect_that_is_not_delivered_stays_and_a_delivered_one_goes_along",
)
def packs_the_outbox(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(archiving, "_SETTLED", effect_rows.c.seq > 0)


@breaks(
    "a person's limit of tokens holds for all workers",
    "each looks before the others have counted",
    "tests/integration/test_spending.py::TestSqlite::test_a_hundred_calls_at_once_over_two_workers_never_pass_the_limit",
)
def spends_over(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, spending.reserve, "if spent.tokens + tokens > limit:", "if spent.tokens > limit:")


@breaks(
    "one person's many turns do not stop everybody else's",
    "any number may wait",
    f"{LINE}the_line_of_a_session_has_an_end",
)
def any_line(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(queue.SessionQueue, "_bounded", lambda self, run: False)


@breaks(
    "one person's many turns do not stop everybody else's",
    "they go first",
    f"{LINE}a_short_line_is_over_long_before_several_long_ones",
)
def no_way_given(patch: pytest.MonkeyPatch) -> None:
    async def straight_on(self: queue.SessionQueue, run: Any) -> None:
        """Go first."""

    patch.setattr(queue.SessionQueue, "_give_way", straight_on)
