"""The process ends at every store call in turn, before it and, if it writes, after it (row A5)."""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from sqlalchemy import select

from softrail import Ask, Call, Done, Process, ask, step
from softrail.bootstrap import build
from softrail.core.effects import Record
from softrail.core.intents import Clarify, Intent, IntentDefinition, Reading, RouteResult
from softrail.core.people import Person
from softrail.core.questions import Option
from softrail.core.turns import Reply, Request, Turn
from softrail.store import open_store
from softrail.store.tables import effects
from softrail.turns.dispatcher import Dispatcher
from tests.faults.crashing import CrashingStore
from tests.faults.kit import file_url, person_of, settings

SCRIPTS: dict[str, tuple[str, ...]] = {
    "standup": (
        "let's do my standup",
        "fixed the login",
        "stop",
        "resume",
        "ship version two",
        "skip",
        "change today to rest",
        "looks good",
    ),
    "onboarding": (
        "set up my projects",
        "Atlas",
        "Dynamic Lamp",
        "that's all",
        "Atlas",
        "acme/atlas",
        "skip",
        "yes",
    ),
    "call": ("send money", "somebody new", "Robin", "20"),
    "clarification": ("file this under a project", "what do you mean?", "the second one", "thanks a lot"),
}
#: What they have done is there; who ends after a call that only read ends before the next one, and nothing is between.
WRITES = frozenset({"accept", "commit"})
EFFECTS = {"standup": 1, "onboarding": 2, "call": 2, "clarification": 1}


class Kept(BaseModel):
    """What the transfer knows."""

    who: str = ""


class AddContact(Process, name="add_contact", confirm=False):
    """Somebody to send money to, for whoever asks."""

    class Answers(BaseModel):
        name: str = ask("What is their name?", takes_anything=True)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        record = Record("contact", {"name": answers.name})
        return Done("Added.", value=answers.name, effects=[record])


class Transfer(Process, name="transfer"):
    """Money for somebody, who is added on the way."""

    starts_on = ("send money",)

    @step(asks="Who gets it?", goes_to=("use_it",), takes_anything=True)
    async def who(self, said: Turn, data: Kept) -> Call:
        return Call("add_contact", then="use_it")

    @step(goes_to=("amount",))
    async def use_it(self, said: Turn, data: Kept) -> Ask:
        assert said.result is not None
        return Ask("How much?", step="amount", data=Kept(who=said.result.value))

    @step()
    async def amount(self, said: Turn, data: Kept) -> Done:
        return Done(f"Sent {said.message} to {data.who}.", effects=[Record("sent", data)])


async def file_it(turn: Turn, intent: Intent) -> RouteResult | Clarify:
    """Needs to know which project; then it keeps a record."""
    if "project" not in intent.parameters:
        readings = [
            Reading(option=Option(label=name), intent="file_it", parameters={"project": name})
            for name in ("Atlas", "Lamp")
        ]
        return Clarify(question="Which project?", options=readings)
    name = intent.parameters["project"]
    return RouteResult(text=f"Filed under {name}.", side_effects=[Record("filed", {"project": name})])


INTENT = (IntentDefinition(name="file_it", examples=["file this under a project"]), file_it)


@dataclass
class Told:
    """What the person has heard so far."""

    session_id: str | None = None
    replies: list[str] = field(default_factory=list)


def started(url: str, store: CrashingStore, accept_after: float) -> Dispatcher:
    given: Any = store
    chosen = settings(url, accept_after=accept_after)
    return build(chosen, store=given, intents=[INTENT], processes=[Transfer, AddContact])


async def go_on(
    dispatcher: Dispatcher, person: Person, script: Sequence[str], prefix: str, told: Told
) -> None:
    """Say what is left of a script; a turn that was not answered is sent again under its id."""
    while len(told.replies) < len(script):
        n = len(told.replies)
        hint = "file_it" if script[n] == SCRIPTS["clarification"][0] else None
        request = Request(
            message=script[n], session_id=told.session_id, turn_id=f"{prefix}{n}", intent_hint=hint
        )
        reply = await dispatcher.converse(request, person)
        told.replies.append(reply)
        told.session_id = Reply.model_validate_json(reply).session_id


