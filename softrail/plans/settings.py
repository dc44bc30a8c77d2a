"""What an operator may choose about plans."""

import re
from typing import ClassVar, Final

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator

from softrail.plugin import PluginSettings

_DATABASE: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")
_LONGEST: Final = 63  #: of a name in PostgreSQL


class Database(BaseModel):
    """A PostgreSQL of whose tables people may have a copy, each under its own name."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    url: SecretStr
    tables: tuple[str, ...] = Field(min_length=1, max_length=500)  #: or views: `sales`, `crm.sales`
    rows: int = Field(default=1_000_000, ge=1, le=100_000_000)
    seconds: float = Field(default=60.0, gt=0, le=3600)

    @field_validator("url")
    @classmethod
    def _postgres(cls, value: SecretStr) -> SecretStr:
        if not value.get_secret_value().startswith(("postgresql://", "postgres://")):
            raise ValueError("the url of a database must begin with postgresql://")
        return value

    @field_validator("tables")
    @classmethod
    def _named(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        parts = [part for one in value for part in one.split(".", 1)]
        if not all(0 < len(part) <= _LONGEST and "\0" not in part for part in parts):
            raise ValueError("a table is its name, or its schema's and its own with a dot between them")
        return value


class PlanSettings(PluginSettings):
    """The table `[plans]` of `softrail.toml`."""

    section: ClassVar[str] = "plans"

    steps_at_once: int = Field(
        default=4, ge=1, le=20, description="Steps of one plan that are carried out at the same time."
    )
    step_limit: float = Field(
        default=600.0, gt=0, le=86_400, description="Seconds that a step of a plan may take."
    )
    sources: int = Field(default=10, ge=1, le=100, description="Files of data that a conversation may have.")
    source_megabytes: int = Field(
        default=100, ge=1, le=2000, description="Megabytes that such a file may have."
    )
    step_megabytes: int = Field(
        default=512,
        ge=64,
        le=65_536,
        description="Megabytes of memory that reading a file or a query may take.",
    )
    step_rows: int = Field(
        default=10_000, ge=1, le=100_000, description="Rows that a query of a plan may give."
    )
    data_at_once: int = Field(
        default=4,
        ge=1,
        le=64,
        description="Files and queries of data that a worker works on at the same time.",
    )
    data_ahead: float = Field(
        default=120.0,
        ge=0,
        le=86_400,
        description="Seconds that processes for data wait, begun ahead after one was needed, for the next query or chart; "
        "0: none are.",
    )
    databases: dict[str, Database] = Field(
        default={},
        description="PostgreSQL databases by name, each with `url`, the `tables` that may be copied, and at most so many `rows` "
        "and `seconds` (1,000,000 and 60).",
    )

    @field_validator("databases")
    @classmethod
    def _named(cls, value: dict[str, Database]) -> dict[str, Database]:
        if not all(_DATABASE.fullmatch(name) for name in value):
            raise ValueError("the name of a database has small letters, digits and _")
        return value
