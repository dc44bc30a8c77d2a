"""What a step returned, checked before anything of it is used."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from pydantic import BaseModel

from softrail.core.effects import AnyEffect, Effect, Forget, Record
from softrail.core.errors import BadRequest, StepFailed
from softrail.core.outcomes import Ask, Assign, Call, Decline, Done, Goto, Outcome, Release, Reroute, Wait
from softrail.core.people import clean_email
from softrail.core.questions import Option
from softrail.core.signals import LARGEST_DATA
from softrail.processes.asking import as_options
from softrail.processes.state import as_json, plain

_KINDS = (Ask, Goto, Wait, Call, Assign, Done, Decline, Release)
_QUESTIONS = ("ask", "confirm", "approve", "clarify")
_LATEST = timedelta(days=3650)
_LONGEST = 256 * 1024  #: characters of one text


def checked(where: str, returned: Any) -> Outcome:
    """The outcome with its effects as values of their own; raises StepFailed for anything else."""
    if type(returned) not in _KINDS:
        known = ", ".join(kind.__name__ for kind in _KINDS)
        raise _no(where, f"returned {_shown(returned)}. A step returns one of: {known}.")
    outcome: Outcome = returned
    text = getattr(outcome, "text", None) if isinstance(outcome, Ask | Done | Decline) else ""
    say = outcome.say if isinstance(outcome, Ask | Goto | Release | Wait | Call | Assign) else ""
    parts = say if isinstance(say, list | tuple) and not isinstance(outcome, Release) else (say,)
    for words in (text, *parts):
        check_text(where, words)
    if len(parts) > 1:
        check_text(where, "\n\n".join(parts))
    if isinstance(say, list):  # nobody changes it any more
        outcome = replace(outcome, say=tuple(say))  # type: ignore[call-arg] # those that say something
    match outcome:
        case Ask():
            _check_ask(where, outcome)
        case Goto():
            _check_goto(where, outcome)
        case Wait():
            if outcome.step is not None and not isinstance(outcome.step, str):
                raise _no(where, f"waits at {_shown(outcome.step)}, which is not the name of a step.")
            _check_until(where, outcome.until)
        case Call():
            outcome = _checked_call(where, outcome)
        case Assign():
            outcome = _checked_assign(where, outcome)
        case Done():
            outcome = _checked_end(where, outcome)
    if isinstance(outcome, Ask | Done) and outcome.payload is not None:
        given = plain(f"{where}: its payload", {"payload": outcome.payload})
        outcome = replace(outcome, payload=given["payload"])
    if outcome.effects == ():
        return outcome
    return replace(outcome, effects=_effects(where, outcome.effects))


def options_of(where: str, given: Sequence[str | Option]) -> tuple[Option, ...]:
    """The options of an Ask as values."""
    if given == ():
        return ()
    if isinstance(given, str) or not all(isinstance(o, str | Option) for o in given):
        raise _no(where, "asked with options that are neither texts nor Options.")
    return as_options(given)


def _check_ask(where: str, outcome: Ask) -> None:
    if not outcome.text.strip():
        raise _no(where, "asked without any words.")
    if outcome.step is not None and not isinstance(outcome.step, str):
        raise _no(where, f"asks for {_shown(outcome.step)}, which is not the name of a step.")
    if outcome.kind not in _QUESTIONS:
        raise _no(where, f"asked with kind {outcome.kind!r}. Known: {', '.join(_QUESTIONS)}.")
    after = outcome.default_after
    if after is not None and (not isinstance(after, timedelta) or not timedelta(0) < after <= _LATEST):
        raise _no(where, f"asked with a default_after that is no timedelta up to {_LATEST.days} days.")
    for option in options_of(where, outcome.options):
        check_text(where, option.label)


def _check_goto(where: str, outcome: Goto) -> None:
    if not isinstance(outcome.step, str):
        raise _no(where, f"goes to {_shown(outcome.step)}, which is not the name of a step.")
    if outcome.forget == ():
        return
    if isinstance(outcome.forget, str) or not all(isinstance(name, str) for name in outcome.forget):
        raise _no(where, "forgets what is no list of names of answers.")


def _checked_end(where: str, outcome: Done) -> Done:
    if isinstance(outcome.suggested_actions, str):
        raise _no(where, "suggested one text as actions. They are a list of texts.")
    for action in outcome.suggested_actions:
        check_text(where, action)
    if not isinstance(outcome.project_id, str | None):
        raise _no(where, f"ended with {_shown(outcome.project_id)} as the id of a project.")
    if not isinstance(outcome.reroute, Sequence):
        raise _no(where, f"ended with {_shown(outcome.reroute)} to reroute. It takes a list of Reroutes.")
    for again in outcome.reroute:
        if not isinstance(again, Reroute):
            raise _no(where, "ended with a reroute that is no Reroute.")
        plain(f"{where}: the parameters of its reroute", again.parameters)
    if outcome.value is None:
        return outcome
    return replace(outcome, value=plain(f"{where}: its value", {"value": outcome.value})["value"])


def _check_until(where: str, until: Any) -> None:
    if until is None:
        return
    if isinstance(until, datetime):
        if until.tzinfo is None:
            raise _no(
                where, "waits until a time without a zone. Take softrail.now() or turn.at and add to it."
            )
    elif not isinstance(until, timedelta) or not timedelta(0) < until <= _LATEST:
        raise _no(
            where, f"waits until {_shown(until)}. It is a time, or a timedelta up to {_LATEST.days} days."
        )


def _checked_call(where: str, outcome: Call) -> Call:
    for name in (outcome.process, outcome.then):
        if not isinstance(name, str):
            raise _no(where, f"calls with {_shown(name)}: Call(PROCESS, then=STEP) takes two names.")
    if not isinstance(outcome.prefill, Mapping):
        raise _no(
            where, f"calls {outcome.process!r} with {_shown(outcome.prefill)} as prefill. It is a dict."
        )
    return replace(outcome, prefill=dict(outcome.prefill))


def _checked_assign(where: str, outcome: Assign) -> Assign:
    for name in (outcome.process, outcome.then):
        if not isinstance(name, str):
            raise _no(where, f"assigns {_shown(name)}: Assign(PROCESS, to=EMAIL, then=STEP) takes names.")
    if not isinstance(outcome.prefill, Mapping):
        raise _no(
            where, f"assigns {outcome.process!r} with {_shown(outcome.prefill)} as prefill. It is a dict."
        )
    _check_until(where, outcome.until)
    prefill = plain(f"{where}: the prefill of {outcome.process!r}", dict(outcome.prefill))
    size = len(as_json(f"{where}: the prefill of {outcome.process!r}", prefill))
    if size > LARGEST_DATA:
        raise _no(where, f"assigns {outcome.process!r} with {size} bytes; at most {LARGEST_DATA} are sent.")
    substitute = None if outcome.substitute is None else _address(where, "substitute", outcome.substitute)
    return replace(outcome, to=_address(where, "to", outcome.to), prefill=prefill, substitute=substitute)


def _address(where: str, name: str, email: Any) -> str:
    try:
        return clean_email(email)
    except (BadRequest, AttributeError) as error:
        raise _no(
            where, f"assigns with {name}={email!r:.60}, which is no e-mail address like ada@example.org."
        ) from error


def check_text(where: str, words: Any) -> None:
    """Raises StepFailed for what cannot be said."""
    if not isinstance(words, str):
        raise _no(where, f"said {_shown(words)}, which is not text.")
    if len(words) > _LONGEST:
        raise _no(where, f"said {len(words)} characters; at most {_LONGEST} can be sent.")
    if not words.isascii():  # UTF-8 has no halves of characters
        as_json(f"{where}: what it said", words)


def _effects(where: str, effects: Any) -> tuple[AnyEffect, ...]:
    if not isinstance(effects, list | tuple):
        raise _no(where, f"gave {_shown(effects)} as effects. They are a list of Record, Forget and Effect.")
    return tuple(_effect(where, effect) for effect in effects)


def _effect(where: str, effect: Any) -> AnyEffect:
    if isinstance(effect, Record):
        check_text(where, effect.kind)
        check_text(where, effect.summary)
        if not isinstance(effect.data, BaseModel | dict):
            raise _no(where, f"records {_shown(effect.data)}. Data is a pydantic model or a dict.")
        return replace(effect, data=plain(f"{where}: record {effect.kind!r}", effect.data))
    if isinstance(effect, Forget):
        for text in (effect.kind, effect.key, effect.summary):
            check_text(where, text)
        return effect
    if isinstance(effect, Effect):
        check_text(where, effect.kind)
        check_text(where, effect.summary)
        if not isinstance(effect.payload, dict):
            raise _no(where, f"has an effect with payload {_shown(effect.payload)}. It is a dict.")
        return replace(effect, payload=plain(f"{where}: effect {effect.kind!r}", effect.payload))
    raise _no(where, f"gave {_shown(effect)} as an effect.")


def _shown(value: Any) -> str:
    return f"a {type(value).__name__}" if value is not None else "None"


def _no(where: str, what: str) -> StepFailed:
    return StepFailed(f"{where} {what}", kind="not_an_outcome", where=where)
