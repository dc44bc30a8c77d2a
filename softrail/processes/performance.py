"""One instance acting on one turn: from step to step until it waits, ends or lets the turn go."""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from pydantic import ValidationError

from softrail.core.attachments import Attachments
from softrail.core.calling import call, call_now
from softrail.core.effects import AnyEffect
from softrail.core.errors import StepFailed
from softrail.core.frozen import evolved
from softrail.core.injection import fill
from softrail.core.outcomes import Ask, Assign, Call, Decline, Done, Drafted, Goto, Outcome, Release, Wait
from softrail.core.ports import Model, Reader
from softrail.core.questions import Option, Question
from softrail.core.turns import Turn
from softrail.processes.asking import Wrong
from softrail.processes.checked import checked, options_of
from softrail.processes.definition import GATHERING, CheckDefinition, Definition, StepDefinition
from softrail.processes.doors import StepDoors
from softrail.processes.extracting import Extraction
from softrail.processes.gathering import Gathering
from softrail.processes.moves import Complete, Move, Summarise, Waiting
from softrail.processes.own_steps import OwnQuestion
from softrail.processes.play import Played
from softrail.processes.process import Process
from softrail.processes.reviewing import Review
from softrail.processes.sentences import SENTENCES, Wording
from softrail.processes.speech import Speech
from softrail.processes.state import (
    State,
    answers_of,
    answers_so_far,
    data_of,
    dump,
    faulty,
    plain,
    texts_in,
    values_of,
    why_not,
)
from softrail.processes.telling import in_words, options_of_answer, summary
from softrail.processes.trail import Stop, digest, stopped

log = logging.getLogger(__name__)

MOST_GOTOS = 20


