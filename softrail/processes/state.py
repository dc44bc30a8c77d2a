"""The state of an instance: JSON with a schema version, read anew for every turn."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache, lru_cache
from typing import Any, Literal, NoReturn, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import from_json, to_json, to_jsonable_python
from pydantic_core.core_schema import ErrorType

from softrail.core.calling import call_now
from softrail.core.errors import StepFailed
from softrail.core.questions import Option
from softrail.processes.asking import NotAnswered, NotUsable
from softrail.processes.definition import Definition, FieldDefinition
from softrail.processes.readers import Reading
from softrail.processes.trail import dumped

SCHEMA = 1
LARGEST = 256 * 1024  #: bytes of a stored state
SMALL = 16 * 1024  #: characters of one that is remembered for a while


class Capture(BaseModel):
    """When and from which turn an answer came."""

    at: datetime
    seq: int
    turn_id: str
    skipped: bool = False


class Changed(BaseModel):
    """The answers that one message has changed, as they were before it."""

    seq: int  #: of its turn
    answers: dict[str, Any] = Field(default_factory=dict)  #: of those that were there
    captured: dict[str, Capture | None] = Field(default_factory=dict)  #: of each; None: it was not given


_CAPTURED = TypeAdapter(dict[str, Capture])


class State(BaseModel):
    """What is kept of one run: JSON values only, never the objects that plugins were handed."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    schema_: Literal[1] = Field(default=1, alias="schema")
    answers: dict[str, Any] = Field(default_factory=dict)
    captured: dict[str, Capture] = Field(default_factory=dict)
    data: dict[str, Any] = Field(default_factory=dict)
    changed: Changed | None = None  #: by the last message that changed any
    passed: dict[str, str] = Field(default_factory=dict)  #: by check: which answers it let pass
    extracted: dict[str, "State"] = Field(default_factory=dict)  #: by step: what it has of what it extracts
    trail: list[dict[str, Any]] = Field(
        default_factory=list
    )  #: the questions asked so far, where some are of own steps: a `Stop` is a view of each
    begun: dict[str, str] = Field(
        default_factory=dict
    )  #: by answer: what is told of one that is not all there
    overheard: dict[str, list[Option]] = Field(
        default_factory=dict
    )  #: by answer that is still to be asked for: what may have been told of it
    returns: dict[str, Any] | None = None  #: the question of an own step that waits for a change of an answer


def texts_in(state: State) -> list[str]:
    """Every text that is kept of a run: what the person said, and what was made of it."""
    found: list[str] = []
    left: list[Any] = [
        state.answers,
        state.data,
        state.begun,
        {name: [one.means for one in put] for name, put in state.overheard.items()},
        state.changed.answers if state.changed is not None else None,
    ]
    while left:
        one = left.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, dict):
            left += one.values()
        elif isinstance(one, list):
            left += one
    return found


class Fault(BaseModel):
    """Why an answer cannot be used: the name of a sentence and what fills its places."""

    field: str | None
    sentence: str
    values: dict[str, str] = Field(default_factory=dict)
    together: bool = False  #: only beside the other answers: a model validator says so


def raw(text: str) -> Mapping[str, Any]:
    """The state stored as `text`, as JSON values that nobody may change. Raises ValueError for what is no JSON.

    One turn and the next look at the same text several times, for what has changed and for how far it is.
    """
    return _recent(text).values if len(text) <= SMALL else from_json(text, allow_inf_nan=False)


class _Known:
    """A state that was looked at a short while ago: its JSON values, and the models that could read its data."""

    def __init__(self, text: str) -> None:
        self.values: Mapping[str, Any] = from_json(text, allow_inf_nan=False)
        self.read_by = set[type[BaseModel]]()


_recent = lru_cache(maxsize=256)(_Known)


def _readable(definition: Definition, text: str) -> None:
    """Raise ValidationError where the data of the state stored as `text` cannot be read as the definition's own model.

    What the turn before has written it has read again: the next one need not.
    """
    data = definition.data
    known = _recent(text).read_by if len(text) <= SMALL else set()
    if data is not None and data not in known:
        data.model_validate_json(to_json(raw(text).get("data", {})), by_alias=False, by_name=True)
        known.add(data)


def not_asked_for(definition: Definition, text: str) -> tuple[str, ...]:
    """The answers in a stored state for which the definition has no question, by the name they had."""
    try:
        kept = raw(text)
        names = {*kept.get("answers", {}), *kept.get("captured", {})}
    except (ValueError, AttributeError, TypeError):
        return ()  # it cannot be read at all, which is told where it is loaded
    return tuple(sorted(names - definition.fields.keys()))


