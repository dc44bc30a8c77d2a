"""What authors of processes get wrong without noticing: found when a process is registered, or by `softrail check`.

What is surely wrong stops the start; what may be meant is told by `softrail check` alone. Nothing of a process
is run here but the factories of its defaults: its class is looked at, and its source where there is one.
"""

from collections.abc import Mapping, Sequence

from softrail.processes.asking import StepMark
from softrail.processes.definition import Definition
from softrail.processes.mistakes import code, names, settings, values
from softrail.processes.mistakes.calls import circles, unknown
from softrail.processes.mistakes.mistake import Mistake, at, place_of
from softrail.processes.mistakes.names import names_in, names_used
from softrail.processes.process import Process

__all__ = [
    "Mistake",
    "at",
    "circles",
    "in_class",
    "in_definition",
    "names_in",
    "names_used",
    "place_of",
    "suspicious",
    "unknown",
]


def in_class(cls: type[Process], steps: Mapping[str, StepMark]) -> Sequence[Mistake]:
    """Mistakes that are there before anything of the class is looked at more closely."""
    return [*names.mistakes(cls, steps), *settings.typed(cls), *values.strings(cls, steps)]


def in_definition(definition: Definition) -> Sequence[Mistake]:
    """Mistakes of a class that is in order otherwise."""
    return [*values.mistakes(definition), *settings.mistakes(definition), *code.mistakes(definition)]


def suspicious(definition: Definition) -> Sequence[Mistake]:
    """What may be meant, and more often is not, each with the whole sentence."""
    cls = type(definition.process)
    steps = {name: mark for name, mark in names.marks(cls).items() if isinstance(mark, StepMark)}
    found = [*in_class(cls, steps), *in_definition(definition), *code.kept_on_itself(definition)]
    return [one for one in found if not one.sure]
