"""Checks a process class when it is registered, so that nothing of it can be wrong on someone's turn."""

import inspect
import re
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Annotated, Any, NoReturn, get_args

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.errors import PydanticUserError
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema

from softrail.core.attachments import Wish
from softrail.core.calling import call_now
from softrail.core.errors import DefinitionError, StepFailed
from softrail.core.injection import fill, needs, type_hints
from softrail.core.questions import Option
from softrail.core.reading import Layer
from softrail.language import normal
from softrail.processes.asking import Asked, Contract, StepMark, check_of, mark_of
from softrail.processes.definition import (
    GATHERING,
    CheckDefinition,
    Definition,
    Extracted,
    FieldDefinition,
    StepDefinition,
)
from softrail.processes.mistakes import Mistake, in_class, in_definition
from softrail.processes.none_given import empty_of
from softrail.processes.own_intents import fault_of_intents, takers
from softrail.processes.process import ComesBack, OfferPolicy, OneFor, OnNewVersion, Process
from softrail.processes.readers import Reader, Reading, reader_for
from softrail.processes.sentences import places
from softrail.processes.state import plain
from softrail.processes.ways import unknown_way, unreachable

_MEDIA = re.compile(r"[A-Za-z0-9][\w!#$&^.+-]*/([A-Za-z0-9][\w!#$&^.+-]*|\*)", re.ASCII)
_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}\Z")

#: Bundled processes were looked through when they were written: reading their sources again was a twentieth of every start.
_BUNDLED = "softrail."

#: Classes without a sure mistake as they were compiled, and what they were like then: a server compiles its processes
#: more than once. The last ones only: a definition knows its class, which would never go.
_compiled: OrderedDict[type[Process], tuple[tuple[object, ...], Definition]] = OrderedDict()
_MOST_COMPILED = 1024


def define(process: type[Process], *, services: Mapping[type, object] | None = None) -> Definition:
    """The class compiled; raises DefinitionError that says what is wrong, where, and what exists."""
    check = _Check(process, dict(services or {}))
    seen = _seen(process, check.services)
    was, kept = _compiled.pop(process, (None, None))
    if kept is not None and was == seen:
        made = replace(kept, process=check.instance())
    else:
        made = check.definition()
        kept = replace(made, process=object.__new__(process))  # one with services would keep them alive
    _compiled[process] = seen, kept
    if len(_compiled) > _MOST_COMPILED:
        _compiled.popitem(last=False)
    return made


def _seen(process: type[Process], services: Iterable[type]) -> tuple[object, ...]:
    """What tells whether a class would be compiled otherwise now.

    That is everything that was ever set on it or on what it is made of, and the kinds of services there are.
    """
    values = (
        id(value)
        for made_of in process.__mro__
        for name, value in vars(made_of).items()
        if value or name != "__annotations__"  # an empty one comes from being asked for
    )
    return (frozenset(services), *values)