def changed_in(text: str) -> int | None:
    """The turn whose message was the last to change answers of the state stored as `text`; None where nothing is known of it."""
    try:
        seq = (raw(text).get("changed") or {}).get("seq")
    except (ValueError, AttributeError, TypeError):
        return None  # it cannot be read at all, which is told where it is loaded
    return seq if isinstance(seq, int) else None


def load(definition: Definition, text: str) -> State:
    """The state stored as `text`; raises StepFailed(kind="unreadable") when this definition cannot read it."""
    where = f"The state of process {definition.name!r} v{definition.version}"
    if text in ("", "{}"):
        return State()
    try:
        state = State.model_validate(raw(text))
    except ValueError as error:
        raise StepFailed(f"{where} cannot be read: {why_not(error)}", kind="unreadable") from error
    unknown = (state.answers.keys() | state.captured.keys()) - definition.fields.keys()
    if unknown:
        names = ", ".join(sorted(unknown))
        raise StepFailed(f"{where} has answers it does not ask for: {names}.", kind="unreadable")
    invalid = {
        str(f.field) for f in faults(definition, state.answers) if f.field in state.answers and not f.together
    }
    if invalid:
        names = ", ".join(sorted(invalid))
        raise StepFailed(f"{where} has answers that are no longer valid: {names}.", kind="unreadable")
    try:
        _readable(definition, text)
    except ValidationError as error:
        raise StepFailed(
            f"{where} has data that is no longer valid: {faulty(error)}", kind="unreadable"
        ) from error
    if state.extracted:
        state.extracted = {
            name: kept for name, kept in state.extracted.items() if _usable(definition, name, kept)
        }
    return state


def _usable(definition: Definition, step: str, kept: State) -> bool:
    """What a step has extracted so far is still what it extracts; if not, it is asked for again."""
    found = definition.steps.get(step)
    if found is None or found.extracts is None or kept.answers.keys() - found.extracts.fields.keys():
        return False
    wrong = faults(definition.extracting(step), kept.answers)
    return not any(fault.field in kept.answers and not fault.together for fault in wrong)


def faulty(error: ValidationError) -> str:
    """What is wrong and where, without the values: they are what people said."""
    found = error.errors(include_url=False, include_input=False, include_context=False)
    return "; ".join(f"{'.'.join(map(str, one['loc'])) or 'all of it'}: {one['msg']}" for one in found)[:500]


def why_not(error: ValueError) -> str:
    """Why something cannot be read, without the values."""
    return faulty(error) if isinstance(error, ValidationError) else str(error)


def dump(definition: Definition, state: State) -> str:
    """The state as it is stored; raises StepFailed when it cannot be kept as JSON."""
    where = f"The new state of process {definition.name!r}"
    text = as_json(where, _body(state))
    if state.trail and (stops := dumped(state.trail, room=LARGEST - len(text.encode()) - 100)):
        text = f'{text[:-1]},"trail":{stops}}}'
    if len(text.encode()) > LARGEST:
        _refuse(where, f"is larger than {LARGEST // 1024} KiB")
    try:
        raw(text)  # the frame is ours; what was put into it may be too deep, or a number too long
        _readable(definition, text)
    except ValueError as error:
        raise StepFailed(
            f"{where} could not be read again: {why_not(error)}", kind="not_an_outcome"
        ) from error
    return text


def _body(state: State) -> dict[str, Any]:
    body: dict[str, Any] = {
        "schema": SCHEMA,
        "answers": state.answers,
        "captured": _CAPTURED.dump_python(state.captured, mode="json", exclude_defaults=True)
        if state.captured
        else {},
        "data": state.data,
    }
    if state.changed is not None:
        body["changed"] = state.changed.model_dump(mode="json", exclude_defaults=True)
    if state.begun:
        body["begun"] = state.begun
    if state.overheard:
        body["overheard"] = {
            name: [one.model_dump(mode="json", exclude_defaults=True) for one in put]
            for name, put in state.overheard.items()
        }
    if state.passed:
        body["passed"] = state.passed
    if extracted := {name: _body(kept) for name, kept in state.extracted.items() if kept.captured}:
        body["extracted"] = extracted
    if state.returns is not None:
        body["returns"] = state.returns
    return body


