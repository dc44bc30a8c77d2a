"""What was asked, and what may answer it."""

from datetime import datetime
from functools import partial
from operator import is_
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Kind = Literal["ask", "offer", "clarify", "confirm", "approve"]


#: In C: it is asked of every question, request, reply and record whenever one is written.
LEFT_OUT = partial(is_, None)
NOT_SO = partial(is_, False)

_YES_NO = 2  #: options of a yes and a no, which a prompt may list behind its question


class Option(BaseModel):
    """One way to answer a question; sending `label` back as the message chooses it."""

    model_config = ConfigDict(frozen=True)

    label: str
    value: str | None = None  #: what a process receives; omitted: the label
    hint: str | None = None  #: what choosing it would do, shown to the person
    words: tuple[str, ...] = ()  #: further names that choose it

    @property
    def means(self) -> str:
        """What is received where it is chosen."""
        return self.value or self.label


class Question(BaseModel):
    """A question as a step put it: enough to ask it again and to recognise its answer."""

    model_config = ConfigDict(frozen=True)

    kind: Kind = "ask"
    prompt: str
    options: tuple[Option, ...] = ()
    suggestions: tuple[str, ...] = ()  #: further messages a frontend may offer: "Skip", "Looks good"
    answer_schema: dict[str, Any] | None = None  #: JSON schema of the value wanted, where there is one
    tail: bool = False  #: everything was delivered, only "looks good" is missing: no late answer
    takes_anything: bool = False  #: free text of any kind: patterns of off-topic talk do not apply
    skippable: bool = False  #: of a step of one's own: it may be left out
    several: bool = Field(default=False, exclude_if=NOT_SO)  #: one of a few may answer it, several, or none
    expires_at: datetime | None = None  #: when a default is taken
    payload: Any = Field(default=None, exclude_if=LEFT_OUT)  #: JSON for the client

    @property
    def asks(self) -> str:
        """The question itself, without the lines behind it that list a yes and a no: "A) Yes"; more options are part of it."""
        lines = self.prompt.split("\n") if len(self.options) <= _YES_NO else [self.prompt]
        while len(lines) > 1 and (not lines[-1] or any(f") {o.label}" in lines[-1] for o in self.options)):
            lines.pop()
        return "\n".join(lines)

    @property
    def wants_option(self) -> bool:
        """One of its options is meant to answer it; a clarification hears more, and asks which of several it is."""
        return (
            len(self.options) > 1
            if self.kind == "clarify"
            else bool(self.options) and not self.takes_anything
        )


class Change(BaseModel):
    """An answer that a message may give anew."""

    model_config = ConfigDict(frozen=True)

    field: str
    text: str  #: the words that are its new value
    adds: bool = False  #: to what a list has already
    none: bool = False  #: there is none of it any more


class Doubted(BaseModel):
    """A message that could be read in several ways, kept until the person says which."""

    model_config = ConfigDict(frozen=True)

    message: str
    text: str = ""  #: the value in it, if it is an answer
    changes: tuple[tuple[Change, ...], ...] = ()  #: each is one way to read what it changes
    answers: tuple[str, ...] = ()  #: the values of the options that it may mean, the likeliest first


class Pending(BaseModel):
    """The newest open question of a session and whose it is."""

    model_config = ConfigDict(frozen=True)

    question: Question
    instance_id: str
    seq: int  #: the turn that asked
    resume: bool = False  #: an offer to resume a suspended instance
    misses: int = 0  #: turns that did not answer it since
    doubted: Doubted | None = None  #: `question` asks what this message meant, above the asker's own question

    @property
    def id(self) -> str:
        """Of the question as it was asked: the same while it stays open, another when it is asked anew."""
        return f"{self.instance_id}:{self.seq}"
