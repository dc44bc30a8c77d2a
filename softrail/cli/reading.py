"""`softrail read QUESTION MESSAGE`: what a message does as the answer to a question."""

from typing import Annotated, Any, get_args

import typer

from softrail.cli.ground import AsJson, command, dispatcher, print_json, run
from softrail.cli.terminal import tell
from softrail.core.questions import Option, Question
from softrail.core.reading import Field, Place, Reading, Wanted

_SHOWN = 0.05  #: a likelihood that is worth a line


def _wanted(kind: str) -> Wanted:
    known = [k for k in get_args(Wanted) if k != "own"]
    if kind not in known:
        raise typer.BadParameter(f"{kind!r} is no kind of answer. Known: {', '.join(known)}.")
    return kind  # type: ignore[return-value] # one of them


@command
def read(
    question: Annotated[str, typer.Argument(help="What was asked.")],
    message: Annotated[str, typer.Argument(help="What the person said.")],
    kind: Annotated[
        str, typer.Option(help="text, list, bool, number, date, choice or confirm.", callback=_wanted)
    ] = "text",
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the question; several times.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what a message does as the answer to a question: acts, values, and who read them."""
    place = placed(question, _wanted("choice" if option else kind), tuple(option or ()))
    reading = run(_read(message, place))
    if as_json:
        print_json(view(reading))
    else:
        _tell(reading)


def placed(
    question: str, wanted: Wanted, options: tuple[str, ...] = (), fields: tuple[Field, ...] = ()
) -> Place:
    """The place of a message that answers one question."""
    asked = Question(prompt=question, options=tuple(Option(label=o) for o in options))
    fields = (Field(name="answer", wanted=wanted, question=question, options=asked.options), *fields)
    return Place(question=asked, wanted=wanted, field="answer", fields=lambda: fields)


async def _read(message: str, place: Place) -> Reading:
    return await dispatcher().parts.reader.read(message, place, locale="en")


def view(reading: Reading) -> dict[str, Any]:
    """A reading as JSON."""
    return {
        "message": reading.message,
        "commands": [
            {
                "act": c.act,
                "confidence": round(c.confidence, 4),
                "layer": c.layer,
                "target": c.target,
                "values": [
                    {"field": v.field, "text": v.text, "confidence": round(v.confidence, 4)} for v in c.values
                ],
            }
            for c in reading.commands
        ],
    }


def _tell(reading: Reading) -> None:
    tell(f"“{reading.message}”")
    shown = [c for c in reading.commands if c.confidence >= _SHOWN]
    for found in sorted(shown, key=lambda c: -c.confidence):
        kind = f" ({found.target})" if found.target else ""
        tell(f"  {found.confidence:.2f}  {found.act}{kind}, by the {found.layer} layer")
        for value in found.values:
            tell(f"        {value.field}: {value.text}  ({value.confidence:.2f})")
    if not shown:
        tell("  nothing that is known for certain; the words are taken as they are")
