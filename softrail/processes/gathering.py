"""The steps that follow from `Answers`: asking, reading, skipping, correcting, the summary."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

from pydantic import ValidationError

from softrail.core.attachments import Attachment, Attachments, in_bytes
from softrail.core.calling import call
from softrail.core.decisions import Captured, Refused, brief
from softrail.core.errors import StepFailed
from softrail.core.outcomes import Decline, Goto, Release
from softrail.core.questions import Question
from softrail.core.reading import SETTLED, Command
from softrail.core.reading import Reading as Said
from softrail.core.turns import Turn
from softrail.language import choose, normal
from softrail.processes.definition import Definition, FieldDefinition
from softrail.processes.readers import Reading
from softrail.processes.sentences import Wording
from softrail.processes.state import (
    Capture,
    Fault,
    State,
    answers_so_far,
    applies,
    fault_of,
    faults,
    fitting,
    json_of,
    offered,
)
from softrail.processes.telling import YES, in_words, options_of_answer, typed
from softrail.processes.trail import Stop
from softrail.processes.unread import Unread
from softrail.processes.way_back import WayBack


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiting:
    """A question is put to the person; `before` are words that precede it."""

    step: str
    question: Question
    before: str = ""
    polish: bool = False
    asker: str = ""  #: the step whose `Ask` put it anew; "" where a step asks it by itself, or once more


@dataclass(frozen=True, slots=True)
class Complete:
    """Everything is answered and confirmed: `complete` is to be called."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Summarise:
    """Everything is answered; the summary is to be shown after `before`."""

    before: str = ""


_LIKELY = 0.5  #: an answer below it was not what the turn was taken for
#: Words of a message that is a value of that kind and nothing else.
_BARE = {"number": 1, "date": 3, "options": 3}

Move = Waiting | Goto | Decline | Release | Complete | Summarise


