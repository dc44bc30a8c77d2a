"""What the methods of a process do that cannot work: read from their source, which is never run."""

import ast
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel

from softrail.core.outcomes import Ask, Assign, Call, Goto, Wait
from softrail.processes.asking import Wrong
from softrail.processes.attributes import lacks, read_off
from softrail.processes.definition import GATHERING, CheckDefinition, Definition, StepDefinition
from softrail.processes.mistakes.flow import Lost, flow
from softrail.processes.mistakes.mistake import Mistake
from softrail.processes.mistakes.source import Source, given, source, text_of, texts_of, within
from softrail.processes.process import Process


def mistakes(definition: Definition) -> Iterator[Mistake]:
    """Everything that is wrong in the code of a process."""
    cls = type(definition.process)
    for step in definition.steps.values():
        if step.kind == "own":
            yield from _step(definition, step)
    for check in definition.checks:
        yield from _check(definition, check)
    for hook in ("complete", "summary"):
        function = getattr(cls, hook)
        if function is getattr(Process, hook):
            continue
        yield from _reads(hook, function, 1, definition.answers)
        if hook == "complete" and (written := source(function)) is not None:
            yield from _ends(hook, written)
            yield from _ways(definition, hook, written, (*definition.steps, GATHERING))
    yield from _prefill(definition, cls)


def _step(definition: Definition, step: StepDefinition) -> Iterator[Mistake]:
    model = definition.answers if step.gives_answers else definition.data
    yield from _reads(step.name, step.function, 2, model)
    written = source(step.function)
    if written is None:
        return
    yield from _ends(step.name, written)
    yield from _ways(definition, step.name, written, step.goes_to, own=(step.name,))
    lost = flow(written, 2).lost
    if lost is not None:
        yield _unreturned(step.name, written, lost)


def _unreturned(step: str, written: Source, lost: Lost) -> Mistake:
    line = written.here(lost.outcome)["line"]
    name = written.argument(2)
    return Mistake(
        what=f"changes {name!r} at step {step!r} and returns {lost.kind} without it, in line {line}: the change "
        f"is lost. Write: {lost.kind}(…, data={name}).",
        sure=lost.always,
        **written.here(lost.change),
    )


def _check(definition: Definition, check: CheckDefinition) -> Iterator[Mistake]:
    function = getattr(type(definition.process), check.name)
    yield from _reads(check.name, function, 1, definition.answers)
    order = list(definition.fields)
    last = max(order.index(name) for name in check.fields)
    for name, line in dict(read_off(function, 1)).items():
        field = definition.fields.get(name)
        if (
            field is not None
            and not field.skippable
            and name not in check.fields
            and order.index(name) > last
        ):
            path = function.__code__.co_filename
            yield Mistake(
                what=f"has a check {check.name!r} of {', '.join(check.fields)} that reads {name!r}, which is asked "
                f"later: it fails until then. Name it, too: @check({', '.join(map(repr, (*check.fields, name)))}).",
                sure=False,
                path=path,
                line=line,
            )
    written = source(function)
    if written is None:
        return
    yield from _ways(definition, check.name, written, (*check.goes_to, GATHERING))
    for call in written.calls(Wrong):
        wrong = text_of(given(call, "field", 0))
        if wrong is not None and wrong not in definition.fields:
            yield _unknown(check.name, f"gives Wrong({wrong!r}, …)", wrong, order, written.here(call))


def _ends(name: str, written: Source) -> Iterator[Mistake]:
    """A step that ends without an outcome is one that fails."""
    found = flow(written, None)
    if not found.open:
        return
    how = "may end without an outcome" if found.returns else "returns no outcome"
    yield Mistake(
        what=f"has {name}(), which {how}. Return one on every way: Ask, Goto, Done, Decline or Release.",
        sure=not found.returns,
        **written.here(),
    )


