"""The answers of one run as they are kept on one turn: read, checked, noted for the record, and read back."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any, Final, Literal

from pydantic import ValidationError

from softrail.core.attachments import in_bytes
from softrail.core.calling import call
from softrail.core.decisions import Captured, Refused, brief
from softrail.core.errors import StepFailed
from softrail.core.questions import Option
from softrail.core.reading import MEANT, SETTLED, Command, Value
from softrail.core.reading import Reading as Said
from softrail.core.turns import Turn
from softrail.language import Language, change_options, choose, normal
from softrail.processes.by_how_much import moved_on, plain_or_times, says_how
from softrail.processes.definition import Definition, FieldDefinition
from softrail.processes.forms import form_in_words, part_in_form
from softrail.processes.put_right import begun_on, first_of, put_right
from softrail.processes.readers import Reading, some_options
from softrail.processes.sentences import Wording
from softrail.processes.spoken import (
    asks_for_a_week,
    is_told_in_units,
    length_in_units,
    length_in_words,
)
from softrail.processes.state import (
    Capture,
    Changed,
    Fault,
    State,
    fault_of,
    fitting,
    json_of,
    offered,
)
from softrail.processes.telling import answer_in_words, labels_of, options_of_answer, typed
from softrail.processes.unread import Unread

_EITHER: Final = 2  #: values that are put where words may mean either
_NEAR: Final = 3  #: words before an option among which one leaves it out: "apart from the"
_FORM: Final = "string_pattern_mismatch"  #: pydantic's name for a text that a pattern does not take


@dataclass
class Keeping:
    """Changes `state`; what became of each answer is noted for the decision record."""

    definition: Definition
    turn: Turn
    state: State
    wording: Wording
    limit: timedelta
    why: list[str] = field(default_factory=list)
    captured: list[Captured] = field(default_factory=list)  #: for the decision record
    refused: list[Refused] = field(default_factory=list)
    #: By answer: what words may mean that were not clear.
    either: dict[str, Sequence[Option]] = field(default_factory=dict)
    bound: str = ""  #: what binds the answer of this message, and no answer can hold
    for_later: bool = False  #: something was told that is put with its question
    hidden: bool = False  #: the message answers what is not shown
    #: Lists to which this message has added, as they were before.
    _before: dict[str, tuple[list[Any], Capture | None]] = field(default_factory=dict)
    #: Answers that were counted from what they were before, or from what was told in another unit, and options that nobody called.
    _counted: set[str] = field(default_factory=set)
    #: By answer: what is told of the rest of its words.
    _left_over: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.reading = Reading.of(self.turn)
        self.said = self.turn.reading or Said(message=self.turn.message)
        self._fields = self.definition.fields
        self.said = self._with_options_of_their_own(self.said)

    def _with_options_of_their_own(self, said: Said) -> Said:
        """What was read, with each option given to the list that has it, where another one was read: "music too"."""
        lists = [asked for asked in self._fields.values() if asked.reader.chooses_several]

        def told(value: Value) -> Value:
            asked = self._fields.get(value.field)
            if asked not in lists or not value.text or self.options_called(asked, value.text):
                return value
            having = [one for one in lists if self.options_called(one, value.text)]
            alone = len(having) == 1 and having[0].name not in said.values
            return replace(value, field=having[0].name) if alone else value

        if len(lists) < 2 or not said.values:
            return said
        return said.evolve(commands=tuple(one.with_each(told) for one in said.commands))

    def unanswer(self, names: Iterable[str]) -> None:
        """Those answers are no longer given."""
        for name in names:
            if name not in self.state.captured:
                continue
            self._remember(name)
            del self.state.captured[name]
            self.note(self._fields[name], "taken back", self.state.answers.pop(name, None))
            self.why.append(f"forgot {name}")

    def _remember(self, name: str) -> None:
        """How an answer stands before this message changes it, so that it can be taken back."""
        changed = self.state.changed
        if changed is None or changed.seq != self.turn.seq:
            changed = self.state.changed = Changed(seq=self.turn.seq)
        if name in changed.captured:
            return
        changed.captured[name] = self.state.captured.get(name)
        if name in self.state.answers:
            changed.answers[name] = self.state.answers[name]

    def take_back(self) -> list[FieldDefinition]:
        """What the message before has changed is as it was; the answers that were there before it."""
        changed, self.state.changed = self.state.changed, None
        if changed is None:
            return []
        for name, capture in changed.captured.items():
            self.note(
                self._fields[name],
                "taken back",
                self.state.answers.pop(name, None),
                changed.answers.get(name),
            )
            self.state.captured.pop(name, None)
            if capture is not None:
                self.state.captured[name] = capture
            if name in changed.answers:
                self.state.answers[name] = changed.answers[name]
            self.why.append(f"took back {name}")
        return [self._fields[name] for name in changed.answers]

    def overhear(self) -> None:
        """Note what the message may tell of answers that are still to be asked for."""
        for value in self.said.overheard:
            asked = self._fields.get(value.field)
            if asked is None or asked.name in self.state.captured or not _may_be_put(asked):
                continue
            options = self._as_options(asked, value.text)
            if asked.reader.kind in ("date", "time"):  # "next Tuesday" is the day of one answer alone
                options = [one for one in options if one.value not in self.state.answers.values()]
            if options:
                self.state.overheard[asked.name], self.for_later = options, True

    def hand_on(self, answered: FieldDefinition) -> None:
        """Note the words that bind an answer, which cannot hold them, for the remarks, if these are still to be asked for."""
        if not self.said.bound:
            return
        names = list(self._fields)
        for name in names[names.index(answered.name) + 1 :]:
            asked = self._fields[name]
            remarks = asked.reader.kind == "text" and asked.skippable and name not in self.state.captured
            if remarks and _may_be_put(asked) and (options := self._as_options(asked, self.said.bound)):
                self.state.overheard[name] = options
                return
        self.bound = self.said.bound

    def no_place(self, answered: FieldDefinition) -> str:
        """What is said of words that bind an answer that was kept, and for which there is no place; "" where there are none."""
        kept = self.bound and answered.name in self.state.captured
        return self.wording.say("no_place", words=self.bound) if kept else ""

    def _as_options(self, asked: FieldDefinition, words: str) -> list[Option]:
        """What those words give, on buttons; none where they give nothing, or more than two things."""
        reading = self._as_asked(asked)
        try:
            value = json_of(asked, asked.reader.read(words, reading))
        except Unread as unread:
            return [*unread.either] if len(unread.either) <= _EITHER else []
        label = "; ".join(answer_in_words(asked, value, self.wording))
        means = "\n".join(map(str, value)) if isinstance(value, list) else str(value)
        try:
            same = json_of(asked, asked.reader.read(means, reading)) == value
        except Unread:
            return []
        return [Option(label=label, value=means)] if same and self.wrong(asked, value) is None else []

    def put_again(self, asked: FieldDefinition) -> str:
        """How the answer stands that is asked for again, with a button for it to stay so."""
        told, value = self.read_back(asked), self.state.answers.get(asked.name)
        if not told or not _may_be_put(asked) or value in (None, [], ""):
            return told and self.wording.say("goes_back", told=told)
        words = value if isinstance(value, str) else "; ".join(answer_in_words(asked, value, self.wording))
        options = self._as_options(asked, words)
        if len(options) != 1:
            return self.wording.say("goes_back", told=told)
        self.either[asked.name] = options
        return self.wording.say("still_right", told=told)

    def put_with(self, asked: FieldDefinition) -> tuple[str, tuple[Option, ...]]:
        """What was overheard of an answer, as it is put with its question, and on buttons; it is put once."""
        options = tuple(self.state.overheard.pop(asked.name, ()))
        if not options:
            return "", ()
        words = [f"“{o.label}”" if asked.reader.kind in ("text", "list") else o.label for o in options]
        if len(words) == 1:
            return self.wording.say("overheard", value=words[0]), options
        return self.wording.say("overheard_either", one=words[0], other=words[1]), options

    def forget(self, older_than: datetime) -> None:
        """Drop the answers captured before that time; nobody takes that back."""
        self.state.overheard.clear()
        self.unanswer([name for name, capture in self.state.captured.items() if capture.at < older_than])
        self.state.changed = None

    async def capture(self, asked: FieldDefinition, words: str, *, after: Any = None) -> Fault | None:
        """Read and keep an answer; what is wrong with it, if anything is."""
        try:
            value = await self._read(asked, words)
        except Unread as error:
            unread = self._that_fits(asked, error)
            self.either[asked.name] = unread.either
            if unread.begun:
                self.state.begun[asked.name] = unread.begun
            unusable = Fault(field=asked.name, sentence=unread.sentence, values=unread.values)
            self.refuse(asked.name, unusable.sentence, self.reason(unusable), words)
            return unusable
        kept = json_of(asked, value)
        adds = isinstance(after, list) and isinstance(kept, list)
        if adds:
            self._before[asked.name] = (after, self.state.captured.get(asked.name))
            there = after if asked.reader.chooses_several else []
            kept = [*after, *(one for one in kept if one not in there)]
        wrong = self.wrong(asked, kept)
        if wrong is not None and wrong.sentence == _FORM and isinstance(kept, str):
            found = part_in_form(
                asked, kept, lambda part: self.wrong(asked, part) is None, self.reading.locale
            )
            wrong, kept = (
                (None, found.value) if found is not None else (self._with_its_form(asked, wrong), kept)
            )
        if wrong is None:
            self.keep(asked, kept, said=words)
            self._leave_over(asked)
        else:
            self.refuse(asked.name, wrong.sentence, self.reason(wrong), words)
        return wrong

    def _with_its_form(self, asked: FieldDefinition, wrong: Fault) -> Fault:
        """Why a text cannot be the answer, with the form that is wanted, as far as that can be told."""
        form = form_in_words(asked)
        return Fault(field=asked.name, sentence="form_wanted", values={"form": form}) if form else wrong

    def _that_fits(self, asked: FieldDefinition, unread: Unread) -> Unread:
        """Why the words give no value, without those of two that the type does not take: nobody means -1 guests."""
        fits = [option for option in unread.either if self._takes(asked, option.means)]
        if not fits or len(fits) == len(unread.either) or len(fits) > 1:
            return unread
        return Unread("bound", either=fits, value=fits[0].label)

    def _takes(self, asked: FieldDefinition, words: str) -> bool:
        try:
            value = asked.reader.read(words, self._as_asked(asked))
        except Unread:
            return False
        return self.wrong(asked, json_of(asked, value)) is None

    def _leave_over(self, asked: FieldDefinition) -> None:
        """Note what was said with a value and has no place in it; another answer may have taken those words."""
        rest = self.turn.message
        told = {name: value.text for name, value in self.said.values.items() if name in self._fields}
        if any(self._fields[name].reader.kind == "time" and text not in rest for name, text in told.items()):
            return  # counted or completed: of "2 to 3.30 pm" the beginning is 14:00
        for name, value in self.said.values.items():
            rest = rest.replace(value.text, " ") if value.text and name not in ("", asked.name) else rest
        if asked.reader.leaves is not None and asked.reader.leaves(rest, self.reading):
            times = [f for f in self._fields.values() if f.asked and f.reader.kind == "time"]
            later = any(f.name not in self.state.captured for f in times)
            self._left_over[asked.name] = self.wording.say("time_later" if later else "only_the_day")

    async def _read(self, asked: FieldDefinition, words: str) -> Any:
        if not asked.reader.own:
            reading, old = self._as_asked(asked), self.state.answers.get(asked.name)
            self._counted.discard(asked.name)
            message = "" if self.said.exactly("correct", "inform", target=SETTLED) else self.turn.message
            how = says_how(asked, words, message, old, reading)
            if asked.reader.chooses_several:
                return self._several(asked, words, message, reading)
            if how is None:
                value = plain_or_times(asked, words, message, asked.reader.read(words, reading), reading)
                counted = self._is_counted(asked, words, reading) or _is_counted_from(
                    asked, words, value, reading
                )
                if counted or _is_any_such_day(value, words, reading):
                    self._counted.add(asked.name)
                return value
            value = moved_on(asked, words, how, old, reading)
            self._counted.add(asked.name)
            return value
        if asked.reader.options:
            chosen = choose(words, asked.reader.options, language=self.reading.language)
            if chosen is None:
                raise Unread("no_option", options=", ".join(o.label for o in asked.reader.options))
            words = chosen.means
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

    def _several(self, asked: FieldDefinition, words: str, message: str, reading: Reading) -> Any:
        """The options that the words choose: none that the message leaves out, and all that it names."""
        if message and (changed := self._options_changed(asked, words)) is not None:
            self._counted.add(asked.name)
            return typed(asked, changed)
        value, known = asked.reader.read(words, reading), reading.language
        chosen = labels_of(asked, json_of(asked, value))
        said = f" {normal(message or words)} "
        named = [o.label for o in asked.reader.options if f" {normal(o.label)} " in said]
        out = [o for o in named if _is_left_out(message, o, known)]
        told = " ".join(v.text for n, v in self.said.values.items() if n != asked.name)
        lost = {o for o in named if o not in (*chosen, *out) and normal(o) not in normal(told)}
        if words != message and not self.said.does("correct") and (lost or {*chosen} & {*out}):
            meant = [o for o in asked.reader.options if o.label in {*chosen, *lost}.difference(out)]
            raise some_options(meant, asked.reader.options)
        if {*chosen} != {*named}:
            self._counted.add(asked.name)
        return value

    def _options_changed(self, asked: FieldDefinition, words: str) -> list[Any] | None:
        """The options as they are when the message adds some to those that were there, or takes some out; None where it does not."""
        old, message, known = self.state.answers.get(asked.name), self.turn.message, self.reading.language
        if not isinstance(old, list) or not old:
            return None
        edit = known.edit(message, {asked.name: asked.names})
        named = self.options_in(asked, edit.text) if edit is not None and edit.op != "change" else None
        if edit is not None and named is not None:
            rest = [one for one in old if one not in named]
            return rest if edit.op == "remove" else [*old, *(one for one in named if one not in old)]
        if words != message:
            return None
        labels = labels_of(asked, old)
        there = [option for option in asked.reader.options if option.label in labels]
        there.sort(key=lambda option: labels.index(option.label))
        changed = change_options(message, asked.reader.options, there, language=known)
        return self.options_in(asked, "\n".join(o.label for o in changed)) if changed is not None else None

    def options_in(self, asked: FieldDefinition, words: str) -> list[Any] | None:
        """The options that words choose, as they are kept; None where they choose none."""
        try:
            kept = json_of(asked, asked.reader.read(words, self._as_asked(asked)))
        except Unread:
            return None
        return kept if isinstance(kept, list) else None

    def options_called(self, asked: FieldDefinition, words: str) -> list[Any]:
        """The same, where it is by their names and not by their places that they are chosen."""
        kept = self.options_in(asked, words) or []
        said = set(normal(words).split())
        return kept if all(any(word in normal(o) for word in said) for o in labels_of(asked, kept)) else []

    def _is_counted(self, asked: FieldDefinition, words: str, reading: Reading) -> bool:
        """The number is none that stands there: it is told in another unit, in two messages, or anew in several words."""
        if reading.begun or (
            reading.unit is not None and is_told_in_units(words, reading.unit, reading.locale)
        ):
            return True
        spelled = len(words.split()) > 1 and not any(map(str.isdecimal, words))
        return asked.reader.kind == "number" and spelled and asked.name not in self.state.captured

    def by_how_much(self, asked: FieldDefinition) -> str:
        """The message, where an answer is wrong and it says without a value what is right; else "".

        It says by how much it changes ("double the amount"), or what may be meant by it ("the way is five miles").
        """
        if asked.reader.own or asked.reader.kind != "number":
            return ""
        reading, message = self._as_asked(asked), self.turn.message
        if says_how(asked, "", message, self.state.answers.get(asked.name), reading) is not None:
            return message
        try:
            asked.reader.read(message, reading)
        except Unread as unread:
            return message if unread.either else ""
        return ""

    def _as_asked(self, asked: FieldDefinition) -> Reading:
        """What a number is read with: the unit that it counts. A time: which end is asked for. A day: whether it has been, and which it cannot be before.

        The end of something is after its beginning, and the number of a day that is changed is one of its month.
        """
        if asked.reader.chooses_several:
            return self.reading.asked(asked.question, asked.name, asked.label)
        if asked.reader.kind not in ("number", "date", "time"):
            return self.reading
        reading = replace(self.reading.asked(asked.question, asked.name, asked.label), takes_end=True)
        reading = put_right(asked, self.state, reading)
        return replace(reading, after=self._beginning(asked)) if asked.reader.kind == "date" else reading

    def _beginning(self, asked: FieldDefinition) -> date | None:
        """The first of two days of which `asked` is the second: as it is kept, or as this message gives it."""
        first = first_of(self.definition, self.state, asked, self.reading.language)
        if first is None:
            return None
        told = self.said.values.get(first.name)
        if told is None or not told.text:
            return begun_on(self.definition, self.state, asked, self.reading.language)
        try:
            found = first.reader.read(told.text, self._as_asked(first))
        except Unread:
            return None
        return found if type(found) is date else None

    def wrong(self, asked: FieldDefinition, value: Any) -> Fault | None:
        """Why a value cannot be the answer, beside the others; None where it can."""
        return fault_of(self.definition, {**self.state.answers, asked.name: value}, asked.name)

    def before(self, name: str) -> Any:
        """The items of a list that the message adds to; None where it gives the value anew."""
        adds = any(v.field == name for c in self.said.commands if c.act == "inform" for v in c.values)
        is_list = name in self._fields and self._fields[name].reader.kind == "list"
        return self.state.answers.get(name, []) if adds and is_list else None

    def put_back(self, name: str) -> bool:
        """A list to which this message has added is as it was before; False where it has added nothing to it."""
        items, capture = self._before.pop(name, ([], None))
        if capture is None:
            return False
        self.keep(self._fields[name], items)
        self.state.captured[name] = capture
        return True

    def left_as_it_was(self, asked: FieldDefinition, reason: str) -> str:
        """Why nothing was added to a list."""
        return joined(reason, self.wording.say("left_as_it_was", label=asked.label))

    def keep_if_fitting(self, asked: FieldDefinition, value: Any) -> bool:
        """Keep a value that code has given, unless a person could not have said it."""
        fits = fitting(self.definition, {asked.name: value}, self.reading, beside=self.state.answers)
        if asked.name in fits:
            self.keep(asked, fits[asked.name])
        return asked.name in fits

    def keep(
        self, asked: FieldDefinition, value: Any = None, *, skipped: bool = False, said: str | None = None
    ) -> None:
        """Keep an answer; `said` are the words it was read from, None: code gave it."""
        how: Literal["given", "left out"] = "left out" if skipped else "given"
        self._remember(asked.name)
        self.note(asked, how, self.state.answers.get(asked.name), None if skipped else value, said)
        if skipped:
            self.state.answers.pop(asked.name, None)
        else:
            self.state.answers[asked.name] = value
        self.state.begun.pop(asked.name, None)
        self.state.overheard.pop(asked.name, None)
        self.state.captured[asked.name] = Capture(
            at=self.turn.at, seq=self.turn.seq, turn_id=self.turn.id, skipped=skipped
        )
        self.why.append(f"{'skipped' if skipped else 'captured'} {asked.name}")

    def note(
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
        self.captured.append(
            Captured(
                process=self.definition.name,
                field=asked.name,
                how=how,
                old=brief(old) if shown else None,
                new=brief(new) if shown else None,
                text=said if shown else None,
                by=on.layer if on is not None else "code" if said is None else "exact",
                likely=round(on.confidence, 3) if on is not None else None,
                shown=shown,
            )
        )

    def _read_as(self, asked: FieldDefinition, said: str | None) -> Command | None:
        """The command that an answer rests on: the one that has its value, else the surest that answers."""
        commands = self.said.commands
        own = [c for c in commands if any(v.field == asked.name and v.text == said for v in c.values)]
        acts = (
            ("none", "open", "negate") if said is None else ("inform", "affirm", "negate", "correct", "none")
        )
        return max(own, key=lambda c: c.confidence, default=None) or self.said.of(*acts)

    def _shows(self, asked: FieldDefinition, said: str | None) -> bool:
        """Whether a record may tell an answer: not where the words may be those of one that is not shown."""
        return asked.shown and (said is None or not self.hidden)

    def refuse(self, name: str, why: str, told: str, said: str | None = None) -> None:
        """For the decision record: an answer that cannot be used, and what the person is told."""
        shown = self._shows(self._fields[name], said)
        one = Refused(
            process=self.definition.name,
            field=name,
            why=why,
            told=told if shown else "",
            text=brief(said) if shown else None,
            shown=shown,
        )
        if one not in self.refused:
            self.refused.append(one)

    def take_file(self, asked: FieldDefinition) -> Fault | None:
        """Keep the file of this turn as an answer; what is wrong with it, if anything is."""
        files = self.turn.attachments
        wrong, kept = self._unfit(asked), None
        if wrong is None:
            kept = json_of(asked, files[0])
            wrong = self.wrong(asked, kept)
        if wrong is not None:
            self.refuse(asked.name, wrong.sentence, self.reason(wrong), ", ".join(f.name for f in files))
        else:
            self.keep(asked, kept, said=files[0].name)
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

    def wrong_form(self, asked: FieldDefinition, value: Any) -> Fault | None:
        """Why a JSON value is not of the form that the question's schema says; None where it is."""
        try:
            asked.adapter.validate_json(json.dumps(value), strict=True)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            known = self.wrong(asked, value)  # a bound has a sentence of its own
            if known is not None and known.sentence != "not_usable":
                return known
            at = ".".join(str(part) for part in first["loc"])
            reason = f"{at}: {first['msg']}" if at else first["msg"]
            return Fault(field=asked.name, sentence="value_unfit", values={"reason": reason})
        if not offered(asked, value, self.reading):
            options = ", ".join(o.label for o in options_of_answer(asked, self.wording))
            return Fault(field=asked.name, sentence="no_option", values={"options": options})
        return None

    def noted(self, asked: FieldDefinition, *, unasked: bool = False, anew: bool = False) -> str:
        """The value read back with its field, unless it was asked for and is plain; what of the words has no place in it.

        One that takes the place of another is always read back.
        """
        plain = self._is_exact() or (not unasked and self._is_plain(asked))
        plain = plain and not anew and asked.name not in self._counted
        return joined("" if plain else self.read_back(asked), self._left_over.pop(asked.name, ""))

    def _is_exact(self) -> bool:
        """Nothing of the message was read in other than certain words."""
        exactly = self.said.exactly("inform") is not None
        return exactly or all(c.layer == "exact" for c in self.said.commands)

    def _is_plain(self, asked: FieldDefinition) -> bool:
        """What was asked for was chosen, or said in words that leave no doubt."""
        if asked.reader.kind == "consent":
            return self.said.of("affirm", "negate", target=MEANT) is None
        told = answer_in_words(asked, self.state.answers.get(asked.name), self.wording)
        return asked.reader.kind == "options" and all(normal(t) in normal(self.turn.message) for t in told)

    def read_back(self, asked: FieldDefinition) -> str:
        """The value with its field, as it was understood; "" of one that is not shown."""
        if not asked.shown:
            return ""
        kept = self.state.answers.get(asked.name)
        none = typed(asked, kept) in ([], None)
        told = self.wording.say("none") if none else "; ".join(answer_in_words(asked, kept, self.wording))
        label = asked.label[:1].upper() + asked.label[1:]
        return self.wording.say("noted", label=label, value=told.rstrip("."))

    def reason(self, wrong: Fault) -> str:
        """What is wrong, as the person is told."""
        return self.wording.say(wrong.sentence, **wrong.values)

    def told_of(self, sentence: str, asked: FieldDefinition) -> str:
        """A sentence about an answer, and what of its words has no place in it; one that was counted is read back."""
        if asked.name in self._counted and asked.shown:
            return self.read_back(asked)
        return joined(self.wording.say(sentence, label=asked.label), self._left_over.pop(asked.name, ""))


