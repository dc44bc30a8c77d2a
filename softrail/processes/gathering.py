"""The steps that follow from `Answers`: asking, reading, skipping, correcting, the summary."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from pydantic import ValidationError

from softrail.core.calling import call, call_now
from softrail.core.errors import StepFailed
from softrail.core.outcomes import Decline, Goto, Release
from softrail.core.questions import Question
from softrail.core.reading import Reading as Said
from softrail.core.turns import Turn
from softrail.language import choose, normal
from softrail.processes.asking import NotAnswered
from softrail.processes.definition import Definition, FieldDefinition
from softrail.processes.readers import Reading
from softrail.processes.sentences import Wording
from softrail.processes.state import Capture, Fault, State, answers_so_far, faults, json_of
from softrail.processes.telling import in_words, typed
from softrail.processes.unread import Unread


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiting:
    """A question is put to the person; `before` are words that precede it."""

    step: str
    question: Question
    before: str = ""
    polish: bool = False


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

    def __post_init__(self) -> None:
        self.reading = Reading.of(self.turn)
        self.said = self.turn.reading or Said(message=self.turn.message)
        self._fields = self.definition.fields

    # -- where to go

    def next(self, before: str = "") -> Move:
        """The next missing answer, or the summary, or the end."""
        return self.close(_joined(before, self.drop()))

    def close(self, before: str = "") -> Move:
        """The summary when all is there and valid together, else the field that is not."""
        missing = self.missing()
        if missing:
            return self._to(missing[0], before)
        wrong = faults(self.definition, self.state.answers)
        if wrong:
            first = wrong[0]
            asked = self._fields.get(first.field or "") or self._last_asked()
            return self._to(asked, _joined(before, self._reason(first)))
        return Summarise(before=before) if self.definition.confirm_step else Complete()

    def missing(self) -> list[FieldDefinition]:
        """What is still to be asked, in order."""
        return [f for f in self._fields.values() if f.name not in self.state.captured and self.applies(f)]

    def applies(self, asked: FieldDefinition) -> bool:
        """Whether an answer is asked for at all, as the others stand; what it depends on comes first."""
        if asked.when is None:
            return True
        where = f"The when= of {asked.name!r} of process {self.definition.name!r}"
        try:
            return bool(
                call_now(where, asked.when, answers_so_far(self.definition, self.state, defaults=False))
            )
        except StepFailed as error:
            if isinstance(error.__cause__, NotAnswered):
                return False
            raise

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
                self.state.answers.pop(name, None)
                self.why.append(f"forgot {name}")

    def again(self, name: str, reason: str) -> Move:
        """An answer cannot stand: it is forgotten, and asked again for that reason."""
        self.unanswer([name])
        return self._to(self._fields[name], reason)

    def last(self) -> Move:
        """The last question, once more."""
        return self._to([f for f in self._fields.values() if self.applies(f)][-1])

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
        prompt = self.wording.render(f"{self.definition.name}/{asked.name}", asked.question, texts)
        skip = (self.wording.say("choice_skip"),) if asked.skippable else ()
        question = Question(
            prompt=prompt,
            options=asked.reader.options,
            answer_schema=asked.schema,
            takes_anything=self.definition.takes_anything(asked.step),
            suggestions=skip,
        )
        return Waiting(step=asked.step, question=question, before=before, polish=asked.polish)

    def _to(self, asked: FieldDefinition, before: str = "") -> Move:
        step = self.definition.steps[asked.step]
        # An author's own step of that name asks in its own way.
        return Goto(step.name, say=before) if step.kind == "own" else self.ask(asked, before)

    def _last_asked(self) -> FieldDefinition:
        names = list(self._fields)
        return self._fields[max(names, key=lambda n: (self._seq(n), names.index(n)))]

    def _seq(self, name: str) -> int:
        capture = self.state.captured.get(name)
        return capture.seq if capture else -1

    # -- an answer

    async def answer(self, asked: FieldDefinition) -> Move:
        """What the message means while `asked` is asked for."""
        said, message = self.said, self.turn.message
        if said.exactly("inform", target="option") or said.exactly("inform", target="choice"):
            return await self._take(asked, message)
        if said.exactly("inform", target="settled"):
            return await self._take(asked, said.values[asked.name].text)
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

    def _none(self, asked: FieldDefinition) -> Move:
        """There is no such thing: nothing at all at the first question, else this answer is left out."""
        if not self.state.captured:
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
            self._keep(asked, agreed.act == "affirm")
            return self._onward(asked, _joined(*told, self._noted(asked)))
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
        named = [f for f in self._named_in(self.turn.message) if f.name in self.state.captured]
        if len(named) == 1:
            return self._to(named[0])
        given = [f.label for f in self._fields.values() if f.name in self.state.captured]
        label = given[-1] if given else asked.label
        return self.ask(asked, self.wording.say("what_to_change", label=label))

    async def _take(self, asked: FieldDefinition, words: str, *, before: str = "") -> Move:
        wrong = await self._capture(asked, words)
        if wrong is not None:
            return self.ask(asked, _joined(before, self._reason(wrong)))
        return self._onward(asked, _joined(before, self._noted(asked)))

    def _noted(self, asked: FieldDefinition) -> str:
        """The value read back with its field, unless it was chosen or said in words that leave no doubt."""
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

    def _onward(self, asked: FieldDefinition, before: str = "") -> Move:
        return self.next(before)

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
        return self._onward(asked)

    def _back(self, asked: FieldDefinition) -> Move:
        names = list(self._fields)
        earlier = [f for f in self._fields.values() if self.applies(f)]
        earlier = [f for f in earlier if names.index(f.name) < names.index(asked.name)]
        if not earlier:
            return self.ask(asked, self.wording.say("nothing_before"))
        return self._to(earlier[-1])

    async def _finish(self, asked: FieldDefinition, words: str) -> Move:
        if words.strip():
            wrong = await self._capture(asked, words)
            if wrong is not None:
                return self.ask(asked, self._reason(wrong))
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
        self.state.answers.clear()
        self.state.captured.clear()
        self.state.data.clear()
        self.state.passed.clear()
        self.why.append("started over")
        return Goto(self.definition.first, say=self.wording.say("cleared"))

    # -- the summary

    async def confirm(self, waiting: Waiting) -> Move:
        """What the message means while the summary is shown; `waiting` shows it again."""
        message, words, said = self.turn.message, self.reading.language, self.said
        if said.exactly("affirm"):
            return Complete()
        if said.exactly("start_over"):
            return self.start_over()
        if said.exactly("back"):
            return self.last()
        if said.exactly("inform", target="labelled"):
            return await self._changed(said, waiting)
        edit = words.edit(message, self._names(lambda _: True))
        if edit is not None:
            return await self._edit(edit.op, edit.field, edit.text, waiting)
        named = [f for f in self._fields.values() if normal(message) in {normal(n) for n in f.names}]
        if named:
            return self._to(named[0])
        if said.exactly("negate"):
            label = next(iter(self._fields.values())).label
            return self._again(waiting, "what_to_change", label=label)
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
            meant = self._named_in(message)
            if len(meant) == 1:
                return self._to(meant[0])
            label = next(iter(self._fields.values())).label
            return self._again(waiting, "what_to_change", label=label)
        return self._again(waiting, "say_yes")

    def _fits(self, asked: FieldDefinition, words: str) -> bool:
        try:
            asked.reader.read(words, self.reading)
        except Unread:
            return False
        return not asked.reader.own

    def _named_in(self, message: str) -> list[FieldDefinition]:
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
            return self._again(waiting, wrong.sentence, **wrong.values)
        self._keep(asked, rest)
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
        try:
            value = await self._read(asked, words)
        except Unread as unread:
            return Fault(field=asked.name, sentence=unread.sentence, values=unread.values)
        kept = json_of(asked, value)
        if isinstance(after, list) and isinstance(kept, list):
            kept = [*after, *kept]
        wrong = self._wrong(asked, kept)
        if wrong is None:
            self._keep(asked, kept)
        return wrong

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
            raise

    def _wrong(self, asked: FieldDefinition, value: Any) -> Fault | None:
        tried = {**self.state.answers, asked.name: value}
        return next(
            (w for w in faults(self.definition, tried) if w.field == asked.name and not w.together), None
        )

    def prefill(self, values: Mapping[str, Any]) -> str:
        """Keep what is usable of answers that came before their questions, and read it back; the rest is asked for."""
        told: list[str] = []
        for name, value in values.items():
            asked = self._fields.get(name)
            if asked is None:
                continue
            kept = self._fitting(asked, value)
            if kept is None:
                told.append(self._said("given_unusable", asked))
            else:
                self._keep(asked, kept.value)
                told.append(self._read_back(asked))
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
            kept = self._fitting(asked, value)
            if kept is None:
                self.unanswer([name])
                refused.append(asked)
            else:
                self._keep(asked, kept.value)
        return refused

    def _fitting(self, asked: FieldDefinition, value: Any) -> "_Kept | None":
        """A value that code has given, as it is kept; None where a person could not have said it."""
        try:
            kept = json_of(asked, asked.adapter.validate_python(value, strict=False))
        except (StepFailed, ValidationError, ValueError, TypeError):
            return None
        if asked.reader.options and not asked.reader.own and kept is not None:
            read = asked.reader.read
            if kept not in [
                json_of(asked, read(o.value or o.label, self.reading)) for o in asked.reader.options
            ]:
                return None
        return _Kept(kept) if self._wrong(asked, kept) is None else None

    def _keep(self, asked: FieldDefinition, value: Any = None, *, skipped: bool = False) -> None:
        if skipped:
            self.state.answers.pop(asked.name, None)
        else:
            self.state.answers[asked.name] = value
        self.state.captured[asked.name] = Capture(
            at=self.turn.at, seq=self.turn.seq, turn_id=self.turn.id, skipped=skipped
        )
        self.why.append(f"{'skipped' if skipped else 'captured'} {asked.name}")

    def forget(self, older_than: datetime) -> list[str]:
        """Drop the answers captured before that time; returns their names."""
        stale = [name for name, capture in self.state.captured.items() if capture.at < older_than]
        for name in stale:
            del self.state.captured[name]
            self.state.answers.pop(name, None)
        return stale

    # -- words

    def _names(self, wanted: Callable[[str], bool]) -> dict[str, tuple[str, ...]]:
        return {name: f.names for name, f in self._fields.items() if wanted(name)}

    def _reason(self, wrong: Fault) -> str:
        return self.wording.say(wrong.sentence, **wrong.values)

    def _said(self, sentence: str, asked: FieldDefinition) -> str:
        return self.wording.say(sentence, label=asked.label)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A JSON value that may be None."""

    value: Any


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
