"""The process that talks about plans: its steps are the phases, its intents what is said meanwhile."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from pydantic import BaseModel

from softrail import Actions, Ask, Effect, Outcome, Process, Prompts, Release, Turn, Wait, step
from softrail.plans import effects, words
from softrail.plans.advancing import form_of
from softrail.plans.answering import answer, status
from softrail.plans.binding import mode_in
from softrail.plans.correcting import Correction, corrected
from softrail.plans.intents import (
    ABANDON,
    CANCEL,
    CONTINUE,
    CONTROL,
    DETAIL,
    EXACT,
    INTENTS,
    LOOKUP,
    MODE,
    MODIFY,
    NEW,
    PROVENANCE,
    QUERY,
    REDO,
    RESET,
    RETRY,
    SLASHES,
    STATUS,
    SUMMARY,
)
from softrail.plans.phases import Phase, Trigger, after
from softrail.plans.plan import Plan
from softrail.plans.reading import PlanInvalid, checked_plan, read_plan
from softrail.plans.records import standing as standing_in
from softrail.plans.values import Mode, Standing
from softrail.plans.work import Plans
from softrail.plugin import TimeOrderedIds, normal

PHASES = ("idle", "planning", "awaiting_approval", "executing", "failed")
YES, NO = "Yes", "No"


class Here(BaseModel):
    """What the process itself keeps: everything else is in the tables of planning."""

    phase: Phase = "idle"


class Planning(Process, name="planning", version=1):
    """Makes plans with you, carries them out, and tells what every number rests on."""

    title = "the plan"
    doing = "working on a plan"
    names = ("plan",)
    priority = 30
    contract = "background"
    idle_timeout = None
    pausable = False
    resumable = False
    leaves_by = "leaving"
    intents = INTENTS
    slashes: ClassVar[Mapping[str, str]] = SLASHES
    sentences = words.SENTENCES

    def __init__(self, plans: Plans, actions: Actions, prompts: Prompts) -> None:
        self._plans = plans
        self._actions = actions
        self._prompts = prompts
        self._ids = TimeOrderedIds()

    def recognise(self, words: str) -> str | None:
        """Whole messages that are commands to a plan."""
        return EXACT.get(normal(words))

    # -- the phases

    @step(goes_to=PHASES)
    async def idle(self, said: Turn, data: Here) -> Outcome:
        """Nothing is asked and nothing is done."""
        return Release()

    @step(goes_to=PHASES)
    async def planning(self, said: Turn, data: Here) -> Outcome:
        """What is to change is still to be said."""
        return Release()

    @step(contract="questions_pass", goes_to=PHASES)
    async def awaiting_approval(self, said: Turn, data: Here) -> Outcome:
        """Yes begins the plan that was shown, and nothing else does."""
        standing = await self._standing(said)
        plan = standing.plan
        if plan is None or standing.plan_id is None:
            return self._rest("idle", self._say("nothing", how=self._how))
        if said.choice != YES:
            return self._rest(self._after(data, "reject"), self._say("rejected", how=self._how))
        try:
            checked_plan(plan.model_dump(), self._actions)
        except PlanInvalid as error:
            return self._rest(self._after(data, "reject"), f"{error.message} {self._how}")
        known = len(words.known_steps(plan, standing))
        begun = self._say("begun", count=words.count_of(plan, known))
        return self._begin(standing, self._after(data, "approve"), begun)

    @step(on=("plan_done", "plan_failed"), goes_to=PHASES)
    async def executing(self, said: Turn, data: Here) -> Outcome:
        """The run has come to its end, which is told once."""
        standing = await self._standing(said)
        signal, plan, run = said.signal, standing.plan, standing.run
        if signal is None or plan is None or run is None or signal.data.get("run_id") != run.id:
            return Release()
        told = {"problem": plan.problem, "findings": words.findings(plan, standing)}
        if signal.name == "plan_failed":
            return self._failed(data, standing)
        if data.phase != "executing":  # it ended before the words that were to stop it
            return Release(say=self._say("done_before", **told))
        return self._over(standing, self._after(data, "complete"), self._say("done", **told))

    @step(goes_to=PHASES)
    async def failed(self, said: Turn, data: Here) -> Outcome:
        """A step has failed, and the person decides what comes of that."""
        return Release()

    # -- what is said

    @step(first=True, intent=NEW, goes_to=PHASES)
    async def plan_new(self, said: Turn, data: Here) -> Outcome:
        """A plan of their own: shown, or queued while another one runs."""
        standing = await self._standing(said)
        text = said.intent.target if said.intent is not None else ""
        try:
            plan = read_plan(text, self._actions) if text else None
            why = self._say("no_planner", how=self._how)
        except PlanInvalid as error:
            plan, why = None, error.message
        if plan is None and data.phase == "idle":  # it may have begun with just this
            return self._rest("idle", why)
        if plan is None:
            return self._stay(why)
        if data.phase == "executing":
            before = standing.queued
            said_so = "queued" if before is None else "queued_instead"
            values = {"before": before.problem} if before is not None else {}
            noted = effects.planning_noted(
                f"Plan “{plan.problem}” queued", queued=plan.model_dump(mode="json")
            )
            return Release(say=self._say(said_so, problem=plan.problem, **values), effects=[noted])
        say = []
        if data.phase != "idle" and standing.plan is not None:
            say.append(self._say("dropped", problem=standing.plan.problem))
        return self._shown(plan, standing, self._after(data, "plan_new"), say)

    @step(intent=CONTINUE, goes_to=PHASES)
    async def plan_continue(self, said: Turn, data: Here) -> Outcome:
        """The plan changed as it was written, or a fact as it was said; a run under way stops for that."""
        standing = await self._standing(said)
        text = said.intent.target if said.intent is not None else ""
        if text and said.intent is not None and said.intent.tier == "slash":
            try:
                plan = read_plan(text, self._actions)
            except PlanInvalid as error:
                return self._stay(error.message)
            return self._revised(plan, standing, data)
        found = corrected(said.message, standing)
        if isinstance(found, Correction):
            return self._revised(standing.plan, standing, data, found)
        sentence, values = found
        return self._stay(self._say(sentence, how=self._how, **values))

    @step(intent=(QUERY, DETAIL, PROVENANCE, SUMMARY, LOOKUP))
    async def query(self, said: Turn, data: Here) -> Outcome:
        """Answered at once, from what is known now."""
        standing = await self._standing(said)
        intent = said.intent.name if said.intent is not None else SUMMARY
        return self._stay(answer(intent, said.message, standing, self._say))

    @step(intent=(CONTROL, STATUS))
    async def status(self, said: Turn, data: Here) -> Outcome:
        """Mode, phase, steps, queue."""
        return self._stay(status(data.phase, await self._standing(said), self._say, self._how))

    @step(intent=MODIFY)
    async def modify(self, said: Turn, data: Here) -> Outcome:
        """How a plan is changed."""
        if said.intent is not None and said.intent.tier == "pattern" and data.phase != "failed":
            return Release()
        return self._stay(self._say("rejected", how=self._how))

    @step(intent=MODE, goes_to=PHASES)
    async def mode_switch(self, said: Turn, data: Here) -> Outcome:
        """From now on, or once the run is over."""
        mode = mode_in(said.message.removeprefix("/"))
        if mode is None:
            return Release()
        if data.phase == "executing":
            return await self._later(said, f"mode:{mode}")
        return self._stay(self._say("mode", mode=words.MODES[mode]), [self._mode_noted(mode)])

    @step(intent=RESET, goes_to=PHASES)
    async def reset(self, said: Turn, data: Here) -> Outcome:
        """Plan, facts and queue go."""
        if data.phase == "executing":
            return await self._later(said, "reset")
        return self._rest("idle", self._say("reset"), [effects.plans_reset()])

    @step(intent=REDO, goes_to=PHASES)
    async def redo(self, said: Turn, data: Here) -> Outcome:
        """Every step of the last plan again, but for what the person said."""
        standing = await self._standing(said)
        if data.phase == "executing":
            return await self._later(said, "redo")
        phase = after(data.phase, "redo")
        if phase is None or standing.run is None:
            return self._stay(self._say("nothing", how=self._how))
        return self._begin(standing, phase, self._say("all_again"), fresh=True)

    @step(intent=RETRY, goes_to=PHASES)
    async def retry(self, said: Turn, data: Here) -> Outcome:
        """The same plan; what is finished is not done again."""
        standing = await self._standing(said)
        phase = after(data.phase, "retry")
        if phase is not None and standing.plan is not None:
            return self._begin(standing, phase, self._say("begun", count=words.count_of(standing.plan)))
        if said.intent is not None and said.intent.tier == "pattern":
            return Release()
        return self._stay(self._say("nothing_to_retry"))

    @step(intent=ABANDON, goes_to=PHASES)
    async def abandon(self, said: Turn, data: Here) -> Outcome:
        """The plan that failed is given up; what waited comes next."""
        phase = after(data.phase, "abandon")
        if phase is None:
            return Release()
        return self._over(await self._standing(said), phase, self._say("abandoned"))

    @step(intent=CANCEL, goes_to=PHASES)
    async def cancel(self, said: Turn, data: Here) -> Outcome:
        """No step begins after this."""
        if after(data.phase, "cancel") is None:
            return Release()
        return await self._cancelled(said, data)

    @step(goes_to=("idle",))
    async def leaving(self, said: Turn, data: Here) -> Outcome:
        """Words of leaving stop the plan, and nothing holds the person."""
        if after(data.phase, "cancel") is None:
            return self._rest("idle", self._say("nothing_runs"))
        return await self._cancelled(said, data)

    # -- parts

    async def _standing(self, said: Turn) -> Standing:
        return await self._plans.store.read(lambda conn: standing_in(conn, said.session_id))

    @property
    def _how(self) -> str:
        return self._say("how")

    def _say(self, sentence: str, /, **values: str) -> str:
        return self._prompts.render(f"planning/{sentence}", words.SENTENCES[sentence], **values)

    def _after(self, data: Here, trigger: Trigger) -> Phase:
        return after(data.phase, trigger) or data.phase

    def _rest(self, phase: Phase, say: str | Sequence[str], done: Sequence[Effect] = ()) -> Wait:
        """Stay in a phase without a question."""
        text = say if isinstance(say, str) else "\n\n".join(say)
        return Wait(say=text, step=phase, data=Here(phase=phase), effects=done)

    def _stay(self, say: str, done: Sequence[Effect] = ()) -> Release:
        """Say something, and leave everything as it was."""
        return Release(say=say, effects=done)

    def _shown(
        self, plan: Plan, standing: Standing, phase: Phase, say: list[str], done: Sequence[Effect] = ()
    ) -> Outcome:
        """Show a plan of its own and wait for a yes, for ever."""
        mode = standing.mode
        noted = [*done, effects.plan_made(plan, id=self._ids.new(), root=None)]
        if standing.run is not None and standing.run.state == "running":  # of a talk that had to be given up
            noted.append(effects.plan_stopped(standing.run.id))
        if not standing.chosen:
            mode = mode_in(plan.problem) or mode
            say.append(self._say("mode_inferred", mode=words.MODES[mode]))
            noted.append(self._mode_noted(mode))
        scope = replace(standing, root=None) if mode == "exploratory" else None
        return self._asked("plan", plan, scope, phase, say, noted)

    def _revised(
        self, plan: Plan | None, standing: Standing, data: Here, correction: Correction | None = None
    ) -> Outcome:
        """Show what has become of a plan. Where it was running it has stopped; what is finished stays."""
        phase = after(data.phase, "plan_continue")
        if plan is None or phase is None:
            return self._stay(self._say("nothing", how=self._how))
        if standing.plan is None:
            return self._shown(plan, standing, phase, [])
        say, done = list[str](), list[Effect]()
        if data.phase == "executing" and standing.run is not None:
            say.append(
                self._say("changed", steps=words.progress_of(standing.plan, standing.run).replace("…", "○"))
            )
            done.append(effects.plan_stopped(standing.run.id))
        if correction is not None:
            say.append(self._say("corrected", **correction.told))
            root = standing.root or ""
            done.append(effects.fact_given(correction.name, correction.made, root=root, mode=standing.mode))
            standing = correction.applied(standing)
        done.append(effects.plan_made(plan, id=self._ids.new(), root=standing.root))
        return self._asked("revised", plan, standing, phase, say, done)

    def _asked(
        self,
        sentence: str,
        plan: Plan,
        scope: Standing | None,
        phase: Phase,
        say: Sequence[str],
        done: Sequence[Effect],
    ) -> Ask:
        known = len(words.known_steps(plan, scope)) if scope is not None else 0
        values = {"steps": words.steps_of(plan, scope), "count": words.count_of(plan, known)}
        ready = after(phase, "plan_ready") or "awaiting_approval"
        return Ask(
            self._say(sentence, problem=plan.problem, **values),
            say="\n\n".join(say),
            step=ready,
            options=(YES, NO),
            kind="approve",
            data=Here(phase=ready),
            effects=done,
        )

    def _begin(
        self,
        standing: Standing,
        phase: Phase,
        say: str | Sequence[str],
        done: Sequence[Effect] = (),
        *,
        fresh: bool = False,
    ) -> Outcome:
        assert standing.plan is not None  # noqa: S101 - the callers have looked
        assert standing.plan_id is not None  # noqa: S101 - it has an id
        begun = effects.plan_begun(
            standing.plan,
            plan_id=standing.plan_id,
            run_id=self._ids.new(),
            mode=standing.mode,
            forms={one.id: form_of(self._actions, one.action) for one in standing.plan.steps},
            fresh=fresh,
        )
        return self._rest(phase, say, [*done, begun])

    def _failed(self, data: Here, standing: Standing) -> Outcome:
        phase, plan, run = after(data.phase, "fail"), standing.plan, standing.run
        step = run.failed if run is not None else None
        if phase is None or plan is None or step is None:
            return Release()
        n, failed = next((n, s) for n, s in enumerate(plan.in_order(), start=1) if s.id == step.id)
        error = (step.error or "").rstrip(".") + "."
        return self._rest(phase, self._say("failed", n=str(n), step=failed.called, error=error))

    def _over(self, standing: Standing, phase: Phase, say: str) -> Outcome:
        """A plan is over: do what was to be done afterwards, and show the plan that comes next."""
        told, done, mode = [say], list[Effect](), standing.mode
        for command in standing.later:
            if command.startswith("mode:"):
                mode = "proof" if command == "mode:proof" else "exploratory"
                told.append(self._say("mode", mode=words.MODES[mode]))
                done.append(self._mode_noted(mode))
            elif command == "reset":
                told.append(self._say("reset"))
                done.append(effects.plans_reset())
                standing = Standing(mode=mode, chosen=True, queued=standing.queued)
        if "redo" in standing.later and standing.plan is not None:
            done.append(effects.planning_noted("What waited was taken up", later=[]))
            told.append(self._say("all_again"))
            again = replace(standing, mode=mode)
            return self._begin(again, after(phase, "redo") or phase, told, done, fresh=True)
        if standing.later or standing.queued is not None:
            done.append(effects.planning_noted("What waited was taken up", later=[], queued=None))
        if standing.queued is None:
            return self._rest(phase, told, done)
        told.append(self._say("next"))
        now_on = replace(standing, mode=mode)
        return self._shown(standing.queued, now_on, after(phase, "plan_new") or "planning", told, done)

    async def _cancelled(self, said: Turn, data: Here) -> Outcome:
        standing = await self._standing(said)
        phase, run, plan = self._after(data, "cancel"), standing.run, standing.plan
        waiting = len(standing.later) + (standing.queued is not None)
        done = [effects.planning_noted("Nothing waits any more", queued=None, later=[])] if waiting else []
        if data.phase == "executing" and run is not None and plan is not None:
            say = self._say("stopped", steps=words.progress_of(plan, run).replace("…", "○"))
            done.append(effects.plan_stopped(run.id))
        else:
            say = self._say("dropped", problem=plan.problem if plan is not None else "")
        told = [say, self._say("emptied", count=str(waiting))] if waiting else say
        return self._rest(phase, told, done)

    async def _later(self, said: Turn, command: str) -> Outcome:
        standing = await self._standing(said)
        waiting = [*(one for one in standing.later if one != command), command]
        return Release(
            say=self._say("later"), effects=[effects.planning_noted("Noted for later", later=waiting)]
        )

    def _mode_noted(self, mode: Mode) -> Effect:
        return effects.planning_noted(f"Planning in {words.MODES[mode]}", mode=mode, chosen=1)
