"""A plan by hand is shown, agreed to, carried out beside the conversation, and steered by what is said meanwhile."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from softrail.bootstrap import plugin_tables
from softrail.store import MemoryStore, open_store, upgrade
from softrail.testing.contracts.counting import until
from tests.faults.kit import file_url
from tests.integration.plan_server import Planned, plan, planned, sum_of

PRICE = sum_of("price", "12.50", unit="EUR")
TOTAL = sum_of("total", "price * 3", "price", unit="EUR")


@pytest.fixture(params=["memory", "file", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgres":
        return str(request.getfixturevalue("empty_postgres_url"))
    return file_url(tmp_path) if request.param == "file" else ""


@pytest.fixture
async def ada(url: str) -> AsyncIterator[Planned]:
    if url.startswith("postgres"):
        await upgrade(url, plugins=plugin_tables())
    store = open_store(url, plugins=plugin_tables()) if url else MemoryStore(plugins=plugin_tables())
    async with planned(store) as one:
        yield one


async def test_a_plan_is_shown_agreed_to_carried_out_and_told(ada: Planned) -> None:
    shown = await ada.say(plan(PRICE, TOTAL))

    assert shown.companion_message.endswith(
        "The plan: Look into it\n"
        "1. price: compute(expression: 12.50, unit: EUR), makes price\n"
        "2. total: compute(expression: price * 3, unit: EUR) from price, makes total\n"
        "2 steps. Shall I go ahead?"
    )
    assert shown.classified_intent == "plan_new"
    assert shown.pending is not None
    assert shown.pending.kind == "approve"
    assert shown.pending.expires_at is None
    begun = await ada.say("looks good")
    assert begun.process is not None
    assert begun.process.step == "executing"

    done = await ada.heard("Done: Look into it")

    assert done.content == "Done: Look into it\n- price: 12.50 EUR\n- total: 37.50 EUR"
    assert await ada.phase() == "idle"
    assert [i.content for i in await ada.items() if i.content.startswith("Done")] == [done.content]


@pytest.mark.parametrize("yes", ["y", "yes", "ok", "go", "looks good", "yes please"])
async def test_words_of_consent_approve(yes: str) -> None:
    async with planned() as ada:
        await ada.say(plan("a"))
        await ada.say(yes)
        assert await ada.phase() == "executing"


async def test_a_bare_no_asks_what_should_change_and_a_new_plan_takes_its_place() -> None:
    async with planned() as ada:
        await ada.say(plan("a"))
        assert (await ada.say("no")).companion_message.startswith("What should change?")
        assert await ada.phase() == "planning"
        shown = await ada.say(plan("b", problem="Another"))
        assert "I've dropped the plan “Look into it”." in shown.companion_message
        assert await ada.phase() == "awaiting_approval"
        assert not (await ada.states())


async def test_what_is_asked_while_it_waits_for_a_yes_is_answered_and_asked_again() -> None:
    async with planned() as ada:
        await ada.say(plan("a"))
        for words in (
            "where are we",
            "how did you get that?",
            "by month please",
            "what do you think of Mondays?",
        ):
            reply = await ada.say(words)
            assert reply.companion_message
            assert reply.pending is not None, words
            assert reply.pending.kind == "approve"
        assert await ada.phase() == "awaiting_approval"


async def test_an_invalid_plan_says_what_to_do_and_changes_nothing() -> None:
    async with planned() as ada:
        first = await ada.say("/plan problem: x")
        assert first.companion_message.startswith("This plan cannot be carried out. steps: Field required.")
        assert await ada.phase() == "idle"
        await ada.say(plan("a"))
        again = await ada.say("/plan problem: x")
        assert "Field required" in again.companion_message
        assert again.pending is not None
        assert (await ada.standing()).plan is not None


# -- while it runs


async def test_while_it_runs_questions_are_answered_at_once() -> None:
    async with planned() as ada:
        await ada.say(plan(PRICE, "slow"))
        await ada.say("yes")
        await ada.gates.at("slow")

        assert (await ada.say("what is the price")).companion_message == "- price: 12.50 EUR"
        status = (await ada.say("status")).companion_message
        assert "1 of 2 steps are done.\n✓ price\n… slow" in status
        assert (await ada.say("show me all the results")).classified_intent == "query.summary"
        assert await ada.phase() == "executing"
        ada.gates["slow"].opened.set()
        await ada.heard("slow: slow is through")


@pytest.mark.parametrize(
    "word",
    [
        "stop",
        "/stop",
        "/cancel",
        "cancel the plan",
        "stop the plan",
        "cancel that",
        "no, stop it, please",
        "abort this right now",
        "can you halt all of that?",
    ],
)
async def test_a_cancel_is_a_commit_and_no_step_begins_after_it(word: str) -> None:
    async with planned() as ada:
        await ada.say(plan(PRICE, "slow", "next"))
        await ada.say("yes")
        await ada.gates.at("slow")

        stopped = await ada.say(word)

        assert stopped.companion_message == "I've stopped.\n✓ price\n○ slow\n○ next\nWhat is finished stays."
        assert await ada.states() == {"price": "done", "slow": "cancelled", "next": "cancelled"}
        await ada.dispatcher.engine.settled()  # type: ignore[union-attr] # the embedded one
        assert ada.gates["slow"].cut_off == 1
        assert ada.gates["next"].begun == 0
        assert list((await ada.standing()).facts) == ["price"]
        assert await ada.phase() == "idle"
        assert not [i for i in await ada.items() if i.content.startswith("Done")]


async def test_where_nothing_runs_there_is_nothing_to_stop() -> None:
    async with planned() as ada:
        await ada.say("/plan")
        assert (await ada.say("stop the plan")).companion_message.startswith("Nothing is being done just now")
        assert await ada.phase() == "idle"


async def test_where_nothing_runs_words_of_stopping_are_no_word_to_a_plan() -> None:
    async with planned() as ada:
        await ada.say("/plan")
        assert (await ada.say("cancel that")).classified_intent != "control.cancel"


async def test_a_second_plan_waits_the_latest_wins_and_is_really_planned() -> None:
    async with planned() as ada:
        await ada.say(plan("slow"))
        await ada.say("yes")
        await ada.gates.at("slow")
        queued = await ada.say(plan(PRICE, problem="Second"))
        assert "“Second” comes next" in queued.companion_message
        other = await ada.say(plan(PRICE, problem="Third"))
        assert other.companion_message == "Noted: “Third” comes next, instead of “Second”."

        ada.gates["slow"].opened.set()
        item = await ada.heard("Now for what you asked next.")

        assert item.content.startswith("Done: Look into it\n- slow: slow is through")
        assert item.content.endswith("1 step. Shall I go ahead?")
        assert await ada.phase() == "awaiting_approval"
        await ada.say("yes")
        await ada.heard("Done: Third")


async def test_a_cancel_empties_what_waits_and_says_how_much() -> None:
    async with planned() as ada:
        await ada.say(plan("slow"))
        await ada.say("yes")
        await ada.gates.at("slow")
        await ada.say(plan(PRICE))
        assert (await ada.say("/proof")).companion_message == "I'll do that once the plan is over."
        assert (await ada.say("stop")).companion_message.endswith("What was waiting goes with it: 2.")
        assert (await ada.standing()).queued is None
        assert (await ada.standing()).mode == "exploratory"


async def test_mode_and_redo_said_meanwhile_come_afterwards() -> None:
    async with planned() as ada:
        await ada.say(plan("slow"))
        await ada.say("yes")
        await ada.gates.at("slow")
        await ada.say("/proof")
        await ada.say("/redo")
        ada.gates["slow"].opened.set()

        item = await ada.heard("From now on in proof mode.")

        assert "All steps are done again." in item.content

        async def done_again() -> bool:
            run = (await ada.standing()).run
            return run is not None and run.state == "done" and ada.gates["slow"].begun == 2

        await until(done_again, 30)
        assert (await ada.standing()).mode == "proof"


async def failed_with(ada: Planned, *commands: str) -> None:
    """A plan whose step fails, and what was said while it ran."""
    await ada.say(plan("slow"))
    await ada.say("yes")
    await ada.gates.at("slow")
    for one in commands:
        assert (await ada.say(one)).companion_message == "I'll do that once the plan is over."
    ada.gates["slow"].fails = "It is locked"
    ada.gates["slow"].opened.set()
    await ada.heard("Step 1 failed")
    ada.gates["slow"].fails = ""


async def runs_of(ada: Planned) -> int:
    """How often the step was begun, once nothing runs any more."""

    async def over() -> bool:
        run = (await ada.standing()).run
        return run is not None and run.state == "done" and await ada.phase() == "idle"

    await until(over, 30)
    return ada.gates["slow"].begun


async def test_a_plan_that_is_given_up_is_not_done_again_and_the_rest_that_waits_is_done() -> None:
    async with planned() as ada:
        await failed_with(ada, "/proof", "/redo")

        reply = await ada.say("start over")

        assert reply.companion_message.startswith("I've given up that plan. What is finished stays.")
        assert "So it is not done again, either.\n\nFrom now on in proof mode." in reply.companion_message
        assert (await ada.phase(), ada.gates["slow"].begun) == ("idle", 1)
        assert (await ada.standing()).later == []


async def test_a_plan_that_was_to_be_done_again_and_is_tried_again_is_done_again_afterwards() -> None:
    async with planned() as ada:
        await failed_with(ada, "/redo")
        await ada.say("try again")
        await ada.heard("All steps are done again.")
        assert await runs_of(ada) == 3


async def test_who_asks_again_for_what_waits_gets_it_once() -> None:
    async with planned() as ada:
        await failed_with(ada, "/redo")
        assert (await ada.say("/redo")).companion_message.startswith("All steps are done again.")
        await ada.heard("Done:")
        assert await runs_of(ada) == 2


async def test_another_plan_instead_of_a_failed_one_takes_up_what_waited_and_is_done_once() -> None:
    async with planned() as ada:
        await failed_with(ada, "/redo", "/proof")

        shown = await ada.say(plan(PRICE, problem="Something else"))

        assert shown.companion_message.startswith(
            "I've dropped the plan “Look into it”.\n\nFrom now on in proof mode.\n\nThe plan: Something else"
        )
        assert ((await ada.standing()).mode, (await ada.standing()).later) == ("proof", [])
        await ada.say("yes")
        await ada.heard("Done: Something else")
        assert await runs_of(ada) == 1


# -- changes


async def test_a_change_in_mid_run_stops_and_runs_only_what_changed() -> None:
    async with planned() as ada:
        await ada.say(plan(PRICE, sum_of("total", "price * 3", "price"), "slow"))
        await ada.say("yes")
        await ada.gates.at("slow")

        changed = await ada.say(plan(PRICE, sum_of("total", "price * 4", "price"), word="replan"))

        assert changed.companion_message.startswith("I've stopped for that.\n✓ price\n✓ total\n○ slow")
        assert "makes price (known: 12.50 EUR)" in changed.companion_message
        assert changed.companion_message.endswith("2 steps, 1 of them known already. Shall I go ahead?")
        await ada.say("yes")
        done = await ada.heard("Done: Look into it")
        assert done.content.endswith("- price: 12.50 EUR (known before)\n- total: 50.00")
        run = (await ada.standing()).run
        assert run is not None
        assert [step.tries for step in run.steps.values()] == [0, 1]


async def test_a_corrected_fact_has_only_what_depends_on_it_done_again() -> None:
    async with planned() as ada:
        other = sum_of("other", "1 + 1")
        await ada.say(plan(PRICE, other, TOTAL))
        await ada.say("yes")
        await ada.heard("Done: Look into it")

        told = await ada.say("use 1.3k for the price")

        assert told.companion_message.startswith("price is 1300 EUR, as you say; before it was 12.50 EUR.")
        assert told.companion_message.endswith("3 steps, 2 of them known already. Shall I go ahead?")
        await ada.say("yes")
        done = await ada.heard("3900 EUR")
        assert "- price: 1300 EUR (as you said)\n- other: 2 (known before)\n- total: 3900 EUR" in done.content
        price = (await ada.standing()).facts["price"]
        assert price.turn_id is not None
        assert [fact.shown for fact in (await ada.standing()).history if fact.name == "price"] == [
            "12.50 EUR"
        ]
        asked = await ada.say("how did you get that?")
        assert asked.classified_intent == "query.provenance"
        assert asked.companion_message == (
            "- total = 3900 EUR: “total”, compute(expression: price * 3, unit: EUR) from price\n"
            "- price = 1300 EUR: you said so"
        )


async def test_words_that_change_steps_change_nothing_and_say_what_is_possible() -> None:
    async with planned() as ada:
        await ada.say(plan("slow"))
        await ada.say("yes")
        await ada.gates.at("slow")
        reply = await ada.say("narrow it down to Europe")
        assert reply.companion_message.startswith("I can't change the steps from words alone here")
        assert await ada.phase() == "executing"


# -- failure


@pytest.mark.parametrize("words", ["try again", "1", "retry", "/retry"])
async def test_a_failure_is_told_and_tried_again_without_what_is_finished(words: str) -> None:
    async with planned() as ada:
        ada.gates["slow"].fails = "The shop is closed"
        ada.gates["slow"].opened.set()
        await ada.say(plan(PRICE, "slow"))
        await ada.say("yes")

        item = await ada.heard("Step 2 failed")

        assert item.content == (
            "Step 2 failed, “slow”: The shop is closed.\n1. Try again\n2. Modify the plan\n3. Start over\n"
            "What is finished stays in any case."
        )
        assert await ada.phase() == "failed"
        ada.gates["slow"].fails = ""
        await ada.say(words)
        done = await ada.heard("Done: Look into it")
        assert "- price: 12.50 EUR (known before)" in done.content


@pytest.mark.parametrize(
    ("words", "phase", "says"),
    [
        ("start over", "idle", "I've given up that plan."),
        ("3", "idle", "I've given up"),
        ("modify", "failed", "What should"),
    ],
)
async def test_a_failed_plan_is_given_up_or_changed(words: str, phase: str, says: str) -> None:
    async with planned() as ada:
        ada.gates["slow"].fails = "No"
        ada.gates["slow"].opened.set()
        await ada.say(plan("slow"))
        await ada.say("yes")
        await ada.heard("Step 1 failed")
        assert says in (await ada.say(words)).companion_message
        assert await ada.phase() == phase


@pytest.mark.parametrize("words", ["start over", "start again"])
async def test_who_starts_over_drops_the_plan_that_waits_for_a_yes_and_may_plan_anew(words: str) -> None:
    async with planned() as ada:
        await ada.say(plan("slow"))
        assert (await ada.say(words)).companion_message == "I've dropped the plan “Look into it”."
        assert await ada.phase() == "idle"
        await ada.say(plan(PRICE, problem="Second"))
        assert await ada.phase() == "awaiting_approval"


# -- others


async def test_a_standup_begun_in_between_is_not_disturbed_and_the_plans_question_comes_after_it() -> None:
    async with planned() as ada:
        await ada.say(plan("slow"))
        await ada.say("yes")
        await ada.gates.at("slow")
        await ada.say(plan(PRICE, problem="Second"))
        standup = await ada.say("let's do my standup")
        assert standup.process is not None
        assert standup.process.name == "standup"

        ada.gates["slow"].opened.set()
        item = await ada.heard("Done: Look into it")

        assert "Shall I go ahead?" not in item.content
        assert item.content.endswith("I'll come to the plan once your standup is over.")
        assert (await ada.say("wrote tests")).process.name == "standup"  # type: ignore[union-attr] # it has one
        await ada.say("more tests")
        asked = await ada.say("none")
        if asked.pending is not None and asked.pending.kind == "confirm":
            asked = await ada.say("yes")
        assert asked.companion_message.endswith("1 step. Shall I go ahead?")
        assert asked.process is not None
        assert asked.process.name == "planning"


async def test_a_plan_that_is_given_in_a_standup_is_told_to_come_after_it() -> None:
    async with planned() as ada:
        await ada.say("let's do my standup")
        given = await ada.say(plan(PRICE))
        changed = await ada.say(plan(PRICE, problem="Otherwise", word="replan"))
        for reply in (given, changed):
            assert "I'll come to the plan once your standup is over." in reply.companion_message
            assert reply.companion_message.endswith("What did you work on yesterday?")
        assert "The plan as it is now: Otherwise" in (await ada.say("stop")).companion_message


async def test_a_plan_that_is_dropped_in_a_standup_does_not_hold_the_session_after_it() -> None:
    async with planned() as ada:
        await ada.say(plan(PRICE))
        await ada.say("let's do my standup")
        await ada.say("/reset")
        await ada.say("no")
        [instance] = [one for one in await ada.store.instances(ada.here) if one.process == "planning"]
        assert (instance.step, instance.holds) == ("idle", False)


async def test_people_without_a_plan_are_read_as_before() -> None:
    async with planned() as ada:
        reply = await ada.say("how did you get that?")
        assert reply.classified_intent == "general_conversation"
        known = {one.name for one in ada.dispatcher.registry.candidates()}
        assert not {name for name in known if name.startswith(("plan_", "query.", "control."))}
        assert (await ada.say("/redo")).companion_message == "That is for the plan, which is not under way."


async def test_progress_is_told_and_the_run_is_in_the_background(ada: Planned) -> None:
    await ada.say(plan(PRICE, "slow"))
    with ada.dispatcher.progress.follow(ada.here) as following:
        await ada.say("yes")
        await ada.gates.at("slow")
        shown = following.take()
        while not shown or shown[-1].text != "slow":
            await following.news.wait()
            shown = following.take()
    assert (shown[-1].kind, shown[-1].done, shown[-1].total) == ("planning", 1, 2)
    ada.gates["slow"].opened.set()
    await ada.heard("Done")
