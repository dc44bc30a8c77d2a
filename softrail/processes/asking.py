"""What an author writes to ask for an answer or to add a step of their own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from difflib import get_close_matches
from inspect import signature
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, Field

from softrail.core.questions import Option
from softrail.processes.asked_field import AskedField

Contract = Literal["exclusive", "questions_pass", "background"]

Read = Callable[..., Any]  #: of the words, or of the words and the turn; plain or async
When = Callable[[Any], bool]

_Step = TypeVar("_Step", bound=Callable[..., Any])

_MISSING: Any = ...


@dataclass(frozen=True, kw_only=True)
class Asked:
    """How a field of `Answers` is asked for; kept among the field's metadata."""

    question: str
    read: Read | None = None
    options: tuple[Option, ...] = ()
    names: tuple[str, ...] = ()
    label: str | None = None
    skip_words: tuple[str, ...] = ()
    when: When | None = None
    contract: Contract | None = None
    takes_anything: bool = False
    polish: bool = False
    shown: bool = True
    media: tuple[str, ...] = ()
    max_bytes: int | None = None
    strings: tuple[str, ...] = ()  #: arguments that are one string where several are meant


def ask(
    question: str,
    *,
    default: Any = _MISSING,
    default_factory: Callable[[], Any] | None = None,
    read: Read | None = None,
    options: Sequence[str | Option] = (),
    names: Sequence[str] = (),
    label: str | None = None,
    skip_words: Sequence[str] = (),
    when: When | None = None,
    contract: Contract | None = None,
    takes_anything: bool = False,
    polish: bool = False,
    shown: bool = True,
    media: Sequence[str] = (),
    max_bytes: int | None = None,
    **constraints: Any,
) -> Any:
    """A field of `Answers` that is asked for with `question`, the default text of `PROCESS/FIELD`.

    Args:
        question: What the person is asked. `{other_field}` stands for an answer given before.
        default: With a default the answer can be skipped.
        default_factory: Makes the default, like `default`.
        read: Turns the words into the value: `read(words)` or `read(words, turn)`, plain or `async`. A ValueError it
            raises is told to the person. Needed for types that no reader knows.
        options: The only answers there are; of a list, those of which several may be chosen.
        names: Other words people use for this answer, for corrections: "todays plan".
        label: What the summary and every sentence about it call it, a noun; omitted: the field's name.
        skip_words: Whole messages that mean "nothing to say here", besides "skip".
        when: Whether it is asked at all, from the answers so far: `lambda a: a.give_age`. It needs a default, which
            `complete` sees where it is not asked. An answer to which it turns false is dropped, and the person told.
        contract: Ownership while this is asked; omitted: the process's.
        takes_anything: Free text of any kind: patterns of off-topic talk do not apply.
        polish: A model may phrase the question; plain if that fails.
        shown: Read back and told in summaries; False for what nobody else should see over a shoulder.
        media: Of an `Attachment`: the kinds of files it takes, as media types: "application/pdf", "image/*". None: any.
        max_bytes: Of an `Attachment`: how large it may be; omitted: as large as may be uploaded.
        constraints: What `pydantic.Field` knows: `min_length`, `gt`, `pattern`, `description` …
    """
    for name in constraints.keys() - _CONSTRAINTS:
        raise TypeError(f"ask() has no argument {name!r}. {_instead(name)}")
    if default_factory is not None:
        constraints["default_factory"] = default_factory
    elif default is not _MISSING:
        constraints["default"] = default
    field = AskedField(**constraints)
    field.metadata.append(
        Asked(
            question=question,
            read=read,
            options=as_options(options),
            names=tuple(names),
            label=label,
            skip_words=tuple(skip_words),
            strings=_strings(options=options, names=names, skip_words=skip_words, media=media),
            when=when,
            contract=contract,
            takes_anything=takes_anything,
            polish=polish,
            shown=shown,
            media=tuple(media),
            max_bytes=max_bytes,
        )
    )
    return field


def _strings(**given: Any) -> tuple[str, ...]:
    """Those of the arguments that are a string: its letters would be taken for the words that are meant."""
    return tuple(name for name, value in given.items() if isinstance(value, str))


_ASKS = frozenset(signature(ask).parameters) - {"question", "constraints"}
_CONSTRAINTS = frozenset(signature(Field).parameters) - {"extra", "annotation"}
_GONE = {"then": "Judge the answer with @check, which may go to a step: @check(NAME, goes_to=(STEP,))."}


def _instead(name: str) -> str:
    close = get_close_matches(name, [*_ASKS, *_CONSTRAINTS], n=1)
    return _GONE.get(name) or (
        f"Did you mean {close[0]}=?" if close else f"It has: {', '.join(sorted(_ASKS))}."
    )


@dataclass(frozen=True)
class Wrong:
    """What a `@check` says of an answer that cannot stand: it is forgotten, `why` is said, and it is asked again."""

    field: str
    why: str


@dataclass(frozen=True, kw_only=True)
class CheckMark:
    """What `@check` says about a method."""

    fields: tuple[str, ...]
    goes_to: tuple[str, ...]
    strings: tuple[str, ...] = ()  #: arguments that are one string where several are meant


