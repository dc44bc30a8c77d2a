"""What a client of a protocol sends, whichever it is: what was said, and what Softrail's own field adds."""

import base64
import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from softrail.api.failures import refused
from softrail.core.errors import BadRequest

_DATA: Final = re.compile(r"data:([\w.+-]+/[\w.+-]+)?((?:;[^;,]*)*),(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class InlineFile:
    """A file that came within a message."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Said:
    """One message of the person's, as a client keeps it."""

    id: str
    text: str
    files: Sequence[InlineFile] = ()


class Extras(BaseModel):
    """What a client may say to Softrail besides its protocol."""

    model_config = ConfigDict(extra="forbid")

    project_id: str | None = None
    intent_hint: str | None = None
    answers: str | None = None  #: the question that the last message answers, as in `POST /converse`
    value: Any = None
    interrupts: bool = Field(default=False)  #: AG-UI: an open question ends the run as an interrupt


def extras(given: Any, field: str) -> Extras:
    """Softrail's own field. Raises BadRequest that names what is wrong in it."""
    try:
        return Extras.model_validate({} if given is None else given)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        raise refused([{**one, "loc": (field, *one["loc"])} for one in found]) from None


def inline(name: str, address: str, field: str) -> InlineFile:
    """The file in a `data:` address. Raises BadRequest for any other: no address is ever fetched."""
    match = _DATA.fullmatch(address)
    if match is None or ";base64" not in match[2].lower():
        raise BadRequest(
            "Files come within the message, as base64 in a data: address; no address is fetched.", field=field
        )
    return decoded(name, match[3], field)


def decoded(name: str, text: str, field: str) -> InlineFile:
    """The file in base64. Raises BadRequest when it is none."""
    try:
        return InlineFile(name, base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError):
        raise BadRequest("The file cannot be read: it is no base64.", field=field) from None
