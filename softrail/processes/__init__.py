"""What a guided process is, and how one is played.

Here are the base class and the things an author writes (`ask`, `check` and `step`), the check at registration
(`define`), the one way in which plugin code is run (`Conductor`), the lifecycle machine and the step graph.
This room must not know the registry, the store or the web, and of language models only the port: it turns a state and
a turn into a new state and words, and someone else makes them durable.
"""

from softrail.processes.asking import Contract, NotAnswered, NotUsable, Wrong, ask, check, step
from softrail.processes.conductor import Conductor
from softrail.processes.define import define
from softrail.processes.definition import Definition, FieldDefinition, StepDefinition
from softrail.processes.lifecycle import IllegalMove, move
from softrail.processes.play import Played
from softrail.processes.process import OfferPolicy, Process
from softrail.processes.spoken import Money
from softrail.processes.telling import Given, said_in_words

__all__ = [
    "Conductor",
    "Contract",
    "Definition",
    "FieldDefinition",
    "Given",
    "IllegalMove",
    "Money",
    "NotAnswered",
    "NotUsable",
    "OfferPolicy",
    "Played",
    "Process",
    "StepDefinition",
    "Wrong",
    "ask",
    "check",
    "define",
    "move",
    "said_in_words",
    "step",
]
