"""What an operator may choose about the companion."""

from pathlib import Path
from typing import ClassVar

from pydantic import Field, field_validator

from softrail.plugin import PluginSettings, readable_folder


class CompanionSettings(PluginSettings):
    """The table `[companion]` of `softrail.toml`."""

    section: ClassVar[str] = "companion"

    name: str = Field(
        default="Companion", min_length=1, max_length=60, description="What the assistant calls itself."
    )
    artifacts_dir: Path | None = Field(
        default=None,
        description="A folder for the content of projects' files; without it they lie in the database. All workers "
        "need the same one.",
    )

    @field_validator("artifacts_dir")
    @classmethod
    def _existing_folder(cls, value: Path | None) -> Path | None:
        return readable_folder(value)
