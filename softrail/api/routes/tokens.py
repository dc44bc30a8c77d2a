"""`POST /tokens`: an application's server asks for what its page may have."""

import logging
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, ConfigDict, Field

from softrail.api.border import read_json
from softrail.api.failures import documented
from softrail.api.identity import Identity
from softrail.api.parts import Parts
from softrail.api.schemas import requests
from softrail.core.clock import now
from softrail.core.commits import AccessKey
from softrail.core.ids import TimeOrderedIds
from softrail.core.people import Person, clean_email
from softrail.core.tokens import LONGEST

log = logging.getLogger(__name__)


class TokenBody(BaseModel):
    """For whom a token is wanted."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"person": "ada@example.org", "origin": "https://app.example.org"}]},
    )

    person: str = Field(max_length=320, description="Their e-mail address; who is new here is made.")
    origin: str | None = Field(
        default=None,
        max_length=255,
        description="The one origin whose pages may use it, of those that SOFTRAIL_ALLOWED_ORIGINS lists.",
    )
    seconds: int = Field(default=LONGEST, ge=1, le=LONGEST, description="How long it is good for.")


class TokenMade(BaseModel):
    """A token, shown this once and kept nowhere."""

    token: str
    person: str
    origin: str | None
    expires_at: datetime


def tokens(parts: Parts, identity: Identity) -> APIRouter:
    """The route where tokens are made."""
    router = parts.router("Tokens", 403, 413, 422)
    ids = TimeOrderedIds()
    # Types, made here of what is handed in.
    Asker = Annotated[Person, parts.person]  # noqa: N806
    Maker = Annotated[AccessKey, Depends(identity.maker)]  # noqa: N806

    @router.post(
        "/tokens",
        status_code=201,
        summary="Make a short-lived token for a page",
        openapi_extra=requests(TokenBody),
        responses=documented(409),
    )
    async def make_token(request: Request, _: Asker, key: Maker) -> TokenMade:
        """For an access key with the right `tokens`. The token speaks for one person, for fifteen minutes at most."""
        body = await read_json(request, TokenBody, parts.body_limit)
        identity.tokens.check(body.origin)  # before anybody is made
        person = await parts.store.ensure_person(clean_email(body.person), id=ids.new(), at=now())
        text, token = identity.tokens.make(person, key, body.origin, body.seconds)
        log.info("token person=%s key=%s origin=%s", person.id, key.id, token.origin or "any")
        return TokenMade(token=text, person=person.email, origin=token.origin, expires_at=token.expires_at)

    return router
