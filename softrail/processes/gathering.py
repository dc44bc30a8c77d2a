"""The steps that follow from `Answers`: asking, reading, skipping, correcting."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from softrail.core.assignments import Part
from softrail.core.attachments import Attachment, Attachments
from softrail.core.outcomes import Decline, Goto
from softrail.core.questions import Option, Question
from softrail.core.reading import SETTLED, Value
from softrail.core.reading import Reading as Said
from softrail.core.turns import Turn
from softrail.language import choose, normal
from softrail.processes.definition import Definition, FieldDefinition
from softrail.processes.keeping import Keeping, joined
from softrail.processes.moves import Complete, Move, Summarise, Waiting
from softrail.processes.none_given import none_of
from softrail.processes.sentences import NOTHING_READ, Wording
from softrail.processes.state import State, answers_so_far, applies, faults, json_of
from softrail.processes.telling import YES, answer_in_words, options_of_answer, typed
from softrail.processes.trail import Stop
from softrail.processes.way_back import WayBack

_LIKELY = 0.5  #: an answer below it was not what the turn was taken for


class Gathering:
    """The derived steps of one run on one turn; changes `state` and says what is next."""

    def __init__(
        self, definition: Definition, turn: Turn, state: State, wording: Wording, limit: timedelta
    ) -> None:
        self.definition = definition
        self.turn = turn
        self.state = state
        self.wording = wording
        self.kept = Keeping(definition, turn, state, wording, limit)
        self.reading = self.kept.reading
        self.said = self.kept.said
        self.part: Part | None = None  #: another person asks for it, and said some of the answers
        self._fields = definition.fields

    @property
    def way_back(self) -> WayBack:
        """Along the questions asked so far; made when it is asked for, so that nothing here holds itself."""
        return WayBack(self.definition, self.state, self.turn.at, self.applies)

    def next(self, before: str = "") -> Move:
        """The next missing answer, or the summary, or the end; first a question that waited for a change."""
        before = joined(before, self.drop())
        if (waits := self.state.returns) is not None:
            return self.put(Stop(waits), before)
        return self.close(before)

    def close(self, before: str = "") -> Move:
        """The summary when all is there and valid together, else the field that is not."""
        missing = self.missing()
        if missing:
            return self.to(missing[0], before)
        wrong = faults(self.definition, self.state.answers)
        if wrong:
            first = wrong[0]
            asked = self._fields.get(first.field or "") or self._last_asked()
            self.kept.refuse(asked.name, first.sentence, self.kept.reason(first))
            return self.to(asked, joined(before, self.kept.reason(first)))
        return Summarise(before=before) if self.definition.confirm_step else Complete()

    def missing(self) -> list[FieldDefinition]:
        """What is still to be asked, in order."""
        return [
            f
            for f in self._fields.values()
            if f.asked and f.name not in self.state.captured and self.applies(f)
        ]

    def applies(self, asked: FieldDefinition) -> bool:
        """Whether an answer is asked for at all, as the others stand."""
        return applies(self.definition, self.state, asked)

    def drop(self) -> str:
        """Forget what does not apply any more, and say so. One may hang on another: until nothing changes."""
        told: list[str] = []
        while True:
            moot = [n for n in self.state.captured if not self.applies(self._fields[n])]
            if not moot:
                return joined(*told)
            for name in moot:
                if not self.state.captured[name].skipped:
                    told.append(self.kept.told_of("left_out", self._fields[name]))
            self.kept.unanswer(moot)

    def again(self, name: str, reason: str) -> Move:
        """An answer cannot stand: it is forgotten, and asked again for that reason."""
        self.kept.unanswer([name])
        return self.to(self._fields[name], reason)

    def last(self) -> Move:
        """The last question, once more."""
        return self.to([f for f in self._fields.values() if f.asked and self.applies(f)][-1])

    def unsound(self) -> Move | None:
        """Where to go instead of the end: what is missing, no longer applies, or is not valid with the rest."""
        told = self.drop()
        if told or self.missing() or faults(self.definition, self.state.answers):
            return self.close(told)
        return None

    def ask(self, asked: FieldDefinition, before: str = "") -> Waiting:
        """Put the question of a field."""
        given = answers_so_far(self.definition, self.state)
        texts = {
            n: "; ".join(answer_in_words(self.definition.fields[n], getattr(given, n, None), self.wording))
            for n in self._fields
        }
        prompt = self.wording.render(f"{self.definition.name}/{asked.asset}", asked.question, texts)
        skip = (self.wording.say("choice_skip"),) if asked.skippable else ()
        either = tuple(self.kept.either.get(asked.name, ()))
        options = options_of_answer(asked, self.wording) or either
        some = tuple(one.label for one in either) if asked.reader.chooses_several else ()
        if not options:
            told, options = self.kept.put_with(asked)
            before = joined(before, told)
        question = Question(
            prompt=prompt,
            options=options,
            answer_schema=asked.schema,
            takes_anything=self.definition.takes_anything(asked.step),
            several=asked.reader.chooses_several,
            suggestions=(*some, *skip),
        )
        return Waiting(step=asked.step, question=question, before=before, polish=asked.polish)

    def to(self, asked: FieldDefinition, before: str = "") -> Move:
        """Ask for an answer, in its step's own way where it has one."""
        step = self.definition.steps[asked.step]
        # An author's own step of that name asks in its own way.
        return Goto(step.name, say=before) if step.kind == "own" else self.ask(asked, before)

    def put(self, stop: Stop, before: str = "") -> Move:
        """Ask a question of the trail again."""
        again = self.way_back.again(stop)
        if isinstance(again, str):
            return Goto(again, say=before)
        return Waiting(step=stop.step, question=again, before=before)

    def ask_for(self, name: str) -> Move:
        """Ask for an answer anew."""
        return self.to(self._fields[name])

    async def changed_to(self, name: str, words: str) -> str:
        """Change an answer, and say so; or say why it stays as it was."""
        asked = self._fields[name]
        wrong = await self.kept.capture(asked, words, after=self.kept.before(name))
        if wrong is not None:
            return self.kept.reason(wrong)
        return (
            self.kept.told_of("changed", asked)
            if self.said.exactly("correct", "inform")
            else self.kept.noted(asked)
        )

    def _last_asked(self) -> FieldDefinition:
        names = list(self._fields)
        return self._fields[max(names, key=lambda n: (self._seq(n), names.index(n)))]

    def _seq(self, name: str) -> int:
        capture = self.state.captured.get(name)
        return capture.seq if capture else -1

    async def take_all(self) -> Move:
        """Keep every value that was read, and say what is next: the first that cannot be used, or is missing."""
        told, anew, wrong = await self._kept_of(self.said, self.kept.read_back)
        if wrong:
            asked, reason = wrong[0]
            return self.to(asked, joined(*told, reason))
        return self.anew(anew, joined(*told)) if anew else self.next(joined(*told))

    async def _kept_of(
        self,
        said: Said,
        tell: Callable[[FieldDefinition], str],
        *,
        besides: FieldDefinition | None = None,
    ) -> tuple[list[str], list[FieldDefinition], list[tuple[FieldDefinition, str]]]:
        """Keep what was read of each answer but `besides`: what is told of it, what is to be asked for anew, what cannot be read and why."""
        told: list[str] = []
        anew: list[FieldDefinition] = []
        wrong: list[tuple[FieldDefinition, str]] = []
        for name, given in said.values.items():
            one = self._fields.get(name)
            if one is None or one is besides:
                continue
            words, was_there = given.text or self.kept.by_how_much(one), name in self.state.captured
            if self.is_none(given) and (none := self.nothing_of(one)):
                told.append(none)
            elif not words and was_there:
                anew.append(one)
            elif not words:
                self._is_none(one)
            else:
                after = self.kept.before(name)
                fault = await self.kept.capture(one, words, after=after)
                if fault is not None and after:
                    told.append(self.kept.left_as_it_was(one, self.kept.reason(fault)))
                elif fault is not None:
                    wrong.append((one, self.kept.reason(fault)))
                else:
                    told.append(self.kept.noted(one, unasked=True, anew=True) if was_there else tell(one))
        return told, anew, wrong

    def anew(self, wrong: Sequence[FieldDefinition], before: str) -> Move:
        """They are wrong, and nobody has said yet what is right: the first is asked for, and the others when it is there."""
        self.kept.unanswer([one.name for one in wrong[1:]])
        first, message = wrong[0], self.turn.message
        chosen = self.said.exactly("correct", "inform", target=SETTLED) is not None
        if chosen or self.turn.silent or first in self.named_in(message):
            return self.to(first, before)
        told = normal(self.kept.read_back(first)).split()
        if not {*normal(message).split()}.isdisjoint(told) or self.reading.language.calls_wrong(message):
            return self.to(first, before)  # it is surely called wrong
        return self.to(first, joined(before, self.kept.put_again(first)))

    async def answer(self, asked: FieldDefinition, question: Question | None = None) -> Move:
        """What the message means while `asked` is asked for, with the options that the question was put with."""
        said, message = self.said, self.turn.message
        put = question.options if question is not None else ()
        self.kept.hidden = not asked.shown
        self.kept.overhear()
        self.kept.hand_on(asked)
        if not_theirs := self.not_theirs():
            if asked.reader.kind != "consent" or said.of("negate") is None:
                return self.ask(asked, not_theirs)
            self.kept.keep(asked, False, said=message)  # a no, with what would be a yes
            return self.next()
        if said.exactly("inform", target="value"):
            return await self._valued(asked, self.turn.value)
        if said.exactly("inform", target="file"):
            return self._filed(asked)
        if (replaced := self.replaced()) is not None:
            wrong = self.kept.take_file(replaced)
            if wrong is not None:
                return self.ask(replaced, self.kept.reason(wrong))
            return self.ask(asked, self.kept.told_of("changed", replaced))
        if said.exactly("inform", target="option") or said.exactly("inform", target="choice"):
            return await self._choice(asked, put)
        if said.exactly("negate") and len(put) == 1 and not options_of_answer(asked, self.wording):
            return self.ask(asked, self.wording.say("left_aside", value=put[0].label))
        if said.exactly("inform", target="settled"):
            return await self._take(asked, said.values[asked.name].text)
        if said.exactly("affirm", "negate", target="settled") and asked.reader.kind == "consent":
            return await self._told(asked, said)
        if said.exactly("correct", "inform", target=SETTLED):
            return await self.take_all()
        if said.exactly("inform", target="labelled"):
            return await self._told(asked, said)
        if said.exactly("none", target="settled"):
            return self.there_is_none(asked)
        if said.of("none", target="done") is not None:
            return await self._finish(asked, "")
        if said.exactly("open"):
            return self.leave_out(asked)
        if said.exactly("undo"):
            return self.take_back()
        if said.exactly("start_over"):
            return self.start_over()
        if said.exactly("back"):
            return self._back(asked)
        if not self.definition.takes_anything(asked.step) and not self.reads_it():
            corrected = self.reading.language.correction(
                message, self.names(lambda n: n == asked.name or n in self.state.captured)
            )
            if corrected is not None:
                return await self._correct(asked, *corrected)
        answers = asked.reader.kind == "consent" and said.does("affirm", "negate")
        before_done = self.reading.language.done_with(message)
        if before_done is not None and not answers:  # "that's all" is a no to "Anything else?"
            return await self._finish(asked, before_done)
        if said.exactly("negate") and asked.reader.kind != "consent":
            return self._none(asked)
        if not said.commands and self.kept.for_later and asked.reader.kind in ("text", "list"):
            return self.ask(
                asked, self.wording.say("later")
            )  # any words could be it, and these are for another
        if self.definition.takes_anything(asked.step) or all(c.layer == "exact" for c in said.commands):
            return await self._take(asked, message)
        return await self._told(asked, said)

    async def _choice(self, asked: FieldDefinition, put: Sequence[Option]) -> Move:
        """Keep the option that was chosen; a Yes that a text asset calls otherwise is known by its value.

        An answer of a type without options has some where its words were not clear: "the evening one".
        """
        options = options_of_answer(asked, self.wording)
        chosen = choose(self.turn.message, options or put, language=self.reading.language)
        if chosen is None and not options and len(put) == 1:
            chosen = put[0]  # a yes to the one value that was put
        if not options and chosen is not None:
            return await self._take(asked, chosen.means)
        if asked.reader.kind != "consent" or chosen is None:
            return await self._take(asked, self.turn.message)
        wrong = self.kept.wrong(asked, chosen.value == YES)
        if wrong is not None:
            return self.ask(asked, self.kept.reason(wrong))
        self.kept.keep(asked, chosen.value == YES, said=self.turn.message)
        return self.next()

    def _filed(self, asked: FieldDefinition) -> Move:
        """Keep the file that came, or ask again and say why not. It stays in the session in any case."""
        wrong = self.kept.take_file(asked)
        return self.next() if wrong is None else self.ask(asked, self.kept.reason(wrong))

    def reads_it(self) -> bool:
        """The reader says what changes, and to what; a pattern would give one answer all the words."""
        return any(c.values for c in self.said.commands if c.act == "correct")

    def says_what(self) -> bool:
        """It says to what, too: an answer that is only called wrong has no words yet."""
        return any(v.text for c in self.said.commands if c.act == "correct" for v in c.values)

    def replaced(self) -> FieldDefinition | None:
        """The file given before that the message changes by its name, where a file comes with it."""
        if not self.turn.attachments or self.turn.silent:
            return None
        message = self.turn.message
        edit = self.reading.language.edit(message, self.names(lambda _: True))
        named = [f for f in self.named_in(message) if f.file is not None and f.name in self.state.captured]
        changes = (edit is not None and edit.op == "change") or self.said.likely("correct") >= _LIKELY
        return named[0] if len(named) == 1 and changes else None

    async def gone(self, files: Attachments) -> Move | None:
        """An answer whose file was erased is open again, and said so; None: they are all there."""
        for name, value in list(self.state.answers.items()):
            asked = self._fields[name]
            file = typed(asked, value) if asked.file is not None else None
            if isinstance(file, Attachment) and not await files.here(file):
                return self.again(name, self.wording.say("file_gone", name=file.name))
        return None

    async def _valued(self, asked: FieldDefinition, value: Any) -> Move:
        """Keep a value that came as JSON, or ask again and say why not. An author's own reader reads it as words."""
        if asked.file is not None:  # its id is looked up before: what comes here is none
            return self._filed(asked)
        words = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        if asked.reader.own:
            return await self._take(asked, words)
        wrong = self.kept.wrong_form(asked, value)
        kept = None if wrong is not None else json_of(asked, asked.adapter.validate_json(json.dumps(value)))
        wrong = wrong or self.kept.wrong(asked, kept)
        if wrong is not None:
            self.kept.refuse(asked.name, wrong.sentence, self.kept.reason(wrong), words)
            return self.ask(asked, self.kept.reason(wrong))
        self.kept.keep(asked, kept, said=words)
        return self.next()

    def _none(self, asked: FieldDefinition) -> Move:
        """There is no such thing: nothing at all at the first question, else this answer is left out."""
        if not self.state.captured and self.state.returns is None:
            return Decline(self.wording.say("declined", title=self.definition.title))
        return self.there_is_none(asked)

    async def _told(self, asked: FieldDefinition, said: Said) -> Move:
        """Keep every value that was read, of the open field and of others, and ask for what is still missing.

        What cannot be read of another answer is asked for when all else is kept.
        """
        told, anew, wrong = await self._kept_of(
            said, lambda other: self.kept.noted(other, unasked=True), besides=asked
        )
        value = said.values.get(asked.name)
        if anew:
            told += await self._kept_beside(asked, said)
            return self.anew(anew, joined(*told))
        unread = wrong[0] if wrong else None
        if value is not None and not value.text:  # what is asked for again is wrong still
            return self.ask(asked, joined(*told))
        here = said.of("inform", target="") or next((c for c in said.commands if value in c.values), None)
        if here is not None and (here.confidence < _LIKELY or (told and value is None)):
            here = None  # the turn is here for something else that it does
        agreed = said.of("affirm", "negate")
        if asked.reader.kind == "consent" and agreed is not None:
            self.kept.keep(asked, agreed.act == "affirm", said=self.turn.message)
            return self._further(unread, joined(*told, self.kept.noted(asked)))
        if here is not None and (value is not None or not (told or unread)):
            words = value.text if value is not None else self.turn.message
            if value is not None and self.is_none(value) and not unread:
                return self.there_is_none(asked, joined(*told))
            return await self._take(asked, words, before=joined(*told), unread=unread)
        if unread is not None:
            return self._further(unread, joined(*told))
        if said.of("none") is not None and (not told or none_of(asked, self.reading) is not None):
            return self.there_is_none(asked, joined(*told))
        if said.of("open") is not None and not told:
            return self.leave_out(asked)
        if said.of("correct") is not None and not told:
            return self._which(asked)
        later = "" if told or not self.kept.for_later else self.wording.say("later")
        return self.ask(asked, joined(*told, later))

    async def _kept_beside(self, asked: FieldDefinition, said: Said) -> Sequence[str]:
        """What is told of the open answer where another one is asked for anew: it is kept if it can be, and not asked for again."""
        value, agreed = said.values.get(asked.name), said.of("affirm", "negate")
        if asked.reader.kind == "consent" and agreed is not None:
            self.kept.keep(asked, agreed.act == "affirm", said=self.turn.message)
        elif value is None or not value.text or await self.kept.capture(asked, value.text) is not None:
            return ()
        return [self.kept.read_back(asked)]

    def _further(self, unread: tuple[FieldDefinition, str] | None, before: str) -> Move:
        """What is next, or first the answer that could not be read."""
        return self.next(before) if unread is None else self.to(unread[0], joined(before, unread[1]))

    def is_none(self, given: Value) -> bool:
        """There is none of it, or it is called by its name and has nothing behind it: "blockers: none"."""
        labelled = self.said.exactly("inform", target="labelled") is not None
        return given.none or (labelled and self.reading.language.is_none(given.text))

    def nothing_of(self, other: FieldDefinition) -> str:
        """There is none of it: so it is kept, and told; "" where none is no answer to it."""
        none = none_of(other, self.reading)
        if none is None and not other.skippable:
            return ""
        self.kept.keep(other, none, said=self.turn.message, skipped=none is None)
        return self.kept.read_back(other)

    def _is_none(self, other: FieldDefinition) -> None:
        """There is nothing to say to what was not asked yet: it is not asked."""
        if other.skippable:
            self.kept.keep(other, skipped=True)

    def _which(self, asked: FieldDefinition) -> Move:
        """Something is to be changed: what is named is asked for again, else it is asked which."""
        named = [f for f in self.named_in(self.turn.message) if f.name in self.state.captured]
        if len(named) == 1:
            return self.to(named[0])
        given = [f.label for f in self._fields.values() if f.name in self.state.captured]
        label = given[-1] if given else asked.label
        return self.ask(asked, self.wording.say("what_to_change", label=label))

    async def _take(
        self,
        asked: FieldDefinition,
        words: str,
        *,
        before: str = "",
        unread: tuple[FieldDefinition, str] | None = None,
    ) -> Move:
        wrong = await self.kept.capture(asked, words)
        if wrong is not None and wrong.sentence in NOTHING_READ and self.kept.for_later:
            return self.ask(asked, joined(before, self.wording.say("later")))
        if wrong is not None:
            return self.ask(asked, joined(before, self.kept.reason(wrong)))
        return self._further(unread, joined(before, self.kept.noted(asked)))

    async def _correct(self, asked: FieldDefinition, name: str, words: str) -> Move:
        corrected = self._fields[name]
        if corrected is asked:
            return await self._take(asked, words)
        if not words.strip():
            return self.to(corrected)
        wrong = await self.kept.capture(corrected, words)
        if wrong is not None:
            return self.ask(corrected, self.kept.reason(wrong))
        return self.ask(asked, self.kept.told_of("changed", corrected))

    def there_is_none(self, asked: FieldDefinition, before: str = "") -> Move:
        """None is an answer where the type takes an empty list, or 0 of what is counted; else it is left out."""
        none, denied = none_of(asked, self.reading), self.said.exactly("negate") is not None
        is_none = denied and self.reading.language.asks_whether(asked.question)
        given = bool(self.state.answers.get(asked.name)) and not is_none
        if given and denied:
            return self.next(joined(before, self.kept.read_back(asked)))  # asked for anew, and it stays
        given = given and not self.said.exactly("none", target="settled")
        if none is None or given:  # asked again: "no, not that" empties nothing
            return self.leave_out(asked, before)
        wrong = self.kept.wrong(asked, none)
        if wrong is not None:
            self.kept.refuse(asked.name, wrong.sentence, self.kept.reason(wrong), self.turn.message)
            return self.ask(asked, joined(before, self.kept.reason(wrong)))
        self.kept.keep(asked, none, said=self.turn.message)
        return self.next(joined(before, self.kept.read_back(asked)))

    def leave_out(self, asked: FieldDefinition, before: str = "") -> Move:
        """Skip an answer that can be skipped; else ask for it again, and say that it cannot."""
        if not asked.skippable:
            return self.ask(asked, joined(before, self.wording.say("cannot_skip")))
        self.kept.keep(asked, skipped=True)
        return self.next(before)

    def _back(self, asked: FieldDefinition) -> Move:
        if (waits := self.state.returns) is not None:
            return self.put(Stop(waits))
        if (stop := self.way_back.own_before(asked.step)) is not None:
            return self.put(stop)
        names = list(self._fields)
        earlier = [f for f in self._fields.values() if f.asked and self.applies(f)]
        earlier = [f for f in earlier if names.index(f.name) < names.index(asked.name)]
        earlier = [f for f in earlier if not self.of_another(f.name)]
        if not earlier:
            return self.ask(asked, self.wording.say("nothing_before"))
        self.way_back.rewind(earlier[-1].step, asked.step)
        return self.to(earlier[-1])

    async def _finish(self, asked: FieldDefinition, words: str) -> Move:
        if words.strip():
            wrong = await self.kept.capture(asked, words)
            if wrong is not None:
                return self.ask(asked, self.kept.reason(wrong))
        if self.state.returns is not None:
            return self.next()
        for other in self._fields.values():
            if other.skippable and other.name not in self.state.captured and self.applies(other):
                self.kept.keep(other, skipped=True)
        missing = self.missing()
        if missing == [asked] and asked.reader.kind == "list" and none_of(asked, self.reading) is not None:
            return self.there_is_none(asked)
        if missing:
            labels = ", ".join(f.label for f in missing)
            return self.to(missing[0], self.wording.say("still_missing", labels=labels))
        return self.close()

    def take_back(self) -> Move:
        """What the message before has changed is as it was before that."""
        if self.state.changed is None:
            return self.next(self.wording.say("nothing_changed"))
        told = [self.kept.read_back(one) for one in self.kept.take_back()]
        return self.next(joined(self.wording.say("taken_back"), *told))

    def start_over(self) -> Move:
        """Forget everything and begin again."""
        self.kept.unanswer([name for name in self.state.captured if not self.of_another(name)])
        self.state.data.clear()
        self.state.passed.clear()
        self.state.trail.clear()
        self.state.overheard.clear()
        self.state.returns = None
        self.kept.why.append("started over")
        return Goto(self.definition.first, say=self.wording.say("cleared"))

    def named_in(self, message: str) -> list[FieldDefinition]:
        """The answers that a message calls by their names."""
        words = f" {normal(message)} "
        return [f for f in self._fields.values() if any(f" {normal(n)} " in words for n in f.names)]

    def prefill(self, values: Mapping[str, Any]) -> str:
        """Keep what is usable of answers that came before their questions, and read it back; the rest is asked for."""
        told: list[str] = []
        for name, value in values.items():
            asked = self._fields.get(name)
            if asked is None:
                continue
            if self.kept.keep_if_fitting(asked, value):
                told.append(self.kept.read_back(asked))
            else:
                told.append(self.kept.told_of("given_unusable", asked))
        return joined(*told)

    def adopt(self, given: Mapping[str, Any]) -> list[FieldDefinition]:
        """Keep the answers that a step of one's own has given; those that cannot be used are open again and returned.

        Only what changed counts as new.
        """
        refused: list[FieldDefinition] = []
        for name, value in given.items():
            asked = self._fields[name]
            if name in self.state.captured and self.state.answers.get(name) == value:
                continue
            if not self.kept.keep_if_fitting(asked, value):
                self.kept.unanswer([name])
                refused.append(asked)
        return refused

    def of_another(self, name: str) -> bool:
        """Whoever asks for this part has said that answer."""
        given = self.part.prefill if self.part is not None else {}
        return name in given and name in self.state.captured and self.state.answers.get(name) == given[name]

    def not_theirs(self) -> str:
        """What is told where the message would change an answer of whoever asks for this part; "" where it does not."""
        if self.part is None:
            return ""
        read = [v.field for c in self.said.commands for v in c.values if c.act in ("correct", "inform")]
        called = self.reading.language.correction(self.turn.message, self.names(self.of_another))
        named = [called[0]] if called is not None else []
        if not named and not read and self.said.of("correct") is not None:
            named = [field.name for field in self.named_in(self.turn.message)]
        found = next((name for name in (*named, *read) if self.of_another(name)), None)
        if found is None:
            told = [name for name in self.state.captured if name in self._fields]
            changes = self.said.of("correct") is not None and all(map(self.of_another, told))
            return self.wording.say("not_yours_any", who=self.part.asked_by) if changes else ""
        return self.wording.say("not_yours", label=self._fields[found].label, who=self.part.asked_by)

    def names(self, wanted: Callable[[str], bool]) -> dict[str, tuple[str, ...]]:
        """What people call those answers, by name."""
        return {name: f.names for name, f in self._fields.items() if wanted(name)}
