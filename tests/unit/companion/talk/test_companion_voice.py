"""The companion's voice: its persona, the wall, streams, failures and budgets."""

import asyncio
from collections.abc import AsyncIterator
from importlib.resources import files

import pytest

from softrail.companion.catalogue import NAMES
from softrail.companion.settings import CompanionSettings
from softrail.companion.wall import wall
from softrail.core.errors import ModelUnavailable
from softrail.core.ports import ModelAnswer, ModelRequest
from softrail.core.turns import Request
from softrail.prompts import Library
from softrail.settings import Settings
from softrail.testing import FrozenClock, ScriptedModel
from tests.unit.companion.talk.kit import Talk, companion_talk

TALK = "general_conversation"


class Broken:
    """Says its pieces, then breaks off or ends short."""

    name = "broken"

    def __init__(self, *pieces: str, error: bool = True) -> None:
        self._pieces = pieces
        self._error = error

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        return ModelAnswer(text="".join(self._pieces), model=self.name, complete=False)

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        for piece in self._pieces:
            yield piece
        if self._error:
            raise ModelUnavailable("the line broke")
        yield ModelAnswer(text="".join(self._pieces), model=self.name)


async def streamed(
    c: Talk, message: str, hint: str | None = TALK, project: str | None = None
) -> list[tuple[str, str]]:
    """The events of a streamed turn, each with its text."""
    request = Request(message=message, intent_hint=hint, project_id=project)
    run = c.talk.dispatcher.submit(request, c.talk.person, streaming=True)
    found = [(event.name, str(event.data.get("text", ""))) async for event in run.log.after()]
    await run.result()
    return found


def test_the_persona_comes_from_its_file_with_both_places() -> None:
    persona = Library().get("companion/persona")
    assert persona is not None
    assert "{companion_name}" in persona.text
    assert "{operator_name}" in persona.text


@pytest.mark.parametrize("intent", NAMES)
async def test_the_prompt_holds_the_name_and_the_instruction_of_the_intent(
    frozen: FrozenClock, intent: str
) -> None:
    if intent == "create_project":  # a guided conversation answers it
        assert Library().get("instructions/create_project") is not None
        return
    model = ScriptedModel(["Fine."])
    own = {CompanionSettings: CompanionSettings(name="Mira")}
    async with companion_talk(frozen, model=model, services=own) as c:
        project = await c.project()
        said = await c.say("about it", intent, project_id=project)
        if not model.requests:
            assert intent == "finalize_project"
            return
        (request,) = model.requests
        assert "You are Mira, a lead expert working beside the person." in request.system
        instruction = Library().render(f"instructions/{intent}", operator_name="the person")
        assert request.messages[-1].content.startswith(f"{instruction}\n\nThe rest is data:")
        names = [ref.partition("@")[0] for ref in said.decision.prompts]
        assert {"companion/rules", "companion/persona", f"instructions/{intent}", "companion/turn"} <= set(
            names
        )
        assert said.model_calls == 1


async def test_the_instructions_are_the_same_bytes_on_every_turn_so_that_they_can_be_cached(
    frozen: FrozenClock,
) -> None:
    model = ScriptedModel(["a", "b"])
    async with companion_talk(frozen, model=model) as c:
        project = await c.project()
        await c.say("one", TALK, project_id=project)
        await c.companion.notes.add(c.me, project, "Barns are red")
        await c.say("two", TALK, project_id=project)
        first, second = model.requests
        assert first.system == second.system
        assert "Barns are red" in second.messages[0].content


def test_no_text_of_ours_holds_a_word_of_the_machinery() -> None:
    library = Library()
    found = {name: wall().faults(text.text) for name in library.names() if (text := library.get(name))}
    assert {name: words for name, words in found.items() if words} == {}
    for file in ("words/en.toml", "intents.yaml"):
        words = wall().faults((files("softrail.companion") / file).read_text(encoding="utf-8"))
        assert words == [], file


async def test_the_interface_holds_no_word_of_the_machinery(frozen: FrozenClock) -> None:
    from softrail.api.app import create_app

    async with companion_talk(frozen) as c:
        described = create_app(c.talk.dispatcher, Settings(docs=True)).openapi()
        # The status of a turn in its record is a value that programs compare, not a word for people.
        described["components"]["schemas"]["Decision"]["properties"]["status"].pop("default")
        assert wall().faults(str(described)) == []


async def test_the_prose_of_a_model_is_its_own(frozen: FrozenClock) -> None:
    prose = "Would you like beds in the shape of a fan, or a specialist for the pond?"
    async with companion_talk(frozen, model=ScriptedModel([prose])) as c:
        assert (await c.say("what would you plant?", TALK)).text == prose


async def test_text_comes_piece_by_piece_and_is_what_is_kept(frozen: FrozenClock) -> None:
    model = ScriptedModel(["Let us look at the note about sheep, and then decide."])
    async with companion_talk(frozen, model=model) as c:
        events = await streamed(c, "what now?")
        deltas = [text for name, text in events if name == "text.delta"]
        assert len(deltas) > 5
        assert "".join(deltas) == "Let us look at the note about sheep, and then decide."
        items = await c.talk.dispatcher.store.items(c.me, limit=10)
        assert items[-1].content == "".join(deltas)
        names = [name for name, _ in events]
        assert names.index("turn.accepted") < names.index("text.delta")