def as_json(where: str, value: Any) -> str:
    """JSON text of plain values; raises StepFailed for what JSON or UTF-8 cannot hold (circles, half characters …)."""
    try:
        return to_json(value).decode()
    except (ValueError, TypeError, RecursionError, MemoryError) as error:
        raise StepFailed(f"{where} cannot be kept as JSON: {error}", kind="not_an_outcome") from error


def _copied(where: str, value: Any) -> Any:
    """JSON values of their own; raises StepFailed for what does not come back as it was written (NaN, too deep …)."""
    try:
        return from_json(to_json(value), allow_inf_nan=False)
    except (ValueError, TypeError, RecursionError, MemoryError) as error:
        raise StepFailed(f"{where} cannot be kept as JSON: {error}", kind="not_an_outcome") from error


def plain(where: str, value: BaseModel | Mapping[str, Any]) -> dict[str, Any]:
    """A model or mapping as JSON values of its own, sharing nothing with what a plugin may still hold."""
    found = _copied(where, _dumped(where, value))
    if not isinstance(found, dict):
        _refuse(where, f"is a {type(found).__name__}, not a mapping")
    return found


def values_of(where: str, data: BaseModel) -> dict[str, Any]:
    """The same of data that goes into a state: whether it comes back as it was is seen when that is written."""
    found = _dumped(where, data)
    if not isinstance(found, dict):
        _refuse(where, f"is a {type(found).__name__}, not a mapping")
    return found


def _dumped(where: str, value: BaseModel | Mapping[str, Any]) -> Any:
    try:
        if isinstance(value, BaseModel):
            return value.model_dump(mode="json", warnings=False)
        return to_jsonable_python(dict(value), inf_nan_mode="constants")
    except BaseException as error:  # a plugin's own serializers run here
        raise StepFailed(f"{where} cannot be kept as JSON: {error}", kind="not_an_outcome") from error


def json_of(field: FieldDefinition, value: Any) -> Any:
    """One answer as a JSON value of its own; of several options each once."""
    where = f"The answer {field.name!r}"
    try:
        dumped = field.adapter.dump_python(value, mode="json", warnings=False)
    except BaseException as error:
        raise StepFailed(f"{where} cannot be kept as JSON: {error}", kind="not_an_outcome") from error
    kept = _copied(where, dumped)
    if field.reader.chooses_several and isinstance(kept, list):
        return [one for at, one in enumerate(kept) if one not in kept[:at]]
    return kept


def fitting(
    definition: Definition, values: Mapping[str, Any], reading: Reading, *, beside: Mapping[str, Any]
) -> dict[str, Any]:
    """Of answers that code gives, those that a person could have given, as JSON values; `beside` are there already."""
    found: dict[str, Any] = {}
    for name, field in definition.fields.items():
        if name not in values:
            continue
        try:
            kept = json_of(field, field.adapter.validate_python(values[name]))
        except (StepFailed, ValueError, TypeError):  # a ValidationError is a ValueError
            continue
        if kept is not None and not offered(field, kept, reading):
            continue
        if fault_of(definition, {**beside, **found, name: kept}, name) is None:
            found[name] = kept
    return found


def offered(field: FieldDefinition, kept: Any, reading: Reading) -> bool:
    """Whether a value is one of the options, where there are any and the reader is not an author's."""
    reader = field.reader
    if not reader.options or reader.own:
        return True
    each = [json_of(field, reader.read(option.means, reading)) for option in reader.options]
    if reader.chooses_several:
        return isinstance(kept, list) and all([one] in each for one in kept)
    return kept in each


def fault_of(definition: Definition, answers: Mapping[str, Any], name: str) -> Fault | None:
    """Why one of the answers cannot be used by itself; None where it can."""
    return next((f for f in faults(definition, answers) if f.field == name and not f.together), None)


def data_of(definition: Definition, state: State) -> Any:
    """The data of a run as its own model, new for every caller."""
    if definition.data is None:
        return None
    return definition.data.model_validate_json(to_json(state.data), by_alias=False, by_name=True)


def answers_of(definition: Definition, state: State) -> Any:
    """The answers as their own model; raises ValidationError while they are incomplete or wrong."""
    if definition.answers is None:
        return None
    return definition.answers.model_validate_json(to_json(state.answers), by_alias=False, by_name=True)