def check(*fields: str, goes_to: Sequence[str] = ()) -> Callable[[_Step], _Step]:
    """Makes a method `async (self, answers: Answers, turn: Turn, …services) -> Wrong | Goto | None` a guard of its process.

    It runs when all the answers it names are known and one of them has changed, however that came about, before
    the summary, and again before `complete`, which never sees answers that a check refuses.

    Args:
        fields: The answers it judges; none: all of them.
        goes_to: The steps that its outcomes may name.
    """
    for field in fields:
        if callable(field):
            name = getattr(field, "__qualname__", repr(field))
            raise TypeError(
                f"@check above {name} is called: write @check() for all answers, or @check('FIELD')."
            )
    mark = CheckMark(fields=fields, goes_to=tuple(goes_to), strings=_strings(goes_to=goes_to))

    def marked(function: _Step) -> _Step:
        function.__dict__["softrail_check"] = mark
        return function

    return marked


def check_of(function: object) -> CheckMark | None:
    """What `@check` said about this function; None when it is no check."""
    mark = getattr(function, "softrail_check", None)
    return mark if isinstance(mark, CheckMark) else None


class NotAnswered(AttributeError):
    """An answer was read that the person has not given yet."""


class NotUsable(ValueError):
    """An answer that a model validator does not accept, with the field the person is sent back to."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field = field


@dataclass(frozen=True, kw_only=True)
class StepMark:
    """What `@step` says about a method."""

    asks: str | None
    goes_to: tuple[str, ...]
    options: tuple[Option, ...]
    contract: Contract | None
    takes_anything: bool
    limit: timedelta | None
    first: bool
    reads: Mapping[str, str]
    skippable: bool
    extracts: type[BaseModel] | None
    on: tuple[str, ...] = ()
    strings: tuple[str, ...] = ()  #: arguments that are one string where several are meant
    intent: tuple[str, ...] = ()


def step(
    *,
    asks: str | None = None,
    goes_to: Sequence[str] = (),
    options: Sequence[str | Option] = (),
    contract: Contract | None = None,
    takes_anything: bool = False,
    limit: timedelta | None = None,
    first: bool = False,
    reads: Mapping[str, str] | None = None,
    on: str | Sequence[str] = (),
    extracts: type[BaseModel] | None = None,
    skippable: bool = False,
    intent: str | Sequence[str] = (),
) -> Callable[[_Step], _Step]:
    """Makes a method `(self, said: Turn, data: Data) -> Outcome` a step of its process.

    Args:
        asks: Asked on entry; the method then receives the answer. The default text of `PROCESS/STEP`, its
            `{places}` filled from the data. Without it the method runs on entry, with the turn that led here.
        goes_to: The steps that its outcomes may name. `gathering` is the next missing answer.
        options: The options of `asks`; the value of the chosen one is `said.choice`. What is none of them is asked
            again without running the step, unless it `takes_anything`.
        contract: Ownership while this step waits; omitted: the process's.
        takes_anything: Free text of any kind: patterns of off-topic talk do not apply.
        limit: How long it may run; omitted: the limit for all steps.
        first: The process begins here; omitted: at the first answer, else at the first step written.
        reads: What to look for in the answer, by name, each in a few words: {"name": "the name of the project"}.
            What is found is in `said.values`.
        on: The signals that run it, whatever the process waits for: `said.signal` says what happened. With
            `Release` everything stays as it was.
        extracts: The model that `await said.extract(…)` fills from the message. Its fields with `ask` are asked for
            when they are missing, in steps called `STEP_FIELD`; those with a default alone are only looked for.
        skippable: Its question may be left out ("skip", "no idea"): the method then runs, and `said.skipped` is true.
            Otherwise the person is told that it cannot, and asked again.
        intent: The intents of the process's own that run it, whatever it waits for: `said.intent` says which. With
            `Release(say=…)` everything stays as it was; without words the turn is answered the normal way.
    """
    mark = StepMark(
        asks=asks,
        goes_to=tuple(goes_to),
        options=as_options(options),
        contract=contract,
        takes_anything=takes_anything,
        limit=limit,
        first=first,
        reads=dict(reads or {}),
        on=(on,) if isinstance(on, str) else tuple(on),
        extracts=extracts,
        strings=_strings(goes_to=goes_to, options=options),
        skippable=skippable,
        intent=(intent,) if isinstance(intent, str) else tuple(intent),
    )

    def marked(function: _Step) -> _Step:
        function.__dict__["softrail_step"] = mark
        return function

    return marked


def mark_of(function: object) -> StepMark | None:
    """What `@step` said about this function; None when it is no step."""
    mark = getattr(function, "softrail_step", None)
    return mark if isinstance(mark, StepMark) else None


def as_options(given: Sequence[str | Option] | Mapping[str, str]) -> tuple[Option, ...]:
    """Options as values: a plain string is a label."""
    return tuple(o if isinstance(o, Option) else Option(label=o) for o in given)
