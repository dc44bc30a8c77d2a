"""`softrail db upgrade`, `softrail db status` and `softrail db compact`."""

import typer

from softrail.cli.ground import FINDINGS, AsJson, command, database, dispatcher, print_json, run

databases = typer.Typer(help="The database's tables: bring them up to date, or look.", no_args_is_help=True)


@databases.command()
@command
def upgrade() -> None:
    """Bring the tables to what this version needs. `serve` does it by itself on SQLite."""
    from softrail.store import upgrade as upgrade_store

    url, plugins = database(dispatcher())
    typer.echo(run(upgrade_store(url, plugins=plugins)).sentence)


@databases.command()
@command
def status(as_json: AsJson = False) -> None:
    """Say whether this version can run on the tables; exit 1 when it cannot."""
    from softrail.store import schema_status

    url, plugins = database(dispatcher())
    found = run(schema_status(url, plugins=plugins))
    if as_json:
        print_json(
            {"standing": found.standing, "revision": found.revision, "head": found.head, "of": found.of}
        )
    else:
        typer.echo(found.sentence)
    if found.standing not in ("current", "ahead"):
        raise typer.Exit(FINDINGS)


@databases.command(name="compact")
@command
def compact_file() -> None:
    """Make a SQLite file as small as what is in it; from then on it gives space back by itself."""
    from softrail.store import compact

    url, _ = database(dispatcher())
    done = compact(url)
    typer.echo(f"The file has {done.after:,} bytes now; it had {done.before:,}.")
