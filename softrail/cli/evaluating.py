"""`softrail eval FILE`: how well messages are read, on labelled messages of your own."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from softrail.cli.ground import AsJson, command, dispatcher, print_json, run

if TYPE_CHECKING:
    from softrail.classifier.evaluate import Answered, Report


def _share(value: float) -> float:
    if not 0.0 < value <= 1.0:
        raise typer.BadParameter(f"{value:g} is no share: say 0.95 for 95 %.")
    return value


@command
def evaluate(
    file: Annotated[Path, typer.Argument(help='One {"text": …, "label": INTENT} a line.')],
    bars: Annotated[
        bool, typer.Option("--bars", help="Also what other bars would cover, and which fit.")
    ] = False,
    precision: Annotated[
        float,
        typer.Option(help="The precision that suggested bars aim at, above 0 and up to 1.", callback=_share),
    ] = 0.95,
    reader: Annotated[
        bool,
        typer.Option(
            "--reader",
            help='Judge answers in guided processes instead: {"question": …, "message": …, "label": ACT, "value": …} a line.',
        ),
    ] = False,
    ablation: Annotated[
        bool,
        typer.Option("--ablation", help="With --reader: also what less would make of the lines."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Measure the classifier on labelled messages (accuracy, coverage, calibration, time), or the reader of answers."""
    if ablation and not reader:
        raise typer.BadParameter("--ablation is about answers in guided processes: use it with --reader.")
    if reader:
        _judge_reader(file, as_json=as_json, ablate=ablation)
        return
    from softrail.classifier.tables import bars_table, confusion_picture, report_table
    from softrail.classifier.tuning import bar_rows, suggest_bars

    found, answered = run(_answered(file, quiet=as_json))
    suggested = suggest_bars(answered, precision=precision) if bars else {}
    if as_json:
        body = asdict(found)
        body["confusion"] = [[*pair, count] for pair, count in found.confusion.items()]
        print_json({**body, "suggested_bars": suggested} if bars else body)
        return
    typer.echo(report_table(found))
    typer.echo(f"\n{confusion_picture(found)}")
    if bars:
        typer.echo(f"\n{bars_table(bar_rows(answered))}")
        typer.echo(f"\n{_advice(suggested, precision)}")


def _judge_reader(file: Path, *, as_json: bool, ablate: bool) -> None:
    from softrail.cli import judging

    lines = judging.read_lines(file)
    found = run(judging.judged(lines))
    if as_json:
        print_json(judging.view(found))
        return
    typer.echo(f"{judging.table(found)}\n\n{judging.shares(found)}")
    if ablate:
        typer.echo(f"\n{judging.ablation(run(judging.ablated(lines)))}\n")
    for one in found:
        if one.outcome == "wrong":
            typer.echo(f"{one.line.label}: {one.line.question} / {one.line.message} -> {one.became}")


def _advice(suggested: Mapping[str, float], precision: float) -> str:
    """The suggested bars as a file of intents has them, and where such a file is named."""
    wanted = f"Lowest bars that are right in {100 * precision:.0f} %, where there are enough messages:"
    if not suggested:
        return f"{wanted}\n none"
    rows = [f"  {intent}:\n    bar: {bar:.2f}" for intent, bar in suggested.items()]
    where = "To use them, put these lines into a YAML file and name it in SOFTRAIL_INTENTS_FILES:"
    return "\n".join([wanted, where, "", "primary_intents:", *rows])


async def _answered(file: Path, *, quiet: bool) -> "tuple[Report, list[Answered]]":
    from softrail.classifier.evaluate import evaluate as measure
    from softrail.classifier.evaluate import read_labelled

    parts = dispatcher().parts
    messages = read_labelled(file, intents={intent.name for intent in parts.registry.intents()})
    with typer.progressbar(length=len(messages), label="Reading", hidden=quiet) as bar:
        return await measure(
            parts.classifier, parts.registry.intents(), messages, progress=lambda done: bar.update(1)
        )