async def crash_once(
    url: str, script: Sequence[str], person: str, *, at: int, after: bool, accept_after: float
) -> tuple[Told, CrashingStore, Person]:
    """Say the script to a process that ends at that call, and the rest to the next one."""
    store = CrashingStore(open_store(url), at=at, after=after)
    told = Told()
    first = started(url, store, accept_after)
    await first.start(background=False)
    who = await person_of(first, person)
    talking = asyncio.create_task(go_on(first, who, script, person, told))
    dying = asyncio.create_task(store.dead.wait())
    await asyncio.wait({talking, dying}, return_when=asyncio.FIRST_COMPLETED)
    if store.dead.is_set():
        store.buried.set()
    for task in (talking, dying):
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
    await first.stop(grace=0)
    if store.dead.is_set():
        second = started(url, CrashingStore(open_store(url)), accept_after)
        async with second:
            # Every second end leaves a session to whoever died. That its process is gone is seen at the next look, and
            # who ends here shares one with whoever looks: else each of them would be waited for.
            await second.store.remove_worker(first.worker.id)
            await go_on(second, who, script, person, told)
    return told, store, who


async def look(
    dispatcher: Dispatcher, person: Person, script: Sequence[str], told: Told, kind: str
) -> list[str]:
    """What is wrong with what is there, a sentence each."""
    replies = [Reply.model_validate_json(raw) for raw in told.replies]
    session_id = told.session_id or ""
    items = await dispatcher.store.items(person.id, session_id=session_id, limit=100)
    wrong = []
    if [i.content for i in items if i.role == "operator"] != list(script):
        wrong.append("what was said is not what is there")
    if [i.content for i in items if i.role == "companion"] != [r.companion_message for r in replies]:
        wrong.append("what was answered is not what is there")
    if [i.seq for i in items] != list(range(1, 2 * len(script) + 1)):
        wrong.append("the order has a hole")
    if [r.seq for r in replies] != [i.seq for i in items if i.role == "operator"]:
        wrong.append("a reply has another number than its turn")
    rows = await dispatcher.store.read(  # type: ignore[attr-defined] # the wrapped store has it
        lambda conn: conn.execute(select(effects.c.seq).where(effects.c.session_id == session_id)).all()
    )
    made = [side for reply in replies for side in reply.side_effects]
    if not len(rows) == len(made) == EFFECTS[kind]:
        wrong.append(f"{len(rows)} effects are there, {len(made)} were told")
    if len(await dispatcher.store.sessions(person.id, before=None, limit=10)) != 1:
        wrong.append("a session was opened twice")
    if any(i.holds for i in await dispatcher.store.instances(session_id)):
        wrong.append("a process still holds the session")
    return wrong


@pytest.mark.parametrize("accept_after", [5.0, 0.0], ids=["committed at once", "accepted first"])
@pytest.mark.parametrize("kind", SCRIPTS)
async def test_a_process_that_ends_at_any_point_loses_and_doubles_nothing(
    kind: str, accept_after: float, tmp_path: Path
) -> None:
    url, script = file_url(tmp_path), SCRIPTS[kind]
    told, store, _ = await crash_once(url, script, "whole", at=0, after=False, accept_after=accept_after)
    calls, texts = store.called, [Reply.model_validate_json(r).companion_message for r in told.replies]
    assert len(calls) >= 2 * len(script)

    wrong: list[str] = []
    reader = started(url, CrashingStore(open_store(url)), accept_after)
    async with reader:
        for at in range(1, len(calls) + 1):
            for after in (False, True) if calls[at - 1] in WRITES else (False,):
                where = f"{at}{'b' if after else 'a'}"
                told, store, person = await crash_once(
                    url, script, f"p{where}", at=at, after=after, accept_after=accept_after
                )
                found = await look(reader, person, script, told, kind)
                said = [Reply.model_validate_json(raw).companion_message for raw in told.replies]
                if said != texts:
                    found.append("the conversation went another way")
                wrong += [f"point {where} ({store.where}): {what}" for what in found]
    assert wrong == []
