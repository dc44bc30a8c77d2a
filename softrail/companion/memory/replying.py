"""What the companion adds to replies: announced under `softrail.reply`."""

from typing import Literal

from pydantic import BaseModel

Readiness = Literal["drafting", "ready_for_review"]


class ReplyFields(BaseModel):
    """The description of a new project that is being worked on, and how far it is."""

    draft_specification: str | None = None
    readiness: Readiness | None = None
