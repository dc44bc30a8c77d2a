"""The path of a turn, gate by gate. Start reading at `Dispatcher.think`."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import TracebackType
from typing import Self

from pydantic_core import from_json

from softrail.core.clock import now
from softrail.core.commits import Status, TurnCommit
from softrail.core.decisions import Decision
from softrail.core.errors import NotFound, Stopping, UnknownIntent
from softrail.core.instances import State
from softrail.core.people import Person
from softrail.core.ports import Deliverer
from softrail.core.sessions import Snapshot
from softrail.core.turns import Request, Turn
from softrail.language import Language, language
from softrail.registry.acting import Acting
from softrail.registry.commands import Commands
from softrail.registry.draft import Draft
from softrail.registry.feed import Feed
from softrail.registry.lanes import Lanes
from softrail.registry.model_door import turn_passing
from softrail.registry.offers import Offers
from softrail.registry.pace import Pace
from softrail.registry.parts import Parts
from softrail.registry.registry import Registry
from softrail.registry.running import RunningTurn
from softrail.registry.step_off import StepOff
from softrail.registry.sweeper import Sweeper, SweepReport
from softrail.registry.talk import Talk
from softrail.registry.timeouts import Timeouts
from softrail.registry.worker import Worker

log = logging.getLogger("softrail.turns")

Observer = Callable[[Decision], None]
REMEMBERED = 1000  #: finished streams kept for clients that come back


class Dispatcher:
    """Takes turns and gives each to its one owner. Use as ``async with``, or call `start` and `stop`."""

    def __init__(
        self,
        parts: Parts,
        *,
        pace: Pace,
        beat_interval: float = 0.5,
        dead_after: float = 2.0,
        sweep_interval: float = 60.0,
        observers: Iterable[Observer] = (),
        deliverers: Mapping[str, Deliverer] | None = None,
        faults: Iterable[str] = (),
    ) -> None:
        self.parts = parts
        self.store = parts.store
        self.registry: Registry = parts.registry
        self.faults = tuple(faults)  #: plugins that could not be used, a sentence each
        self.stopping = False
        self.feed = Feed()
        self._pace = pace
        self._observers = list(observers)
        self._acting = Acting(parts)
        self._offers = Offers(parts, self._acting)
        self._timeouts = Timeouts(parts, self._acting)
        self.commands = Commands(parts, self._offers)
        self._step_off = StepOff(parts, self._acting, self._offers, self.commands)
        self._talk = Talk(parts, self._acting, self._offers)
        self.worker = Worker(
            parts.store,
            parts.ids,
            interval=beat_interval,
            dead_after=dead_after,
            lost=lambda since, holds: self._lanes.lost(since, holds),
        )
        self._lanes = Lanes(parts.store, self.worker, self, pace)
        self._sweeper = Sweeper(
            parts,
            self._timeouts,
            self._acting,
            self._lanes,
            interval=sweep_interval,
            deliverers=dict(deliverers or {}),
            changed=self.feed.changed,
            think=self._take_default,
        )
        self._warming: asyncio.Task[None] | None = None
        self._running: OrderedDict[tuple[str, str], RunningTurn] = OrderedDict()

    # -- the path of a turn

    async def think(self, turn: Turn, snapshot: Snapshot, run: RunningTurn | None) -> Draft:
        """Compute a turn from a snapshot: gates 3 to 9. Nothing is written; the draft is what to commit."""
        draft = Draft(
            turn,
            snapshot,
            decision_id=self.parts.ids.new(),
            emit=run.emit if run is not None and run.streaming else None,
        )
        begun, words = time.perf_counter(), language(turn.person.locale)
        accept = partial(self._lanes.accept, run) if run is not None else None
        draft.decision.passed("accept", "numbered", f"Turn {turn.seq} of its session.")
        draft.decision.passed("hold", "taken" if run is None or run.fence else "free", "")
        draft.remember(undo=None, ended=False)
        try:
            own = await self.parts.model_keys.model_of(turn.person)
            with turn_passing(draft.decision, accept, person_id=turn.person.id, own=own):
                # 3 clock: processes whose time is over are suspended
                over = await self._timeouts.check(draft)
                draft.decision.passed("clock", "suspended" if over else "passed", "")
                # 4 step off, 5 question, 6 owner: whoever claims the turn answers it
                claimed = (
                    await self._step_off.handle(draft, words)
                    or await self._question(draft, words)
                    or await self._owner(draft, words)
                )
                # 7 classify, 8 route, 9 respond
                if not claimed:
                    await self._talk.answer(draft, words)
                await self._talk.reroute(draft, words)
                await self._ask_again(draft)
        except asyncio.CancelledError:
            raise
        except Exception as error:
            log.exception("Turn %s of session %s could not be computed.", turn.id, turn.session_id)
            draft = self.plainly(turn, snapshot, "internal")
            draft.decision.trouble = f"{type(error).__name__}: {error}"[:500]
        draft.decision.owner = draft.owner or draft.decision.owner
        if not draft.words:
            draft.say(self.parts.sentences.say("internal"))
        draft.show_rest()
        draft.milliseconds = (time.perf_counter() - begun) * 1000
        return draft

    async def _question(self, draft: Draft, words: Language) -> bool:
        """Gate 5: does it answer the newest open question? Then it goes to whoever asked."""
        pending = draft.pending
        if pending is None:
            return False
        if pending.question.kind == "offer":
            return await self._offers.answered(draft, pending, words)
        asker = draft.instances.get(pending.instance_id)
        if asker is None or not draft.here(asker) or asker.state is None or asker.state.ended:
            draft.ask(None)
            return False
        if asker.state is State.SUSPENDED:
            return await self._timeouts.late_answer(draft, pending, words)
        if asker.holds or draft.passing:
            return False  # the holder gets it at gate 6, by its contract
        draft.decision.passed("question", "claimed", f"An answer to {asker.process}.")
        return await self._acting.answer(draft, asker)

    async def _owner(self, draft: Draft, words: Language) -> bool:
        """Gate 6: the holding process gets the turn, by its ownership contract."""
        holder = draft.holder
        if holder is None or draft.passing:
            return False
        definition = self.registry.of(holder)
        contract = definition.contract_of(holder.step) if definition else "exclusive"
        question = holder.question
        if (
            contract == "questions_pass"
            and words.is_question(draft.message)
            and not (question and question.takes_anything)
            and not self._step_off.is_option(draft.message, question)
        ):
            draft.ask_again = holder.id
            draft.decision.passed("owner", "passed on", f"A question: {holder.process} waits and asks again.")
            return False
        draft.decision.passed("owner", holder.process, f"{holder.process} holds the session ({contract}).")
        return await self._acting.answer(draft, holder)

    async def _ask_again(self, draft: Draft) -> None:
        """What is still open is named again: an offer, or the holder's question that waited underneath."""
        if draft.reminder and draft.pending is not None and draft.pending.question.kind == "offer":
            draft.say(draft.reminder)
        waiting = draft.instances.get(draft.ask_again) if draft.ask_again else None
        if waiting is None or waiting.state is not State.ACTIVE or not draft.here(waiting):
            return
        asked = draft.pending is not None and draft.pending.instance_id == waiting.id
        if asked or (draft.holder is not None and draft.holder.id == waiting.id):
            await self._acting.again(draft, waiting)

    def plainly(self, turn: Turn, snapshot: Snapshot, sentence: str, **values: str) -> Draft:
        """A draft that changes nothing and says one sentence of the registry's."""
        draft = Draft(turn, snapshot, decision_id=self.parts.ids.new())
        draft.say(self.parts.sentences.say(sentence, **values))
        draft.decision.owner = "registry"
        draft.decision.why = sentence.replace("_", " ")
        return draft

    def commit_of(
        self,
        draft: Draft,
        request: Request,
        *,
        fence: int | None,
        status: Status = "committed",
        keep_hold: bool = False,
    ) -> TurnCommit:
        """Gate 10: reply, process state, transitions, effects and decision, for one commit."""
        return draft.commit(
            request,
            self.parts.describe,
            replied_at=now(),
            fence=fence,
            status=status,
            keep_hold=keep_hold,
        )

    def committed(self, draft: Draft, reply: str, run: RunningTurn | None) -> None:
        """After the commit: streams, observers and one log line hear of it."""
        decision = draft.decision
        if run is not None and run.streaming:
            body = from_json(reply)
            for side in body["side_effects"]:
                run.emit("side_effect", side)
            run.emit("turn.committed", body)
        self.feed.changed(draft.session.id)
        if draft.effects:
            self._sweeper.nudge()
        for observe in self._observers:
            try:
                observe(decision)
            except Exception:
                log.exception("An observer of turns failed.")
        if log.isEnabledFor(logging.INFO):
            log.info(
                "turn session=%s seq=%d turn=%s owner=%s intent=%s process=%s calls=%d runs=%d ms=%.1f %s",
                decision.session_id,
                decision.seq,
                decision.turn_id,
                decision.owner,
                decision.intent,
                decision.process,
                len(decision.model_calls),
                decision.runs,
                draft.milliseconds,
                decision.status,
            )

    # -- taking turns

    async def admit(self, request: Request, person: Person) -> None:
        """Rights first: raise NotFound or UnknownIntent before anything of the turn is stored."""
        await self.see_project(request, person)
        hint = request.intent_hint
        if hint is not None and self.registry.route(hint) is None:
            known = sorted(i.name for i in self.registry.intents())
            raise UnknownIntent(
                f"No intent named {hint!r} is registered. Known: {', '.join(known)}.",
                field="intent_hint",
                known=known,
            )

    async def see_project(self, request: Request, person: Person) -> None:
        """Raise NotFound for a project that is not this person's, or not any more."""
        if request.project_id is not None:
            projects = self.parts.projects
            if projects is None or await projects.get(person.id, request.project_id) is None:
                raise NotFound()

    def submit(self, request: Request, person: Person, *, streaming: bool = False) -> RunningTurn:
        """Begin a turn; it runs to its end whether or not anybody waits. Must be called in the event loop."""
        known = self._running.get((person.id, request.turn_id)) if request.turn_id else None
        if known is not None and not known.finished and known.request.hash == request.hash:
            return known
        run = RunningTurn(
            request,
            person,
            turn_id=request.turn_id or self.parts.ids.new(),
            session_id=request.session_id or self.parts.ids.new(),
            opens=request.session_id is None,
            at=now(),
            streaming=streaming,
            escapes=language(person.locale).is_escape(request.message),
            wait_limit=self._pace.wait_limit,
        )
        if self.stopping:
            run.fail(Stopping("The server is stopping and takes no new turns. Try again in a moment."))
            return run
        if request.turn_id or streaming:
            self._remember(run)
        self._lanes.enter(run)
        return run

    def _remember(self, run: RunningTurn) -> None:
        key = (run.person.id, run.turn_id)
        self._running[key] = run
        self._running.move_to_end(key)
        if not run.streaming:
            run.done.add_done_callback(lambda _: self._forget(key, run))
        while len(self._running) > REMEMBERED:
            self._running.popitem(last=False)

    def _forget(self, key: tuple[str, str], run: RunningTurn) -> None:
        if self._running.get(key) is run:
            del self._running[key]

    def running(self, person_id: str, turn_id: str) -> RunningTurn | None:
        """A turn that runs on this worker, or whose stream ended on it not long ago."""
        return self._running.get((person_id, turn_id))

    async def converse(self, request: Request, person: Person) -> str:
        """The reply to a turn, as JSON: byte for byte the same at every retry with its turn id.

        Raises NotFound, TurnReused, UnknownIntent, SessionBusy, StoreUnavailable or Stopping.
        """
        return await self.submit(request, person).result()

    async def cancel(self, person: Person, session_id: str) -> int:
        """Interrupt the running turn of a session and those queued; how many. Raises NotFound."""
        if await self.store.session(person.id, session_id) is None:
            raise NotFound()
        return await self._lanes.cancel(session_id)

    # -- life

    async def start(self, *, background: bool = True) -> None:
        """Connect, begin to beat and, unless `background` is off, to sweep by itself."""
        await self.store.start()
        await asyncio.to_thread(language)  # a tenth of a second that the first turn does not have to wait
        if background:
            await self.worker.ready()
            self._sweeper.start()

    def warm(self) -> None:
        """Have loaded in the background what the first message would wait for: the classifier, the model's SDK."""
        self._warming = asyncio.create_task(self._warm(), name="softrail-warm")

    async def _warm(self) -> None:
        warm = getattr(self.parts.classifier, "warm", None)
        try:
            if warm is not None:
                await warm(self.registry.intents())
            await self.parts.model_keys.warm()
        except Exception:
            log.exception("Not everything could be made ready; the first free turn tries again.")

    async def stop(self, grace: float = 30.0) -> None:
        """Take no new turns, let those under way finish for `grace` seconds, and give everything back."""
        self.stopping = True
        if self._warming is not None:
            self._warming.cancel()
        await self._sweeper.stop()
        await self._lanes.stop(grace)
        await self.worker.stop()
        await self.parts.model_keys.aclose()
        await self.store.close()

    async def sweep(self) -> SweepReport:
        """Suspend, expire and deliver what is due, and run stranded turns; once."""
        return await self._sweeper.sweep()

    def nudge(self) -> None:
        """Something may be there to deliver that no turn brought: look now, not at the next sweep."""
        self._sweeper.nudge()

    async def _take_default(self, draft: Draft) -> None:
        """Route what a defaulted clarification left, in an item of the companion's own."""
        person = draft.turn.person
        own = await self.parts.model_keys.model_of(person)
        with turn_passing(draft.decision, None, person_id=person.id, own=own):
            words = language(person.locale)
            await self._talk.reroute(draft, words)
            await self._ask_again(draft)

    async def __aenter__(self) -> Self:
        """Start it."""
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop it."""
        await self.stop(grace=5.0)
