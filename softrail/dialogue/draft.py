"""The turn being computed: what was read, and everything that will be committed together."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any, Self

from pydantic import BaseModel

from softrail.core.assignments import PartRequest
from softrail.core.commits import Status, TurnCommit, TurnRow
from softrail.core.decisions import Decision, TransitionView, brief
from softrail.core.effects import AnyEffect, Effect, Forget, Record
from softrail.core.errors import DefinitionError
from softrail.core.frozen import evolved
from softrail.core.instances import Instance, State, Transition, Trigger
from softrail.core.markdown import inert
from softrail.core.outcomes import Drafted, Reroute
from softrail.core.questions import Pending
from softrail.core.reading import Reading
from softrail.core.replies import ReplyForm
from softrail.core.sessions import Session, Snapshot
from softrail.core.signals import Result, SignalRequest
from softrail.core.turns import ProcessView, Reply, Request, SideEffect, Turn, WayView, pending_view
from softrail.dialogue.multi_intent import Wishes
from softrail.processes import Played
from softrail.processes.lifecycle import move

log = logging.getLogger(__name__)

Emit = Callable[[str, dict[str, Any]], None]


class Draft:
    """One attempt at a turn. Nothing outside can see it before its commit; it may be thrown away."""

    def __init__(
        self,
        turn: Turn,
        snapshot: Snapshot,
        *,
        decision_id: str,
        emit: Emit | None = None,
        form: ReplyForm | None = None,
    ) -> None:
        self.turn = turn
        self._said = turn.message
        self.snapshot = snapshot
        self.session: Session = snapshot.session
        self.instances: dict[str, Instance] = {i.id: i for i in snapshot.instances}
        self._changed: dict[str, None] = {}
        self.transitions: list[Transition] = []
        self.heard: Reading | None = None  #: of the message in its place
        self.reading: Reading | None = None  #: as whoever gets the message is to read it
        self.effects: list[AnyEffect] = []
        self._made_by: dict[int, str] = {}  #: instances, by the place of what they made among the effects
        self.suggestions: list[str] = []
        self.words: list[str] = []
        self.parted = False  #: a step said messages of their own
        self.prompts: list[str] = []
        self.intent: str | None = None
        self.owner: str | None = None  #: the process that got the turn
        focus = self.session.memo.focus.beside(turn.project_id)
        if focus is not self.session.memo.focus:
            self.remember(focus=focus)
        #: What the turn is about: the client's project, or the one that was chosen by words in the place of it.
        self.at_project = focus.here(turn.project_id)
        self.project_id: str | None = self.at_project
        self.milliseconds = 0.0  #: how long it took to compute
        self.payload: Any = None  #: what something that is done gives the client
        self._form = form if form is not None else ReplyForm()
        self._brought: dict[str, Any] = {}  #: the values of plugins' fields
        self.ask_again: str | None = None  #: an instance whose question comes back after the answer
        self.own = False  #: the message was an intent of a process's own: nothing else began
        self.released: set[str] = set()  #: instances that said of such a message that it is not theirs
        self.asked_own: set[tuple[str, str]] = set()  #: processes that did not know words, with the words
        self.classified = False  #: a language model was asked what is wanted, which it is once a turn
        self.unheard = ""  #: what stands behind a wish to begin something, and is said to that
        self.left_over = ""  #: what was said behind a yes, and nobody acts on
        self.reminder = ""  #: an offer that stays open, to be named again after the answer
        self.left: set[str] = set()  #: instances put aside in this turn, not to be offered again at once
        self.suspended: Sequence[Instance] | None = (
            None  #: what the store has of the person; None: not asked yet
        )
        self.shown: str | None = None  #: the instance this turn moved or asked last
        self.reroute: list[Reroute] = []  #: earlier turns that are clear now and are to be routed
        self.returns: list[
            str
        ] = []  #: called instances that are over, or left, and whose callers are not told yet
        self.values: dict[str, Any] = {}  #: what completed instances give to their callers
        self.comes_back: str | None = None  #: the instance that is over, for which something was paused
        self.wishes: Wishes | None = None  #: what several wishes found so far, to be told together
        self.touched: list[Instance] = []  #: others' instances that must be as they were read
        self.filed = False  #: whoever got the turn has seen the files that it brings
        self.ways: tuple[WayView, ...] = ()  #: what can be said next to move on, back or out
        self.fixed = 0  #: how many of the words were said at once: nothing comes before or between them
        self._emit = emit
        self._shown = ""  #: what a listening stream has read already
        self._piecewise = False  #: words come in pieces that are not among those of the reply yet
        self.decision = Decision(
            id=decision_id, turn_id=turn.id, session_id=turn.session_id, seq=turn.seq, at=turn.at
        )

    # -- reading

    @property
    def message(self) -> str:
        """What is still to be answered: a refusal may have been cut off."""
        return self.turn.message

    @property
    def whole(self) -> bool:
        """It is the whole message, as it came."""
        return self.turn.message == self._said

    def hear(self, message: str) -> None:
        """Go on with a part of the message, or an earlier one: from here on it is the message."""
        self.turn = evolved(self.turn, {"message": message})

    @property
    def holder(self) -> Instance | None:
        """The instance that holds the session now."""
        for i in self.instances.values():
            if i.holds and i.state is State.ACTIVE and self.here(i):
                return i
        return None

    def beneath(self, instance: Instance) -> Instance | None:
        """The active instance that waits underneath another; those between them may have ended."""
        below, met = self.instances.get(instance.covers or ""), {instance.id}
        while below is not None and below.id not in met:
            if below.state is State.ACTIVE and self.here(below):
                return below
            met.add(below.id)
            below = self.instances.get(below.covers or "")
        return None

    def standing(self, process: str) -> Instance | None:
        """The run of a process that holds the session, or waits underneath what holds it."""
        found, met = self.holder, set[str]()
        while found is not None and found.process != process and found.id not in met:
            met.add(found.id)
            found = self.beneath(found)
        return found if found is not None and found.process == process else None

    @property
    def pending(self) -> Pending | None:
        """The newest open question now."""
        return self.session.pending

    def here(self, instance: Instance) -> bool:
        """The instance belongs to this session."""
        return instance.session_id == self.session.id

    # -- changing

    def put(self, instance: Instance) -> Instance:
        """Keep a changed or new instance."""
        self.instances[instance.id] = instance
        self._changed[instance.id] = None
        return instance

    def touch(self, instance: Instance) -> None:
        """Have the commit fail if somebody changes that instance meanwhile; it stays as it is."""
        self.touched.append(instance)

    def touch_all(self) -> None:
        """Have the commit fail if anything that the turn was computed from has changed meanwhile."""
        self.touched += [one for one in self.snapshot.instances if one.id not in self._changed]

    def move(self, instance: Instance, trigger: Trigger, reason: str = "") -> Instance:
        """Move an instance through the lifecycle and record it."""
        return self.record(instance, trigger, reason, seq=self.turn.seq)

    def record(self, instance: Instance, trigger: Trigger, reason: str, *, seq: int | None) -> Instance:
        """Like `move`, with the turn named: None for a timer."""
        moved, transition = move(instance, trigger, at=self.turn.at, seq=seq, reason=reason)
        transition = replace(transition, session_id=self.session.id, process=moved.process, step=moved.step)
        self.transitions.append(transition)
        view = TransitionView(
            process=moved.process,
            instance_id=moved.id,
            trigger=trigger,
            source=transition.source,
            dest=transition.dest,
            reason=reason,
        )
        self.decision.transitions.append(view)
        self.shown = moved.id
        if self.listening:
            self.emit("process.transition", asdict(view))
        if moved.state is State.SUSPENDED:
            self.remember(paused=True)
        if moved.state is not None and moved.state.ended and moved.memo.asked is not None:
            moved = self._told(moved, trigger)
        return self.put(moved)

    def _told(self, instance: Instance, trigger: Trigger) -> Instance:
        """A part that has ended: what came of it goes to whoever asked for it, with this commit and once."""
        part, memo = instance.memo.asked, instance.memo
        if part is None or memo.outcome is not None:
            return instance
        done = instance.state is State.COMPLETED
        left = "" if done else "trouble" if trigger is Trigger.LAPSE else str(trigger)
        value = self.values.get(instance.id) if done else None
        result = Result(process=instance.process, value=value, left=left)
        told = PartRequest(news="result", part=part, result=result)
        self.effects.append(told.effect(f"Told {part.asked_by} what came of it"))
        return instance.note(outcome=result)

    def add_effects(self, effects: Sequence[AnyEffect], instance_id: str) -> None:
        """Add what a step of that instance returned."""
        start = len(self.effects)
        self.effects.extend(effects)
        self._made_by.update(dict.fromkeys(range(start, len(self.effects)), instance_id))

    def ask(self, pending: Pending | None) -> None:
        """Make this the newest open question; None closes it."""
        self.session = self.session.evolve(pending=pending)

    def remember(self, **changes: Any) -> None:
        """Change the session's memo."""
        memo = self.session.memo
        if changes != {name: getattr(memo, name) for name in changes}:
            self.session = self.session.evolve(memo=memo.model_copy(update=changes))

    def speak_of(self, **spoken: Any) -> None:
        """What the turn is about is what the next one means by "it"."""
        self.remember(focus=self.session.memo.focus.then(**spoken))

    def say(self, text: str) -> None:
        """Add words to the reply."""
        self._piecewise = False
        if text and text.strip():
            self.words.append(inert(text.strip()))

    def say_first(self, text: str) -> None:
        """Put words before the others, unless a stream has shown some of those already."""
        said = len(self.words)
        self.say(text)
        if not self._shown and len(self.words) > said:
            self.insert(0, self.words.pop())

    def insert(self, place: int, text: str) -> None:
        """Put words among those of the reply, behind whatever was said at once."""
        self.words.insert(max(place, self.fixed), text)

    def say_at_once(self, texts: Sequence[str]) -> None:
        """Say messages that a listening stream reads now; the last is what was said at once."""
        for text in texts:
            self.say(text)
        self.parted, self.fixed = True, len(self.words)
        self.show_rest()

    def following(self, other: "Draft") -> Self:
        """The same draft, with what another one said at once before its words: that stays said."""
        self.words[:0] = other.words[: other.fixed]
        self.fixed, self.parted = other.fixed, self.parted or other.fixed > 0
        self.decision.said = other.decision.said
        return self

    def say_all(self, texts: Sequence[str]) -> None:
        """Add several texts to the reply; more than one are messages of their own."""
        self.parted = self.parted or len(texts) > 1
        for text in texts:
            self.say(text)

    def emit(self, name: str, data: dict[str, Any]) -> None:
        """Tell a listening stream; provisional until the turn is committed."""
        if self._emit is not None:
            self._emit(name, data)

    @property
    def listening(self) -> bool:
        """Somebody reads along while the turn runs."""
        return self._emit is not None

    def show(self, piece: str) -> None:
        """Tell a listening stream words that come, before `say` is given all of them."""
        if not piece:
            return
        piece = inert(piece)
        if not self._piecewise and self.words:
            before = f"{self.text}\n\n"
            piece = f"{before.removeprefix(self._shown)}{piece}"
        self._piecewise = True
        self._shown += piece
        self.emit("text.delta", {"text": piece})

    def show_rest(self) -> None:
        """Tell a listening stream what it has not read yet."""
        rest = self.text.removeprefix(self._shown)
        if rest:
            self._shown = self.text
            self.emit("text.delta", {"text": rest})

    def noted(self, played: Played) -> None:
        """Keep in the record what became of answers, and where in the message as it came their words stand."""
        for one in played.captured:
            at = self._said.find(one.text) if one.text else -1
            span = (at, at + len(one.text)) if one.text and at >= 0 else None
            self.decision.captured.append(replace(one, span=span, text=brief(one.text)))
        self.decision.refused.extend(played.refused)

    def show_draft(self, drafted: Drafted | None) -> None:
        """Send with the reply what a process adds to it."""
        self.bring(drafted.reply if drafted is not None else None)

    def bring(self, fields: BaseModel | None) -> None:
        """Send a plugin's fields with the reply; what was not announced is left out and named in the record."""
        if fields is None:
            return
        try:
            self._brought.update(self._form.values(fields))
        except DefinitionError as error:
            log.error("%s", error.message)
            self.decision.trouble = error.message

    @property
    def text(self) -> str:
        """The reply's words so far."""
        return "\n\n".join(self.words)

    # -- finishing

    def reply(
        self, describe: Callable[[Instance], ProcessView], refs: Sequence[str | None] | None = None
    ) -> Reply:
        """The reply as it will be stored; `refs` are those that effect handlers gave."""
        shown = self.holder or (self.instances.get(self.shown) if self.shown else None)
        pending = self.pending
        suggested: list[str] = []
        if pending is not None:
            question = pending.question
            suggested = [*question.suggestions, *(o.label for o in question.options)]
        payload = self.payload
        if payload is None and pending is not None:
            payload = pending.question.payload
        given = refs or [None] * len(self.effects)
        return self._form.model(
            companion_message=self.text,
            side_effects=[_side_effect(e, r) for e, r in zip(self.effects, given, strict=True)],
            suggested_actions=list(dict.fromkeys([*self.suggestions, *suggested])),
            project_id=self.turn.project_id or self.project_id,
            classified_intent=self.intent,
            session_id=self.turn.session_id,
            turn_id=self.turn.id,
            seq=self.turn.seq,
            process=describe(shown) if shown else None,
            pending=pending_view(pending),
            ways=list(self.ways),
            decision_id=self.decision.id,
            payload=payload,
            messages=list(self.words) if self.parted else None,
            **self._brought,
        )

    def _with_words(
        self, request: Request | SignalRequest | PartRequest
    ) -> Request | SignalRequest | PartRequest:
        """The request as it is kept: what came without words is shown by those that were made for it."""
        silent = isinstance(request, Request) and not request.message
        return request.model_copy(update={"message": self._said}) if silent else request

    def commit(
        self,
        request: Request | SignalRequest | PartRequest,
        describe: Callable[[Instance], ProcessView],
        *,
        replied_at: datetime,
        fence: int | None,
        status: Status = "committed",
        keep_lease: bool = False,
        alone: bool = False,
    ) -> TurnCommit:
        """Everything of this turn, for one commit."""
        reply = self.reply(describe)
        if status == "committed" and not self.words and self.turn.origin != "person":
            status = "silent"
        decision = self.decision
        decision.effects = [side.summary for side in reply.side_effects]
        decision.prompts = list(dict.fromkeys(self.prompts))
        decision.intent = self.intent
        decision.status = status
        if reply.process:
            view = reply.process
            decision.process = f"{view.name} v{view.version} {view.state} at {view.step}"
            if view.name != self.session.memo.focus.process:
                self.speak_of(process=view.name)
        before, focus = self.snapshot.session.memo.focus, self.session.memo.focus
        if focus is not before and focus != before:
            decision.focus = focus
        decision.passed("commit", status)
        turn = TurnRow(
            session_id=self.turn.session_id,
            seq=self.turn.seq,
            person_id=self.turn.person.id,
            turn_id=self.turn.id,
            hash=request.hash,
            request=self._with_words(request).model_dump_json(),
            origin=self.turn.origin,
            status=status,
            accepted_at=self.turn.at,
            replied_at=replied_at,
            reply=reply.to_json(),
            intent=self.intent,
            process=self.owner,
            project_id=reply.project_id if self.at_project == self.turn.project_id else self.at_project,
        )
        return TurnCommit(
            turn=turn,
            session=self.session,
            instances=(*self.changed(), *self.touched),
            transitions=tuple(self.transitions),
            effects=tuple(self.effects),
            made_by=tuple([self._made_by.get(at) for at in range(len(self.effects))]),
            decision=decision.to_json(),
            fence=fence,
            keep_lease=keep_lease,
            alone=alone,
            seal=(lambda refs: self.reply(describe, refs).to_json()) if self.effects else None,
        )

    def changed(self) -> tuple[Instance, ...]:
        """The instances to be saved, in the order they were first changed."""
        return tuple([self.instances[i] for i in self._changed])


def summary_of(effect: AnyEffect) -> str:
    """An effect in words for the person."""
    return effect.summary if isinstance(effect, Effect) else effect.words


def _side_effect(effect: AnyEffect, ref: str | None) -> SideEffect:
    if isinstance(effect, Record):
        return SideEffect(kind=f"{effect.kind}_saved", summary=effect.words, ref=ref)
    if isinstance(effect, Forget):
        return SideEffect(kind=f"{effect.kind}_deleted", summary=effect.words, ref=ref)
    return SideEffect(kind=effect.kind, summary=effect.summary, ref=effect.ref or ref)
