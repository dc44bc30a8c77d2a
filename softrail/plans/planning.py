"""The process that talks about plans: its steps are the phases, its intents what is said meanwhile."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import ClassVar, Final

from softrail import Actions, Outcome, Process, Prompts, Release, Turn, Wait, step
from softrail.plans import effects, words
from softrail.plans.answering import status
from softrail.plans.aside import Aside
from softrail.plans.binding import mode_in
from softrail.plans.choosing import NONE, explained, is_a_place
from softrail.plans.correcting import Correction, corrected
from softrail.plans.data.databases import Catalogue
from softrail.plans.data.sources import Sources
from softrail.plans.documents.asking import Documents
from softrail.plans.forms.conclusions import example_of, overview
from softrail.plans.inquiry import Inquiry
from softrail.plans.intents import (
    ABANDON,
    CANCEL,
    CONTINUE,
    CONTROL,
    DATA,
    DETAIL,
    EXIT,
    FILE,
    INTENTS,
    LOOKUP,
    MODE,
    MODIFY,
    NEW,
    PICTURE,
    PROVENANCE,
    QUERY,
    REDO,
    RESET,
    RESUME,
    RETRY,
    SAMPLE,
    SLASHES,
    STATUS,
    SUMMARY,
    TABLE,
    WAIT,
    WHY,
    asks_about_a_mode,
)
from softrail.plans.moves import PHASES, YES, Here, Moves
from softrail.plans.offered import table_in
from softrail.plans.phases import after
from softrail.plans.pictures import drawn_as
from softrail.plans.plan import Plan
from softrail.plans.reading import PlanInvalid, checked_plan, read_plan
from softrail.plans.readings import Readings
from softrail.plans.recognising import Recogniser
from softrail.plans.requests import Asked, Requests, same_measures
from softrail.plans.thinking.guard import holds
from softrail.plans.values import Standing
from softrail.plans.work import Plans
from softrail.plugin import normal

#: The phases in which a plan is not begun yet, and what is said may change it.
_WAITING: Final = ("planning", "awaiting_approval")
#: So long it is believed that data which was asked for is being read.
_UNDER_WAY: Final = timedelta(minutes=1)


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

    def __init__(
        self,
        plans: Plans,
        actions: Actions,
        prompts: Prompts,
        sources: Sources,
        documents: Documents,
        offered: Catalogue,
        aside: Aside,
        readings: Readings,
    ) -> None:
        self._plans = plans
        self._offered = offered
        self._aside = aside
        self._requests = Requests(sources, readings)
        self._actions = actions
        self._moves = Moves(actions, prompts)
        self._recogniser = Recogniser(plans, self._requests, offered, aside)
        self._inquiry = Inquiry(documents, self._requests, self._moves.say)

    async def recognise(self, words: str, said: Turn) -> str | None:
        """Whole messages that are commands to a plan, and words that bind to attached data."""
        return await self._recogniser.intent(words, said)

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
            return self._moves.rest("idle", self._moves.say("nothing", how=self._moves.how))
        if is_a_place(said.message):
            return self._moves.again(plan, standing, self._moves.say("one_plan"))
        if said.choice != YES:
            return self._moves.rest(
                self._moves.after(data, "reject"),
                self._moves.say("rejected", how=self._moves.how_to_change(plan)),
            )
        try:
            await self._aside.run(checked_plan, plan.model_dump(), self._actions)
        except PlanInvalid as error:
            return self._moves.rest(self._moves.after(data, "reject"), f"{error.message} {self._moves.how}")
        known = len(words.known_steps(plan, standing))
        begun = self._moves.say("begun", count=words.count_of(plan, known))
        return self._moves.begin(standing, self._moves.after(data, "approve"), begun)

    @step(on=("plan_done", "plan_failed"), goes_to=PHASES)
    async def executing(self, said: Turn, data: Here) -> Outcome:
        """The run has come to its end, which is told once."""
        standing = await self._standing(said)
        signal, plan, run = said.signal, standing.plan, standing.run
        if signal is None or plan is None or run is None or signal.data.get("run_id") != run.id:
            return Release()
        told = {"problem": plan.problem, "findings": words.findings(plan, standing)}
        empty = self._moves.no_rows(standing, await self._requests.attached(said))
        if signal.name == "plan_failed":
            return self._moves.failed(data, standing, empty)
        ready = words.to_save(plan, standing, said.session_id)
        files = [effects.to_be_saved(title, ref) for title, ref in ready]
        if data.phase != "executing":  # it ended before the words that were to stop it
            return Release(say=self._moves.say("done_before", **told), effects=files)
        say = self._moves.say("done", **told)
        phrased = str(signal.data.get("phrased", ""))
        if phrased and holds(phrased, told["findings"].splitlines(), words.named_by(plan)):
            say = f"{phrased}\n\n{say}"
        if empty:
            say = f"{say}\n{empty}"
        for title, ref in words.kept_tables(plan, standing):
            say = f"{say}\n{self._moves.say('file', title=title, ref=ref)}"
        if run.proof is not None:
            say = f"{say}\n{self._moves.say('proof', ref=run.proof)}"
        return self._moves.over(standing, self._moves.after(data, "complete"), say, files)

    @step(contract="questions_pass", goes_to=PHASES)
    async def choosing(self, said: Turn, data: Here) -> Outcome:
        """What a word means was asked, and one of its meanings was chosen."""
        standing, asked = await self._standing(said), data.asked
        if asked is None or said.choice is None:
            return Release()
        if said.choice == NONE:
            return await self._left(said, asked, standing)
        chosen = {**asked.chosen, asked.about: said.choice}
        return await self._worded(said, standing, asked.model_copy(update={"chosen": chosen}))

    @step(goes_to=PHASES)
    async def failed(self, said: Turn, data: Here) -> Outcome:
        """A step has failed, and the person decides what comes of that."""
        return Release()

    # -- what is said

    @step(first=True, intent=(NEW, SAMPLE, TABLE, DATA), goes_to=PHASES)
    async def plan_new(self, said: Turn, data: Here) -> Outcome:
        """A plan of their own, written or in words: shown, or queued while another one runs."""
        if said.intent is not None and said.intent.name == SAMPLE:
            return self._moves.awaiting(data, self._moves.say("sample"), [effects.sample_wanted()], said.at)
        if said.intent is not None and said.intent.name == TABLE:
            wanted = (
                said.intent.target if said.intent.tier == "slash" else table_in(said.message, self._offered)
            )
            return self._table(wanted or "", data, said.at)
        if said.intent is not None and said.intent.name == DATA:
            return await self._what_there_is(said, data)
        standing = await self._standing(said)
        text = said.intent.target if said.intent is not None else ""
        if ":" not in text:  # every plan that is written has one
            if (later := await self._under_way(said, data)) is not None:
                return later
            asked = Asked(message=text or said.message, new=True, phase=data.phase, about="")
            return await self._worded(said, standing, asked)
        try:
            return self._made(await self._written(text), standing, data)
        except PlanInvalid as error:
            return self._moves.here(data, error.message)

    def _table(self, wanted: str, data: Here, at: datetime) -> Outcome:
        """A table that the operator offers is copied once the turn is kept; of another one it is said that there is none."""
        named = self._offered.find(wanted)
        if named is not None:
            told = self._moves.say("table", name=named.name)
            return self._moves.awaiting(data, told, [effects.table_wanted(named.name)], at)
        if not self._offered:
            return self._moves.here(data, self._moves.say("no_tables"))
        names = self._offered.names
        told = self._moves.say("no_such_table", name=wanted[:80], names=names) if wanted else ""
        return self._moves.here(data, told or self._moves.say("which_offered", names=names))

    async def _under_way(self, said: Turn, data: Here) -> Outcome | None:
        """What is said while data that was asked for a moment ago is not read yet: there is nothing to plan on."""
        if data.awaits is None or said.at - data.awaits >= _UNDER_WAY or await self._requests.attached(said):
            return None
        return self._moves.stay(self._moves.say("still_attached"))

    def _made(self, plan: Plan, standing: Standing, data: Here) -> Outcome:
        """A new plan: queued, or shown in place of the old one."""
        if data.phase == "executing":
            before = standing.queued
            said_so = "queued" if before is None else "queued_instead"
            values = {"before": before.problem} if before is not None else {}
            noted = [
                effects.planning_noted(f"Plan “{plan.problem}” queued", queued=plan.model_dump(mode="json"))
            ]
            if standing.wish is not None:
                noted.append(effects.wishes_dropped())
            return Release(say=self._moves.say(said_so, problem=plan.problem, **values), effects=noted)
        phase = self._moves.after(data, "plan_new")
        if data.phase != "idle" and standing.plan is not None:
            return self._moves.replaced(plan, standing, phase)
        return self._moves.shown(plan, standing, phase, [])

    @step(intent=CONTINUE, goes_to=PHASES)
    async def plan_continue(self, said: Turn, data: Here) -> Outcome:
        """The plan changed as it was written, or a fact as it was said; a run under way stops for that."""
        standing = await self._standing(said)
        if standing.plan is None and (later := await self._under_way(said, data)) is not None:
            return later
        text = said.intent.target if said.intent is not None else ""
        if text and said.intent is not None and said.intent.tier == "slash":
            try:
                plan = await self._written(text)
            except PlanInvalid as error:
                return self._moves.stay(error.message)
            return self._moves.revised(plan, standing, data)
        if said.intent is not None and said.intent.tier == "pattern":
            asked = Asked(message=said.message, new=False, phase=data.phase, about="")
            return await self._worded(said, standing, asked, chooses=data.asked is not None)
        found = corrected(said.message, standing)
        if isinstance(found, Correction):
            return self._moves.revised(standing.plan, standing, data, found)
        sentence, values = found
        if sentence == "no_planner_change":
            if standing.plan is None and (wanted := await self._wanted(said, standing, data)) is not None:
                return wanted
            if said.has_model and standing.plan is not None:
                return self._moves.wished(said.message, standing, data, new=False)
            if tables := overview(await self._requests.attached(said)):
                return self._moves.stay(self._moves.say("not_bound", tables=tables))
            if standing.plan is None:  # there is nothing that "break the orders down by country" would change
                sentence = "no_planner"
        return self._moves.stay(self._moves.say(sentence, how=self._moves.how, **values))

    async def _wanted(self, said: Turn, standing: Standing, data: Here) -> Outcome | None:
        """What sounds like a change, where there is no plan yet that it would change: a request of its own, if it is one."""
        asked = Asked(message=said.message, new=True, phase=data.phase, about="")
        heard = await self._requests.heard(asked.message, said, standing, new=True, chosen={})
        whole = heard.plan is not None or (heard.question is not None and heard.question.whole)
        return await self._worded(said, standing, asked) if whole and not said.has_model else None

    async def _rather_wanted(self, said: Turn, standing: Standing, data: Here) -> Outcome | None:
        """What is asked of a plan, where there was none and nothing is known: a request, where it names something of the data."""
        if standing.plan is not None or standing.facts or said.has_model:
            return None
        if not await self._requests.names(said.message, said):
            return None
        asked = Asked(message=said.message, new=True, phase=data.phase, about="")
        heard = await self._requests.heard(asked.message, said, standing, new=True, chosen={})
        found = heard.plan is not None or heard.question is not None
        return await self._worded(said, standing, asked) if found else None

    @step(on="plan_ready", goes_to=PHASES)
    async def ready(self, said: Turn, data: Here) -> Outcome:
        """What a language model made of a wish: shown, or queued; of one that is not wanted any more nothing is said."""
        standing = await self._standing(said)
        wish, signal = standing.wish, said.signal
        if wish is None or signal is None or signal.data.get("wish_id") != wish.id:
            return Release()
        if wish.plan is None:
            return self._moves.no_plan(wish.trouble, standing, data, new=wish.new)
        if wish.new:
            return self._made(wish.plan, standing, data)
        return self._moves.revised(wish.plan, standing, data)

    @step(on=("delivered", "failed"))
    async def sample(self, said: Turn, data: Here) -> Outcome:
        """Data that was asked for is there, or could not be read."""
        signal = said.signal
        kind = signal.data.get("kind") if signal is not None else None
        if signal is None or kind not in (effects.SAMPLE, effects.COPY):
            return Release()
        sort = "sample" if kind == effects.SAMPLE else "table"
        if signal.name == "failed":
            return Release(say=self._moves.say(f"{sort}_failed", error=str(signal.data.get("error", ""))))
        attached = await self._requests.attached(said)
        if kind == effects.COPY:
            attached = [one for one in attached if one.format == "postgresql"][-1:]
            told = "\n".join(f"  {one}" for source in attached for one in source.tables[0].repairs)
            return Release(say=self._moves.say("table_there", tables=overview(attached), told=told))
        return Release(say=self._moves.say("sample_there", tables=overview(attached)))

    @step(intent=(QUERY, DETAIL, PROVENANCE, SUMMARY, LOOKUP), goes_to=PHASES)
    async def query(self, said: Turn, data: Here) -> Outcome:
        """Answered at once, from what is known now; while something is to be chosen, what can be chosen."""
        if data.asked is not None and (choices := await self._choices(said, data.asked)):
            return self._moves.stay(choices)
        standing = await self._standing(said)
        if standing.plan is None and (later := await self._under_way(said, data)) is not None:
            return later
        if (wanted := await self._rather_wanted(said, standing, data)) is not None:
            return wanted
        told = await self._inquiry.answered(said, standing)
        return self._moves.stay(told) if told is not None else Release()  # then it is talk like any other

    @step(intent=PICTURE, goes_to=PHASES)
    async def picture(self, said: Turn, data: Here) -> Outcome:
        """What was found out, drawn: its charts as they are, or drawn as it was said."""
        standing = await self._standing(said)
        plan = standing.plan
        charts = words.charts_of(plan, standing) if plan is not None else ()
        if plan is None or not charts:
            return self._moves.stay(self._moves.say("not_drawn", how=self._moves.how_to_change(plan)))
        kind = drawn_as(said.message)
        drawn = {one.arguments.get("kind") for one, _ in charts} - {"point"}
        if kind and drawn - {kind} and plan.form is not None:
            again = await self._requests.drawn(said, plan.form, kind)
            return self._moves.revised(again, standing, data)
        told = "\n".join(f"- {step.called}: {ref}" for step, ref in charts)
        files = [effects.to_be_saved(step.called, ref) for step, ref in charts]
        return self._moves.stay(self._moves.say("drawn", charts=told), files)

    @step(intent=FILE)
    async def file(self, said: Turn, data: Here) -> Outcome:
        """What was found out, as files: its tables and its charts, each where it is taken."""
        standing = await self._standing(said)
        plan = standing.plan
        there = list(words.to_save(plan, standing, said.session_id)) if plan is not None else []
        if data.phase not in ("idle", "failed"):
            return self._moves.stay(self._moves.say("file_later"))
        if not there:
            return self._moves.stay(self._moves.say("no_file"))
        told = "\n".join(f"- {title}: {ref}" for title, ref in there)
        return self._moves.stay(
            self._moves.say("files", files=told), [effects.to_be_saved(title, ref) for title, ref in there]
        )

    @step(intent=WAIT)
    async def wait(self, said: Turn, data: Here) -> Outcome:
        """A moment to think; the run does not end with it."""
        if data.phase != "executing":
            return Release()
        return self._moves.stay(self._moves.say("runs_on"))

    @step(intent=WHY)
    async def why(self, said: Turn, data: Here) -> Outcome:
        """Why a number is as it is, no number says; where it comes from, some do."""
        found = await self._recogniser.reasons(said)
        if found is None:
            return Release()
        told = "\n".join([*found.told, ""]) if found.told else ""
        further = " or ".join(f"“{one}”" for one in found.further)
        return self._moves.stay(
            self._moves.say("why_further" if further else "why", told=told, further=further)
        )

    @step(intent=RESUME, goes_to=PHASES)
    async def resume(self, said: Turn, data: Here) -> Outcome:
        """A plan that was stopped is shown again, with what is known of it already."""
        standing = await self._standing(said)
        return self._moves.revised(standing.plan, standing, data)

    @step(intent=(CONTROL, STATUS), goes_to=PHASES)
    async def status(self, said: Turn, data: Here) -> Outcome:
        """Mode, phase, steps, queue; where there was no plan yet, what could be analyzed."""
        standing = await self._standing(said)
        if (wanted := await self._rather_wanted(said, standing, data)) is not None:
            return wanted
        told = status(data.phase, standing, self._moves.say, self._moves.how)
        if standing.plan is None and (tables := overview(await self._requests.attached(said))):
            told = f"{told}\n{self._moves.say('could_be_analyzed', tables=tables)}"
        return self._moves.stay(told)

    @step(intent=MODIFY)
    async def modify(self, said: Turn, data: Here) -> Outcome:
        """How a plan is changed."""
        if said.intent is not None and said.intent.tier == "pattern" and data.phase != "failed":
            return Release()
        plan = (await self._standing(said)).plan
        return self._moves.stay(self._moves.say("rejected", how=self._moves.how_to_change(plan)))

    @step(intent=MODE, goes_to=PHASES)
    async def mode_switch(self, said: Turn, data: Here) -> Outcome:
        """From now on, or once the run is over."""
        if asks_about_a_mode(said.message):
            now = words.MODES[(await self._standing(said)).mode]
            return self._moves.stay(self._moves.say("modes", mode=now))
        mode = mode_in(said.message.removeprefix("/"))
        if mode is None:
            return Release()
        if data.phase == "executing":
            return await self._later(said, f"mode:{mode}")
        return self._moves.stay(
            self._moves.say("mode", mode=words.MODES[mode]), [self._moves.mode_noted(mode)]
        )

    @step(intent=RESET, goes_to=PHASES)
    async def reset(self, said: Turn, data: Here) -> Outcome:
        """Plan, facts and queue go."""
        if data.phase == "executing":
            return await self._later(said, "reset")
        return self._moves.rest(
            "idle", self._moves.say("reset"), [effects.plans_reset(), effects.wishes_dropped()]
        )

    @step(intent=REDO, goes_to=PHASES)
    async def redo(self, said: Turn, data: Here) -> Outcome:
        """Every step of the last plan again, but for what the person said."""
        standing = await self._standing(said)
        if data.phase == "executing":
            return await self._later(said, "redo")
        phase = after(data.phase, "redo")
        if phase is None or standing.run is None:
            return self._moves.stay(self._moves.say("nothing", how=self._moves.how))
        once = [one for one in standing.later if one != "redo"]  # it was asked for while it ran, too
        done = [effects.planning_noted("Done again now", later=once)] if once != list(standing.later) else []
        return self._moves.begin(standing, phase, self._moves.say("all_again"), done, fresh=True)

    @step(intent=RETRY, goes_to=PHASES)
    async def retry(self, said: Turn, data: Here) -> Outcome:
        """The same plan; what is finished is not done again."""
        standing = await self._standing(said)
        phase = after(data.phase, "retry")
        if phase is not None and standing.plan is not None:
            return self._moves.begin(
                standing, phase, self._moves.say("begun", count=words.count_of(standing.plan))
            )
        if said.intent is not None and said.intent.tier == "pattern":
            return Release()
        return self._moves.stay(self._moves.say("nothing_to_retry"))

    @step(intent=ABANDON, goes_to=PHASES)
    async def abandon(self, said: Turn, data: Here) -> Outcome:
        """The plan that failed is given up, and so is doing it again; what else waited comes next."""
        phase = after(data.phase, "abandon")
        if phase is None:
            return Release()
        return self._moves.given_up(await self._standing(said), phase, self._moves.say("abandoned"))

    @step(intent=CANCEL, goes_to=PHASES)
    async def cancel(self, said: Turn, data: Here) -> Outcome:
        """No step begins after this."""
        if after(data.phase, "cancel") is None:
            return Release()
        return await self._cancelled(said, data)

    @step(goes_to=("idle",))
    async def leaving(self, said: Turn, data: Here) -> Outcome:
        """Words of leaving stop the plan, and nothing holds the person; who goes away is asked about one that runs."""
        plan = (await self._standing(said)).plan
        goes = normal(said.message.removeprefix("/")) in EXIT
        if plan and goes and data.asked is None and data.phase in ("executing", "planning", "failed"):
            told = "exit" if data.phase == "executing" else "exit_kept"
            return Wait(say=self._moves.say(told, problem=plan.problem))
        if after(data.phase, "cancel") is None:
            return self._moves.rest("idle", self._moves.say("nothing_runs"))
        return await self._cancelled(said, data)

    # -- parts

    async def _what_there_is(self, said: Turn, data: Here) -> Outcome:
        """What a column holds, where that is asked; else the tables that are attached, and what can be asked of them."""
        if (later := await self._under_way(said, data)) is not None:
            return later
        sources = await self._requests.attached(said)
        if not sources:
            return self._moves.here(data, self._moves.say("no_data"))
        if columns := await self._requests.described(said.message, said):
            return self._moves.here(data, columns)
        example = example_of(sources)
        shown = self._moves.say("data_example", example=example) if example else ""
        told = self._moves.say("data_there", tables=overview(sources), example=shown)
        return self._moves.here(data, told.rstrip())

    async def _choices(self, said: Turn, asked: Asked) -> str:
        """What can be chosen just now, each with what it is; "" where there is nothing to tell."""
        heard = await self._requests.heard(
            asked.message, said, await self._standing(said), new=asked.new, chosen=asked.chosen
        )
        told = explained(heard.question, heard.sources) if heard.question is not None else ""
        return self._moves.say("choices", choices=told) if told else ""

    async def _written(self, text: str) -> Plan:
        """A plan as a person wrote it. Raises PlanInvalid."""
        return await self._aside.run(read_plan, text, self._actions)

    async def _standing(self, said: Turn) -> Standing:
        return await self._plans.standing(said.session_id)

    async def _worded(
        self, said: Turn, standing: Standing, asked: Asked, *, chooses: bool = False
    ) -> Outcome:
        """Words about attached data: the plan that they come to, or a question about one of them.

        What is said where something is to be chosen (`chooses`) is rather about that than about a plan that waits.
        """
        data = Here(phase=asked.phase)
        waits = asked.phase in _WAITING and not chooses
        heard = await self._requests.heard(
            asked.message, said, standing, new=asked.new, chosen=asked.chosen, waits=waits
        )
        if heard.late:
            return self._moves.here(data, self._moves.say("still_read"))
        if heard.question is not None:
            about = asked.model_copy(update={"about": heard.question.about})
            return self._moves.which(heard.question, about, standing)
        if heard.plan is None and not (asked.new or waits):
            return Release()  # “I meant the other one”, said of no plan that waits
        if heard.plan is None and said.has_model:
            return self._moves.wished(asked.message, standing, data, new=asked.new or standing.plan is None)
        if heard.plan is None and not heard.sources:
            return self._moves.here(data, self._moves.say("no_planner", how=self._moves.how))
        if heard.plan is None:
            return self._moves.here(data, self._moves.say("nothing_fits", tables=overview(heard.sources)))
        suggested = asked.phase == "awaiting_approval" and same_measures(standing.plan, heard.plan)
        if not asked.new or suggested:
            return self._moves.revised(heard.plan, standing, data)
        return self._made(heard.plan, standing, data)

    async def _left(self, said: Turn, asked: Asked, standing: Standing) -> Outcome:
        """None of the meanings was meant: a language model may understand it; else what stood before stands again."""
        if said.has_model:
            new = asked.new or standing.plan is None
            return self._moves.wished(asked.message, standing, Here(phase=asked.phase), new=new)
        told = self._moves.say("none_of_these", tables=overview(await self._requests.attached(said)))
        if standing.plan is not None and asked.phase in ("awaiting_approval", "executing"):
            return self._moves.again(standing.plan, standing, told)
        return self._moves.rest(asked.phase, told)

    async def _cancelled(self, said: Turn, data: Here) -> Outcome:
        standing = await self._standing(said)
        phase, run, plan = self._moves.after(data, "cancel"), standing.run, standing.plan
        wished = [effects.wishes_dropped()] if standing.wish is not None else []
        waiting = standing.waiting
        done = [effects.planning_noted("Nothing waits any more", queued=None, later=[])] if waiting else []
        done += wished
        if data.phase == "executing" and run is not None and plan is not None:
            say = self._moves.say("stopped", steps=words.progress_of(plan, run).replace("…", "○"))
            done.append(effects.plan_stopped(run.id))
        elif data.asked is not None or plan is None or wished:
            say = self._moves.say("left")
        else:
            say = self._moves.say("dropped", problem=plan.problem)
        told = [say, self._moves.say("emptied", count=str(waiting))] if waiting else say
        return self._moves.rest(phase, told, done)

    async def _later(self, said: Turn, command: str) -> Outcome:
        standing = await self._standing(said)
        waiting = [*(one for one in standing.later if one != command), command]
        return Release(
            say=self._moves.say("later"), effects=[effects.planning_noted("Noted for later", later=waiting)]
        )
