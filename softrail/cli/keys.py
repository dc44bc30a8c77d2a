"""`softrail keys create|list|revoke|reseal`."""

from typing import TYPE_CHECKING, Annotated

import typer

from softrail.cli.ground import (
    FINDINGS,
    USAGE,
    AsJson,
    command,
    dispatcher,
    opened,
    own_settings,
    print_json,
    run,
    stop,
)
from softrail.core.clock import now
from softrail.core.commits import AccessKey
from softrail.core.ids import TimeOrderedIds
from softrail.core.keys import Right, hash_key, new_key
from softrail.core.people import clean_email

if TYPE_CHECKING:
    from softrail.turns.dispatcher import Dispatcher

keys = typer.Typer(
    help="Access keys: who may ask over HTTP. And the seal of people's model keys.", no_args_is_help=True
)


@keys.command()
@command
def create(
    person: Annotated[str, typer.Option(help="E-mail address of whom it is for.")],
    name: Annotated[str, typer.Option(help="What it is for, to recognise it later.")] = "",
    right: Annotated[
        list[Right] | None,
        typer.Option(
            help="What it may besides: `inspect`, look into everybody's conversations; `tokens`, make tokens for pages."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make an access key and print it. It is shown this once; only its hash is kept."""
    key = new_key()
    made = run(_create(clean_email(person), name.strip(), tuple(dict.fromkeys(right or ())), key))
    if as_json:
        told = {"id": made.id, "person": clean_email(person), "name": made.name, "rights": made.rights}
        print_json({**told, "key": key})
        return
    typer.echo(key)
    typer.echo(
        f"This is the only time it is shown. To take it back: softrail keys revoke {made.id}", err=True
    )


@keys.command("list")
@command
def list_keys(as_json: AsJson = False) -> None:
    """List access keys, the revoked ones too; never the keys themselves."""
    found, keyed = run(_keys())
    if as_json:
        rows = [
            {
                "id": key.id,
                "person": key.person.email if key.person else None,
                "name": key.name,
                "rights": key.rights,
                "created_at": key.created_at,
                "revoked_at": key.revoked_at,
            }
            for key in found
        ]
        print_json(rows)
        return
    if not found:
        left = "and nobody gets in until one is made" if keyed else "the server runs in local mode"
        typer.echo(f"There are no access keys: {left}.")
    for key in found:
        person = key.person.email if key.person else "?"
        state = f"revoked {key.revoked_at:%Y-%m-%d %H:%M}" if key.revoked_at else "in use"
        may = f"  may {', '.join(key.rights)}" if key.rights else ""
        typer.echo(f"{key.id}  {person}  {key.name or '-'}  {key.created_at:%Y-%m-%d %H:%M}  {state}{may}")


@keys.command()
@command
def revoke(key_id: Annotated[str, typer.Argument(help="Its id, as `softrail keys list` shows it.")]) -> None:
    """Take an access key back: at once on this machine's next look, within 5 seconds on a running server."""
    if not run(_revoke(key_id)):
        stop(f"There is no access key {key_id}. `softrail keys list` shows them.", FINDINGS)
    typer.echo("Revoked.")


@keys.command()
@command
def reseal(as_json: AsJson = False) -> None:
    """Seal every person's own model key with the first secret of SOFTRAIL_SECRET_KEY. Exit 1 when one cannot be read."""
    application = dispatcher()
    secrets = own_settings(application).secrets
    if not secrets:
        stop("There is no secret: set SOFTRAIL_SECRET_KEY to the new one, a comma, and the old one.", USAGE)
    done, lost = run(_reseal(application, secrets))
    if as_json:
        print_json({"sealed": done, "unreadable": lost})
    else:
        typer.echo(f"Sealed anew: {done}.")
    if lost:
        stop(
            f"{lost} could not be read with any secret given: their owners have to set them again.", FINDINGS
        )


async def _create(email: str, name: str, rights: tuple[Right, ...], key: str) -> AccessKey:
    ids, at = TimeOrderedIds(), now()
    async with opened() as store:
        person = await store.ensure_person(email, id=ids.new(), at=at)
        made = AccessKey(
            id=ids.new(),
            person_id=person.id,
            name=name,
            hash=hash_key(key),
            created_at=at,
            rights=rights,
        )
        await store.add_key(made)
        return made


async def _keys() -> tuple[list[AccessKey], bool]:
    async with opened() as store:
        return list(await store.keys()), await store.keyed()


async def _reseal(application: "Dispatcher", secrets: tuple[str, ...]) -> tuple[int, int]:
    from softrail.models.own_keys import sealed_anew
    from softrail.models.vault import Vault

    async with opened(application) as store:
        return await sealed_anew(store, Vault(secrets))


async def _revoke(key_id: str) -> bool:
    async with opened() as store:
        return await store.revoke_key(key_id, at=now())
