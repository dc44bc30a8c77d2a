"""Takes turns, runs them in order and tells what came of them; what a turn means is `dialogue.path`'s."""

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Literal, Self

from pydantic_core import from_json

from softrail.core.clock import now
from softrail.core.commits import Status, TurnCommit
from softrail.core.decisions import Decision
from softrail.core.effects import OutboxItem
from softrail.core.errors import (
    BadRequest,
    NotFound,
    NotReady,
    ServiceNotStarted,
    Stopping,
    UnknownIntent,
    UnknownSignal,
)
from softrail.core.execution import Engine, Service, Work
from softrail.core.instances import Instance
from softrail.core.people import Person
from softrail.core.ports import Deliverer, Keeper, Warms
from softrail.core.saying import SaidAtOnce
from softrail.core.sessions import Session, Snapshot
from softrail.core.signals import Signal, SignalRequest
from softrail.core.turns import Request, Turn, WayView
from softrail.dialogue.changes import changes
from softrail.dialogue.context import Parts
from softrail.dialogue.draft import Draft
from softrail.dialogue.path import Path
from softrail.language import language
from softrail.registry.discovery import Part
from softrail.registry.registry import Registry
from softrail.turns.aloud import Aloud
from softrail.turns.deliveries import Deliveries, Heard, Outcome
from softrail.turns.handing import Handing
from softrail.turns.notifier import Notifier
from softrail.turns.progress import ProgressBoard
from softrail.turns.queue import SessionQueue
from softrail.turns.requests import AnyRequest
from softrail.turns.running import RunningTurn, patience
from softrail.turns.services import Services, WorkerHost
from softrail.turns.sweeper import Sweeper, SweepReport
from softrail.turns.timing import Timing
from softrail.turns.watching import SessionsWatched
from softrail.turns.worker import Worker

log = logging.getLogger("softrail.turns")

Observer = Callable[[Decision], None]
REMEMBERED = 1000  #: finished streams kept for clients that come back


