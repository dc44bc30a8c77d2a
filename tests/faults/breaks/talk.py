"""The guarantees of guided talk: the way out, what a process has kept, whose question is answered, and time."""

import pytest

from softrail.core.instances import State, Trigger
from softrail.dialogue import answering, decide, instances, versions, view, ways_out
from softrail.dialogue.instances import Acting
from softrail.dialogue.offers import Offers
from softrail.dialogue.path import Path
from softrail.dialogue.place import Places
from softrail.dialogue.timeouts import Timeouts
from softrail.processes import lifecycle, performance
from softrail.store import commit, tables
from tests.faults.breaking import Breaks, rewritten

BREAKS = Breaks()
breaks = BREAKS.of

PLUGINS = "tests/faults/test_bad_plugins.py::test_"
RESUMING = "tests/unit/dialogue/test_resuming.py::test_"
ASKED = "tests/conversations/test_answering_a_question.py::test_"
OFFERS = "tests/unit/dialogue/test_offers.py::test_"
ROWS = "tests/unit/dialogue/test_decide.py::test_"
MEMORY = "tests/contracts/test_store.py::TestMemoryStore::test_"


def without(patch: pytest.MonkeyPatch, *rows: decide.Row, last: bool = False) -> None:
    """Leave rows out of the table of who gets a turn, or put them at its end."""
    taken = tuple(one for one in decide.ROWS if one[0] in rows)
    others = tuple(one for one in decide.ROWS if one[0] not in rows)
    assert len(taken) == len(rows)
    patch.setattr(decide, "ROWS", (*others, *taken) if last else others)


# -- the way out


WAY_OUT = "the way out is open, and no process can swallow it"


@breaks(
    WAY_OUT,
    "who holds the session is asked before words of leaving",
    f"{PLUGINS}every_escape_word_works_when_the_process_raises_on_the_way_out",
)
def holder_first(patch: pytest.MonkeyPatch) -> None:
    without(patch, ways_out.left_in_front, ways_out.left_by_name, last=True)


@breaks(
    WAY_OUT,
    "a slash word is an answer where something is asked",
    f"{ROWS}the_first_row_that_fits_claims_the_turn",
    f"{ASKED}ways_out_count_all_the_same",
)
def slash_last(patch: pytest.MonkeyPatch) -> None:
    without(patch, ways_out.slash_word, last=True)


@breaks(
    WAY_OUT,
    "a process that raises when it is left stays",
    f"{PLUGINS}a_process_that_raises_when_it_is_told_of_leaving_is_left_all_the_same",
)
def clings(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        Acting.tell_of_leaving,
        "self._note(draft, instance.process, error)\n        return False",
        "self._note(draft, instance.process, error)\n        return True",
    )


