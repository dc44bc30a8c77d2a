"""What becomes of a plan: where it stands then, what is said of it and what is done, as one outcome of a step."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from pydantic import BaseModel

from softrail import Actions, Ask, Effect, Option, Outcome, Prompts, Release, Wait
from softrail.plans import effects, words
from softrail.plans.advancing import form_of
from softrail.plans.binding import mode_in
from softrail.plans.choosing import NONE, none_of, options_of
from softrail.plans.correcting import Correction
from softrail.plans.data.profile import Source
from softrail.plans.forms.emptiness import filters_of, instead_of, is_empty
from softrail.plans.forms.form import Question
from softrail.plans.phases import Phase, Trigger, after
from softrail.plans.plan import Plan
from softrail.plans.requests import Asked
from softrail.plans.values import Mode, Standing
from softrail.plugin import TimeOrderedIds

PHASES = ("idle", "planning", "awaiting_approval", "executing", "failed", "choosing")
YES, NO = "Yes", "No"


class Here(BaseModel):
    """What the process itself keeps: everything else is in the tables of planning."""

    phase: Phase = "idle"
    asked: Asked | None = None  #: about a word of a request
    awaits: datetime | None = None  #: when data was asked for that is not read yet


class Moves:
    """Makes the outcomes; nothing of them has happened yet."""

    def __init__(self, actions: Actions, prompts: Prompts) -> None:
        self._actions = actions
        self._prompts = prompts
        self._ids = TimeOrderedIds()

    @property
    def how(self) -> str:
        """How a plan is given or changed here."""
        return self.say("how")

    def how_to_change(self, plan: Plan | None) -> str:
        """The same for that plan: one that was made from words is changed by words."""
        return self.say("how_in_words") if plan is not None and plan.form is not None else self.how

    def say(self, sentence: str, /, **values: str) -> str:
        """A sentence of this process, with its places filled."""
        return self._prompts.render(f"planning/{sentence}", words.SENTENCES[sentence], **values)

    def after(self, data: Here, trigger: Trigger) -> Phase:
        """Where a trigger leads; what is not in the table leaves the phase as it is."""
        return after(data.phase, trigger) or data.phase

    def rest(self, phase: Phase, say: str | Sequence[str], done: Sequence[Effect] = ()) -> Wait:
        """Stay in a phase without a question."""
        text = say if isinstance(say, str) else "\n\n".join(say)
        return Wait(say=text, step=phase, data=Here(phase=phase), effects=done)

    def stay(self, say: str, done: Sequence[Effect] = ()) -> Release:
        """Say something, and leave everything as it was."""
        return Release(say=say, effects=done)

    def here(self, data: Here, say: str, done: Sequence[Effect] = ()) -> Outcome:
        """Say something and leave everything as it was; where it began with just this, it rests."""
        return self.rest("idle", say, done) if data.phase == "idle" else self.stay(say, done)

    def awaiting(self, data: Here, say: str, done: Sequence[Effect], at: datetime) -> Outcome:
        """The same, with data under way that was asked for at that time."""
        if data.phase != "idle":
            return self.stay(say, done)
        return Wait(say=say, step="idle", data=Here(awaits=at), effects=done)

    def again(self, plan: Plan, standing: Standing, say: str) -> Outcome:
        """Show a plan that was asked about once more, and wait for a yes."""
        return self._asked("revised", plan, standing, "planning", [say], [])

    def shown(
        self, plan: Plan, standing: Standing, phase: Phase, say: list[str], done: Sequence[Effect] = ()
    ) -> Outcome:
        """Show a plan of its own and wait for a yes, for ever."""
        mode = standing.mode
        noted = [*done, effects.plan_made(plan, id=self._ids.new(), root=None)]
        if standing.wish is not None:
            noted.append(effects.wishes_dropped())
        if standing.run is not None and standing.run.state == "running":  # of a talk that had to be given up
            noted.append(effects.plan_stopped(standing.run.id))
        if not standing.chosen:
            mode = mode_in(plan.problem) or mode
            say.append(self.say("mode_inferred", mode=words.MODES[mode]))
            noted.append(self.mode_noted(mode))
        scope = replace(standing, root=None) if mode == "exploratory" else None
        return self._asked("plan", plan, scope, phase, say, noted)

    def wished(self, message: str, standing: Standing, data: Here, *, new: bool) -> Outcome:
        """Have a plan made of words that do not bind: by a language model, outside the turn. A run to be changed stops."""
        wish = effects.plan_wished(self._ids.new(), message, new=new)
        if data.phase == "executing" and new:
            return self.stay(self.say("wished_next"), [wish])
        say, done = [self.say("wished")], [wish]
        if data.phase == "executing" and standing.plan is not None and standing.run is not None:
            steps = words.progress_of(standing.plan, standing.run).replace("…", "○")
            say.insert(0, self.say("changed", steps=steps))
            done.append(effects.plan_stopped(standing.run.id))
        phase = after(data.phase, "plan_new" if new else "plan_continue") or "planning"
        return self.rest(phase, say, done)

    def no_plan(self, why: str, standing: Standing, data: Here, *, new: bool) -> Outcome:
        """No plan came of a wish: say what is missing, and show the plan again that was to be changed."""
        told = self.say("no_plan", why=why.rstrip(".") + ".") if why else self.say("no_planner", how=self.how)
        done = [effects.wishes_dropped()]
        if data.phase != "planning":
            return self.stay(told, done)
        if standing.plan is not None and not new:
            return self._asked("revised", standing.plan, standing, "planning", [told], done)
        return self.rest(after(data.phase, "no_plan") or "idle", told, done)

    def which(self, question: Question, asked: Asked, standing: Standing) -> Outcome:
        """Ask what a word means, with what it could be on buttons. A run that is to be changed stops for that."""
        told, options = self.question(question), options_of(question)
        say, done, phase = list[str](), list[Effect](), after(asked.phase, "plan_new") or "planning"
        if not options:
            return self.rest(asked.phase, told) if asked.phase == "idle" else self.stay(told)
        if asked.phase == "executing" and asked.new:
            choices = ", ".join(one.label for one in options)
            return self.stay(self.say("say_exactly", question=told, choices=choices))
        if asked.phase == "executing" and standing.plan is not None and standing.run is not None:
            steps = words.progress_of(standing.plan, standing.run).replace("…", "○")
            say, phase = [self.say("changed", steps=steps)], "planning"
            done.append(effects.plan_stopped(standing.run.id))
        none = none_of("None of these")
        if question.why in ("outside", "of_rows") and len(options) == 1:  # it is asked whether
            options, none = [options[0].model_copy(update={"label": "Yes"})], Option(label="No", value=NONE)
        return Ask(
            told,
            say="\n\n".join(say),
            step="choosing",
            options=(*options, none),
            data=Here(phase=phase, asked=asked),
            effects=done,
        )

    def question(self, question: Question) -> str:
        """What is asked about a word."""
        match question.why, question.what:
            case "several", "date":
                return self.say("which_date")
            case "several", _:
                return self.say("which", word=question.said)
            case "which_table", _:
                return self.say("which_table")
            case "which_year", _:
                return self.say("which_time", word=question.said)
            case "outside", _:
                return self.say("no_such_time", word=question.said)
            case "no_use" | "of_rows", _:
                return self.say(question.why, word=question.said)
            case "one_of", _:
                return self.say("one_of", choices=question.said)
            case "missing", "measure":
                return self.say("which_numbers")
            case "missing", "filter":
                return self.say("compare_what")
            case "missing", "number":
                return self.say("how_much")
            case "missing", _:
                return self.say("by_what")
        sentence = {"measure": "no_such_number", "group": "no_such_group"}.get(question.what, "no_such_value")
        return self.say(sentence, word=question.said)

    def revised(
        self, plan: Plan | None, standing: Standing, data: Here, correction: Correction | None = None
    ) -> Outcome:
        """Show what has become of a plan. Where it was running it has stopped; what is finished stays."""
        phase = after(data.phase, "plan_continue")
        if plan is None or phase is None:
            return self.stay(self.say("nothing", how=self.how))
        if standing.plan is None:
            return self.shown(plan, standing, phase, [])
        say, done = list[str](), list[Effect]()
        if data.phase == "executing" and standing.run is not None:
            say.append(
                self.say("changed", steps=words.progress_of(standing.plan, standing.run).replace("…", "○"))
            )
            done.append(effects.plan_stopped(standing.run.id))
        if standing.wish is not None:
            done.append(effects.wishes_dropped())
        if correction is not None:
            say.append(self.say("corrected", **correction.told))
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
        steps = words.steps_of(plan, scope)
        if words.is_cut(plan):
            steps = f"{steps}\n{self.say('whole')}"
        values = {"steps": steps, "count": words.count_of(plan, known)}
        ready = after(phase, "plan_ready") or "awaiting_approval"
        return Ask(
            self.say(sentence, problem=plan.problem, **values),
            say="\n\n".join(say),
            step=ready,
            options=(YES, NO),
            kind="approve",
            data=Here(phase=ready),
            effects=done,
        )

    def begin(
        self,
        standing: Standing,
        phase: Phase,
        say: str | Sequence[str],
        done: Sequence[Effect] = (),
        *,
        fresh: bool = False,
    ) -> Outcome:
        """Have a plan carried out; `fresh`: whatever is known, but for what the person said, is found out again."""
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
        return self.rest(phase, say, [*done, begun])

    def no_rows(self, standing: Standing, sources: Sequence[Source]) -> str:
        """That the filters of a plan leave nothing, with what else they could be; "" where that is not so."""
        plan = standing.plan
        if plan is None or plan.form is None or not is_empty(plan, standing.facts):
            return ""
        instead = instead_of(plan.form, sources)
        return self.say("no_rows", filters=filters_of(plan.form), instead=instead)

    def failed(self, data: Here, standing: Standing, empty: str = "") -> Outcome:
        """Tell which step failed and why, with the three ways on; `empty`: that no rows are left says it all."""
        phase, plan, run = after(data.phase, "fail"), standing.plan, standing.run
        step = run.failed if run is not None else None
        if phase is None or plan is None or step is None:
            return Release()
        if empty:
            return self.rest(phase, empty)
        n, failed = next((n, s) for n, s in enumerate(plan.in_order(), start=1) if s.id == step.id)
        error = (step.error or "").rstrip(".") + "."
        return self.rest(phase, self.say("failed", n=str(n), step=failed.called, error=error))

    def over(self, standing: Standing, phase: Phase, say: str, already: Sequence[Effect] = ()) -> Outcome:
        """A plan is over, of which `already` was done: do what was to be done afterwards, and show the plan that comes next."""
        more, afterwards, after_it = self._afterwards(standing)
        done = [*already, *afterwards]
        if "redo" in after_it.later and after_it.plan is not None:
            done.append(effects.planning_noted("What waited was taken up", later=[]))
            told = [say, *more, self.say("all_again")]
            return self.begin(after_it, after(phase, "redo") or phase, told, done, fresh=True)
        return self._next(after_it, phase, [say, *more], done)

    def given_up(self, standing: Standing, phase: Phase, say: str) -> Outcome:
        """The same of a plan that is not wanted any more: doing it again was wanted of just that one."""
        more, done, after_it = self._afterwards(standing)
        told = [say, self.say("not_again"), *more] if "redo" in after_it.later else [say, *more]
        return self._next(after_it, phase, told, done)

    def replaced(self, plan: Plan, standing: Standing, phase: Phase) -> Outcome:
        """Another plan is shown in its place."""
        problem = standing.plan.problem if standing.plan is not None else ""
        more, done, after_it = self._afterwards(standing)
        told = [self.say("dropped", problem=problem), *more]
        if standing.later:
            done.append(effects.planning_noted("What waited was taken up", later=[]))
        return self.shown(plan, after_it, phase, told, done)

    def _afterwards(self, standing: Standing) -> tuple[list[str], list[Effect], Standing]:
        """What was to be done once a plan is over, but for doing it again: what is said, what is done, and what stands then."""
        told, done = list[str](), list[Effect]()
        for command in standing.later:
            if command.startswith("mode:"):
                mode: Mode = "proof" if command == "mode:proof" else "exploratory"
                told.append(self.say("mode", mode=words.MODES[mode]))
                done.append(self.mode_noted(mode))
                standing = replace(standing, mode=mode, chosen=True)
            elif command == "reset":
                told.append(self.say("reset"))
                done.append(effects.plans_reset())
                standing = Standing(
                    mode=standing.mode, chosen=True, queued=standing.queued, wish=standing.wish
                )
        return told, done, standing

    def _next(self, standing: Standing, phase: Phase, told: list[str], done: list[Effect]) -> Outcome:
        """Show the plan that waits, or rest."""
        if standing.later or standing.queued is not None:
            done.append(effects.planning_noted("What waited was taken up", later=[], queued=None))
        if standing.queued is None:
            return self.rest(phase, told, done)
        told.append(self.say("next"))
        return self.shown(standing.queued, standing, after(phase, "plan_new") or "planning", told, done)

    def mode_noted(self, mode: Mode) -> Effect:
        """The mode that holds from now on, chosen or told."""
        return effects.planning_noted(f"Planning in {words.MODES[mode]}", mode=mode, chosen=1)
