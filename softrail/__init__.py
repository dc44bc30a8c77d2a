"""Guided conversations that people can step off at any time.

The session belongs to the user, not the workflow. Everything an author of processes or intents needs is here;
`softrail.testing` has what their tests need. Names are loaded when first used, so importing the package is cheap.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from softrail.api import create_router as create_router
    from softrail.bootstrap import build as build
    from softrail.core.actions import Attempt as Attempt
    from softrail.core.actions import action as action
    from softrail.core.attachments import Attachment as Attachment
    from softrail.core.attachments import Attachments as Attachments
    from softrail.core.effects import Effect as Effect
    from softrail.core.effects import Forget as Forget
    from softrail.core.effects import Record as Record
    from softrail.core.effects import StoredRecord as StoredRecord
    from softrail.core.intents import Clarify as Clarify
    from softrail.core.intents import Continue as Continue
    from softrail.core.intents import Intent as Intent
    from softrail.core.intents import IntentDefinition as IntentDefinition
    from softrail.core.intents import RouteResult as RouteResult
    from softrail.core.intents import Shown as Shown
    from softrail.core.outcomes import Ask as Ask
    from softrail.core.outcomes import Assign as Assign
    from softrail.core.outcomes import Call as Call
    from softrail.core.outcomes import Decline as Decline
    from softrail.core.outcomes import Done as Done
    from softrail.core.outcomes import Goto as Goto
    from softrail.core.outcomes import Outcome as Outcome
    from softrail.core.outcomes import Release as Release
    from softrail.core.outcomes import Reroute as Reroute
    from softrail.core.outcomes import Wait as Wait
    from softrail.core.people import Person as Person
    from softrail.core.ports import Message as Message
    from softrail.core.ports import Model as Model
    from softrail.core.ports import ModelRequest as ModelRequest
    from softrail.core.ports import Project as Project
    from softrail.core.ports import Projects as Projects
    from softrail.core.ports import Prompts as Prompts
    from softrail.core.ports import Records as Records
    from softrail.core.questions import Option as Option
    from softrail.core.signals import Result as Result
    from softrail.core.signals import Signal as Signal
    from softrail.core.turns import Turn as Turn
    from softrail.processes import Money as Money
    from softrail.processes import OfferPolicy as OfferPolicy
    from softrail.processes import Process as Process
    from softrail.processes import Wrong as Wrong
    from softrail.processes import ask as ask
    from softrail.processes import check as check
    from softrail.processes import step as step
    from softrail.registry.actions import Actions as Actions
    from softrail.settings import Settings as Settings

_HOMES = {
    "Actions": "registry.actions",
    "Ask": "core.outcomes",
    "Assign": "core.outcomes",
    "Attachment": "core.attachments",
    "Attachments": "core.attachments",
    "Attempt": "core.actions",
    "Call": "core.outcomes",
    "Clarify": "core.intents",
    "Continue": "core.intents",
    "Decline": "core.outcomes",
    "Done": "core.outcomes",
    "Effect": "core.effects",
    "Forget": "core.effects",
    "Goto": "core.outcomes",
    "Intent": "core.intents",
    "IntentDefinition": "core.intents",
    "Message": "core.ports",
    "Model": "core.ports",
    "ModelRequest": "core.ports",
    "Money": "processes",
    "OfferPolicy": "processes",
    "Option": "core.questions",
    "Outcome": "core.outcomes",
    "Person": "core.people",
    "Process": "processes",
    "Project": "core.ports",
    "Projects": "core.ports",
    "Prompts": "core.ports",
    "Record": "core.effects",
    "Records": "core.ports",
    "Release": "core.outcomes",
    "Reroute": "core.outcomes",
    "Result": "core.signals",
    "RouteResult": "core.intents",
    "Settings": "settings",
    "Shown": "core.intents",
    "Signal": "core.signals",
    "StoredRecord": "core.effects",
    "Turn": "core.turns",
    "Wait": "core.outcomes",
    "Wrong": "processes",
    "action": "core.actions",
    "ask": "processes",
    "build": "bootstrap",
    "check": "processes",
    "create_router": "api",
    "step": "processes",
}

__all__ = [
    "Actions",
    "Ask",
    "Assign",
    "Attachment",
    "Attachments",
    "Attempt",
    "Call",
    "Clarify",
    "Continue",
    "Decline",
    "Done",
    "Effect",
    "Forget",
    "Goto",
    "Intent",
    "IntentDefinition",
    "Message",
    "Model",
    "ModelRequest",
    "Money",
    "OfferPolicy",
    "Option",
    "Outcome",
    "Person",
    "Process",
    "Project",
    "Projects",
    "Prompts",
    "Record",
    "Records",
    "Release",
    "Reroute",
    "Result",
    "RouteResult",
    "Settings",
    "Shown",
    "Signal",
    "StoredRecord",
    "Turn",
    "Wait",
    "Wrong",
    "action",
    "ask",
    "build",
    "check",
    "create_router",
    "step",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'softrail' has no attribute {name!r}")
    value = getattr(import_module(f"softrail.{home}"), name)
    globals()[name] = value
    return value