class Dispatcher:
    """Takes turns and gives each to its one owner. Use as ``async with``, or call `start` and `stop`."""

    def __init__(
        self,
        parts: Parts,
        *,
        timing: Timing,
        beat_interval: float = 0.5,
        dead_after: float = 2.0,
        sweep_interval: float = 60.0,
        delivery_limit: float = 60.0,
        observers: Iterable[Observer] = (),
        deliverers: Mapping[str, Deliverer] | None = None,
        heard: Iterable[Heard] = (),
        faults: Iterable[str] = (),
        services: Sequence[Service] = (),
        checks: Sequence[Callable[[], Awaitable[None]]] = (),
        engine: Engine | None = None,
        works: Mapping[str, Work] | None = None,
        keepers: Iterable[Keeper] = (),
    ) -> None:
        self.parts = parts
        self.store = parts.store
        self.registry: Registry = parts.registry
        self.faults = tuple(faults)  #: plugins that could not be used, a sentence each
        self.announced: tuple[Part, ...] = ()  #: the plugins in use, with what they announce
        self.again: Callable[..., Dispatcher] | None = (
            None  #: makes it anew, with other parts where they are named
        )
        self.stopping = False
        self._not_started: ServiceNotStarted | None = None
        self.notifier = Notifier()
        self.watched = SessionsWatched(
            parts.store, self.notifier, stopping=lambda: self.stopping, alone=lambda: self.worker.alone
        )
        self._patience = patience(timing.wait_limit)
        self._observers = list(observers)
        self._path = Path(parts)
        self.commands = self._path.commands
        self.worker = Worker(
            parts.store,
            parts.ids,
            interval=beat_interval,
            dead_after=dead_after,
            lost=lambda since, leases: self._queue.lost(since, leases),
        )
        self._queue = SessionQueue(parts.store, self.worker, self, timing)
        self.worker.when_still = self._queue.stands_still
        self._deliveries = Deliveries(
            parts.store,
            self.worker,
            {**(deliverers or {}), **Handing(parts.store, self._begin).deliverers},
            limit=delivery_limit,
            report=self._report,
            heard=heard,
        )
        self._sweeper = Sweeper(
            parts,
            self._path.timeouts,
            self._path.acting,
            self._queue,
            interval=sweep_interval,
            changed=self.notifier.changed,
            think=self._path.take_default,
            swept=self._deliveries.look,
        )
        self.engine = engine
        self.progress = ProgressBoard()
        self.aloud = Aloud()
        self._works = dict(works or {})
        self._keepers = tuple(keepers)
        self._services = Services(services)
        self._checks = tuple(checks)
        self._host = WorkerHost(
            progress=self.progress,
            ids=parts.ids,
            worker=self.worker.ready,
            wake=self.wake,
            signal=self.signal,
            is_stopping=lambda: self.stopping,
        )
        self._warming: asyncio.Task[None] | None = None
        self._running: OrderedDict[tuple[str, str], RunningTurn] = OrderedDict()

    def observe(self, observer: Observer, *, on_delivery: Heard | None = None) -> None:
        """Call it, too, with every turn's decision record after its commit, and the other with every delivery's outcome."""
        self._observers.append(observer)
        if on_delivery is not None:
            self._deliveries.heard.append(on_delivery)

    # -- what the order of turns asks of the dialogue

    async def think(self, turn: Turn, snapshot: Snapshot, run: RunningTurn | None) -> Draft:
        """Compute a turn from a snapshot: gates 3 to 9. Nothing is written; the draft is what to commit."""
        return await self._path.think(
            turn,
            snapshot,
            emit=run.emit if run is not None and run.streaming else None,
            accept=partial(self._queue.before_outside, run) if run is not None else None,
            held=run is None or run.fence is not None,
            tell=partial(self._tell, turn, run),
        )

    def _tell(self, turn: Turn, run: RunningTurn | None, texts: Sequence[str]) -> None:
        """Tell those who watch a session what is said in it just now; again only what they have not been told."""
        seq = (
            turn.seq + 1 if turn.origin == "person" else turn.seq
        )  # one's own item has no question before it
        for text in texts if run is None else run.not_told(texts):
            said = SaidAtOnce(session_id=turn.session_id, turn_id=turn.id, seq=seq, text=text)
            self.aloud.tell(said)

    def plainly(self, turn: Turn, snapshot: Snapshot, sentence: str, **values: str) -> Draft:
        """A draft that changes nothing and says one sentence of the registry's."""
        return self._path.plainly(turn, snapshot, sentence, **values)

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
        """Gate 10: reply, process state, transitions, effects and decision, for one commit."""
        draft.decision.changed = changes(draft, self.registry)
        return draft.commit(
            request,
            self.parts.describe,
            replied_at=now(),
            fence=fence,
            status=status,
            keep_lease=keep_lease,
            alone=alone,
        )

    def committed(self, draft: Draft, reply: str, run: RunningTurn | None) -> None:
        """After the commit: streams, observers and one log line hear of it."""
        decision = draft.decision
        if run is not None and run.streaming:
            body = from_json(reply)
            for side in body["side_effects"]:
                run.emit("side_effect", side)
            run.emit("turn.committed", body)
        self.notifier.changed(draft.session.id)
        if draft.effects:
            self._deliveries.nudge()
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

    async def admit(self, request: AnyRequest, person: Person) -> None:
        """Rights first: raise NotFound or UnknownIntent before anything of the turn is stored."""
        await self.see_project(request, person)
        if not isinstance(request, Request):
            return
        await self._see_files(request, person)
        hint = request.intent_hint
        if hint is not None and self.registry.route(hint) is None:
            known = sorted(i.name for i in self.registry.intents())
            raise UnknownIntent(
                f"No intent named {hint!r} is registered. Known: {', '.join(known)}.",
                field="intent_hint",
                known=known,
            )

    async def see_project(self, request: AnyRequest, person: Person) -> None:
        """Raise NotFound for a project that is not this person's, or not any more."""
        if request.project_id is not None:
            projects = self.parts.projects
            if projects is None or await projects.get(person.id, request.project_id) is None:
                raise NotFound()

    async def _see_files(self, request: Request, person: Person) -> None:
        """Raise NotFound for a file that is not one of the session, or not any more."""
        if not request.attachments:
            return
        files, here = self.parts.attachments, request.session_id
        found = (
            await files.find(person.id, here, request.attachments)
            if files is not None and here is not None
            else ()
        )
        if len(found) < len(request.attachments):
            raise NotFound()

    async def check_value(self, request: Request, person: Person) -> None:
        """Raise BadRequest for a value that is not of the form that its question's schema says, while that question is open.

        Anything else that stands against an answer, and that its question is closed by now, the turn itself says.
        """
        if request.value is None or request.session_id is None:
            return
        session = await self.store.session(person.id, request.session_id)
        pending = session.pending if session is not None else None
        if pending is None or pending.id != request.answers or pending.question.answer_schema is None:
            return
        wrong = self.parts.conductor.unfit(pending.question, request.value)
        if wrong:
            fields = [
                {"field": ".".join(map(str, ("value", *path)))[:100], "reason": reason[:300]}
                for path, reason in wrong[:20]
            ]
            first = fields[0]
            raise BadRequest(f"The field {first['field']!r} is not usable: {first['reason']}", fields=fields)

    def submit(self, request: Request, person: Person, *, streaming: bool = False) -> RunningTurn:
        """Begin a turn; it runs to its end whether or not anybody waits. Must be called in the event loop."""
        return self._begin(
            request,
            person,
            request.session_id,
            streaming=streaming,
            escapes=language(person.locale).is_escape(request.message),
        )

    def _begin(
        self,
        request: AnyRequest,
        person: Person,
        session_id: str | None,
        *,
        streaming: bool = False,
        escapes: bool = False,
    ) -> RunningTurn:
        """Begin a turn in a session; None opens one. One of that id and body that runs already is that one."""
        known = self._running.get((person.id, request.turn_id)) if request.turn_id else None
        if known is not None and not known.finished and known.request.hash == request.hash:
            return known
        run = RunningTurn(
            request,
            person,
            turn_id=request.turn_id or self.parts.ids.new(),
            session_id=session_id or self.parts.ids.new(),
            opens=session_id is None,
            at=now(),
            streaming=streaming,
            escapes=escapes,
            patience=self._patience,
        )
        if self.stopping:
            run.fail(Stopping("The server is stopping and takes no new turns. Try again in a moment."))
            return run
        if self._not_started is not None:
            run.fail(self._not_ready())
            return run
        if request.turn_id is not None or streaming:
            self._remember(run)
        self._queue.enter(run)
        return run

    def _remember(self, run: RunningTurn) -> None:
        key = (run.person.id, run.turn_id)
        self._running[key] = run
        self._running.move_to_end(key)
        if not run.streaming:
            run.ended = partial(self._forget, key, run)
        while len(self._running) > REMEMBERED:
            self._running.popitem(last=False)

    def _forget(self, key: tuple[str, str], run: RunningTurn) -> None:
        if self._running.get(key) is run:
            del self._running[key]

    def running(self, person_id: str, turn_id: str) -> RunningTurn | None:
        """A turn that runs on this worker, or whose stream ended on it not long ago."""
        return self._running.get((person_id, turn_id))

    def running_in(self, person_id: str, session_id: str) -> Sequence[RunningTurn]:
        """The turns of a person's session that run on this worker or wait there, in their order."""
        mine = (r for r in self._running.values() if r.session_id == session_id and r.person.id == person_id)
        return [run for run in mine if not run.finished]

    async def ways(self, session: Session, instances: Sequence[Instance]) -> Sequence[WayView]:
        """What can be said next in a session to move on, back or out; `instances` are all of it."""
        return await self._path.ways.stored(session, {one.id: one for one in instances}, now())

    async def converse(self, request: Request, person: Person) -> str:
        """The reply to a turn, as JSON: byte for byte the same at every retry with its turn id.

        Raises NotFound, TurnReused, UnknownIntent, SessionBusy, StoreUnavailable or Stopping.
        """
        return await self.submit(request, person).result()

    async def signal(self, instance_id: str, signal: Signal, *, person: Person | None = None) -> str:
        """Tell an instance what happened outside, once for each name and key; what came of it, as a reply's JSON.

        It runs in the session's order, as an item of the companion's own. With `person`, only one of theirs is told.
        Raises NotFound, UnknownSignal, TurnReused (the key came with other data), BadRequest, StoreUnavailable.
        """
        signal = signal.checked()
        instance = await self.store.instance(instance_id)
        if instance is None or (person is not None and instance.person_id != person.id):
            raise NotFound()
        self._check_known(instance, signal.name)
        whose = person or await self.store.person(instance.person_id)
        if whose is None:
            raise NotFound()
        request = SignalRequest(instance_id=instance.id, signal=signal)
        return await self._begin(request, whose, instance.session_id).result()

    async def asked_of(self, person: Person) -> list[Instance]:
        """The parts that others ask of this person and that are still open, the first asked first."""
        return await self._path.acting.asked.open(person.id)

    def offer_of(self, instance: Instance) -> str:
        """The question by which such a part is offered."""
        return self._path.acting.asked.prompt(instance)

    async def _report(self, item: OutboxItem, outcome: Outcome, error: str | None) -> None:
        """Tell the process whose effect was delivered, or set aside, if a step of it wants to know."""
        instance = await self.store.instance(item.instance_id or "")
        definition = self.registry.of(instance) if instance is not None else None
        if instance is None or definition is None or outcome not in definition.signals:
            return
        data = {"kind": item.kind, **({"error": error} if error else {})}
        with contextlib.suppress(NotFound):  # erased meanwhile: nobody is there to be told
            await self.signal(instance.id, Signal(outcome, item.key, data))

    def _check_known(self, instance: Instance, name: str) -> None:
        definition = self.registry.of(instance)
        if definition is None or name in definition.signals:
            return
        step = definition.steps.get(instance.step)
        if instance.memo.waits and instance.memo.assigned is None and step is not None and not step.on:
            return  # whatever comes is what it waits for
        known = ", ".join(sorted(definition.signals)) or "none"
        raise UnknownSignal(
            f"Process {instance.process!r} takes no signal {name!r}. It takes: {known}.",
            name=name,
            known=sorted(definition.signals),
        )

    async def cancel(self, person: Person, session_id: str) -> int:
        """Interrupt the running turn of a session and those queued; how many. Raises NotFound."""
        if await self.store.session(person.id, session_id) is None:
            raise NotFound()
        return await self._queue.cancel(session_id)

    # -- erasing

    async def erase_person(self, person_id: str) -> None:
        """Erase a person and all that is theirs, wherever it is kept. Raises StoreUnavailable: send it again."""
        for keeper in self._keepers:  # before the store, which knows whose it is
            await keeper.forget(person_id)
        await self.store.delete_person(person_id)

    async def erase_session(self, person_id: str, session_id: str) -> bool:
        """Erase a session with all that was said in it, wherever it is kept; whether it was the person's."""
        if await self.store.session(person_id, session_id) is None:
            return False
        for keeper in self._keepers:
            await keeper.forget(person_id, session_id)
        erased = await self.store.delete_session(person_id, session_id)
        self.notifier.changed(session_id)
        return erased

    # -- life

    async def check(self) -> None:
        """Returns when turns can be taken. Raises Stopping, NotReady or StoreUnavailable, which say why not."""
        if self.stopping:
            raise Stopping("The server is stopping and takes no new turns.")
        if self._not_started is not None:
            raise self._not_ready()
        await self.store.check()
        for check in self._checks:
            await check()

    def _not_ready(self) -> NotReady:
        # Its name and its words are for the log: they may hold an address or a key.
        return NotReady("A service that this server needs could not be started yet; the log says which.")

    async def start(self, *, background: bool = True, services: bool = True) -> None:
        """Connect, start the services and, unless `background` is off, begin to beat, to sweep and to drive long work.

        Without `services` they are used as they are: whoever else has them has started them.

        Raises:
            StoreUnavailable: The store cannot be used yet; call it again later.
            ServiceNotStarted: A service could not be started; nothing is left running.
        """
        await self.store.start()
        await asyncio.to_thread(
            language().ready
        )  # a tenth of a second that the first turn does not have to wait
        self.progress.start()
        try:
            if background:
                await self.worker.ready()
            if services:
                await self._services.start(self._host)
        except BaseException as error:
            self._not_started = error if isinstance(error, ServiceNotStarted) else None
            await self.worker.stop()
            await self.store.close()
            raise
        self._not_started = None
        if background:
            self._sweeper.start()
            self._deliveries.start()
            if self.engine is not None:
                await self.engine.start(self._works, self._host)

    def warm(self) -> asyncio.Task[None]:
        """Have loaded in the background what the first message would wait for: the classifier, the model's SDK."""
        self._warming = asyncio.create_task(self._warm(), name="softrail-warm")
        return self._warming

    async def _warm(self) -> None:
        classifier = self.parts.classifier
        ready = getattr(self.parts.reader, "warm", None)
        try:
            if ready is not None:
                await ready()
            if isinstance(classifier, Warms):
                await classifier.warm(self.registry.candidates())
            await self.parts.model_keys.warm()
            if isinstance(classifier, Warms):
                # The sets of intents while one process with its own is active, and while all are.
                definitions = self.registry.definitions()
                own = [d for d in definitions if any(i.offered == "active" for i in d.intents)]
                for active in [*([one] for one in own), own]:
                    await classifier.warm(self.registry.candidates(active))
        except Exception:
            log.exception("Not everything could be made ready; the first free turn tries again.")

    async def finish(self, grace: float) -> None:
        """Take no new turns and end those under way as Stopping that do not finish within `grace` seconds.

        What is being delivered has that long, too.
        """
        self.stopping = True
        await asyncio.gather(self._queue.stop(grace), self._deliveries.stop(grace))

    async def stop(self, grace: float = 30.0) -> None:
        """Take no new turns, let those under way finish for `grace` seconds, and give everything back."""
        self.stopping = True
        if self._warming is not None:
            self._warming.cancel()
        await self._sweeper.stop()
        begun = asyncio.get_running_loop().time()
        # Side by side: all have the same grace, and the services that they use outlast them.
        driven = self.engine.stop(grace) if self.engine is not None else asyncio.sleep(0)
        await asyncio.gather(self._queue.stop(grace), self._deliveries.stop(grace), driven)
        await self.watched.stop()
        await self._services.stop(grace - (asyncio.get_running_loop().time() - begun))
        await self.worker.stop()
        await self.parts.model_keys.aclose()
        await self.store.close()

    @property
    def works_inside(self) -> Collection[str]:
        """The kinds of effects whose delivery changes nothing outside the store."""
        return self._deliveries.inside

    async def work_inside(self) -> int:
        """Deliver what is due and changes nothing outside the store; how many."""
        return await self._deliveries.once(inside=True)

    async def sweep(self, *, deliver: bool | Literal["inside"] = True) -> SweepReport:
        """Suspend, expire and, unless `deliver` is off, deliver what is due, and run stranded turns; once.

        Of what is due, "inside" delivers what changes nothing outside the store.
        """
        report = await self._sweeper.sweep()
        if not deliver:
            return report
        done = await (self.work_inside() if deliver == "inside" else self._deliveries.once())
        return replace(report, delivered=done)

    def nudge(self) -> None:
        """Something may be there to deliver that no turn brought: look now, not at the next sweep."""
        self._deliveries.nudge()

    def wake(self, kind: str, run_id: str) -> None:
        """There is something to do for a run of long work: commit it first. Must be called in the event loop."""
        if self.engine is not None:
            self.engine.wake(kind, run_id)

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
