"""`softrail`: all commands in one place."""

import typer

from softrail.cli.archiving import archive
from softrail.cli.chatting import chat
from softrail.cli.checking import check
from softrail.cli.classifying import classify
from softrail.cli.databases import databases
from softrail.cli.evaluating import evaluate
from softrail.cli.explaining import why
from softrail.cli.keys import keys
from softrail.cli.kinds import graph, processes
from softrail.cli.making import making
from softrail.cli.migrating import migrate
from softrail.cli.outbox import outbox
from softrail.cli.planning import plan
from softrail.cli.proving import proving
from softrail.cli.reading import read
from softrail.cli.reviewing import review
from softrail.cli.serving import serve
from softrail.cli.sweeping import sweep

app = typer.Typer(
    name="softrail",
    help="Guided conversations that people can step off at any time.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (
    serve,
    chat,
    plan,
    why,
    processes,
    graph,
    migrate,
    classify,
    read,
    check,
    sweep,
    outbox,
    archive,
):
    app.command()(command)
app.command("eval")(evaluate)
app.add_typer(databases, name="db")
app.add_typer(keys, name="keys")
app.add_typer(making, name="new")
app.add_typer(proving, name="plans")
app.add_typer(review, name="review")
