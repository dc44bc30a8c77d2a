"""`softrail classify TEXT`."""

import sys
from collections.abc import Iterable
from typing import Annotated, Any

import typer

from softrail.cli.ground import AsJson, command, dispatcher, print_json, run
from softrail.cli.terminal import tell
from softrail.core.intents import Intent

_SHOWN = 0.005  #: less would be printed as 0.00
_DECIDED = {
    "hint": "the client said so",
    "answer": "the person said so",
    "pattern": "a process knows the words",
    "slash": "a slash word of a process",
    "exemplars": "sure, from the examples alone",
    "floor": "the best guess; below its bar, a language model would be asked",
    "model": "a language model said so",
    "default": "too unsure; a language model would be asked",
}


@command
def classify(
    text: Annotated[str, typer.Argument(help="What a person says; - reads one message a line.")],
    as_json: AsJson = False,
) -> None:
    """Show how a message is read: candidates, scores, which tier decided."""
    run(_classified(_lines() if text == "-" else [text], as_json))


def _lines() -> Iterable[str]:
    """What stands on standard input; bytes that are no text are a replacement character each."""
    return (line.decode("utf-8", "replace").rstrip("\r\n") for line in sys.stdin.buffer)


async def _classified(messages: Iterable[str], as_json: bool) -> None:
    from softrail.classifier.text import whole

    parts = dispatcher().parts
    intents = parts.registry.intents()
    for message in map(whole, messages):
        if not message.strip():
            continue
        intent = await parts.classifier.classify(message, intents)
        if as_json:
            print_json(view(intent))
        else:
            _tell(message, intent)


def view(intent: Intent) -> dict[str, Any]:
    """A reading as JSON; `also` has the further intents of the same message, in order."""
    return {
        "intent": intent.name,
        "confidence": round(intent.confidence, 4),
        "tier": intent.tier,
        "parameters": dict(intent.parameters),
        "target": intent.target,
        "ambiguous": intent.ambiguous,
        "missing": list(intent.missing),
        "scores": {name: round(value, 4) for name, value in intent.scores.items()},
        "candidates": [
            {"intent": c.intent, "confidence": round(c.confidence, 4), "example": c.example}
            for c in intent.candidates
        ],
        "also": [view(further) for further in intent.also],
        "left_over": intent.left_over,
    }


def _tell(message: str, intent: Intent) -> None:
    tell(f"“{message}”")
    for number, one in enumerate((intent, *intent.also)):
        part = f", from “{one.text}”" if one.text and one.text != message.strip() else ""
        tell(f"  {'then ' if number else ''}{one.name} at {one.confidence:.2f}: {_DECIDED[one.tier]}{part}")
        for name, value in one.parameters.items():
            tell(f"    {name}: {value}")
        if one.target:
            tell(f"    about: {one.target}")
        if one.missing:
            tell(f"    missing: {', '.join(one.missing)}")
        if one.left_over:
            tell(f"    not acted on: “{one.left_over}”")
        if one.ambiguous:
            tell("    two readings are close: the person would be asked")
    tell("  candidates:")
    for candidate in intent.candidates:
        if candidate.confidence >= _SHOWN:
            near = f"  (like “{candidate.example}”)" if candidate.example else ""
            tell(f"    {candidate.confidence:.2f}  {candidate.intent}{near}")
