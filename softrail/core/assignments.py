"""Parts that one person's process asks another person to do, and what came of them."""

from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from softrail.core.effects import Effect
from softrail.core.signals import Result

#: Kinds of the effects by which one person's session reaches another's: never in one commit, always at least once.
ASKED: Final = "assignment"
ANSWERED: Final = "assignment_result"


class Part(BaseModel):
    """What another person is asked to do. Its key is also the id of their run of the process."""

    model_config = ConfigDict(frozen=True)

    key: str
    process: str
    to: str  #: the e-mail address of whoever is asked
    prefill: dict[str, Any] = Field(default_factory=dict)
    asked_by: str  #: whoever asks, as they are called
    caller: str  #: the instance that waits for what comes of it
    asked_at: datetime
    until: datetime | None = None
    depth: int = 1  #: parts within parts


class Assigned(BaseModel):
    """What an instance waits for from another person."""

    model_config = ConfigDict(frozen=True)

    part: Part
    then: str  #: the step that is told what came of it
    substitute: str = ""  #: who is asked when the first does not answer
    term: timedelta | None = None  #: how long each of them has


class PartRequest(BaseModel):
    """News of a part, as it is stored and run: what a turn carries in place of a message, in the session of whom it is for."""

    model_config = ConfigDict(frozen=True)

    news: Literal["asked", "result"]
    part: Part
    result: Result | None = None

    @property
    def turn_id(self) -> str:
        """One for each part and news: that is what makes it happen once. It does not tell whose run the part is."""
        return f"part:{self.news}:{sha256(self.part.key.encode()).hexdigest()[:32]}"

    @property
    def hash(self) -> str:
        """Of its id alone: whatever came of a part first is what came of it."""
        return sha256(self.turn_id.encode()).hexdigest()

    @property
    def origin(self) -> Literal["signal"]:
        """It happened outside this session."""
        return "signal"

    @property
    def project_id(self) -> None:
        """It is about a part, whatever project that is about."""
        return None

    def effect(self, summary: str) -> Effect:
        """The effect that brings it to whom it is for, after the commit."""
        kind = ASKED if self.news == "asked" else ANSWERED
        return Effect(kind=kind, summary=summary, payload=self.model_dump(mode="json"), after_commit=True)
