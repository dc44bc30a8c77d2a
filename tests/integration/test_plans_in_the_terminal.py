"""A person, a keyboard and a plan: the prompt stays open, what is said stands above it, how the plan stands below."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import update

from softrail.cli.chatting import Talk
from softrail.cli.keyboard import Keyboard
from softrail.core.execution import Engine
from softrail.core.turns import Request
from softrail.plans.tables import steps
from tests.integration.plan_server import Nobody, Planned, plan, planned, sum_of
from tests.pseudo_terminal import CTRL_C, CTRL_D, ENTER, PATIENCE, TAB, UP, Terminal, terminal, typed_into

pytestmark = pytest.mark.usefixtures("quick_data")

SPINNER = "[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]"


class Seat:
    """Ada at her terminal."""

    def __init__(self, ada: Planned, screen: Terminal, talk: "asyncio.Task[None]") -> None:
        self.ada = ada
        self.screen = screen
        self._talk = talk

    async def gives(self, problem: str, *steps: str) -> None:
        """She gives a plan, and sees that it waits for her: who agrees has to have seen it."""
        self.screen.paste(plan(*steps, problem=problem))
        self.screen.type(ENTER)
        await self.screen.sees(f"The plan: {problem}")
        await self.screen.sees_below(r".*awaiting_approval.*")

    async def left(self) -> None:
        async with asyncio.timeout(PATIENCE):
            await self._talk

    async def said(self) -> list[str]:
        """What she said in her session."""
        [session] = await self.ada.store.sessions(self.ada.person.id, before=None, limit=2)
        self.ada.session_id = session.id
        return [one.content for one in await self.ada.items() if one.role == "operator"]


@asynccontextmanager
async def seated(columns: int = 120, engine: Engine | None = None) -> AsyncIterator[Seat]:
    words = ["/plan", "/redo", "/replan", "/reset", "/retry", "/help"]
    async with planned(engine=engine) as ada, terminal(columns) as screen:
        with typed_into(screen):
            console = Keyboard(escapes=lambda said: said == "stop", words=words, said=["what I said before"])
            talk = asyncio.create_task(
                Talk(ada.dispatcher, ada.person, Request(message="-"), console).run(), name="talk"
            )
            try:
                await screen.sees_below(r"\[EXPLORE\] idle")
                yield Seat(ada, screen, talk)
            finally:
                talk.cancel()
                await asyncio.wait({talk})


@pytest.mark.parametrize("columns", [60, 120])
async def test_a_plan_is_followed_below_a_prompt_that_stays_open(columns: int) -> None:
    async with seated(columns) as ada:
        screen, gates = ada.screen, ada.ada.gates
        await ada.gives("Revenue of every region in the last year", "first", "second")
        if columns == 60:
            await screen.sees_below(r'\[EXPLORE\] awaiting_approval "Revenue of ever…" \[y/n/suggest\]')
        else:
            shown = r'\[EXPLORE\] awaiting_approval    plan: "([\w ]+)…?" \(2 steps\)    \[y/n/suggest\]'
            await screen.sees_below(shown)

        screen.type(ENTER)
        await gates.at("first")
        await screen.sees_below(rf'\[EXPLORE\] executing {SPINNER} step 1/2 "first"')
        assert screen.colour_of("[EXPLORE]") == ("cyan", False)
        assert screen.colour_of("executing") == ("green", False)
        await screen.sees("> yes")

        screen.type("half a thought")
        await screen.sees_typed("half a thought")
        gates["first"].opened.set()
        await gates.at("second")
        await screen.sees("✓ step 1/2 first")
        await screen.sees_below(rf'\[EXPLORE\] executing {SPINNER} step 2/2 "second"')
        await screen.sees_typed("half a thought")

        gates["second"].opened.set()
        await screen.sees("- second: second is through")
        await screen.sees_below(r"\[EXPLORE\] idle")
        await screen.sees_typed("half a thought")
        told = screen.everything
        assert told.index("✓ step 1/2 first") < told.index("✓ step 2/2 second") < told.index("Done: Revenue")
        assert told.count("[EXPLORE]") <= 1  # it never scrolls; while it is drawn it may not be there
        assert not [line for line in screen.lines if len(line) > columns]


async def test_a_plan_that_another_worker_carries_out_is_followed_too() -> None:
    async with seated(engine=Nobody()) as ada:
        await ada.gives("Slow", "first", "second")
        ada.screen.type(ENTER)
        await ada.screen.sees_below(rf'\[EXPLORE\] executing {SPINNER} step 1/2 "first"')
        done = update(steps).where(steps.c.step_id == "first").values(state="done")
        await ada.ada.store.write(lambda conn: conn.execute(done))
        await ada.screen.sees("✓ step 1/2 first")
        await ada.screen.sees_below(rf'\[EXPLORE\] executing {SPINNER} step 2/2 "second"')


async def test_ctrl_c_cancels_the_plan_in_one_press_and_leaves_with_the_second() -> None:
    async with seated() as ada:
        await ada.gives("Slow", "slow")
        ada.screen.type(ENTER)
        await ada.ada.gates.at("slow")
        ada.screen.type("half")
        await ada.screen.sees_typed("half")

        ada.screen.type(CTRL_C)
        await ada.screen.sees("I've stopped.")
        await ada.screen.sees_below(r"\[EXPLORE\] idle")
        assert (await ada.said())[-1] == "cancel the plan"
        assert await ada.ada.states() == {"slow": "cancelled"}
        assert "Press Ctrl+C again to leave." in ada.screen.everything
        assert "> half" not in ada.screen.lines

        ada.screen.type(CTRL_C)
        await ada.left()


async def test_ctrl_c_drops_a_plan_that_waits_for_a_yes() -> None:
    async with seated() as ada:
        await ada.gives("Slow", "slow")
        ada.screen.type(CTRL_C)
        await ada.screen.sees("I've dropped the plan “Slow”.")
        await ada.screen.sees_below(r"\[EXPLORE\] idle")

        ada.screen.type(f"hello{ENTER}")
        await ada.screen.sees("> hello")
        ada.screen.type(CTRL_C)  # not the second in a row: something was said between
        ada.screen.type(f"hello again{ENTER}{CTRL_D}")
        await ada.left()
        assert (await ada.said())[-2:] == ["hello", "hello again"]


async def test_who_goes_on_with_a_session_is_asked_again_and_hears_the_end_of_its_plan() -> None:
    async with planned() as ada, terminal(60) as screen:
        await ada.say(plan("slow", problem="Slow"))
        with typed_into(screen):
            opening = Request(message="-", session_id=ada.here)
            talk = asyncio.create_task(Talk(ada.dispatcher, ada.person, opening, Keyboard()).run())
            await screen.sees("1 step. Shall I go ahead?")
            screen.type(ENTER)
            await ada.gates.at("slow")
            screen.type(CTRL_D)
            async with asyncio.timeout(PATIENCE):
                await talk
            await screen.sees("Ctrl+C does not wait for it.")

            talk = asyncio.create_task(Talk(ada.dispatcher, ada.person, opening, Keyboard()).run())
            await screen.sees_below(rf'\[EXPLORE\] executing {SPINNER} step 1/1 "slow"')
            ada.gates["slow"].opened.set()
            await screen.sees("- slow: slow is through")
            screen.type(CTRL_D)
            async with asyncio.timeout(PATIENCE):
                await talk


async def test_a_failure_is_shown_in_red_with_what_can_be_done() -> None:
    async with seated(60) as ada:
        ada.ada.gates["bad"].fails = "Database connection error"
        ada.ada.gates["bad"].opened.set()
        await ada.gives("Slow", "bad")
        ada.screen.type(ENTER)
        await ada.screen.sees("1. Try again")
        await ada.screen.sees_below(r'\[EXPLORE\] failed ✗ step 1 "Database…" \[retry/replan/abandon\]')
        assert ada.screen.colour_of("failed") == ("red", False)


async def test_the_mode_is_shown_and_what_waits_is_counted() -> None:
    async with seated() as ada:
        await ada.gives("Slow", "slow")
        ada.screen.type(f"/proof{ENTER}")
        await ada.screen.sees_below(r'\[PROOF\] awaiting_approval    plan: "Slow" .*')
        ada.screen.type(f"yes{ENTER}")
        await ada.ada.gates.at("slow")
        ada.screen.paste(plan("next", problem="Another"))
        ada.screen.type(ENTER)
        await ada.screen.sees_below(rf'\[PROOF\] executing {SPINNER} step 1/1 "slow"  \[queued: 1\]')
        assert ada.screen.colour_of("[PROOF]") == ("brown", True)  # yellow, as terminals call it

        ada.ada.gates["slow"].opened.set()  # the plan that waited comes by itself, and asks
        await ada.screen.sees("The plan: Another")
        await ada.screen.sees_below(r'\[PROOF\] awaiting_approval    plan: "Another" .*')
        ada.screen.type(ENTER)
        await ada.ada.gates.at("next")
        ada.screen.type(CTRL_C)
        await ada.screen.sees("I've stopped.")


async def test_ctrl_c_cancels_the_plan_and_leaves_alone_what_is_in_front_of_it() -> None:
    async with seated() as ada:
        await ada.gives("Slow", "slow")
        ada.screen.type(f"{ENTER}let's do my standup{ENTER}")
        await ada.screen.sees("What did you work on yesterday?")
        ada.screen.type(CTRL_C)
        await ada.screen.sees("I've stopped.")
        await ada.said()
        states = {one.process: one.state for one in await ada.ada.store.instances(ada.ada.here)}
        assert states == {"planning": "active", "standup": "active"}
        assert await ada.ada.phase() == "idle"


async def test_an_empty_line_is_a_yes_to_an_approval_that_was_shown_and_to_nothing_else() -> None:
    async with seated() as ada:
        ada.screen.type(f"{ENTER}{ENTER}   {ENTER}")
        ada.screen.paste(plan("slow", problem="Slow"))
        ada.screen.type(f"{ENTER}{ENTER}")  # the second one before anything could be seen
        await ada.screen.sees_below(r".*awaiting_approval.*")
        ada.screen.type(f"let's do my standup{ENTER}")
        await ada.screen.sees("What did you work on yesterday?")
        ada.screen.type(f"{ENTER}/help{ENTER}")
        await ada.screen.sees("/replan")

        said = await ada.said()
        assert [words for words in said if not words.startswith("/plan")] == ["let's do my standup", "/help"]
        assert await ada.ada.phase() == "awaiting_approval"


async def test_slash_words_are_completed_and_what_was_said_before_comes_back() -> None:
    async with seated() as ada:
        ada.screen.type(UP)
        await ada.screen.sees_typed("what I said before")
        ada.screen.type(CTRL_C)
        ada.screen.type("/re")
        for word in ("/redo", "/replan", "/reset", "/retry"):
            await ada.screen.sees(f"    {word}")
        ada.screen.type(f"{TAB}{TAB}{ENTER}")
        await ada.screen.sees("> /replan")


async def test_nothing_hostile_reaches_the_terminal(tmp_path: Path) -> None:
    name = "\x1b[31mred\u202egnp.csv"
    (tmp_path / name).write_text("Day,Net\n2024-01-01,3\n", encoding="utf-8")
    hostile = "Clear\u202e \x1b]0;owned\x07\x1b[2J it"
    async with seated() as ada:
        ada.screen.paste(f"/plan\nproblem: {hostile!r}\nsteps: []")
        ada.screen.type(ENTER)
        await ada.screen.sees("This plan cannot be carried out")
        step = sum_of("one", "1") | {"title": hostile}
        ada.screen.paste(plan(step, problem=hostile))
        ada.screen.type(ENTER)
        await ada.screen.sees("1 step. Shall I go ahead?")
        await ada.screen.sees_below(r".*awaiting_approval.*Clear.*")
        ada.screen.type(ENTER)
        await ada.screen.sees("✓ step 1/1 Clear")

        ada.screen.type(f"/attach {tmp_path}/")
        await ada.screen.sees("red�gnp.csv")
        ada.screen.type(TAB)
        ada.screen.type(ENTER)
        await ada.screen.sees("1 row in")

        assert b"\x1b]0;owned" not in ada.screen.written
        assert b"\x1b[31mred" not in ada.screen.written
        assert "\u202e".encode() not in ada.screen.written


async def test_data_is_attached_by_the_name_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "our orders.csv").write_text("Region,Net\nNorth,3\nSouth,4\n", encoding="utf-8")
    async with seated() as ada:
        ada.screen.type(f"/attach{ENTER}")
        await ada.screen.sees("! Write: /attach FILE")
        ada.screen.type(f"/attach {tmp_path}/nothing.csv{ENTER}")
        await ada.screen.sees("cannot be read: No such file")
        ada.screen.type(f"/attach {tmp_path}/our orders.csv{ENTER}")
        await ada.screen.sees("our orders.csv: 2 rows in our_orders")
        ada.screen.type(f"analyze net by region{ENTER}")
        await ada.screen.sees_below(r".*awaiting_approval    plan: .*")