class _Check:
    """One class being checked."""

    def __init__(self, process: type[Process], services: dict[type, object]) -> None:
        self._class = process
        self.services = services
        self._asked: dict[str, Asked] = {}
        self._confirms = getattr(process, "confirm", True) is not False
        self._where = f"{process.__module__}.{process.__qualname__}"
        self._who = f"Process {process.name!r} ({self._where})"

    def _wrong(self, what: str) -> NoReturn:
        raise DefinitionError(f"{self._who} {what}", process=self._class.name, where=self._where)

    def _check(self, fault: str) -> None:
        if fault:
            self._wrong(fault)

    def _surely(self, mistakes: Iterable[Mistake]) -> None:
        """The first mistake that cannot be meant; `softrail check` tells the others."""
        for one in mistakes:
            if one.sure:
                raise DefinitionError(
                    f"{self._who} {one.what}{one.place}",
                    process=self._class.name,
                    where=self._where,
                    path=one.path,
                    line=one.line,
                )

    def definition(self) -> Definition:
        cls = self._class
        marks = self._marks()
        self._check_settings()
        self._surely(in_class(cls, marks))
        answers = self._model("Answers")
        fields = self._fields(answers)
        data = self._model("Data")
        own, step_data = self._own_steps(marks, answers, fields)
        data = self._data(data, step_data, fields)
        steps = self._steps(fields, own)
        checks = self._checks(fields)
        self._check(unknown_way([*steps.values(), *checks], steps, gathers=bool(fields)))
        self._check_asks(steps, data, answers)
        first = self._first(marks, steps, fields)
        confirm_step = cls.confirm_step if fields and self._confirms else None
        leaves_by = self._leaves_by(steps)
        self._check(fault_of_intents(cls, steps))
        also = [name for name in steps if name == leaves_by or name in self._named_by_complete()]
        self._check(unreachable(first, steps, confirm_step, checks, also))
        doc = cls.description or (inspect.getdoc(cls) or "" if cls.__doc__ else "").split("\n")[0]
        spoken = cls.name.replace("_", " ")
        definition = Definition(
            name=cls.name,
            version=cls.version,
            title=cls.title or f"the {spoken}",
            doing=cls.doing,
            description=doc,
            becomes=cls.becomes,
            process=self.instance(),
            steps=steps,
            first=first,
            names=tuple(dict.fromkeys((spoken, *cls.names))),
            subject=cls.subject,
            starts_on=cls.starts_on,
            ends_on=tuple(normal(v) for v in cls.ends_on),
            contract=cls.contract,
            priority=cls.priority,
            idle_timeout=cls.idle_timeout,
            freshness=cls.freshness,
            retention=cls.retention,
            on_new_version=cls.on_new_version,
            offers=cls.offers,
            offer_text=cls.offer_text,
            answers=answers,
            fields=fields,
            checks=checks,
            confirm_step=confirm_step,
            reads=cls.reads,
            data=data,
            signals=self._signals(steps),
            intents=cls.intents,
            takes=takers(steps),
            slashes=dict(cls.slashes),
            leaves_by=leaves_by,
            completes=self._completes(data),
        )
        if not cls.__module__.startswith(_BUNDLED):
            self._surely(in_definition(definition))
        return definition

    # -- settings

    def _check_settings(self) -> None:
        cls = self._class
        if not cls.name:
            self._wrong('has no name. Write: class X(Process, name="x", version=1).')
        if not _NAME.match(cls.name):
            self._wrong("has a name that is not usable: small letters, digits and _, at most 64.")
        if not isinstance(cls.version, int) or isinstance(cls.version, bool) or cls.version < 1:
            self._wrong(f"has version {cls.version!r}. Versions are whole numbers from 1.")
        for setting in ("idle_timeout", "freshness", "retention"):
            value = getattr(cls, setting)
            if value is None:
                continue
            if not isinstance(value, timedelta):
                self._wrong(f"has {setting} = {value!r}. It is a timedelta, e.g. timedelta(minutes=15).")
            if value <= timedelta(0):
                self._wrong(f"has {setting} = {value}. It must be longer than nothing.")
        for setting in ("pausable", "resumable", "takes_anything"):
            if not isinstance(getattr(cls, setting), bool):
                self._wrong(f"has {setting} = {getattr(cls, setting)!r}. It is True or False.")
        for setting, known in (
            ("contract", get_args(Contract)),
            ("comes_back", get_args(ComesBack)),
            ("one", (None, *get_args(OneFor))),
            ("on_new_version", get_args(OnNewVersion)),
            ("reads", get_args(Layer)),
        ):
            if getattr(cls, setting) not in known:
                self._wrong(
                    f"has {setting} = {getattr(cls, setting)!r}. Known: {', '.join(map(str, known))}."
                )
        for setting in ("starts_on", "ends_on", "names", "subject"):
            value = getattr(cls, setting)
            if not isinstance(value, tuple) or not all(isinstance(v, str) and normal(v) for v in value):
                self._wrong(f'has {setting} = {value!r}. It is a tuple of words, e.g. ("start it",).')
            twice = [v for v in value if [normal(w) for w in value].count(normal(v)) > 1]
            if twice:
                self._wrong(f"has {twice[0]!r} more than once in {setting}.")
        if not isinstance(cls.priority, int):
            self._wrong(f"has priority = {cls.priority!r}. It is a whole number; lower comes first.")
        if not isinstance(cls.offers, OfferPolicy):
            self._wrong(f"has offers = {cls.offers!r}. It is an OfferPolicy(cool_down=…, at_most=…).")
        migrate = getattr(cls.migrate, "__func__", None)
        if migrate is None:
            self._wrong("has a migrate() that is no class method: put @classmethod above it.")
        if cls.on_new_version == "migrate" and migrate is Process.migrate.__func__:  # type: ignore[attr-defined] # a classmethod's function
            self._wrong("says on_new_version = 'migrate' and has no migrate().")
        for hook in ("offer_when", "complete", "summary"):
            if not inspect.iscoroutinefunction(getattr(cls, hook)):
                self._wrong(f"has a {hook}() that is not `async def`.")
        for hook in ("prefill", "slot", "kept", "drafted", "refresh", "migrate"):
            if inspect.iscoroutinefunction(getattr(cls, hook)):
                self._wrong(f"has an `async def {hook}()`. It is quick and plain: `def {hook}()`.")
        for hook in _HOOKS:
            self._check_taken(hook)

    def _check_taken(self, hook: str) -> None:
        """A hook can be called with what it is always called with."""
        own, given = getattr(self._class, hook), getattr(Process, hook)
        names = [one.name for one in inspect.signature(given).parameters.values() if one.kind in _BY_PLACE]
        if own is given or not inspect.isfunction(inspect.getattr_static(self._class, hook)):
            return
        try:
            inspect.signature(own).bind_partial(*names)
        except TypeError:
            self._wrong(
                f"has a {hook}() that does not take ({', '.join(names)}). Write: def {hook}({', '.join(names)})."
            )

    # -- answers

    def _model(self, name: str) -> type[BaseModel] | None:
        found = getattr(self._class, name, None)
        if found is None:
            return None
        if not (isinstance(found, type) and issubclass(found, BaseModel)):
            self._wrong(f"has {name}, which is not a pydantic model: class {name}(BaseModel).")
        return found

    def _fields(self, answers: type[BaseModel] | None) -> dict[str, FieldDefinition]:
        if answers is None:
            return {}
        found: dict[str, FieldDefinition] = {}
        try:
            schemas = _shown_schemas(answers.model_json_schema(schema_generator=_Schema))
        except PydanticUserError:
            schemas = {}
        for name, info in answers.model_fields.items():
            asked = next((m for m in info.metadata if isinstance(m, Asked)), None)
            if asked is None:
                if info.is_required():
                    self._wrong(
                        f'has no question for the answer {name!r}. Write: {name}: … = ask("…?"), or give it '
                        "a default."
                    )
                continue
            self._asked[name] = asked
            found[name] = self._field(name, info, asked, schemas.get(name))
        if not found:
            self._wrong('has Answers without a single question. Write: x: str = ask("…?").')
        if self._class.complete is Process.complete:
            self._wrong("has Answers and no complete(). Write: async def complete(self, answers, turn).")
        self._check_names(found)
        for field in found.values():
            self._check_places(field.step, field.question, [f for f in found if f != field.name])
        return found

    def _field(self, name: str, info: FieldInfo, asked: Asked, schema: Any) -> FieldDefinition:
        if not asked.question.strip():
            self._wrong(f"asks for {name!r} without a question.")
        annotation = info.annotation
        if asked.read is not None:
            reader: Reader | None = Reader(kind="own", read=_own(asked.read), options=asked.options, own=True)
        else:
            reader = reader_for(annotation, asked.options)
        if asked.when is not None and (not callable(asked.when) or info.is_required()):
            self._wrong(
                f"asks for {name!r} with when = …, which is a function of the answers so far and needs a default "
                f"beside it: {name}: … | None = ask(…, default=None, when=lambda a: …)."
            )
        if reader is None:
            self._wrong(
                f"asks for {name!r} of type {annotation!r}, which no reader knows"
                f"{' with these options' if asked.options else ''}. Write: ask(…, read=function)."
            )
        file = self._file(name, reader, asked)
        constraints = [m for m in info.metadata if not isinstance(m, Asked)]
        annotated: Any = annotation
        for constraint in constraints:
            annotated = _annotate(annotated, constraint)
        label = asked.label or name.replace("_", " ")
        adapter = TypeAdapter(annotated)
        if reader.chooses_several:
            schema = _with_options(schema, annotation, reader.options)
        return FieldDefinition(
            name=name,
            question=asked.question,
            label=label,
            names=tuple(dict.fromkeys((label, name.replace("_", " "), *asked.names))),
            reader=reader,
            adapter=adapter,
            empty=empty_of(reader, info, adapter),
            skippable=not info.is_required(),
            skip_words=tuple(normal(w) for w in asked.skip_words),
            when=asked.when,
            polish=asked.polish,
            shown=asked.shown,
            about=info.description or "",
            schema=schema if file is None else file.schema,
            file=file,
        )

    def _file(self, name: str, reader: Reader, asked: Asked) -> Wish | None:
        """Which files an answer takes; None where it is no file."""
        if reader.kind != "file":
            if asked.media or asked.max_bytes is not None:
                self._wrong(
                    f"asks for {name!r} with media or max_bytes, which are of files: {name}: Attachment = ask(…)."
                )
            return None
        for media in asked.media:
            if not (isinstance(media, str) and _MEDIA.fullmatch(media)):
                self._wrong(
                    f'asks for {name!r} with media = {media!r}. It is a media type, such as "application/pdf", or '
                    'all of a kind: "image/*".'
                )
        most = asked.max_bytes
        if most is not None and (not isinstance(most, int) or isinstance(most, bool) or most < 1):
            self._wrong(f"asks for {name!r} with max_bytes = {most!r}. It is a whole number from 1.")
        return Wish(media=tuple(m.casefold() for m in asked.media), max_bytes=most)

    def _check_names(self, fields: Mapping[str, FieldDefinition]) -> None:
        seen: dict[str, str] = {}
        for field in fields.values():
            for word in field.names:
                other = seen.setdefault(normal(word), field.name)
                if other != field.name:
                    self._wrong(f"calls both {other!r} and {field.name!r} {word!r}.")

    def _checks(self, fields: Mapping[str, FieldDefinition]) -> tuple[CheckDefinition, ...]:
        found: list[CheckDefinition] = []
        names = dict.fromkeys(name for cls in reversed(self._class.__mro__) for name in vars(cls))
        for name in names:
            mark = check_of(function := getattr(self._class, name))
            if mark is None:
                continue
            if not fields:
                self._wrong(f"has a check {name!r} and no Answers that it could judge.")
            unknown = [field for field in mark.fields if field not in fields]
            if unknown:
                self._wrong(
                    f"has a check {name!r} of {unknown[0]!r}, which it does not ask for. "
                    f"It asks for: {', '.join(fields)}."
                )
            if not inspect.iscoroutinefunction(function):
                self._wrong(f"has a check {name!r} that is not `async def`.")
            if len(inspect.signature(function).parameters) < 3:
                self._wrong(f"has a check {name!r} that does not take (self, answers: Answers, turn: Turn).")
            injected = self._needs(function, 2, name)
            found.append(
                CheckDefinition(
                    name=name, fields=mark.fields or tuple(fields), goes_to=mark.goes_to, injected=injected
                )
            )
        return tuple(found)

    # -- steps

    def _marks(self) -> dict[str, StepMark]:
        found: dict[str, StepMark] = {}
        for cls in reversed(self._class.__mro__):
            for name, member in vars(cls).items():
                mark = mark_of(member)
                if mark is not None:
                    found[name] = mark
                elif name in found:
                    del found[name]  # a subclass has put something else in its place
        for name in found:
            if name == GATHERING or hasattr(Process, name):
                self._wrong(f"has a step {name!r}; that name is taken.")
        return found

    def _own_steps(
        self,
        marks: Mapping[str, StepMark],
        answers: type[BaseModel] | None,
        fields: Mapping[str, FieldDefinition],
    ) -> tuple[dict[str, StepDefinition], dict[str, type[BaseModel]]]:
        steps: dict[str, StepDefinition] = {}
        data: dict[str, type[BaseModel]] = {}
        gathers = {f.step: f.name for f in fields.values()}
        for name, mark in marks.items():
            function = getattr(self._class, name)
            if inspect.isasyncgenfunction(function) or inspect.isgeneratorfunction(function):
                self._wrong(f"has a step {name!r} that is a generator. It returns one outcome.")
            wanted = list(inspect.signature(function).parameters.values())[1:]
            hints = self._hints(function, name)
            if len(wanted) < 2:
                self._wrong(f"has a step {name!r} that does not take (self, said: Turn, data: …).")
            kind = hints.get(wanted[1].name)
            if not (isinstance(kind, type) and issubclass(kind, BaseModel)):
                self._wrong(
                    f"has a step {name!r} whose {wanted[1].name!r} is not annotated with a pydantic model."
                )
            if kind is not answers:
                data[name] = kind
            if mark.limit is not None and (
                not isinstance(mark.limit, timedelta) or mark.limit <= timedelta(0)
            ):
                self._wrong(f"has a step {name!r} with limit = {mark.limit!r}. It is a timedelta above zero.")
            if mark.contract is not None and mark.contract not in get_args(Contract):
                self._wrong(
                    f"has a step {name!r} with contract = {mark.contract!r}. "
                    f"Known: {', '.join(get_args(Contract))}."
                )
            self._check_options(name, mark.options)
            if mark.options and mark.asks is None:
                self._wrong(f'has a step {name!r} with options and no question. Write: @step(asks="…?").')
            extracts = self._extracted(name, mark)
            asking = tuple(f.step for f in extracts.fields.values()) if extracts is not None else ()
            steps[name] = StepDefinition(
                name=name,
                kind="own",
                contract=mark.contract or self._class.contract,
                takes_anything=mark.takes_anything or self._class.takes_anything,
                goes_to=(*mark.goes_to, *asking),
                options=mark.options,
                skippable=mark.skippable,
                field=gathers.get(name),
                asks=mark.asks,
                function=function,
                gives_answers=kind is answers,
                injected=self._needs(function, 2, name),
                limit=mark.limit,
                reads=mark.reads,
                on=mark.on,
                extracts=extracts,
                intent=mark.intent,
            )
        return steps, data

    def _extracted(self, step: str, mark: StepMark) -> Extracted | None:
        """What a step extracts: every field with a reader and, if it is asked for, with a question."""
        model = mark.extracts
        if model is None:
            return None
        if not (isinstance(model, type) and issubclass(model, BaseModel)) or model is BaseModel:
            self._wrong(f"has a step {step!r} that extracts {model!r}. It is a pydantic model.")
        if mark.reads:
            self._wrong(
                f"has a step {step!r} with both reads and extracts. Write all of it in {model.__name__}."
            )
        fields: dict[str, FieldDefinition] = {}
        try:
            schemas = _shown_schemas(model.model_json_schema())
        except PydanticUserError:
            schemas = {}
        for name, info in model.model_fields.items():
            asked = next((m for m in info.metadata if isinstance(m, Asked)), None)
            if asked is None and info.is_required():
                self._wrong(
                    f"has a step {step!r} that extracts {model.__name__}, whose {name!r} has neither a question nor "
                    f'a default. Write: {name}: … = ask("…?").'
                )
            if asked is None and reader_for(info.annotation) is None:
                continue  # it keeps its default
            label = name.replace("_", " ").capitalize()
            field = self._field(name, info, asked or Asked(question=f"{label}?"), schemas.get(name))
            fields[name] = replace(field, of=step, asked=asked is not None)
            self._check_options(field.step, field.reader.options)
        if not fields:
            self._wrong(
                f"has a step {step!r} that extracts {model.__name__}, which has no field that can be read."
            )
        self._check_names(fields)
        for field in fields.values():
            self._check_places(field.step, field.question, [f for f in fields if f != field.name])
        return Extracted(model=model, fields=fields)

    def _check_options(self, name: str, options: tuple[Option, ...]) -> None:
        labels = [normal(o.label) for o in options]
        twice = [o.label for o in options if labels.count(normal(o.label)) > 1]
        if twice or not all(labels):
            self._wrong(f"has the option {twice[0] if twice else ''!r} of step {name!r} twice or empty.")

    def _data(
        self,
        declared: type[BaseModel] | None,
        used: Mapping[str, type[BaseModel]],
        fields: Mapping[str, FieldDefinition],
    ) -> type[BaseModel] | None:
        kinds = {declared, *used.values()} - {None}
        if len(kinds) > 1:
            each = ", ".join(f"{step} takes {kind.__name__}" for step, kind in used.items())
            self._wrong(f"has steps with different data: {each}. All steps of a class share one model.")
        data = next(iter(kinds), None)
        if data is None:
            return None
        try:
            plain(self._who, data())
        except ValidationError:
            self._wrong(
                f"has {data.__name__}, which cannot be made without arguments. Give every field a default."
            )
        except StepFailed as error:
            self._wrong(f"has {data.__name__}, whose defaults cannot be kept as JSON: {error.message}")
        both = sorted(data.model_fields.keys() & fields.keys())
        if both:
            self._wrong(f"has {', '.join(both)} both in its Answers and in {data.__name__}.")
        return data

    def _steps(
        self, fields: Mapping[str, FieldDefinition], own: Mapping[str, StepDefinition]
    ) -> dict[str, StepDefinition]:
        cls = self._class
        steps: dict[str, StepDefinition] = {}
        for field in fields.values():
            mark = self._asked[field.name]
            self._check_options(field.step, field.reader.options)
            steps[field.step] = own.get(field.step) or StepDefinition(
                name=field.step,
                kind="gathering",
                contract=mark.contract or cls.contract,
                takes_anything=mark.takes_anything or cls.takes_anything,
                options=field.reader.options,
                skippable=field.skippable,
                field=field.name,
            )
        if fields and self._confirms:
            if (
                not _NAME.match(cls.confirm_step)
                or cls.confirm_step in steps
                or cls.confirm_step == GATHERING
            ):
                self._wrong(f"has confirm_step = {cls.confirm_step!r}, which is not usable as a step's name.")
            steps[cls.confirm_step] = own.get(cls.confirm_step) or StepDefinition(
                name=cls.confirm_step,
                kind="confirming",
                contract=cls.contract,
                takes_anything=cls.takes_anything,
            )
        steps.update({name: step for name, step in own.items() if name not in steps})
        for step in own.values():
            for field in step.extracts.fields.values() if step.extracts is not None else ():
                if field.step in steps:
                    self._wrong(f"has a step {field.step!r}, which is what the step {step.name!r} asks with.")
                steps[field.step] = StepDefinition(
                    name=field.step,
                    kind="completing",
                    contract=step.contract,
                    takes_anything=step.takes_anything,
                    goes_to=(step.name,),
                    options=field.reader.options,
                    skippable=field.skippable,
                    completes=(step.name, field.name),
                )
        if not steps:
            self._wrong("has nothing to do: give it Answers, or a step marked with @step.")
        return steps

    def _signals(self, steps: Mapping[str, StepDefinition]) -> dict[str, str]:
        found: dict[str, str] = {}
        for step in steps.values():
            for name in step.on:
                if not isinstance(name, str) or not _NAME.match(name):
                    self._wrong(
                        f"has a step {step.name!r} on signal {name!r}. Signals are named like steps: small letters, "
                        "digits and _."
                    )
                other = found.setdefault(name, step.name)
                if other != step.name:
                    self._wrong(f"has two steps on signal {name!r}: {other} and {step.name}. One takes it.")
        return found

    def _named_by_complete(self) -> tuple[Any, ...]:
        """The constants in the code of `complete`: it may name any step, and declares none."""
        code = getattr(self._class.complete, "__code__", None)
        return tuple(code.co_consts) if code is not None else ()

    def _leaves_by(self, steps: Mapping[str, StepDefinition]) -> str | None:
        named = self._class.leaves_by
        if named is None:
            return None
        if named not in steps or steps[named].kind != "own":
            own = ", ".join(name for name, step in steps.items() if step.kind == "own") or "none"
            self._wrong(f"says leaves_by = {named!r}, which is no step of its own. Those are: {own}.")
        return named

    # -- the graph

    def _check_asks(
        self,
        steps: Mapping[str, StepDefinition],
        data: type[BaseModel] | None,
        answers: type[BaseModel] | None,
    ) -> None:
        for step in steps.values():
            if step.asks is None:
                continue
            if not step.asks.strip():
                self._wrong(f"has a step {step.name!r} that asks nothing.")
            model = answers if step.gives_answers else data
            self._check_places(step.name, step.asks, list(model.model_fields) if model else [])

    def _check_places(self, step: str, text: str, known: list[str]) -> None:
        for place in places(text):
            if place not in known:
                self._wrong(
                    f"asks at step {step!r} with {{{place}}}, which its data does not have. "
                    f"It has: {', '.join(known) or 'nothing'}."
                )

    def _first(
        self,
        marks: Mapping[str, StepMark],
        steps: Mapping[str, StepDefinition],
        fields: Mapping[str, FieldDefinition],
    ) -> str:
        firsts = [name for name, mark in marks.items() if mark.first]
        if len(firsts) > 1:
            self._wrong(f"has more than one first step: {', '.join(firsts)}.")
        if firsts:
            return firsts[0]
        return next(iter(fields.values())).step if fields else next(iter(steps))

    # -- services

    def _completes(self, data: type[BaseModel] | None) -> Mapping[str, type]:
        """What `complete` wants besides the answers and the turn: the steps' data, and services."""
        if self._class.complete is Process.complete:
            return {}
        known = {**self.services, data: None} if data is not None else self.services
        return self._needs(self._class.complete, 2, "complete", known)

    def _hints(self, function: Any, what: str) -> dict[str, Any]:
        try:
            return type_hints(function, self._class)
        except NameError as error:
            self._wrong(f"has annotations at {what!r} that cannot be found: {error}.")

    def _needs(
        self, function: Any, given: int, what: str, known: Mapping[type, object] | None = None
    ) -> dict[str, type]:
        try:
            return needs(function, self._class, self.services if known is None else known, skip=given + 1)
        except DefinitionError as error:
            self._wrong(f"has {what}() with {error.message}")
        except NameError as error:
            self._wrong(f"has annotations at {what!r} that cannot be found: {error}.")

    def instance(self) -> Process:
        """What is made of the class with its services."""
        wanted: dict[str, Any] = {}
        if self._class.__init__ is not object.__init__:
            wanted = fill(self._needs(self._class.__init__, 0, "__init__"), self.services)
        try:
            made = call_now(f"{self._who}'s constructor", self._class, **wanted)
        except StepFailed as error:
            raise DefinitionError(error.message, process=self._class.name) from error
        if not isinstance(made, Process):
            self._wrong("does not make an instance of itself.")
        return made


