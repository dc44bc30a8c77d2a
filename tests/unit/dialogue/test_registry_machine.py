"""The registry against a model of it that fits on a page (row M1)."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from hypothesis.strategies import booleans, integers, sampled_from
from pydantic import BaseModel

from softrail.bootstrap import build
from softrail.classifier import PlainClassifier
from softrail.core.clock import clock
from softrail.core.instances import Instance, State
from softrail.core.outcomes import Done
from softrail.core.people import Person
from softrail.core.turns import Reply, Request, Turn
from softrail.processes import Process, ask
from softrail.settings import Settings
from softrail.store import MemoryStore
from softrail.testing import FrozenClock
from softrail.turns.dispatcher import Dispatcher
from tests.readers import reader

DOUBTFUL = "ugh lamp"  #: what is read as an answer, or as a wish to leave
LIMIT = 10  #: minutes of silence after which a process is paused


class Alpha(Process, name="alpha", version=1):
    """Offered on a greeting."""

    starts_on = ("begin alpha",)
    idle_timeout = timedelta(minutes=LIMIT)
    confirm = False

    class Answers(BaseModel):
        first: str = ask("First?")
        second: str = ask("Second?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Alpha is done.")

    async def offer_when(self, turn: Turn) -> bool:
        return True


class Beta(Process, name="beta", version=1):
    """Only on request."""

    starts_on = ("begin beta",)
    idle_timeout = timedelta(minutes=LIMIT)
    confirm = False

    class Answers(BaseModel):
        first: str = ask("First?")
        second: str = ask("Second?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Beta is done.")


PROCESSES = {"alpha": Alpha, "beta": Beta}
NAMES = sampled_from(sorted(PROCESSES))
SETTINGS = Settings(accept_after=60)


@dataclass
class Model:
    """What the registry must believe of one session: the dictionary it is compared with."""

    holder: str | None = None
    given: dict[str, int] = field(default_factory=dict)  #: answers of the active or suspended instance
    paused: list[str] = field(default_factory=list)  #: the last paused first
    offered_back: set[str] = field(default_factory=set)
    pending: tuple[str, str] | None = None  #: ask, late, offer or resume, and whose
    refused: int = 0  #: how often alpha was declined, and that was not taken back
    undo: tuple[str, str] | None = None  #: what the next turn may take back: how it was left, and which
    silent: int = 0  #: seconds since the holder's last turn
    runs: dict[str, int] = field(default_factory=dict)  #: which run of each process is the last one
    after: dict[str, tuple[str, int]] = field(
        default_factory=dict
    )  #: the run that was paused for the last one

    def turn(self) -> tuple[str, str] | None:
        """A turn begins, a second later: who is silent too long is paused; returns what may be taken back."""
        self.silent += 1
        self.sweep()
        undo, self.undo = self.undo, None
        return undo

    def taken_back(self, undo: tuple[str, str]) -> None:
        """What the turn before did is undone. A no to going on was no refusal then; a declined offer stays one."""
        how, whose = undo
        self.refused -= how == "resume" and whose == "alpha"
        if how == "offer":
            self.begin(whose, None)
        self.activate(whose, self.given[whose])

    def begin(self, name: str, before: str | None) -> None:
        """A new run, for which another one may be paused: that comes back when this is done."""
        self.runs[name] = self.runs.get(name, 0) + 1
        self.after.pop(name, None)
        if before is not None and before != name:
            self.after[name] = (before, self.runs.get(before, 0))

    def too_late(self, *, in_seconds: int = 0) -> bool:
        return self.holder is not None and self.silent + in_seconds > LIMIT * 60

    def sweep(self) -> None:
        if self.too_late():
            late = self.holder
            assert late is not None
            self.pause()
            self.pending = ("late", late)

    def pause(self) -> None:
        assert self.holder is not None
        self.paused = [self.holder, *(p for p in self.paused if p != self.holder)]
        self.offered_back.discard(self.holder)
        self.holder = self.pending = None

    def activate(self, name: str, given: int) -> None:
        if self.holder not in (None, name):
            self.pause()
        self.paused = [p for p in self.paused if p != name]
        self.holder, self.silent, self.given[name] = name, 0, given
        self.pending = ("ask", name)

    def answer(self, gone: set[str]) -> None:
        assert self.holder is not None
        self.silent = 0
        self.given[self.holder] += 1
        if self.given[self.holder] == 2:
            name, run = self.after.pop(self.holder, ("", 0))
            self.holder = self.pending = None
            if name in self.paused and name not in gone and self.runs.get(name, 0) == run:
                self.activate(name, self.given[name])

    def end(self, name: str) -> None:
        self.holder = None if self.holder == name else self.holder
        self.paused = [p for p in self.paused if p != name]
        self.pending = None

    def greeted(self, gone: set[str], skipped: set[str]) -> None:
        """Nothing holds the session: offer what was paused, else alpha."""
        back = [p for p in self.paused if p not in self.offered_back | gone | skipped]
        alpha_is_new = "alpha" not in (*self.paused, *gone, *skipped) and not self.refused
        if back:
            self.pending = ("resume", back[0])
            self.offered_back.add(back[0])
        elif alpha_is_new:
            self.pending = ("offer", "alpha")


class RegistryMachine(RuleBasedStateMachine):
    """Two workers, one person, one session, two processes that come and go."""

    @initialize()
    def begin(self) -> None:
        self.runner = asyncio.Runner()
        self.clock = FrozenClock()
        self.entered = clock(self.clock)
        self.entered.__enter__()
        self.store = MemoryStore()
        self.model = Model()
        self.gone: set[str] = set()
        self.said = 0
        self.session_id: str | None = None
        self.workers: list[Dispatcher] = []
        self.restart()
        self.person: Person = self.runner.run(
            self.store.ensure_person("sam@example.org", id="sam", at=self.clock())
        )
        self.say("good to be here", 0)

    def restart(self) -> None:
        for worker in self.workers:
            self.runner.run(worker.stop(grace=0))
        self.workers = []
        for _ in range(2):
            installed = [process for name, process in PROCESSES.items() if name not in self.gone]
            worker = build(
                SETTINGS,
                store=self.store,
                reader=reader(acts={DOUBTFUL: {"inform": 0.4, "leave": 0.55}}),
                classifier=PlainClassifier(),
                processes=installed,
                discover=False,
            )
            self.runner.run(worker.start(background=False))
            self.workers.append(worker)

    def say(self, message: str, worker: int) -> None:
        self.clock.advance(seconds=1)  # the order of pauses is by time
        request = Request(message=message, session_id=self.session_id)
        reply = Reply.model_validate_json(
            self.runner.run(self.workers[worker].converse(request, self.person))
        )
        assert reply.companion_message
        self.session_id = reply.session_id

    def teardown(self) -> None:
        if hasattr(self, "runner"):
            for worker in self.workers:
                self.runner.run(worker.stop(grace=0))
            self.runner.close()
            self.entered.__exit__(None, None, None)

    # -- what people do

    @rule(name=NAMES, worker=integers(0, 1))
    def start(self, name: str, worker: int) -> None:
        if name in self.gone:
            return
        model = self.model
        model.turn()
        self.say(f"begin {name}", worker)
        if model.holder in self.gone or model.holder != name:
            model.begin(name, None if model.holder in self.gone else model.holder)
            model.activate(name, 0)
        # who is in it already is asked again, and its silence goes on

    @rule(worker=integers(0, 1))
    def answer(self, worker: int) -> None:
        self.said += 1
        model = self.model
        model.turn()
        self.say(f"red lamp {self.said}", worker)
        kind, whose = model.pending or ("", "")
        if model.holder in self.gone:
            model.pause()
        elif model.holder is not None:
            model.answer(self.gone)
        elif kind == "late" and whose not in self.gone:
            model.activate(whose, model.given[whose])
            model.answer(self.gone)
        else:
            model.pending = None

    @rule(worker=integers(0, 1))
    def say_what_may_be_an_answer_or_a_wish_to_leave(self, worker: int) -> None:
        model = self.model
        model.turn()
        self.say(DOUBTFUL, worker)
        if model.holder in self.gone:
            model.pause()
        elif model.holder is None:
            model.pending = None
        # it is asked: nothing is stored, nobody leaves, and the silence goes on

    @rule(worker=integers(0, 1))
    def escape(self, worker: int) -> None:
        model = self.model
        model.turn()
        self.say("stop", worker)
        self.left("pause")

    @rule(worker=integers(0, 1))
    def leave(self, worker: int) -> None:
        model = self.model
        model.turn()
        self.say("forget it", worker)
        self.left("end")

    def left(self, how: str) -> None:
        model = self.model
        kind, whose = model.pending or ("", "")
        if model.holder is not None:
            model.undo = (how, model.holder)
            if how == "pause":
                model.pause()
            else:
                model.end(model.holder)
        elif kind in ("offer", "resume"):
            self.declined(kind, whose)
        else:
            model.pending = None

    def declined(self, kind: str, whose: str) -> None:
        model = self.model
        model.end(whose)
        model.refused += whose == "alpha"
        model.undo = (kind, whose)
        if kind == "offer":
            model.given[whose] = 0

    @rule(worker=integers(0, 1), yes=booleans())
    def consent(self, worker: int, yes: bool) -> None:
        model = self.model
        if model.pending is None or model.pending[0] not in ("offer", "resume"):
            return
        kind, whose = model.pending
        model.turn()
        self.say("yes please" if yes else "no thanks", worker)
        if not yes:
            self.declined(kind, whose)
        elif whose in self.gone:
            model.pending = None
        else:
            if kind == "offer":
                model.begin(whose, None)
            model.activate(whose, 0 if kind == "offer" else model.given[whose])

    @rule(worker=integers(0, 1))
    def greet(self, worker: int) -> None:
        model = self.model
        model.turn()
        self.say("hello", worker)
        kind, whose = model.pending or ("", "")
        if model.holder is not None and model.holder not in self.gone:
            return  # the question is asked again
        skipped = set()
        if model.holder is not None:
            skipped.add(model.holder)
            model.pause()
        elif kind == "offer":
            skipped.add(whose)  # it lapses, and is not made again at once
        model.pending = None
        model.greeted(self.gone, skipped)

    @rule(worker=integers(0, 1))
    def resume(self, worker: int) -> None:
        model = self.model
        late = model.holder if model.too_late(in_seconds=1) else None
        kind, whose = ("late", late) if late else model.pending or ("", "")
        front = model.undo[1] if model.undo else whose if kind == "resume" else None
        wanted = front or late or next(iter(model.paused), None)
        if wanted is None or wanted in self.gone or kind == "offer":
            return
        undo = model.turn()
        self.say("resume", worker)
        if undo is not None and wanted == undo[1]:
            model.taken_back(undo)
        else:
            model.activate(wanted, model.given[wanted])

    @precondition(lambda self: self.model.undo is not None)
    @rule(worker=integers(0, 1))
    def undo(self, worker: int) -> None:
        model = self.model
        assert model.undo is not None
        if model.undo[1] in self.gone:
            return
        undo = model.turn()
        assert undo is not None
        self.say("undo", worker)
        model.taken_back(undo)

    # -- what happens to them

    @rule(minutes=sampled_from([1, 5, LIMIT, LIMIT + 1]), sweep=booleans(), worker=integers(0, 1))
    def time_passes(self, minutes: int, sweep: bool, worker: int) -> None:
        self.clock.advance(minutes=minutes)
        self.model.silent += minutes * 60
        if sweep:
            self.runner.run(self.workers[worker].sweep())
            self.model.sweep()

    @rule(name=NAMES)
    def plugin_comes_or_goes(self, name: str) -> None:
        self.gone ^= {name}
        self.restart()

    @rule()
    def server_restarts(self) -> None:
        self.restart()

    # -- what must be so

    @invariant()
    def the_model_is_right(self) -> None:
        if not hasattr(self, "runner") or self.session_id is None:
            return
        model = self.model
        instances = self.runner.run(self.store.instances(self.session_id))
        session = self.runner.run(self.store.session("sam", self.session_id))
        assert session is not None
        holding = [i.process for i in instances if i.holds]
        assert holding == ([model.holder] if model.holder else [])
        assert all(i.state is State.ACTIVE for i in instances if i.holds)
        assert self.in_state(instances, State.ACTIVE) == holding
        assert sorted(self.in_state(instances, State.SUSPENDED)) == sorted(model.paused)
        offered = [model.pending[1]] if model.pending and model.pending[0] == "offer" else []
        assert self.in_state(instances, State.OFFERED) == offered
        pending = session.pending
        if model.pending is None:
            assert pending is None
        else:
            assert pending is not None
            asker = next(i for i in instances if i.id == pending.instance_id)
            offers = {"offer": (True, False), "resume": (True, True)}.get(model.pending[0], (False, False))
            assert asker.process == model.pending[1]
            assert (pending.question.kind == "offer", pending.resume) == offers

    def in_state(self, instances: Sequence[Instance], state: State) -> list[str]:
        return [i.process for i in instances if i.state is state]


RegistryMachine.TestCase.settings = settings(
    max_examples=25,  # `make soak` walks further: row M1
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    print_blob=True,
)
TestRegistryMachine = RegistryMachine.TestCase
