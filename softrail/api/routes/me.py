"""The person who asks: read, change, take away, erase."""

from collections.abc import AsyncIterator
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from pydantic_core import from_json, to_json

from softrail.api.border import clean_text, read_json
from softrail.api.parts import Parts
from softrail.api.routes.projects import exported
from softrail.api.routes.sessions import history, item_view
from softrail.api.schemas import Me, MeChange, TurnItem, requests
from softrail.companion.plugin import Companion
from softrail.core.errors import NotFound
from softrail.core.people import Person
from softrail.core.ports import Store
from softrail.core.sessions import Session

BATCH = 200


def me(parts: Parts) -> APIRouter:
    """The routes of the person who asks."""
    router = parts.router("You", 413, 422)
    store = parts.store
    Asker = Annotated[Person, parts.person]  # noqa: N806 - a type, made here because it needs `parts`

    @router.get("/me", summary="Who you are here")
    async def get_me(person: Asker) -> Me:
        return _view(await _fresh(store, person))

    @router.patch(
        "/me", summary="Change what we call you and how we tell you times", openapi_extra=requests(MeChange)
    )
    async def change_me(request: Request, person: Asker) -> Me:
        change = await read_json(request, MeChange, parts.body_limit)
        current = await _fresh(store, person)
        given = change.model_fields_set
        changed = Person(
            id=current.id,
            email=current.email,
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
        return _view(changed)

    @router.delete("/me", status_code=204, summary="Erase yourself and all that is yours alone")
    async def delete_me(person: Asker) -> Response:
        """Erases you with your sessions, turns, records and access keys. It cannot be undone."""
        await store.delete_person(person.id)
        parts.forget(person.id)
        return Response(status_code=204)

    @router.get("/me/export", summary="Everything kept about you", response_class=StreamingResponse)
    async def export_me(person: Asker) -> Response:
        """One JSON document: you, and every session with its turns, decisions and processes, all records and projects."""
        who = _view(await _fresh(store, person))
        headers = {"Content-Disposition": 'attachment; filename="export.json"'}
        return StreamingResponse(_export(parts, who), media_type="application/json", headers=headers)

    return router


async def _fresh(store: Store, person: Person) -> Person:
    found = await store.person(person.id)
    if found is None:
        raise NotFound()
    return found


def _view(person: Person) -> Me:
    return Me.model_validate(person, from_attributes=True)


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


async def _export(parts: Parts, who: Me) -> AsyncIterator[bytes]:
    """The export piece by piece, so that a long history needs no memory."""
    yield b'{"person":' + to_json(who) + b',"sessions":['
    before, first = None, True
    while True:
        found = await parts.store.sessions(who.id, before=before, limit=BATCH)
        for session in found:
            yield (b"" if first else b",") + to_json(await _session(parts, who.id, session))
            first, before = False, session.id
        if len(found) < BATCH:
            break
    yield b'],"records":' + to_json(await parts.store.records(who.id))
    companion = parts.dispatcher.registry.find_service(Companion)
    if companion is not None:
        yield b',"projects":['
        for n, project in enumerate(await companion.projects.details(who.id)):
            yield (b"," if n else b"") + to_json(await exported(companion, who.id, project))
        yield b"]"
    yield b"}"


async def _session(parts: Parts, person_id: str, session: Session) -> dict[str, Any]:
    store = parts.store
    items: list[TurnItem] = []
    after = 0
    while True:
        found = await store.items(person_id, session_id=session.id, after=after, limit=BATCH)
        items += [item_view(item) for item in found]
        if len(found) < BATCH:
            break
        after = found[-1].seq
    instances = await store.instances(session.id)
    moves = await store.transitions([i.id for i in instances]) if instances else []
    decisions = []
    for turn_id in dict.fromkeys(item.turn_id for item in items):
        record = await store.decision(person_id, session.id, turn_id)
        if record is not None:
            decisions.append(from_json(record))
    return {
        "id": session.id,
        "created_at": session.created_at,
        "last_turn_at": session.last_turn_at,
        "turns": items,
        "processes": [history(parts, instance, moves) for instance in instances],
        "decisions": decisions,
    }
