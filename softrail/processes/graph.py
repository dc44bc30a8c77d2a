"""The step graph of a process, as text and as a mermaid diagram."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from softrail.processes.definition import Definition

END = "[*]"  #: the beginning and the end, as mermaid writes them

Edge = tuple[str, str, str]  #: from, what leads there, to


def mermaid(definition: "Definition") -> str:
    """The steps of a process as a mermaid state diagram."""
    names = {name: f"s{number}" for number, name in enumerate(definition.steps, 1)}
    lines = [f"%% {_plain(definition.name)} v{definition.version}", "stateDiagram-v2"]
    # Names stand only inside quotes, under ids of our own: what an author calls a step is never syntax.
    lines += [f'    state "{_plain(name)}" as {key}' for name, key in names.items()]
    for source, why, dest in dict.fromkeys(definition.edges()):
        label = f": {_plain(why)}" if why else ""
        lines.append(f"    {names.get(source, END)} --> {names.get(dest, END)}{label}")
    return "\n".join(lines) + "\n"


def text(definition: "Definition") -> str:
    """The steps of a process as lines: each step, then the ways out of it."""
    lines = [f"{definition.name} v{definition.version}: {definition.description}".rstrip(": ")]
    edges = definition.edges()
    for name, step in definition.steps.items():
        notes: list[str] = [step.contract]
        notes += ["first"] if name == definition.first else []
        notes += ["skippable"] if step.skippable else []
        notes += ["takes anything"] if step.takes_anything else []
        lines.append(f"  {name} ({', '.join(notes)})")
        for source, why, dest in edges:
            if source == name:
                lines.append(f"    -> {'end' if dest == END else dest}{f': {why}' if why else ''}")
    return "\n".join(lines)


def _plain(words: str) -> str:
    """Words that mean nothing to mermaid: its signs become entities, line breaks spaces."""
    kept = " ".join(words.split())
    return "".join(c if c.isalnum() or c in " _-.,!?'()" else f"#{ord(c)};" for c in kept)