class _Schema(GenerateJsonSchema):
    """A default that is no JSON is not in the schema; whether it fits is looked at elsewhere."""

    ignored_warning_kinds = {  # noqa: RUF012 - as pydantic declares it
        "skipped-choice",
        "non-serializable-default",
    }


def _own(read: Any) -> Any:
    """An author's reader: of the words, or of the words and the turn; quick and plain, or `async`."""
    try:
        takes_turn = len([p for p in inspect.signature(read).parameters.values() if p.kind in _BY_PLACE]) > 1
    except ValueError:  # a built-in that does not tell
        takes_turn = False

    async def awaited(message: str, reading: Reading) -> Any:
        return await (read(message, reading.turn) if takes_turn else read(message))

    def plainly(message: str, reading: Reading) -> Any:
        return read(message, reading.turn) if takes_turn else read(message)

    return awaited if inspect.iscoroutinefunction(read) else plainly


def _shown_schemas(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of each field of a model, whole in itself: an enumeration stands where it is named; with a model in it there is none."""
    named = schema.get("$defs", {})
    whole = {name: _whole(field, named) for name, field in schema.get("properties", {}).items()}
    return {name: field for name, field in whole.items() if "$ref" not in str(field)}


def _with_options(schema: Any, annotation: Any, options: Sequence[Option]) -> Any:
    """The schema of a list of which the items are those options, each once."""
    if not isinstance(schema, dict) or schema.get("type") != "array":
        ways = schema.get("anyOf") if isinstance(schema, dict) else None
        return (
            {**schema, "anyOf": [_with_options(one, annotation, options) for one in ways]} if ways else schema
        )
    items, values = schema.get("items", {}), [option.means for option in options]
    known = items.get("enum", [items["const"]] if "const" in items else None)
    if known is None:
        adapter = TypeAdapter(annotation)
        try:
            offered = adapter.dump_python(adapter.validate_python(values), mode="json")
        except ValueError:  # that an option is no such value is told by `softrail check`
            return schema
    else:
        offered = [one for value in values for one in known if str(one) == value]
    rest = {key: value for key, value in items.items() if key != "const"}
    return {**schema, "items": {**rest, "enum": offered}, "uniqueItems": True}


def _whole(schema: Any, named: Mapping[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_whole(one, named) for one in schema]
    if not isinstance(schema, dict):
        return schema
    other = named.get(str(schema.get("$ref")).rpartition("/")[2], {})
    if "enum" in other:
        return {**other, **{key: value for key, value in schema.items() if key != "$ref"}}
    return {key: _whole(value, named) for key, value in schema.items()}


#: What is called with the same things always.
_HOOKS = ("offer_when", "complete", "summary", "prefill", "slot", "kept", "drafted", "refresh")
_BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _annotate(annotation: Any, constraint: Any) -> Any:
    return Annotated[annotation, constraint]