@breaks(
    WAY_OUT,
    "a process that always fails is asked for ever",
    f"{PLUGINS}a_step_that_keeps_failing_is_paused_at_the_third_time_with_a_way_back",
)
def fails_for_ever(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(instances, "MAX_FAILURES", 1_000_000)


@breaks(
    WAY_OUT,
    "steps that lead round and round go on",
    "tests/unit/processes/test_own_steps.py::test_steps_that_lead_round_and_round_are_stopped_after_twenty",
)
def round_and_round(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(performance, "MOST_GOTOS", 1_000)


# -- what a process has kept


KEPT = "what somebody has told a process stays, whatever happens to it"


@breaks(
    KEPT,
    "a step that raises takes it along",
    f"{PLUGINS}code_that_raises_costs_one_sentence_and_changes_nothing",
)
def failure_forgets(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        Acting.trouble,
        "instance = draft.put(instance.evolve(failures=instance.failures + 1))",
        "instance = draft.put(instance.evolve(failures=instance.failures + 1, data='{}'))",
    )


@breaks(
    KEPT,
    "silence ends the process instead of pausing it",
    f"{RESUMING}silence_suspends_only_beyond_the_limit",
    f"{RESUMING}a_late_answer_wakes_the_process_and_is_the_answer",
)
def silence_ends(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        Timeouts._suspend,
        'await self._acting.suspend(draft, instance, Trigger.TIMEOUT, "no answer within its time")',
        'await self._acting.close(draft, instance, "no answer within its time")',
    )


@breaks(
    KEPT,
    "a pause drops it",
    f"{RESUMING}answers_at_the_freshness_limit_are_kept",
)
def pause_forgets(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        Acting.suspend,
        "instance.evolve(due_at=after(left_at, retention), ",
        "instance.evolve(data='{}', due_at=after(left_at, retention), ",
    )


@breaks(
    KEPT,
    "coming back drops it",
    f"{RESUMING}answers_at_the_freshness_limit_are_kept",
    f"{RESUMING}an_open_run_is_offered_in_another_conversation_and_moves_there",
)
def return_forgets(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        Acting.bring_here,
        "offered_back=False, failures=0)",
        "offered_back=False, failures=0, data='{}')",
    )


@breaks(
    KEPT,
    "an answer that comes late is not used",
    f"{RESUMING}a_late_answer_wakes_the_process_and_is_the_answer",
)
def late_is_lost(patch: pytest.MonkeyPatch) -> None:
    without(patch, answering.late_answer)


@breaks(
    KEPT,
    "a new version of its process begins afresh although it can migrate",
    "tests/integration/test_migrating_everybody.py::test_everybody_goes_on_with_everything_kept",
)
def never_migrates(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, versions.fit, 'if definition.on_new_version == "migrate":', "if False:")


@breaks(
    "a process in an old version goes on by its policy",
    "its state is read as if nothing had changed",
    "tests/faults/test_changed_processes.py::test_everyone_parked_in_an_old_version_is_told_and_has_a_way_on_and_a_way_out[the same-migrate]",
)
def any_version(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        versions.fit,
        "if definition.version == instance.version:",
        "if True:\n        return Fit(definition)\n    if False:",
    )


@breaks(
    "a turn that cannot be computed changes nothing",
    "what it had done before it failed is committed",
    f"{PLUGINS}a_turn_that_fails_half_way_has_changed_nothing",
)
def half_computed(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        Path.think,
        "draft = self.plainly(turn, snapshot, sentence).following(draft)",
        "draft.say(self._parts.sentences.say(sentence))",
    )


# -- whose question is answered


ANSWERS = "an answer is for the question that is open, and for no other"


@breaks(
    ANSWERS,
    "an old button counts",
    f"{ASKED}the_yes_of_an_old_offer_saves_nothing",
    f"{ASKED}an_old_no_leaves_nothing",
)
def old_button(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Places, "stale", lambda self, draft: False)


@breaks(
    ANSWERS,
    "an older question hears it first",
    "tests/issues/test_002_a_background_question_swallowed_everything.py::test_its_answer_is_taken",
)
def older_first(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        view.asks_here,
        "asker is not None and asker.state is State.ACTIVE and not asker.holds",
        "False",
    )


HELD = "a process that holds the session gets the turn, and no model is asked"


@breaks(
    HELD,
    "its turns are classified like any other",
    "tests/conversations/test_the_founding_problem.py::test_an_answer_is_neither_classified_nor_shown_to_a_model",
)
def classified_first(patch: pytest.MonkeyPatch) -> None:
    without(
        patch,
        answering.answer_given,
        answering.nothing_clear,
        answering.option_meant,
        answering.whoever_holds,
    )


@breaks(
    "a session has one holder at most",
    "the database lets two processes hold it",
    f"{MEMORY}a_session_has_one_holder",
)
def two_holders(patch: pytest.MonkeyPatch) -> None:
    others = {index for index in tables.instances.indexes if index.name != "uq_instances_holder"}
    assert len(others) == len(tables.instances.indexes) - 1
    patch.setattr(tables.instances, "indexes", others)


CONSENT = "nothing begins, ends or changes on a guess"


@breaks(
    CONSENT,
    "“yes?” is a yes",
    f"{ROWS}the_first_row_that_fits_claims_the_turn",
)
def echo_agrees(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, view.is_answer, 'if reading.exactly("ask", target="echo") is not None', "if False")


@breaks(
    CONSENT,
    "half a yes agrees",
    "tests/unit/dialogue/test_doubted_consent.py::test_half_a_yes_is_asked_about_with_yes_and_no_on_buttons",
)
def half_a_yes(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, view.is_answer, "sure = given >= needed and", "sure =")


@breaks(
    CONSENT,
    "half a yes begins what was offered",
    f"{OFFERS}an_offer_nobody_answers_lapses_silently",
)
def half_a_yes_begins(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, answering._word, '("yes", yes, no, bars.begin)', '("yes", yes, no, 0.0)')


@breaks(
    CONSENT,
    "a change that may be one of several is made",
    "tests/unit/dialogue/test_doubted_changes.py::test_words_that_two_answers_may_want_change_neither_and_both_are_on_buttons",
)
def unsure_is_changed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(answering, "unsure_changes", lambda reading, bars: [])


@breaks(
    CONSENT,
    "a no is forgotten, and the offer comes again",
    f"{OFFERS}a_refused_offer_waits_for_its_cool_down_in_every_session",
)
def offers_again(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, Offers._policy_allows, "if instance.state is not State.DECLINED:", "if True:")


@breaks(
    "what was left can be taken back on the very next turn, and only then",
    "it can be later, too",
    f"{RESUMING}undo_brings_back_what_was_left_on_the_turn_before_and_only_then",
)
def undone_later(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, Path.think, "draft.remember(undo=None, ", "draft.remember(")


@breaks(
    "a process moves as its lifecycle says",
    "what has ended is picked up again",
    "tests/unit/processes/test_lifecycle.py::test_every_pair_of_state_and_trigger_does_what_the_table_says",
)
def back_from_the_dead(patch: pytest.MonkeyPatch) -> None:
    table = (*lifecycle.TABLE, (State.COMPLETED, Trigger.RESUME, State.ACTIVE))
    patch.setattr(lifecycle, "TABLE", table)
    patch.setattr(lifecycle, "_machine", lifecycle._build())


# -- time


TIME = "a process is paused when its time is over, and not before"


@breaks(
    TIME,
    "at its limit already",
    "tests/faults/test_clocks.py::test_at_the_limit_a_question_of_the_persons_own_is_answered",
)
def a_moment_early(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        Timeouts.check,
        "if instance.due_at is None or not instance.due_at < draft.turn.at",
        "if instance.due_at is None or not instance.due_at <= draft.turn.at",
    )


@breaks(
    TIME,
    "only when somebody sweeps",
    f"{RESUMING}a_late_answer_works_whether_or_not_the_sweep_came_first",
)
def nobody_looks(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, Path.think, "over = await self.timeouts.check(draft)", "over = 0")


@breaks(
    TIME,
    "although an answer came meanwhile",
    f"{MEMORY}taking_and_releasing_with_a_commit_between_moves_what_was_computed_before",
)
def sweeps_over(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, commit._verdict, "if row.rev != session.rev or not in_place:", "if not in_place:")