def answers_so_far(definition: Definition, state: State, *, defaults: bool = True) -> Any:
    """The answers as their own model: one that is not given yet has its default, or says so when it is read.

    Without `defaults` each that is neither given nor skipped says so.
    """
    if definition.answers is None:
        return None
    values = {
        name: definition.fields[name].adapter.validate_json(to_json(value))
        for name, value in state.answers.items()
    }
    found = _so_far(definition.answers).model_construct(set(values), **values)
    if not defaults:
        for name in definition.fields.keys() - state.captured.keys():
            found.__dict__.pop(name, None)
    return found


def applies(definition: Definition, state: State, asked: FieldDefinition) -> bool:
    """Whether an answer is asked for at all, as the others stand; what it depends on comes first."""
    if asked.when is None:
        return True
    where = f"The when= of {asked.name!r} of process {definition.name!r}"
    try:
        return bool(call_now(where, asked.when, answers_so_far(definition, state, defaults=False)))
    except StepFailed as error:
        if isinstance(error.__cause__, NotAnswered):
            return False
        raise


@cache
def _so_far(answers: type[BaseModel]) -> type[BaseModel]:
    """The model, but for answers that are not there: reading one raises NotAnswered, with its name."""

    class SoFar(answers):  # type: ignore[valid-type,misc] # a class of the plugin's
        def __getattr__(self, name: str) -> Any:
            if name in answers.model_fields:
                raise NotAnswered(
                    f'{name!r} has not been answered yet. Ask for it first (Goto("gathering") asks for the next '
                    f"missing answer), give it a default, or look with hasattr(answers, {name!r})"
                )
            return super().__getattr__(name)

    SoFar.__name__, SoFar.__qualname__ = answers.__name__, answers.__qualname__
    return SoFar


def faults(definition: Definition, answers: Mapping[str, Any]) -> list[Fault]:
    """What is wrong with the answers, in words; answers that are not there count as missing."""
    if definition.answers is None:
        return []
    try:
        definition.answers.model_validate_json(to_json(answers), by_alias=False, by_name=True)
    except ValidationError as error:
        return [_fault(definition, dict(e)) for e in error.errors(include_url=False, include_input=False)]
    except BaseException as error:  # a plugin's own validators run here
        raise StepFailed(
            f"A validator of process {definition.name!r} raised {type(error).__name__}: {error}"
        ) from error
    return []


#: Errors of pydantic for which there is a sentence, by their own name.
_TOLD = frozenset(
    (
        "string_too_short",
        "string_too_long",
        "too_short",
        "too_long",
        "string_pattern_mismatch",
        "greater_than",
        "greater_than_equal",
        "less_than",
        "less_than_equal",
        "multiple_of",
        "date_past",
        "date_future",
        "missing",
    )
)


def _fault(definition: Definition, error: dict[str, Any]) -> Fault:
    loc, context = error["loc"], error.get("ctx") or {}
    cause = context.get("error")
    field = str(loc[0]) if loc else _named(definition, cause, str(cause or error["msg"]))
    together = not loc
    if isinstance(cause, ValueError | AssertionError) and str(cause):
        values, sentence = {"reason": _sentence(str(cause))}, "reason"
    elif error["type"] in _TOLD:
        values, sentence = {k: str(v) for k, v in context.items()}, error["type"]
    elif error["type"] not in _PYDANTICS_OWN and error["msg"]:
        values, sentence = {"reason": _sentence(error["msg"])}, "reason"
    else:
        values, sentence = {}, "not_usable"
    return Fault(field=field, sentence=sentence, values=values, together=together)


#: Their messages speak of types and schemas; people are told something plainer.
_PYDANTICS_OWN = frozenset(get_args(ErrorType))


def _named(definition: Definition, cause: object, message: str) -> str | None:
    """The field that a model validator means: by NotUsable, else the first one its message names."""
    if isinstance(cause, NotUsable) and cause.field in definition.fields:
        return cause.field
    said = f" {''.join(c if c.isalnum() or c == '_' else ' ' for c in message.lower())} "
    places = {
        name: min(at for n in (name, field.label.lower()) if (at := said.find(f" {n} ")) >= 0)
        for name, field in definition.fields.items()
        if any(f" {n} " in said for n in (name, field.label.lower()))
    }
    return min(places, key=lambda name: places[name]) if places else None


def _sentence(reason: str) -> str:
    reason = reason.strip()[:500]
    reason = reason[:1].upper() + reason[1:]
    return reason if reason[-1:] in ".!?…" else f"{reason}."


def _refuse(where: str, why: str) -> NoReturn:
    raise StepFailed(f"{where} {why}.", kind="not_an_outcome")
