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
