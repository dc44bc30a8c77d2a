"""What may be said to the question of a step of one's own besides its answer: back, skip, a change, no option."""

from collections.abc import Mapping
from dataclasses import dataclass

from softrail.core.frozen import evolved
from softrail.core.questions import Option, Question
from softrail.core.reading import HERE, SETTLED, Command
from softrail.core.turns import Turn
from softrail.language import choose
from softrail.processes.definition import Definition, StepDefinition
from softrail.processes.gathering import Gathering
from softrail.processes.lists_of_steps import lists_of, with_edits
from softrail.processes.moves import Move, Waiting
from softrail.processes.state import State
from softrail.processes.trail import Stop, digest

CONSENTS = ("confirm", "approve")  #: kinds of questions to which a yes lets something be done
_LIKELY = 0.5


@dataclass
class OwnQuestion:
    """The open question of a step of one's own, on the turn that may answer it."""

    definition: Definition
    step: StepDefinition
    question: Question
    turn: Turn
    state: State
    gathering: Gathering

    def __post_init__(self) -> None:
        self.said = self.gathering.said
        # What is said to a clarification is about an earlier message, and its step's own.
        self._left_alone = self.question.kind == "clarify" or self.turn.origin != "person"

    async def heard(self) -> Turn | Move:
        """The turn as its step is to see it; or where it leads without the step."""
        chosen = self._chosen()
        turn = evolved(self.turn, {"choice": chosen}) if chosen is not None else self.turn
        if self._left_alone or chosen is not None:
            return turn
        if self.said.exactly("back"):
            return self._back()
        if self._skips():
            return self._skip()
        if self.question.takes_anything:
            return turn
        changed = await self._changed()
        if changed is not None:
            return changed
        turn = with_edits(turn, lists_of(self.step, self.state), self.gathering.reading.language)
        if self._no_option():
            say, labels = self.gathering.wording.say, [option.label for option in self.question.options]
            yes_no = self._consenting and len(labels) == 2
            return self._again(say("yes_or_no") if yes_no else say("no_option", options=", ".join(labels)))
        return turn

    # -- choosing

    def _chosen(self) -> str | None:
        """The value of the option that is chosen, by its own words or as the message was read."""
        turn, options = self.turn, self.question.options
        if not options or turn.origin != "person":
            return turn.choice
        if turn.choice is not None:
            return turn.choice
        if self.said.exactly("request", target="wish") is not None:
            return None
        settled = self.said.exactly("inform", target="settled")
        words = settled.values[0].text if settled is not None and settled.values else turn.message
        back = self.question.kind == "clarify" and self.question.takes_anything
        chosen = choose(words, options, language=self.gathering.reading.language, alone=back)
        if chosen is None and self.question.wants_option:
            chosen = self._read(options) or self._agreed(options)
        return chosen.means if chosen is not None else None

    def _read(self, options: tuple[Option, ...]) -> Option | None:
        """The option that the reader found in the message."""
        given = self.said.of("inform", target="")
        if given is None or given.confidence < _LIKELY:
            return None
        told = {value.text for value in given.values if value.field in ("", HERE)}
        return next((o for o in options if o.means in told), None)

    def _agreed(self, options: tuple[Option, ...]) -> Option | None:
        """The yes or the no among the options, where the message is read as one."""
        yes, no = self.said.likely("affirm"), self.said.likely("negate")
        if not self._consenting or max(yes, no) < _LIKELY or yes == no:
            return None
        language = self.gathering.reading.language
        meant = [language.consent(option.label) for option in options]
        option = options[meant.index("yes" if yes > no else "no")]
        # "Save it" is no yes to "Shall I delete it?", however it was read.
        return None if language.names_another_deed(self.turn.message, option.label) else option

    @property
    def _consenting(self) -> bool:
        """One of the options is a yes, and one a no."""
        meant = [self.gathering.reading.language.consent(option.label) for option in self.question.options]
        return (meant.count("yes"), meant.count("no")) == (1, 1)

    def _no_option(self) -> bool:
        """The question wants one of its options alone, and this is none; a step that `reads` hears more."""
        if not self.question.options or self.step.reads:
            return False
        consents = self.question.kind in CONSENTS and not self._consenting
        return not (consents and self.said.does("affirm", "negate"))

    # -- back and skip

    def _back(self) -> Move:
        stop = self.gathering.way_back.stop_before(self.step.name)
        if stop is None:
            return self._again(self.gathering.wording.say("no_way_back"))
        return self.gathering.put(stop)

    def _skips(self) -> bool:
        """The question is to be left out; a no to a choice that may be left out says the same."""
        if self.said.exactly("open") is not None:
            return True
        if self.question.takes_anything:
            return False
        if self.question.options and self._skippable and self.question.kind not in CONSENTS:
            return self.said.does("negate", "none", "open")
        return self.said.does("open") and self.said.likely("open") > self.said.likely(
            "inform", "affirm", "negate", "correct", "none"
        )

    @property
    def _skippable(self) -> bool:
        return self.question.skippable or self.step.skippable

    def _skip(self) -> Turn | Move:
        asked = self.definition.fields.get(self.step.field or "")
        if self._skippable:
            left_out = (Command(act="open"),) if not self.said.does("open") else ()
            reading = self.said.evolve(commands=(*self.said.commands, *left_out))
            return evolved(self.turn, {"reading": reading})
        if asked is not None and asked.skippable:
            return self.gathering.leave_out(asked)
        return self._again(self.gathering.wording.say("cannot_skip"))

    # -- changing an answer

    async def _changed(self) -> Move | None:
        """Carry out changes of answers given before and ask again; None where none is meant."""
        changes = self._changes()
        if not changes:
            return None
        stop = self._here()
        if self.question.kind in CONSENTS and not self._told_anew(stop):
            label = self.definition.fields[next(iter(changes))].label
            return self._again(self.gathering.wording.say("cannot_change", label=label))
        told: list[str] = []
        self.state.returns = stop.kept
        for name, words in changes.items():
            if not words.strip():
                return self.gathering.ask_for(name)
            told.append(await self.gathering.changed_to(name, words))
        return self.gathering.put(stop, " ".join(told))

    def _changes(self) -> Mapping[str, str]:
        """By answer: its new words, "" where it is only named."""
        given = {n: f for n, f in self.definition.fields.items() if n in self.state.captured}
        exact = self.said.exactly("correct") or self.said.exactly("inform", target="labelled")
        values = {
            v.field: v.text
            for c in self.said.commands
            if c.act == "correct" or c is exact or c.target in ("labelled", "other", SETTLED)
            for v in c.values
            if v.field in given
        }
        if values or not given:
            return values
        named = self.gathering.named_in(self.turn.message)
        only = [f.name for f in named if f.name in given]
        wrong = self.said.does("correct") and not self.said.does("inform")
        return {only[0]: ""} if wrong and len(only) == 1 else {}

    def _here(self) -> Stop:
        """This question, as it can be asked again."""
        trail = self.state.trail
        if trail and Stop(trail[-1]).step == self.step.name:
            return Stop(trail[-1])
        question = self.question if self.step.asks is None else None
        return Stop.of(self.step.name, self.turn.at, question=question, answers=digest(self.state.answers))

    def _told_anew(self, stop: Stop) -> bool:
        """Asked again, the question tells the answers as they are then: a yes is never to older ones."""
        return not stop.is_put or self.gathering.way_back.asks_anew(stop) is not None

    def _again(self, before: str) -> Waiting:
        return Waiting(step=self.step.name, question=self.question, before=before)