def _is_left_out(message: str, option: str, known: Language) -> bool:
    """The message has it behind a word that leaves it out: "not driving", "apart from driving"."""
    before = normal(message).partition(normal(option))[0].split()[-_NEAR:]
    excepts = any(known.excludes(word) and not known.ends(word) for word in before)
    return excepts or known.leaves_out(message, option) or known.denies_it(message, option)


def _may_be_put(asked: FieldDefinition) -> bool:
    """What was told of it may be shown and read again, and it has no options of its own."""
    plain = not asked.reader.own and asked.reader.kind not in ("consent", "options", "file")
    plain = plain and not asked.reader.options
    return plain and asked.asked and asked.shown


def _is_counted_from(asked: FieldDefinition, words: str, value: Any, reading: Reading) -> bool:
    """It is that day only because of the first one: "five days", "the 4th" behind the 28th; months are counted in days."""
    if isinstance(value, timedelta):
        return length_in_words(value) != length_in_units(value)
    if reading.after is None or type(value) is not date:
        return False
    try:
        return bool(asked.reader.read(words, replace(reading, after=None)) != value)
    except Unread:
        return True


def _is_any_such_day(value: Any, words: str, reading: Reading) -> bool:
    """It is a day that has been, or one of a week, told without its month: "Friday" may be another one."""
    if not isinstance(value, date) or f"{value:%b}".lower() in words.lower():
        return False
    return reading.past or asks_for_a_week(reading.question, reading.locale)


def joined(*parts: str) -> str:
    """Sentences that are not empty, one behind the other."""
    return " ".join(p for p in parts if p)
