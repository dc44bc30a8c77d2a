"""The person who asks: read, change, take away, erase."""

from dataclasses import replace
from decimal import Decimal
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from softrail.api.border import clean_text, read_json
from softrail.api.downloads import Download, begun
from softrail.api.exporting import export
from softrail.api.failures import documented
from softrail.api.parts import Parts
from softrail.api.schemas import (
    AskedOfMe,
    AskedOfMePage,
    Me,
    MeChange,
    ModelKeyBody,
    ModelUse,
    MyPage,
    requests,
)
from softrail.core.border import unusable
from softrail.core.errors import NotFound
from softrail.core.instances import Instance
from softrail.core.people import Person
from softrail.core.ports import Store
from softrail.spending import Spending
from softrail.store.spending import Spent

SHORTEST_KEY = 8


def me(parts: Parts) -> APIRouter:
    """The routes of the person who asks."""
    router = parts.router("You", 413, 422)
    store = parts.store
    Asker = Annotated[Person, parts.person]  # noqa: N806 - a type, made here because it needs `parts`

    @router.get("/me", summary="Who you are here")
    async def get_me(person: Asker) -> MyPage:
        return await _page(parts, await _fresh(store, person))

    @router.get("/me/questions", summary="What others ask of you")
    async def get_questions(person: Asker) -> AskedOfMePage:
        """The parts of other people's processes that wait for you, whichever session they are offered in."""
        found = await parts.dispatcher.asked_of(person)
        return AskedOfMePage(items=[_asked(parts, one) for one in found])

    @router.patch(
        "/me", summary="Change what we call you and how we tell you times", openapi_extra=requests(MeChange)
    )
    async def change_me(request: Request, person: Asker) -> MyPage:
        change = await read_json(request, MeChange, parts.body_limit)
        current = await _fresh(store, person)
        given = change.model_fields_set
        changed = replace(
            current,
            display_name=(
                _name("display_name", change.display_name)
                if "display_name" in given
                else current.display_name
            ),
            companion_name=(
                _name("companion_name", change.companion_name)
                if "companion_name" in given
                else current.companion_name
            ),
            timezone=_zone(change.timezone) if "timezone" in given else current.timezone,
            locale=_locale(change.locale) if "locale" in given else current.locale,
        )
        await store.update_person(changed)
        parts.forget(person.id)
        return await _page(parts, changed)

    @router.put(
        "/me/model-key",
        status_code=204,
        summary="Pay for your turns with a model key of your own",
        openapi_extra=requests(ModelKeyBody),
        responses=documented(409),
    )
    async def set_model_key(request: Request, person: Asker) -> Response:
        """Replaces the one before. From your next turn on it is asked first; elsewhere within 5 seconds."""
        body = await read_json(request, ModelKeyBody, parts.body_limit)
        await parts.dispatcher.parts.model_keys.keep(person.id, _key(body.key.get_secret_value()))
        parts.forget(person.id)
        return Response(status_code=204)

    @router.delete("/me/model-key", status_code=204, summary="Erase your model key")
    async def delete_model_key(person: Asker) -> Response:
        """Erases it at once; where there is none, nothing happens."""
        await parts.dispatcher.parts.model_keys.drop(person.id)
        parts.forget(person.id)
        return Response(status_code=204)

    @router.delete("/me", status_code=204, summary="Erase yourself and all that is yours alone")
    async def delete_me(person: Asker) -> Response:
        """Erases you with your sessions, turns, records and access keys. It cannot be undone."""
        await parts.dispatcher.erase_person(person.id)
        parts.dispatcher.nudge()  # files in folders are removed as something to deliver
        parts.forget(person.id)
        return Response(status_code=204)

    @router.get("/me/export", summary="Everything kept about you", response_class=StreamingResponse)
    async def export_me(person: Asker) -> Response:
        """One JSON document: you, and every session with its turns, decisions and processes, all records and projects."""
        who = _view(await _fresh(store, person))
        headers = {"Content-Disposition": 'attachment; filename="export.json"'}
        return Download(await begun(export(parts, who)), media_type="application/json", headers=headers)

    return router


def _asked(parts: Parts, instance: Instance) -> AskedOfMe:
    part, shown = instance.memo.asked, parts.dispatcher.parts
    assert part is not None  # noqa: S101 - only such are listed
    asks = instance.question.prompt if instance.question is not None else ""
    definition = shown.registry.of(instance)
    return AskedOfMe(
        instance_id=instance.id,
        process=instance.process,
        title=shown.title(instance.process),
        description=definition.description if definition is not None else "",
        prompt=asks or parts.dispatcher.offer_of(instance),
        message=definition.names[0] if definition is not None else instance.process.replace("_", " "),
        session_id=instance.session_id,
        asked_by=part.asked_by,
        asked_at=part.asked_at,
        until=part.until,
        state=str(instance.state),
    )


async def _fresh(store: Store, person: Person) -> Person:
    found = await store.person(person.id)
    if found is None:
        raise NotFound()
    return found


def _view(person: Person) -> Me:
    return Me.model_validate(person, from_attributes=True)


async def _page(parts: Parts, person: Person) -> MyPage:
    spending = parts.dispatcher.registry.find_service(Spending)
    spent = await spending.today(person.id) if spending is not None else Spent()
    use = ModelUse(
        tokens=spent.tokens,
        limit=(spending.tokens_per_day or None) if spending is not None else None,
        own_tokens=spent.own_tokens,
        cost_usd=None if spent.unpriced else spent.cost_usd or Decimal(0),
    )
    standing = await parts.dispatcher.parts.model_keys.standing(person)
    return MyPage(
        **_view(person).model_dump(), model_key=standing, model_use=use, upload_limit=parts.upload_limit
    )


def _key(text: str) -> str:
    """The key as it can be sent in a header; what was given instead is not repeated."""
    key = text.strip()
    if len(key) < SHORTEST_KEY or not key.isascii() or not key.isprintable() or " " in key:
        raise unusable("key", "it must be letters, digits and signs without spaces, at least 8 of them")
    return key


def _name(field: str, name: str | None) -> str | None:
    return None if name is None or not name.strip() else clean_text(field, name, 100)


def _zone(name: str | None) -> str:
    """The zone of that name; UTC when there is none."""
    try:
        ZoneInfo(name or "UTC")
    except (ValueError, OSError, KeyError):
        return "UTC"
    return name or "UTC"


def _locale(tag: str | None) -> str:
    """The language tag; English when it is none."""
    head, *rest = (tag or "en").split("-")
    usable = head.isascii() and head.isalpha() and 2 <= len(head) <= 8
    return (tag or "en") if usable and all(p.isascii() and p.isalnum() for p in rest) else "en"
