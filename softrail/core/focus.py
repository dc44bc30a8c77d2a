"""What a session spoke of last."""

from typing import Any

from pydantic import BaseModel, ConfigDict


class Focus(BaseModel):
    """What a session spoke of last: that is what "it" and "that one" mean."""

    model_config = ConfigDict(frozen=True)

    project: str | None = None  #: its id
    note: int | None = None  #: its number in that project
    file: str | None = None  #: its id
    process: str | None = None
    intent: str | None = None  #: what was asked last, for "and that one?"

    def then(self, **spoken: Any) -> "Focus":
        """With what was spoken of since; another project takes note and file of the one before away."""
        said = {name: value for name, value in spoken.items() if value is not None}
        if said.items() <= vars(self).items():
            return self
        elsewhere = self.project is not None and said.get("project", self.project) != self.project
        return self.model_copy(update={**({"note": None, "file": None} if elsewhere else {}), **said})

    def showing(self, *, project: str, note: int | None, intent: str) -> "Focus":
        """After a look at notes: the one that was shown, or none where it were several."""
        return self.then(project=project, intent=intent).model_copy(update={"note": note})
