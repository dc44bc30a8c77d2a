"""Values that do not fit: defaults, constraints and options of answers, and conditions that never hold."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Annotated, Any

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.errors import PydanticUserError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from softrail.core.clock import now
from softrail.core.people import Person
from softrail.core.questions import Option
from softrail.core.turns import Turn
from softrail.language import choose, language
from softrail.processes.asking import Asked, StepMark, check_of
from softrail.processes.attributes import lacks, read_off
from softrail.processes.definition import Definition, FieldDefinition
from softrail.processes.mistakes.mistake import Mistake, at
from softrail.processes.process import Process
from softrail.processes.readers import Reading

Where = Callable[[], dict[str, Any]]  #: the file and line: looked for only where something is wrong


def strings(cls: type[Process], steps: Mapping[str, StepMark]) -> Iterator[Mistake]:
    """One string where several are meant: each of its letters would count."""
    marked: list[tuple[str, str, Any, type]] = [("step", name, mark, cls) for name, mark in steps.items()]
    marked += [("check", n, m, cls) for n in dir(cls) if (m := check_of(getattr(cls, n, None))) is not None]
    answers = getattr(cls, "Answers", None)
    if isinstance(answers, type) and issubclass(answers, BaseModel):
        for name, info in answers.model_fields.items():
            marked += [("answer", name, m, answers) for m in info.metadata if isinstance(m, Asked)]
    for kind, name, mark, owner in marked:
        for argument in mark.strings:
            yield Mistake(
                what=f"has the {kind} {name!r} with {argument} = one string, of which every letter would count. "
                f'Write: {argument}=("…",)',
                **at(owner, name),
            )


def mistakes(definition: Definition) -> Iterator[Mistake]:
    """Everything that does not fit in the models of a process."""
    cls = type(definition.process)
    for model in (definition.answers, definition.data):
        for name, info in model.model_fields.items() if model is not None else ():
            asked = any(isinstance(m, Asked) for m in info.metadata)
            here = partial(at, model or cls, name)
            yield from _default(name, info, model, asked, here)
            yield from _constraints(name, info, here)
    for step in definition.steps.values():
        owner, name = (
            (cls, step.name) if step.kind == "own" else (definition.answers or cls, step.field or "")
        )
        yield from _options(step.name, step.options, partial(at, owner, name))
    for field in definition.fields.values():
        yield from _offered(field, partial(at, definition.answers or cls, field.name))
    yield from _conditions(definition, cls)


# -- defaults


def _default(
    name: str, info: FieldInfo, model: type[BaseModel] | None, asked: bool, here: Where
) -> Iterator[Mistake]:
    given, how = _given(info)
    if how == "factory":
        yield Mistake(
            what=f"has a default_factory of {name!r} that is no function: {info.default_factory!r}.", **here()
        )
        return
    if given is PydanticUndefined or model is None or model.model_config.get("validate_default"):
        return
    wanted = getattr(info.annotation, "__name__", None) if isinstance(info.annotation, type) else None
    wanted = wanted or str(info.annotation).replace("typing.", "")
    question = isinstance(given, str) and given.rstrip().endswith("?") and not asked
    if not _is_of(info.annotation, given):
        cure = (
            f'Write: {name}: {wanted} = ask("…?")'
            if question
            else f"Write {name}: {wanted} | None, or give it one."
            if given is None
            else f"Write default_factory={getattr(given, '__name__', '…')}."
            if callable(given)
            else f"Give it a default that is one, or change its type to {type(given).__name__}."
        )
        yield Mistake(
            what=f"has {given!r} as the default of {name!r}, which is no {wanted}. {cure}", **here()
        )
    elif question:
        yield Mistake(
            what=f"has a question as the default of {name!r}, and asks nobody. Write: {name}: {wanted} = ask({given!r})",
            sure=False,
            **here(),
        )
    elif given is not None and not _is_of(_constrained(info), given):
        yield Mistake(
            what=f"has {given!r} as the default of {name!r}, which no person could answer: it breaks its own "
            "constraints. Change one of them.",
            sure=False,
            **here(),
        )


def _given(info: FieldInfo) -> tuple[Any, str]:
    """The default, and "factory" where what should make it cannot."""
    factory = info.default_factory
    if factory is None:
        return info.default, ""
    if not callable(factory):
        return PydanticUndefined, "factory"
    try:
        return factory(), ""  # type: ignore[call-arg] # one that wants the other values is left alone
    except Exception:
        return PydanticUndefined, ""


def _is_of(annotation: Any, value: Any) -> bool:
    """A value is of the type, as it stands: `complete` sees a default that nothing has converted."""
    try:
        adapter = TypeAdapter(annotation)
    except (PydanticUserError, TypeError, NameError):
        return True
    try:
        found = adapter.validate_python(value)
        return bool(found == value or value != value)
    except Exception:  # validators of the author's own run here
        return False


def _constrained(info: FieldInfo) -> Any:
    found: Any = info.annotation
    for constraint in info.metadata:
        if not isinstance(constraint, Asked):
            found = Annotated[found, constraint]
    return found


def _constraints(name: str, info: FieldInfo, here: Where) -> Iterator[Mistake]:
    found = {
        key: value
        for m in info.metadata
        for key in ("gt", "ge", "lt", "le", "min_length", "max_length")
        if (value := getattr(m, key, None)) is not None
    }
    for low in ("gt", "ge", "min_length"):
        for high in ("max_length",) if low == "min_length" else ("lt", "le"):
            if low not in found or high not in found:
                continue
            strict = low != "min_length" and "t" in (low[1], high[1])
            try:
                none = found[low] > found[high] or (strict and found[low] == found[high])
            except TypeError:
                continue
            if none:
                yield Mistake(
                    what=f"asks for {name!r} with {low}={found[low]!r} and {high}={found[high]!r}: no answer is "
                    "both. Change one of them.",
                    **here(),
                )


# -- options


def _options(step: str, options: tuple[Option, ...], here: Where) -> Iterator[Mistake]:
    words, values = language(), dict[str, str]()
    for option in options:
        chosen = choose(option.label, options, language=words)
        if chosen is not option:
            other = f"chooses {chosen.label!r}" if chosen is not None else "chooses nothing"
            yield Mistake(
                what=f"has the option {option.label!r} at step {step!r}, whose own words are read as another's: "
                f"saying it {other}. Call it something else.",
                **here(),
            )
        value = option.value if option.value is not None else option.label
        first = values.setdefault(value, option.label)
        if first != option.label:
            yield Mistake(
                what=f"has the options {first!r} and {option.label!r} at step {step!r} with the same value {value!r}. "
                "Give each its own, or make one of them `words` of the other.",
                sure=False,
                **here(),
            )


def _offered(field: FieldDefinition, here: Where) -> Iterator[Mistake]:
    """Options that are offered and then refused."""
    if field.reader.own:
        return
    least = (field.schema or {}).get("minItems", 0)
    if field.reader.chooses_several and least > len(field.reader.options):
        yield Mistake(
            what=f"asks for at least {least} of {len(field.reader.options)} options of {field.name!r}: no answer is so "
            "many. Change min_length.",
            **here(),
        )
    reading = Reading.of(_somebody())
    for option in field.reader.options:
        try:
            field.adapter.validate_python(field.reader.read(option.means, reading))
        except Exception as error:  # Unread, or whatever a validator of the author's own raises
            if field.reader.chooses_several and _is_how_many(error):
                continue  # one alone is not to be an answer
            yield Mistake(
                what=f"offers {option.label!r} for {field.name!r} and would refuse it: it is no value of that type "
                "and its constraints. Offer what fits.",
                **here(),
            )


def _is_how_many(error: Exception) -> bool:
    """Nothing is wrong with a list but how many items it has."""
    found = error.errors() if isinstance(error, ValidationError) else []
    return bool(found) and all(one["type"] in ("too_short", "too_long") for one in found)


def _somebody() -> Turn:
    person = Person(id="nobody", email="nobody@example.org")
    return Turn(id="none", session_id="none", seq=1, person=person, message="", at=now())


# -- conditions


def _conditions(definition: Definition, cls: type[Process]) -> Iterator[Mistake]:
    needs: dict[str, set[str]] = {}
    known = ", ".join(definition.fields)
    for name, field in definition.fields.items():
        read = {attribute for attribute, _ in read_off(field.when, 0)}
        here = partial(at, definition.answers or cls, name)
        for attribute in sorted(a for a in read if lacks(definition.answers, a)):
            yield Mistake(
                what=f"asks for {name!r} when {attribute!r} …, which is none of its answers: {known}.",
                **here(),
            )
        needs[name] = read & definition.fields.keys()
    for name in needs:
        circle = _circle(name, needs)
        if circle and name == min(circle):
            others = "itself" if circle == {name} else " and ".join(sorted(circle - {name}))
            yield Mistake(
                what=f"asks for {name!r} only when it knows {others}, and the other way round: it never asks. "
                "Let when= read what was asked before.",
                sure=False,
                **at(definition.answers or cls, name),
            )


def _circle(start: str, needs: Mapping[str, set[str]]) -> set[str]:
    """The answers that wait for each other, `start` among them."""

    def reached(name: str) -> set[str]:
        met, ahead = set[str](), [*needs.get(name, ())]
        while ahead:
            if (other := ahead.pop()) not in met:
                met.add(other)
                ahead += needs.get(other, ())
        return met

    ahead = reached(start)
    return {name for name in ahead if start in reached(name)} if start in ahead else set()