@dataclass
class Gathering:
    """The derived steps of one run on one turn; changes `state` and says what is next."""

    definition: Definition
    turn: Turn
    state: State
    wording: Wording
    limit: timedelta
    why: list[str] = field(default_factory=list)
    captured: list[Captured] = field(default_factory=list)  #: for the decision record
    refused: list[Refused] = field(default_factory=list)
    hidden: bool = False  #: the message answers what is not shown
    _left_over: dict[str, str] = field(
        default_factory=dict
    )  #: by answer: what is told of the rest of its words

    def __post_init__(self) -> None:
        self.reading = Reading.of(self.turn)
        self.said = self.turn.reading or Said(message=self.turn.message)
        self._fields = self.definition.fields
        self.way_back = WayBack(self.definition, self.state, self.turn.at, self.applies)

    # -- where to go

    def next(self, before: str = "") -> Move:
        """The next missing answer, or the summary, or the end; first a question that waited for a change."""
        before = _joined(before, self.drop())
        if (waits := self.state.returns) is not None:
            return self.put(waits, before)
        return self.close(before)

    def close(self, before: str = "") -> Move:
        """The summary when all is there and valid together, else the field that is not."""
        missing = self.missing()
        if missing:
            return self._to(missing[0], before)
        wrong = faults(self.definition, self.state.answers)
        if wrong:
            first = wrong[0]
            asked = self._fields.get(first.field or "") or self._last_asked()
            self.refuse(asked.name, first.sentence, self._reason(first))
            return self._to(asked, _joined(before, self._reason(first)))
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
                return _joined(*told)
            for name in moot:
                if not self.state.captured[name].skipped:
                    told.append(self._said("left_out", self._fields[name]))
            self.unanswer(moot)

    def unanswer(self, names: Iterable[str]) -> None:
        """Those answers are no longer given."""
        for name in names:
            if self.state.captured.pop(name, None) is not None:
                self._note(self._fields[name], "taken back", self.state.answers.pop(name, None))
                self.why.append(f"forgot {name}")

    def again(self, name: str, reason: str) -> Move:
        """An answer cannot stand: it is forgotten, and asked again for that reason."""
        self.unanswer([name])
        return self._to(self._fields[name], reason)

    def last(self) -> Move:
        """The last question, once more."""
        return self._to([f for f in self._fields.values() if f.asked and self.applies(f)][-1])

    def unsound(self) -> Move | None:
        """Where to go instead of the end: what is missing, no longer applies, or is not valid with the rest."""
        told = self.drop()
        if told or self.missing() or faults(self.definition, self.state.answers):
            return self.close(told)
        return None

    def ask(self, asked: FieldDefinition, before: str = "") -> Waiting:
        """Put the question of a field."""
        given = answers_so_far(self.definition, self.state)
        texts = {n: "; ".join(in_words(getattr(given, n, None), self.wording)) for n in self._fields}
        prompt = self.wording.render(f"{self.definition.name}/{asked.asset}", asked.question, texts)
        skip = (self.wording.say("choice_skip"),) if asked.skippable else ()
        question = Question(
            prompt=prompt,
            options=options_of_answer(asked, self.wording),
            answer_schema=asked.schema,
            takes_anything=self.definition.takes_anything(asked.step),
            suggestions=skip,
        )
        return Waiting(step=asked.step, question=question, before=before, polish=asked.polish)

    def _to(self, asked: FieldDefinition, before: str = "") -> Move:
        step = self.definition.steps[asked.step]
        # An author's own step of that name asks in its own way.
        return Goto(step.name, say=before) if step.kind == "own" else self.ask(asked, before)

    # -- questions of steps of one's own

    def put(self, stop: Stop, before: str = "") -> Move:
        """Ask a question of the trail again."""
        again = self.way_back.again(stop)
        if isinstance(again, str):
            return Goto(again, say=before)
        return Waiting(step=stop.step, question=again, before=before)

    def ask_for(self, name: str) -> Move:
        """Ask for an answer anew."""
        return self._to(self._fields[name])

    def leave_out(self, asked: FieldDefinition) -> Move:
        """Skip an answer that can be skipped."""
        return self._skip(asked)

    async def changed_to(self, name: str, words: str) -> str:
        """Change an answer, and say so; or say why it stays as it was."""
        asked = self._fields[name]
        wrong = await self._capture(asked, words, after=self._before(name))
        if wrong is not None:
            return self._reason(wrong)
        return self._said("changed", asked) if self.said.exactly("correct", "inform") else self._noted(asked)

    def _last_asked(self) -> FieldDefinition:
        names = list(self._fields)
        return self._fields[max(names, key=lambda n: (self._seq(n), names.index(n)))]

    def _seq(self, name: str) -> int:
        capture = self.state.captured.get(name)
        return capture.seq if capture else -1

    # -- an answer

    async def take_all(self) -> Move:
        """Keep every value that was read, and say what is next: the first that cannot be used, or is missing."""
        told: list[str] = []
        wrong: list[tuple[FieldDefinition, str]] = []
        for name, given in self.said.values.items():
            asked = self._fields.get(name)
            if asked is None:
                continue
            fault = await self._capture(asked, given.text, after=self._before(name))
            if fault is not None:
                wrong.append((asked, self._reason(fault)))
            else:
                told.append(self._read_back(asked))
        if wrong:
            asked, reason = wrong[0]
            return self._to(asked, _joined(*told, reason))
        return self.next(_joined(*told))

    async def answer(self, asked: FieldDefinition) -> Move:
        """What the message means while `asked` is asked for."""
        said, message = self.said, self.turn.message
        self.hidden = not asked.shown
        if said.exactly("inform", target="value"):
            return await self._valued(asked, self.turn.value)
        if said.exactly("inform", target="file"):
            return self._filed(asked)
        if (replaced := self._replaced()) is not None:
            wrong = self._take_file(replaced)
            if wrong is not None:
                return self.ask(replaced, self._reason(wrong))
            return self.ask(asked, self._said("changed", replaced))
        if said.exactly("inform", target="option") or said.exactly("inform", target="choice"):
            return await self._choice(asked)
        if said.exactly("inform", target="settled"):
            return await self._take(asked, said.values[asked.name].text)
        if said.exactly("affirm", "negate", target="settled") and asked.reader.kind == "consent":
            return await self._told(asked, said)
        if said.exactly("correct", "inform", target=SETTLED):
            return await self.take_all()
        if said.exactly("inform", target="labelled"):
            return await self._told(asked, said)
        if said.of("none", target="done") is not None:
            return await self._finish(asked, "")
        if said.exactly("open"):
            return self._skip(asked)
        if said.exactly("start_over"):
            return self.start_over()
        if said.exactly("back"):
            return self._back(asked)
        if not self.definition.takes_anything(asked.step):
            corrected = self.reading.language.correction(
                message, self._names(lambda n: n == asked.name or n in self.state.captured)
            )
            if corrected is not None:
                return await self._correct(asked, *corrected)
        before_done = self.reading.language.done_with(message)
        if before_done is not None:
            return await self._finish(asked, before_done)
        if said.exactly("negate") and asked.reader.kind != "consent":
            return self._none(asked)
        if self.definition.takes_anything(asked.step) or all(c.layer == "exact" for c in said.commands):
            return await self._take(asked, message)
        return await self._told(asked, said)

    async def _choice(self, asked: FieldDefinition) -> Move:
        """Keep the option that was chosen; a Yes that a text asset calls otherwise is known by its value."""
        options = options_of_answer(asked, self.wording)
        chosen = choose(self.turn.message, options, language=self.reading.language)
        if asked.reader.kind != "consent" or chosen is None:
            return await self._take(asked, self.turn.message)
        wrong = self._wrong(asked, chosen.value == YES)
        if wrong is not None:
            return self.ask(asked, self._reason(wrong))
        self._keep(asked, chosen.value == YES, said=self.turn.message)
        return self.next()

    # -- files

    def _filed(self, asked: FieldDefinition) -> Move:
        """Keep the file that came, or ask again and say why not. It stays in the session in any case."""
        wrong = self._take_file(asked)
        return self.next() if wrong is None else self.ask(asked, self._reason(wrong))

    def _take_file(self, asked: FieldDefinition) -> Fault | None:
        """Keep the file of this turn as an answer; what is wrong with it, if anything is."""
        files = self.turn.attachments
        wrong, kept = self._unfit(asked), None
        if wrong is None:
            kept = json_of(asked, files[0])
            wrong = self._wrong(asked, kept)
        if wrong is not None:
            self.refuse(asked.name, wrong.sentence, self._reason(wrong), ", ".join(f.name for f in files))
        else:
            self._keep(asked, kept, said=files[0].name)
        return wrong

    def _unfit(self, asked: FieldDefinition) -> Fault | None:
        """Why the files of this turn cannot be the answer."""
        files, wish = self.turn.attachments, asked.file
        if wish is None or not files:
            return Fault(field=asked.name, sentence="file_wanted")
        first, values = files[0], dict[str, str]()
        if len(files) > 1:
            sentence, values = "one_file", {"count": str(len(files))}
        elif not wish.takes(first.media_type):
            sentence, values = "file_kind", {"name": first.name, "kinds": wish.kinds}
        elif wish.max_bytes is not None and first.size > wish.max_bytes:
            most = in_bytes(wish.max_bytes)
            sentence, values = "file_large", {"name": first.name, "size": in_bytes(first.size), "most": most}
        else:
            return None
        return Fault(field=asked.name, sentence=sentence, values=values)

    def _reads_several(self) -> bool:
        """The reader says that several answers change; a pattern would give one of them all the words."""
        return len({v.field for c in self.said.commands if c.act == "correct" for v in c.values}) > 1

    def _replaced(self) -> FieldDefinition | None:
        """The file given before that the message changes by its name, where a file comes with it."""
        if not self.turn.attachments or self.turn.silent:
            return None
        message = self.turn.message
        edit = self.reading.language.edit(message, self._names(lambda _: True))
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

    # -- values

    async def _valued(self, asked: FieldDefinition, value: Any) -> Move:
        """Keep a value that came as JSON, or ask again and say why not. An author's own reader reads it as words."""
        if asked.file is not None:  # its id is looked up before: what comes here is none
            return self._filed(asked)
        words = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        if asked.reader.own:
            return await self._take(asked, words)
        wrong = self._wrong_form(asked, value)
        kept = None if wrong is not None else json_of(asked, asked.adapter.validate_json(json.dumps(value)))
        wrong = wrong or self._wrong(asked, kept)
        if wrong is not None:
            self.refuse(asked.name, wrong.sentence, self._reason(wrong), words)
            return self.ask(asked, self._reason(wrong))
        self._keep(asked, kept, said=words)
        return self.next()

    def _wrong_form(self, asked: FieldDefinition, value: Any) -> Fault | None:
        """Why a JSON value is not of the form that the question's schema says; None where it is."""
        try:
            asked.adapter.validate_json(json.dumps(value), strict=True)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            known = self._wrong(asked, value)  # a bound has a sentence of its own
            if known is not None and known.sentence != "not_usable":
                return known
            at = ".".join(str(part) for part in first["loc"])
            reason = f"{at}: {first['msg']}" if at else first["msg"]
            return Fault(field=asked.name, sentence="value_unfit", values={"reason": reason})
        if not offered(asked, value, self.reading):
            options = ", ".join(o.label for o in options_of_answer(asked, self.wording))
            return Fault(field=asked.name, sentence="no_option", values={"options": options})
        return None

    def _none(self, asked: FieldDefinition) -> Move:
        """There is no such thing: nothing at all at the first question, else this answer is left out."""
        if not self.state.captured and self.state.returns is None:
            return Decline(self.wording.say("declined", title=self.definition.title))
        return self._skip(asked)

    async def _told(self, asked: FieldDefinition, said: Said) -> Move:
        """Keep every value that was read, of the open field and of others, and ask for what is still missing."""
        told: list[str] = []
        for name, given in said.values.items():
            other = self._fields.get(name)
            if other is None or other is asked:
                continue
            wrong = await self._capture(other, given.text, after=self._before(name))
            if wrong is not None:
                return self._to(other, _joined(*told, self._reason(wrong)))
            told.append(self._noted(other))
        value = said.values.get(asked.name)
        here = said.of("inform", target="") or next((c for c in said.commands if value in c.values), None)
        if here is not None and (here.confidence < _LIKELY or (told and value is None)):
            here = None  # the turn is here for something else that it does
        agreed = said.of("affirm", "negate")
        if asked.reader.kind == "consent" and agreed is not None:
            self._keep(asked, agreed.act == "affirm", said=self.turn.message)
            return self.next(_joined(*told, self._noted(asked)))
        if here is not None and (value is not None or not told):
            words = value.text if value is not None else self.turn.message
            return await self._take(asked, words, before=_joined(*told))
        if said.of("none", "open") is not None and not told:
            return self._skip(asked)
        if said.of("correct") is not None and not told:
            return self._which(asked)
        return self.ask(asked, _joined(*told))

    def _before(self, name: str) -> Any:
        """The items of a list that the message adds to; None where it gives the value anew."""
        adds = any(v.field == name for c in self.said.commands if c.act == "inform" for v in c.values)
        is_list = name in self._fields and self._fields[name].reader.kind == "list"
        return self.state.answers.get(name, []) if adds and is_list else None

    def _which(self, asked: FieldDefinition) -> Move:
        """Something is to be changed: what is named is asked for again, else it is asked which."""
        named = [f for f in self.named_in(self.turn.message) if f.name in self.state.captured]
        if len(named) == 1:
            return self._to(named[0])
        given = [f.label for f in self._fields.values() if f.name in self.state.captured]
        label = given[-1] if given else asked.label
        return self.ask(asked, self.wording.say("what_to_change", label=label))

    async def _take(self, asked: FieldDefinition, words: str, *, before: str = "") -> Move:
        wrong = await self._capture(asked, words)
        if wrong is not None:
            return self.ask(asked, _joined(before, self._reason(wrong)))
        return self.next(_joined(before, self._noted(asked)))

    def _noted(self, asked: FieldDefinition) -> str:
        """The value read back with its field, unless that is plain, and what of the words has no place in it."""
        return _joined(self._plainly_noted(asked), self._left_over.pop(asked.name, ""))

    def _plainly_noted(self, asked: FieldDefinition) -> str:
        """The value read back, unless it was chosen or said in words that leave no doubt."""
        if self.said.exactly("inform") is not None or asked.reader.kind == "consent":
            return ""
        told = in_words(typed(asked, self.state.answers.get(asked.name)), self.wording)
        if asked.reader.kind == "options" and all(normal(t) in normal(self.turn.message) for t in told):
            return ""  # its own words were said
        if all(c.layer == "exact" for c in self.said.commands):
            return ""
        return self._read_back(asked)

    def _read_back(self, asked: FieldDefinition) -> str:
        if not asked.shown:
            return ""
        told = "; ".join(in_words(typed(asked, self.state.answers.get(asked.name)), self.wording))
        label = asked.label[:1].upper() + asked.label[1:]
        return self.wording.say("noted", label=label, value=told.rstrip("."))

    async def _correct(self, asked: FieldDefinition, name: str, words: str) -> Move:
        corrected = self._fields[name]
        if corrected is asked:
            return await self._take(asked, words)
        if not words.strip():
            return self._to(corrected)
        wrong = await self._capture(corrected, words)
        if wrong is not None:
            return self.ask(corrected, self._reason(wrong))
        return self.ask(asked, self._said("changed", corrected))

    def _skip(self, asked: FieldDefinition) -> Move:
        if not asked.skippable:
            return self.ask(asked, self.wording.say("cannot_skip"))
        self._keep(asked, skipped=True)
        return self.next()

    def _back(self, asked: FieldDefinition) -> Move:
        if (waits := self.state.returns) is not None:
            return self.put(waits)
        if (stop := self.way_back.own_before(asked.step)) is not None:
            return self.put(stop)
        names = list(self._fields)
        earlier = [f for f in self._fields.values() if f.asked and self.applies(f)]
        earlier = [f for f in earlier if names.index(f.name) < names.index(asked.name)]
        if not earlier:
            return self.ask(asked, self.wording.say("nothing_before"))
        self.way_back.rewind(earlier[-1].step, asked.step)
        return self._to(earlier[-1])

    async def _finish(self, asked: FieldDefinition, words: str) -> Move:
        if words.strip():
            wrong = await self._capture(asked, words)
            if wrong is not None:
                return self.ask(asked, self._reason(wrong))
        if self.state.returns is not None:
            return self.next()
        for other in self._fields.values():
            if other.skippable and other.name not in self.state.captured and self.applies(other):
                self._keep(other, skipped=True)
        missing = self.missing()
        if missing:
            labels = ", ".join(f.label for f in missing)
            return self._to(missing[0], self.wording.say("still_missing", labels=labels))
        return self.close()

    def start_over(self) -> Move:
        """Forget everything and begin again."""
        for name in self.state.captured:
            self._note(self._fields[name], "taken back", self.state.answers.get(name))
        self.state.answers.clear()
        self.state.captured.clear()
        self.state.data.clear()
        self.state.passed.clear()
        self.state.trail.clear()
        self.state.returns = None
        self.why.append("started over")
        return Goto(self.definition.first, say=self.wording.say("cleared"))

    # -- the summary

    async def confirm(self, waiting: Waiting) -> Move:
        """What the message means while the summary is shown; `waiting` shows it again."""
        message, words, said = self.turn.message, self.reading.language, self.said
        if said.exactly("affirm"):
            return Complete()
        if (replaced := self._replaced()) is not None:
            wrong = self._take_file(replaced)
            if wrong is not None:
                return self.ask(replaced, self._reason(wrong))
            return self.close(self._said("changed", replaced))
        if said.exactly("start_over"):
            return self.start_over()
        if said.exactly("back"):
            stop = self.way_back.own_before(waiting.step)
            return self.put(stop) if stop is not None else self.last()
        if said.exactly("inform", target="labelled") or said.exactly("correct", "inform", target=SETTLED):
            return await self._changed(said, waiting)
        edit = words.edit(message, self._names(lambda _: True))
        if edit is not None and not (edit.op == "change" and self._reads_several()):
            return await self._edit(edit.op, edit.field, edit.text, waiting)
        named = [f for f in self._fields.values() if normal(message) in {normal(n) for n in f.names}]
        if named:
            return self._to(named[0])
        if said.exactly("negate"):
            return self._which_to_change(waiting)
        if said.values:
            return await self._changed(said, waiting)
        if said.exactly("none"):
            return Complete()
        count = len(message.split())
        fits = [
            f
            for f in self._fields.values()
            if count <= _BARE.get(f.reader.kind, 0) and self._fits(f, message)
        ]
        if len(fits) == 1:  # a bare value that only one answer can have
            return await self._edit("change", fits[0].name, message, waiting)
        if (agreed := said.of("affirm", "negate", "correct")) is not None:
            if agreed.act == "affirm":
                return Complete()
            meant = self.named_in(message)
            if len(meant) == 1:
                return self._to(meant[0])
            return self._which_to_change(waiting)
        return self._again(waiting, "say_yes")

    def _which_to_change(self, waiting: Waiting) -> Waiting:
        label = next(iter(self._fields.values())).label
        return self._again(waiting, "what_to_change", label=label)

    def _fits(self, asked: FieldDefinition, words: str) -> bool:
        try:
            asked.reader.read(words, self.reading)
        except Unread:
            return False
        return not asked.reader.own

    def named_in(self, message: str) -> list[FieldDefinition]:
        """The answers that a message calls by their names."""
        words = f" {normal(message)} "
        return [f for f in self._fields.values() if any(f" {normal(n)} " in words for n in f.names)]

    async def _changed(self, said: Said, waiting: Waiting) -> Move:
        """Carry out every change that was read; the first that cannot be used is asked for."""
        told: list[str] = []
        for name, value in said.values.items():
            asked = self._fields.get(name)
            if asked is None:
                continue
            after = self._before(name)
            wrong = await self._capture(asked, value.text, after=after)
            if wrong is not None:
                return self._to(asked, _joined(*told, self._reason(wrong)))
            told.append(self._said("changed" if after is None else "added", asked))
        return self.close(_joined(*told)) if told else self._again(waiting, "say_yes")

    def _again(self, waiting: Waiting, sentence: str, **values: str) -> Waiting:
        """The same question, without showing everything once more."""
        return Waiting(
            step=waiting.step,
            question=waiting.question,
            before=self.wording.say(sentence, **values),
        )

    async def _edit(self, op: str, name: str | None, words: str, waiting: Waiting) -> Move:
        lists = [f for f in self._fields.values() if f.reader.kind == "list"]
        asked = self._fields[name] if name is not None else None
        if asked is None:
            asked = self._holder_of(words, lists) if op == "remove" else None
            asked = asked or (lists[0] if len(lists) == 1 and op != "change" else None)
        if asked is None:
            if op != "add":
                return self._again(waiting, "not_found")
            return self._again(
                waiting, "which_field", labels=", ".join(f.label for f in lists or self._fields.values())
            )
        if op != "remove" and not words.strip():
            return self._to(asked)
        if op == "remove":
            return self._remove(asked, words, waiting)
        kept = self.state.answers.get(asked.name) if op == "add" and asked.reader.kind == "list" else None
        wrong = await self._capture(asked, words, after=kept)
        if wrong is not None:
            return self.ask(asked, self._reason(wrong))
        return self.close(self._said("added" if op == "add" else "changed", asked))

    def _remove(self, asked: FieldDefinition, words: str, waiting: Waiting) -> Move:
        value = self.state.answers.get(asked.name)
        if not isinstance(value, list) or not words.strip():
            if not asked.skippable:
                return self._again(waiting, "cannot_skip")
            self._keep(asked, skipped=True)
            return self.close(self._said("removed", asked))
        at = _place(value, words)
        if at is None:
            return self._again(waiting, "not_found")
        rest = value[:at] + value[at + 1 :]
        wrong = self._wrong(asked, rest)
        if wrong is not None:
            self.refuse(asked.name, wrong.sentence, self._reason(wrong), words)
            return self._again(waiting, wrong.sentence, **wrong.values)
        self._keep(asked, rest, said=words)
        return self.close(self._said("removed", asked))

    def _holder_of(self, words: str, lists: list[FieldDefinition]) -> FieldDefinition | None:
        found = [
            f
            for f in lists
            if not normal(words).isdecimal()
            and _place(self.state.answers.get(f.name) or [], words) is not None
        ]
        return found[0] if len(found) == 1 else None

    # -- keeping

    async def _capture(self, asked: FieldDefinition, words: str, *, after: Any = None) -> Fault | None:
        """Read and keep an answer; what is wrong with it, if anything is."""
        try:
            value = await self._read(asked, words)
        except Unread as unread:
            unusable = Fault(field=asked.name, sentence=unread.sentence, values=unread.values)
            self.refuse(asked.name, unusable.sentence, self._reason(unusable), words)
            return unusable
        kept = json_of(asked, value)
        if isinstance(after, list) and isinstance(kept, list):
            kept = [*after, *kept]
        wrong = self._wrong(asked, kept)
        if wrong is None:
            self._keep(asked, kept, said=words)
            self._leave_over(asked)
        else:
            self.refuse(asked.name, wrong.sentence, self._reason(wrong), words)
        return wrong

    def _leave_over(self, asked: FieldDefinition) -> None:
        """Note what was said with a value and has no place in it; another answer may have taken those words."""
        rest = self.turn.message
        for name, value in self.said.values.items():
            rest = rest.replace(value.text, " ") if name not in ("", asked.name) else rest
        if asked.reader.leaves is not None and asked.reader.leaves(rest, self.reading):
            self._left_over[asked.name] = self.wording.say("only_the_day")

    async def _read(self, asked: FieldDefinition, words: str) -> Any:
        if not asked.reader.own:
            return asked.reader.read(words, self.reading)
        if asked.reader.options:
            chosen = choose(words, asked.reader.options, language=self.reading.language)
            if chosen is None:
                raise Unread("no_option", options=", ".join(o.label for o in asked.reader.options))
            words = chosen.value or chosen.label
        where = f"The reader of {asked.name!r} of process {self.definition.name!r}"
        try:
            return await call(where, asked.reader.read, words, self.reading, limit=self.limit)
        except StepFailed as error:
            # A plain ValueError is the author's way to say what is wrong with the answer.
            if type(error.__cause__) is ValueError and str(error.__cause__):
                raise Unread("reason", reason=str(error.__cause__)) from error
            if not asked.shown:  # an error tells what it could not read
                raise StepFailed(f"{where} failed; why is not shown.", kind=error.kind, where=where) from None
            raise

    def _wrong(self, asked: FieldDefinition, value: Any) -> Fault | None:
        return fault_of(self.definition, {**self.state.answers, asked.name: value}, asked.name)

    def prefill(self, values: Mapping[str, Any]) -> str:
        """Keep what is usable of answers that came before their questions, and read it back; the rest is asked for."""
        told: list[str] = []
        for name, value in values.items():
            asked = self._fields.get(name)
            if asked is None:
                continue
            if self._kept_if_fitting(asked, value):
                told.append(self._read_back(asked))
            else:
                told.append(self._said("given_unusable", asked))
        return _joined(*told)

    def adopt(self, given: Mapping[str, Any]) -> list[FieldDefinition]:
        """Keep the answers that a step of one's own has given; those that cannot be used are open again and returned.

        Only what changed counts as new.
        """
        refused: list[FieldDefinition] = []
        for name, value in given.items():
            asked = self._fields[name]
            if name in self.state.captured and self.state.answers.get(name) == value:
                continue
            if not self._kept_if_fitting(asked, value):
                self.unanswer([name])
                refused.append(asked)
        return refused

    def _kept_if_fitting(self, asked: FieldDefinition, value: Any) -> bool:
        """Keep a value that code has given, unless a person could not have said it."""
        fits = fitting(self.definition, {asked.name: value}, self.reading, beside=self.state.answers)
        if asked.name in fits:
            self._keep(asked, fits[asked.name])
        return asked.name in fits

    def _keep(
        self, asked: FieldDefinition, value: Any = None, *, skipped: bool = False, said: str | None = None
    ) -> None:
        """Keep an answer; `said` are the words it was read from, None: code gave it."""
        how: Literal["given", "left out"] = "left out" if skipped else "given"
        self._note(asked, how, self.state.answers.get(asked.name), None if skipped else value, said)
        if skipped:
            self.state.answers.pop(asked.name, None)
        else:
            self.state.answers[asked.name] = value
        self.state.captured[asked.name] = Capture(
            at=self.turn.at, seq=self.turn.seq, turn_id=self.turn.id, skipped=skipped
        )
        self.why.append(f"{'skipped' if skipped else 'captured'} {asked.name}")

    def _note(
        self,
        asked: FieldDefinition,
        how: Literal["given", "left out", "taken back"],
        old: Any,
        new: Any = None,
        said: str | None = None,
    ) -> None:
        """For the decision record: what became of an answer. One that is not shown is not told there either."""
        on = (
            self._read_as(asked, said)
            if how != "taken back" and (said is not None or how == "left out")
            else None
        )
        shown = self._shows(asked, said)
        told = {"old": brief(old), "new": brief(new), "text": said} if shown else {}
        self.captured.append(
            Captured(
                process=self.definition.name,
                field=asked.name,
                how=how,
                by=on.layer if on is not None else "code" if said is None else "exact",
                likely=round(on.confidence, 3) if on is not None else None,
                shown=shown,
                **told,
            )
        )

    def _read_as(self, asked: FieldDefinition, said: str | None) -> Command | None:
        """The command that an answer rests on: the one that has its value, else the surest that answers."""
        commands = self.said.commands
        own = [c for c in commands if any(v.field == asked.name and v.text == said for v in c.values)]
        acts = ("none", "open", "negate") if said is None else ("inform", "affirm", "negate", "correct")
        return max(own, key=lambda c: c.confidence, default=None) or self.said.of(*acts)

    def _shows(self, asked: FieldDefinition, said: str | None) -> bool:
        """Whether a record may tell an answer: not where the words may be those of one that is not shown."""
        return asked.shown and (said is None or not self.hidden)

    def refuse(self, name: str, why: str, told: str, said: str | None = None) -> None:
        """For the decision record: an answer that cannot be used, and what the person is told."""
        shown = self._shows(self._fields[name], said)
        words = {"told": told, "text": brief(said)} if shown else {}
        one = Refused(process=self.definition.name, field=name, why=why, shown=shown, **words)
        if one not in self.refused:
            self.refused.append(one)

    def forget(self, older_than: datetime) -> None:
        """Drop the answers captured before that time."""
        self.unanswer([name for name, capture in self.state.captured.items() if capture.at < older_than])

    # -- words

    def _names(self, wanted: Callable[[str], bool]) -> dict[str, tuple[str, ...]]:
        return {name: f.names for name, f in self._fields.items() if wanted(name)}

    def _reason(self, wrong: Fault) -> str:
        return self.wording.say(wrong.sentence, **wrong.values)

    def _said(self, sentence: str, asked: FieldDefinition) -> str:
        return _joined(self.wording.say(sentence, label=asked.label), self._left_over.pop(asked.name, ""))


def _place(values: list[Any], words: str) -> int | None:
    """Where in a list the item is that the words mean: by number, "last", or a part of its text."""
    said = normal(words)
    if said.isdecimal() and len(said) < 6:
        return int(said) - 1 if 0 < int(said) <= len(values) else None
    if said == "last" and values:
        return len(values) - 1
    texts = [normal(str(v)) for v in values]
    found = [i for i, t in enumerate(texts) if t == said] or [i for i, t in enumerate(texts) if said in t]
    return found[0] if len(found) == 1 and said else None


def _joined(*parts: str) -> str:
    return " ".join(p for p in parts if p)
