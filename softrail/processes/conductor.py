"""Lets processes act: the one way in which the registry reaches plugin code."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from inspect import iscoroutinefunction, signature
from typing import Any

from pydantic import ValidationError

from softrail.core.attachments import Attachments
from softrail.core.calling import call, call_now
from softrail.core.clock import before
from softrail.core.errors import StepFailed
from softrail.core.fitting import unfit
from softrail.core.instances import Instance
from softrail.core.outcomes import Drafted, Goto
from softrail.core.ports import Model, Prompts, Reader
from softrail.core.questions import Question
from softrail.core.reading import Place, Value
from softrail.core.reading import Reading as Read
from softrail.core.turns import Turn
from softrail.processes.beginning import given_already, place_of, places
from softrail.processes.checked import checked
from softrail.processes.definition import Definition, StepDefinition
from softrail.processes.lists_of_steps import label_of, lists_of
from softrail.processes.performance import Performance, drafted_by
from softrail.processes.placing import placed
from softrail.processes.play import Played
from softrail.processes.process import Process
from softrail.processes.readers import Reading
from softrail.processes.sentences import Wording
from softrail.processes.state import (
    Capture,
    State,
    answers_so_far,
    changed_in,
    data_of,
    dump,
    faulty,
    fitting,
    load,
    not_asked_for,
    plain,
)
from softrail.processes.telling import Given, given_in_words, kept_in_words
from softrail.processes.whereabouts import Whereabouts, whereabouts

log = logging.getLogger(__name__)


class Conductor:
    """Starts, answers, resumes and migrates instances. Nothing it returns has happened yet.

    Whatever plugin code does wrong comes out as StepFailed and leaves the state as it was.
    """

    def __init__(
        self,
        *,
        prompts: Prompts,
        services: Mapping[type, object] | None = None,
        limit: timedelta = timedelta(seconds=10),
        reader: Reader | None = None,
        model: Model | None = None,
        attachments: Attachments | None = None,
    ) -> None:
        self._prompts = prompts
        self._services = dict(services or {})
        self._limit = limit
        self._reader = reader
        self._model = model
        self._attachments = attachments

    # -- turns

    async def start(
        self, definition: Definition, turn: Turn, *, prefill: Mapping[str, Any] | None = None
    ) -> Played:
        """Begin; what `prefill`, or else the process's own prefill() of the message, gives is not asked for."""
        with _its_own_fault(definition):
            return await self._start(definition, turn, prefill)

    async def _start(self, definition: Definition, turn: Turn, prefill: Mapping[str, Any] | None) -> Played:
        state = State()
        given: Any = prefill
        if given is None:
            given = call_now(_of(definition, "prefill()"), definition.process.prefill, turn)
        if not isinstance(given, Mapping):
            raise StepFailed(f"{_of(definition, 'prefill()')} gave no dict.", kind="not_an_outcome")
        self._prefill_data(definition, state, given)
        performance = self._performance(definition, turn, state)
        noted = performance.gathering.prefill(given)
        performance.gathering.kept.overhear()
        first = definition.steps[definition.first]
        if state.captured and first.kind == "gathering":
            return await performance.enter("gathering", before=noted)
        return await performance.enter(definition.first)

    async def answer(
        self, definition: Definition, instance: Instance, turn: Turn, *, late: bool = False
    ) -> Played:
        """Give the turn to the step that waits; with `late`, answers that are too old are asked again."""
        step = _step(definition, instance)
        performance = self._performance(definition, turn, load(definition, instance.data))
        performance.gathering.part = instance.memo.asked
        if late and definition.freshness is not None:
            performance.gathering.kept.forget(before(turn.at, definition.freshness))
        return await performance.at(step.name).receive(step, instance.question)

    async def default(self, definition: Definition, instance: Instance, turn: Turn) -> Played:
        """Let the step that waits take its default: it receives a turn of origin "timer", without words."""
        if _step(definition, instance).kind != "own":
            return await self.again(definition, instance, turn)
        return await self.answer(definition, instance, replace(turn, origin="timer"))

    async def hear(self, definition: Definition, instance: Instance, turn: Turn) -> Played | None:
        """Give a signal to the step that takes it, else to the one that waits; None: nobody takes it."""
        name = turn.signal.name if turn.signal is not None else ""
        here = _step(definition, instance)
        taker = definition.steps.get(definition.signals.get(name, ""))
        if taker is None and instance.memo.waits and instance.memo.assigned is None and not here.on:
            taker = here
        if taker is None:
            return None
        performance = self._performance(definition, turn, load(definition, instance.data))
        return await performance.at(here.name).run(taker)

    async def told(self, definition: Definition, instance: Instance, turn: Turn) -> Played:
        """Give a turn that is one of the process's own intents, `turn.intent`, to the step that takes it."""
        here = _step(definition, instance)
        taker = definition.steps[definition.takes[turn.intent.name if turn.intent is not None else ""]]
        performance = self._performance(definition, turn, load(definition, instance.data))
        return await performance.at(here.name).run(taker)

    async def returned(self, definition: Definition, instance: Instance, turn: Turn) -> Played:
        """Give `turn.result` to the step that called, or that it named: what it called is over."""
        step = _step(definition, instance)
        performance = self._performance(definition, turn, load(definition, instance.data))
        return await performance.at(step.name).run(step)

    async def leave(self, definition: Definition, instance: Instance, turn: Turn) -> Played:
        """Tell the step that is told of the person's leaving."""
        step = definition.steps[definition.leaves_by or ""]
        performance = self._performance(definition, turn, load(definition, instance.data))
        return await performance.at(instance.step).run(step)

    async def resume(self, definition: Definition, instance: Instance, turn: Turn) -> Played:
        """Go to the first missing answer, with what is kept; answers that are too old are asked again."""
        with _its_own_fault(definition):
            return await self._resume(definition, instance, turn)

    async def _resume(self, definition: Definition, instance: Instance, turn: Turn) -> Played:
        step = _step(definition, instance)
        state = load(definition, instance.data)
        performance = self._performance(definition, turn, state)
        move: Goto | None = None
        if definition.freshness is not None:
            older_than = before(turn.at, definition.freshness)
            performance.gathering.kept.forget(older_than)
            move = self._refreshed(definition, state, older_than)
        kept = self._kept(definition, state)
        if move is not None:
            told = f"{kept}\n\n{move.say}" if isinstance(move.say, str) else (kept, *move.say)
            return await performance.enter(move.step, before=told)
        if step.completes is not None:
            performance.at(step.name)
            return performance.waiting(step.name, instance.question, before=kept)
        if step.kind == "own" and not (step.field and step.field not in state.captured):
            performance.at(step.name)
            if instance.question is None and step.asks is not None:
                return await performance.enter(step.name, before=kept)
            return performance.waiting(step.name, instance.question, before=kept)
        complete = not performance.gathering.missing()
        return await performance.enter(
            "gathering", before="" if complete and definition.confirm_step else kept
        )

    async def again(self, definition: Definition, instance: Instance, turn: Turn) -> Played:
        """Put the open question once more; the state stays as it is."""
        with _its_own_fault(definition):
            step = _step(definition, instance)
            performance = self._performance(definition, turn, load(definition, instance.data)).at(step.name)
            if instance.question is None and (step.kind != "own" or step.asks is not None):
                return await performance.enter(step.name)
            played = performance.waiting(step.name, instance.question)
            return replace(played, data=instance.data)

    # -- questions to the process

    async def recognised(self, definition: Definition, words: str, turn: Turn) -> str | None:
        """The intent of its own that a process knows the words for; None: it does not know them."""
        if type(definition.process).recognise is Process.recognise:
            return None
        where, hook = _of(definition, "recognise()"), definition.process.recognise
        given = (words, turn) if len(signature(hook).parameters) > 1 else (words,)
        if iscoroutinefunction(hook):
            said = await call(where, hook, *given, limit=self._limit)
        else:
            said = call_now(where, hook, *given)
        if said is not None and said not in definition.takes:
            known = ", ".join(definition.takes)
            raise StepFailed(
                f"{where} returned {said!r:.200}. It returns None or one of its intents: {known}.",
                kind="not_an_outcome",
                where=where,
            )
        return said  # type: ignore[no-any-return] # a key of `takes`

    def placed(self, definition: Definition, instance: Instance, turn: Turn, known: Place) -> Place:
        """The place of a message that answers this instance: what is wanted, and how its fields are read."""
        return placed(definition, instance, turn, known)

    def opening(self, definition: Definition, turn: Turn) -> Place | None:
        """The place of a message that a process starts with: its first question, as if it had been asked.

        None where no prefill() of its own wants to know what the message gives.
        """
        step = definition.steps[definition.first]
        asked = definition.fields.get(step.field or "")
        if asked is None or type(definition.process).prefill is Process.prefill:
            return None
        return place_of(definition, turn, asked)

    def openings(self, definition: Definition, turn: Turn) -> Sequence[Place]:
        """Where the message it starts with is read, which may give answers already, unless it has a prefill() of its own."""
        first = definition.steps[definition.first]
        if first.kind != "gathering" or type(definition.process).prefill is not Process.prefill:
            return ()
        return places(definition, turn)

    def given_already(
        self, definition: Definition, turn: Turn, readings: Sequence[Read]
    ) -> tuple[Mapping[str, Any], tuple[Value, ...]]:
        """What that message gives, read in those places, and what it may give as well."""
        return given_already(definition, turn, readings)

    def changed(self, definition: Definition, instance: Instance, seq: int) -> bool:
        """Whether the message of that turn has changed answers which the person, who is asked for others, may take back."""
        step = definition.steps.get(instance.step)
        return step is not None and step.kind != "own" and changed_in(instance.data) == seq

    def kept(self, definition: Definition, instance: Instance) -> str:
        """What is kept of an instance, in one sentence; "" when nothing is, or nobody can say."""
        try:
            return self._kept(definition, load(definition, instance.data))
        except StepFailed as error:
            log.warning("Nothing can be said about instance %s.", instance.id, exc_info=error)
            return ""

    def given(self, definition: Definition, instance: Instance) -> Mapping[str, Given]:
        """By name: every answer that was given, as it is told to the person."""
        try:
            state = load(definition, instance.data)
        except StepFailed as error:
            log.warning("Nothing can be said about instance %s.", instance.id, exc_info=error)
            return {}
        given = given_in_words(definition, state, Wording(self._prompts))
        lists = lists_of(definition.steps.get(instance.step), state)
        told = {n: Given(label=label_of(n), value="; ".join(items), shown=True) for n, items in lists.items()}
        return {**told, **given}

    def unfit(self, question: Question, value: Any) -> Sequence[tuple[Sequence[str | int], str]]:
        """Where a value is not of the form that a question's schema says, and why, as the person is told; nothing where it is."""
        wording, labels = Wording(self._prompts), ", ".join(one.label for one in question.options)
        told: list[tuple[Sequence[str | int], str]] = []
        for one in unfit(question.answer_schema, value):
            chosen = (
                {"options": labels}
                if one.sentence == "no_option" and labels and (not one.path or question.several)
                else {}
            )
            told.append((one.path, wording.say(one.sentence, **{**one.values, **chosen})))
        return told

    def drafted(self, definition: Definition, instance: Instance) -> Drafted | None:
        """The text an instance is working on; None when there is none, or nobody can say."""
        try:
            return drafted_by(definition, load(definition, instance.data))
        except StepFailed as error:
            log.warning("Nothing can be shown of instance %s.", instance.id, exc_info=error)
            return None

    def whereabouts(self, definition: Definition, instance: Instance) -> Whereabouts | None:
        """How far an instance is with what it asks for; None where nobody can say."""
        try:
            return whereabouts(definition, instance.step, instance.data)
        except StepFailed as error:
            log.warning("Nobody can say how far instance %s is.", instance.id, exc_info=error)
            return None

    def data(self, definition: Definition, instance: Instance) -> Mapping[str, Any]:
        """What the steps of an instance keep, as JSON values; empty when nobody can read it."""
        try:
            return load(definition, instance.data).data
        except StepFailed as error:
            log.warning("Instance %s cannot be read.", instance.id, exc_info=error)
            return {}

    def slot(self, definition: Definition, instance: Instance) -> str:
        """Which of several runs an instance is; the default one when its process cannot say."""
        if type(definition.process).slot is Process.slot:
            return ""
        try:
            state = load(definition, instance.data)
            said = call_now(_of(definition, "slot()"), definition.process.slot, _shown(definition, state))
        except StepFailed as error:
            log.warning("%s failed.", _of(definition, "slot()"), exc_info=error)
            return ""
        return said if isinstance(said, str) else ""

    async def offer_when(self, definition: Definition, turn: Turn) -> bool:
        """Whether the process wants to be offered now; raises StepFailed for the caller to log and skip."""
        where = _of(definition, "offer_when()")
        said = await call(where, definition.process.offer_when, turn, limit=self._limit)
        if not isinstance(said, bool):
            raise StepFailed(f"{where} returned a {type(said).__name__}, not a bool.", kind="not_an_outcome")
        return said

    def offer_text(self, definition: Definition) -> tuple[str, tuple[str, ...]]:
        """The words of the offer, "" when the process has none of its own, and the assets they came from."""
        name = f"{definition.name}/offer"
        if not definition.offer_text and self._prompts.get(name) is None:
            return "", ()
        wording = Wording(self._prompts)
        text = wording.render(name, definition.offer_text, {"title": definition.title})
        return text, tuple(wording.used)

    def not_asked_for(self, definition: Definition, instance: Instance) -> Sequence[str]:
        """The answers that the instance has and the definition does not ask for: it was changed, its version was not."""
        return not_asked_for(definition, instance.data)

    async def migrate(self, definition: Definition, instance: Instance, turn: Turn) -> tuple[str, str]:
        """State and step of an older version in the form of this one; raises StepFailed(kind="unreadable")."""
        where = _of(definition, "migrate()")
        try:
            old = State.model_validate_json(instance.data if instance.data not in ("", "{}") else "{}")
        except ValidationError as error:
            raise StepFailed(
                f"{where} cannot read the older state: {faulty(error)}", kind="unreadable"
            ) from error
        given = await call(
            where,
            definition.process.migrate,
            {**old.answers, **old.data},
            from_version=instance.version,
            step=instance.step,
            limit=self._limit,
        )
        match given:
            case (dict() as flat, str() as step):
                return self._migrated(definition, instance, turn, old, flat), _known(definition, where, step)
            case _:
                raise StepFailed(f"{where} returns (data, step).", kind="unreadable")

    # -- parts

    def _performance(self, definition: Definition, turn: Turn, state: State) -> Performance:
        return Performance(
            definition,
            turn,
            state,
            wording=Wording(self._prompts),
            services=self._services,
            limit=self._limit,
            reader=self._reader,
            model=self._model,
            attachments=self._attachments,
        )

    def _prefill_data(self, definition: Definition, state: State, given: Mapping[str, Any]) -> None:
        if definition.data is None:
            return
        wanted = {name: value for name, value in given.items() if name in definition.data.model_fields}
        try:
            made = definition.data.model_validate(wanted, by_alias=False, by_name=True)
        except ValidationError as error:
            where = _of(definition, "prefill")
            raise StepFailed(
                f"{where} does not fit its data: {faulty(error)}", kind="not_an_outcome"
            ) from error
        state.data = plain(_of(definition, "prefill"), made)

    def _refreshed(self, definition: Definition, state: State, older_than: Any) -> Goto | None:
        where = _of(definition, "refresh()")
        said = call_now(where, definition.process.refresh, _shown(definition, state), older_than)
        if said is None:
            return None
        outcome = checked(where, said)
        if not isinstance(outcome, Goto) or outcome.step not in (*definition.steps, "gathering"):
            raise StepFailed(f"{where} gives None or a Goto to one of its steps.", kind="not_an_outcome")
        if outcome.data is not None:
            if definition.data is None or not isinstance(outcome.data, definition.data):
                raise StepFailed(f"{where} gave data of another kind.", kind="not_an_outcome")
            state.data = plain(where, outcome.data)
        return outcome

    def _kept(self, definition: Definition, state: State) -> str:
        where = _of(definition, "kept()")
        said = call_now(where, definition.process.kept, _shown(definition, state))
        if not isinstance(said, str):
            raise StepFailed(f"{where} returned a {type(said).__name__}, not text.", kind="not_an_outcome")
        return said or kept_in_words(definition, state, Wording(self._prompts))

    def _migrated(
        self, definition: Definition, instance: Instance, turn: Turn, old: State, flat: Mapping[str, Any]
    ) -> str:
        where = _of(definition, "migrate()")
        data_fields = definition.data.model_fields.keys() if definition.data else set()
        lost = flat.keys() - definition.fields.keys() - data_fields
        if lost:
            raise StepFailed(
                f"{where} gave what v{definition.version} has no place for: {', '.join(lost)}.",
                kind="unreadable",
            )
        new = State(data=plain(where, {n: v for n, v in flat.items() if n in data_fields}))
        new.answers = fitting(definition, flat, Reading.of(turn), beside={})
        for name in definition.fields:
            capture = old.captured.get(name)
            if name in new.answers and capture is None and instance.handled_at is not None:
                capture = Capture(at=instance.handled_at, seq=0, turn_id="")
            if capture is not None and (name in new.answers or (capture.skipped and name not in flat)):
                new.captured[name] = capture  # what cannot be used any more is asked again
        text = dump(definition, new)
        load(definition, text)
        return text


@contextmanager
def _its_own_fault(definition: Definition) -> Iterator[None]:
    """Types of a plugin act within our own code, too: their `str()`, their attributes. They fail alike."""
    try:
        yield
    except StepFailed:
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error!s:.300}"
        raise StepFailed(f"Process {definition.name!r} could not be played: {what}") from error


def _of(definition: Definition, what: str) -> str:
    return f"{what} of process {definition.name!r}"


def _known(definition: Definition, where: str, step: str) -> str:
    if step not in definition.steps:
        known = ", ".join(definition.steps)
        raise StepFailed(f"{where} goes to step {step!r}. Its steps are: {known}.", kind="unreadable")
    return step


def _step(definition: Definition, instance: Instance) -> StepDefinition:
    where = f"Instance {instance.id} of process {definition.name!r} v{definition.version}"
    return definition.steps[_known(definition, where, instance.step)]


def _shown(definition: Definition, state: State) -> Any:
    """What the hooks of a process are shown: its data, or else the answers so far."""
    return data_of(definition, state) if definition.data is not None else answers_so_far(definition, state)
