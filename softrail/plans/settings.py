"""What an operator may choose about plans."""

from typing import ClassVar

from pydantic import Field

from softrail.plugin import PluginSettings


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
