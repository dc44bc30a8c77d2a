"""What an action found in data, and what it rests on: "how did you get that?" ends there."""

from typing import Any

from pydantic import BaseModel, Field


class Used(BaseModel):
    """A source that was read, as it was then."""

    name: str
    sha256: str
    tables: tuple[str, ...] = ()  #: those of it that were read, as queries name them
    rows: int = Field(default=0, description="Of those tables.")


class Evidence(BaseModel):
    """What a fact was found in."""

    sources: tuple[Used, ...] = ()
    query: str = ""
    rows: int | None = Field(default=None, description="That the query gave.")
    method: str = Field(
        default="", description="How it was worked out, where that is no query, with what it assumes."
    )
    repairs: tuple[str, ...] = Field(default=(), description="What was mended when the sources were read.")
    runs: int = Field(default=1, description="How often it was worked out, each time with the same result.")


class Finding(BaseModel):
    """A value from data with its unit, what it rests on, and where its file is, if it is one."""

    value: Any
    unit: str = ""
    evidence: Evidence = Field(default_factory=Evidence)
    ref: str = ""
