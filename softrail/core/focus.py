"""What a session spoke of last."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from softrail.core.questions import LEFT_OUT


class Focus(BaseModel):
    """What a session spoke of last: that is what "it" and "that one" mean."""

    model_config = ConfigDict(frozen=True)

    project: str | None = None  #: its id
    note: int | None = None  #: its number in that project
    file: str | None = None  #: its id
    process: str | None = None
    intent: str | None = None  #: what was asked last, for "and that one?"
    chosen: Annotated[str | None, Field(exclude_if=LEFT_OUT)] = None  #: by words, in the place of `over`
    over: Annotated[str | None, Field(exclude_if=LEFT_OUT)] = None  #: the project that the client sends

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

    def choosing(self, project: str | None) -> "Focus":
        """Gone on with that project from here on, whichever the client sends with each turn; None: with that again."""
        return self.model_copy(update={"project": project, "note": None, "file": None, "chosen": project})

    def beside(self, sent: str | None) -> "Focus":
        """What was chosen by words, in the place of what the client sends: once that is another, it is the newer choice."""
        over = self.over or sent
        if self.chosen is not None and over not in (None, self.chosen) and sent in (None, over):
            return self if over == self.over else self.model_copy(update={"over": over})
        if self.chosen is None and self.over is None:
            return self
        return self.model_copy(update={"chosen": None, "over": None})

    def here(self, sent: str | None) -> str | None:
        """The project that a turn is about."""
        return self.chosen if sent is not None and sent == self.over else sent