async def test_an_answer_that_breaks_off_is_kept_as_it_was_seen_and_says_so(frozen: FrozenClock) -> None:
    async with companion_talk(frozen, model=Broken("Sheep need ", "sha")) as c:
        project = await c.project()
        events = await streamed(c, "Sheep are white", "add_knowledge", project)
        seen = "".join(text for name, text in events if name == "text.delta")
        said, mark, plainly, *_ = seen.split("\n\n")
        assert (said, mark) == ("Sheep need sha", "(My answer broke off here.)")
        assert plainly.startswith("I've noted for")  # what was done is said all the same
        items = await c.talk.dispatcher.store.items(c.me, limit=10)
        assert items[-1].content == seen
        assert len(await c.notes(project)) == 1


@pytest.mark.parametrize("error", [True, False], ids=["broken", "empty"])
async def test_a_stream_without_a_word_is_the_honest_sentence(frozen: FrozenClock, error: bool) -> None:
    async with companion_talk(frozen, model=Broken("  ", error=error)) as c:
        events = await streamed(c, "what now?")
        seen = "".join(text for name, text in events if name == "text.delta")
        why = "I'm having trouble thinking right now" if error else "I found no answer to that"
        assert seen.startswith(why)


async def test_when_the_model_fails_what_was_done_is_listed_and_stays_done(frozen: FrozenClock) -> None:
    model = ScriptedModel([ModelUnavailable("away")])
    async with companion_talk(frozen, model=model) as c:
        project = await c.project()
        said = await c.say("Sheep need shade", "add_knowledge", project_id=project)
        assert said.text.startswith("I've noted for FarmGuard: “Sheep need shade”.")
        assert said.text.endswith("(I'm having trouble thinking right now, so that is the short answer.)")
        assert [note.text for note in await c.notes(project)] == ["Sheep need shade"]


async def test_a_sure_message_costs_one_call_and_a_guided_turn_none(frozen: FrozenClock) -> None:
    model = ScriptedModel({"respond": ["Noted."]})
    async with companion_talk(frozen, model=model) as c:
        project = await c.project()
        sure = await c.say("remember that our budget is twenty thousand euros", project_id=project)
        assert (sure.intent, sure.model_calls) == ("add_knowledge", 1)
        begun = await c.say("I want to build an app for booking tennis courts", "create_project")
        guided = await c.say("Court Finder")
        assert (begun.model_calls, guided.model_calls) == (0, 0)


async def test_a_spent_budget_is_said_and_costs_no_call(frozen: FrozenClock) -> None:
    model = ScriptedModel(["one", "What next?", "three"])
    async with companion_talk(frozen, model=model, settings=Settings(tokens_per_day=5_000)) as c:
        assert (await c.say("first", TALK)).text == "one"
        refused = await c.say("x" * 12_000, TALK)
        assert refused.text.startswith("I have used up what I may spend on thinking for you today")
        assert len(model.requests) == 1
        guided = await c.say("I want to build a boat", "create_project")
        assert guided.process == "seed_conversation"
        await c.say("stop")
        c.talk.advance(days=1)
        assert (await c.say("x" * 2_000, TALK)).text == "What next?"


class Slow:
    """Answers nobody before it is let go."""

    name = "slow"

    def __init__(self) -> None:
        self.asked = 0
        self.go = asyncio.Event()

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        self.asked += 1
        await self.go.wait()
        return ModelAnswer(text="At last.", model=self.name, input_tokens=100, output_tokens=10)

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        yield await self.answer(request)


async def test_of_many_turns_at_once_only_those_are_asked_that_the_budget_holds(frozen: FrozenClock) -> None:
    model = Slow()
    async with companion_talk(frozen, model=model, settings=Settings(tokens_per_day=7_000)) as c:
        requests = [Request(message=f"message {n}", intent_hint=TALK) for n in range(20)]
        tasks = {asyncio.create_task(c.talk.dispatcher.converse(r, c.talk.person)) for r in requests}
        done: set[asyncio.Task[str]] = set()
        while len(done) < 18:
            more, tasks = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED, timeout=20)
            assert more, "more turns are asked than the budget holds"
            done |= more
        assert model.asked == 2
        model.go.set()
        told = [await task for task in [*done, *tasks]]
        assert sum("At last." in reply for reply in told) == 2
        # What was set aside and not used is given back.
        assert (await c.say("and now?", TALK)).text == "At last."


async def test_without_a_model_talk_says_what_can_be_done(frozen: FrozenClock) -> None:
    async with companion_talk(frozen) as c:
        said = await c.say("I wonder about sheep", TALK)
        assert "create a project" in said.text
        assert any(ref.startswith("replies/newcomer@") for ref in said.decision.prompts)

        await c.project()
        said = await c.say("wool?", TALK)
        assert "show me what is possible here" in said.text
        assert any(ref.startswith("replies/general_conversation_") for ref in said.decision.prompts)
