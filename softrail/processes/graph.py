"""The step graph of a process, as text and as a mermaid diagram."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from softrail.processes.conditions import condition

if TYPE_CHECKING:
    from softrail.processes.definition import Definition, FieldDefinition, StepDefinition

END = "[*]"  #: the beginning and the end, as mermaid writes them
GATHERING = "gathering"

Edge = tuple[str, str, str]  #: from, what leads there, to


def edges(definition: "Definition") -> list[Edge]:
    """The ways from step to step as they are gone, each with what leads there; `END` is the beginning and the end."""
    order = list(definition.fields.values())
    last = definition.confirm_step or END
    if order and definition.first == order[0].step:
        found = [(END, how, dest) for how, dest in _ahead(order, -1, last, "start")]
    else:
        found = [(END, "start", definition.first)]
    found += [(END, f"signal {name}", step) for name, step in definition.signals.items()]
    found += [(END, "left", definition.leaves_by)] if definition.leaves_by else []
    for name, step in definition.steps.items():
        if step.kind == "confirming":
            found.append((name, "yes", END))
            found += [(name, f"change {f.label}", f.step) for f in order]
        elif step.kind == "gathering" and step.field is not None:
            at = next(n for n, f in enumerate(order) if f.step == name)
            found += [(name, how, dest) for how, dest in _ahead(order, at, last, "answer")]
            found += _guards(definition, order[at])
        else:
            missing = {d for d in step.goes_to if d in definition.steps and definition.steps[d].completes}
            why = "answer" if step.completes else ""
            found += [
                (name, GATHERING, order[0].step)
                if dest == GATHERING and order
                else (name, "is missing" if dest in missing else why, dest)
                for dest in step.goes_to
            ]
            if not step.goes_to or len(missing) == len(step.goes_to):
                found.append((name, "done", END))
    return list(dict.fromkeys(found))


def _ahead(order: "Sequence[FieldDefinition]", at: int, last: str, how: str) -> Iterator[tuple[str, str]]:
    """Where an answer leads: to what applies next, or past it."""
    only = how
    for field in order[at + 1 :]:
        if field.when is None:
            yield only, field.step
            return
        yield f"{how}, if {condition(field.when)}", field.step
        only = f"{how}, otherwise"
    yield only, last


def _guards(definition: "Definition", field: "FieldDefinition") -> Iterator[Edge]:
    """Where the checks lead whose last answer this is: back to what they refuse, or to a step."""
    for check in definition.checks:
        if max(check.fields, key=list(definition.fields).index) != field.name:
            continue
        for refused in check.fields:
            yield field.step, f"{check.name} refuses", definition.fields[refused].step
        for way in check.goes_to:
            dest = definition.fields[next(iter(definition.fields))].step if way == GATHERING else way
            yield field.step, check.name, dest


def asks(definition: "Definition", step: "StepDefinition") -> str:
    """What a step asks, or shows; "" for one that asks in its own way."""
    if step.kind == "confirming":
        return "everything is shown, and waits for a yes"
    if step.kind == "gathering" and step.field is not None:
        return definition.fields[step.field].question
    return step.asks or ""


def notes(definition: "Definition", step: "StepDefinition") -> list[str]:
    """What is particular about a step, in a few words each."""
    field = definition.fields.get(step.field or "")
    found: list[str] = [] if step.contract == definition.contract else [step.contract]
    found += ["may be left out"] if step.skippable and (field is None or field.when is None) else []
    found += [f"only if {condition(field.when)}"] if field is not None and field.when is not None else []
    found += ["takes anything"] if step.takes_anything else []
    found += ["not shown"] if field is not None and not field.shown else []
    return found


def mermaid(definition: "Definition") -> str:
    """The steps of a process as a mermaid state diagram."""
    names = {name: f"s{number}" for number, name in enumerate(definition.steps, 1)}
    told = {name: [asks(definition, s), *notes(definition, s)] for name, s in definition.steps.items()}
    return _diagram([f"%% {_plain(definition.name)} v{definition.version}"], names, definition.edges(), told)


def text(definition: "Definition") -> str:
    """The steps of a process as lines: each step, then the ways out of it."""
    lines = [f"{definition.name} v{definition.version}: {definition.description}".rstrip(": ")]
    ways = definition.edges()
    for name, step in definition.steps.items():
        said: list[str] = [step.contract]
        said += ["first"] if name == definition.first else []
        said += ["skippable"] if step.skippable else []
        said += [note for note in notes(definition, step) if note not in (step.contract, "may be left out")]
        lines.append(f"  {name} ({', '.join(said)})")
        lines += [f"    “{line}”" for line in asks(definition, step).splitlines() if line.strip()]
        for source, why, dest in ways:
            if source == name:
                lines.append(f"    -> {'end' if dest == END else dest}{f': {why}' if why else ''}")
    return "\n".join(lines)


def _diagram(
    head: Sequence[str],
    names: dict[str, str],
    ways: Sequence[Edge],
    told: "dict[str, list[str]] | None" = None,
) -> str:
    # Names stand only inside quotes, under ids of our own: what an author calls a step is never syntax.
    lines = [*head, "stateDiagram-v2"]
    for name, key in names.items():
        lines.append(f'    state "{_plain(name)}" as {key}')
        lines += [f"    {key} : {_plain(line)}" for line in (told or {}).get(name, ()) if line.strip()]
    for source, why, dest in dict.fromkeys(ways):
        label = f": {_plain(why)}" if why else ""
        lines.append(f"    {names.get(source, END)} --> {names.get(dest, END)}{label}")
    return "\n".join(lines) + "\n"


def _plain(words: str) -> str:
    """Words that mean nothing to mermaid: its signs become entities, line breaks spaces."""
    kept = " ".join(words.split())
    return "".join(c if c.isalnum() or c in " _-.,!?'()" else f"#{ord(c)};" for c in kept)