class Performance:
    """Plays one turn. It changes only its own copy of the state; thrown away, nothing has happened."""

    def __init__(
        self,
        definition: Definition,
        turn: Turn,
        state: State,
        *,
        wording: Wording,
        services: Mapping[type, object],
        limit: timedelta,
        reader: Reader | None = None,
        model: Model | None = None,
        attachments: Attachments | None = None,
    ) -> None:
        self._definition = definition
        self._turn = turn
        self._state = state
        self._wording = wording
        self._services = services
        self._limit = limit
        self._reader = reader
        self._model = model
        self._attachments = attachments
        self._extractions: dict[str, Extraction] = {}
        self._speech = Speech(lambda: texts_in(state))
        self._say, self._say_once = self._speech.say, self._speech.say_once
        self._received = ""  #: the step whose own question the turn answers
        reads = f"A reader of process {definition.name!r}"
        self.gathering = Gathering(
            definition,
            self._opened("answers", reads) if definition.fields else turn,
            state,
            wording,
            limit,
        )
        self._effects: list[AnyEffect] = []
        self._gotos = 0
        self._here = ""
        self._trouble = ""
        #: Checks that have had their say on this turn, with the answers they judged.
        self._sent: set[tuple[str, str]] = set()

    # -- the ways in

    async def enter(self, step: str, *, before: str | Sequence[str] = "") -> Played:
        """Arrive at a step with words said already."""
        self._say(before)
        return await self._play(await self._entered(step))

    async def receive(self, step: StepDefinition, question: Question | None) -> Played:
        """Take the turn as the answer to the question that `step` waits with."""
        if step.kind == "gathering" and step.field is not None:
            asked = self._definition.fields[step.field]
            move = await self.gathering.answer(asked, question)
            self._say(self.gathering.kept.no_place(asked))
            return await self._play(move)
        if step.kind == "confirming":
            waiting = Waiting(step=step.name, question=question or Question(prompt=""))
            return await self._play(await Review(self.gathering).confirm(waiting))
        if step.completes is not None:
            return await self._play(await self._completed_with(*step.completes))
        self._received = step.name
        return await self._play(await self._answered(step, question))

    async def run(self, step: StepDefinition) -> Played:
        """Give the turn to a step whatever is asked: a signal, what came of a call, the end."""
        return await self._play(await self._run(step, self._turn))

    def waiting(self, step: str, question: Question | None, *, before: str = "") -> Played:
        """Ask again what is open, changing nothing."""
        self._say(before)
        if question is None:
            return self._played(step)
        return self._asked(Waiting(step=step, question=question))

    # -- from move to move

    async def _play(self, move: "Move | tuple[StepDefinition, Outcome]") -> Played:
        while True:
            match await self._guarded(move):
                case Waiting() as waiting:
                    return self._asked(waiting)
                case Summarise() as end:
                    put = await self._summarised(end)
                    if isinstance(put, Waiting):
                        return self._asked(put)
                    move = put
                case Complete():
                    move = await self._completed()
                case Goto() as further:
                    self._say(further.say)
                    move = await self._entered(further.step)
                case Decline() | Release() as end:
                    return self._left(self._here, end)
                case (step, Goto() as further):
                    self._count(step)
                    self._say(further.say)
                    move = await self._entered(further.step)
                case (step, outcome):
                    return self._rests(step, outcome)

    def _rests(self, step: StepDefinition, outcome: Outcome) -> Played:
        """What comes of a step that does not go on by itself."""
        match outcome:
            case Ask():
                self._say(outcome.say)
                return self._asked(self._question(step, outcome))
            case Wait():
                self._say(outcome.say)
                # Leaving leads nowhere by itself: one that only says something stays where it was.
                stays = self._here if step.name == self._definition.leaves_by else step.name
                return self._played(
                    outcome.step or stays or step.name, waits=True, waits_until=self._until(outcome)
                )
            case Call():
                self._say(outcome.say)
                return self._played(outcome.then, call=outcome)
            case Assign():
                self._say(outcome.say)
                until = self._until(outcome)
                return self._played(outcome.then, waits=True, waits_until=until, assign=outcome)
            case _:
                return self._left(step.name, outcome)

    async def _entered(self, name: str) -> "Move | tuple[StepDefinition, Outcome]":
        if name == GATHERING:
            return self.gathering.next()
        step = self._definition.steps[name]
        self._here = name
        if step.kind == "gathering" and step.field is not None:
            return self.gathering.ask(self._definition.fields[step.field])
        if step.kind == "confirming":
            return self.gathering.close()
        if step.completes is not None:
            own, field = step.completes
            return self._extraction(self._definition.steps[own]).ask(field)
        if step.asks is not None:
            return Waiting(step=name, question=self._own_question(step, step.asks))
        return await self._run(step, self._turn)

    def at(self, step: str) -> "Performance":
        """Note where the instance stands before it acts."""
        self._here = step
        return self

    # -- guards

    async def _guarded(
        self, move: "Move | tuple[StepDefinition, Outcome]"
    ) -> "Move | tuple[StepDefinition, Outcome]":
        """The move, or where a check sends the turn instead: a refused answer is open again.

        A check that passed is not asked again about the same answers, but for the last time before `complete`.
        """
        if not self._definition.fields or isinstance(move, Decline | Release):
            return move
        if isinstance(move, tuple) and not isinstance(move[1], Ask | Goto):
            return move
        move = self._sound(move)
        if self._attachments is not None and isinstance(move, Summarise | Complete):
            move = await self.gathering.gone(self._attachments) or move
        last = isinstance(move, Complete)
        anew = self._asked_anew(move)
        unchecked = False
        for check in self._definition.checks:
            seen = self._seen(check)
            if seen is None or (not last and self._state.passed.get(check.name) == seen):
                continue
            if anew in check.fields:
                continue  # the person came back to that answer: what they say now is judged
            if (check.name, seen) in self._sent and not last:
                continue
            passed = self._state.passed.pop(check.name, None)
            try:
                said = await self._judged(check)
            except StepFailed as error:
                self._trouble, unchecked = error.message, True
                self._sent.add((check.name, seen))  # not once more on this turn, but for the last time
                log.error("%s", error.message, exc_info=error.__cause__)
                continue
            if isinstance(said, Wrong):
                self.gathering.kept.refuse(said.field, check.name, said.why)
                if self.gathering.kept.put_back(said.field):
                    if passed is not None and passed == self._seen(check):
                        self._state.passed[check.name] = passed
                    return await self._guarded(self._instead_of_added(move, said))
                return self.gathering.again(said.field, said.why)
            if isinstance(said, Goto):
                self._sent.add((check.name, seen))
                self._count(StepDefinition(name=check.name, kind="own", contract=self._definition.contract))
                self.gathering.kept.unanswer(said.forget)
                return Goto(said.step, say=said.say)
            self._state.passed[check.name] = seen
        if unchecked:
            self._say_once(self._wording.say("cannot_check"))
            if last:  # nothing is done unchecked: the last question stays open
                return Summarise() if self._definition.confirm_step else self.gathering.last()
        return move

    def _instead_of_added(
        self, move: "Move | tuple[StepDefinition, Outcome]", wrong: Wrong
    ) -> "Move | tuple[StepDefinition, Outcome]":
        """The move that says why nothing was added to a list, instead of what was added."""
        why = self.gathering.kept.left_as_it_was(self._definition.fields[wrong.field], wrong.why)
        if isinstance(move, Waiting | Summarise):
            return replace(move, before=why)
        self._say(why)
        return move

    def _asked_anew(self, move: "Move | tuple[StepDefinition, Outcome]") -> str:
        """The answer that is asked for because the person went back to it; "" for none."""
        stop = Stop(self._state.trail[-1]) if self._state.trail else None
        if stop is None or not stop.anew or not isinstance(move, Waiting | Goto) or move.step != stop.step:
            return ""
        return self._definition.steps[stop.step].field or ""

    def _sound(
        self, move: "Move | tuple[StepDefinition, Outcome]"
    ) -> "Move | tuple[StepDefinition, Outcome]":
        """The move, unless an answer on which it rests does not apply any more, or is not there."""
        if isinstance(move, Complete):
            return self.gathering.unsound() or move
        told = self.gathering.drop()
        step = self._definition.steps.get(move.step) if isinstance(move, Waiting) else None
        asked = self._definition.fields.get(step.field or "") if step is not None else None
        moot = asked is not None and not self.gathering.applies(asked)
        if isinstance(move, Waiting) and step is not None and step.kind == "gathering" and moot:
            return self.gathering.next(f"{move.before} {told}".strip())
        if step is not None and step.kind == "confirming" and self.gathering.missing():
            return self.gathering.next(told)  # a summary of an older version: something is asked for since
        if isinstance(move, Summarise) and told:
            return self.gathering.close(f"{move.before} {told}".strip())
        self._say(told)
        return move

    def _seen(self, check: CheckDefinition) -> str | None:
        """The answers that a check judges, as a hash; None while one of them is not known."""
        fields, state = self._definition.fields, self._state
        if any(n not in state.captured and self.gathering.applies(fields[n]) for n in check.fields):
            return None
        told = json.dumps([state.answers.get(name) for name in check.fields], ensure_ascii=False)
        return sha256(told.encode()).hexdigest()[:16]

    async def _judged(self, check: CheckDefinition) -> Wrong | Goto | None:
        where = f"Check {check.name!r} of process {self._definition.name!r}"
        said = await self._call(
            where,
            getattr(self._definition.process, check.name),
            answers_so_far(self._definition, self._state),
            self._opened(check.name, where, speaks=True),
            services=fill(check.injected, self._services),
        )
        if said is None:
            return None
        if isinstance(said, Wrong):
            if said.field not in self._definition.fields or not isinstance(said.why, str) or not said.why:
                known = ", ".join(self._definition.fields)
                raise StepFailed(
                    f"{where} gave Wrong({said.field!r}, {said.why!r}). It takes one of the answers {known}, and why.",
                    kind="not_an_outcome",
                    where=where,
                )
            return said
        outcome = checked(where, said)
        if not isinstance(outcome, Goto) or outcome.step not in (*check.goes_to, GATHERING):
            raise StepFailed(
                f"{where} returned {outcome!r:.200}. It returns None, Wrong(…), or a Goto to one of its goes_to: "
                f"{', '.join(check.goes_to) or 'none'}.",
                kind="not_an_outcome",
                where=where,
            )
        self._check_forgotten(where, outcome.forget)
        self._done(outcome.effects)
        return outcome

    def _done(self, effects: Sequence[AnyEffect]) -> None:
        """Take over effects. Nobody goes back behind what is done: it would be done twice."""
        self._effects += effects
        if effects:
            self._state.trail.clear()

    # -- steps of one's own

    async def _answered(
        self, step: StepDefinition, question: Question | None
    ) -> "Move | tuple[StepDefinition, Outcome]":
        """What the step makes of the answer to its question; or what works at every question, without the step."""
        said: Turn | Move = self._turn
        if question is not None:
            own = OwnQuestion(self._definition, step, question, self._turn, self._state, self.gathering)
            said = await own.heard()
        if not isinstance(said, Turn):
            return said
        last = Stop(self._state.trail[-1]) if self._state.trail else None
        if last is not None and last.step == step.name and last.anew:
            self._state.data, last.anew = dict(last.data), False  # its first answer is replaced
        return await self._run(step, said)

    async def _run(self, step: StepDefinition, said: Turn) -> tuple[StepDefinition, Outcome]:
        if self._state.returns is not None:
            self._state.returns = None
        where = f"Step {step.name!r} of process {self._definition.name!r}"
        returned = await self._call(
            where,
            getattr(self._definition.process, step.name),
            self._opened(step.name, where, said, step, speaks=True),
            self._kept_for(step),
            limit=step.limit,
            services=fill(step.injected, self._services),
        )
        return step, self._take(where, step, returned)

    def _kept_for(self, step: StepDefinition) -> Any:
        """What a step is handed of what was kept, new for each."""
        read = answers_so_far if step.gives_answers else data_of
        try:
            return read(self._definition, self._state)
        except ValueError as error:  # a step before it, of this turn, has kept what does not come back
            where = f"What step {step.name!r} of process {self._definition.name!r} is handed"
            raise StepFailed(f"{where} cannot be read: {why_not(error)}", kind="not_an_outcome") from error

    async def _completed_with(self, name: str, field: str) -> "Move | tuple[StepDefinition, Outcome]":
        """The answer for what was missing of what a step extracts; with all of it the step runs again."""
        step = self._definition.steps[name]
        move = await self._extraction(step).answer(field)
        return await self._run(step, self._turn) if isinstance(move, Complete) else move

    def _extraction(self, step: StepDefinition) -> Extraction:
        """What a step extracts, on this turn."""
        found = self._extractions.get(step.name)
        if found is None:
            found = Extraction(
                self._definition,
                step,
                self._opened(step.name, f"Step {step.name!r} of process {self._definition.name!r}"),
                self._state,
                wording=self._wording,
                limit=self._limit,
                reader=self._reader,
            )
            self._extractions[step.name] = found
        return found

    async def _call(
        self,
        where: str,
        function: Callable[..., Any],
        *args: Any,
        limit: timedelta | None = None,
        services: Mapping[str, object] | None = None,
    ) -> Any:
        """What a function of the process returns; the doors of the turn it was handed are shut when it has ended."""
        try:
            return await call(where, function, *args, limit=limit or self._limit, services=services)
        finally:
            for one in args:
                if isinstance(one, Turn) and isinstance(one.doors, StepDoors):
                    one.doors.shut()

    def _opened(
        self,
        name: str,
        where: str,
        said: Turn | None = None,
        step: StepDefinition | None = None,
        *,
        speaks: bool = False,
    ) -> Turn:
        """The turn with its doors open for one function of the process."""
        extracts = step.extracts if step is not None else None
        doors = StepDoors(
            process=self._definition.name,
            name=name,
            where=where,
            turn=self._turn,
            limit=(step.limit if step is not None else None) or self._limit,
            wording=self._wording,
            model=self._model,
            attachments=self._attachments,
            extraction=self._extraction(step) if step is not None and extracts is not None else None,
            model_type=extracts.model if extracts is not None else None,
            received=step is not None and step.name == self._received,
            speech=self._speech if speaks else None,
        )
        return evolved(said or self._turn, {"doors": doors})

    def _take(self, where: str, step: StepDefinition | None, returned: Any) -> Outcome:
        """Check an outcome and take over its effects and data; `step` None: it came from `complete`."""
        outcome = checked(where, returned)
        match outcome:
            case Goto():
                self._check_way(where, step, outcome.step, ask=False)
            case Ask() | Wait():
                if outcome.step is not None:
                    self._check_way(where, step, outcome.step, ask=True)
                if isinstance(outcome, Wait):
                    self._check_own(where, outcome.step or (step.name if step is not None else ""))
            case Call() | Assign():
                self._check_way(where, step, outcome.then, ask=True)
                self._check_own(where, outcome.then)
        if outcome.data is not None:
            self._keep(where, step, outcome.data)
        if isinstance(outcome, Goto) and outcome.forget:
            self._check_forgotten(where, outcome.forget)
            # Before the checks: what is taken back is not judged.
            self.gathering.kept.unanswer(outcome.forget)
        self._done(outcome.effects)
        if step is not None and step.extracts is not None:
            self._leave_extracted(step, outcome)
        self.gathering.kept.why.append(f"{step.name if step else 'complete'} gave {type(outcome).__name__}")
        return outcome

    def _leave_extracted(self, step: StepDefinition, outcome: Outcome) -> None:
        """What a step has extracted is kept as long as the step waits; whoever comes back begins anew."""
        if (why := self._extraction(step).why) and why not in self.gathering.kept.why:
            self.gathering.kept.why.append(why)
        asked = self._definition.steps.get(outcome.step or "") if isinstance(outcome, Ask) else None
        stays = asked is None or asked is step or (asked.completes or ("",))[0] == step.name
        if isinstance(outcome, Goto | Done | Decline) or not stays:
            self._state.extracted.pop(step.name, None)
            self._extractions.pop(step.name, None)

    def _check_forgotten(self, where: str, names: Sequence[str]) -> None:
        unknown = [name for name in names if name not in self._definition.fields]
        if unknown:
            known = ", ".join(self._definition.fields) or "nothing"
            raise StepFailed(
                f"{where} forgets {unknown[0]!r}, which is not asked for. It asks for: {known}.",
                kind="not_an_outcome",
                where=where,
            )

    def _check_way(self, where: str, step: StepDefinition | None, dest: str, *, ask: bool) -> None:
        steps = self._definition.steps
        allowed = list(steps) if step is None else [*step.goes_to, *([step.name] if ask else [])]
        if step is None and self._definition.fields and not ask:
            allowed.append(GATHERING)
        if dest not in allowed or (ask and dest == GATHERING):
            raise StepFailed(
                f"{where} goes to step {dest!r}, which is not in its goes_to: {', '.join(allowed) or 'none'}.",
                kind="not_an_outcome",
                where=where,
            )

    def _check_own(self, where: str, name: str) -> None:
        """What happens outside, or comes of a call, is for a step of the author's own."""
        found = self._definition.steps.get(name)
        if found is None or found.kind != "own":
            own = ", ".join(n for n, s in self._definition.steps.items() if s.kind == "own") or "none"
            raise StepFailed(
                f"{where} waits at {name or 'no step'!r}, which is no step of its own. Those are: {own}.",
                kind="not_an_outcome",
                where=where,
            )

    def _until(self, outcome: Wait | Assign) -> datetime | None:
        until = outcome.until
        if isinstance(until, timedelta):
            return self._turn.at + until
        return until.astimezone(UTC) if until is not None else None

    def _keep(self, where: str, step: StepDefinition | None, data: Any) -> None:
        definition = self._definition
        wanted = definition.answers if step is None or step.gives_answers else definition.data
        if step is None and definition.data is not None and isinstance(data, definition.data):
            wanted = definition.data
        if wanted is None or not isinstance(data, wanted):
            name = wanted.__name__ if wanted else "no data"
            raise StepFailed(
                f"{where} gave a {type(data).__name__} as data; this process has {name}.",
                kind="not_an_outcome",
                where=where,
            )
        if wanted is definition.data:
            self._state.data = values_of(where, data)
        else:
            values = plain(where, data)
            given = {n: v for n, v in values.items() if n in definition.fields and n in data.model_fields_set}
            refused = self.gathering.adopt(given)
            if refused:
                names = ", ".join(asked.name for asked in refused)
                self._trouble = f"{where} gave answers that cannot be used: {names}."
                for asked in refused:
                    self._say(self._wording.say("given_unusable", label=asked.label))

    # -- questions

    def _options(self, step: StepDefinition) -> tuple[Option, ...]:
        """What may answer a step, where its question names nothing else."""
        asked = self._definition.fields.get(step.field or "")
        if asked is not None and (step.kind == "gathering" or asked.reader.kind == "consent"):
            return options_of_answer(asked, self._wording)
        return ()

    def _chooses_several(self, step: StepDefinition) -> bool:
        """It asks for an answer that is several of its options."""
        asked = self._definition.fields.get(step.field or "")
        return asked is not None and step.kind == "gathering" and asked.reader.chooses_several

    def _own_question(self, step: StepDefinition, text: str) -> Question:
        data = self._kept_for(step)
        values: dict[str, str] = {}
        if data is not None:
            for name in type(data).model_fields:
                values[name] = "; ".join(in_words(getattr(data, name, None), self._wording))
        return Question(
            prompt=self._wording.render(f"{self._definition.name}/{step.name}", text, values),
            options=step.options or self._options(step),
            several=self._chooses_several(step),
            takes_anything=step.takes_anything,
            skippable=step.skippable,
            suggestions=self._may_skip(step.skippable),
        )

    def _question(self, step: StepDefinition, asked: Ask) -> Waiting:
        name = asked.step or (step.name if step.name in self._definition.steps else "")
        if not name:
            raise StepFailed(
                f"complete() of process {self._definition.name!r} asks and names no step: Ask(…, step=…).",
                kind="not_an_outcome",
            )
        target = self._definition.steps[name]
        if target.completes is not None and not asked.options:
            own, field = target.completes
            put = self._extraction(self._definition.steps[own]).ask(field)
            return replace(
                put, question=put.question.model_copy(update={"prompt": asked.text, "payload": asked.payload})
            )
        options = options_of(f"Step {step.name!r}", asked.options)
        if not options:
            options = self._options(target)
        skippable = target.kind == "own" and (target.skippable or asked.skippable)
        question = Question(
            kind=asked.kind,
            prompt=asked.text,
            options=options,
            tail=asked.tail,
            takes_anything=target.takes_anything or asked.takes_anything,
            skippable=skippable,
            several=asked.several or self._chooses_several(target),
            suggestions=self._may_skip(skippable, several=asked.several),
            expires_at=self._turn.at + asked.default_after if asked.default_after else None,
            payload=asked.payload,
        )
        asker = step.name if step.name in self._definition.steps and not asked.effects else name
        return Waiting(step=name, question=question, polish=asked.polish, asker=asker)

    def _may_skip(self, skippable: bool, *, several: bool = False) -> tuple[str, ...]:
        return (self._wording.say("choice_done" if several else "choice_skip"),) if skippable else ()

    # -- the end of the answers

    async def _summarised(self, move: Summarise) -> "Move | tuple[StepDefinition, Outcome]":
        definition = self._definition
        name = definition.confirm_step or ""
        step = definition.steps[name]
        self._say(move.before)
        self._here = name
        if step.kind == "own":
            return await self._entered(name)
        where = f"summary() of process {definition.name!r}"
        said = await self._call(
            where,
            definition.process.summary,
            self._answers(),
            self._opened("summary", where, speaks=True),
        )
        if said is not None and not isinstance(said, str):
            raise StepFailed(f"{where} returned a {type(said).__name__}, not text.", kind="not_an_outcome")
        text = {"summary": said or summary(definition, self._state, self._wording)}
        default = definition.process.sentences.get(name, SENTENCES["summary"])
        prompt = self._wording.render(f"{definition.name}/{name}", default, text)
        return Waiting(
            step=name,
            question=Question(
                kind="confirm",
                prompt=prompt,
                tail=True,
                takes_anything=step.takes_anything,
                suggestions=(self._wording.say("choice_yes"), self._wording.say("choice_again")),
            ),
        )

    async def _completed(self) -> tuple[StepDefinition, Outcome]:
        definition = self._definition
        where = f"complete() of process {definition.name!r}"
        returned = await self._call(
            where,
            definition.process.complete,
            self._answers(),
            self._opened("complete", where, speaks=True),
            services=fill(definition.completes, self._at_the_end()),
        )
        outcome = self._take(where, None, returned)
        return StepDefinition(name="complete", kind="own", contract=definition.contract), outcome

    def _at_the_end(self) -> Mapping[type, object]:
        """What `complete` may be handed by type."""
        definition = self._definition
        if definition.data is None:
            return self._services
        return {**self._services, definition.data: data_of(definition, self._state)}

    def _answers(self) -> Any:
        try:
            return answers_of(self._definition, self._state)
        except ValidationError as error:
            raise StepFailed(
                f"The answers are not valid together: {faulty(error)}", kind="unreadable"
            ) from error

    # -- the result

    def _count(self, step: StepDefinition) -> None:
        self._gotos += 1
        if self._gotos > MOST_GOTOS:
            raise StepFailed(
                f"Process {self._definition.name!r} went from step to step {MOST_GOTOS} times in one turn and "
                f"did not stop; the last one was {step.name!r}.",
                kind="not_an_outcome",
            )

    def _asked(self, waiting: Waiting) -> Played:
        self._say(waiting.before)
        self._say(waiting.question.prompt)
        self._remember(waiting)
        return self._played(
            waiting.step,
            question=waiting.question,
            suggested_actions=waiting.question.suggestions,
            polish=waiting.polish,
        )

    def _remember(self, waiting: Waiting) -> None:
        """Note on the trail what is asked, where there are steps of one's own to come back to."""
        step = self._definition.steps.get(waiting.step)
        if step is None or not self._definition.has_own_steps:
            return
        own = step.kind == "own"
        if self._state.returns is not None:
            if not own and step.kind != "confirming":
                return  # asked in between: the question that waits is the last on the trail
            self._state.returns = None
        put = waiting.asker or (own and step.asks is None)
        stop = Stop.of(
            step.name,
            self._turn.at,
            question=waiting.question if put else None,
            asker=waiting.asker,
            data=self._state.data if own else None,
            answers=digest(self._state.answers) if own else "",
        )
        stopped(self._state.trail, stop)

    def _left(self, step: str, outcome: Outcome) -> Played:
        at = step if step in self._definition.steps else self._here
        if isinstance(outcome, Done):
            self._say(outcome.text)
            return self._played(
                at,
                end="completed",
                suggested_actions=tuple(outcome.suggested_actions),
                reroute=outcome.reroute,
                project_id=outcome.project_id,
                polish=outcome.polish,
                value=outcome.value,
                payload=outcome.payload,
            )
        if isinstance(outcome, Decline):
            self._say(outcome.text)
            return self._played(at, end="declined")
        if isinstance(outcome, Release):
            return self._played(at, release=outcome)
        raise TypeError(f"{outcome!r} does not leave a step.")

    def _played(self, step: str, **more: Any) -> Played:
        extracted = [found.why for found in self._extractions.values() if found.why]
        return Played(
            step=step,
            data=dump(self._definition, self._state),
            say=self._speech.text,
            messages=self._speech.messages,
            effects=tuple(self._effects),
            why=", ".join(dict.fromkeys([*self.gathering.kept.why, *extracted])),
            captured=tuple(self.gathering.kept.captured),
            refused=tuple(self.gathering.kept.refused),
            prompts=tuple(dict.fromkeys(self._wording.used)),
            drafted=drafted_by(self._definition, self._state),
            trouble=self._trouble,
            **more,
        )


def drafted_by(definition: Definition, state: State) -> Drafted | None:
    """The text a process is working on; None when it works on none. Raises StepFailed when it cannot say."""
    if type(definition.process).drafted is Process.drafted:
        return None
    where = f"drafted() of process {definition.name!r}"
    read = data_of if definition.data is not None else answers_so_far
    said = call_now(where, definition.process.drafted, read(definition, state))
    if said is not None and not isinstance(said, Drafted):
        raise StepFailed(f"{where} returned a {type(said).__name__}, not Drafted.", kind="not_an_outcome")
    return said