def _ways(
    definition: Definition, name: str, written: Source, allowed: tuple[str, ...], own: tuple[str, ...] = ()
) -> Iterator[Mistake]:
    """Steps and answers that are named in outcomes and do not exist; `own`: where it may wait, but not go on at."""
    for call in written.calls(Goto, Ask, Wait, Call, Assign):
        kind = written.means(call.func)
        goes = kind is Goto
        argument = "then" if kind in (Call, Assign) else "step"
        dest = text_of(given(call, argument, 0 if goes else None))
        wrong = (
            _way(definition, dest, kind, allowed if goes else (*allowed, *own)) if dest is not None else ""
        )
        if wrong:
            yield Mistake(what=f"goes at {name!r} to step {dest!r}, which {wrong}", **written.here(call))
        for forgotten in texts_of(given(call, "forget")) if goes else ():
            if forgotten not in definition.fields:
                yield _unknown(name, "forgets", forgotten, list(definition.fields), written.here(call))
        if goes and text_of(given(call, "forget")) is not None:
            yield Mistake(
                what=f'forgets at {name!r} one string, of which every letter would count. Write: forget=("…",)',
                **written.here(call),
            )


def _way(definition: Definition, dest: str, kind: type, allowed: tuple[str, ...]) -> str:
    """Why an outcome cannot lead to that step, with the cure; "" when it can."""
    known = [*definition.steps, *([GATHERING] if definition.fields else [])]
    if dest not in known:
        return f"does not exist. {_near(dest, known)}"
    if dest not in allowed:
        return f"is not in its goes_to. Name it there: goes_to=({dest!r},)."
    own = [n for n, one in definition.steps.items() if one.kind == "own"]
    if kind in (Wait, Call, Assign) and dest not in own:
        return f"is no step of its own, as {kind.__name__} needs. {_near(dest, own)}"
    return ""


def _unknown(where: str, does: str, name: str, known: list[str], here: dict[str, Any]) -> Mistake:
    return Mistake(
        what=f"{does} at {where!r}: {name!r} is not asked for. {_near(name, known)}"
        if does.startswith("gives")
        else f"{does} {name!r} at {where!r}, which is not asked for. {_near(name, known)}",
        **here,
    )


def _near(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=1)
    return f"Did you mean {close[0]!r}?" if close else f"There are: {', '.join(known) or 'none'}."


def _reads(name: str, function: Any, place: int, model: type[BaseModel] | None) -> Iterator[Mistake]:
    """Attributes that the answers, or the data, do not have."""
    for attribute, line in dict(read_off(function, place)).items():
        if model is not None and lacks(model, attribute):
            yield Mistake(
                what=f"reads {attribute!r} in {name}(), which {model.__name__} does not have. "
                f"{_near(attribute, list(model.model_fields))}",
                path=function.__code__.co_filename,
                line=line,
            )


def _prefill(definition: Definition, cls: type[Process]) -> Iterator[Mistake]:
    function = cls.prefill
    written = source(function) if function is not Process.prefill else None
    known = [*definition.fields, *(definition.data.model_fields if definition.data else ())]
    for node in within(written.node) if written is not None else ():
        if written is None or not isinstance(node, ast.Return) or not isinstance(node.value, ast.Dict):
            continue
        for key in node.value.keys:
            name = text_of(key)
            if name is not None and name not in known:
                yield Mistake(
                    what=f"gives {name!r} in prefill(), which is neither an answer nor data: nobody reads it. "
                    f"{_near(name, known)}",
                    **written.here(key),
                )


def kept_on_itself(definition: Definition) -> Iterator[Mistake]:
    """What a step writes on `self` is everybody's, and gone with the next start; it may be meant."""
    cls = type(definition.process)
    names = [s.name for s in definition.steps.values() if s.kind == "own"]
    names += [c.name for c in definition.checks]
    names += [h for h in ("complete", "summary", "prefill") if getattr(cls, h) is not getattr(Process, h)]
    for name in dict.fromkeys(names):
        written = source(getattr(cls, name))
        changes = flow(written, 0).changes if written is not None else ()
        change = next((c for c in changes if _is_kept(cls, c)), None)
        if written is not None and change is not None:
            yield Mistake(
                what=f"changes itself in {name}(). One instance serves everybody: what one person said shows up "
                "with another. Keep it in the data of the steps, or as a Record.",
                sure=False,
                **written.here(change),
            )


def _is_kept(cls: type[Process], change: ast.AST) -> bool:
    """It sets something, or changes what the class itself holds; a service may have methods of any name."""
    if not isinstance(change, ast.Call) or not isinstance(change.func, ast.Attribute):
        return True
    held = change.func.value
    while isinstance(held, ast.Subscript):
        held = held.value
    return isinstance(held, ast.Attribute) and isinstance(getattr(cls, held.attr, None), list | dict | set)
