"""`softrail classify TEXT`."""

import sys
from collections.abc import Iterable
from typing import Annotated, Any

import typer

from softrail.cli.ground import AsJson, command, dispatcher, print_json, run
from softrail.core.intents import Intent


@command
def classify(
    text: Annotated[str, typer.Argument(help="What a person says; - reads one message a line.")],
    as_json: AsJson = False,
) -> None:
    """Show how a message is read: candidates, scores, which tier decided."""
    messages = (line.rstrip("\n") for line in sys.stdin) if text == "-" else [text]
    run(_classified(messages, as_json))


async def _classified(messages: Iterable[str], as_json: bool) -> None:
    parts = dispatcher().parts
    intents = parts.registry.intents()
    for message in messages:
        if not message.strip():
            continue
        intent = await parts.classifier.classify(message, intents)
        if as_json:
            print_json(view(intent))
        else:
            _tell(message, intent)


def view(intent: Intent) -> dict[str, Any]:
    """A reading as JSON."""
    return {
        "intent": intent.name,
        "confidence": round(intent.confidence, 4),
        "tier": intent.tier,
        "parameters": dict(intent.parameters),
        "ambiguous": intent.ambiguous,
        "missing": list(intent.missing),
        "candidates": [
            {"intent": c.intent, "confidence": round(c.confidence, 4), "example": c.example}
            for c in intent.candidates
        ],
    }


def _tell(message: str, intent: Intent) -> None:
    typer.echo(f"“{message}”")
    typer.echo(f"  {intent.name} at {intent.confidence:.2f}, decided by: {intent.tier}")
    if intent.ambiguous:
        typer.echo("  two readings are close: the person would be asked")
    if intent.missing:
        typer.echo(f"  missing: {', '.join(intent.missing)}")
    for candidate in intent.candidates:
        near = f"  (like “{candidate.example}”)" if candidate.example else ""
        typer.echo(f"    {candidate.confidence:.2f}  {candidate.intent}{near}")
